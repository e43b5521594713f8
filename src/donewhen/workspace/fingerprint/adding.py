"""Everything that is in a working tree goes into an index, and what stands in the way is named.

Repositories inside are left out here: git would start itself in them, with the settings that it finds there.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.indexfile import BadIndex
from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.git.repository import git_directory
from donewhen.workspace.git.runner import Ran, failed, names

_TRIES = 8  # a file may vanish or change while git reads it
_PATIENT = 2  # so many times all at once, then path by path
_BAD_INDEX = (
    "index file corrupt",
    "index file smaller",
    "index file open failed",
    "bad signature",
    "bad index",
    "malformed",
    "unordered stage entries",
    "unknown index entry",
)
_CLOSED_FOLDER = "could not open directory"


def add_all(own: Own, root: Path, index: Path, left_out: Sequence[str]) -> tuple[list[str], list[str]]:
    """Add, update and remove until the index is what lies there.

    Returns the entries that an ignore rule matches, and repositories inside that were not known.
    """
    found: list[str] = []
    for round in range(_TRIES):
        asked = own.reading(root, index).start("ls-files", "-c", "-i", "-z", "--exclude-standard")
        add = _add if round < _PATIENT else _add_each
        try:
            ran = add(own, root, index, [*left_out, *found])
        finally:
            ignored = asked.finish()
        if ran.exit == 0 and ignored.exit == 0 and _CLOSED_FOLDER not in ran.err:
            return names(ignored.out), found
        if any(mark in ran.err + ignored.err for mark in _BAD_INDEX):
            raise BadIndex
        if ran.exit == 0 and ignored.exit == 0:
            raise SetupError("git.closed_folder", why=_about(ran, _CLOSED_FOLDER))
        found += _explain(own, root, index, {*left_out, *found})
    raise failed(ran if ran.exit else ignored, "add")


def remove(own: Own, root: Path, index: Path, paths: Iterable[str | bytes]) -> None:
    """Take entries out of an index; the files stay."""
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    own.adding(root, index).run("update-index", "-z", "--force-remove", "--stdin", stdin=listed)


def write_tree(own: Own, root: Path, index: Path) -> str:
    """The id of the tree that an index describes; objects of the user's repository are not looked for."""
    return own.adding(root, index).run("write-tree", "--missing-ok").decode().strip()


def _add(own: Own, root: Path, index: Path, left_out: Sequence[str]) -> Ran:
    git = own.adding(root, index)
    if not left_out:
        return git.attempt("add", "-A")
    spec = [".", *(f":(top,exclude,literal){path}" for path in left_out)]
    listed = b"".join(os.fsencode(one) + b"\0" for one in spec)
    return git.attempt("add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=listed)


def _add_each(own: Own, root: Path, index: Path, left_out: Sequence[str]) -> Ran:
    """The same path by path: one that is gone meanwhile is no error. Slower."""
    git = own.adding(root, index)
    words = ("ls-files", "-c", "-o", "-z", "--exclude-standard")
    found = git.attempt(*words)
    below = tuple(f"{folder}/" for folder in left_out)
    paths = [path for path in names(found.out) if not path.endswith("/") and not path.startswith(below)]
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    return git.attempt("update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=listed)


def _explain(own: Own, root: Path, index: Path, known: set[str]) -> list[str]:
    """Why git could not add: repositories without a commit are returned, what is no file leaves the index."""
    git = own.reading(root, index)
    others = names(git.attempt("ls-files", "-o", "-z", "--exclude-standard").out)
    inside = [path[:-1] for path in others if path.endswith("/") and path[:-1] not in known]
    tracked = names(git.attempt("ls-files", "-c", "-z").out)
    strange = [path for path in tracked if _is_strange(root / path)]
    if strange:
        remove(own, root, index, strange)
    for path in (*tracked, *others):
        if _is_closed(root / path):
            raise SetupError("git.unreadable", path=path)
    return [path for path in inside if git_directory(root / path) is not None]


def _is_strange(path: Path) -> bool:
    mode = _mode(path)
    return bool(mode) and not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode))


def _is_closed(path: Path) -> bool:
    """Whether the file may not be read; one that is gone by now is not closed."""
    if not stat.S_ISREG(_mode(path)):
        return False
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC))
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _about(ran: Ran, mark: str) -> str:
    line = next((line for line in ran.err.splitlines() if mark in line), "")
    return line.partition(mark)[2].strip()[:300]
