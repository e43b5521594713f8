"""The result of a run comes into the user's repository as a branch, without a transport.

The objects are read from the workspace with the user's git directory, so no setting that an agent wrote is
ever read; they are checked before one is kept. Working tree, index and current branch stay as they are; a
branch is only ever moved forward.
"""

import contextlib
import os
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.gitdir import alternates_text, borrowed, quoted, refs
from donewhen.workspace.rooms.reach import is_own, is_reachable
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.workspaces import Workspace

_WHO = "donewhen"  # moved the branch, says its log
_HEAD_NAMES = ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")


def fetch_result(workspace: Workspace, repository: Repository, branch: str) -> str:
    """Bring the workspace's branch into the user's repository as `branch`; its commit."""
    git = repository.git()
    ref = f"refs/heads/{branch}"
    if branch.startswith("-") or git.attempt("check-ref-format", ref).exit:
        raise SetupError("rooms.bad_branch", branch=branch)
    commit, objects = _result(workspace, repository)
    old = repository.commit(ref)
    if old == commit:
        return commit
    _refuse_checked_out(repository, branch)
    lent = os.fsdecode(quoted(objects, b":"))
    if old and not _builds_on(git, old, commit, lent):
        raise SetupError("rooms.not_forward", branch=branch, folder=workspace.folder)
    if not is_reachable(repository, commit):
        known = {workspace.base, *(found.id for found in refs(repository, "refs/heads"))}
        wanted = "".join([f"{commit}\n", *(f"^{id}\n" for id in sorted(known))]).encode()
        with disk_told(workspace.home):
            _check(git, wanted, lent, workspace.home.with_name(f"{workspace.run_id}.result"))
        _pack(git, wanted, lent, repository.objects / "pack/pack")
    _move(git, ref, commit, old, f"donewhen: result of {workspace.run_id}")
    return commit


def _builds_on(git: Git, old: str, commit: str, lent: str) -> bool:
    asked = git.attempt("merge-base", "--is-ancestor", old, commit, GIT_ALTERNATE_OBJECT_DIRECTORIES=lent)
    return asked.exit == 0


def _move(git: Git, ref: str, commit: str, old: str, reason: str) -> None:
    """Move a branch, unless somebody else moved it meanwhile."""
    words = ("update-ref", "--create-reflog", "-m", reason, ref, commit, old or "0" * len(commit))
    git.run(*words, GIT_COMMITTER_NAME=_WHO, GIT_COMMITTER_EMAIL=_WHO)


def _result(workspace: Workspace, repository: Repository) -> tuple[str, Path]:
    """The commit to fetch and the folder of its objects; refused when the workspace isn't as we made it."""
    found = find_repository(workspace.folder, repository.env)
    expected = repository.objects if workspace.kind == "worktree" else workspace.folder / ".git/objects"
    whole = is_own(found, workspace.folder, repository) and _same(found.objects, expected)
    if not whole or not _borrows_only(found, repository):
        raise SetupError("rooms.altered", folder=workspace.folder)
    commit = found.commit(f"refs/heads/{workspace.branch}")
    if not commit:
        raise SetupError("rooms.no_commit", commit=workspace.branch, folder=workspace.folder)
    return commit, found.objects


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other.parent) + "/objects"


def _borrows_only(found: Repository, repository: Repository) -> bool:
    """Whether a workspace borrows from the user's repository alone: a result drags in no other objects."""
    if _same(found.objects, repository.objects):
        return True
    try:
        lines = (found.objects / "info/alternates").read_bytes().splitlines(keepends=True)
    except OSError:
        return False
    return set(lines) <= {alternates_text([folder]) for folder in borrowed(repository)}


def _refuse_checked_out(repository: Repository, branch: str) -> None:
    at = repository.git().run("for-each-ref", "--format=%(worktreepath)", f"refs/heads/{branch}").strip()
    if at or branch in (repository.branch, *_being_rebased(repository)):
        raise SetupError("rooms.checked_out", branch=branch, folder=os.fsdecode(at) or repository.root)


def _being_rebased(repository: Repository) -> list[str]:
    """Branches that are checked out though HEAD is detached: the operation will move them when it ends."""
    found = []
    for file in _HEAD_NAMES:
        with contextlib.suppress(OSError):
            name = os.fsdecode((repository.git_dir / file).read_bytes()).strip()
            found.append(name.removeprefix("refs/heads/"))
    return found


def _check(git: Git, wanted: bytes, lent: str, aside: Path) -> None:
    """Pack the objects aside and let git look at each: an agent can write ones that git never would."""
    remove_tree(aside)  # of a killed process
    aside.mkdir(mode=0o700)
    try:
        name = _pack(git, wanted, lent, aside / "new")
        git.run(
            "index-pack",
            "--strict",
            "-o",
            str(aside / "checked.idx"),
            str(aside / f"new-{name}.pack"),
            GIT_ALTERNATE_OBJECT_DIRECTORIES=lent,
        )
    finally:
        remove_tree(aside)


def _pack(git: Git, wanted: bytes, lent: str, to: Path) -> str:
    words = ("pack-objects", "--revs", "--quiet", "--delta-base-offset", str(to))
    return git.run(*words, stdin=wanted, GIT_ALTERNATE_OBJECT_DIRECTORIES=lent).decode().strip()
