"""Temporary folders are for what a run makes itself: neighbours of the workspace and repositories are not."""

import subprocess
from pathlib import Path

import pytest

from donewhen.guard import Guard
from donewhen.guard.disk import RealDisk, ground_at
from donewhen.guard.ground import Ground
from tests.tables import table_test

WORKSPACE = "/tmp/jobs/one/ws"
GROUND = Ground(WORKSPACE, WORKSPACE, "/home/dev", branch="run")
TOP = GROUND._replace(workspace="/tmp/ws", folder="/tmp/ws")


@table_test(
    ("command", "rule"),
    [
        ("rm -rf ../other", "delete-outside"),
        ("rm -rf /tmp/jobs/one/other", "delete-outside"),
        ("rm -rf /tmp/jobs/two", "delete-outside"),
        ("mv ../other/x .", "delete-outside"),
        ("echo x > ../note.txt", "write-outside"),
        ("touch /tmp/jobs/x", "write-outside"),
        ("cd .. && rm -rf other", "delete-outside"),
        ("rm -rf /tmp/jobs", "delete-workspace"),
        ("rm -rf /tmp/j*", "delete-outside"),
        ("rm -rf /tmp/*", "delete-outside"),
        ("rm -rf /tmp/jobs-old", ""),
        ("rm -rf /tmp/build.x /tmp/foo.txt", ""),
        ("echo x > /tmp/foo.txt", ""),
        ('d=$(mktemp -d); touch "$d/x"; rm -rf "$d"', ""),
        ("cd /tmp && rm -rf build.x", ""),
        ("rm -rf sub/../build", ""),
    ],
)
def test_what_lies_beside_a_workspace_in_a_temporary_folder_is_outside(command: str, rule: str) -> None:
    assert Guard(GROUND).command(command).rule == rule


@table_test(
    ("command", "rule"),
    [
        ("rm -rf ../other", "delete-outside"),
        ("python3 -c \"import shutil; shutil.rmtree('../other')\"", "delete-outside"),
        ("touch ../other/x", "write-outside"),
        ("rm -rf /tmp/w?", "delete-outside"),
        ("rm -rf /tmp/build.x", ""),
        ("cp x /tmp/build.x/..y", ""),
        ("rm -rf src/../build", ""),
    ],
)
def test_a_way_up_and_out_leads_to_neighbours(command: str, rule: str) -> None:
    assert Guard(TOP).command(command).rule == rule


@pytest.fixture
def shared(tmp_path: Path) -> tuple[Path, Ground]:
    """A folder for temporary files with a repository and a bare one in it; the workspace lies elsewhere."""
    temp = tmp_path / "temp"
    workspace = tmp_path / "ws"
    for words in ((temp / "repo",), ("--bare", temp / "bare.git"), (workspace,)):
        subprocess.run(["git", "init", "-q", *map(str, words)], check=True, timeout=60)
    (temp / "scratch").mkdir()
    ground = ground_at(str(workspace), {"HOME": str(tmp_path / "home")})
    return temp, ground._replace(writable=(str(temp), "/dev/null"))


def test_repositories_that_were_there_before_are_not_temporary(shared: tuple[Path, Ground]) -> None:
    temp, ground = shared
    guard = Guard(ground._replace(since=float("inf")))
    for path in ("repo", "repo/src/x", "bare.git", "bare.git/objects/x", "repo/*"):
        assert guard.command(f"rm -rf {temp}/{path}").rule in ("delete-outside", "git-folder"), path
        assert guard.command(f"touch {temp}/{path}").rule == "write-outside", path
    assert guard.command(f"git -C {temp}/repo commit -m x").rule == "write-outside"
    assert guard.command(f"rm -rf {temp}/scratch").action == "allow"
    assert guard.command(f"touch {temp}/scratch/x").action == "allow"


def test_a_repository_that_the_run_has_made_may_be_worked_in(shared: tuple[Path, Ground]) -> None:
    temp, ground = shared
    subprocess.run(["git", "init", "-q", str(temp / "mine")], check=True, timeout=60)
    guard = Guard(ground)
    assert guard.command(f"touch {temp}/mine/x && git -C {temp}/mine commit -m x").action == "allow"
    assert guard.command(f"rm -rf {temp}/mine/x").action == "allow"


def test_what_is_no_repository_was_never_made(tmp_path: Path) -> None:
    assert RealDisk().repository(str(tmp_path)) is None
    assert RealDisk().untouched(str(tmp_path / "missing")) is None
