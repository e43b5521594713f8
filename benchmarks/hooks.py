"""Hooks of other agents: whole processes as a client starts them, and what they load.

`python benchmarks/hooks.py` prints the modules as well, since every one of them is time that a tool waits.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.measure import Figure, at_most
from donewhen.core.events import run
from donewhen.integrations.hook.compiled import header
from donewhen.integrations.hook.places import session_folder
from donewhen.store.sqlite import SqliteStore

HOW = "whole processes, JSON on stdin, answer on stdout; medians and 90 % of 25 interleaved rounds"
LIMIT = 120
ROUNDS = 25
FORBIDDEN = (
    "pydantic", "yaml", "asyncio", "click", "donewhen.run", "donewhen.config", "donewhen.workspace", "donewhen.ui",
    "donewhen.intake", "donewhen.verify", "donewhen.integrations.sessions",
)  # fmt: skip
LIGHT = (
    "donewhen.config",
    "donewhen.config.files",
    "donewhen.config.places",
)  # of the store, nothing behind them
RUN = "r-20261115043750-0a1b2c"


class Client:
    """A session of Claude that has begun in a repository, and its events."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state = folder / "repo", folder / "state"
        (self.folder / ".git").mkdir(parents=True)
        self.env = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DONEWHEN_"))
        }
        self.env |= {"DONEWHEN_STATE_DIR": str(self.state), "HOME": str(folder)}
        store = self.state / "donewhen.db"
        with SqliteStore(store, heads=self.state / "heads") as opened:
            opened.append(RUN, run.RunStarted("", agent="claude"), run.StateChanged("idle", "executing"))
        session = Path(session_folder(str(self.state), "claude", "s-1"))
        session.mkdir(parents=True)
        facts = {"version": 1, "run": RUN, "root": str(self.folder), "store": str(store), "language": "en"}
        guard: dict[str, Any] = {
            "protected": ["main"],
            "secret_patterns": [],
            "danger_patterns": [],
            "own": [],
        }
        config = header((), self.env) | {
            "guard": guard | {"rules": []},
            "bounds": {},
            "secret_names": [],
            "language": "en",
            "store": str(store),
            "heads": str(self.state / "heads"),
        }
        (session / "session.json").write_text(json.dumps(facts))
        (session / "config.json").write_text(json.dumps(config))

    def payload(self, event: str, command: str, session: str = "s-1") -> bytes:
        tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_01"}
        told = {"session_id": session, "cwd": str(self.folder), "hook_event_name": event, **tool}
        return json.dumps(told | {"tool_response": {"stdout": "x\n" * 200, "stderr": ""}}).encode()

    def call(self, data: bytes, *options: str) -> "subprocess.CompletedProcess[bytes]":
        words = [sys.executable, *options, "-m", "donewhen", "hook", "claude"]
        done = subprocess.run(
            words, input=data, env=self.env, cwd=self.folder, capture_output=True, check=True
        )
        if done.stdout != b"{}\n":
            raise SystemExit(f"the hook said {done.stdout!r}: {done.stderr!r}")
        return done

    def loaded(self, data: bytes) -> list[str]:
        lines = self.call(data, "-X", "importtime").stderr.decode().splitlines()
        return [line.rpartition("|")[2].strip() for line in lines[1:] if line.startswith("import time:")]


def cases(client: Client) -> dict[str, bytes]:
    return {
        "before a tool, plain words": client.payload("PreToolUse", "git status --short"),
        "before a tool, the shell parser": client.payload("PreToolUse", "for f in *.py; do wc -l $f; done"),
        "after a tool": client.payload("PostToolUse", "make test"),
        "folder that nobody armed": client.payload("PreToolUse", "make test", "another"),
    }


def heavy(modules: list[str]) -> list[str]:
    """Modules that have no place on this way."""
    found = [name for name in modules if any(f"{name}.".startswith(f"{one}.") for one in FORBIDDEN)]
    return [name for name in found if name not in LIGHT]


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        client = Client(Path(folder))
        sent = cases(client)
        modules = {name: client.loaded(data) for name, data in sent.items()}
        for name, found in modules.items():
            if heavy(found):
                raise SystemExit(f"{name} loads {', '.join(heavy(found))}")
        taken: dict[str, list[float]] = {name: [] for name in sent}
        for _ in range(ROUNDS):
            for name, data in sent.items():
                start = time.perf_counter()
                client.call(data)
                taken[name].append((time.perf_counter() - start) * 1000)
    return [_figure(name, times, len(modules[name])) for name, times in taken.items()]


def _figure(name: str, times: list[float], modules: int) -> Figure:
    most = statistics.quantiles(times, n=10)[-1]
    return at_most(name, statistics.median(times), "ms", LIMIT, f"90 %: {most:.0f} ms; {modules} modules")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        client = Client(Path(folder))
        for name, data in cases(client).items():
            print(f"{name}: {' '.join(client.loaded(data))}\n")
    for figure in figures():
        print(f"{figure.name}: {figure.value:.0f} {figure.unit} ({figure.ratio}), target {figure.target}")


if __name__ == "__main__":
    main()
