"""What an exam leaves in a kept room neither helps nor hurts the next one; what the set-up made stays."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.leftovers import settle
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.rooms import open_room
from tests.folders import walled_folder
from tests.workspace.rooms_scene import Scene, as_other_user, contents


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def prepared(scene: Scene) -> tuple[Repository, Fingerprints, str, Places]:
    fingerprints = Fingerprints(scene.repository, scene.places.home)
    return scene.repository, fingerprints, fingerprints.take().tree, scene.places


def beside(scene: Scene, room: Path) -> set[str]:
    return set(contents(room)) - set(contents(scene.root))


def test_what_an_exam_left_goes_and_what_the_set_up_made_stays(scene: Scene):
    with open_room(*prepared(scene)) as opened:
        for path in ("built/extension.so", "pkg/made.egg-info", "ignored/made", ".venv/bin/python"):
            scene.write(path, "x", opened.folder)
        (opened.folder / "empty").mkdir()
        opened.settle()
        inode = opened.folder.stat().st_ino
        for path in (
            "conftest.py",
            "pkg/deep/left.py",
            "left/over/file",
            "ignored/build/evil.py",
            "ignored/evil",
            "built/evil.so",
            "pkg/__pycache__/app.pyc",
            "pkg/.git/config",
            "part/node_modules/evil/index.js",
        ):
            scene.write(path, "x", opened.folder)
        scene.git("init", "-q", str(opened.folder / "hidden"))
        (opened.folder / "link").symlink_to(scene.root)
        (opened.folder / "left/empty/folder").mkdir(parents=True)
    with open_room(*prepared(scene)) as opened:
        assert opened.folder.stat().st_ino == inode
        stays = {"built/extension.so", "pkg/made.egg-info", "ignored/made", ".venv/bin/python"}
        assert beside(scene, opened.folder) == stays
        folders = {path.name for path in opened.folder.iterdir() if path.is_dir()}
        assert folders == {".git", ".venv", "pkg", "built", "ignored", "empty"}
        assert not os.path.lexists(opened.folder / "pkg/.git")
        assert not os.path.lexists(opened.folder / "link")
    assert (scene.root / "app.py").exists()


def test_a_room_whose_set_up_never_ended_holds_the_tree_alone(scene: Scene):
    with open_room(*prepared(scene)) as opened:
        scene.write("ignored/half", "x", opened.folder)
        scene.write(".venv/half", "x", opened.folder)
    with open_room(*prepared(scene)) as opened:
        assert beside(scene, opened.folder) == set()


def rewrite(file: Path) -> None:
    """The same size, and the time of before."""
    facts = file.stat()
    file.write_text("y")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def replace_by_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/etc/hostname")


ALTERATIONS: dict[str, Callable[[Path], None]] = {
    "written": rewrite,
    "gone": Path.unlink,
    "executable": lambda file: file.chmod(0o755),
    "a link": replace_by_link,
    "its folder is gone": lambda file: shutil.rmtree(file.parent),
}


@pytest.mark.runs
@pytest.mark.parametrize("name", ALTERATIONS)
def test_a_room_in_which_the_work_of_the_set_up_was_altered_is_made_anew(scene: Scene, name: str):
    with open_room(*prepared(scene)) as opened:
        made = scene.write("ignored/made.egg-info/entry_points", "x", opened.folder)
        scene.write(".venv/bin/python", "x", opened.folder)
        opened.settle()
        ALTERATIONS[name](made)
    with open_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == contents(scene.root)
        scene.write("ignored/made", "x", opened.folder)
        opened.settle()
    with open_room(*prepared(scene)) as opened:
        assert beside(scene, opened.folder) == {"ignored/made"}


def test_prepared_folders_are_those_that_the_set_up_names(scene: Scene):
    with open_room(*prepared(scene)) as opened:
        sealed = scene.write("web/packages/one", "x", opened.folder)
        made = scene.write("web/.venv/one", "x", opened.folder)
        settle(opened.git, ["web/packages"])
        sealed.write_text("changed")
        scene.write("web/packages/two", "x", opened.folder)
        scene.write("web/.venv/two", "x", opened.folder)
    with open_room(*prepared(scene)) as opened:
        assert beside(scene, opened.folder) == {"web/packages/one", "web/packages/two", "web/.venv/one"}
        settle(opened.git, ["web/packages"])
        made.write_text("changed")
    with open_room(*prepared(scene)) as opened:
        assert beside(scene, opened.folder) == set()


def test_packages_that_are_partly_committed_stay_whole(scene: Scene):
    scene.write("node_modules/ours/index.js", "ours")
    scene.commit("packages")
    with open_room(*prepared(scene)) as opened:
        scene.write("node_modules/theirs/index.js", "theirs", opened.folder)
        opened.settle()
    with open_room(*prepared(scene)) as opened:
        assert beside(scene, opened.folder) == {"node_modules/theirs/index.js"}


def test_a_file_of_the_set_up_that_is_now_tracked_is_the_trees(scene: Scene):
    with open_room(*prepared(scene)) as opened:
        scene.write("version.py", "made", opened.folder)
        opened.settle()
    scene.write("version.py", "tracked")
    with open_room(*prepared(scene)) as opened:
        assert (opened.folder / "version.py").read_text() == "tracked"
        opened.settle()
    (scene.root / "version.py").unlink()
    with open_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == contents(scene.root)


def test_what_an_exam_left_in_a_repository_inside_goes_too(scene: Scene):
    scene.git("init", "-q", "-b", "main", str(scene.root / "inner"))
    scene.write("inner/code.py", "one")
    scene.commit("inner", scene.root / "inner")
    with open_room(*prepared(scene)) as opened:
        opened.settle()
        scene.write("inner/evil.py", "x", opened.folder)
    with open_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == contents(scene.root)
        opened.settle()
        scene.write("inner/code.py", "altered", opened.folder)
    scene.write("inner/code.py", "two")
    with open_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == contents(scene.root)


def closed_folder(base: Path) -> object:
    scene = Scene(base)
    with open_room(*prepared(scene)) as opened:
        scene.write("ignored/made", "x", opened.folder)
        opened.settle()
        (opened.folder / "ignored").chmod(0)
    with open_room(*prepared(scene)) as opened:
        return contents(opened.folder) == contents(scene.root)


def test_a_folder_that_an_exam_closed_is_no_obstacle():
    base = walled_folder()
    try:
        base.chmod(0o777)
        assert as_other_user(lambda: closed_folder(base)) == "True"
    finally:
        shutil.rmtree(base)
