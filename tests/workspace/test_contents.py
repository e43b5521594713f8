"""Many files of a tree in one call, each object checked against its name."""

import zlib

import pytest

from donewhen.core.errors import SetupError
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path):
    return Ground(tmp_path)


def test_every_file_and_link_of_a_tree_with_its_content(ground):
    (ground.root / "a.txt").write_bytes(b"one\n")
    (ground.root / "deep" / "er").mkdir(parents=True)
    (ground.root / "deep" / "er" / "b\nb.txt").write_bytes(b"two\n")
    (ground.root / "link").symlink_to("a.txt")
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    entries = fingerprints.entries(tree)
    found = fingerprints.contents(entry.id for entry in entries.values())
    texts = {path: found[entry.id] for path, entry in entries.items()}
    assert texts["a.txt"] == b"one\n"
    assert texts["deep/er/b\nb.txt"] == b"two\n"
    assert (entries["link"].link, texts["link"]) == (True, b"a.txt")
    assert fingerprints.entries("") == {}


def test_of_a_large_file_only_the_size_is_told(ground):
    (ground.root / "a.txt").write_bytes(b"x" * 1000)
    fingerprints = ground.fingerprints()
    entry = fingerprints.entries(fingerprints.take().tree)["a.txt"]
    assert fingerprints.contents([entry.id], largest=999) == {entry.id: 1000}


def test_an_object_that_is_not_what_its_name_says_is_refused(ground):
    (ground.root / "a.txt").write_bytes(b"assert total() == 3\n")
    ground.git("add", "-A")
    ground.git("commit", "-q", "-m", "base")
    fingerprints = ground.fingerprints()
    tree = fingerprints.tree(ground.git("rev-parse", "HEAD").strip())
    id = fingerprints.entries(tree)["a.txt"].id
    file = ground.root / ".git" / "objects" / id[:2] / id[2:]
    file.chmod(0o644)
    forged = b"assert True\n"
    file.write_bytes(zlib.compress(b"blob %d\0" % len(forged) + forged))
    with pytest.raises(SetupError, match="damaged"):
        fingerprints.contents([id])
