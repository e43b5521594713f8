"""What is put into a room: the files of a tree, a git directory that describes them, repositories inside.

git is never asked anything in a git directory that an exam could have written: the one of the room is thrown
away first. The index is copied to a place beside the room, so that the next time only what changed is read.
"""

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.texts import Phrase
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.gitdir import Head, borrowed, make_git, refs
from donewhen.workspace.rooms.leftovers import clear_leftovers, settle
from donewhen.workspace.rooms.nested import DEEPEST, Nested, counterpart, nested_in
from donewhen.workspace.rooms.sweeping import INDEX


class Room(NamedTuple):
    folder: Path
    readable: tuple[Path, ...]  # folders of objects that its git directories borrow from
    notes: tuple[Phrase, ...]
    git: Git

    def settle(self, provides: Sequence[str] | None = None) -> None:
        """To be called when the set-up is done: what lies beside the tree now belongs to the room."""
        settle(self.git, provides)


class Work(NamedTuple):
    """A tree, and where it comes from."""

    repository: Repository
    fingerprints: Fingerprints
    tree: str
    head: Head
    present: (
        bool  # repositories inside as they lie in the working tree, else at the commits that the tree names
    )


def furnish(work: Work, folder: Path, homes: Path, depth: int = DEEPEST) -> Room:
    """Make `folder` hold a tree and be a git working tree of its own.

    `homes` is for the fingerprints of repositories inside.
    """
    work.fingerprints.lay(work.tree, folder)
    lent = (*borrowed(work.repository), work.fingerprints.objects)
    known = refs(work.repository, "refs/heads", "refs/tags", "refs/remotes")
    git = make_git(folder, work.repository, work.head, known, objects=lent)
    _describe(git, work.tree, index_of(folder) if depth == DEEPEST else None)
    if depth == DEEPEST:
        clear_leftovers(git)
    readable, notes = list(lent), []
    for nested in nested_in(git, work.tree):
        inner = _inside(work, nested, homes) if depth else None
        if inner is None:
            notes.append(Phrase("rooms.nested_absent", {"path": nested.path}))
            continue
        (folder / nested.path).mkdir(parents=True, exist_ok=True)
        made = furnish(inner, folder / nested.path, homes, depth - 1)
        readable += made.readable
        notes += made.notes
    return Room(folder, tuple(dict.fromkeys(readable)), tuple(notes), git)


def index_of(folder: Path) -> Path:
    """The copy of a room's index, out of reach of what runs in the room."""
    return folder.with_name(folder.name + INDEX)


def _describe(git: Git, tree: str, kept: Path | None) -> None:
    """Make the index equal to the tree, and true about the files."""
    index = git.folder / ".git/index"
    if kept is not None and kept.is_file():
        shutil.copy2(kept, index)  # with its time: git trusts an entry only when the index is younger
    if git.attempt("read-tree", "-m", tree).exit:
        index.unlink(missing_ok=True)
        git.run("read-tree", tree)
    git.attempt("update-index", "-q", "--refresh")  # what differs (a filter of the user's) stays so
    if kept is not None and index.is_file():
        shutil.copy2(index, kept)


def _inside(work: Work, nested: Nested, homes: Path) -> Work | None:
    source = counterpart(work.repository, nested.path)
    if source is None:
        return None
    name = hashlib.sha256(os.fsencode(os.path.realpath(source.root))).hexdigest()[:16]
    fingerprints = Fingerprints(source, homes / f"nested-{name}")
    if work.present:
        head = Head(source.head, source.branch)
        return Work(source, fingerprints, fingerprints.take().tree, head, present=True)
    if not source.commit(nested.commit):
        return None
    return Work(source, fingerprints, fingerprints.tree(nested.commit), Head(nested.commit), present=False)
