"""The first fingerprint of a fresh workspace stores nothing again, and is what it would be without that."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.indexfile import BadIndex, blank, is_sound, whole
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.workspaces import Workspace, open_workspace
from tests.tables import table_test
from tests.workspace.rooms_scene import RUN, Scene, contents

MANY = 12


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    scene = Scene(tmp_path)
    for number in range(MANY):
        scene.write(f"many/f{number}.txt", f"number {number:03}\n")
    (scene.root / "run.sh").write_text("#!/bin/sh\n")
    (scene.root / "run.sh").chmod(0o755)
    (scene.root / "link").symlink_to("app.py")
    scene.commit("many")
    return scene


def fresh(scene: Scene, **options: Any) -> tuple[Workspace, Fingerprints]:
    workspace = open_workspace(scene.repository, RUN, "", scene.places)
    found = find_repository(workspace.folder, scene.env)
    return workspace, Fingerprints(found, workspace.home, **options)


def unseeded(scene: Scene, workspace: Workspace) -> Fingerprints:
    """One that was never told of the workspace."""
    home = scene.base / f"other-{os.urandom(4).hex()}"
    return Fingerprints(find_repository(workspace.folder, scene.env), home)


def blobs(scene: Scene, fingerprints: Fingerprints) -> list[str]:
    """The files that the harness stored itself."""
    folder = fingerprints.objects
    ids = [file.parent.name + file.name for file in folder.glob("[0-9a-f][0-9a-f]/*")]
    git = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(folder)}
    scene.env |= git
    kinds = [scene.git("cat-file", "-t", id) for id in ids]
    for name in git:
        del scene.env[name]
    return [id for id, kind in zip(ids, kinds, strict=True) if kind == "blob"]


def test_it_is_the_tree_of_the_base_and_stores_no_file(scene: Scene):
    workspace, fingerprints = fresh(scene)
    taken = fingerprints.take()
    assert taken.tree == scene.git("rev-parse", "HEAD^{tree}")
    assert taken == unseeded(scene, workspace).take()
    assert blobs(scene, fingerprints) == []
    assert fingerprints.take() == taken
    assert blobs(scene, fingerprints) == []
    assert fingerprints.changed(taken.tree, fingerprints.take().tree) == {}


def attributes(scene: Scene) -> None:
    scene.write(".gitattributes", "*.txt text eol=crlf\n")


def attributes_later(scene: Scene) -> None:
    """Content that the attributes would not have let in."""
    (scene.root / "many/crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    scene.commit("as it is")
    scene.write(".gitattributes", "* text=auto\n")


def line_ends_of_the_user(scene: Scene) -> None:
    (scene.root / "many/crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    (scene.home / ".gitconfig").write_text("[core]\n\tautocrlf = input\n")


def attributes_of_the_user(scene: Scene) -> None:
    (scene.root / "many/crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    (scene.home / ".config/git").mkdir(parents=True)
    (scene.home / ".config/git/attributes").write_text("*.txt text\n")


def filters_of_the_user(scene: Scene) -> None:
    (scene.home / ".gitconfig").write_text('[filter "up"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n')
    scene.write(".gitattributes", "*.txt filter=up\n")


def tracked_though_ignored(scene: Scene) -> None:
    scene.write("ignored/kept.txt", "kept\n")
    scene.git("add", "-f", "ignored/kept.txt")


def a_repository_inside(scene: Scene) -> None:
    inner = scene.root / "inner"
    scene.git("init", "-q", str(inner))
    scene.write("inner/x.txt", "x\n")
    scene.commit("inner", inner)


def odd_names(scene: Scene) -> None:
    for name in (
        b"caf\xe9",
        b"line\nbreak",
        b'quo"te',
        b"back\\slash",
        b"tab\t",
        b".gitlab-ci.yml",
        b".git-x",
    ):
        Path(os.fsdecode(os.fsencode(scene.root) + b"/" + name)).write_text("odd\n")


def empty_files(scene: Scene) -> None:
    scene.write("many/empty.txt", "")


@pytest.mark.runs
@pytest.mark.parametrize(
    "made",
    [
        attributes,
        attributes_later,
        line_ends_of_the_user,
        attributes_of_the_user,
        filters_of_the_user,
        tracked_though_ignored,
        a_repository_inside,
        odd_names,
        empty_files,
    ],
)
def test_whatever_a_repository_holds_it_is_what_it_would_be_unseeded(
    scene: Scene, made: Callable[[Scene], None]
):
    made(scene)
    scene.commit("odd")
    workspace, fingerprints = fresh(scene)
    taken = fingerprints.take()
    assert taken == unseeded(scene, workspace).take()
    (workspace.folder / "many/f3.txt").write_text("changed\n")
    (workspace.folder / "many/f4.txt").unlink()
    taken = fingerprints.take()
    assert taken == unseeded(scene, workspace).take()


@table_test("format", ["sha1", "sha256"])
def test_both_kinds_of_ids(tmp_path: Path, format: str):
    scene = Scene(tmp_path, format=format)
    for number in range(MANY):
        scene.write(f"f{number}.txt", f"{number}\n")
    scene.commit("many")
    _, fingerprints = fresh(scene)
    assert fingerprints.take().tree == scene.git("rev-parse", "HEAD^{tree}")
    assert blobs(scene, fingerprints) == []


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_an_edit_of_equal_size_with_its_time_set_back_is_seen(scene: Scene, looks: int):
    workspace, fingerprints = fresh(scene)
    for number in range(looks):
        assert fingerprints.take().tree == scene.git("rev-parse", "HEAD^{tree}"), number
    for number in range(MANY):
        file = workspace.folder / f"many/f{number}.txt"
        facts = file.stat()
        with file.open("r+b") as stream:
            stream.write(b"nUmber")
        os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        tree = fingerprints.take().tree
        assert fingerprints.content(tree, f"many/f{number}.txt") == file.read_bytes()


def test_other_kinds_of_files_in_the_places_of_tracked_ones(scene: Scene):
    workspace, fingerprints = fresh(scene)
    root = workspace.folder
    (root / "many").rename(root / "moved")
    (root / "many").symlink_to("moved")
    (root / "app.py").unlink()
    os.mkfifo(root / "app.py")
    (root / "link").unlink()
    (root / "link").write_text("app.py")
    (root / "run.sh").chmod(0o644)
    assert fingerprints.take() == unseeded(scene, workspace).take()


def test_attributes_that_came_before_the_first_look_count(scene: Scene):
    (scene.root / "many/crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    scene.commit("crlf")
    workspace, fingerprints = fresh(scene)
    (workspace.folder / "many/.gitattributes").write_text("* text\n")
    assert fingerprints.take() == unseeded(scene, workspace).take()


def test_what_an_agent_staged_is_stored_by_the_harness(scene: Scene):
    workspace, fingerprints = fresh(scene)
    for number in range(MANY):
        (workspace.folder / f"many/f{number}.txt").write_text(f"staged {number}\n")
    scene.git("add", "-A", cwd=workspace.folder)
    fingerprints.take()
    assert len(blobs(scene, fingerprints)) >= MANY


def test_an_index_that_lies_has_no_say(scene: Scene):
    workspace, fingerprints = fresh(scene)
    other = scene.git("hash-object", "-w", "app.py")
    scene.git("update-index", "--cacheinfo", f"100644,{other},many/f0.txt", cwd=workspace.folder)
    assert fingerprints.take().tree == scene.git("rev-parse", "HEAD^{tree}")


def test_an_object_that_is_not_what_its_name_says_is_no_base(scene: Scene):
    id = scene.git("rev-parse", "HEAD:many/f0.txt")
    file = scene.root / f".git/objects/{id[:2]}/{id[2:]}"
    file.chmod(0o600)
    file.write_bytes(zlib.compress(b"blob 11\0another 00\n"))
    workspace, fingerprints = fresh(scene)
    taken = fingerprints.take()
    assert taken == unseeded(scene, workspace).take()
    assert taken.tree != scene.git("rev-parse", "HEAD^{tree}")


def test_checkpoints_rollback_and_rooms_live_on_borrowed_objects(scene: Scene):
    workspace, fingerprints = fresh(scene)
    base = fingerprints.take().tree
    fingerprints.keep("start", base)
    before = contents(workspace.folder)
    for number in range(MANY):
        (workspace.folder / f"many/f{number}.txt").write_text("worse\n")
    fingerprints.keep("later", fingerprints.take().tree)
    assert set(fingerprints.kept()) == {"start", "later"}
    fingerprints.restore(fingerprints.kept()["start"])
    assert contents(workspace.folder) == before
    fingerprints.lay(base, scene.base / "room")
    assert contents(scene.base / "room") == before
    assert fingerprints.content(base, "many/f1.txt") == b"number 001\n"
    assert fingerprints.composed(base, base, [], {"new.txt": b"x"}) != base


def test_a_room_is_laid_though_the_users_objects_are_lost(scene: Scene):
    workspace, fingerprints = fresh(scene)
    base = fingerprints.take().tree
    for number in range(MANY):
        id = scene.git("rev-parse", f"HEAD:many/f{number}.txt")
        (scene.root / f".git/objects/{id[:2]}/{id[2:]}").unlink()
    fingerprints.lay(base, scene.base / "room")
    assert contents(scene.base / "room") == contents(workspace.folder)


def test_objects_of_our_own_that_were_lost_are_stored_again(scene: Scene):
    workspace, fingerprints = fresh(scene)
    for number in range(MANY):
        (workspace.folder / f"many/f{number}.txt").write_text(f"new {number}\n")
    taken = fingerprints.take()
    for id in blobs(scene, fingerprints):
        (fingerprints.objects / id[:2] / id[2:]).unlink()
    assert fingerprints.take() == taken
    assert fingerprints.content(taken.tree, "many/f7.txt") == b"new 7\n"


def test_a_workspace_made_again_is_vouched_for_again(scene: Scene):
    workspace, fingerprints = fresh(scene)
    fingerprints.take()
    workspace.record.unlink()
    scene.write("many/f0.txt", "another\n")
    scene.commit("more")
    again, fingerprints = fresh(scene)
    assert fingerprints.take() == unseeded(scene, again).take()


@table_test("format", ["sha1", "sha256"])
def test_an_index_is_read_and_written_as_git_does(tmp_path: Path, format: str):
    scene = Scene(tmp_path, format=format)
    long = "/".join(["y" * 250] * 20)
    blob = scene.git("hash-object", "-w", "app.py")
    scene.git("update-index", "--add", "--cacheinfo", f"100755,{blob},{long}")
    listed = scene.git("ls-files", "-s", "-z")
    file = scene.root / ".git/index"
    data = blank(whole(file.read_bytes(), format), format)
    assert is_sound(data, format)
    file.write_bytes(data)
    assert scene.git("ls-files", "-s", "-z") == listed
    assert whole(data, format) == whole(file.read_bytes(), format)


@pytest.mark.parametrize(
    "words",
    [
        ("update-index", "--assume-unchanged", "app.py"),
        ("update-index", "--skip-worktree", "app.py"),
        ("update-index", "--index-version=4"),
        ("update-index", "--split-index"),
        ("rm", "-q", "--cached", "-r", "."),
    ],
)
def test_an_index_with_more_to_it_is_left_to_git(scene: Scene, words: tuple[str, ...]):
    scene.git(*words)
    data = (scene.root / ".git/index").read_bytes()
    if words[0] == "rm":
        assert whole(data, "sha1") == []
        return
    with pytest.raises(BadIndex):
        whole(data, "sha1")


def test_a_merge_that_is_not_resolved_is_left_to_git(scene: Scene):
    scene.git("checkout", "-q", "-b", "side")
    scene.write("app.py", "side\n")
    scene.commit("side")
    scene.git("checkout", "-q", "main")
    scene.write("app.py", "main\n")
    scene.commit("main")
    with pytest.raises(AssertionError):
        scene.git("merge", "-q", "side")
    with pytest.raises(BadIndex):
        whole((scene.root / ".git/index").read_bytes(), "sha1")


def test_a_torn_index_is_refused(scene: Scene):
    data = (scene.root / ".git/index").read_bytes()
    for cut in (0, 5, 12, 60, len(data) - 1):
        with pytest.raises(BadIndex):
            whole(data[:cut], "sha1")
    workspace, fingerprints = fresh(scene)
    (workspace.folder / ".git/index").write_bytes(data[:60])
    assert fingerprints.take() == unseeded(scene, workspace).take()
