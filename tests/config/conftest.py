"""Fixtures of the config room."""

from pathlib import Path

import pytest

from tests.config.support import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)
