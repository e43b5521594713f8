"""Clients for tests: small programs that print what the real ones print, and do what a plan says."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.helpers import Cli, Result
from tests.projects import CART, TESTS
from tests.pythons import plain_python

FIX: Mapping[str, Any] = {"write": {"cart.py": CART}}
KEY = "sk-test-" + "k9Zq" * 8
_PROGRAM = """#!{python}
import json, os, pathlib, subprocess, sys, time
if sys.argv[-1] == "app-server":  # asked for the hooks it knows, it knows none
    sys.exit(0)
here = pathlib.Path({folder!r})
calls = here / "calls.jsonl"
with calls.open("a") as log:
    told = "" if sys.stdin.isatty() else sys.stdin.read()
    log.write(json.dumps({{"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "stdin": told}}) + "\\n")
number = len(calls.read_text().splitlines())
plan = json.loads((here / "plan.json").read_text())
act = plan[min(number, len(plan)) - 1]
for name, text in act.get("write", {{}}).items():
    pathlib.Path(name).write_text(text)
if "shell" in act:
    subprocess.run(["sh", "-c", act["shell"]], check=False)
if "stderr" in act:
    print(act["stderr"], file=sys.stderr)
print(act.get("print", ""))
sys.stdout.flush()
sys.exit(act.get("exit", 0))
"""


class Fake:
    """A program of a client's name on a search path of its own."""

    def __init__(self, cli: Cli, name: str) -> None:
        self.cli = cli
        self.folder = cli.folder.parent / "client"
        self.folder.mkdir(exist_ok=True)
        self.program = self.folder / name
        self.program.write_text(_PROGRAM.format(python=plain_python(), folder=str(self.folder)))
        self.program.chmod(0o755)

    def plan(self, *acts: Mapping[str, Any]) -> None:
        (self.folder / "plan.json").write_text(json.dumps(list(acts)))

    @property
    def path(self) -> str:
        return f"{self.folder}:{self.cli.env['PATH']}"

    @property
    def calls(self) -> list[dict[str, Any]]:
        file = self.folder / "calls.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def run(self, agent: str, *more: str, accept: Sequence[str] = (TESTS,), **env: str) -> Result:
        """`donewhen run` with this client doing the work."""
        wanted = [word for command in accept for word in ("--accept", command)]
        words = ("run", "Fix the cart", *wanted, "--agent", agent, "--json", *more)
        done = self.cli(*words, **{"PATH": self.path, **env})  # type: ignore[arg-type]
        assert done.exit != 70, done.err
        return done


def claude(text: str = "The cart adds up.", *, cost: float = 0.25, session: str = "s-1", **more: Any) -> str:
    """What Claude Code prints at its end, as far as it is read; cost and tokens are of the session so far."""
    whole = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": text,
        "session_id": session,
        "total_cost_usd": cost,
        "modelUsage": {"claude-x": {"inputTokens": 100, "outputTokens": 20}},
    }
    return json.dumps(whole | more)


def codex(text: str = "The cart adds up.", *, tokens: int = 100, session: str = "t-1") -> str:
    lines = (
        {"type": "thread.started", "thread_id": session},
        {"type": "item.completed", "item": {"type": "agent_message", "text": text}},
        {"type": "turn.completed", "usage": {"input_tokens": tokens, "output_tokens": 10}},
    )
    return "\n".join(map(json.dumps, lines))


def gemini(text: str = "The cart adds up.", *, session: str = "g-1") -> str:
    tokens = {"prompt": 90, "candidates": 8, "thoughts": 2}
    whole = {"session_id": session, "response": text, "stats": {"models": {"gemini-x": {"tokens": tokens}}}}
    return json.dumps(whole, indent=2)


def opencode(text: str = "The cart adds up.", *, session: str = "ses_1") -> str:
    tokens = {"input": 70, "output": 5, "reasoning": 1, "cache": {"read": 4, "write": 0}}
    lines = (
        {"type": "text", "sessionID": session, "part": {"text": text}},
        {"type": "step_finish", "sessionID": session, "part": {"cost": 0.01, "tokens": tokens}},
    )
    return "\n".join(map(json.dumps, lines))


def log_of(folder: Path) -> str:
    """Everything that a state folder holds, as text."""
    parts = (each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file())
    return b"\n".join(parts).decode(errors="replace")
