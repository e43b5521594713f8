"""Runs that are shipped into a target branch, for tests."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.helpers import Cli, Result
from tests.projects import CART, git
from tests.runs import CLAIM, FIX, QUICK, broken_cart, once, play, program, refs, settings

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


def handed_over(cli: Cli, done: Result, cause: str) -> dict[str, Any]:
    """Ended as specified: escalated, its branch kept, the target as somebody else left it."""
    data: dict[str, Any] = done.json
    decision = data["decision"]
    assert (done.exit, data["state"], decision["stop_reason"], decision["cause"]) == (
        4,
        "fail",
        "escalated",
        cause,
    )
    assert git(cli.folder, "show", f"{data['branch']}:cart.py") + "\n" == CART
    assert data["branch"] in decision["summary"]
    assert not [name for name in refs(cli.folder) if name.startswith("refs/donewhen/")]
    assert data["target"] is None and data["record"] is None
    assert data["metrics"]["attempts"] == 1
    assert not any("resume" in text for text in (data["next"], *data["warnings"]))
    shown = cli("show", data["run"], "--json").json
    typed = [" ".join(words) for words in shown["next"]]
    assert " && ".join(typed[: data["next"].count(" && ") + 1]) == data["next"]
    assert data["branch"] in data["next"]
    assert cli("report", data["run"], "--json").json["next"]["command"] == data["next"]
    return data
