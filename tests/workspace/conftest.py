"""A place of its own for every test."""

from pathlib import Path

import pytest

from tests.workspace.places import Place


@pytest.fixture
def place(disk_path: Path) -> Place:
    return Place(disk_path)
