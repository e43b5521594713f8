"""A place of its own for every test; not below /tmp, which weaker walls share with the machine."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.places import Place


@pytest.fixture
def place() -> Iterator[Place]:
    base = Path(tempfile.mkdtemp(prefix="donewhen-test-", dir="/var/tmp"))
    yield Place(base)
    shutil.rmtree(base)
