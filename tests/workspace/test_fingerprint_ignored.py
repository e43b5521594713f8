"""What is no part of a tree: what the user's git ignores, environments and folders of tools; tracked files are."""

from pathlib import Path

import pytest

from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, ignored_now
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def environment(ground: Ground, path: str) -> None:
    ground.write(f"{path}/pyvenv.cfg", "home = /usr/bin\n")
    ground.write(f"{path}/bin/python", "#!/bin/false\n")
    ground.write(f"{path}/lib/python3.12/site-packages/pygments/lexers.py", "token = 'x'\n")


def exclude(ground: Ground, text: str) -> None:
    (ground.root / ".git/info").mkdir(exist_ok=True)
    (ground.root / ".git/info/exclude").write_text(text)


def changed(ground: Ground) -> dict[str, str]:
    fingerprints = ground.fingerprints()
    return dict(fingerprints.changed(ground.head(), fingerprints.take().tree))


@pytest.mark.parametrize("path", [".venv", "tools/deep/environment", "with space [1]"])
@pytest.mark.parametrize("first", [True, False])
def test_an_environment_is_left_out_wherever_it_is(ground: Ground, path: str, first: bool):
    if not first:
        ground.fingerprints().take()
    environment(ground, path)
    ground.write("new.py")
    assert changed(ground) == {"new.py": "added"}
    assert changed(ground) == {"new.py": "added"}
    assert ground.fingerprints().beside()


def test_a_folder_that_is_no_longer_an_environment_counts(ground: Ground):
    environment(ground, "env")
    assert changed(ground) == {}
    (ground.root / "env/pyvenv.cfg").unlink()
    assert "env/bin/python" in changed(ground)


def test_a_mark_among_tracked_files_hides_nothing(ground: Ground):
    environment(ground, "src")
    ground.write("src/new.py")
    assert changed(ground)["src/new.py"] == "added"


@pytest.mark.parametrize(
    "path", ["web/node_modules/m/index.js", "a/__pycache__/x.pyc", ".tox/log", ".idea/x.xml", "a/.DS_Store"]
)
def test_folders_of_tools_are_left_out_unless_tracked(ground: Ground, path: str):
    ground.write(path, "one\n")
    assert changed(ground) == {}
    ground.git("add", "-f", path)
    ground.git("commit", "-q", "-m", "vendored")
    ground.write(path, "two\n")
    assert changed(ground) == {path: "modified"}


def test_what_the_exclude_file_names_is_left_out_unless_tracked(ground: Ground):
    exclude(ground, "notes.txt\nREADME.md")
    ground.write("notes.txt")
    ground.write("README.md", "other\n")
    assert changed(ground) == {"README.md": "modified"}
    exclude(ground, "")
    assert changed(ground) == {"README.md": "modified", "notes.txt": "added"}


def test_the_exclude_file_says_nothing_about_repositories_inside(ground: Ground):
    exclude(ground, "hidden.py\n")
    ground.git("init", "-q", "inner")
    ground.write("inner/hidden.py")
    environment(ground, "inner/.venv")
    fingerprints = ground.fingerprints()
    taken = fingerprints.take()
    paths = fingerprints.changed(ground.head(), taken.whole)
    assert {path for path in paths if path.startswith("inner/")} == {"inner/hidden.py"}


def test_rules_that_were_kept_hold_whatever_is_written_later(ground: Ground):
    exclude(ground, "mine.txt\n")
    rules = ignored_now(ground.find(), ground.env)
    exclude(ground, "*\n")
    ground.write("mine.txt")
    ground.write("new.py")
    fingerprints = ground.fingerprints(ignored=rules)
    assert fingerprints.changed(ground.head(), fingerprints.take().tree) == {"new.py": "added"}
    assert changed(ground) == {}
    rules.keep(ground.home / KEPT_RULES)
    assert changed(ground) == {"new.py": "added"}
