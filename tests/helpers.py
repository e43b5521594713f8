"""What several tests need: the command as a user runs it, and small ledgers."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.events import facts, run
from donewhen.core.protocols import EventStore

RUN = "r-20261115043750-0a1b2c"


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
        done = subprocess.run(
            [sys.executable, "-m", "donewhen", *words],
            input=stdin,
            capture_output=True,
            cwd=cwd or self.folder,
            env=self.env | env,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    @property
    def db(self) -> Path:
        return self.state / "donewhen.db"


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
