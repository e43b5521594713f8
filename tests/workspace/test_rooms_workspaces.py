"""Run workspaces: a repository of the run's own, made from the user's without touching it."""

import os
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.workspaces import find_workspace, open_workspace
from tests.tables import table_test
from tests.workspace.rooms_scene import RUN, Scene, contents

KINDS = ("clone", "worktree")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def opened(scene, kind="clone", base=""):
    return open_workspace(scene.repository, RUN, base, scene.places, kind)


def find(scene):
    return find_workspace(RUN, scene.places)


@pytest.mark.parametrize("kind", KINDS)
def test_a_workspace_holds_the_base_on_a_branch_of_its_own(scene, kind):
    base = scene.git("rev-parse", "HEAD")
    before = contents(scene.root)
    found = opened(scene, kind)
    assert (found.folder, found.kind, found.branch) == (scene.places.runs / RUN, kind, f"donewhen/{RUN}")
    assert (found.base, found.run_id, found.notes) == (base, RUN, ())
    assert contents(found.folder) == before
    assert scene.git("status", "--porcelain", cwd=found.folder) == ""
    assert scene.git("symbolic-ref", "HEAD", cwd=found.folder) == f"refs/heads/donewhen/{RUN}"
    assert scene.git("rev-parse", "HEAD", cwd=found.folder) == base
    assert scene.pins() == [f"refs/donewhen/{RUN}/base"]
    assert scene.git("rev-parse", f"refs/donewhen/{RUN}/base") == base


@pytest.mark.parametrize("kind", KINDS)
def test_something_else_is_done_once_while_git_fills(scene, kind):
    done = []
    found = open_workspace(
        scene.repository, RUN, "", scene.places, kind, meanwhile=lambda: done.append(find(scene))
    )
    assert (done, find(scene)) == ([None], found)
    open_workspace(scene.repository, RUN, "", scene.places, kind, meanwhile=lambda: done.append(found))
    assert done == [None]


def test_what_fails_while_git_fills_leaves_no_workspace_that_is_taken_for_whole(scene):
    def fails() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        open_workspace(scene.repository, RUN, "", scene.places, meanwhile=fails)
    assert find(scene) is None
    assert contents(opened(scene).folder) == contents(scene.root)


def test_a_dirty_working_tree_is_neither_touched_nor_taken(scene):
    clean = contents(scene.root)
    scene.dirty()
    before = scene.state()
    found = opened(scene)
    assert contents(found.folder) == clean
    assert scene.state() == before


def test_any_commit_can_be_the_base(scene):
    found = opened(scene, base="v1.0")
    assert (found.folder / "app.py").read_text() == "one = 1\n"
    assert found.base == scene.git("rev-parse", "v1.0^{commit}")


def test_the_clone_sees_the_branches_as_those_of_origin_and_the_tags(scene):
    found = opened(scene)
    listed = scene.git("for-each-ref", "--format=%(refname)", cwd=found.folder).split()
    assert listed == [
        f"refs/heads/donewhen/{RUN}",
        "refs/remotes/origin/feature/one",
        "refs/remotes/origin/main",
        "refs/tags/v1.0",
    ]
    assert scene.git("describe", cwd=found.folder).startswith("v1.0-1-g")
    scene.git("branch", "later")
    scene.git("fetch", "-q", "origin", cwd=found.folder)
    assert scene.git("rev-parse", "origin/later", cwd=found.folder) == found.base
    assert scene.git("fsck", "--strict", cwd=found.folder) == ""


def test_the_clone_can_add_commit_stash_branch_and_merge_with_the_users_git_directory_read_only(scene):
    scene.dirty()
    before, objects = scene.state(), sorted((scene.root / ".git/objects").rglob("*"))
    found = opened(scene)
    scene.write("app.py", "agent\n", found.folder)
    scene.git("stash", "-q", cwd=found.folder)
    scene.git("switch", "-q", "-c", "other", "origin/feature/one", cwd=found.folder)
    scene.write("more.py", "more\n", found.folder)
    scene.commit("more", found.folder)
    scene.git("switch", "-q", f"donewhen/{RUN}", cwd=found.folder)
    scene.git("merge", "-q", "other", cwd=found.folder)
    scene.git("stash", "pop", "-q", cwd=found.folder)
    scene.commit("agent", found.folder)
    scene.git("gc", "-q", cwd=found.folder)
    assert scene.git("show", "HEAD:app.py", cwd=found.folder) == "agent"
    assert scene.state() == before
    assert sorted((scene.root / ".git/objects").rglob("*")) == objects


def test_a_push_reaches_nothing(scene):
    found = opened(scene)
    with pytest.raises(AssertionError, match="no-push"):
        scene.git("push", "origin", f"donewhen/{RUN}:main", cwd=found.folder)


def test_the_author_is_the_one_of_the_repository(scene):
    scene.git("config", "user.name", 'Quo"ted \\ Name')
    found = opened(scene)
    assert scene.git("config", "user.name", cwd=found.folder) == 'Quo"ted \\ Name'
    assert scene.git("config", "user.email", cwd=found.folder) == "somebody@example.org"


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_the_repository_says_is_run(scene, kind):
    marker = scene.base / "ran"
    hook = scene.write(".git/hooks/post-checkout", f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    for name in ("reference-transaction", "post-index-change"):
        os.link(hook, hook.with_name(name))
    template = scene.write("template/hooks/post-checkout", f"#!/bin/sh\ntouch {marker}\n", scene.base)
    template.chmod(0o755)
    scene.write(".gitattributes", "*.py filter=evil\n")
    scene.commit("attributes")
    scene.git("config", "init.templateDir", str(scene.base / "template"))
    scene.git("config", "core.fsmonitor", f"touch {marker}")
    for key in ("smudge", "clean", "process"):
        scene.git("config", f"filter.evil.{key}", f"touch {marker}; cat")
    scene.git("config", "filter.evil.required", "true")
    marker.unlink(missing_ok=True)  # the test's own git ran the hooks
    found = opened(scene, kind)
    assert (found.folder / "app.py").read_text() == "one = 11\n"
    assert not marker.exists()
    if kind == "clone":
        assert not list((found.folder / ".git").glob("hooks/*"))


@pytest.mark.parametrize("kind", KINDS)
def test_opening_again_continues_what_is_there(scene, kind):
    found = opened(scene, kind)
    scene.write("app.py", "work\n", found.folder)
    assert opened(scene, kind, found.base) == found
    assert (found.folder / "app.py").read_text() == "work\n"
    assert find_workspace(RUN, scene.places) == found
    assert find_workspace("r-20261115043750-ffffff", scene.places) is None


def test_another_base_for_the_same_run_is_refused_and_the_work_stays(scene):
    found = opened(scene)
    scene.write("app.py", "work\n", found.folder)
    with pytest.raises(SetupError, match="started from"):
        opened(scene, base="v1.0")
    assert (found.folder / "app.py").read_text() == "work\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_workspace_without_its_record_is_half_made_and_made_again(scene, kind):
    found = opened(scene, kind)
    found.record.unlink()
    (found.folder / "app.py").unlink()
    scene.write("left.over", "x", found.folder)
    assert opened(scene, kind) == found
    assert contents(found.folder) == contents(scene.root)
    assert sorted(path.name for path in found.folder.parent.iterdir()) == [RUN, f"{RUN}.json"]


def test_a_workspace_whose_git_directory_is_gone_is_refused_and_the_work_stays(scene):
    found = opened(scene)
    scene.write("app.py", "work\n", found.folder)
    (found.folder / ".git").rename(scene.base / "moved")
    with pytest.raises(SetupError, match="by hand"):
        opened(scene)
    assert (found.folder / "app.py").read_text() == "work\n"


def test_a_workspace_that_somebody_removed_by_hand_is_made_again(scene):
    found = opened(scene)
    found.folder.rename(scene.base / "moved")
    assert opened(scene) == found


def test_a_detached_head_and_a_linked_worktree_will_do(scene):
    scene.git("worktree", "add", "-q", "--detach", str(scene.base / "linked"), "v1.0")
    linked = find_repository(scene.base / "linked", scene.env)
    found = open_workspace(linked, RUN, linked.head, scene.places)
    assert (found.folder / "app.py").read_text() == "one = 1\n"


def test_sha256_repositories_work(tmp_path):
    scene = Scene(tmp_path, format="sha256")
    found = opened(scene)
    assert len(found.base) == 64
    scene.write("app.py", "agent\n", found.folder)
    assert len(scene.commit("agent", found.folder)) == 64


def test_a_repository_without_commits_is_refused_with_the_next_step(tmp_path):
    scene = Scene(tmp_path)
    empty = tmp_path / "empty"
    scene.git("init", "-q", str(empty))
    for base in ("", "HEAD"):
        with pytest.raises(SetupError, match="make a first commit"):
            open_workspace(find_repository(empty, scene.env), RUN, base, scene.places)


@pytest.mark.parametrize("base", ["nonsense", "--all", "HEAD:app.py", "f" * 40])
def test_a_base_that_is_no_commit_is_refused(scene, base):
    with pytest.raises(SetupError, match="no commit"):
        opened(scene, base=base)
    assert scene.pins() == []


@pytest.mark.parametrize("run", ["", "../x", "a/b", "-x", "x.lock", "a b", "a\n"])
def test_a_name_that_is_none_of_a_run_is_refused(scene, run):
    with pytest.raises(SetupError, match="no name of a run"):
        open_workspace(scene.repository, run, "HEAD", scene.places)


def test_a_cut_history_is_no_obstacle(scene):
    scene.git("clone", "-q", "--depth=1", f"file://{scene.root}", str(scene.base / "shallow"), cwd=scene.base)
    shallow = find_repository(scene.base / "shallow", scene.env)
    found = open_workspace(shallow, RUN, "HEAD", scene.places)
    assert scene.git("rev-list", "--count", "HEAD", cwd=found.folder) == "1"
    assert scene.git("fsck", cwd=found.folder) == ""


def test_a_repository_that_borrows_objects_itself_and_has_an_odd_name_will_do(scene):
    odd = scene.base / 'new\nline: "quoted" \\ '
    scene.git("clone", "-q", "--shared", str(scene.root), str(odd), cwd=scene.base)
    found = open_workspace(find_repository(odd, scene.env), RUN, "HEAD", scene.places)
    assert contents(found.folder) == contents(scene.root)
    assert scene.git("log", "--format=%s", "origin/main", cwd=found.folder) == "second\nfirst"


@pytest.mark.parametrize("kind", KINDS)
def test_submodules_come_from_the_users_own_and_absent_ones_are_named(scene, kind):
    for name in ("inner", "outer"):
        scene.git("init", "-q", "-b", "main", str(scene.base / name))
        scene.write(f"{name}.txt", name, scene.base / name)
        scene.commit(name, scene.base / name)
    scene.git(
        "submodule", "--quiet", "add", str(scene.base / "inner"), "deep/inner", cwd=scene.base / "outer"
    )
    scene.commit("with inner", scene.base / "outer")
    scene.git("submodule", "--quiet", "add", str(scene.base / "outer"), "libs/outer")
    scene.git("submodule", "--quiet", "add", str(scene.base / "inner"), "libs/gone")
    scene.git("submodule", "--quiet", "update", "--init", "--recursive")
    scene.commit("with outer")
    scene.git("submodule", "--quiet", "deinit", "-f", "libs/gone")
    before = scene.state()
    found = opened(scene, kind)
    assert (found.folder / "libs/outer/outer.txt").read_text() == "outer"
    assert (found.folder / "libs/outer/deep/inner/inner.txt").read_text() == "inner"
    assert scene.git("status", "--porcelain", cwd=found.folder) == ""
    assert [note.values for note in found.notes] == [{"path": "libs/gone"}]
    scene.write("outer.txt", "agent", found.folder / "libs/outer")
    scene.commit("agent", found.folder / "libs/outer")
    if kind == "clone":
        assert scene.state() == before
    assert opened(scene, kind, found.base).notes == found.notes


def with_filter(scene: Scene, smudge: str) -> None:
    """The user has a filter for all repositories, as LFS is one."""
    scene.write(".gitconfig", "", scene.home)
    for key, value in {"smudge": smudge, "clean": "tr A-Z a-z", "required": "true"}.items():
        scene.git("config", "--file", str(scene.home / ".gitconfig"), f"filter.loud.{key}", value)
    scene.write(".gitattributes", "*.loud filter=loud\n")
    scene.write("file.loud", "stored\n")
    scene.commit("with a filter")


@pytest.mark.parametrize("kind", KINDS)
def test_a_filter_of_the_users_own_works(scene, kind):
    with_filter(scene, "tr a-z A-Z")
    found = opened(scene, kind)
    assert (found.folder / "file.loud").read_text() == "STORED\n"
    assert found.notes == ()


def test_attributes_that_the_user_gives_everywhere_count(scene):
    with_filter(scene, "tr a-z A-Z")
    (scene.root / ".gitattributes").unlink()
    scene.commit("no attributes")
    scene.write(".config/git/attributes", "*.loud filter=loud\n", scene.home)
    assert (opened(scene).folder / "file.loud").read_text() == "STORED\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_filter_of_the_users_that_fails_is_said(scene, kind):
    with_filter(scene, "false")
    found = opened(scene, kind)
    assert (found.folder / "file.loud").read_text() == "stored\n"
    assert [note.key for note in found.notes] == ["rooms.without_filters"]
    assert find_workspace(RUN, scene.places) == found


@table_test("format", ["sha1", "sha256"])
def test_the_git_directory_has_the_form_that_git_gives_one(tmp_path, format):
    scene = Scene(tmp_path, format=format)
    made = opened(scene).folder
    scene.git("init", "-q", "--template=", f"--object-format={format}", str(tmp_path / "by-git"))
    settings = [scene.git("config", "--local", "--list", cwd=each) for each in (made, tmp_path / "by-git")]
    ours = [line for line in settings[0].splitlines() if not line.startswith(("user.", "remote."))]
    assert sorted(ours) == sorted(settings[1].splitlines())
    for part in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        assert (made / ".git" / part).is_dir()
    scene.git("fsck", "--strict", cwd=made)
    scene.write("new.py", "new\n", made)
    commit = scene.commit("by the agent", made)
    assert scene.git("rev-parse", f"donewhen/{RUN}", cwd=made) == commit
    assert "by the agent" in scene.git("reflog", cwd=made)


def test_a_linked_worktree_has_no_index_that_anybody_vouches_for(scene):
    found = opened(scene, "worktree")
    assert not (found.home / "seed").exists()
