"""Checkpoints and rollback of a workspace, whatever was done to its files meanwhile."""

import os
import shutil
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.checkpoints import checkpoint, rollback
from donewhen.workspace.rooms.workspaces import open_workspace
from tests.workspace.rooms_scene import RUN, Scene, contents


class Run:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        workspace = open_workspace(scene.repository, RUN, "HEAD", scene.places)
        self.folder = workspace.folder
        self.fingerprints = Fingerprints(find_repository(self.folder, scene.env), workspace.home)
        scene.write("agent.py", "agent\n", self.folder)
        scene.write("ignored/built", "built", self.folder)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(Scene(tmp_path))


def deleted(folder: Path) -> None:
    (folder / "app.py").unlink()
    shutil.rmtree(folder / "pkg")


def replaced_by_folder(folder: Path) -> None:
    (folder / "app.py").unlink()
    (folder / "app.py").mkdir()
    (folder / "app.py/inner").write_text("x")


def replaced_by_links(folder: Path) -> None:
    outside = folder.parent / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep/module.py").write_text("precious")
    shutil.rmtree(folder / "pkg")
    (folder / "pkg").symlink_to(outside)
    (folder / "app.py").unlink()
    (folder / "app.py").symlink_to(outside / "deep/module.py")


def made_read_only(folder: Path) -> None:
    (folder / "pkg/deep/module.py").write_text("changed\n")
    (folder / "pkg/deep/module.py").chmod(0o400)
    (folder / "pkg/deep").chmod(0o500)


def added(folder: Path) -> None:
    (folder / "new/deep").mkdir(parents=True)
    (folder / "new/deep/file").write_text("x")
    (folder / ".gitignore").write_text("*\n")


def committed(folder: Path) -> None:
    (folder / "app.py").write_text("committed\n")
    Scene.git(_git_of(folder), "add", "-A", cwd=folder)


def _git_of(folder: Path) -> Scene:
    scene = Scene.__new__(Scene)
    scene.root, scene.env = folder, {"PATH": os.environ["PATH"]}
    return scene


@pytest.mark.parametrize(
    "harm", [deleted, replaced_by_folder, replaced_by_links, made_read_only, added, committed]
)
def test_a_rollback_brings_back_what_was_there(run, harm):
    before = contents(run.folder)
    tree = checkpoint(run.fingerprints, "before")
    harm(run.folder)
    assert run.fingerprints.take().tree != tree
    changed = rollback(run.fingerprints, "before")
    assert changed
    assert contents(run.folder) == before
    assert run.fingerprints.take().tree == tree
    outside = run.folder.parent / "outside/deep/module.py"
    assert not outside.exists() or outside.read_text() == "precious"


def test_checkpoints_are_kept_apart_and_outlive_the_process_that_made_them(run):
    first = checkpoint(run.fingerprints, "1")
    (run.folder / "app.py").write_text("second\n")
    second = checkpoint(run.fingerprints, "2")
    again = Fingerprints(find_repository(run.folder, run.scene.env), run.scene.places.homes / RUN)
    assert again.kept() == {"1": first, "2": second}
    rollback(again, "1")
    assert (run.folder / "app.py").read_text() == "one = 11\n"
    rollback(again, "2")
    assert (run.folder / "app.py").read_text() == "second\n"
    assert rollback(again, "2") == {}


def test_a_checkpoint_that_is_not_there_is_said(run):
    with pytest.raises(SetupError, match="no checkpoint never"):
        rollback(run.fingerprints, "never")
