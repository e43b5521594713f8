"""What an exam leaves in a kept room must not help or hurt the next one.

After the set-up it is noted what lies beside the tree and how it is; whatever else turns up goes at the next
opening, ignored or not. What the set-up made can't be made again here: where it was altered the whole room is
given up. Prepared folders (installed packages) have seals of their own and are not looked into.
"""

import os
import posixpath
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.sweeping import INDEX, SETTLED

_LARGEST = 64 * 1024 * 1024
_PREPARED = frozenset((b".venv", b"node_modules"))
_GIT = b".git"
_COMPILED = b"__pycache__"  # could be anything, whatever its source; never kept
_FOLDER, _CLOSED = b"folder", b"closed"  # an empty folder; one that is not looked into


class Spoilt(Exception):
    """The room is not as its set-up left it, and nobody can bring that back."""


class _Beside(NamedTuple):
    """Where to look for what no tree brought: the paths that it did bring, and their folders."""

    tracked: frozenset[bytes]
    folders: frozenset[bytes]


def settle(git: Git, provides: Sequence[str] | None = None) -> None:
    """Note what lies in a room beside its tree: it belongs there.

    `provides`: the prepared folders; where they are not known, those with the usual names.
    """
    named = None if provides is None else frozenset(map(os.fsencode, provides))
    beside = _beside(git)

    def closed(path: bytes, name: bytes) -> bool:
        return name == _GIT or (name in _PREPARED if named is None else path in named)

    note = _note(git.folder)
    fresh = note.with_name(f"{note.name}.new")
    with disk_told(git.folder):
        lines = [known + b" " + path for path, known in _walk(git.folder, beside, closed) if known]
        fresh.write_bytes(b"\0".join(lines))
        fresh.replace(note)


def clear_leftovers(git: Git) -> None:
    """Remove what lies beside the tree and was not noted; Spoilt when something noted is not as it was."""
    noted = _read(_note(git.folder))
    beside = _beside(git)
    belongs = _with_folders(noted) | beside.folders
    gone: list[bytes] = []
    here: dict[bytes, bytes] = {}

    def closed(path: bytes, name: bytes) -> bool:
        return noted.get(path) == _CLOSED or path not in belongs

    try:
        for path, known in _walk(git.folder, beside, closed):
            if path in noted:
                here[path] = known
            elif path not in belongs:
                gone.append(path)
    except OSError:  # a folder that was closed to us, or that somebody is writing in
        raise Spoilt from None
    if any(_differs(known, here.get(path)) for path, known in noted.items() if path not in beside.tracked):
        raise Spoilt
    for path in gone:
        remove_tree(git.folder / os.fsdecode(path))


def _differs(then: bytes, now: bytes | None) -> bool:
    """A closed folder has its own seal; one that was empty and is no longer there is no loss."""
    if then == _CLOSED:
        return now not in (None, _CLOSED)
    return then != _FOLDER and then != now


def _walk(
    folder: Path, beside: _Beside, closed: Callable[[bytes, bytes], bool]
) -> Iterator[tuple[bytes, bytes]]:
    """What no tree brought, with what is known of it; compiled files without, so that nobody notes them."""
    top = os.fsencode(folder)
    waiting = [b""]
    while waiting:
        within = waiting.pop()
        with os.scandir(top + b"/" + within) as entries:
            empty = True
            for entry in entries:
                empty = False
                path = within + entry.name
                if path == _GIT:
                    continue  # made anew at each opening
                if not entry.is_dir(follow_symlinks=False):
                    if path not in beside.tracked:
                        yield path, b"" if _COMPILED in path.split(b"/") else _facts(entry)
                elif closed(path, entry.name):
                    yield path, _CLOSED
                else:
                    waiting.append(path + b"/")
        if empty and within and _COMPILED not in within.split(b"/"):
            yield within[:-1], _FOLDER


def _facts(entry: os.DirEntry[bytes]) -> bytes:
    facts = entry.stat(follow_symlinks=False)
    kind = stat.S_IFMT(facts.st_mode) | stat.S_IMODE(facts.st_mode)
    return b"%o:%d:%d:%d" % (kind, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)


def _beside(git: Git) -> _Beside:
    """By the copy of the index that lies out of reach of what runs in the room."""
    kept = git.folder.with_name(git.folder.name + INDEX)
    with_index = git._replace(more={**git.more, "GIT_INDEX_FILE": str(kept)}) if kept.is_file() else git
    tracked = frozenset(path for path in with_index.run("ls-files", "-z", "-c").split(b"\0") if path)
    return _Beside(tracked, frozenset(_with_folders(tracked)))


def _with_folders(paths: Iterable[bytes]) -> set[bytes]:
    """The paths and every folder above them."""
    found: set[bytes] = set()
    for path in paths:
        while path and path not in found:
            found.add(path)
            path = posixpath.dirname(path)
    return found


def _read(note: Path) -> Mapping[bytes, bytes]:
    """Without a note nothing belongs to the room but its tree."""
    try:
        with note.open("rb") as file:
            lines = file.read(_LARGEST).split(b"\0")
    except FileNotFoundError:
        return {}
    return {path: known for known, _, path in (line.partition(b" ") for line in lines) if path}


def _note(folder: Path) -> Path:
    return folder.with_name(folder.name + SETTLED)
