"""What a disk can do is found out, and nobody who works in the repository can pretend otherwise."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.workspace.git_ground import Ground

SETTINGS = 'filemode = "true"', 'ignorecase = "false"'


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    made = Ground(tmp_path)
    if (made.root / "readme.MD").exists():
        pytest.skip("this disk ignores case")
    return made


def make_executable(git: Path) -> None:
    for path in git.rglob("*"):
        path.chmod(0o755)


PLANTED: dict[str, Callable[[Path], object]] = {
    "another file": lambda git: (git / "hEaD").write_text("x"),
    "a hard link": lambda git: os.link(git / "HEAD", git / "hEaD"),
    "a link": lambda git: (git / "hEaD").symlink_to("HEAD"),
    "executable files": make_executable,
}


@pytest.mark.parametrize("name", PLANTED)
def test_files_planted_in_the_git_directory_hide_nothing(ground: Ground, name: str):
    PLANTED[name](ground.root / ".git")
    before = ground.fingerprints().take().tree
    (ground.root / "src/app.py").chmod(0o755)
    second = ground.fingerprints().take().tree
    ground.write("src/APP.py", "another\n")
    third = ground.fingerprints()
    assert len({before, second, third.take().tree}) == 3
    assert third.changed(second, third.take().tree) == {"src/APP.py": "added"}


def test_an_answer_of_before_is_not_believed(ground: Ground):
    ground.fingerprints().take()
    kept = ground.home / "git/config"
    text = kept.read_text()
    assert all(setting in text for setting in SETTINGS)
    kept.write_text(
        text.replace(SETTINGS[0], 'filemode = "false"').replace(SETTINGS[1], 'ignorecase = "true"')
    )
    (ground.root / "src/app.py").chmod(0o755)
    fingerprints = ground.fingerprints()
    assert fingerprints.changed(ground.head(), fingerprints.take().tree) == {"src/app.py": "modified"}
    assert kept.read_text() == text


def test_nothing_is_left_behind_by_the_question(ground: Ground):
    ground.fingerprints().take()
    assert not list(ground.home.glob(".probe*"))


def test_a_working_tree_on_another_disk_has_modes_too(tmp_path: Path):
    other = Path("/dev/shm")
    if not os.access(other, os.W_OK) or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk only")
    ground = Ground(tmp_path)
    make_executable(ground.root / ".git")
    home = other / f"donewhen-test-{os.getpid()}"
    try:
        ground.fingerprints(home).take()
        assert SETTINGS[0] in (home / "git/config").read_text()
    finally:
        shutil.rmtree(home, ignore_errors=True)
