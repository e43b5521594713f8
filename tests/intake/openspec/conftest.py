"""Fixtures of the OpenSpec tests."""

from pathlib import Path

import pytest

from tests.intake.openspec.support import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "shop")
