"""A bench for every test."""

from pathlib import Path

import pytest

from tests.tools.files.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
