"""Hooks of other agents: whole processes as a client starts them, in sessions that the hook began itself.

`python benchmarks/hooks.py` prints the modules of each process as well, since every one of them is time that
a client waits.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.measure import Figure, at_most

HOW = (
    "whole processes, Claude's JSON on stdin, answer on stdout, in repositories of 1,000 and 10,000 files; "
    "medians of interleaved rounds, each beside `python3 -c pass` and `git status` of the same round"
)
ROUNDS = int(os.environ.get("ROUNDS", "15"))
SIZES = (1_000, 10_000)
FORBIDDEN = (
    "pydantic", "yaml", "asyncio", "click", "donewhen.run", "donewhen.config", "donewhen.ui", "donewhen.intake",
    "donewhen.verify", "donewhen.integrations.sessions",
)  # fmt: skip
LIGHT = (
    "donewhen.config",
    "donewhen.config.files",
    "donewhen.config.places",
)  # of the store, nothing behind them
BARE, STATUS = "python3 -c pass", "git status"
QUIET = "folder that nobody armed"


class Row(NamedTuple):
    name: str
    event: str
    limits: tuple[float, float]  # milliseconds at 1,000 and at 10,000 files
    command: str = "git status --short"
    fresh: bool = False  # a session of its own for each call
    worker: bool = False  # a second process does the work, which may load more


ROWS = (
    Row("session start", "SessionStart", (300, 300), fresh=True, worker=True),
    Row("prompt", "UserPromptSubmit", (150, 150), worker=True),
    Row("before a tool, plain words", "PreToolUse", (60, 100)),
    Row("before a tool, the shell parser", "PreToolUse", (60, 100), "for f in *.py; do wc -l $f; done"),
    Row("after a tool", "PostToolUse", (60, 100), "make test"),
    Row("stop without a change", "Stop", (300, 300), worker=True),
)


class Taken(NamedTuple):
    wall: float
    cpu: float


class Client:
    """Claude in a repository of `size` files, armed by its user."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.state, self.size = folder / "repo", folder / "state", size
        self.env = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DONEWHEN_"))
        }
        self.env |= {"DONEWHEN_STATE_DIR": str(self.state), "HOME": str(folder)}
        self._sessions = 0
        files = {
            f"src/p{number % 50}/m{number}.py": f"def f{number}(): return {number}\n"
            for number in range(size - 3)
        }
        files |= {"pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n"}
        files |= {"tests/test_shop.py": "def test_shop(): pass\n", ".donewhen/config.yml": ""}
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        user = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*user, "commit", "-qm", "start")):
            subprocess.run(["git", *words], cwd=self.folder, env=self.env, check=True)
        self.call(self.payload(ROWS[0], "s-1"))

    def payload(self, row: Row, session: str = "s-1") -> bytes:
        tool = {"tool_name": "Bash", "tool_input": {"command": row.command}, "tool_use_id": "toolu_01"}
        told: dict[str, Any] = {
            "session_id": session,
            "transcript_path": str(self.folder.parent / "t.jsonl"),
            "cwd": str(self.folder),
            "hook_event_name": row.event,
            "permission_mode": "default",
        }
        more: dict[str, dict[str, Any]] = {
            "SessionStart": {"source": "startup"},
            "UserPromptSubmit": {
                "prompt": "Where is the price of a cart worked out? Make it faster, please."
            },
            "PreToolUse": tool,
            "PostToolUse": {**tool, "tool_response": {"stdout": "x\n" * 200, "stderr": ""}},
            "Stop": {"stop_hook_active": False, "last_assistant_message": "It is in cart.py."},
        }
        return json.dumps(told | more[row.event]).encode()

    def next(self, row: Row) -> bytes:
        if not row.fresh:
            return self.payload(row)
        self._sessions += 1
        return self.payload(row, f"f-{self._sessions}")

    def call(
        self, data: bytes, *options: str, folder: Path | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        words = [sys.executable, *options, "-m", "donewhen", "hook", "claude"]
        done = subprocess.run(
            words, input=data, env=self.env, cwd=folder or self.folder, capture_output=True, check=True
        )
        if b'"block"' in done.stdout or b'"deny"' in done.stdout or done.stderr.startswith(b"donewhen"):
            raise SystemExit(f"the hook said {done.stdout!r}: {done.stderr!r}")
        return done

    def status(self) -> None:
        words = ["git", "status", "--short"]
        subprocess.run(words, cwd=self.folder, env=self.env, capture_output=True, check=True)

    def loaded(self, row: Row) -> list[str]:
        lines = self.call(self.next(row), "-X", "importtime").stderr.decode().splitlines()
        return [line.rpartition("|")[2].strip() for line in lines[1:] if line.startswith("import time:")]


def heavy(modules: list[str]) -> list[str]:
    """Modules that have no place on this way."""
    found = [name for name in modules if any(f"{name}.".startswith(f"{one}.") for one in FORBIDDEN)]
    return [name for name in found if name not in LIGHT]


def taken(work: Any) -> Taken:
    """Wall time, and what the process and all its children computed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    work()
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall * 1000, cpu * 1000)


def measured(size: int, rounds: int) -> dict[str, list[Taken]]:
    with tempfile.TemporaryDirectory() as name:
        client, bare = Client(Path(name), size), Path(name) / "unarmed"
        bare.mkdir()
        for row in ROWS:
            if heavy(client.loaded(row)):
                raise SystemExit(f"{row.name} loads {', '.join(heavy(client.loaded(row)))}")
        quiet = client.payload(ROWS[2], "another").replace(str(client.folder).encode(), str(bare).encode())
        found: dict[str, list[Taken]] = {}

        def take(key: str, work: Any) -> None:
            found.setdefault(key, []).append(taken(work))

        for _ in range(rounds):
            take(BARE, lambda: subprocess.run([sys.executable, "-c", "pass"], env=client.env, check=True))
            take(
                STATUS,
                client.status,
            )
            take(QUIET, lambda: client.call(quiet, folder=bare))
            for row in ROWS:
                data = client.next(row)
                take(row.name, lambda data=data: client.call(data))
        return found


def figures(rounds: int = ROUNDS) -> list[Figure]:
    found: list[Figure] = []
    for number, size in enumerate(SIZES):
        times = measured(size, rounds)
        limits = {QUIET: 25.0} | {row.name: row.limits[number] for row in ROWS}
        for name, limit in limits.items():
            found.append(_figure(f"{name}, {size:,} files", times, name, limit))
    return found


def _figure(shown: str, times: dict[str, list[Taken]], name: str, limit: float) -> Figure:
    def middle(key: str, part: int) -> float:
        return statistics.median(one[part] for one in times[key])

    wall, cpu = middle(name, 0), middle(name, 1)
    least = min(one.cpu for one in times[name])
    ratio = (
        f"{wall / middle(BARE, 0):.1f} × `python3 -c pass` ({middle(BARE, 0):.0f} ms), "
        f"{wall / middle(STATUS, 0):.1f} × `git status` ({middle(STATUS, 0):.0f} ms); "
        f"{cpu:.0f} ms computed, at least {least:.0f}"
    )
    return at_most(shown, wall, "ms", limit, ratio)


def main() -> None:
    if "--modules" in sys.argv:
        with tempfile.TemporaryDirectory() as name:
            client = Client(Path(name), 10)
            for row in ROWS:
                print(f"{row.name}: {' '.join(client.loaded(row))}\n")
        return
    for figure in figures():
        print(f"{figure.name}: {figure.value:.0f} {figure.unit} ({figure.ratio}), target {figure.target}")


if __name__ == "__main__":
    main()
