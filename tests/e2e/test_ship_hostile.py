"""What must not leave with a merge, and words that must reach no shell."""

import json
import os
import stat
from pathlib import Path

import pytest

from donewhen.core.events import facts
from tests.helpers import Cli
from tests.projects import TESTS, git, write
from tests.run.shipping.yard import KEY, SECRET
from tests.runs import CLAIM, FIX, QUICK, bodies, broken_cart, play, refs, script, settings
from tests.ships import MERGE, OPEN, configured, elsewhere, handed_over, merged, off_main

GATES = False
HOSTILE = "\"; touch {mark}; $(touch {mark}) `touch {mark}` '\n; touch {mark}\n--exec=touch {mark}"


def everywhere(folder: Path, text: str) -> list[str]:
    """Objects of a repository that hold a text."""
    listed = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    return [name for name in listed if text in git(folder, "cat-file", "-p", name)]


def test_a_secret_in_the_change_goes_nowhere(cli: Cli):
    user = off_main(cli)
    configured(cli)
    before = refs(user)
    done = merged(cli, steps=({"write": {"path": "conf.py", "content": SECRET}}, FIX, CLAIM))
    assert done.exit != 0
    assert git(user, "rev-parse", "main") == before["refs/heads/main"]
    assert not [name for name in refs(user) if name.startswith("refs/heads/donewhen")]


@pytest.mark.runs
def test_a_secret_that_only_the_merge_would_bring_stops_it(cli: Cli):
    """The user's own branch holds it already, so it is no part of the run's change; the target has it not."""
    user = off_main(cli)
    write(user, {"conf.py": SECRET})
    git(user, "add", "-A")
    git(user, "commit", "-q", "-m", "by accident")
    configured(cli)
    main = git(user, "rev-parse", "main")
    data = handed_over(cli, merged(cli), "merge_secret")
    assert "conf.py" in data["decision"]["summary"]
    assert git(user, "rev-parse", "main") == main
    assert KEY not in json.dumps(data)


@pytest.mark.runs
def test_a_secret_that_a_later_commit_took_away_is_not_merged(cli: Cli):
    user = off_main(cli)
    write(user, {"conf.py": SECRET})
    git(user, "add", "-A")
    git(user, "commit", "-q", "-m", "by accident")
    accident = git(user, "rev-parse", "HEAD")
    git(user, "rm", "-q", "conf.py")
    git(user, "commit", "-q", "-m", "gone again")
    configured(cli)
    main = git(user, "rev-parse", "main")
    data = handed_over(cli, merged(cli), "merge_secret")
    assert "conf.py" in data["decision"]["summary"]
    assert accident[:12] in data["decision"]["summary"]
    assert git(user, "rev-parse", "main") == main


@pytest.mark.runs
def test_a_secret_as_the_name_of_a_file_goes_nowhere(cli: Cli):
    user = off_main(cli)
    configured(cli)
    main = git(user, "rev-parse", "main")
    done = merged(cli, steps=({"write": {"path": f"docs/{KEY}.md", "content": "x\n"}}, FIX, CLAIM))
    assert done.exit != 0
    assert git(user, "rev-parse", "main") == main
    assert KEY not in json.dumps(done.json["decision"])
    assert not [name for name in refs(user) if name.startswith("refs/heads/donewhen")]


@pytest.mark.runs
def test_a_target_that_became_another_name_of_a_protected_branch_is_not_moved(cli: Cli):
    user = off_main(cli)
    git(user, "branch", "next")
    alias = "git symbolic-ref refs/heads/next refs/heads/main"
    configured(cli, alias, ship={}, project={"targetBranch": "next"})
    main = git(user, "rev-parse", "main")
    data = handed_over(cli, merged(cli), "target_alias")
    assert "another name for main" in data["decision"]["summary"]
    assert git(user, "rev-parse", "main") == main
    assert git(user, "symbolic-ref", "refs/heads/next") == "refs/heads/main"


@pytest.mark.runs
def test_a_key_in_the_goal_is_in_no_commit(cli: Cli):
    user = off_main(cli)
    configured(cli, elsewhere())
    data = merged(cli, goal=f"Fix the cart with {KEY}").json
    assert (data["state"], data["target"]) == ("done", "main"), data["decision"]["summary"]
    assert "Merge: Fix the cart with" in git(user, "log", "-1", "--format=%s", "main")
    assert everywhere(user, KEY) == []
    assert KEY not in json.dumps(data)


@pytest.mark.runs
@pytest.mark.parametrize(
    "goal", [HOSTILE, "Fix the cart\n" + "x" * 100_000, "--amend -m evil", "Fix ﷽" * 9000]
)
def test_goals_of_any_shape_are_subjects_and_no_commands(cli: Cli, goal: str):
    user = off_main(cli)
    mark = cli.folder.parent / "injected"
    configured(cli, elsewhere())
    path = cli.folder.parent / "goal.txt"
    path.write_text(goal.replace("{mark}", str(mark)))
    words = ("--goal-file", str(path), "--accept", TESTS, "--script", script(cli, [FIX, CLAIM]))
    done = cli("run", *words, "--json", *MERGE)
    data = done.json
    assert (done.exit, data["target"]) == (0, "main"), data
    assert not mark.exists()
    for line in git(user, "log", "--format=%s", "main").splitlines():
        assert len(line) <= 72
    assert sorted(path.name for path in user.iterdir()) == [".git", "cart.py", "test_cart.py"]


@pytest.mark.runs
@pytest.mark.parametrize(
    "name",
    ["a b", "$(touch x)", "a;touch x", "-f", "a\nb", "x" * 100_000, "a..b", "HEAD~1", "x\x1b[2J"],
)
def test_branch_names_of_any_shape_are_refused_before_anything_is_written(cli: Cli, name: str):
    user = off_main(cli)
    configured(cli)
    before = refs(user)
    words = ("--accept", TESTS, "--script", script(cli, [FIX, CLAIM]), *MERGE)
    for option in (("--branch", name), ("--set", f"project.targetBranch={name}")):
        done = cli("run", "Fix the cart", *words, f"{option[0]}={option[1]}")
        assert done.exit == 2, (option[0], done.err[-300:])
        assert len(done.err) < 2000
        assert "\x1b" not in done.err
    assert refs(user) == before
    assert not (user / "x").exists()


@pytest.mark.runs
def test_names_that_git_allows_reach_no_shell(cli: Cli):
    user = off_main(cli)
    mark = cli.folder / "injected"
    name = "a;touch${IFS}injected;$(touch${IFS}injected)&b'\"|c"
    git(user, "branch", "t;touch${IFS}injected")
    configured(cli, elsewhere(), project={"targetBranch": "t;touch${IFS}injected"})
    done = merged(cli, f"--branch={name}")
    data = done.json
    assert (done.exit, data["branch"], data["target"]) == (0, name, "t;touch${IFS}injected")
    assert not mark.exists()
    assert not (cli.folder.parent / "injected").exists()


@pytest.mark.runs
def test_git_is_called_with_words_and_never_with_a_line(cli: Cli):
    """A program in git's place writes down what it was called with."""
    off_main(cli)
    configured(cli, elsewhere())
    log, folder = cli.folder.parent / "calls", cli.folder.parent / "bin"
    folder.mkdir()
    real = next(Path(each, "git") for each in os.environ["PATH"].split(":") if Path(each, "git").exists())
    wrapper = folder / "git"
    wrapper.write_text(
        f"#!/bin/sh\nprintf '%s\\0' \"$@\" >> '{log}'\nprintf '\\n\\0' >> '{log}'\nexec '{real}' \"$@\"\n"
    )
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    goal = "Fix the cart; touch injected $(touch injected)"
    cli.env["PATH"] = f"{folder}:{cli.env['PATH']}"
    data = merged(cli, goal=goal).json
    assert (data["state"], data["target"]) == ("done", "main"), data["decision"]["summary"]
    words = log.read_text().split("\0")
    assert "merge-tree" in words
    assert not [word for word in words if "touch injected" in word]  # it goes in by stdin


def test_a_branch_name_that_is_taken_is_told_before_the_run(cli: Cli):
    user = off_main(cli)
    configured(cli)
    git(user, "branch", "topic/a")
    done = cli(
        "run", "Fix the cart", "--accept", TESTS, "--script", script(cli, [FIX]), *MERGE, "--branch", "topic"
    )
    assert done.exit == 2
    assert "topic/a" in done.err
    done = cli(
        "run", "Fix the cart", "--accept", TESTS, "--script", script(cli, [FIX]), *MERGE, "--branch", "main"
    )
    assert done.exit == 2


@pytest.mark.runs
def test_a_protected_target_is_refused_before_the_run_and_a_project_can_not_open_it(cli: Cli):
    user = broken_cart(cli, {".donewhen.yml": "ship:\n  mode: merge\n  to_protected: true\n"})
    words = ("--accept", TESTS, "--script", script(cli, [FIX, CLAIM]), *QUICK)
    done = cli("run", "Fix the cart", *words, "--ship", "merge")
    assert done.exit == 2
    assert "ship.to_protected: true" in done.err
    assert set(refs(user)) == {"refs/heads/main"}
    assert json.loads(cli("list", "--json").out)["runs"] == []
    done = cli("run", "Fix the cart", *words, "--json")
    assert (done.exit, done.json["target"]) == (0, None)


def test_a_missing_target_is_told_before_the_run(cli: Cli):
    broken_cart(cli)
    settings(cli, **OPEN, project={"targetBranch": "nowhere"})
    done = cli("run", "Fix the cart", "--accept", TESTS, "--script", script(cli, [FIX]), *MERGE)
    assert done.exit == 2
    assert "there is no branch nowhere" in done.err


@pytest.mark.runs
def test_the_branch_of_the_user_is_the_target_where_there_is_no_usual_one(cli: Cli):
    user = broken_cart(cli)
    git(user, "branch", "-M", "trunk")
    done = play(cli, FIX, CLAIM, more=MERGE, form="")
    assert done.exit == 0
    assert "merged into trunk, where you are" in done.err
    assert "Merged: trunk" in done.out
    assert "merged into trunk" in json.loads(cli("show", "last", "--json").out)["decision"]["summary"]


@pytest.mark.runs
def test_a_pull_request_that_can_not_be_opened_leaves_the_accepted_branch(cli: Cli):
    user = broken_cart(cli)
    done = play(cli, FIX, CLAIM, more=("--ship", "pr", *QUICK))
    data = done.json
    assert (done.exit, data["state"], data["pull_request"]) == (0, "done", None)
    assert f"git push origin {data['branch']}" in data["warnings"][0]
    assert f"refs/heads/{data['branch']}" in refs(user)


@pytest.mark.runs
def test_the_ledger_says_what_went_where(cli: Cli):
    off_main(cli)
    configured(cli)
    data = merged(cli).json
    effects = {b.key: b for b in bodies(cli, data["run"]) if isinstance(b, facts.EffectIntended)}
    done = [
        b
        for b in bodies(cli, data["run"])
        if isinstance(b, facts.EffectDone) and effects[b.key].effect == "merge"
    ]
    assert [(effects[b.key].target, b.ok, b.reference) for b in done] == [("main", True, data["merged"])]
    assert "merged into main" in " ".join(cli("show", data["run"]).out.split())
