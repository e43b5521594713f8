"""A tree becomes files: in a room, and back in the working tree."""

import os
import shutil
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from tests.workspace.git_ground import Ground, everything, files_in
from tests.workspace.test_fingerprint import ODD_NAMES


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


@pytest.fixture
def room(ground: Ground) -> Path:
    return ground.base / "harness/room"


def test_a_room_holds_exactly_the_tree(ground: Ground, room: Path):
    for name in ODD_NAMES:
        ground.write(name, name.encode("utf-8", "surrogateescape"))
    ground.write("run.sh").chmod(0o755)
    (ground.root / "link").symlink_to("/etc/passwd")
    ground.write("noise.log")
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    assert files_in(room) == sorted({*files_in(ground.root)} - {"noise.log"})
    assert os.access(room / "run.sh", os.X_OK)
    assert (room / "link").readlink() == Path("/etc/passwd")


def test_only_what_differs_is_written_again(ground: Ground, room: Path):
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    before = everything(room)
    fingerprints.lay(fingerprints.take().tree, room)
    assert everything(room) == before
    ground.write("src/app.py", "answer = 42\n")
    (ground.root / "README.md").unlink()
    ground.fingerprints().lay(fingerprints.take().tree, room)
    after = everything(room)
    assert files_in(room) == [".gitignore", "src/app.py"]
    assert (room / "src/app.py").read_text() == "answer = 42\n"
    assert after[str(room / ".gitignore")] == before[str(room / ".gitignore")]


def test_what_a_command_did_in_the_room_is_put_right(ground: Ground, room: Path):
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    fingerprints.lay(tree, room)
    facts = (room / "src/app.py").stat()
    with (room / "src/app.py").open("r+b") as file:  # same size, same second, time set back
        file.write(b"answer = 99\n")
    os.utime(room / "src/app.py", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    (room / "README.md").unlink()
    (room / "README.md").mkdir()
    (room / "README.md/inside").write_text("x")
    (room / ".gitignore").chmod(0o755)
    fingerprints.lay(tree, room)
    assert (room / "src/app.py").read_text() == "answer = 41\n"
    assert (room / "README.md").read_text() == "read me\n"
    assert not os.access(room / ".gitignore", os.X_OK) or os.getuid() == 0
    assert (room / ".gitignore").stat().st_mode & 0o111 == 0


def test_what_was_not_laid_stays(ground: Ground, room: Path):
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    (room / ".venv").mkdir()
    (room / ".venv/python").write_text("x")
    (room / "src/left.pyc").write_text("x")
    fingerprints.lay("", room)
    assert files_in(room) == [".venv/python", "src/left.pyc"]
    fingerprints.lay(fingerprints.take().tree, room)
    assert ".venv/python" in files_in(room) and "src/app.py" in files_in(room)


def test_nothing_is_written_or_removed_through_a_link(ground: Ground, room: Path):
    outside = ground.base / "outside"
    outside.mkdir()
    (outside / "app.py").write_text("theirs\n")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    fingerprints.lay(tree, room)
    shutil.rmtree(room / "src")
    (room / "src").symlink_to(outside)
    (room / "README.md").unlink()
    (room / "README.md").symlink_to(outside / "app.py")
    fingerprints.lay(tree, room)
    assert (outside / "app.py").read_text() == "theirs\n"
    assert (room / "src/app.py").read_text() == "answer = 41\n"
    shutil.rmtree(room / "src")
    (room / "src").symlink_to(outside)
    fingerprints.lay("", room)
    assert (outside / "app.py").read_text() == "theirs\n"


def test_a_room_that_was_thrown_away_is_laid_again(ground: Ground, room: Path):
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    fingerprints.lay(tree, room)
    shutil.rmtree(room)
    fingerprints.lay(tree, room)
    assert files_in(room) == files_in(ground.root)


def test_objects_that_got_lost_are_made_again_from_the_files(ground: Ground, room: Path):
    ground.write("src/app.py", "answer = 42\n")
    ground.git("add", "src/app.py")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    ground.git("reset", "-q")
    ground.git("reflog", "expire", "--expire=now", "--all")
    ground.git("gc", "-q", "--prune=now")
    fingerprints.lay(tree, room)
    assert (room / "src/app.py").read_text() == "answer = 42\n"


def test_an_old_tree_is_restored(ground: Ground):
    fingerprints = ground.fingerprints()
    ground.write("untracked.py", "mine\n")
    ground.write("keep.log", "noise\n")
    before = fingerprints.take()
    fingerprints.keep("start", before.tree)
    ground.write("src/app.py", "answer = 42\n")
    ground.write("src/new/deep.py")
    (ground.root / "untracked.py").unlink()
    (ground.root / "README.md").unlink()
    (ground.root / "README.md").symlink_to("/etc")
    again = ground.fingerprints()
    assert again.restore(again.kept()["start"]) == {
        "src/app.py": "modified",
        "src/new/deep.py": "deleted",
        "untracked.py": "added",
        "README.md": "modified",
    }
    assert fingerprints.take() == before
    assert files_in(ground.root) == [".gitignore", "README.md", "keep.log", "src/app.py", "untracked.py"]
    assert again.restore(before.tree) == {}


def test_files_that_a_rule_had_hidden_go_too(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write(".gitignore", "*.log\nbuild/\nsecret*\n")
    ground.write("secret.py")
    ground.write("deep/.gitignore", "*\n")
    ground.write("deep/hidden.py")
    fingerprints.restore(before.tree)
    assert fingerprints.take() == before
    assert not (ground.root / "secret.py").exists()
    assert (ground.root / "deep/hidden.py").exists()  # its rule is ignored by itself and stays


def test_a_rollback_never_leaves_the_working_tree(ground: Ground):
    outside = ground.base / "outside"
    outside.mkdir()
    (outside / "app.py").write_text("theirs\n")
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    shutil.rmtree(ground.root / "src")
    (ground.root / "src").symlink_to(outside)
    fingerprints.restore(before.tree)
    assert (outside / "app.py").read_text() == "theirs\n"
    assert (ground.root / "src/app.py").read_text() == "answer = 41\n"


def test_the_users_index_and_head_stay_as_they_are(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write("src/app.py", "answer = 42\n")
    ground.commit()
    state = everything(ground.root / ".git")
    fingerprints.restore(before.tree)
    assert everything(ground.root / ".git") == state
    assert (ground.root / "src/app.py").read_text() == "answer = 41\n"


def test_a_read_only_folder_is_no_obstacle(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write("src/app.py", "answer = 42\n").chmod(0o444)
    ground.write("src/more/new.py").parent.chmod(0o555)
    (ground.root / "src").chmod(0o555)
    fingerprints.restore(before.tree)
    assert fingerprints.take() == before


def test_work_in_a_repository_inside_is_restored(ground: Ground):
    inner = ground.root / "inner"
    inner.mkdir()
    ground.git("init", "-q", cwd=inner)
    ground.write("inner/code.py", "one\n")
    commit = ground.commit(cwd=inner)
    ground.write("inner/code.py", "two\n")
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    fingerprints.keep("start", before.tree)
    ground.write("inner/code.py", "three\n")
    ground.write("inner/new.py")
    ground.write("src/app.py", "answer = 42\n")
    changed = fingerprints.restore(fingerprints.kept()["start"])
    assert changed == {"inner/code.py": "modified", "inner/new.py": "deleted", "src/app.py": "modified"}
    assert fingerprints.take() == before
    assert ground.git("rev-parse", "HEAD", cwd=inner) == commit


def test_what_is_no_id_is_refused(ground: Ground):
    fingerprints = ground.fingerprints()
    for text in ("HEAD", "--help", "4b825dc", "x" * 40):
        with pytest.raises(SetupError):
            fingerprints.changed("", text)
        with pytest.raises(SetupError):
            fingerprints.restore(text)
