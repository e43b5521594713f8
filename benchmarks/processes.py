"""Processes: what running `true` costs in the runner, without walls and behind each that is here."""

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Figure, at_most, interleaved
from donewhen.workspace.processes.command import Command
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import probe

HOW = (
    "`true` as a program without a shell, from start to result, output file and, where said, control groups included; "
    "medians of 60 interleaved rounds against `subprocess.run`; walls with network none, those that this machine has; "
    "the first command of an event loop starts the server of ready supervisors"
)
ROUNDS = 60
BARE = "runner, not confined, no groups"
MOST_OVER = 2.0  # milliseconds


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        loop = asyncio.new_event_loop()
        cases = _cases(Path(folder), loop)
        for case in cases.values():
            case()
        times = {name: seconds * 1000 for name, seconds in interleaved(cases, ROUNDS).items()}
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
    floor = times["subprocess"]
    found = [
        Figure(f"`true`: {name}", taken, "ms", ratio=f"{taken / floor:.1f} × subprocess")
        for name, taken in times.items()
    ]
    over = times[BARE] - floor
    return [*found, at_most("`true`: not confined, no groups, over subprocess", over, "ms", MOST_OVER)]


def _cases(base: Path, loop: asyncio.AbstractEventLoop) -> dict[str, Callable[[], object]]:
    workspace, home = base / "workspace", base / "home"
    workspace.mkdir()
    (home / ".ssh").mkdir(parents=True)
    env = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
    wish = confine(workspace, base / "scratch", env, network="none")
    here = probe()
    plans = {
        BARE: Plan(),
        "runner, not confined": Plan(groups=here.groups),
        "runner, bubblewrap": plan(wish, here),
        "runner, Landlock": plan(wish, here._replace(bubblewrap="", bubblewrap_network=False)),
    }
    walls = {"runner, bubblewrap": "bubblewrap", "runner, Landlock": "landlock"}
    cases: dict[str, Callable[[], object]] = {
        "subprocess": lambda: subprocess.run(["true"], cwd=workspace, capture_output=True, check=True)
    }
    for name, chosen in plans.items():
        if walls.get(name, "none") == chosen.mechanism:
            command = Command(workspace, base / "outputs", ("true",), env=env, plan=chosen)
            cases[name] = _runner(loop, command)
    first = Command(workspace, base / "outputs", ("true",), env=env)
    cases["runner, the first command of an event loop"] = lambda: asyncio.run(run(first))
    cases["choosing walls: look at the file system and plan"] = lambda: plan(
        confine(workspace, base / "scratch", dict(os.environ), network="none"), here
    )
    return cases


def _runner(loop: asyncio.AbstractEventLoop, command: Command) -> Callable[[], object]:
    def once() -> None:
        if loop.run_until_complete(run(command)).exit != 0:
            raise RuntimeError(command.plan.mechanism)

    return once
