"""Shared fixtures: a private home for every test, and the CLI as a user runs it."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.helpers import Cli

# The same examples every time and no clock: a slow machine must not fail a test.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")


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
