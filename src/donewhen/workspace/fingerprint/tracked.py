"""Which paths the user's repository tracks: a tracked file counts even where an ignore rule matches it.

Learnt from the user's index, read only. Its flags (assume-unchanged, skip-worktree) decide nothing about a
file that is there; a file that a sparse checkout leaves out is known by the second.
"""

import os
import posixpath
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.git.runner import Git

_GITLINK = b"160000"
_MODES = {b"100644": b"100644", b"100755": b"100755", b"120000": b"120000", b"100664": b"100644"}
_SKIPPED = b"Ss"


class Tracked(NamedTuple):
    files: Mapping[bytes, bytes]  # path: `mode id`
    links: Mapping[bytes, bytes]  # path of a repository inside: its commit
    sparse: frozenset[bytes]


class Info(NamedTuple):
    """Input for `update-index --index-info`."""

    text: bytes
    come: int  # how many entries are new


NOTHING = Tracked({}, {}, frozenset())


def state_of(git_dir: Path | None) -> str:
    """Changes whenever the user's index does."""
    if git_dir is None:
        return "none"
    for name in ("index", "HEAD"):
        try:
            facts = (git_dir / name).stat()
        except OSError:
            continue
        return f"{name} {facts.st_ino} {facts.st_size} {facts.st_mtime_ns}"
    return "none"


def list_tracked(git: Git | None) -> bytes:
    """The tracked paths as git lists them."""
    if git is None or git.own is None:
        return b""
    if (git.own / "index").exists():
        return git.run("ls-files", "-z", "-t", "-s")
    listed = git.attempt("ls-tree", "-r", "-z", "--full-tree", "HEAD")  # no commit yet: nothing is tracked
    return b"".join(b"H " + line + b"\0" for line in listed.out.split(b"\0") if line)


def parse(listed: bytes, format: str, hidden: tuple[str, ...] = ()) -> Tracked:
    """`hidden`: folders that are no part of the working tree."""
    files: dict[bytes, bytes] = {}
    links: dict[bytes, bytes] = {}
    sparse = set()
    length = id_length(format)
    covered = tuple(os.fsencode(folder) + b"/" for folder in hidden)
    for line in listed.split(b"\0"):
        facts, _, path = line.partition(b"\t")
        words = facts.split(b" ")
        if len(words) < 4 or path.startswith(covered):
            continue
        tag, mode = words[0], words[1]
        id = words[2] if len(words[2]) == length else words[3]
        if mode == _GITLINK and len(id) == length:
            links[path] = id
        elif mode in _MODES and len(id) == length:
            files[path] = _MODES[mode] + b" " + id
            if tag in _SKIPPED:
                sparse.add(path)
    return Tracked(files, links, frozenset(sparse))


def difference(old: Tracked, new: Tracked, format: str) -> Info:
    """What makes an index that knows `old` know `new`."""
    gone = [path for path in old.files if path not in new.files]
    come = [path for path in new.files if path not in old.files]
    nothing = b"0 " + b"0" * id_length(format)
    lines = [nothing + b"\t" + path for path in gone]
    lines += [new.files[path] + b"\t" + path for path in come]
    return Info(b"".join(line + b"\0" for line in lines), len(come))


def id_length(format: str) -> int:
    return 40 if format == "sha1" else 64


def absent_of(root: Path, sparse: Iterable[str]) -> tuple[str, ...]:
    """Those that are not there; a folder that is missing is looked for once."""
    missing: dict[str, bool] = {"": False}

    def is_missing(folder: str) -> bool:
        if folder not in missing:
            above = posixpath.dirname(folder)
            missing[folder] = is_missing(above) or not is_folder(root / folder)
        return missing[folder]

    return tuple(
        path for path in sparse if is_missing(posixpath.dirname(path)) or not os.path.lexists(root / path)
    )


def is_folder(path: Path) -> bool:
    """A folder itself, not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False
