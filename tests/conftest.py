"""Shared fixtures: the CLI as a user runs it, in folders and with a home of the tests' own; what the end tells."""

import os
import shutil
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import examples
from tests.folders import fast_root, own_home, walled_folder
from tests.helpers import Cli
from tests.pythons import lean_python

BEGAN = time.monotonic()
LONG = 240  # seconds of wall time that no group should take

examples.register()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as children of a job in the background would
    signal.signal(signal.SIGINT, signal.default_int_handler)

if "PYTEST_XDIST_WORKER" not in os.environ:  # workers have it from the process that starts them
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(fast_root()))  # where pytest makes every `tmp_path`
    own_home()

if (lean := lean_python()) is not None:
    os.environ["PATH"] = f"{lean}{os.pathsep}{os.environ['PATH']}"


def pytest_xdist_auto_num_workers() -> int:
    """Twice as many as there are cores: tests wait for processes half of their time."""
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) * 2


@pytest.fixture
def disk_path() -> Iterator[Path]:
    """A folder on disk: for what a place in memory would change, such as walls that leave it open."""
    folder = walled_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def cli(tmp_path: Path, request: pytest.FixtureRequest) -> Cli:
    """The installed command, with state, configuration and working folder of its own.

    A module whose `GATES` is False is about something else than quality gates and does without them.
    """
    return Cli(tmp_path, gates=getattr(request.module, "GATES", True))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What was left out and why, what the fault tests counted, and where time went if there was too much of it."""
    skipped = Counter(_reason(report) for report in terminalreporter.getreports("skipped"))
    for reason, count in skipped.most_common():
        terminalreporter.write_line(f"{count} skipped: {reason}")
    counts: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            counts[name] += int(str(value))
    if counts:
        terminalreporter.write_line(", ".join(f"{name}: {value}" for name, value in sorted(counts.items())))
    took = time.monotonic() - BEGAN
    if took > LONG and not hasattr(config, "workerinput"):
        terminalreporter.write_line(f"This took {took:.0f} s, over the {LONG} s it should. Where time went:")
        for name, seconds in _slowest(terminalreporter):
            terminalreporter.write_line(f"  {seconds:6.1f} s  {name}")


def _reason(report: pytest.TestReport) -> str:
    where = report.longrepr
    return (where[2] if isinstance(where, tuple) else str(where)).removeprefix("Skipped: ")


def _slowest(terminalreporter: pytest.TerminalReporter) -> list[tuple[str, float]]:
    """Test modules by the time of their tests, the longest first."""
    seconds: dict[str, float] = defaultdict(float)
    for kind in ("passed", "failed", "skipped"):
        for report in terminalreporter.getreports(kind):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    return sorted(seconds.items(), key=lambda each: -each[1])[:15]
