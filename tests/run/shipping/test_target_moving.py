"""The target is moved, its working tree follows, and what can't follow brings it back."""

import pytest

from donewhen.run.shipping.pins import pin
from donewhen.run.shipping.target_moving import (
    Move,
    MovedMeanwhile,
    finish,
    hindrance,
    move_target,
    moved_before,
)
from donewhen.run.shipping.target_seats import Step
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.results import move_branch
from tests.run.shipping.yard import Yard, said
from tests.workspace.rooms_scene import RUN


def move(yard: Yard, files: dict[str, str]) -> Move:
    """A commit with these files after the branch that is checked out."""
    branch, old = yard.git("symbolic-ref", "--short", "HEAD"), yard.git("rev-parse", "HEAD")
    yard.git("checkout", "-q", "--detach")
    for name, text in files.items():
        yard.write(name, text)
    yard.git("add", "-A")
    yard.git("commit", "-q", "-m", "new")
    new = yard.git("rev-parse", "HEAD")
    yard.git("checkout", "-q", branch)
    user = find_repository(yard.repository.root, yard.env)
    return Move(user, RUN, branch, Step(old, new), yard.base / "scratch")


def owners(yard: Yard, wanted: Move, program: str) -> Move:
    """With a filter that the owner's own settings have for every repository."""
    file = yard.write(
        "owner.gitconfig", f'[filter "bad"]\nsmudge = "{program}"\nrequired = true\n', yard.base
    )
    env = {**yard.env, "GIT_CONFIG_GLOBAL": str(file)}
    return wanted._replace(user=find_repository(yard.repository.root, env))


def test_moved_and_followed(yard: Yard):
    wanted = move(yard, {"new/a.txt": "a\n"})
    assert hindrance(wanted) is None
    assert move_target(wanted) is None
    assert yard.git("rev-parse", "HEAD") == wanted.step.new
    assert yard.git("status", "--porcelain") == ""
    assert moved_before(wanted.user, RUN, wanted.branch) == wanted.step
    assert finish(wanted) is None


def test_files_that_a_killed_process_left_behind_follow_later(yard: Yard):
    wanted = move(yard, {"new/a.txt": "a\n"})
    pin(wanted.user, RUN, "target", wanted.step.old)
    pin(wanted.user, RUN, "merged", wanted.step.new)
    assert moved_before(wanted.user, RUN, wanted.branch) is None
    yard.git("update-ref", f"refs/heads/{wanted.branch}", wanted.step.new)
    assert yard.git("status", "--porcelain") == "D  new/a.txt"
    assert moved_before(wanted.user, RUN, wanted.branch) == wanted.step
    assert finish(wanted) is None
    assert yard.git("status", "--porcelain") == ""


def test_files_that_somebody_changed_since_are_left_and_told(yard: Yard):
    first = yard.git("ls-files").splitlines()[0]
    wanted = move(yard, {first: "other\n"})
    yard.git("update-ref", f"refs/heads/{wanted.branch}", wanted.step.new)
    yard.write(first, "mine\n")
    told = finish(wanted)
    assert told is not None
    assert "would take the accepted work back" in said(told)
    assert (yard.repository.root / first).read_text() == "mine\n"


def test_a_branch_that_somebody_moved_is_not_moved(yard: Yard):
    wanted = move(yard, {"new/a.txt": "a\n"})
    yard.git("commit", "-q", "--allow-empty", "-m", "quicker")
    theirs = yard.git("rev-parse", "HEAD")
    with pytest.raises(MovedMeanwhile):
        move_target(wanted)
    assert yard.git("rev-parse", wanted.branch) == theirs
    assert yard.git("status", "--porcelain") == ""


def test_files_that_can_not_be_written_bring_the_branch_back(yard: Yard):
    """A filter of the owner's that fails, as one does whose content can't be fetched."""
    first = yard.git("ls-files").splitlines()[0]
    wanted = move(
        yard, {".gitattributes": "*.bin filter=bad\n", "a.txt": "a\n", "b.bin": "b\n", first: "other\n"}
    )
    wanted = owners(yard, wanted, "false")
    before = (yard.repository.root / first).read_bytes()
    told = move_target(wanted)
    assert told is not None
    assert "can't follow" in said(told)
    assert yard.git("rev-parse", wanted.branch) == wanted.step.old
    assert yard.git("status", "--porcelain") == ""
    assert (yard.repository.root / first).read_bytes() == before
    assert moved_before(wanted.user, RUN, wanted.branch) is None


def test_what_somebody_writes_while_it_moves_is_not_taken_back(yard: Yard):
    """The owner's filter is a program that runs in the middle of the move: it edits a file, then fails."""
    first = yard.git("ls-files").splitlines()[0]
    wanted = move(yard, {".gitattributes": "*.bin filter=bad\n", "b.bin": "b\n", first: "other\n"})
    program = yard.write(
        "busy", f"#!/bin/sh\necho mine > '{yard.repository.root / first}'\nexit 1\n", yard.base
    )
    program.chmod(0o755)
    wanted = owners(yard, wanted, str(program))
    assert move_target(wanted) is not None
    assert yard.git("rev-parse", wanted.branch) == wanted.step.old
    assert (yard.repository.root / first).read_text() == "mine\n"


@pytest.mark.parametrize("where", ["tree", "info", "included"])
def test_a_filter_of_the_repository_keeps_the_branch_where_it_is(yard: Yard, where: str):
    files = {"a.bin": "a\n"} | ({".gitattributes": "*.bin filter=own\n"} if where != "info" else {})
    wanted = move(yard, files)
    program = str(yard.program())
    if where == "included":
        yard.write("own.gitconfig", f'[filter "own"]\nsmudge = "{program}"\n', yard.base)
        yard.git("config", "include.path", str(yard.base / "own.gitconfig"))
    else:
        yard.git("config", "filter.own.smudge", program)
    if where == "info":
        yard.write(".git/info/attributes", "*.bin filter=own\n")
    told = move_target(wanted)
    assert told is not None
    assert "filter own" in said(told)
    assert yard.git("rev-parse", wanted.branch) == wanted.step.old
    assert not yard.mark.exists()


def test_filters_that_nothing_uses_and_those_of_lfs_hinder_nobody(yard: Yard):
    wanted = move(yard, {".gitattributes": "*.big filter=lfs\n", "a.txt": "a\n"})
    for key, words in (("clean", "clean -- %f"), ("smudge", "smudge -- %f"), ("process", "filter-process")):
        yard.git("config", f"filter.lfs.{key}", f"git-lfs {words}")
    yard.git("config", "filter.unused.clean", str(yard.program()))
    assert move_target(wanted) is None
    assert yard.git("status", "--porcelain") == ""
    assert not yard.mark.exists()


def test_a_branch_that_is_another_ones_name_by_now_moves_nothing(yard: Yard):
    wanted = move(yard, {"new/a.txt": "a\n"})
    yard.git("branch", "other", wanted.step.old)
    yard.git("symbolic-ref", "refs/heads/next", "refs/heads/other")
    with pytest.raises(MovedMeanwhile):
        move_target(wanted._replace(branch="next"))
    move_branch(wanted.user, "next", wanted.step.new, wanted.step.old, "by somebody who did not look")
    assert yard.git("rev-parse", "other") == wanted.step.old
