"""What two commits become when they are merged: a tree, made where nobody works and nothing is run.

In a git directory of our own, which has no settings: no merge driver, filter or hook of anybody is started.
How files want to be merged (`.gitattributes` of the target: union, or not at all) is heeded. Conflicts are
named, never solved.
"""

from pathlib import Path
from typing import NamedTuple

from donewhen.run.shipping.message import message_of, signed_off
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git, failed, names
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.gitdir import Head, borrowed, make_git
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.results import lending

_CONFLICTS = 1
_UNKNOWN = 129  # how an older git refuses what it does not know
_LARGEST = 1024 * 1024
_WHO = {f"GIT_{role}_{what}": "donewhen" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class Merge(NamedTuple):
    """Two commits of the user's repository, and where the result is written."""

    user: Repository
    target: str
    commit: str
    objects: Path  # a folder of objects of ours
    aside: Path  # a folder to work in; it goes afterwards


class MergedTree(NamedTuple):
    tree: str = ""  # empty: there are conflicts, or nothing in common
    conflicts: tuple[str, ...] = ()


def merge_trees(merge: Merge, *, by_folder: bool = False) -> MergedTree:
    """The merged tree or what hinders it; `by_folder` is how it is done where git is older than 2.38."""
    if not merge.user.merge_base(merge.target, merge.commit):
        return MergedTree()
    with disk_told(merge.aside):
        remove_tree(merge.aside)  # of a killed process
        merge.aside.mkdir(mode=0o700, parents=True)
    try:
        git = _private(merge)
        found = None if by_folder else _without_folder(git, merge)
        return found or _in_folder(git, merge)
    finally:
        remove_tree(merge.aside)


def _private(merge: Merge) -> Git:
    git = make_git(merge.aside, merge.user, Head(merge.target), ())
    shown = merge.user.git().attempt("cat-file", "blob", f"{merge.target}:.gitattributes")
    if shown.exit == 0 and len(shown.out) <= _LARGEST:
        (merge.aside / ".git/info").mkdir(exist_ok=True)
        (merge.aside / ".git/info/attributes").write_bytes(shown.out)
    near = lending(borrowed(merge.user))
    more = {"GIT_OBJECT_DIRECTORY": str(merge.objects), "GIT_ALTERNATE_OBJECT_DIRECTORIES": near, **_WHO}
    return git._replace(more=more)


def _without_folder(git: Git, merge: Merge) -> MergedTree | None:
    """None when this git can't."""
    words = ("merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", merge.target, merge.commit)
    ran = git.attempt(*words)
    if ran.exit == _UNKNOWN:
        return None
    if ran.exit not in (0, _CONFLICTS):
        raise failed(ran, *words)
    tree, *conflicts = names(ran.out)
    return MergedTree(tree) if ran.exit == 0 else MergedTree("", _once(conflicts))


def _in_folder(git: Git, merge: Merge) -> MergedTree:
    git.run("read-tree", "--reset", "-u", merge.target)
    words = ("merge", "--no-ff", "--no-commit", "--no-edit", "--quiet", merge.commit)
    ran = git.attempt(*words)
    if ran.exit == 0:
        return MergedTree(git.line("write-tree"))
    listed = names(git.run("ls-files", "--unmerged", "-z", "--full-name"))
    if not listed:
        raise failed(ran, *words)
    return MergedTree("", _once([line.partition("\t")[2] for line in listed]))


def _once(paths: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def merge_message(goal: str, branch: str, run_id: str, tree: str) -> str:
    """What a merge commit says: the goal, the branch that came in, and our trailers."""
    subject = message_of(goal).partition("\n")[0]
    return signed_off(message_of(f"Merge: {subject}", f"From {branch}."), run_id, tree)
