"""What a fingerprint sees: tracked and untracked files, not ignored ones; nothing of the user's is written."""

import os
import socket
from pathlib import Path

import pytest

from tests.workspace.git_ground import Ground, everything


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def test_a_clean_working_tree_has_the_tree_of_its_commit(ground: Ground):
    taken = ground.fingerprints().take()
    assert (taken.tree, taken.relevant, taken.whole, taken.absent) == (ground.head(),) * 3 + (0,)


def test_edits_new_files_and_deletions_are_seen(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write("src/app.py", "answer = 42\n")
    ground.write("src/new.py")
    (ground.root / "README.md").unlink()
    after = fingerprints.take()
    assert fingerprints.changed(before.tree, after.tree) == {
        "src/app.py": "modified",
        "src/new.py": "added",
        "README.md": "deleted",
    }
    assert fingerprints.content(after.tree, "src/app.py") == b"answer = 42\n"
    assert fingerprints.content(after.tree, "README.md") is None


def test_a_rename_is_a_deletion_and_an_addition(ground: Ground):
    fingerprints = ground.fingerprints()
    (ground.root / "src/app.py").rename(ground.root / "src/main.py")
    changed = fingerprints.changed(ground.git("rev-parse", "HEAD"), fingerprints.take().tree)
    assert changed == {"src/app.py": "deleted", "src/main.py": "added"}


def test_written_back_is_the_same_fingerprint(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write("src/app.py", "answer = 42\n")
    assert fingerprints.take() != before
    ground.write("src/app.py", "answer = 41\n")
    assert fingerprints.take() == before


def test_ignored_files_never_count(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write("noise.log")
    ground.write("build/out.bin")
    assert fingerprints.take() == before


def test_a_tracked_file_counts_though_an_ignore_rule_matches_it(ground: Ground):
    ground.write("kept.log", "one\n")
    ground.git("add", "-f", "kept.log")
    ground.commit()
    fingerprints = ground.fingerprints()
    assert fingerprints.take().tree == ground.head()
    ground.write("kept.log", "two\n")
    assert fingerprints.changed(ground.head(), fingerprints.take().tree) == {"kept.log": "modified"}


def test_a_file_that_the_index_drops_and_a_rule_ignores_leaves_again(ground: Ground):
    ground.write("kept.log", "one\n")
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.git("add", "-f", "kept.log")
    assert fingerprints.changed(before.tree, fingerprints.take().tree) == {"kept.log": "added"}
    ground.git("rm", "-q", "--cached", "kept.log")
    assert fingerprints.take() == before


def test_an_untracked_file_leaves_when_a_new_rule_ignores_it(ground: Ground):
    fingerprints = ground.fingerprints()
    ground.write("data/cache.bin")
    ground.write("data/deep/other.bin")
    assert "data/cache.bin" in fingerprints.changed(ground.head(), fingerprints.take().tree)
    ground.write("data/.gitignore", "*\n")  # ignores itself too, so no entry of the index changes
    assert fingerprints.take().tree == ground.head() == ground.fresh()


def test_a_rule_that_goes_brings_its_files_to_light(ground: Ground):
    ground.write("noise.log")
    fingerprints = ground.fingerprints()
    fingerprints.take()
    ground.write(".gitignore", "build/\n")
    changed = fingerprints.changed(ground.head(), fingerprints.take().tree)
    assert changed == {".gitignore": "modified", "noise.log": "added"}


def test_links_and_executable_bits_count(ground: Ground):
    fingerprints = ground.fingerprints()
    ground.write("run.sh", "true\n")
    (ground.root / "link").symlink_to("src/app.py")
    before = fingerprints.take()
    (ground.root / "run.sh").chmod(0o755)
    after = fingerprints.take()
    assert fingerprints.changed(before.tree, after.tree) == {"run.sh": "modified"}
    (ground.root / "link").unlink()
    (ground.root / "link").symlink_to("/etc/passwd")
    assert fingerprints.changed(after.tree, fingerprints.take().tree) == {"link": "modified"}
    assert fingerprints.content(fingerprints.take().tree, "link") == b"/etc/passwd"


ODD_NAMES = [
    "line\nbreak",
    "tab\tname",
    'quote"d',
    "back\\slash",
    " space ",
    "--force",
    "-A",
    ":(exclude)x",
    ":!x",
    "*",
    "a[b]c",
    "!not",
    "#hash",
    "name.",
    "ünï→名",
    os.fsdecode(b"caf\xe9 \xff"),
    "x" * 255,
    "/".join(["folder" * 30] * 20) + "/deep",
]


@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_odd_names_are_seen_changed_and_removed(ground: Ground, name: str):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.write(name, "one\n")
    first = fingerprints.take()
    assert fingerprints.changed(before.tree, first.tree) == {name: "added"}
    ground.write(name, "two\n")
    second = fingerprints.take()
    assert fingerprints.changed(first.tree, second.tree) == {name: "modified"}
    assert fingerprints.content(second.tree, name) == b"two\n"
    ground.git("add", "-A")
    assert fingerprints.take() == second
    (ground.root / name).unlink()
    assert fingerprints.take() == before


def test_many_odd_names_at_once_equal_what_git_would_commit(ground: Ground):
    for name in ODD_NAMES:
        ground.write(name, name.encode("utf-8", "surrogateescape"))
    taken = ground.fingerprints().take().tree
    ground.commit()
    assert taken == ground.head() == ground.fresh()


def test_a_file_becomes_a_folder_and_back(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (ground.root / "README.md").unlink()
    ground.write("README.md/inner")
    changed = fingerprints.changed(before.tree, fingerprints.take().tree)
    assert changed == {"README.md": "deleted", "README.md/inner": "added"}
    (ground.root / "README.md/inner").unlink()
    (ground.root / "README.md").rmdir()
    ground.write("README.md", "read me\n")
    assert fingerprints.take() == before


def test_pipes_sockets_and_empty_folders_are_passed_over(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    os.mkfifo(ground.root / "pipe")
    (ground.root / "empty/inner").mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(ground.root)  # the path of a socket must be short
        try:
            bound.bind("socket")
        finally:
            os.chdir(here)
    assert fingerprints.take() == before


def test_a_tracked_file_that_becomes_a_pipe_is_deleted(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (ground.root / "README.md").unlink()
    os.mkfifo(ground.root / "README.md")
    assert fingerprints.changed(before.tree, fingerprints.take().tree) == {"README.md": "deleted"}
    assert ground.fresh() == fingerprints.take().tree


def test_nothing_of_the_user_is_written_not_even_a_time(ground: Ground):
    for number in range(30):
        ground.write(f"src/part{number}.py", f"part = {number}\n")
    ground.commit()
    ground.write("src/app.py", "answer = 42\n")
    ground.git("add", "src/app.py")
    ground.write("src/other.py", "answer = 41\n")  # content that the repository has already
    before = everything(ground.root)
    fingerprints = ground.fingerprints()
    first = fingerprints.take()
    fingerprints.keep("one", first.tree)
    fingerprints.lay(first.tree, ground.base / "harness/room")
    fingerprints.content(first.tree, "src/app.py")
    fingerprints.changed(ground.head(), first.tree)
    assert fingerprints.take() == first
    assert everything(ground.root) == before


def test_the_empty_tree_stands_for_no_commit(ground: Ground):
    fingerprints = ground.fingerprints()
    head = ground.git("rev-parse", "HEAD")
    assert fingerprints.tree(head) == ground.head()
    assert fingerprints.tree("") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    assert set(fingerprints.changed("", head).values()) == {"added"}
    assert set(fingerprints.changed(head, "")) == {".gitignore", "README.md", "src/app.py"}


def test_content_is_bounded(ground: Ground):
    with (ground.root / "huge").open("wb") as file:
        file.truncate(80 * 1024 * 1024)
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    assert fingerprints.changed(ground.head(), tree) == {"huge": "added"}
    assert fingerprints.content(tree, "huge") is None
    assert fingerprints.content(tree, "src") is None
    assert fingerprints.content(tree, "../x") is None
