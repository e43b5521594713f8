"""Whether git tracks a path, from the bytes of a real index."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.disk import RealDisk
from donewhen.guard.tracked import in_index

NAMES = (b"a.py", b"dir/deep/x", b"with\nnewline", b"-dash", b"bytes\xff\xfe", b"spa ce/q", b"n" * 200)


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, timeout=60)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-q")
    for name in NAMES:
        path = tmp_path / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    _git(tmp_path, "add", "-A")
    (tmp_path / "loose").write_text("x")
    return tmp_path


def test_every_tracked_name_and_folder_is_found_and_no_part_of_one(tree: Path) -> None:
    disk = RealDisk()
    tracked = [os.fsdecode(name) for name in NAMES] + ["dir", "dir/deep", "spa ce"]
    assert {name: disk.tracked(str(tree), name) for name in tracked} == dict.fromkeys(tracked, True)
    others = ["loose", "a", ".py", "deep", "deep/x", "x", "ir/deep/x", "dir/dee", "n" * 199, "ce"]
    assert {name: disk.tracked(str(tree), name) for name in others} == dict.fromkeys(others, False)


def test_a_linked_worktree_has_an_index_of_its_own(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _git(tree, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    other = tmp_path_factory.mktemp("other") / "wt"
    _git(tree, "worktree", "add", "-q", str(other))
    assert RealDisk().tracked(str(other), "a.py") is True
    assert RealDisk().tracked(str(other), "loose") is False


@pytest.mark.parametrize("form", [("--index-version", "4"), ("--split-index",)])
def test_other_forms_of_an_index_are_not_guessed_at(tree: Path, form: tuple[str, ...]) -> None:
    _git(tree, "update-index", *form)
    assert RealDisk().tracked(str(tree), "loose") is None


def test_where_there_is_no_repository_nothing_is_known(tmp_path: Path) -> None:
    assert RealDisk().tracked(str(tmp_path), "x") is None


@given(st.binary(max_size=200), st.binary(min_size=1, max_size=8))
def test_any_bytes_get_an_answer(index: bytes, path: bytes) -> None:
    assert in_index(b"DIRC\0\0\0\2\0\0\0\1" + index, path) in (True, False)
    assert in_index(index, path) is None or index.startswith(b"DIRC")
