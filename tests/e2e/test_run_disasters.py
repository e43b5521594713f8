"""The classic disasters of agents that work unattended, each played against `donewhen run`."""

from pathlib import Path

import pytest

from donewhen.core.events import facts, run
from tests.helpers import Cli
from tests.projects import BUG, CART, everything, git, write
from tests.runs import (
    CLAIM,
    FIX,
    QUICK,
    attempts,
    bodies,
    broken_cart,
    hook,
    once,
    own_refs,
    play,
    refs,
    told,
    untouched,
)

GATES = False


# -- the loop of two days -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps",
    [
        [{"bash": "ls"}],
        [{"bash": "ls"}, {"bash": "cat cart.py"}],
        pytest.param(
            [{"bash": "ls"}, {"bash": "cat cart.py"}, {"tool": "read_file", "args": {"path": "cart.py"}}],
            marks=pytest.mark.runs,
        ),
        [{"tool": "no_such_tool", "args": {"n": 1}}],
    ],
    ids=["one", "two", "three", "a tool that there is not"],
)
def test_a_script_that_goes_round_in_circles_ends_by_itself(cli: Cli, steps: list):
    user = broken_cart(cli)
    before = everything(user)
    done = play(cli, *steps * 30, after_last="repeat_last", more=["--set", "loop.max_turns=60", *QUICK])
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"], data["state"]) == (4, "escalated", "paused")
    assert (data["decision"]["cause"], data["metrics"]["turns"] < 20) == ("repeat_cycle", True)
    assert untouched(before, everything(user)) == []


@pytest.mark.runs
def test_a_loop_with_another_text_each_time_ends_at_the_turns(cli: Cli):
    broken_cart(cli)
    more = ["--set", "loop.max_turns=12", *QUICK]
    done = play(cli, {"bash": "head -c 16 /dev/urandom | od; false"}, after_last="repeat_last", more=more)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (3, "max_turn_exceeded")


def test_polling_a_command_that_is_silent_is_a_loop_too(cli: Cli):
    broken_cart(cli)
    start = {"tool": "run_command", "args": {"command": "sleep 600", "background": True}}
    steps = [start, *[{"tool": "command_status", "args": {"handle": "b1"}}] * 30]
    done = play(cli, *steps, after_last="repeat_last", more=["--set", "loop.max_turns=40", *QUICK])
    data = done.json
    assert (done.exit, data["decision"]["cause"]) == (4, "repeat_cycle")
    assert data["metrics"]["turns"] < 20


@pytest.mark.runs
def test_a_loop_is_no_hand_over_where_nobody_wants_one(cli: Cli):
    broken_cart(cli)
    done = play(
        cli, {"bash": "ls"}, after_last="repeat_last", more=["--set", "correction.escalate_on=[]", *QUICK]
    )
    data = done.json
    assert (done.exit, data["state"], data["decision"]["stop_reason"]) == (1, "fail", "repeat_cycle")


@pytest.mark.runs
def test_claims_without_end_are_cut_off_even_when_the_agent_works_in_between(cli: Cli):
    broken_cart(cli)
    busy = [
        step
        for number in range(20)
        for step in ({"write": {"path": f"n{number}.txt", "content": f"{number}\n"}}, CLAIM)
    ]
    done = play(cli, *busy, after_last="repeat_done", more=QUICK)
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (4, "escalated")
    assert data["metrics"]["attempts"] == 4


# -- main is deleted ----------------------------------------------------------------------------------


def test_no_command_of_an_agent_moves_a_branch_of_the_user(cli: Cli):
    user = broken_cart(cli, {"more.txt": "1\n"})
    write(user, {"more.txt": "2\n"})
    git(user, "commit", "-q", "-am", "second")
    git(user, "branch", "release/1")
    git(user, "tag", "v1")
    before, everything_before = own_refs(user), everything(user)
    gone = "0" * 40
    bad = [
        "git branch -D main",
        "git checkout -q --detach && git update-ref -d refs/heads/main",
        "git update-ref refs/heads/main HEAD~1",
        "git push -f origin HEAD~1:main",
        "git push origin +HEAD~1:refs/heads/main",
        "git push origin :main",
        "git push --delete origin release/1 v1",
        f"git push -f {user} HEAD~1:main",
        f"git -C {user} update-ref -d refs/heads/main",
        f"git --git-dir={user}/.git branch -D release/1",
        f"rm -rf {user}/.git",
        f"echo {gone} > {user}/.git/refs/heads/main",
        f"python3 -c \"open('{user}/.git/HEAD','w').write('x')\"",
        f"b=main; cd {user} && git reset --hard HEAD~1 && git branch -f $b HEAD~1",
        "sh -c \"$(printf 'git push -f origin HEAD~1:main')\"",
    ]
    steps = [{"bash": text} for text in bad]
    done = play(cli, *steps, FIX, CLAIM, more=["--on-ask", "deny", *QUICK])
    assert done.json["decision"]["stop_reason"] in ("accepted", "unsafe", "scope_drift")
    assert own_refs(user) == before
    assert untouched(everything_before, everything(user)) == []


@pytest.mark.parametrize("sandbox", ["auto", pytest.param("off", marks=pytest.mark.runs)])
def test_a_program_that_the_guard_can_not_see_through_finds_no_way_to_main(cli: Cli, sandbox: str):
    text = "import subprocess as s\nfor w in (['push','-f','origin','HEAD~1:main'],['push','origin',':main'],"
    text += "['update-ref','-d','refs/heads/main']):\n    s.run(['git',*w])\n"
    user = broken_cart(cli, {"evil.py": text})
    write(user, {"more.txt": "2\n"})
    git(user, "add", "-A")
    git(user, "commit", "-q", "-m", "second")
    before = everything(user)
    play(cli, {"bash": "python3 evil.py"}, FIX, CLAIM, more=["--set", f"sandbox.mode={sandbox}", *QUICK])
    assert untouched(before, everything(user)) == []


def test_main_is_where_it_was_when_the_agent_commits_by_itself(cli: Cli):
    user = broken_cart(cli)
    before = own_refs(user)
    commit = {"bash": "git add -A && git commit -q -m 'my own way'"}
    data = play(cli, FIX, commit, CLAIM, more=QUICK).json
    assert (data["state"], own_refs(user)) == ("done", before)
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()


# -- code that does not run ---------------------------------------------------------------------------


@pytest.mark.runs
def test_code_that_does_not_even_load_is_never_accepted(cli: Cli):
    user = broken_cart(cli)
    broken = {"write": {"path": "cart.py", "content": "def total(prices)\n    return sum(prices)\n"}}
    done = play(cli, broken, CLAIM, {"write": {"path": "cart.py", "content": CART}}, CLAIM, more=QUICK)
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    assert "SyntaxError" in told(cli, data["run"])
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()


@pytest.mark.runs
def test_an_exam_without_any_test_left_proves_nothing(cli: Cli):
    broken_cart(cli)
    done = play(cli, {"bash": "git rm -q test_cart.py"}, FIX, CLAIM, after_last="repeat_done", more=QUICK)
    assert done.exit != 0
    assert "accepted" not in attempts(cli, done.json["run"])


@pytest.mark.runs
def test_a_package_that_the_exam_can_not_import_is_no_pass(cli: Cli):
    broken_cart(cli)
    missing = {"write": {"path": "cart.py", "content": "import no_such_package_here\n" + CART}}
    done = play(cli, missing, CLAIM, after_last="repeat_done", more=QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (4, "escalated")
    assert "no_such_package_here" in told(cli, done.json["run"])


# -- a fix that breaks something else -----------------------------------------------------------------

OTHER_TEST = """\
import unittest

from tax import with_tax


class Tax(unittest.TestCase):
    def test_adds_tax(self):
        self.assertEqual(with_tax(100), 120)
"""
TWO = {
    "tax.py": "def with_tax(price):\n    return price + 20\n",
    "test_tax.py": OTHER_TEST,
}
BOTH = ("python3 -m unittest test_cart", "python3 -m unittest test_tax")


@pytest.mark.runs
def test_a_fix_that_breaks_something_else_is_taken_back(cli: Cli):
    user = broken_cart(cli, TWO)
    worse = {"write": {"path": "tax.py", "content": "def with_tax(price):\n    return price\n"}}
    done = play(
        cli,
        {"write": {"path": "notes.md", "content": "first try\n"}},
        CLAIM,
        worse,
        CLAIM,
        FIX,
        CLAIM,
        accept=BOTH,
        more=QUICK,
    )
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "continue", "accepted"])
    back = [body for body in bodies(cli, data["run"]) if isinstance(body, facts.RolledBack)]
    assert [body.paths for body in back] == [("tax.py",)]
    assert "test_tax" in back[0].reason
    heard = told(cli, data["run"])
    assert "broke" in heard
    assert git(user, "diff", "--name-only", "main", data["branch"]).splitlines() == ["cart.py", "notes.md"]


# -- work that is lost with the workspace -------------------------------------------------------------


def test_work_outlives_a_workspace_that_somebody_removed(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    remove = once(cli, "removed", 'mv "$PWD" "$PWD.elsewhere"')
    hook(cli, "before_tool", f"if grep -q second.md; then {remove}\nfi")
    done = play(
        cli,
        {"bash": "echo first > first.md"},
        {"write": {"path": "second.md", "content": "second\n"}},
        CLAIM,
        more=QUICK,
    )
    data = done.json
    assert (done.exit, data["state"], data["decision"]["stop_reason"]) == (5, "fail", "fatal_error")
    assert "removed" in data["decision"]["summary"]
    work = refs(user)[f"refs/donewhen/{data['run']}/work"]
    assert git(user, "show", f"{work}:first.md") == "first"
    assert untouched(before, everything(user)) == []


@pytest.mark.runs
def test_an_agent_can_not_remove_its_own_workspace_or_the_git_directory(cli: Cli):
    broken_cart(cli)
    bad = ['rm -rf "$PWD"', "rm -rf .git", "rm -rf -- * .[!.]*", "mv .git ../x", "find . -delete"]
    steps = [{"bash": text} for text in bad]
    done = play(cli, FIX, {"bash": "echo kept > kept.md"}, *steps, CLAIM, more=["--on-ask", "deny", *QUICK])
    data = done.json
    denied = [body for body in bodies(cli, data["run"]) if isinstance(body, facts.Denied)]
    assert len(denied) >= 4
    opened = next(body for body in bodies(cli, data["run"]) if isinstance(body, run.WorkspaceOpened))
    lost = not data["branch"] and not data["work"]
    assert not lost or Path(opened.path).exists()


def test_a_program_that_empties_the_workspace_loses_only_what_nobody_saw(cli: Cli):
    user = broken_cart(
        cli, {"wipe.py": "import shutil, os\nfor n in os.listdir('.'):\n    shutil.rmtree(n, True)\n"}
    )
    steps = [{"bash": "echo first > first.md"}, {"bash": "python3 wipe.py"}, CLAIM]
    done = play(cli, *steps, after_last="repeat_done", more=QUICK)
    data = done.json
    assert done.exit != 0
    assert data["decision"]["stop_reason"] in ("fatal_error", "unsafe", "escalated")
    work = refs(user).get(f"refs/donewhen/{data['run']}/work", "")
    assert git(user, "show", f"{work}:first.md") == "first"
    assert len(data["decision"]["summary"].splitlines()) == 1
    assert git(user, "show", "main:cart.py") == BUG.rstrip()
