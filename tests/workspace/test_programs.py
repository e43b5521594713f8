"""The programs that the harness starts for itself come from outside of the project."""

import os
import shutil
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.git.user import user_settings
from donewhen.workspace.programs import in_working_tree, outside_path, outside_program
from tests.workspace.git_ground import Ground

GIT = shutil.which("git") or ""


def planted(folder: Path, log: Path, name: str = "git") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {GIT} "$@"\n')
    program.chmod(0o755)
    return folder


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def test_a_git_inside_the_project_is_never_started(ground: Ground, tmp_path: Path):
    log = tmp_path / "called"
    inside = planted(ground.root / ".venv/bin", log)
    linked = tmp_path / "linked"
    linked.symlink_to(inside)
    env = {**os.environ, "PATH": f"{inside}:{linked}:{os.environ['PATH']}"}
    below = ground.root / "below"
    below.mkdir()
    assert find_repository(below, env).git().run("--version").startswith(b"git version")
    nested = ground.root / "nested"
    nested.mkdir()
    ground.git("init", "-q", cwd=nested)
    assert find_repository(nested, env).git().run("--version").startswith(b"git version")
    assert not log.exists()


def test_a_git_of_the_main_working_tree_is_not_started_for_a_linked_one(ground: Ground, tmp_path: Path):
    ground.write("a", "1\n")
    ground.commit()
    log = tmp_path / "called"
    inside = planted(ground.root / ".venv/bin", log)
    ground.git("worktree", "add", "-q", str(tmp_path / "linked"))
    env = {**os.environ, "PATH": f"{inside}:{os.environ['PATH']}"}
    find_repository(tmp_path / "linked", env)
    assert not log.exists()


def test_where_no_other_git_is_left_that_is_said(ground: Ground, tmp_path: Path):
    log = tmp_path / "called"
    inside = planted(ground.root / "node_modules/.bin", log)
    with pytest.raises(SetupError) as told:
        find_repository(ground.root, {"PATH": str(inside)})
    assert told.value.key == "git.only_inside"
    assert str(inside / "git") in str(told.value)
    assert not log.exists()


def test_a_git_elsewhere_is_started_in_the_order_of_the_path(ground: Ground, tmp_path: Path):
    log = tmp_path / "called"
    mine = planted(tmp_path / "tools", log)
    find_repository(ground.root, {**os.environ, "PATH": f"{mine}:{os.environ['PATH']}"})
    assert log.exists()


def test_a_home_that_is_kept_in_git_holds_programs_as_ever(tmp_path: Path):
    home = tmp_path / "home"
    (home / ".git").mkdir(parents=True)
    (home / "work/.git").mkdir(parents=True)
    mine = planted(home / ".local/bin", tmp_path / "called")
    env = {"PATH": f"{home}/work/bin:{mine}", "HOME": str(home)}
    assert outside_program("git", home / "work", env) == str(mine / "git")
    assert outside_path(home / "work", env) == str(mine)
    assert outside_program("git", home, env) == ""
    assert not in_working_tree(str(mine), str(home))
    assert in_working_tree(str(home / "work/bin"), str(home))


def test_where_no_project_is_known_no_project_gives_a_program(ground: Ground, tmp_path: Path):
    log = tmp_path / "called"
    inside = planted(ground.root / ".venv/bin", log)
    env = {"PATH": f"{inside}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    assert outside_program("git", Path("/"), env) == GIT
    assert str(inside) not in outside_path(tmp_path / "state", env)
    user_settings(env)
    assert not log.exists()


def test_a_folder_of_ours_far_from_the_project_takes_none_of_its_programs(ground: Ground, tmp_path: Path):
    """A room has a git directory that says nothing of the project that it copies."""
    room = tmp_path / "room"
    (tmp_path / "own.git").mkdir()
    room.mkdir()
    (room / ".git").write_text(f"gitdir: {tmp_path}/own.git\n")
    inside = planted(ground.root / ".venv/bin", tmp_path / "called")
    env = {"PATH": f"{inside}:{os.environ['PATH']}", "HOME": str(tmp_path / "home")}
    assert outside_program("git", room, env) == GIT


def test_a_pipe_as_git_file_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / ".git")
    assert outside_program("git", tmp_path, {"PATH": os.environ["PATH"], "HOME": "/none"}) == GIT
