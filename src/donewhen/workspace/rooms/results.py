"""The result of a run comes into the user's repository as a branch, without a transport.

The objects are read from the workspace with the user's git directory, so no setting that an agent wrote is
ever read. They come in as from a stranger: each is looked at and named anew by its content, and none may be
missing. Working tree, index and current branch stay as they are; a branch is only ever moved forward.
"""

import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.git.refname import is_ref_name
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
    check_branch_name(branch)
    commit, objects = _result(workspace, repository)
    lent = (objects,)
    old = movable(repository, branch, commit, workspace.folder, lent)
    if old == commit:
        return commit
    if not is_reachable(repository, commit):
        aside = workspace.home.with_name(f"{workspace.run_id}.result")
        admit(repository, commit, lent, (workspace.base,), aside)
    move_branch(repository, branch, commit, old, f"donewhen: result of {workspace.run_id}")
    return commit


def check_branch_name(branch: str) -> None:
    if branch.startswith("-") or not is_ref_name(f"refs/heads/{branch}"):
        raise SetupError("rooms.bad_branch", branch=branch)


def movable(repository: Repository, branch: str, commit: str, folder: Path, lent: Sequence[Path] = ()) -> str:
    """Where a branch is now, if it may be moved to `commit`; empty when there is none.

    `folder` is the run's workspace: a branch that is checked out there is the run's own.
    """
    old = repository.commit(f"refs/heads/{branch}")
    if old == commit or checked_out_here(repository, branch, folder):
        return old
    if old and not builds_on(repository, old, commit, lent):
        raise SetupError("rooms.not_forward", branch=branch, folder=folder)
    return old


def builds_on(repository: Repository, old: str, commit: str, lent: Sequence[Path] = ()) -> bool:
    """Whether one commit has another among those before it, or is it."""
    words = ("merge-base", "--is-ancestor", old, commit)
    return repository.git().attempt(*words, GIT_ALTERNATE_OBJECT_DIRECTORIES=lending(lent)).exit == 0


def move_branch(repository: Repository, branch: str, commit: str, old: str, reason: str) -> None:
    """Move a branch, unless somebody else moved it meanwhile; never one that it was made another name of."""
    at = old or "0" * len(commit)
    words = ("update-ref", "--no-deref", "--create-reflog", "-m", reason, f"refs/heads/{branch}", commit, at)
    repository.git().run(*words, GIT_COMMITTER_NAME=_WHO, GIT_COMMITTER_EMAIL=_WHO)


def lending(objects: Sequence[Path]) -> str:
    """Folders of objects as git takes them from a variable."""
    return os.fsdecode(b":".join(quoted(folder, b":") for folder in objects))


def admit(
    repository: Repository, commit: str, lent: Sequence[Path], known: Sequence[str], aside: Path
) -> None:
    """Have a commit with all that it needs in the user's repository; `aside` is a folder to work in.

    An agent can write objects that git never would, under names that belong to others: the new ones are
    taken as one pack whose index is made from what is in it, and read again without what was lent.
    """
    ids = sorted({*known, *(found.id for found in refs(repository, "refs/heads"))})
    wanted = "".join([f"{commit}\n", *(f"^{id}\n" for id in ids)]).encode()
    git = repository.git()
    with disk_told(aside):
        remove_tree(aside)  # of a killed process
        aside.mkdir(mode=0o700, parents=True)
        try:
            words = ("pack-objects", "--revs", "--quiet", "--delta-base-offset", str(aside / "new"))
            # git puts a pack together in its own objects and moves it: those must lie on the same disk
            at = {"GIT_OBJECT_DIRECTORY": str(aside)}
            near = lending((repository.objects, *lent))
            name = git.run(*words, stdin=wanted, GIT_ALTERNATE_OBJECT_DIRECTORIES=near, **at)
            pack = f"{name.decode().strip()}.pack"
            _take_in(git, aside / f"new-{pack}", repository.objects / f"pack/pack-{pack}")
        finally:
            remove_tree(aside)
    git.run("rev-list", "--objects", "--quiet", "--stdin", stdin=wanted)


def _take_in(git: Git, pack: Path, to: Path) -> None:
    """Until it has an index nobody sees a pack; git writes that last, when all of it is in order."""
    if to.with_suffix(".idx").exists():
        return
    to.parent.mkdir(exist_ok=True)
    to.unlink(missing_ok=True)  # half of one, of a killed process
    try:
        with pack.open("rb") as source, to.open("wb") as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
        to.chmod(0o444)
        git.run("index-pack", "--strict", str(to))
    except BaseException:
        for ending in (".pack", ".idx", ".rev"):
            to.with_suffix(ending).unlink(missing_ok=True)
        raise


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


def checked_out_here(repository: Repository, branch: str, folder: Path) -> bool:
    """Whether a branch is checked out in the workspace at `folder` itself; anywhere else it is refused."""
    listed = repository.git().run("for-each-ref", "--format=%(worktreepath)", f"refs/heads/{branch}")
    at = os.fsdecode(listed).rstrip("\n")
    return _is_here(repository, branch, folder, at)


def free(repository: Repository, branch: str) -> None:
    """SetupError when a branch that does not exist is one that somebody is about to make."""
    _is_here(repository, branch, repository.root, "")


def _is_here(repository: Repository, branch: str, folder: Path, at: str) -> bool:
    if at and folder != repository.root and os.path.realpath(at) == os.path.realpath(folder):
        return True
    if at or branch in (repository.branch, *_being_rebased(repository)):
        raise SetupError("rooms.checked_out", branch=branch, folder=at or repository.root)
    return False


def _being_rebased(repository: Repository) -> list[str]:
    """Branches that are checked out though HEAD is detached: the operation will move them when it ends."""
    found = []
    for file in _HEAD_NAMES:
        with contextlib.suppress(OSError):
            name = os.fsdecode((repository.git_dir / file).read_bytes()).strip()
            found.append(name.removeprefix("refs/heads/"))
    return found
