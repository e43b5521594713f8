"""`donewhen run` where something is wrong from the start, or goes wrong on the way: told, and nothing lost."""

import json
import os
import subprocess
from typing import Any

import pytest

from donewhen.core.events import facts
from tests.helpers import Cli, Result
from tests.projects import CART, TESTS, everything, git, repository, write
from tests.pythons import plain_python
from tests.runs import (
    CLAIM,
    FIX,
    QUICK,
    Step,
    attempts,
    bodies,
    broken_cart,
    hook,
    once,
    own_refs,
    play,
    refs,
    script,
    settings,
    told,
    untouched,
)

GATES = False


def one_sentence(done: Result) -> str:
    """What went wrong, as one line on stderr and without a traceback."""
    assert "Traceback" not in done.err
    lines = done.err.strip().splitlines()
    assert len(lines) == 1, done.err
    assert done.out == ""
    return lines[0]


def no_run(cli: Cli) -> bool:
    """Whether nothing was begun: neither in the ledger nor beside it."""
    listed = cli("list", "--json")
    return listed.exit == 0 and not listed.json["runs"]


# -- before anything is written -----------------------------------------------------------------------


def test_a_folder_without_a_repository_is_told(cli: Cli):
    done = play(cli, CLAIM, form="")
    assert (done.exit, no_run(cli)) == (5, True)
    assert "git" in one_sentence(done)


def test_a_machine_without_git_is_told(cli: Cli):
    broken_cart(cli)
    empty = cli.folder.parent / "bin"
    empty.mkdir()
    done = cli("run", "Fix it", "--accept", TESTS, "--script", script(cli, [CLAIM]), PATH=str(empty))
    assert done.exit == 5
    assert "git" in one_sentence(done)


def test_a_repository_without_a_commit_is_told(cli: Cli):
    git(cli.folder, "init", "-q")
    done = play(cli, CLAIM, form="")
    assert (done.exit, no_run(cli)) == (5, True)
    assert "commit" in one_sentence(done)


@pytest.mark.parametrize("goal", ["", "  \n "])
def test_an_empty_goal_is_told(cli: Cli, goal: str):
    broken_cart(cli)
    done = play(cli, CLAIM, goal=goal, form="")
    assert (done.exit, no_run(cli)) == (2, True)
    one_sentence(done)


def test_nothing_to_prove_is_told_with_a_way_out(cli: Cli):
    repository(cli.folder, {"readme.md": "hello\n"})
    done = play(cli, CLAIM, goal="Make it nicer", accept=(), form="")
    assert (done.exit, no_run(cli)) == (2, True)
    assert "--accept" in one_sentence(done)


def test_a_promise_that_contradicts_itself_needs_a_yes(cli: Cli):
    broken_cart(cli)
    path = cli.folder.parent / "promise.json"
    scopes = {"allowed_scope": ["*.py"], "disallowed_scope": ["*.py"]}
    path.write_text(json.dumps({"objective": "fix", "accept": [TESTS], **scopes}))
    done = play(cli, CLAIM, accept=(), more=["--promise", str(path)], form="")
    assert (done.exit, no_run(cli)) == (2, True)
    assert "--yes" in one_sentence(done)
    agreed = play(cli, CLAIM, accept=(), more=["--promise", str(path), "--yes", *QUICK])
    assert agreed.json["run"]


@pytest.mark.parametrize(
    "promise",
    [
        {"acceptance": [{"id": "c1", "description": "x", "evidence_mode": "most"}]},
        {"done_when": [{"type": "gate-passed", "target": "pre-ship"}]},
        {"checks": [{"id": "a", "kind": "no_such_kind"}]},
        {"accept": ["python3 -m unittest | tail"]},
    ],
)
def test_a_promise_that_can_not_be_kept_is_refused(cli: Cli, promise: dict[str, Any]):
    broken_cart(cli)
    path = cli.folder.parent / "promise.json"
    path.write_text(json.dumps({"objective": "fix", "accept": [TESTS], **promise}))
    done = play(cli, CLAIM, accept=(), more=["--promise", str(path), "--yes"], form="")
    assert (done.exit, no_run(cli)) == (2, True)
    one_sentence(done)


@pytest.mark.parametrize(
    "text", ["steps: [", "steps: []", "steps:\n  - bash: yes\n", "{steps: [{done: a, bash: b}]}", "\x00"]
)
def test_a_broken_script_is_told_before_anything_begins(cli: Cli, text: str):
    broken_cart(cli)
    path = cli.folder.parent / "bad.yml"
    path.write_text(text)
    done = cli("run", "Fix it", "--accept", TESTS, "--script", str(path))
    assert (done.exit, no_run(cli)) == (2, True)
    assert "bad.yml" in one_sentence(done)


def test_a_script_that_is_not_there_is_told(cli: Cli):
    broken_cart(cli)
    missing = cli("run", "Fix it", "--accept", TESTS, "--script", "nowhere.yml")
    assert missing.exit == 2
    assert "nowhere.yml" in one_sentence(missing)


@pytest.mark.parametrize("branch", ["main", "-x", "a..b", "refs/heads/", "mine", "taken/below"])
def test_a_branch_that_can_not_be_had_is_told_before_any_work(cli: Cli, branch: str):
    user = broken_cart(cli)
    git(user, "branch", "taken")
    git(user, "checkout", "-q", "-b", "mine")
    write(user, {"more.txt": "x"})
    git(user, "add", "-A")
    git(user, "commit", "-q", "-m", "more")
    before = own_refs(user)
    done = play(cli, FIX, CLAIM, more=[f"--branch={branch}", *QUICK], form="")
    assert (done.exit, own_refs(user)) == (2, before)
    assert one_sentence(done)
    assert no_run(cli)


# -- what an agent does wrong -------------------------------------------------------------------------


def test_unknown_tools_and_wrong_arguments_are_answered_and_the_run_goes_on(cli: Cli):
    broken_cart(cli)
    wrong: list[Step] = [
        {"tool": "reed_file", "args": {"path": "cart.py"}},
        {"tool": "read_file", "args": {"path": 7}},
        {"tool": "read_file", "args": {}},
        {"tool": "read_file", "args": {"path": "../../etc/passwd"}},
        {"tool": "read_file", "args": {"path": "a\x00b"}},
        {"tool": "run_command", "args": {"command": "true", "cwd": "/"}},
        {"tool": "todo_write", "args": {"todos": [{"id": "nope", "status": "completed"}]}},
        {"tool": "plan_update", "args": {"checks": [{"id": "x", "kind": "no_such_kind"}]}},
        {"tool": "command_status", "args": {"handle": "nope"}},
        {"tool": "", "args": {}},
        {
            "calls": [
                {"tool": "read_file", "args": {"path": "cart.py"}},
                {"tool": "nope"},
                {"tool": "list_dir"},
            ]
        },
    ]
    data = play(cli, *wrong, FIX, CLAIM, more=QUICK).json
    assert data["decision"]["stop_reason"] == "accepted"
    returned = [body for body in bodies(cli, data["run"]) if isinstance(body, facts.ToolReturned)]
    assert [body.ok for body in returned] == [False] * 10 + [True, False, True, True, True]
    assert all(body.output for body in returned)
    assert "read_file" in returned[0].output
    assert "Traceback" not in told(cli, data["run"])


@pytest.mark.runs
def test_answers_of_great_size_and_strange_names_do_no_harm(cli: Cli):
    user = broken_cart(cli)
    steps = [
        {"bash": "head -c 3000000 /dev/zero | tr '\\0' x"},
        {"bash": "printf 'a' > \"$(printf 'odd\\nname')\"; printf b > ./-dash; printf c > 'sp ace'"},
        {"bash": "printf '\\033[31mred\\377\\376'"},
        {"say": "x" * 300_000, "bash": "true"},
    ]
    done = play(cli, *steps, FIX, CLAIM, more=QUICK)
    data = done.json
    assert (done.exit, sorted(data["changed"])) == (0, ["-dash", "cart.py", "odd\nname", "sp ace"])
    names = git(user, "ls-tree", "-z", "--name-only", data["branch"]).split("\0")
    assert {"-dash", "odd\nname", "sp ace"} <= set(names)


# -- what happens beside the run ----------------------------------------------------------------------


@pytest.mark.runs
def test_head_that_moves_meanwhile_changes_nothing_of_the_result(cli: Cli):
    user = broken_cart(cli)
    base = git(user, "rev-parse", "HEAD")
    move = once(
        cli,
        "moved",
        f"cd {user} && echo x > theirs.txt && git add theirs.txt && "
        "git -c user.name=B -c user.email=b@example.org commit -q -m theirs",
    )
    hook(cli, "before_tool", f"{{ {move}\n}} >&2")
    done = play(cli, FIX, CLAIM, more=QUICK)
    data = done.json
    assert (done.exit, git(user, "log", "-1", "--format=%s", "main")) == (0, "theirs")
    assert git(user, "rev-parse", f"{data['branch']}^") == base
    assert (user / "theirs.txt").read_text() == "x\n"
    assert git(user, "status", "--porcelain") == ""


@pytest.mark.runs
def test_a_branch_that_somebody_takes_meanwhile_is_not_overwritten(cli: Cli):
    user = broken_cart(cli)
    take = once(
        cli,
        "taken",
        f"cd {user} && c=$(git -c user.name=B -c user.email=b@x.org commit-tree -m other HEAD^{{tree}}) && "
        "git branch fix/cart $c",
    )
    hook(cli, "before_tool", f"{{ {take}\n}} >&2")
    done = play(cli, FIX, CLAIM, more=["--branch", "fix/cart", *QUICK])
    data = done.json
    assert done.exit in (4, 5)
    assert git(user, "log", "-1", "--format=%s", "fix/cart") == "other"
    kept = refs(user).get(f"refs/donewhen/{data['run']}/work")
    assert kept
    assert git(user, "show", f"{kept}:cart.py") == CART.rstrip()


@pytest.mark.runs
def test_the_users_own_edits_meanwhile_stay(cli: Cli):
    user = broken_cart(cli)
    hook(
        cli,
        "before_tool",
        once(cli, "edited", f"echo mine > {user}/mine.txt; echo '# mine' >> {user}/cart.py"),
    )
    done = play(cli, FIX, CLAIM, more=QUICK)
    assert done.exit == 0
    assert (user / "mine.txt").read_text() == "mine\n"
    assert (user / "cart.py").read_text().endswith("# mine\n")


@pytest.mark.runs
@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("sleep 60", {"timeout": 1}),
        ("echo garbage", {}),
        ("echo '[1'", {}),
        ("exit 3", {}),
        ("kill -9 $$", {}),
    ],
    ids=["hangs", "prints garbage", "prints half a list", "fails", "dies"],
)
def test_a_hook_that_can_not_decide_lets_nothing_pass(cli: Cli, text: str, more: dict[str, Any]):
    user = broken_cart(cli)
    hook(cli, "before_accept", text, **more)
    done = play(cli, FIX, CLAIM, after_last="repeat_done", more=[*QUICK])
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) in (
        (4, "escalated"),
        (1, "accept_continue_exhausted"),
    )
    assert data["branch"] is None
    assert "mine" in told(cli, data["run"])
    assert refs(user)[f"refs/donewhen/{data['run']}/work"] == data["work"]


@pytest.mark.runs
@pytest.mark.parametrize(
    ("point", "exit", "cause"),
    [("run_start", 5, "hook"), ("before_model", 5, "hook"), ("before_commit", 4, "before_commit")],
)
def test_a_hook_that_blocks_is_named_with_its_reason(cli: Cli, point: str, exit: int, cause: str):
    user = broken_cart(cli)
    hook(cli, point, "echo not on a Friday >&2; exit 2")
    done = play(cli, FIX, CLAIM, more=QUICK)
    decision = done.json["decision"]
    assert (done.exit, decision["cause"]) == (exit, cause)
    assert "mine: not on a Friday" in decision["summary"]
    assert not any(name.startswith("refs/heads/donewhen") for name in refs(user))


@pytest.mark.runs
@pytest.mark.parametrize(
    ("command", "exit", "reason"),
    [
        ("no_such_program_here", 5, "verification_execution_error"),
        ("git push origin +main", 5, "verification_execution_denied"),
    ],
)
def test_an_exam_that_can_not_be_held_is_no_fault_of_the_agent(
    cli: Cli, command: str, exit: int, reason: str
):
    user = broken_cart(cli)
    done = play(cli, FIX, CLAIM, accept=[command], after_last="repeat_done", more=QUICK)
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (exit, reason)
    assert refs(user)[f"refs/donewhen/{data['run']}/work"] == data["work"]


@pytest.mark.runs
def test_a_repository_with_an_odd_name_is_one_like_any_other(cli: Cli):
    cli.folder = cli.folder.parent / "a b\n$(touch x)é'\"-"
    user = broken_cart(cli)
    data = play(cli, FIX, CLAIM, more=QUICK).json
    assert data["state"] == "done"
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()


def test_a_hook_that_is_not_there_is_told_before_the_run(cli: Cli):
    broken_cart(cli)
    settings(
        cli, hooks={"commands": [{"name": "mine", "point": "before_tool", "command": ["/nowhere/hook"]}]}
    )
    done = play(cli, FIX, CLAIM, form="")
    assert (done.exit, "Traceback" in done.err) == (5, False)
    assert "the hook mine" in done.out + done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_state_folder_that_can_not_be_written_is_told(cli: Cli):
    broken_cart(cli)
    cli.state.mkdir()
    cli.state.chmod(0o500)
    try:
        done = play(cli, FIX, CLAIM, form="")
    finally:
        cli.state.chmod(0o700)
    assert done.exit == 5
    one_sentence(done)


def test_a_state_folder_that_is_a_file_is_told(cli: Cli):
    user = broken_cart(cli)
    cli.state.write_text("")
    done = play(cli, FIX, CLAIM, form="")
    assert (done.exit, set(refs(user))) == (5, {"refs/heads/main"})
    assert str(cli.state) in one_sentence(done)


@pytest.mark.runs
def test_a_disk_that_is_full_ends_the_run_with_a_reason_and_without_an_acceptance(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    words = ["run", "Fix it", "--accept", TESTS, "--script", script(cli, [FIX, CLAIM]), *QUICK]
    limited = f"ulimit -f 64; exec {plain_python()} -m donewhen {subprocess.list2cmdline(words)}"
    done = subprocess.run(
        ["sh", "-c", limited], capture_output=True, text=True, cwd=user, env=cli.env, timeout=120, check=False
    )
    assert done.returncode == 5, done.stderr
    assert "Traceback" not in done.stderr
    assert untouched(before, everything(user)) == []
    assert not any(name.startswith("refs/heads/donewhen") for name in refs(user))


@pytest.mark.runs
def test_the_workspace_of_a_run_may_go_between_two_turns(cli: Cli):
    user = broken_cart(cli)
    hook(cli, "after_model", once(cli, "removed", 'rm -rf "$PWD"'))
    done = play(cli, FIX, CLAIM, form="")
    assert done.exit == 5
    assert "Traceback" not in done.err
    assert set(own_refs(user)) == {"refs/heads/main"}
    assert attempts(cli, cli("list", "--json").json["runs"][0]["run"])[-1:] == ["failed"]
