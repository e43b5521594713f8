"""Rooms hold exactly one tree and are git working trees of their own; nothing of the user's is in reach."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.rooms import clean_room, open_room, room
from tests.workspace.rooms_scene import Scene, contents, names_in


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def prepared(scene: Scene) -> tuple[Repository, Fingerprints, str, Places]:
    """What every room needs: the repository, its fingerprints, the tree as it is now, the places."""
    fingerprints = Fingerprints(scene.repository, scene.places.home)
    return scene.repository, fingerprints, fingerprints.take().tree, scene.places


def shipped(scene: Scene) -> dict[str, bytes]:
    return {name: data for name, data in contents(scene.root).items() if not name.startswith("ignored/")}


def test_an_exam_room_holds_the_dirty_tree_and_the_user_notices_nothing(scene):
    scene.dirty()
    before = scene.state()
    with open_room(*prepared(scene)) as opened:
        assert opened.folder == scene.places.rooms / "exam"
        assert contents(opened.folder) == shipped(scene)
        assert opened.notes == ()
    assert scene.state() == before
    assert contents(opened.folder) == shipped(scene)  # it is kept


def test_git_in_a_room_tells_what_it_would_tell_in_the_working_tree(scene):
    scene.dirty()
    with open_room(*prepared(scene)) as opened:

        def both(*words: str) -> tuple[str, str]:
            return scene.git(*words, cwd=opened.folder), scene.git(*words)

        for words in (
            ("rev-parse", "HEAD"),
            ("symbolic-ref", "HEAD"),
            ("describe", "--tags", "--long"),
            ("log", "--format=%H %s"),
            ("branch", "--list", "--format=%(refname)"),
            ("tag", "--list"),
        ):
            here, there = both(*words)
            assert here == there, words
        assert scene.git("ls-files", cwd=opened.folder).split() == sorted(shipped(scene))
        assert scene.git("diff-files", "--name-only", cwd=opened.folder) == ""
        assert scene.git("diff-index", "--cached", "--name-only", "HEAD", cwd=opened.folder).split() == [
            "app.py",
            "new.py",
            "staged.py",
        ]
        assert scene.git("stash", "list", cwd=opened.folder) == ""


def test_a_commit_in_a_room_reaches_nothing_of_the_users(scene):
    with open_room(*prepared(scene)) as opened:
        before, objects = scene.state(), sorted((scene.root / ".git/objects").rglob("*"))
        scene.write("more.py", "more\n", opened.folder)
        scene.commit("in the room", opened.folder)
        scene.git("tag", "-f", "v1.0", cwd=opened.folder)
        scene.git("gc", "-q", cwd=opened.folder)
    assert scene.state() == before
    assert sorted((scene.root / ".git/objects").rglob("*")) == objects


def test_a_kept_room_is_brought_up_to_date_and_keeps_what_was_installed(scene):
    with open_room(*prepared(scene)) as opened:
        unchanged = opened.folder / "pkg/deep/module.py"
        os.utime(unchanged, (1_000_000_000, 1_000_000_000))
        scene.write("ignored/installed", "x", opened.folder)
        opened.settle()
        scene.write("app.py", "broken by a test\n", opened.folder)
        (opened.folder / ".gitignore").unlink()
    scene.write("app.py", "newer\n")
    scene.write("added.py", "added\n")
    scene.commit("newer")
    with open_room(*prepared(scene)) as opened:
        found = contents(opened.folder)
        assert found.pop("ignored/installed") == b"x"
        assert found == shipped(scene)
        assert unchanged.stat().st_mtime == 1_000_000_000
        assert scene.git("status", "--porcelain", cwd=opened.folder) == ""
        assert scene.git("log", "-1", "--format=%s", cwd=opened.folder) == "newer"
        (scene.root / "added.py").unlink()
    with open_room(*prepared(scene)) as opened:
        assert not (opened.folder / "added.py").exists()


def test_what_an_exam_wrote_into_its_git_directory_is_neither_run_nor_kept(scene):
    marker = scene.base / "ran"
    program = scene.write("evil", f"#!/bin/sh\ntouch {marker}\ncat\n", scene.base)
    program.chmod(0o755)
    scene.write(".gitattributes", "*.py filter=evil\n")
    scene.commit("attributes")
    with open_room(*prepared(scene)) as opened:
        for key in ("filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "core.hooksPath"):
            scene.git("config", key, str(program), cwd=opened.folder)
        scene.write(".git/hooks/post-checkout", program.read_text(), opened.folder).chmod(0o755)
    scene.write("app.py", "newer\n")
    with open_room(*prepared(scene)) as opened:
        assert "evil" not in (opened.folder / ".git/config").read_text()
        assert not (opened.folder / ".git/hooks").exists()
    (opened.folder / ".git").rename(scene.base / "moved")
    (opened.folder / ".git").symlink_to(scene.root / ".git")
    before = scene.state()
    with open_room(*prepared(scene)) as opened:
        assert not (opened.folder / ".git").is_symlink()
    assert scene.state() == before
    assert not marker.exists()


def test_a_folder_swapped_for_a_link_does_not_lead_out_of_the_room(scene):
    outside = scene.base / "outside"
    (outside / "deep").mkdir(parents=True)
    with open_room(*prepared(scene)) as opened:
        (opened.folder / "pkg").rename(opened.folder / "moved")
        (opened.folder / "pkg").symlink_to(outside)
    with open_room(*prepared(scene)) as opened:
        assert (opened.folder / "pkg/deep/module.py").read_text() == "two = 2\n"
        assert not (opened.folder / "pkg").is_symlink()
    assert contents(outside) == {}
    opened.folder.rename(scene.base / "away")
    opened.folder.symlink_to(outside)
    with open_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == shipped(scene)
    assert contents(outside) == {}


def test_two_processes_do_not_sit_in_one_room(scene):
    args = prepared(scene)
    with open_room(*args), pytest.raises(SetupError, match=f"process {os.getpid()}"), open_room(*args):
        pass
    with open_room(*args), open_room(*args, name="second") as other:
        assert contents(other.folder) == shipped(scene)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".", "clean room", "clean-1", "x" * 99])
def test_a_name_that_is_none_of_a_room_is_refused(scene, name):
    args = prepared(scene)
    with pytest.raises(SetupError, match="no name of a room"):
        room(scene.places, name)
    with pytest.raises(SetupError, match="no name of a room"), open_room(*args, name=name):
        pass
    assert names_in(scene.places.rooms) == []


def test_a_clean_room_is_fresh_and_goes(scene):
    scene.dirty()
    before = scene.state()
    with clean_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == shipped(scene)
        scene.write("ignored/sub/file", "x", opened.folder).chmod(0o400)
        (opened.folder / "ignored/sub").chmod(0o500)
        (opened.folder / "out").symlink_to(scene.root)
    assert names_in(scene.places.rooms) == []
    assert scene.state() == before


def test_a_clean_room_of_a_commit_has_it_as_head(scene):
    commit = scene.git("rev-parse", "v1.0^{commit}")
    repository, fingerprints, _, places = prepared(scene)
    with clean_room(repository, fingerprints, fingerprints.tree(commit), places, commit) as opened:
        assert (opened.folder / "app.py").read_text() == "one = 1\n"
        assert scene.git("rev-parse", "HEAD", cwd=opened.folder) == commit
        assert scene.git("describe", "--dirty", cwd=opened.folder) == "v1.0"


def test_a_clean_room_goes_also_when_the_exam_fails(scene):
    with pytest.raises(ZeroDivisionError), clean_room(*prepared(scene)):
        raise ZeroDivisionError
    assert names_in(scene.places.rooms) == []


LEAVE = """
import os, signal, sys
from pathlib import Path
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.places import places
from donewhen.workspace.rooms.rooms import clean_room
env = dict(os.environ)
repository = find_repository(Path(sys.argv[1]), env)
where = places(repository, env)
fingerprints = Fingerprints(repository, where.home)
with clean_room(repository, fingerprints, fingerprints.take().tree, where) as room:
    os.write(1, os.fsencode(room.folder.name) + b"\\n")
    sys.stdin.read()
"""


def test_rooms_of_killed_processes_are_swept_and_those_of_living_ones_stay(scene):
    children = [
        subprocess.Popen(
            [sys.executable, "-c", LEAVE, str(scene.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=scene.env,
        )
        for _ in range(2)
    ]
    names = [child.stdout.readline().decode().strip() for child in children if child.stdout]
    children[0].send_signal(signal.SIGKILL)
    children[0].communicate()
    half_gone = scene.places.rooms / "clean-0123.gone-4567"
    half_gone.mkdir()
    with clean_room(*prepared(scene)):
        left = names_in(scene.places.rooms)
        assert names[1] in left
        assert not [name for name in left if name.startswith((names[0], "clean-0123"))]
    children[1].communicate()
    assert names_in(scene.places.rooms) == []


def unborn(scene: Scene) -> None:
    scene.root = scene.base / "unborn"
    scene.git("init", "-q", "-b", "trunk", str(scene.root), cwd=scene.base)
    scene.write("app.py", "one\n")


def test_a_repository_without_commits_has_rooms_too(scene):
    unborn(scene)
    for opening in (open_room, clean_room):
        with opening(*prepared(scene)) as opened:
            assert contents(opened.folder) == {"app.py": b"one\n"}
            assert scene.git("symbolic-ref", "HEAD", cwd=opened.folder) == "refs/heads/trunk"
            assert scene.git("ls-files", cwd=opened.folder) == "app.py"


def test_sha256_a_detached_head_and_a_linked_worktree_will_do(tmp_path):
    scene = Scene(tmp_path, format="sha256")
    scene.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "v1.0")
    scene.root = tmp_path / "linked"
    with open_room(*prepared(scene)) as opened:
        assert contents(opened.folder) == contents(scene.root)
        assert scene.git("describe", "--dirty", cwd=opened.folder) == "v1.0"
        assert scene.git("rev-parse", "--abbrev-ref", "HEAD", cwd=opened.folder) == "HEAD"


def with_submodule(scene: Scene) -> None:
    scene.git("init", "-q", "-b", "main", str(scene.base / "lib"))
    scene.write("lib.txt", "lib", scene.base / "lib")
    scene.commit("lib", scene.base / "lib")
    scene.git("submodule", "--quiet", "add", str(scene.base / "lib"), "libs/lib")
    scene.commit("with lib")


def test_submodules_are_as_they_lie_in_an_exam_room_and_as_committed_in_a_clean_one(scene):
    with_submodule(scene)
    scene.write("libs/lib/lib.txt", "edited")
    for _ in range(2):
        with open_room(*prepared(scene)) as opened:
            assert contents(opened.folder) == contents(scene.root)
            assert scene.git("status", "--porcelain", cwd=opened.folder / "libs/lib") == "M  lib.txt"
    head = scene.git("rev-parse", "HEAD")
    repository, fingerprints, _, places = prepared(scene)
    with clean_room(repository, fingerprints, fingerprints.tree(head), places, head) as opened:
        assert (opened.folder / "libs/lib/lib.txt").read_text() == "lib"
        assert scene.git("status", "--porcelain", cwd=opened.folder) == ""
        assert all(folder.is_dir() for folder in opened.readable)


def test_a_submodule_that_is_not_checked_out_is_named(scene):
    with_submodule(scene)
    scene.git("submodule", "--quiet", "deinit", "-f", "libs/lib")
    with open_room(*prepared(scene)) as opened:
        assert [note.values for note in opened.notes] == [{"path": "libs/lib"}]
        assert scene.git("status", "--porcelain", cwd=opened.folder) == ""


def test_what_a_room_borrows_is_all_that_it_needs_to_read(scene):
    scene.git("clone", "-q", "--shared", str(scene.root), str(scene.base / "shared"), cwd=scene.base)
    original = scene.root
    scene.root = scene.base / "shared"
    scene.write("new.py", "new\n")
    with open_room(*prepared(scene)) as opened:
        wanted = {scene.root / ".git/objects", original / ".git/objects", scene.places.home / "objects"}
        assert set(opened.readable) == wanted


def test_a_room_of_a_run_workspace_works_like_one_of_the_users(scene):
    from donewhen.workspace.rooms.workspaces import open_workspace

    found = open_workspace(scene.repository, "r-20261115043750-0a1b2c", "HEAD", scene.places)
    scene.write("agent.py", "agent\n", found.folder)
    commit = scene.commit("agent", found.folder)
    inner = find_repository(found.folder, scene.env)
    fingerprints = Fingerprints(inner, found.home)
    with clean_room(inner, fingerprints, fingerprints.tree(commit), scene.places, commit) as opened:
        assert (opened.folder / "agent.py").read_text() == "agent\n"
        assert scene.git("log", "-1", "--format=%s", cwd=opened.folder) == "agent"


def test_a_room_whose_lease_is_held_waits_only_when_told_to(scene):
    places: Places = scene.places
    with lease(places.rooms / "exam"), pytest.raises(SetupError), open_room(*prepared(scene)):
        pass


def test_a_half_removed_git_directory_does_not_stay_in_the_room(scene):
    with open_room(*prepared(scene)) as opened:
        (opened.folder / ".git.gone-0123/objects").mkdir(parents=True)
    with open_room(*prepared(scene)) as opened:
        assert not list(opened.folder.glob(".git.gone*"))


def test_a_disk_that_refuses_is_said_with_the_next_step(scene):
    args = prepared(scene)
    rooms = args[3].rooms
    rooms.rmdir()
    rooms.write_text("")
    for opening in (open_room, clean_room):
        with pytest.raises(SetupError, match="DONEWHEN_CACHE_DIR"), opening(*args):
            pass
