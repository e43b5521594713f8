"""Runs for tests: a broken cart, a script that plays the agent, and what a run left behind."""

import json
import os
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from donewhen.core.events import Body, facts, run
from donewhen.store import open_store
from tests.helpers import Cli, Result
from tests.projects import BUG, TESTS, UNITTEST, git, repository

Step = Mapping[str, Any]

FIX: Step = {"edit": {"path": "cart.py", "old": "sum(prices) + 1", "new": "sum(prices)"}}
CLAIM: Step = {"done": "The cart adds up now."}
LOOK: Step = {"bash": TESTS}
BROKEN = UNITTEST | {"cart.py": BUG}
QUICK = ("--set", "evidence.base_exam=never")  # where the question is not whether tests are worth anything
_BIT_OF_OURS = (
    ".git/objects/",
    ".git/refs/donewhen",
    ".git/logs/refs/heads/donewhen",
    ".git/refs/heads/donewhen",
)


def broken_cart(cli: Cli, more: Mapping[str, str] | None = None) -> Path:
    return repository(cli.folder, BROKEN | dict(more or {}))


def script(cli: Cli, steps: Sequence[Step], after_last: str = "stop") -> str:
    """A script beside the repository; JSON is YAML."""
    path = cli.folder.parent / "script.yml"
    path.write_text(script_text(steps, after_last))
    return str(path)


def script_text(steps: Sequence[Step], after_last: str = "stop") -> str:
    return json.dumps({"steps": list(steps), "after_last": after_last})


def play(
    cli: Cli,
    *steps: Step,
    goal: str = "Fix the cart",
    accept: Sequence[str] = (TESTS,),
    more: Sequence[str] = (),
    after_last: str = "stop",
    form: str = "--json",
) -> Result:
    """`donewhen run` with an agent that plays these steps."""
    wanted = [word for command in accept for word in ("--accept", command)]
    shown = [form] if form else []
    done = cli("run", goal, *wanted, "--script", script(cli, steps, after_last), *shown, *more)
    assert done.exit != 70, done.err  # a bug of ours is never what a test expects
    return done


def bodies(cli: Cli, run_id: str) -> list[Body]:
    """The events of a run as the store has them."""
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        return [event.body for event in opened.store.read(run_id, 0)]


def told(cli: Cli, run_id: str) -> str:
    """Everything that the agent heard: results of tools and messages."""
    heard = []
    for body in bodies(cli, run_id):
        if isinstance(body, facts.AgentTold):
            heard.append(body.text)
        if isinstance(body, facts.ToolReturned):
            heard.append(body.output)
    return "\n".join(heard)


def attempts(cli: Cli, run_id: str) -> list[str]:
    """What the gate said, attempt by attempt."""
    return [body.status for body in bodies(cli, run_id) if isinstance(body, run.Decided)]


def refs(folder: Path) -> dict[str, str]:
    lines = git(folder, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def own_refs(folder: Path) -> dict[str, str]:
    """References that are not of a run."""
    return {name: value for name, value in refs(folder).items() if "donewhen" not in name}


def untouched(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """What of the user's is not as it was; objects and references of ours may come."""
    names = {*before, *after}
    changed = sorted(name for name in names if before.get(name) != after.get(name))
    return [name for name in changed if not name.startswith(_BIT_OF_OURS)]


def settings(cli: Cli, **sections: Any) -> None:
    """The user's own configuration."""
    cli.config.mkdir(exist_ok=True)
    (cli.config / "config.yml").write_text(json.dumps(sections))


def program(cli: Cli, name: str, text: str) -> str:
    """A shell program beside the repository, which no agent can reach."""
    path = cli.folder.parent / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def hook(cli: Cli, point: str, text: str, **more: Any) -> None:
    """A hook of the user's that runs this shell text."""
    command = {"name": "mine", "point": point, "command": [program(cli, "hook.sh", text)], **more}
    settings(cli, hooks={"commands": [command]})


def once(cli: Cli, name: str, text: str) -> str:
    """Shell text that is run the first time only."""
    marker = shlex.quote(str(cli.folder.parent / name))
    return f"if mkdir {marker} 2>/dev/null; then\n{text}\nfi"


def donewhen(cli: Cli, *words: str) -> str:
    """The command line of another call with the same state, for a shell."""
    kept = {name: value for name, value in cli.env.items() if name.startswith("DONEWHEN_")}
    assignments = [f"{name}={shlex.quote(value)}" for name, value in kept.items()]
    called = [sys.executable, "-m", "donewhen", *words]
    source = f"PYTHONPATH={shlex.quote(os.environ['PYTHONPATH'])}" if os.environ.get("PYTHONPATH") else ""
    return " ".join(["env", source, *assignments, *map(shlex.quote, called)])
