"""A project of its own for every exam."""

from pathlib import Path

import pytest

from tests.verify.exams import Exams


@pytest.fixture
def exams(disk_path: Path) -> Exams:
    return Exams(disk_path)
