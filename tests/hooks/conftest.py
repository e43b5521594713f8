"""Where the tests of hooks take place."""

from pathlib import Path

import pytest

from tests.hooks.ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)
