"""A project of its own for every exam; not below /tmp, which weaker walls share with the machine."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verify.exams import Exams


@pytest.fixture(scope="module")
def kept() -> Iterator[Path]:
    """Links to compiled packages: thousands, so they are made once."""
    with tempfile.TemporaryDirectory(prefix="donewhen-test-", dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def exams(kept: Path) -> Iterator[Exams]:
    made = Exams(Path(tempfile.mkdtemp(prefix="donewhen-test-", dir="/var/tmp")), kept)
    yield made
    made.close()
