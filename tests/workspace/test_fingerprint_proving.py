"""A folder that was laid holds what the ids say, also when the user's objects hold something else."""

import os
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from tests.workspace.git_ground import Ground, everything, files_in

GOOD, BAD = b"answer = 41\n", b"answer = 99\n"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


@pytest.fixture
def room(ground: Ground) -> Path:
    return ground.base / "harness/room"


def many(ground: Ground) -> None:
    """So many files that those which are as committed are not written again."""
    for number in range(250):
        ground.write(f"data/{number}.txt", f"{number}\n")
    ground.commit()


def rewrite(ground: Ground, what: str, content: bytes, kind: bytes = b"blob") -> None:
    """Put other content under the name of an object."""
    id = ground.git("rev-parse", what)
    file = ground.root / ".git/objects" / id[:2] / id[2:]
    file.chmod(0o644)
    file.write_bytes(zlib.compress(kind + b" %d\0" % len(content) + content))


def test_a_rewritten_object_does_not_reach_a_room(ground: Ground, room: Path):
    many(ground)
    rewrite(ground, "HEAD:src/app.py", BAD)
    rewrite(ground, "HEAD:README.md", b"longer than before\n")
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    assert (room / "src/app.py").read_bytes() == GOOD
    assert (room / "README.md").read_text() == "read me\n"
    assert files_in(room) == files_in(ground.root)


def test_it_does_not_reach_a_kept_room_either(ground: Ground, room: Path):
    many(ground)
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    rewrite(ground, "HEAD:src/app.py", BAD)
    (room / "src/app.py").write_bytes(b"broken by a test\n")
    fingerprints.lay(fingerprints.take().tree, room)
    assert (room / "src/app.py").read_bytes() == GOOD


def test_a_rewritten_link_is_noticed(ground: Ground, room: Path):
    (ground.root / "link").symlink_to("src/app.py")
    many(ground)
    rewrite(ground, "HEAD:link", b"src/bad.py")
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    assert (room / "link").readlink() == Path("src/app.py")


def test_a_rewritten_object_in_a_pack_does_not_reach_a_room(ground: Ground, room: Path):
    many(ground)
    rewrite(ground, "HEAD:src/app.py", BAD)
    id = ground.git("rev-parse", "HEAD:src/app.py")
    packs = ground.root / ".git/objects/pack"
    other = ground.base / "other"
    ground.git("init", "-q", str(other))
    (other / "bad.py").write_bytes(BAD)
    ground.git("add", "bad.py", cwd=other)
    bad = ground.git("rev-parse", ":bad.py", cwd=other)
    made = subprocess.run(
        ["git", "pack-objects", "-q", str(packs / "pack")], input=f"{bad}\n".encode(), cwd=other, check=True,
        capture_output=True,
    ).stdout.decode().strip()  # fmt: skip
    index = packs / f"pack-{made}.idx"
    data = index.read_bytes().replace(bytes.fromhex(bad), bytes.fromhex(id))
    fan = b"".join((1 if int(id[:2], 16) <= byte else 0).to_bytes(4, "big") for byte in range(256))
    index.chmod(0o644)
    index.write_bytes(data[:8] + fan + data[8 + len(fan) :])
    assert ground.git("cat-file", "blob", id) == BAD.decode().strip()
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    assert (room / "src/app.py").read_bytes() == GOOD


def test_a_rewritten_tree_is_refused(ground: Ground, room: Path):
    many(ground)
    commit = ground.commit()
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().tree, room)
    shutil.rmtree(ground.home)  # nothing but the user's objects knows the tree now
    fingerprints = ground.fingerprints()
    tree = fingerprints.tree(commit)
    entry = b"100644 app.py\0" + bytes.fromhex(ground.git("rev-parse", "HEAD:README.md"))
    rewrite(ground, "HEAD:src", entry, b"tree")
    (ground.root / "src/app.py").write_text("no longer as committed\n")
    for _ in range(2):
        with pytest.raises(SetupError, match="damaged"):
            fingerprints.lay(tree, room)


def test_content_that_is_nowhere_any_more_is_refused(ground: Ground, room: Path):
    many(ground)
    tree = ground.head()
    rewrite(ground, "HEAD:src/app.py", BAD)
    (ground.root / "src/app.py").write_text("no longer as committed\n")
    fingerprints = ground.fingerprints()
    for _ in range(2):
        with pytest.raises(SetupError, match="damaged"):
            fingerprints.lay(tree, room)


def test_a_file_that_can_not_be_restored_is_said(ground: Ground):
    many(ground)
    tree = ground.head()
    ground.write("src/app.py", "answer = 42\n")
    rewrite(ground, "HEAD:src/app.py", BAD)
    with pytest.raises(SetupError, match="damaged"):
        ground.fingerprints().restore(tree)


def test_a_checkpoint_is_restored_from_our_own_objects(ground: Ground):
    ground.write("src/new.py", GOOD.replace(b"answer", b"number"))
    fingerprints = ground.fingerprints()
    fingerprints.keep("start", fingerprints.take().tree)
    ground.commit()
    rewrite(ground, "HEAD:src/new.py", BAD)
    ground.write("src/new.py", "something else\n")
    fingerprints.restore(fingerprints.kept()["start"])
    assert (ground.root / "src/new.py").read_bytes() == b"number = 41\n"


def test_objects_of_many_files_that_got_lost_are_made_again(ground: Ground, room: Path):
    many(ground)
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    id = ground.git("rev-parse", "HEAD:src/app.py")
    (ground.root / ".git/objects" / id[:2] / id[2:]).unlink()
    fingerprints.lay(tree, room)
    assert (room / "src/app.py").read_bytes() == GOOD


def test_content_that_was_committed_before_a_line_end_was_asked_for_is_laid_as_git_does(
    ground: Ground, room: Path
):
    ground.write("old.txt", b"one\r\ntwo\r\n")
    ground.commit()
    ground.write(".gitattributes", "*.txt text\n")
    ground.git("add", ".gitattributes")
    ground.git("commit", "-q", "-m", "attributes")
    fingerprints = ground.fingerprints()
    tree = fingerprints.tree(ground.git("rev-parse", "HEAD"))
    for _ in range(2):
        fingerprints.lay(tree, room)
        assert (room / "old.txt").read_bytes() == b"one\r\ntwo\r\n"


def test_line_ends_that_the_user_wants_are_laid_and_hold(ground: Ground, room: Path):
    (ground.user / ".gitconfig").write_text("[core]\n\tautocrlf = true\n")
    ground.write("windows.txt", b"one\r\ntwo\r\n")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    fingerprints.lay(tree, room)
    assert (room / "windows.txt").read_bytes() == b"one\r\ntwo\r\n"
    before = everything(room)
    fingerprints.lay(tree, room)
    assert everything(room) == before


def test_an_unchanged_room_is_not_read_again_but_altered_files_are_seen(ground: Ground, room: Path):
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    for _ in range(3):
        fingerprints.lay(tree, room)
        facts = (room / "src/app.py").stat()
        (room / "src/app.py").write_bytes(BAD)
        os.utime(room / "src/app.py", ns=(facts.st_atime_ns, facts.st_mtime_ns))
        (room / "README.md").unlink()
        fingerprints.lay(tree, room)
        assert (room / "src/app.py").read_bytes() == GOOD
        assert files_in(room) == files_in(ground.root)


def test_a_filter_of_the_users_that_lacks_what_it_needs_leaves_the_file_as_it_is_stored(
    ground: Ground, room: Path
):
    filter = '[filter "store"]\n\tclean = cat\n\tsmudge = false\n\trequired = true\n'
    (ground.user / ".gitconfig").write_text(filter)
    ground.write(".gitattributes", "*.bin filter=store\n")
    ground.write("large.bin", "pointer\n")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    for _ in range(2):
        fingerprints.lay(tree, room)
        assert (room / "large.bin").read_text() == "pointer\n"


def test_a_filter_of_the_users_is_undone_before_anything_is_compared(ground: Ground, room: Path):
    filter = '[filter "swap"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n'
    (ground.user / ".gitconfig").write_text(filter)
    ground.write(".gitattributes", "*.bin filter=swap\n")
    ground.write("large.bin", "content\n")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    fingerprints.lay(tree, room)
    assert (room / "large.bin").read_text() == "content\n"
    before = everything(room)
    fingerprints.lay(tree, room)
    assert everything(room) == before
