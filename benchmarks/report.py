"""The report of a run with 10 000 events: from the command line to the last byte."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import Figure, at_most, interleaved
from donewhen.core.events import Body, facts, run
from donewhen.store import open_store

RUN = "r-20261115043750-0a1b2c"
HOW = (
    "a run of 10 000 events (1 100 turns with commands, edits and hooks, 40 refused attempts, outputs of 60 kB kept "
    "as artifacts); the whole command with a new interpreter, written to a file; medians of 5 rounds"
)
_EVENTS = 10_000
_LINE = "tests/test_price.py::test_discount[20-80] PASSED  [ 42%]\n"


def _turn(number: int) -> Iterator[Body]:
    key, tree, after = f"c{number}", f"{number:040x}", f"{number + 1:040x}"
    command = f"sed -n {number}p price.py" if number % 5 else "python3 -m pytest -q 2>&1 | tail -3"
    yield run.TurnStarted(number)
    yield facts.AgentStepped(number, calls=1)
    yield facts.ToolCalled(key, "run_command", {"command": command})
    yield facts.CommandStarted(key, command, before=tree)
    yield facts.CommandEnded(key, command, exit=0, tail=_LINE * 6, before=tree, after=after)
    yield facts.FileChanged(f"src/file{number % 50}.py", "edit")
    yield facts.HookCalled("log-operations", "after_tool", "passed")
    yield facts.ToolReturned(key, "run_command", True, _LINE * 6)
    yield facts.AgentTold("note", "1 of 12 tests failed")


def _attempt(number: int, output: str) -> Iterator[Body]:
    tree = f"{number:040x}"
    red = {"executed": 12, "passed": 11, "failed": 1}
    yield facts.CandidateKept("All tests pass now.", signal=True)
    yield facts.CommandEnded(
        "exam", "python3 -m pytest", by="harness", exit=1, output=output, counts=red, before=tree, after=tree
    )
    yield run.Decided(
        "continue", summary="1 proof is missing", fingerprint=tree, details=("pytest: 1 failed",)
    )


def _fill(state: Path) -> None:
    with open_store("user", state=state, folder=state) as opened:
        output = opened.artifacts.put((_LINE * 1000).encode())
        promise = {
            "objective": "fix it",
            "accept": ["python3 -m pytest"],
            "checks": [{"kind": "workspace_change"}],
        }
        bodies: list[Body] = [run.RunStarted("fix it", agent="scripted", budget_micros=10**7)]
        bodies += [run.PromiseSet("cp-1794717600000-0a1b", promise), run.StateChanged("idle", "executing")]
        number = 0
        while len(bodies) < _EVENTS:
            number += 1
            bodies += _turn(number)
            bodies += _attempt(number, output) if number % 27 == 0 else ()
        for start in range(0, _EVENTS, 500):
            opened.store.append(RUN, *bodies[start : start + 500])


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        _fill(state)
        env = {
            **os.environ,
            "DONEWHEN_STATE_DIR": str(state),
            "DONEWHEN_CONFIG_DIR": str(Path(folder) / "config"),
        }

        def report(form: str) -> None:
            words = ["report", RUN, f"--{form}", "--output", str(Path(folder) / f"out.{form}"), "-q"]
            subprocess.run([sys.executable, "-m", "donewhen", *words], env=env, cwd=folder, check=True)

        times = interleaved({form: partial(report, form) for form in ("html", "md", "json")}, 5)
        size = (Path(folder) / "out.html").stat().st_size
    return [
        *(at_most(f"report --{form} of 10 000 events", taken, "s", 1) for form, taken in times.items()),
        Figure("size of that page", size / 1000, "kB"),
    ]
