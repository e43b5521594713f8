"""The folder as a session found it: its tree, and what the repository held beside it.

Kept in the ledger, so that work that goes to another branch, a stash or a folder that was exchanged is seen.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.beside import ignored_files
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.ignoring import Ignored, ignored_now
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.places import places

NO_REPOSITORY = ("git.no_repository", "git.no_work_tree", "git.no_folder")


class Start(NamedTuple):
    root: str
    base: str = ""
    branch: str = ""
    tree: str = ""
    identity: str = ""
    commits: tuple[str, ...] = ()  # of all branches, stashes and worktrees
    ignored: Ignored | None = None
    files: tuple[str, ...] = ()  # that it ignored


def start_of(place: Path, env: Mapping[str, str], late: bool = False) -> Start:
    """As the folder is; of a session first seen in its midst, as HEAD is: what is not in it is a change."""
    try:
        repository = find_repository(place, env)
    except SetupError as error:
        if error.key not in NO_REPOSITORY:
            raise
        return Start(str(place), identity=identity(place))
    ignored = ignored_now(repository, env)
    prints = fingerprints_of(repository, env, ignored)
    tree = prints.tree(repository.head) if late else prints.take().tree
    commits = tuple(dict.fromkeys((*_all_refs(repository), *(tip.commit for tip in tips(repository)))))
    root = repository.root
    files = tuple(ignored_files(repository, places(repository, env).home / "exclude"))
    return Start(str(root), repository.head, repository.branch, tree, identity(root), commits, ignored, files)


def identity(root: Path) -> str:
    """Which folder this is, and which git directory is in it: a copy or a link to another one differs.

    Without the device, whose number may be another after the machine was started anew.
    """
    return " ".join(_inode(path) for path in (root, root / ".git"))


def _inode(path: Path) -> str:
    try:
        return str(path.stat().st_ino)
    except OSError:
        return "-"


def fingerprints_of(
    repository: Repository, env: Mapping[str, str], ignored: Ignored | None = None
) -> Fingerprints:
    return Fingerprints(repository, places(repository, env).home, ignored=ignored)


class Tip(NamedTuple):
    """Something that holds on to a commit."""

    kind: str  # branch, stash or worktree
    name: str
    commit: str


def tips(repository: Repository) -> Iterator[Tip]:
    """Where work may lie; branches of others and tags are not written by who works here."""
    git = repository.git()
    listed = git.run("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/")
    for line in os.fsdecode(listed).splitlines():
        commit, _, name = line.partition(" ")
        yield Tip("branch", name.removeprefix("refs/heads/"), commit)
    stashes = git.attempt("rev-list", "--walk-reflogs", "refs/stash", "--")
    for number, commit in enumerate(os.fsdecode(stashes.out).split() if stashes.exit == 0 else ()):
        yield Tip("stash", f"stash@{{{number}}}", commit)
    for root, name in worktrees(repository):
        commit = repository.commit(f"{name}/HEAD")
        if commit:
            yield Tip("worktree", str(root), commit)


def worktrees(repository: Repository) -> Iterator[tuple[Path, str]]:
    """Every working tree of the repository, with how git calls it."""
    common = repository.common
    if common.name == ".git":
        yield common.parent, "main-worktree"
    kept = common / "worktrees"
    for folder in sorted(kept.iterdir()) if kept.is_dir() else ():
        try:
            said = os.fsdecode((folder / "gitdir").read_bytes()[:8192]).strip()
        except OSError:
            continue
        yield Path(os.path.realpath((folder / said).parent)), f"worktrees/{folder.name}"


def _all_refs(repository: Repository) -> list[str]:
    return os.fsdecode(repository.git().run("for-each-ref", "--format=%(objectname)")).split()
