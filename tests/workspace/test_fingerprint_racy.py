"""An edit of the same size, in the second of the last look, with its time set back: seen all the same."""

import os
from pathlib import Path

import pytest

from donewhen.workspace.fingerprint.indexfile import BadIndex, is_sound, look, unread
from tests.tables import table_test
from tests.workspace.git_ground import Ground

ROUNDS = 25


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


@pytest.mark.runs
@pytest.mark.parametrize("forged", [False, True], ids=["plain", "time set back"])
@pytest.mark.parametrize("path", ["src/app.py", "src/untracked.py"])
def test_edits_of_equal_size_in_a_tight_loop(ground: Ground, path: str, forged: bool):
    fingerprints = ground.fingerprints()
    file = ground.write(path, "answer = 00\n")
    facts = file.stat()
    seen = set()
    for number in range(ROUNDS):
        with file.open("r+b") as stream:  # the same inode
            stream.write(b"answer = %02d\n" % number)
        if forged:
            os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        tree = fingerprints.take().tree
        assert fingerprints.content(tree, path) == b"answer = %02d\n" % number
        seen.add(tree)
    assert len(seen) == ROUNDS


def test_an_old_time_on_every_file_hides_nothing(ground: Ground):
    fingerprints = ground.fingerprints()
    file = ground.root / "src/app.py"
    os.utime(file, (1, 1))
    fingerprints.take()
    for number in range(10):
        file.write_text(f"answer = 5{number}\n")
        os.utime(file, (1, 1))
        assert fingerprints.content(fingerprints.take().tree, "src/app.py") == file.read_bytes()


def test_an_edit_between_two_processes_is_seen(ground: Ground):
    file = ground.root / "src/app.py"
    facts = file.stat()
    for number in range(5):
        file.write_text(f"answer = 6{number}\n")
        os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        fingerprints = ground.fingerprints()
        assert fingerprints.content(fingerprints.take().tree, "src/app.py") == file.read_bytes()


@table_test("format", ["sha1", "sha256"])
def test_entries_of_a_real_index_are_found_and_made_unread(tmp_path: Path, format: str):
    ground = Ground(tmp_path, format=format)
    long = "/".join(["y" * 250] * 20)  # too long for its field
    blob = ground.git("hash-object", "-w", "README.md")
    ground.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{long}")
    data = (ground.root / ".git/index").read_bytes()
    assert is_sound(data, format)
    entries = look(data, format, 0).recent
    assert len(entries) == 4
    assert look(data, format, 1).recent == entries[:3]  # the long one was never looked at
    assert look(data, format, 2**32 - 1).recent == ()
    changed = unread(data, format, entries[:2])
    assert is_sound(changed, format)
    assert look(changed, format, 1).recent == entries[2:3]
    (ground.root / ".git/index").write_bytes(changed)
    assert ground.git("diff-files", "--name-only", "--", "src", "*.md", ".gitignore") != ""
    ground.git("update-index", "-q", "--refresh", ok=False)
    assert ground.git("diff-files", "--name-only", "--", "src", "*.md", ".gitignore") == ""


@pytest.mark.parametrize("cut", [0, 3, 11, 40, 100, -21])
def test_a_torn_index_is_known_as_such(ground: Ground, cut: int):
    data = (ground.root / ".git/index").read_bytes()
    assert not is_sound(data[:cut], "sha1")
    if cut >= 0:
        with pytest.raises(BadIndex):
            look(data[:cut], "sha1", 0)
    assert not is_sound(data[:60] + b"\xff" + data[61:], "sha1")
