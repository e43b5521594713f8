"""`kill -9` while accepted work goes into the target: it is merged once, and the files are what it has."""

from pathlib import Path

import pytest

from tests.faults.plays import BY_NAME
from tests.faults.scenes import Scene


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("merged forward", "merge pinned"),
        ("merged forward", "target moved"),
        ("merged with what others did", "target moved"),
        ("merged with what others did", "files followed"),
        ("merged in place", "target moved"),
    ],
)
@pytest.mark.runs
def test_a_killed_merge_is_finished_once(tmp_path: Path, name: str, point: str):
    scene = Scene(tmp_path, BY_NAME[name])
    killed = scene.stage.call(*scene.stage.run_words, DONEWHEN_TEST_CRASH=point)
    assert killed.exit == -9, killed.said
    assert scene.same(scene.resumed())
