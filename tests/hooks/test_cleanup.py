"""The workspace of a failed run goes only when nothing is lost, and after all other hooks."""

from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.hooking import PASSED
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.leaving import Kept, Removed, remove_workspace
from donewhen.workspace.rooms.workspaces import Workspace, open_workspace
from tests.hooks.ground import Ground
from tests.workspace.rooms_scene import RUN, Scene


@pytest.fixture
def opened(ground: Ground, tmp_path: Path) -> tuple[Repository, Workspace]:
    """A real repository, and the workspace of a run in it."""
    ground.user(on_failure=["cleanup-worktree-on-fail"])
    (tmp_path / "scene").mkdir()
    scene = Scene(tmp_path / "scene")
    return scene.repository, open_workspace(scene.repository, RUN, "HEAD", scene.places, "clone")


def removing(repository: Repository, workspace: Workspace):
    async def remove() -> Removed | Kept:
        return remove_workspace(workspace, repository)

    return remove


def test_an_untouched_workspace_is_removed(ground: Ground, opened):
    repository, workspace = opened
    hooks = ground.hooks(workspace=workspace.folder, remove=removing(repository, workspace))
    verdict = ground.call("on_fail", hooks)
    assert "was removed" in verdict.notes[0] and not workspace.folder.exists()


def test_work_is_never_lost(ground: Ground, opened):
    repository, workspace = opened
    (workspace.folder / "work.py").write_text("hours of it")
    hooks = ground.hooks(workspace=workspace.folder, remove=removing(repository, workspace))
    verdict = ground.call("on_fail", hooks)
    assert "was kept" in verdict.notes[0] and str(workspace.folder) in verdict.notes[0]
    assert (workspace.folder / "work.py").read_text() == "hours of it"
    assert ground.recorded[0].outcome == "noted"


def test_other_hooks_still_find_the_workspace(ground: Ground, opened):
    repository, workspace = opened
    told = {"name": "tell", "point": "on_fail", "command": ["/bin/sh", "-c", "test -d .git"], "priority": 900}
    ground.user(on_failure=["cleanup-worktree-on-fail"], commands=[told])
    ground.call("on_fail", ground.hooks(workspace=workspace.folder, remove=removing(repository, workspace)))
    assert [(event.hook, event.outcome) for event in ground.recorded] == [
        ("tell", "passed"),
        ("cleanup-worktree-on-fail", "noted"),
    ]
    assert not workspace.folder.exists()


@pytest.mark.parametrize("error", [SetupError("process.nothing_to_run"), PermissionError(13, "denied")])
def test_a_removal_that_fails_is_told(ground: Ground, error):
    async def remove() -> Removed | Kept:
        raise error

    ground.user(on_failure=["cleanup-worktree-on-fail"])
    verdict = ground.call("on_fail", ground.hooks(remove=remove))
    assert "was kept" in verdict.notes[0] and not verdict.blocked


def test_in_the_users_own_folder_there_is_nothing_to_remove(ground: Ground):
    ground.user(on_failure=["cleanup-worktree-on-fail"])
    assert ground.call("on_fail") == PASSED
    assert ground.workspace.is_dir()
