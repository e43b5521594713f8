"""Programs for reading and writing files that a repository's own settings name: never run after a change.

Such a program may be a script of the repository (`sh tools/clean.sh`), so whoever changes the repository
decides what it does, and git would run it unconfined. What the user set up for all repositories, and what
git-lfs writes into one, is the user's own. Nothing is changed here.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress

from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git, names
from donewhen.workspace.rooms.filling import own_filters

_FILE = ".gitattributes"
_INFO = "info/attributes"
_LARGEST = 4 * 1024 * 1024  # bytes of attributes; more could name anything
_USUAL = frozenset(
    f"{program} {words}"
    for program in ("git-lfs", "git lfs")
    for words in (
        "clean -- %f",
        "clean %f",
        "smudge -- %f",
        "smudge %f",
        "smudge --skip -- %f",
        "smudge --skip %f",
        "filter-process",
        "filter-process --skip",
    )
)


def foreign_filters(repository: Repository) -> tuple[str, ...]:
    """Filters, as `filter.NAME`, whose programs only the repository's own settings vouch for."""
    found = own_filters(repository.git())
    return tuple(sorted(name for name, programs in found.items() if programs - _USUAL))


def used_filters(
    repository: Repository, git: Git, filters: Iterable[str], commits: Iterable[str]
) -> tuple[str, ...]:
    """The names of those that attributes of these commits, or of the git directory, give to a file.

    One with `=` in its name can't be switched off by a word of ours, and counts as used.
    """
    filters = tuple(filters)
    if not filters:
        return ()
    text = _attributes(repository, git, commits)
    plain = [name.partition(".")[2] for name in filters]
    return tuple(name for name in plain if text is None or "=" in name or _is_given(name, text))


def _is_given(name: str, text: bytes) -> bool:
    return re.search(rb"filter=" + re.escape(os.fsencode(name)) + rb"(?!\S)", text) is not None


def _attributes(repository: Repository, git: Git, commits: Iterable[str]) -> bytes | None:
    """All that is said about files, as one text; None when it is more than can be read."""
    found = [b""]
    with suppress(FileNotFoundError):
        found.append((repository.common / _INFO).read_bytes()[: _LARGEST + 1])
    for commit in commits:
        files = names(git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit))
        said = [f"{commit}:{file}" for file in files if file.rpartition("/")[2] == _FILE]
        if any("\n" in each for each in said):
            return None
        asked = "".join(f"{each}\n" for each in said)
        sizes = git.run("cat-file", "--batch-check=%(objectsize)", stdin=os.fsencode(asked)).split()
        if sum(int(size) for size in sizes if size.isdigit()) > _LARGEST:
            return None
        found.append(git.run("cat-file", "--batch", stdin=os.fsencode(asked)) if said else b"")
    text = b"\n".join(found)
    return text if len(text) <= 3 * _LARGEST else None
