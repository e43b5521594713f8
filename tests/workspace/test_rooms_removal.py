"""Folders are removed whole, and nothing outside them is touched."""

import os
import shutil
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.removal import remove_tree
from tests.folders import walled_folder
from tests.workspace.rooms_scene import as_other_user, names_in


def closed_room(base: Path) -> list[str]:
    top = base / "room"
    (top / "closed/inner").mkdir(parents=True)
    (top / "closed/inner/file").write_text("x")
    (top / "closed/file").write_text("x")
    (top / "closed/file").chmod(0o000)
    (top / "closed/inner").chmod(0o500)
    (top / "closed").chmod(0o000)
    top.chmod(0o500)
    remove_tree(top)
    return names_in(base)


def test_read_only_files_and_folders_go():
    base = walled_folder()
    try:
        base.chmod(0o777)
        assert as_other_user(lambda: closed_room(base)) == "[]"
    finally:
        shutil.rmtree(base)


def test_links_go_and_what_they_point_to_stays(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("precious")
    room = tmp_path / "room"
    (room / "a").mkdir(parents=True)
    (room / "a/folder").symlink_to(outside)
    (room / "file").symlink_to(outside / "precious")
    (room / "loop").symlink_to(room)
    remove_tree(room)
    assert names_in(tmp_path) == ["outside"]
    assert (outside / "precious").read_text() == "precious"


def test_a_link_in_place_of_the_folder_goes_alone(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("x")
    (tmp_path / "room").symlink_to(tmp_path / "outside")
    remove_tree(tmp_path / "room")
    assert not os.path.lexists(tmp_path / "room")
    assert (tmp_path / "outside/file").exists()


def test_neither_depth_nor_length_of_a_path_matters(tmp_path):
    top = os.open(tmp_path, os.O_RDONLY)
    folder = os.dup(top)
    os.mkdir("room", dir_fd=folder)
    name = "room"
    for _ in range(3000):
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder, name = inner, "n" * 200
        os.mkdir(name, dir_fd=folder)
    os.close(folder)
    os.close(top)
    remove_tree(tmp_path / "room")
    assert names_in(tmp_path) == []


def test_odd_names_and_kinds_go(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    os.mkfifo(room / "pipe")
    for name in (b"\xff\xfe", b"new\nline", b"-rf", b" "):
        (room / os.fsdecode(name)).mkdir()
        (room / os.fsdecode(name) / os.fsdecode(name)).write_text("x")
    remove_tree(room)
    assert names_in(tmp_path) == []


def test_nothing_to_remove_is_fine(tmp_path):
    remove_tree(tmp_path / "absent")
    assert names_in(tmp_path) == []


def test_what_can_not_be_removed_is_said():
    with pytest.raises(SetupError, match="by hand"):
        remove_tree(Path("/proc/self"))
