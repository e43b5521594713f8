"""`ship.mode: merge`: the accepted commit goes into the target branch, or is handed over with its branch kept."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from donewhen.core.events import facts, run
from tests.helpers import Cli, Result
from tests.projects import BUG, CART, git
from tests.runs import CLAIM, FIX, QUICK, bodies, broken_cart, once, play, program, refs, settings

GATES = False
MERGE = ("--ship", "merge", *QUICK)
OPEN: Mapping[str, Any] = {"ship": {"to_protected": True}}
COMMIT = "git -c user.name=a -c user.email=a@example.org commit -q"
OTHER = "VALUE = 1\n"


def configured(cli: Cli, text: str = "", point: str = "before_accept", **more: Any) -> None:
    """The user's configuration, and shell text that is run once in the user's repository during the run."""
    sections: dict[str, Any] = {**OPEN, **more}
    if text:
        hook = program(cli, "meanwhile.sh", once(cli, "had", f"cd '{cli.folder}'\nexec >/dev/null\n{text}"))
        sections["hooks"] = {"commands": [{"name": "mine", "point": point, "command": [hook]}]}
    settings(cli, **sections)


def merged(
    cli: Cli, *more: str, steps: tuple[Mapping[str, Any], ...] = (FIX, CLAIM), goal: str = "Fix the cart"
) -> Result:
    return play(cli, *steps, more=(*MERGE, *more), goal=goal)


def elsewhere(text: str = "printf 'VALUE = 1\\n' > other.py; git add other.py") -> str:
    """Somebody works on main in a working tree of their own, which is gone again afterwards."""
    return f"git worktree add -q ../elsewhere main -f; cd ../elsewhere; {text}; {COMMIT} -m theirs; cd -; git worktree remove -f ../elsewhere"


def off_main(cli: Cli) -> Path:
    """A broken cart whose user is on another branch at the same commit."""
    user = broken_cart(cli)
    git(user, "switch", "-q", "-c", "mine")
    return user


def note(user: Path, commit: str) -> Any:
    return json.loads(git(user, "notes", "--ref=donewhen", "show", commit))


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
    assert [body.exit for body in proven] == [0]
    record = note(user, commit)
    assert record["predicate"]["shipped"]["tree"] == git(user, "rev-parse", f"{data['branch']}^{{tree}}")
    assert cli("audit", "--record", data["record"], "--commit", "main").exit == 0
    assert cli("audit", data["run"]).exit == 0
