"""Shared fixtures: a private home for every test, and the CLI as a user runs it."""

from pathlib import Path

import pytest

from tests.helpers import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The installed command, with state, configuration and working folder of its own."""
    return Cli(tmp_path)
