"""Shared fixtures: a private home for every test, and the CLI as a user runs it."""

import os
import signal
from pathlib import Path

import pytest

from tests import examples
from tests.helpers import Cli
from tests.pythons import lean_python

examples.register()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as children of a job in the background would
    signal.signal(signal.SIGINT, signal.default_int_handler)

if (lean := lean_python()) is not None:
    os.environ["PATH"] = f"{lean}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture
def cli(tmp_path: Path, request: pytest.FixtureRequest) -> Cli:
    """The installed command, with state, configuration and working folder of its own.

    A module whose `GATES` is False is about something else than quality gates and does without them.
    """
    return Cli(tmp_path, gates=getattr(request.module, "GATES", True))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the fault tests did, in numbers: they report it as user properties."""
    counts: dict[str, int] = {}
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            counts[name] = counts.get(name, 0) + int(str(value))
    if counts:
        terminalreporter.write_line(", ".join(f"{name}: {value}" for name, value in sorted(counts.items())))
