"""Repositories in every state that people leave them in."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import find_repository
from tests.folders import walled_folder
from tests.tables import table_test
from tests.workspace.git_ground import Ground, everything


def test_a_repository_without_commit_and_without_files(tmp_path: Path):
    ground = Ground(tmp_path, commit=False)
    fingerprints = ground.fingerprints()
    taken = fingerprints.take()
    assert taken.tree == taken.relevant == fingerprints.tree("")
    ground.write("first.py")
    assert fingerprints.changed("", fingerprints.take().tree) == {"first.py": "added"}
    (ground.root / "first.py").unlink()
    assert fingerprints.take() == taken


def test_ids_of_sha256(tmp_path: Path):
    ground = Ground(tmp_path, format="sha256")
    ground.write("kept.log")
    ground.git("add", "-f", "kept.log")
    ground.commit()
    fingerprints = ground.fingerprints()
    assert fingerprints.take().tree == ground.head()
    ground.git("rm", "-q", "--cached", "kept.log")
    ground.write("new.py")
    after = fingerprints.take()
    assert fingerprints.changed(ground.head(), after.tree) == {"new.py": "added", "kept.log": "deleted"}
    assert fingerprints.tree("") == ground.git("hash-object", "-t", "tree", "/dev/null")
    fingerprints.lay(after.tree, ground.base / "harness/room")
    assert (ground.base / "harness/room/new.py").read_text() == "text\n"


def test_a_linked_worktree_is_a_working_tree_of_its_own(tmp_path: Path):
    ground = Ground(tmp_path)
    other = tmp_path / "other"
    ground.git("worktree", "add", "-q", "-b", "side", str(other))
    (other / "kept.log").write_text("x\n")
    ground.git("add", "-f", "kept.log", cwd=other)
    fingerprints = Fingerprints(find_repository(other, ground.env), tmp_path / "harness/other")
    before = everything(ground.root)
    assert fingerprints.changed(ground.head(), fingerprints.take().tree) == {"kept.log": "added"}
    assert ground.fingerprints().take().tree == ground.head()
    assert everything(ground.root) == before


def test_a_detached_head_changes_nothing(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.git("checkout", "-q", "--detach")
    assert ground.fingerprints().take().tree == ground.head()


def test_in_a_conflict_the_files_count_as_they_lie_there(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.git("checkout", "-q", "-b", "side")
    ground.write("src/app.py", "answer = 1\n")
    ground.write("gone.log", "one\n")
    ground.git("add", "-f", "gone.log")
    ground.commit()
    ground.git("checkout", "-q", "main")
    ground.write("src/app.py", "answer = 2\n")
    ground.commit()
    fingerprints = ground.fingerprints()
    fingerprints.take()
    ground.git("merge", "side", ok=False)
    assert ground.find().busy == "merge"
    taken = fingerprints.take()
    content = fingerprints.content(taken.tree, "src/app.py")
    assert content is not None and content.startswith(b"<<<<<<<")
    assert fingerprints.content(taken.tree, "gone.log") == b"one\n"
    assert taken.tree == ground.fresh()
    (ground.root / "src/app.py").unlink()
    assert fingerprints.content(fingerprints.take().tree, "src/app.py") is None


def test_files_only_intended_to_be_added_count(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.write("later.log", "one\n")
    ground.git("add", "-f", "--intent-to-add", "later.log")
    fingerprints = ground.fingerprints()
    assert fingerprints.content(fingerprints.take().tree, "later.log") == b"one\n"


def test_a_missing_index_means_what_the_commit_tracks(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.write("kept.log", "one\n")
    ground.git("add", "-f", "kept.log")
    ground.commit()
    (ground.root / ".git/index").unlink()
    assert ground.fingerprints().take().tree == ground.head()


@table_test("split", ["core.splitIndex", "feature.manyFiles", "core.untrackedCache"])
def test_any_form_of_the_users_index_can_be_read(tmp_path: Path, split: str):
    ground = Ground(tmp_path)
    ground.git("config", split, "true")
    ground.write("kept.log", "one\n")
    ground.git("add", "-f", "kept.log")
    ground.git("update-index", "--refresh")
    ground.commit()
    assert ground.fingerprints().take().tree == ground.head()


def test_a_sparse_checkout_keeps_what_it_leaves_out(tmp_path: Path):
    ground = Ground(tmp_path)
    for folder in ("docs", "tools"):
        for number in range(3):
            ground.write(f"{folder}/inner/page{number}.txt", f"{folder} {number}\n")
    ground.commit()
    full = ground.fingerprints(tmp_path / "harness/full").take()
    ground.git("sparse-checkout", "set", "src", "tools")
    assert not (ground.root / "docs").exists()
    fingerprints = ground.fingerprints()
    taken = fingerprints.take()
    assert (taken.tree, taken.absent) == (ground.head(), 3)
    assert taken.relevant != full.relevant
    ground.write("docs/inner/page1.txt", "mine\n")
    ground.write("src/app.py", "answer = 42\n")
    after = fingerprints.take()
    assert after.absent == 2
    assert fingerprints.changed(taken.tree, after.tree) == {
        "docs/inner/page1.txt": "modified",
        "src/app.py": "modified",
    }
    (ground.root / "docs/inner/page1.txt").unlink()
    ground.write("src/app.py", "answer = 41\n")
    assert fingerprints.take() == taken
    ground.git("sparse-checkout", "disable")
    assert fingerprints.take() == full


def test_a_file_hidden_as_sparse_and_deleted_is_noticed(tmp_path: Path):
    ground = Ground(tmp_path)
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    ground.git("update-index", "--skip-worktree", "src/app.py")
    (ground.root / "src/app.py").unlink()
    after = fingerprints.take()
    assert (after.tree, after.absent) == (before.tree, 1)
    assert after.relevant != before.relevant


def test_a_partial_clone_asks_nobody_for_what_it_lacks(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.write("src/app.py", "answer = 42\n")
    ground.commit()
    ground.git("config", "uploadpack.allowFilter", "true")
    ground.git(
        "clone", "-q", "--filter=blob:none", f"file://{ground.root}", str(tmp_path / "partial"), cwd=tmp_path
    )
    found = find_repository(tmp_path / "partial", ground.env)
    ground.root.rename(tmp_path / "away")
    fingerprints = Fingerprints(found, tmp_path / "harness/partial")
    taken = fingerprints.take()
    assert taken.tree == fingerprints.tree(found.head)
    before = fingerprints.tree(found.commit("HEAD~1"))
    assert fingerprints.changed(before, taken.tree) == {"src/app.py": "modified"}
    assert fingerprints.content(before, "src/app.py") is None
    fingerprints.lay(taken.tree, tmp_path / "harness/room")
    assert (tmp_path / "harness/room/src/app.py").read_text() == "answer = 42\n"


def test_objects_that_the_repository_itself_borrows_are_found(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.git("clone", "-q", "--shared", str(ground.root), str(tmp_path / "shared"), cwd=tmp_path)
    found = find_repository(tmp_path / "shared", ground.env)
    fingerprints = Fingerprints(found, tmp_path / "harness/shared")
    assert fingerprints.content(fingerprints.tree(found.head), "README.md") == b"read me\n"


def test_the_home_of_the_harness_in_the_working_tree_is_no_part_of_it(tmp_path: Path):
    ground = Ground(tmp_path)
    ground.env["HOME"] = str(ground.root)
    ground.write(".cache/donewhen/rooms/x.py")
    ground.write(".local/state/donewhen/db")
    fingerprints = ground.fingerprints(ground.root / "deep/home")
    for _ in range(2):
        assert fingerprints.take().tree == ground.head()
    ground.git("add", "-f", ".cache/donewhen/rooms/x.py")
    assert fingerprints.take().tree == ground.head()


def test_files_that_come_and_go_while_they_are_read(tmp_path: Path):
    ground = Ground(tmp_path)
    code = (
        "import itertools, pathlib, sys\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "for number in itertools.count():\n"
        "    file = root / f'flicker{number % 40}.txt'\n"
        "    file.write_text('x' * (number % 3000))\n"
        "    (root / f'flicker{(number + 20) % 40}.txt').unlink(missing_ok=True)\n"
        "    if number == 0: print('going', flush=True)\n"
    )
    fingerprints = ground.fingerprints()
    with subprocess.Popen([sys.executable, "-c", code, str(ground.root)], stdout=subprocess.PIPE) as busy:
        try:
            assert busy.stdout is not None and busy.stdout.readline() == b"going\n"
            for _ in range(10):
                assert fingerprints.take().tree
        finally:
            busy.kill()
    for file in ground.root.glob("flicker*"):
        file.unlink()
    assert fingerprints.take().tree == ground.head()


def _as_nobody(ground: Ground, code: str) -> str:
    """The answer of code that runs without the rights of root."""
    if os.getuid() == 0:
        subprocess.run(["chown", "-R", "65534", str(ground.base)], check=True)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534 if os.getuid() == 0 else os.getuid())
            try:
                answer = repr(eval(code, {"ground": ground}))
            except SetupError as error:
                answer = f"{error.exit_code} {error}"
            os.write(writer, answer.encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return answer


@pytest.fixture
def open_ground():
    base = walled_folder()
    yield Ground(base / "ground")
    for folder in base.rglob("*"):
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o700)
    shutil.rmtree(base)


@pytest.mark.parametrize("path", ["src/app.py", "src/untracked.py"])
def test_an_unreadable_file_is_named(open_ground: Ground, path: str):
    open_ground.base.parent.chmod(0o755)
    open_ground.write(path, "secret\n").chmod(0)
    answer = _as_nobody(open_ground, "ground.fingerprints().take()")
    assert answer.startswith("5 ") and path in answer


def test_an_unreadable_folder_is_named(open_ground: Ground):
    open_ground.base.parent.chmod(0o755)
    open_ground.write("closed/code.py").parent.chmod(0)
    answer = _as_nobody(open_ground, "ground.fingerprints().take()")
    assert answer.startswith("5 ") and "closed" in answer


def test_an_unreadable_file_that_is_ignored_disturbs_nobody(open_ground: Ground):
    open_ground.base.parent.chmod(0o755)
    open_ground.write("build/closed.py").chmod(0)
    (open_ground.root / "build").chmod(0)
    answer = _as_nobody(open_ground, "ground.fingerprints().take().tree")
    assert answer == repr(open_ground.git("-c", "safe.directory=*", "rev-parse", "HEAD^{tree}"))
