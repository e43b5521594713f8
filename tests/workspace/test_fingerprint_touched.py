"""What was written while an exam ran shows, also when it was put back."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def moment_after(folder: Path) -> int:
    """A moment that is later than every change so far, by the clock of the disk and that of the system."""
    probe = folder.parent / "probe"
    first = max(path.lstat().st_ctime_ns for path in (folder, *folder.rglob("*")))
    while True:
        probe.write_bytes(b"x")
        if probe.stat().st_ctime_ns > first + 50_000_000:
            return max(time.time_ns(), probe.stat().st_ctime_ns)


def flip(file: Path) -> None:
    """Good for a while; then content and time of before."""
    facts, content = file.stat(), file.read_bytes()
    file.write_text("answer = 42\n")
    file.write_bytes(content)
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def test_nothing_touched_is_nothing(ground: Ground):
    ground.write("new.py")
    fingerprints = ground.fingerprints()
    fingerprints.take()
    assert fingerprints.touched_since(moment_after(ground.root)) == ()


def test_a_file_that_was_another_for_a_while_shows(ground: Ground):
    ground.write("new.py")
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    moment = moment_after(ground.root)
    flip(ground.root / "src/app.py")
    flip(ground.root / "new.py")
    assert fingerprints.take() == before
    assert sorted(fingerprints.touched_since(moment)) == ["new.py", "src/app.py"]
    assert fingerprints.touched_since(moment_after(ground.root)) == ()


def test_a_file_that_another_one_stood_for_shows(ground: Ground):
    fingerprints = ground.fingerprints()
    fingerprints.take()
    file, away = ground.root / "src/app.py", ground.base / "away"
    moment = moment_after(ground.root)
    file.rename(away)
    file.write_text("answer = 42\n")
    away.replace(file)
    fingerprints.take()
    assert fingerprints.touched_since(moment) == ("src/app.py",)


def test_a_folder_that_another_one_stood_for_shows(ground: Ground):
    fingerprints = ground.fingerprints()
    fingerprints.take()
    folder, away = ground.root / "src", ground.base / "away"
    moment = moment_after(ground.root)
    folder.rename(away)
    folder.mkdir()
    shutil.rmtree(folder)
    away.rename(folder)
    assert fingerprints.touched_since(moment) == ("src",)


def test_ignored_and_passing_files_are_quiet(ground: Ground):
    fingerprints = ground.fingerprints()
    fingerprints.take()
    moment = moment_after(ground.root)
    ground.write("src/run.log")
    ground.write("build/x")
    ground.write("src/passing.py").unlink()
    fingerprints.take()
    assert fingerprints.touched_since(moment) == ()


def test_names_that_are_no_text_and_links_show(ground: Ground):
    odd = os.fsdecode(b"odd\xff\n.py")
    ground.write(odd)
    (ground.root / "link").symlink_to("/nowhere")
    fingerprints = ground.fingerprints()
    fingerprints.take()
    moment = moment_after(ground.root)
    flip(ground.root / odd)
    (ground.root / "link").unlink()
    (ground.root / "link").symlink_to("/nowhere")
    assert set(fingerprints.touched_since(moment)) == {odd, "link"}


def test_a_file_of_a_repository_inside_shows(ground: Ground):
    inner = ground.root / "inner"
    inner.mkdir()
    ground.git("init", "-q", cwd=inner)
    ground.write("inner/code.py", "one\n")
    ground.commit(cwd=inner)
    fingerprints = ground.fingerprints()
    fingerprints.take()
    moment = moment_after(ground.root)
    flip(inner / "code.py")
    assert fingerprints.touched_since(moment) == ("inner/code.py",)
