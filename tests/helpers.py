"""What several tests need: the command as a user runs it, and small ledgers."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.events import facts, run
from donewhen.core.protocols import EventStore
from tests.warm import Warm

RUN = "r-20261115043750-0a1b2c"


COLD = os.environ.get("DONEWHEN_TESTS_COLD") == "1"  # every call with a new interpreter
# What a process decides when it starts: a call with one of these is a new interpreter too.
_AT_START = ("PYTHON", "COVERAGE_", "LC_", "DONEWHEN_LANGUAGE")


class Result(NamedTuple):
    exit: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    def __init__(self, folder: Path, *, gates: bool = True) -> None:
        self.folder = folder / "work"
        self.state = folder / "state"
        self.config = folder / "config"
        self.folder.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        coverage = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
        self.env = {
            **kept,
            **coverage,
            "LANG": "C.UTF-8",
            "DONEWHEN_STATE_DIR": str(self.state),
            "DONEWHEN_CACHE_DIR": str(folder / "cache"),
            "DONEWHEN_CONFIG_DIR": str(self.config),
        }
        if not gates:
            self.env["DONEWHEN_VERIFICATION__QUALITY__ENABLED"] = "false"

    def __call__(self, *words: str, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Result:
        """One call; its modules are loaded already where that can make no difference."""
        given = self.env | env
        if self._decides_at_start(given):
            return self.cold(*words, stdin=stdin, cwd=cwd, **env)
        code, out, err = warm().call(words, stdin, cwd or self.folder, given)
        return Result(code, out.decode(), err.decode())

    def cold(self, *words: str, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Result:
        """One call as a user makes it, with a new interpreter."""
        done = subprocess.run(
            [sys.executable, "-m", "donewhen", *words],
            input=stdin,
            capture_output=True,
            cwd=cwd or self.folder,
            env=self.env | env,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def _decides_at_start(self, env: dict[str, str]) -> bool:
        mine = self.config / "config.yml"
        return (
            COLD
            or env.get("LANG") != "C.UTF-8"
            or any(name.startswith(_AT_START) for name in env)
            or (mine.is_file() and b"language" in mine.read_bytes())
        )

    @property
    def db(self) -> Path:
        return self.state / "donewhen.db"


@cache
def warm() -> Warm:
    """One for this test process; it leaves when this process does."""
    return Warm()


def small_run(store: EventStore, run_id: str = RUN, goal: str = "fix the discount") -> None:
    """A run of eight events, from start to accepted."""
    store.append(
        run_id,
        run.RunStarted(goal, repo="/srv/shop", base="b" * 40, profile="fix_bug", budget_micros=2_000_000),
        run.PromiseSet("cp-1794717600000-0a1b", {"objective": goal}),
        run.StateChanged("idle", "executing"),
        facts.CommandEnded("4", "pytest", ("pytest",), exit=1, tail="1 failed", before="t1"),
        run.CostBooked("5", "llm", 250_000, 1000, 100, "example-model"),
        facts.CommandEnded("6", "pytest", ("pytest",), by="harness", exit=0, tail="1 passed", before="t2"),
        run.Decided("accepted", "accepted", fingerprint="t2"),
        run.StateChanged("validating", "done"),
    )
