"""Repositories inside a repository: submodules, and folders that somebody made a repository of their own.

A tree names only the commit of such a folder. Its content comes from the repository that lies at the same
place in the working tree it is taken from; nothing is ever fetched. What isn't there is named, not guessed.
"""

import os
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.fingerprint.indexfile import BadIndex, whole
from donewhen.workspace.git.repository import Repository, repository_at
from donewhen.workspace.git.runner import Git

DEEPEST = 8  # repositories in repositories; a hostile one could hold itself by links
_GITLINK = b"160000 "
_LINK = 0o160000


class Nested(NamedTuple):
    path: str
    commit: str


def nested_in(git: Git, tree: str) -> list[Nested]:
    """The repositories that a tree (or commit) names."""
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
    found = []
    for entry in listed:
        if entry.startswith(_GITLINK):
            facts, _, path = entry.partition(b"\t")
            found.append(Nested(os.fsdecode(path), facts.split(b" ")[2].decode()))
    return found


def nested_of(index: Path, format: str) -> list[Nested] | None:
    """The same of an index that nobody but us had; None when it can't be read, and git is to be asked."""
    try:
        found = whole(index.read_bytes(), format)
    except (BadIndex, OSError):
        return None
    return [Nested(os.fsdecode(entry.path), entry.id) for entry in found if entry.mode == _LINK]


def counterpart(repository: Repository, path: str) -> Repository | None:
    """The repository at `path` of a working tree; None when there is none of its own."""
    root = Path(os.path.realpath(repository.root))
    folder = root / path
    if os.path.realpath(folder) != str(folder) or not os.path.lexists(folder / ".git"):
        return None  # through a link, or not checked out
    return repository_at(folder, repository.env)
