"""The result of a run becomes a branch of the user's repository, and nothing else changes."""

import os
import subprocess
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.results import fetch_result
from donewhen.workspace.rooms.workspaces import Workspace, open_workspace
from tests.tables import table_test
from tests.workspace.rooms_scene import RUN, Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def worked(scene: Scene, kind="clone") -> tuple[Workspace, str]:
    found = open_workspace(scene.repository, RUN, "HEAD", scene.places, kind)
    scene.write("result.py", "done\n", found.folder)
    scene.write("big.bin", "x" * 100_000, found.folder)
    return found, scene.commit("result", found.folder)


@table_test("format", ["sha1", "sha256"])
def test_the_branch_comes_and_nothing_else_changes(tmp_path, format):
    scene = Scene(tmp_path, format=format)
    scene.dirty()
    found, commit = worked(scene)
    before = scene.state()
    assert fetch_result(found, scene.repository, f"donewhen/{RUN}") == commit
    after = scene.state()
    refs = list(before.pop("refs"))  # type: ignore[call-overload]
    assert after.pop("refs") == sorted(
        [*refs, f"{commit} refs/heads/donewhen/{RUN}"], key=lambda line: line.split()[1]
    )
    assert after == before
    assert scene.git("show", f"donewhen/{RUN}:result.py") == "done"
    (found.folder / ".git").rename(scene.base / "away")  # the result does not lean on the workspace
    assert scene.git("fsck", "--strict", "--no-dangling") == ""
    assert not list(scene.places.homes.glob("*.result"))


def test_a_second_result_moves_the_branch_forward_and_an_equal_one_leaves_it(scene):
    found, first = worked(scene)
    fetch_result(found, scene.repository, "result")
    assert fetch_result(found, scene.repository, "result") == first
    scene.write("more.py", "more\n", found.folder)
    second = scene.commit("more", found.folder)
    assert fetch_result(found, scene.repository, "result") == second
    assert scene.git("rev-parse", "result", "result@{1}").split() == [second, first]


def test_a_result_that_is_the_base_itself_will_do(scene):
    found = open_workspace(scene.repository, RUN, "v1.0", scene.places)
    assert fetch_result(found, scene.repository, "same") == scene.git("rev-parse", "v1.0^{commit}")


def test_a_branch_that_is_checked_out_is_refused(scene):
    found, _ = worked(scene)
    scene.git("worktree", "add", "-q", str(scene.base / "linked"), "feature/one")
    before = scene.state()
    for branch in ("main", "feature/one"):
        with pytest.raises(SetupError, match="checked out"):
            fetch_result(found, scene.repository, branch)
    scene.git("checkout", "-q", "--orphan", "unborn")
    with pytest.raises(SetupError, match="checked out"):
        fetch_result(found, scene.repository, "unborn")
    scene.git("symbolic-ref", "HEAD", "refs/heads/main")
    assert scene.state()["refs"] == before["refs"]


def test_a_branch_that_is_being_rebased_is_refused(scene):
    found, _ = worked(scene)
    scene.git("branch", "moving")
    scene.write(".git/rebase-merge/head-name", "refs/heads/moving\n")
    with pytest.raises(SetupError, match="checked out"):
        fetch_result(found, scene.repository, "moving")


def test_a_branch_that_would_lose_commits_is_refused(scene):
    found, _ = worked(scene)
    scene.git("switch", "-q", "-c", "taken")
    scene.write("other.py", "other\n")
    scene.commit("other")
    scene.git("switch", "-q", "main")
    before = scene.state()
    with pytest.raises(SetupError, match="does not build on"):
        fetch_result(found, scene.repository, "taken")
    assert scene.state() == before


@pytest.mark.parametrize("branch", ["", "-f", "a..b", "x.lock", "a b", "refs/heads/", "a\nb", "@{-1}"])
def test_a_name_that_is_none_of_a_branch_is_refused(scene, branch):
    found, _ = worked(scene)
    with pytest.raises(SetupError, match="no name of a branch"):
        fetch_result(found, scene.repository, branch)


def test_a_worktree_shares_its_result_already(scene):
    found, commit = worked(scene, "worktree")
    assert fetch_result(found, scene.repository, found.branch) == commit
    assert fetch_result(found, scene.repository, "copy") == commit
    assert scene.git("rev-parse", "copy") == commit


def test_settings_and_hooks_that_an_agent_wrote_are_not_run(scene):
    found, commit = worked(scene)
    marker = scene.base / "ran"
    program = scene.write("evil", f"#!/bin/sh\ntouch {marker}\n", scene.base)
    program.chmod(0o755)
    for name in ("reference-transaction", "post-checkout", "pre-push"):
        (found.folder / ".git/hooks").mkdir(exist_ok=True)
        os.link(program, found.folder / ".git/hooks" / name)
    settings = {
        "core.fsmonitor": program,
        "core.alternateRefsCommand": program,
        "core.sshCommand": program,
        "uploadpack.packObjectsHook": program,
        "core.repositoryformatversion": 1,
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "remote.evil.url": f"ext::{program}",
        "remote.evil.uploadpack": program,
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
    }
    for name, value in settings.items():
        scene.git("config", name, str(value), cwd=found.folder)
    scene.write(".git/refs/heads/missing", "1" * 40 + "\n", found.folder)
    assert fetch_result(found, scene.repository, "result") == commit
    scene.write(f".git/refs/heads/{found.branch}", "1" * 40 + "\n", found.folder)
    with pytest.raises(SetupError):
        fetch_result(found, scene.repository, "broken")
    assert not marker.exists()


def test_objects_that_git_would_never_write_are_refused(scene):
    found, _ = worked(scene)
    blob = scene.git("rev-parse", "HEAD:app.py", cwd=found.folder)
    raw = b"100644 .git\0" + bytes.fromhex(blob)
    (scene.base / "tree").write_bytes(raw)
    words = ("hash-object", "-t", "tree", "-w", "--literally", str(scene.base / "tree"))
    tree = scene.git(*words, cwd=found.folder)
    commit = scene.git("commit-tree", "-p", "HEAD", "-m", "bad", tree, cwd=found.folder)
    scene.git("update-ref", f"refs/heads/{found.branch}", commit, cwd=found.folder)
    before = scene.state()
    with pytest.raises(SetupError, match=r"index-pack"):
        fetch_result(found, scene.repository, "result")
    assert scene.state() == before
    assert scene.repository.commit(commit) == ""


@pytest.mark.parametrize("packed", [False, True])
def test_an_object_under_the_name_of_another_is_refused(scene, packed):
    """Loose, or by an index of a pack that names the wrong thing: the branch would show what nobody examined."""
    found, _ = worked(scene)
    true = scene.git("rev-parse", "HEAD:result.py", cwd=found.folder)
    scene.write("false", "fake\n", scene.base)
    false = scene.git("hash-object", "-w", str(scene.base / "false"), cwd=found.folder)
    objects = found.folder / ".git/objects"
    files = [objects / id[:2] / id[2:] for id in (true, false)]
    if packed:
        packer = ["pack-objects", "--quiet", str(objects / "pack/pack")]
        done = subprocess.run(
            ["git", *packer], cwd=found.folder, input=f"{false}\n".encode(), capture_output=True, check=True
        )
        index = objects / f"pack/pack-{done.stdout.decode().strip()}.idx"
        data = index.read_bytes().replace(bytes.fromhex(false), bytes.fromhex(true))
        fan = b"".join((int(number >= int(true[:2], 16))).to_bytes(4, "big") for number in range(256))
        index.chmod(0o600)
        index.write_bytes(data[:8] + fan + data[8 + 1024 :])
        files[0].unlink()
    else:
        files[0].chmod(0o600)
        files[0].write_bytes(files[1].read_bytes())
    before = scene.state()
    with pytest.raises(SetupError):
        fetch_result(found, scene.repository, "result")
    assert scene.state() == before
    assert scene.git("fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize("way", ["alternates", "objects", "gitfile"])
def test_a_workspace_that_reaches_into_another_repository_is_refused(scene, way):
    found, _ = worked(scene)
    scene.git("init", "-q", str(scene.base / "private"))
    other, own = scene.base / "private/.git", found.folder / ".git"
    if way == "alternates":
        with (own / "objects/info/alternates").open("a") as file:
            file.write(f"{other}/objects\n")
    elif way == "objects":
        (own / "objects").rename(scene.base / "moved")
        (own / "objects").symlink_to(scene.base / "moved")
    else:
        own.rename(scene.base / "moved")
        own.write_text(f"gitdir: {scene.base}/moved\n")
    with pytest.raises(SetupError, match="not the one that was made"):
        fetch_result(found, scene.repository, "result")
