"""Seeing runs: a list of 10 000, figures over them, and one run of 10 000 events."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Figure, at_most, interleaved
from donewhen.core.events import Body, facts, run
from donewhen.core.protocols import Query
from donewhen.core.stats_rows import of_rows, within
from donewhen.core.summary import Wanted
from donewhen.store.sqlite import SqliteStore
from donewhen.ui.commands.runs import Selection
from donewhen.ui.commands.stats import MOST_EVENTS, read_ledgers

LONG = "r-20261115043750-0a1b2c"
RUNS = 10_000
EVENTS = 10_000
HOW = (
    f"one store with {RUNS:,} runs of 5 events and one with a run of {EVENTS:,}; commands as a user calls them, "
    "with a new interpreter each; medians of 5 rounds"
)


def _turn(number: int) -> tuple[Body, ...]:
    line = "tests/test_price.py::test_discount[20-80] PASSED  [ 42%]\n"
    key = f"c{number}"
    return (
        run.TurnStarted(number),
        facts.AgentStepped(number, calls=1),
        facts.ToolCalled(key, "run_command", {"command": "pytest -q"}),
        facts.CommandStarted(key, "pytest -q"),
        facts.CommandEnded(key, "pytest -q", exit=0, tail=line * 13, duration_ms=40),
        facts.FileChanged(f"src/file{number % 300}.py", "write"),
        facts.HookCalled("log-operations", "after_tool", "passed"),
        facts.ToolReturned(key, "run_command", True, line * 13),
        run.CostBooked(key, "llm", 1000, 100, 10, "model"),
        run.Noted("seen", "debug"),
    )


def _short_run(number: int) -> tuple[Body, ...]:
    accepted = number % 3 > 0
    return (
        run.RunStarted(f"goal {number}", repo=f"/srv/{number % 50}", agent="scripted", budget_micros=10**6),
        facts.CommandEnded("c", "pytest -q", exit=0, duration_ms=100),
        run.CostBooked("k", "llm", 1000, 100, 10, "model"),
        run.Decided("accepted", "accepted") if accepted else run.Decided("stopped", "repeat_cycle", "loop"),
        run.StateChanged("validating", "done" if accepted else "fail"),
    )


def _fill(long: SqliteStore, many: SqliteStore) -> None:
    long.append(LONG, run.RunStarted("a long run", agent="scripted"), run.StateChanged("idle", "executing"))
    for number in range(1, EVENTS // 10 + 1):
        long.post(LONG, *_turn(number))
    long.append(LONG, run.Noted("full"))
    for number in range(RUNS):
        many.post(f"r-20261115{number:06}-0a1b2c", *_short_run(number))
    many.append(f"r-20261116{0:06}-0a1b2c", run.RunStarted("the last one"))


def _called(state: Path, *words: str) -> None:
    env = {**os.environ, "DONEWHEN_STATE_DIR": str(state), "DONEWHEN_CONFIG_DIR": str(state / "config")}
    command = [sys.executable, "-m", "donewhen", *words]
    subprocess.run(command, env=env, cwd=state, stdout=subprocess.DEVNULL, check=True, timeout=600)


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        long, many = Path(folder) / "long", Path(folder) / "many"
        with _store(long) as one, _store(many) as all_runs:
            _fill(one, all_runs)
            queries = _queries(all_runs)
        taken = interleaved(
            {
                "nothing": lambda: _called(long, "--version"),
                "show": lambda: _called(long, "show", LONG),
                "logs": lambda: _called(long, "logs", LONG, "--tail", "20"),
                "list": lambda: _called(many, "list"),
                "stats": lambda: _called(many, "stats"),
            },
            5,
        )
    floor = taken["nothing"]
    return [
        *queries,
        *(
            at_most(f"`{name}`, {of}", taken[name], "s", limit, f"{taken[name] / floor:.1f} × `--version`")
            for name, of, limit in (
                ("show", f"{EVENTS:,} events", 1.0),
                ("logs", f"the last 20 of {EVENTS:,} events", 1.0),
                ("list", f"the newest 50 of {RUNS:,} runs", 1.0),
                ("stats", f"{RUNS:,} runs", 3.0),
            )
        ),
    ]


def _store(state: Path) -> SqliteStore:
    state.mkdir()
    return SqliteStore(state / "donewhen.db", heads=state / "heads")


def _queries(store: SqliteStore) -> list[Figure]:
    by_goal = Selection(Query(), Wanted(goal="goal 99", agent="scripted"), waiting=False)
    rows = store.runs()
    taken = interleaved(
        {
            "goal": lambda: by_goal.rows(store, 50),
            "rows": lambda: of_rows(rows),
            "ledgers": lambda: read_ledgers(store, within(rows, MOST_EVENTS)),
        },
        5,
    )
    return [
        at_most(f"query of {RUNS:,} runs by goal and agent", taken["goal"] * 1000, "ms", 50),
        Figure(f"figures of {RUNS:,} rows", taken["rows"] * 1000, "ms"),
        Figure(f"ledgers of at most {MOST_EVENTS:,} events", taken["ledgers"], "s"),
    ]
