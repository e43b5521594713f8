"""Taking up a run of 10 000 events, and how soon a live run hears what another process wants of it."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Figure, at_most
from benchmarks.turns import _env, _repository

HOW = (
    "a real run of some 10 000 events (reading turns), killed with SIGKILL; from the start of `donewhen resume` with a "
    "new interpreter until the event `resumed` is committed and the agent's next turn begins; medians of 5 kills. "
    "Control: from the start of `donewhen abort` or `amend` in a second process until the live run, whose command "
    "sleeps, has written what follows; medians of 5"
)
_TURNS = 1400
_EVENTS = 10_000
_REPEATS = 5
_LIMITS = ("--set", "loop.max_turns=9000", "--set", "loop.max_tool_calls=9000", "--set", "sandbox.mode=off")


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        base = Path(folder)
        root = _repository(base / "repo")
        taken, begun, events = _resumes(base, root)
        heard = [_heard(base, root, "abort", "decided") for _ in range(_REPEATS)]
        amended = [_heard(base, root, "amend", "promise_amended") for _ in range(_REPEATS)]
    return [
        at_most(
            f"resume of {events:,} events: taken up", taken, "s", 1.0, "the event `resumed` is committed"
        ),
        Figure("the same: the next turn begins", begun, "s", ratio="workspace and environment are looked at"),
        at_most("abort heard by a live run", statistics.median(heard), "s", 1.0),
        at_most("amend heard by a live run", statistics.median(amended), "s", 1.0),
    ]


def _script(base: Path, steps: list[dict[str, str]]) -> str:
    path = base / "script.yml"
    path.write_text(json.dumps({"steps": steps}))
    return str(path)


def _donewhen(base: Path, root: Path, *words: str, **env: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words],
        cwd=root,
        env={**_env(base), **env, "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _until(process: "subprocess.Popen[str]", kind: str) -> float:
    """When an event of this kind was printed."""
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["type"] == kind:
            return time.perf_counter()
    raise RuntimeError(f"no {kind}")


def _resumes(base: Path, root: Path) -> tuple[float, float, int]:
    steps = [{"bash": f"cat f7.txt # {number}"} for number in range(_TURNS)] + [{"bash": "sleep 600"}] * 50
    script = _script(base, steps)
    words = ("run", "measure", "--accept", "true", "--script", script, "--events", "--yes", *_LIMITS)
    process = _donewhen(base, root, *words)
    _sleeps(process)
    process.kill()
    process.wait()
    taken, begun = [], []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        process = _donewhen(base, root, "resume", "last", "--events")
        taken.append(_until(process, "resumed") - start)
        begun.append(_until(process, "turn_started") - start)
        _sleeps(process)
        process.kill()
        process.wait()
    shown = _donewhen(base, root, "show", "last", "--json")
    events = json.loads(shown.communicate()[0])["events"]
    _donewhen(base, root, "abort", "last").communicate()
    return statistics.median(taken), statistics.median(begun), events


def _sleeps(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if '"command_started"' in line and "sleep 600" in line:
            return
    raise RuntimeError("it never slept")


def _heard(base: Path, root: Path, command: str, kind: str) -> float:
    script = _script(base, [{"bash": "sleep 600"}])
    words = ("run", "measure", "--accept", "true", "--script", script, "--events", "--yes", *_LIMITS)
    live = _donewhen(base, root, *words)
    _sleeps(live)
    more = ("--permit", "docs/**", "--yes") if command == "amend" else ()
    start = time.perf_counter()
    other = _donewhen(base, root, command, "last", *more)
    taken = _until(live, kind) - start
    other.communicate()
    live.kill()
    live.communicate()
    _donewhen(base, root, "abort", "last").communicate()
    return taken
