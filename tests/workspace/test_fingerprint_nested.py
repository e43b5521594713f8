"""Repositories inside: their commit is in the tree, their files in what evidence is compared with."""

import shutil
from pathlib import Path

import pytest

from tests.workspace.git_ground import Ground, everything, files_in


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def inner(ground: Ground, path: str = "inner", commit: bool = True) -> Path:
    folder = ground.root / path
    folder.mkdir(parents=True)
    ground.git("init", "-q", cwd=folder)
    ground.write(f"{path}/code.py", "one\n")
    ground.write(f"{path}/.gitignore", "*.out\n")
    if commit:
        ground.commit(cwd=folder)
    return folder


def submodule(ground: Ground) -> Path:
    library = ground.base / "library"
    library.mkdir()
    ground.git("init", "-q", cwd=library)
    (library / "code.py").write_text("one\n")
    ground.commit(cwd=library)
    ground.git("submodule", "--quiet", "add", str(library), "lib")
    ground.commit()
    return ground.root / "lib"


def test_a_submodule_is_its_commit_in_the_tree(ground: Ground):
    submodule(ground)
    fingerprints = ground.fingerprints()
    taken = fingerprints.take()
    assert taken.tree == ground.head()
    assert fingerprints.content(taken.whole, "lib/code.py") == b"one\n"


def test_uncommitted_work_in_a_submodule_changes_what_is_relevant(ground: Ground):
    folder = submodule(ground)
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (folder / "code.py").write_text("two\n")
    after = fingerprints.take()
    assert after.tree == before.tree
    assert after.relevant != before.relevant
    assert fingerprints.changed(before.whole, after.whole) == {"lib/code.py": "modified"}
    (folder / "new.py").write_text("new\n")
    assert "lib/new.py" in fingerprints.changed(after.whole, fingerprints.take().whole)
    ground.commit(cwd=folder)
    assert fingerprints.changed(before.tree, fingerprints.take().tree) == {"lib": "modified"}


def test_a_submodule_that_is_not_there_stays_as_it_is_tracked(ground: Ground):
    folder = submodule(ground)
    ground.git("submodule", "--quiet", "deinit", "--force", "lib")
    assert list(folder.iterdir()) == []
    fingerprints = ground.fingerprints()
    taken = fingerprints.take()
    assert taken.tree == ground.head()
    (folder / "slipped-in.py").write_text("x\n")
    assert fingerprints.take().tree == taken.tree
    assert fingerprints.take().relevant != taken.relevant
    shutil.rmtree(folder)
    assert fingerprints.changed(taken.tree, fingerprints.take().tree) == {"lib": "deleted"}


def test_a_git_directory_that_goes_hides_no_files(ground: Ground):
    folder = submodule(ground)
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (folder / ".git").unlink()
    (folder / "code.py").write_text("two\n")
    assert fingerprints.take().relevant != before.relevant


def test_the_files_of_a_repository_without_commit_are_files_of_the_tree(ground: Ground):
    """git would leave them out; whoever made them would hide them from every judgement."""
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    folder = inner(ground, commit=False)
    taken = fingerprints.take()
    assert taken.tree == taken.whole
    assert fingerprints.changed(before.tree, taken.tree) == {
        "inner/.gitignore": "added",
        "inner/code.py": "added",
    }
    (folder / "code.py").write_text("two\n")
    assert fingerprints.take().relevant != taken.relevant
    fingerprints.restore(taken.tree)
    assert fingerprints.take() == taken
    assert (folder / "code.py").read_text() == "one\n"
    assert (folder / ".git/HEAD").is_file()


def test_a_repository_without_commit_in_one_without_commit_is_seen_too(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    inner(ground, commit=False)
    inner(ground, "inner/deep", commit=False)
    assert "inner/deep/code.py" in fingerprints.changed(before.tree, fingerprints.take().tree)


def test_a_repository_that_nobody_tracks_is_a_commit_in_the_tree(ground: Ground):
    folder = inner(ground)
    commit = ground.git("rev-parse", "HEAD", cwd=folder)
    fingerprints = ground.fingerprints()
    first = fingerprints.take()
    assert fingerprints.changed(ground.head(), first.tree) == {"inner": "added"}
    assert ground.git("-c", "advice.addEmbeddedRepo=false", "add", "-A") == ""
    assert ground.git("ls-files", "-s", "inner").split()[1] == commit
    assert fingerprints.take().tree == first.tree == ground.fresh()


def test_ignored_files_in_a_repository_inside_do_not_count(ground: Ground):
    folder = inner(ground)
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (folder / "noise.out").write_text("x")
    assert fingerprints.take() == before
    ground.git("add", "-f", "noise.out", cwd=folder)
    assert fingerprints.take().relevant != before.relevant


def test_a_folder_that_becomes_a_repository_hides_nothing(ground: Ground):
    fingerprints = ground.fingerprints()
    ground.write("extra/code.py", "one\n")
    ground.write("extra/more.py", "one\n")
    before = fingerprints.take()
    ground.git("init", "-q", cwd=ground.root / "src")
    ground.git("init", "-q", cwd=ground.root / "extra")
    ground.commit(cwd=ground.root / "extra")
    middle = fingerprints.take()
    assert middle.whole == before.whole
    ground.write("src/app.py", "answer = 42\n")
    ground.write("extra/code.py", "two\n")
    ground.write("extra/new.py", "new\n")
    after = fingerprints.take()
    assert fingerprints.changed(middle.whole, after.whole) == {
        "src/app.py": "modified",
        "extra/code.py": "modified",
        "extra/new.py": "added",
    }


def test_a_repository_that_becomes_a_plain_folder_is_plain_again(ground: Ground):
    folder = inner(ground)
    fingerprints = ground.fingerprints()
    fingerprints.take()
    shutil.rmtree(folder / ".git")
    taken = fingerprints.take()
    assert set(fingerprints.changed(ground.head(), taken.tree)) == {"inner/.gitignore", "inner/code.py"}
    assert taken.tree == taken.whole == ground.fresh()


def test_a_repository_inside_that_gets_ignored_leaves(ground: Ground):
    inner(ground)
    fingerprints = ground.fingerprints()
    fingerprints.take()
    ground.write(".gitignore", "*.log\nbuild/\ninner/\n")
    taken = fingerprints.take()
    assert fingerprints.changed(ground.head(), taken.tree) == {".gitignore": "modified"}
    assert taken.whole == taken.tree


def test_an_ignore_rule_that_brings_back_everything_changes_nothing(ground: Ground):
    ground.write(".gitignore", "/*\n!/src\n!/inner/\n!/plain/\n")
    inner(ground)
    inner(ground, "plain", commit=False)
    fingerprints = ground.fingerprints()
    first = fingerprints.take()
    assert fingerprints.take() == first
    assert fingerprints.content(first.whole, "plain/code.py") == b"one\n"


def test_repositories_in_repositories(ground: Ground):
    inner(ground)
    deep = inner(ground, "inner/vendored/deep", commit=False)
    odd = inner(ground, "odd\nname/:(exclude)x")
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (deep / "code.py").write_text("two\n")
    middle = fingerprints.take()
    assert fingerprints.changed(before.whole, middle.whole) == {"inner/vendored/deep/code.py": "modified"}
    (odd / "code.py").write_text("two\n")
    changed = fingerprints.changed(middle.whole, fingerprints.take().whole)
    assert changed == {"odd\nname/:(exclude)x/code.py": "modified"}


def test_a_git_file_that_points_nowhere_makes_no_repository(ground: Ground):
    ground.write("inner/.git", "gitdir: /nowhere\n")
    ground.write("inner/code.py")
    ground.write("other/.git/config", "")
    ground.write("other/code.py")
    taken = ground.fingerprints().take()
    assert ground.fingerprints().content(taken.whole, "inner/code.py") is not None
    assert ground.fingerprints().content(taken.whole, "other/code.py") is not None


def test_nothing_is_written_in_repositories_inside(ground: Ground):
    submodule(ground)
    inner(ground)
    before = everything(ground.root)
    fingerprints = ground.fingerprints()
    fingerprints.lay(fingerprints.take().whole, ground.base / "harness/room")
    assert everything(ground.root) == before
    assert files_in(ground.base / "harness/room") == files_in(ground.root)
