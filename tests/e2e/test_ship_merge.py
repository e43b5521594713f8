"""`ship.mode: merge`: the accepted commit goes into the target branch, or is handed over with its branch kept."""

import pytest

from donewhen.core.events import facts, run
from tests.helpers import Cli
from tests.projects import BUG, CART, git
from tests.runs import bodies, once, program, refs, settings
from tests.ships import COMMIT, OPEN, OTHER, configured, elsewhere, handed_over, merged, note, off_main

GATES = False


def test_the_target_is_moved_forward_when_it_is_where_the_run_began(cli: Cli):
    user = off_main(cli)
    configured(cli)
    before = git(user, "rev-parse", "main")
    data = merged(cli).json
    assert (data["state"], data["target"], data["warnings"]) == ("done", "main", [])
    commit = git(user, "rev-parse", "main")
    assert commit == data["merged"] == data["commit"] == git(user, "rev-parse", data["branch"])
    assert git(user, "rev-parse", "main^") == before
    assert "merged into main" in data["decision"]["summary"]
    assert set(refs(user)) == {
        "refs/heads/main", "refs/heads/mine", f"refs/heads/{data['branch']}", "refs/notes/donewhen"
    }  # fmt: skip
    assert git(user, "symbolic-ref", "--short", "HEAD") == "mine"
    assert (user / "cart.py").read_text() == BUG
    assert cli("audit", "--record", data["record"], "--commit", "main").exit == 0
    assert cli("audit", data["run"]).exit == 0
    tree = git(user, "rev-parse", "main^{tree}")
    assert note(user, commit)["subject"][0]["digest"] == {"gitTree": tree}


@pytest.mark.runs
def test_after_a_merge_every_view_says_where_it_went(cli: Cli):
    off_main(cli)
    configured(cli)
    data = merged(cli).json
    short = data["merged"][:12]
    shown = cli("show", data["run"]).out
    assert f"merged into main ({short})" in shown and f"main ({short})" in shown
    for text in (shown, cli("report", data["run"]).out, cli("report", data["run"], "--html").out):
        assert short in text and f"git merge {data['branch']}" not in text
    told = cli("show", data["run"], "--json").json
    assert (told["target"], told["merged"]) == ("main", data["merged"])
    assert cli("report", data["run"], "--json").json["next"]["command"] == ""


@pytest.mark.runs
def test_a_target_that_moved_is_merged_and_proven_again(cli: Cli):
    user = off_main(cli)
    configured(cli, elsewhere())
    data = merged(cli).json
    assert (data["state"], data["target"]) == ("done", "main"), data["decision"]["details"]
    commit = git(user, "rev-parse", "main")
    assert git(user, "log", "--format=%s", "--first-parent", "main").splitlines()[:2] == [
        "Merge: Fix the cart",
        "theirs",
    ]
    assert git(user, "rev-parse", "main^2") == data["commit"]
    assert git(user, "show", "main:cart.py") + "\n" == CART
    assert git(user, "show", "main:other.py") + "\n" == OTHER
    tree = git(user, "rev-parse", "main^{tree}")
    decided = [body for body in bodies(cli, data["run"]) if isinstance(body, run.Decided)][-1]
    assert decided.fingerprint == tree != git(user, "rev-parse", f"{data['branch']}^{{tree}}")
    proven = [
        b for b in bodies(cli, data["run"]) if isinstance(b, facts.CommandEnded) and tree in (b.before, *b.on)
    ]
    assert {body.exit for body in proven} == {0}
    record = note(user, commit)
    assert record["predicate"]["shipped"]["tree"] == git(user, "rev-parse", f"{data['branch']}^{{tree}}")
    assert cli("audit", "--record", data["record"], "--commit", "main").exit == 0
    assert cli("audit", data["run"]).exit == 0


@pytest.mark.runs
def test_a_conflict_is_handed_over_with_the_files_named(cli: Cli):
    user = off_main(cli)
    configured(cli, elsewhere("printf 'def total(prices):\\n    return 4\\n' > cart.py; git add cart.py"))
    data = handed_over(cli, merged(cli), "merge_conflict")
    assert "cart.py" in data["decision"]["summary"]
    assert data["next"] == f"git checkout {data['branch']} && git merge main && donewhen verify --base main"
    assert "donewhen resume" not in cli("report", data["run"]).out
    assert git(user, "log", "--format=%s", "main").splitlines()[0] == "theirs"


@pytest.mark.runs
def test_what_is_red_together_is_handed_over_with_the_command_named(cli: Cli):
    user = off_main(cli)
    text = "printf 'import unittest, cart\\nclass T(unittest.TestCase):\\n    def test_a(self):\\n        self.assertEqual(cart.total([1]), 2)\\n' > test_theirs.py; git add test_theirs.py"
    configured(cli, elsewhere(text))
    data = handed_over(cli, merged(cli), "merge_red")
    assert "python3 -m unittest" in data["decision"]["summary"]
    assert git(user, "log", "--format=%s", "main").splitlines()[0] == "theirs"


@pytest.mark.runs
def test_a_target_that_is_deleted_meanwhile_is_not_made_anew(cli: Cli):
    user = off_main(cli)
    configured(cli, "git branch -q -D main")
    handed_over(cli, merged(cli), "target_gone")
    assert "refs/heads/main" not in refs(user)


@pytest.mark.runs
def test_a_target_that_keeps_moving_is_given_up_after_some_tries(cli: Cli):
    user = off_main(cli)
    program(cli, "git-moves.sh", "exit 0")
    # each time that the merged commit is shown to the hook, somebody is quicker
    text = f"cd '{user}'\nexec >/dev/null\nn=$(git rev-list --count main)\ntree=$(git rev-parse main^{{tree}})\nc=$({COMMIT[:-10]} commit-tree -p main -m \"again $n\" $tree)\ngit update-ref refs/heads/main $c"
    hook = program(cli, "moves.sh", text)
    settings(cli, **OPEN, hooks={"commands": [{"name": "mine", "point": "before_commit", "command": [hook]}]})
    handed_over(cli, merged(cli), "target_moved")
    assert git(user, "log", "--format=%s", "main").splitlines()[0].startswith("again")


@pytest.mark.runs
def test_a_hook_may_stop_the_merge_commit_alone(cli: Cli):
    user = off_main(cli)
    text = once(cli, "first", f"cd '{cli.folder}'\nexec >/dev/null\n{elsewhere()}\nexit 0")
    hook = program(cli, "both.sh", f"{text}\necho 'not in a merge' >&2\nexit 2")
    settings(cli, **OPEN, hooks={"commands": [{"name": "mine", "point": "before_commit", "command": [hook]}]})
    data = handed_over(cli, merged(cli), "before_commit")
    assert "not in a merge" in data["decision"]["summary"]
    assert git(user, "log", "--format=%s", "main").splitlines()[0] == "theirs"
