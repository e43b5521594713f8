"""A workspace goes only when nothing is lost with it."""

import os
from pathlib import Path

import pytest

from donewhen.core.texts import say
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.leaving import Kept, Removed, remove_workspace
from donewhen.workspace.rooms.results import fetch_result
from donewhen.workspace.rooms.workspaces import open_workspace
from tests.workspace.rooms_scene import RUN, Scene, contents, names_in

KINDS = ("clone", "worktree")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def opened(scene, kind="clone"):
    return open_workspace(scene.repository, RUN, "HEAD", scene.places, kind)


def kept_because(scene, workspace) -> str:
    before = contents(workspace.folder)
    outcome = remove_workspace(workspace, scene.repository)
    assert isinstance(outcome, Kept)
    assert contents(workspace.folder) == before
    assert scene.pins() == [workspace.pin]
    return "\n".join(say(reason.key, **reason.values) for reason in outcome.reasons)


@pytest.mark.parametrize("kind", KINDS)
def test_an_untouched_workspace_goes_with_its_pin_and_leaves_nothing(scene, kind):
    scene.dirty()
    before = scene.state()
    found = opened(scene, kind)
    scene.write("ignored/cache", "x", found.folder)
    assert remove_workspace(found, scene.repository) == Removed(found.folder)
    assert scene.pins() == []
    assert names_in(scene.places.runs) == []
    assert names_in(scene.places.homes) == []
    if kind == "worktree":
        scene.git("branch", "-q", "-D", found.branch)
        assert scene.git("worktree", "list").count("\n") == 0
    assert scene.state() == before
    assert remove_workspace(found, scene.repository) == Removed(found.folder)


def test_commits_keep_it_until_they_are_fetched(scene):
    found = opened(scene)
    scene.write("app.py", "agent\n", found.folder)
    scene.commit("agent", found.folder)
    assert f"donewhen/{RUN} holds commits" in kept_because(scene, found)
    fetch_result(found, scene.repository, "result")
    assert isinstance(remove_workspace(found, scene.repository), Removed)


def test_fetched_objects_that_no_reference_reaches_keep_it(scene):
    found = opened(scene)
    scene.write("app.py", "agent\n", found.folder)
    scene.commit("agent", found.folder)
    fetch_result(found, scene.repository, "result")
    scene.git("branch", "-q", "-D", "result")
    assert "holds commits" in kept_because(scene, found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["edited", "deleted", "untracked", "staged", "link", "hidden"])
def test_anything_uncommitted_keeps_it(scene, kind, what):
    found = opened(scene, kind)
    file = found.folder / "app.py"
    if what in ("edited", "staged", "hidden"):
        file.write_text("one = 99\n")
    if what == "deleted":
        file.unlink()
    if what == "untracked":
        scene.write("pkg/new.py", "new\n", found.folder)
    if what == "staged":
        scene.git("add", "-A", cwd=found.folder)
    if what == "link":
        (found.folder / "link").symlink_to("/etc")
    if what == "hidden":
        scene.git("update-index", "--assume-unchanged", "app.py", cwd=found.folder)
        scene.git("config", "core.worktree", str(scene.root), cwd=found.folder)
    said = kept_because(scene, found)
    assert "not committed" in said


def test_work_that_is_not_committed_here_but_held_by_the_user_lets_it_go(scene):
    found = opened(scene)
    scene.write("app.py", "agent\n", found.folder)
    scene.git("switch", "-q", "-c", "same")
    scene.write("app.py", "agent\n")
    scene.commit("the same")
    held = scene.git("rev-parse", "HEAD^{tree}")
    scene.write("late.py", "late\n", found.folder)
    assert isinstance(remove_workspace(found, scene.repository, held), Kept)
    (found.folder / "late.py").unlink()
    assert "not committed" in kept_because(scene, found)
    assert remove_workspace(found, scene.repository, held) == Removed(found.folder)


def test_what_the_runs_own_exclude_file_hides_keeps_it(scene):
    found = opened(scene)
    scene.write(".git/info/exclude", "*\n", found.folder)
    scene.write("new.py", "new\n", found.folder)
    assert "new.py" in kept_because(scene, found)


def test_a_stash_entry_below_the_first_keeps_it(scene):
    found = opened(scene)
    scene.write("app.py", "first\n", found.folder)
    scene.git("stash", "-q", cwd=found.folder)
    assert "stash" in kept_because(scene, found)


@pytest.mark.parametrize("kind", KINDS)
def test_a_detached_head_keeps_it(scene, kind):
    found = opened(scene, kind)
    scene.git("checkout", "-q", "--detach", cwd=found.folder)
    scene.write("app.py", "agent\n", found.folder)
    commit = scene.commit("agent", found.folder)
    assert "HEAD holds commits" in kept_because(scene, found)
    scene.git("checkout", "-q", found.branch, cwd=found.folder)
    if kind == "worktree":
        scene.git("branch", "saved", commit)
    assert isinstance(remove_workspace(found, scene.repository), Removed)


@pytest.mark.parametrize("words", [("branch", "other"), ("tag", "light"), ("tag", "-a", "-m", "x", "heavy")])
def test_other_branches_and_tags_with_commits_keep_it(scene, words):
    found = opened(scene)
    scene.git("checkout", "-q", "--detach", cwd=found.folder)
    scene.write("app.py", "agent\n", found.folder)
    scene.commit("agent", found.folder)
    scene.git(*words, cwd=found.folder)
    scene.git("checkout", "-q", found.branch, cwd=found.folder)
    assert f"{words[-1]} holds commits" in kept_because(scene, found)


def test_a_tag_of_the_agents_on_the_users_commit_keeps_it(scene):
    found = opened(scene)
    scene.git("tag", "-a", "-m", "notes", "release", cwd=found.folder)
    assert "release" in kept_because(scene, found)


def test_an_unfinished_merge_keeps_it(scene):
    found = opened(scene)
    scene.git(
        "merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "v1.0", cwd=found.folder
    ) if False else None
    scene.write(".git/MERGE_HEAD", found.base + "\n", found.folder)
    assert "a merge is not finished" in kept_because(scene, found)


def test_whoever_holds_it_keeps_it(scene):
    found = opened(scene)
    with lease(found.folder):
        assert f"process {os.getpid()}" in kept_because(scene, found)
    assert isinstance(remove_workspace(found, scene.repository), Removed)


def test_a_link_in_its_place_keeps_what_it_points_to(scene):
    found = opened(scene)
    found.folder.rename(scene.base / "moved")
    found.folder.symlink_to(scene.base / "moved")
    assert "not the one that was made" in kept_because(scene, found)


def test_a_folder_that_the_harness_did_not_make_is_never_removed(scene):
    found = opened(scene)
    stranger = found._replace(folder=scene.root)
    assert isinstance(remove_workspace(stranger, scene.repository), Kept)
    assert (scene.root / "app.py").exists()


def test_a_git_directory_that_points_elsewhere_keeps_it(scene):
    found = opened(scene)
    (found.folder / ".git").rename(scene.base / "moved")
    (found.folder / ".git").write_text(f"gitdir: {scene.root}/.git\n")
    assert "not the one that was made" in kept_because(scene, found)


def test_a_broken_git_directory_keeps_it(scene):
    found = opened(scene)
    (found.folder / ".git/HEAD").unlink()
    assert kept_because(scene, found)


def test_working_trees_of_the_workspace_elsewhere_keep_it(scene):
    found = opened(scene)
    scene.git("worktree", "add", "-q", "--detach", str(scene.base / "elsewhere"), cwd=found.folder)
    assert "working trees of its own" in kept_because(scene, found)


def test_a_repository_inside_with_work_of_its_own_keeps_it(scene):
    found = opened(scene)
    inner = found.folder / "inner"
    scene.git("init", "-q", "-b", "main", str(inner))
    scene.write("file", "x", inner)
    scene.commit("inner", inner)
    scene.commit("outer", found.folder)
    fetch_result(found, scene.repository, "result")
    assert "inside at inner" in kept_because(scene, found)


def test_a_submodule_counts_like_the_workspace_itself(scene):
    scene.git("init", "-q", "-b", "main", str(scene.base / "lib"))
    scene.write("lib.txt", "lib", scene.base / "lib")
    scene.commit("lib", scene.base / "lib")
    scene.git("submodule", "--quiet", "add", str(scene.base / "lib"), "libs/lib")
    scene.commit("with lib")
    found = opened(scene)
    inner = found.folder / "libs/lib"
    scene.write("lib.txt", "edited", inner)
    assert "libs/lib/lib.txt" in kept_because(scene, found)
    scene.git("switch", "-q", "-c", "work", cwd=inner)
    scene.commit("edited", inner)
    scene.git("checkout", "-q", "--detach", "origin/main", cwd=inner)
    assert "libs/lib/work holds commits" in kept_because(scene, found)
    scene.git("branch", "-q", "-D", "work", cwd=inner)
    assert isinstance(remove_workspace(found, scene.repository), Removed)


def test_read_only_leftovers_are_no_obstacle(scene):
    found = opened(scene)
    scene.write("ignored/sub/file", "x", found.folder).chmod(0o400)
    (found.folder / "ignored/sub").chmod(0o500)
    assert isinstance(remove_workspace(found, scene.repository), Removed)
