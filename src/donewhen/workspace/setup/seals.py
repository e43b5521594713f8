"""Whether what a set-up filled is still as the set-up left it.

The commands of an exam may write their room, so a test could patch the very runner that the next exam is run
with. The change time of a file can't be set back by a command: a list of those times, kept out of reach of
commands, tells what was written since. Folders count by the names in them. Contents are not read.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.setup.digest import file_digest

Seal = Mapping[bytes, bytes]  # path from the root -> what is known of it
_Known = Callable[[os.DirEntry[bytes]], bytes]

_MOST = 400_000
_FOLDER = b"folder"
_COMPILED = b"__pycache__"
# what tools leave beside installed packages goes before the next exam, and is no reason to distrust the rest
_LEFT_BY_TOOLS = frozenset(
    (
        *((b"node_modules", name) for name in (b".cache", b".vite", b".vite-temp", b".vitest", b".tmp")),
        (b".venv", b".lock"),
    )
)
# a tool that builds into the folder that it fetches into; only what was fetched is sealed
_FETCHED = {".build": ("checkouts",), ".dart_tool": ("package_config.json",)}


class Broken(NamedTuple):
    """What differs from a seal."""

    left: tuple[bytes, ...]  # leftovers of tools, which can go
    altered: tuple[bytes, ...]  # everything else


def seal(root: Path, provides: Sequence[str]) -> Seal:
    """What lies in the filled folders now."""
    found: dict[bytes, bytes] = {}
    for path in (each for name in provides for each in _sealed(name)):
        full = root / path
        name = os.fsencode(path)
        if full.is_symlink():
            found[name] = b"link " + os.fsencode(full.readlink())
        elif full.is_dir():
            found[name] = _FOLDER
            for below, known in _walk(os.fsencode(full), _changed):
                found[name + b"/" + below] = known
        elif full.is_file():
            found[name] = file_digest(full).hex().encode()
    return found


def compare(then: Seal, now: Seal) -> Broken:
    """What was added, changed or removed. Compiled Python may go missing: its sources are sealed as well."""
    if then == now:
        return Broken((), ())
    left: list[bytes] = []
    altered: list[bytes] = []
    for path in sorted(set(then) | set(now)):
        if then.get(path) == now.get(path) or (left and path.startswith(left[-1] + b"/")):
            continue
        if _is_left(path, new=path not in then):
            left += [path] if path in now else []
        else:
            altered.append(path)
    return Broken(tuple(left), tuple(altered))


def content_digest(folder: Path, *, but: str) -> str:
    """Names a copy by names, sizes and times of what is in it; `but`, a name at its top, is left out."""
    whole = hashlib.sha256()
    for path, known in sorted(_walk(os.fsencode(folder), _written)):
        if path != os.fsencode(but):
            whole.update(path + b"\0" + known + b"\0")
    return whole.hexdigest()[:32]


def _sealed(name: str) -> tuple[str, ...]:
    parts = _FETCHED.get(name.rpartition("/")[2])
    return tuple(f"{name}/{part}" for part in parts) if parts else (name,)


def _is_left(path: bytes, new: bool) -> bool:
    parts = path.split(b"/")
    if _COMPILED in parts:
        return True
    return new and any(pair in _LEFT_BY_TOOLS for pair in pairwise(parts))


def _walk(top: bytes, known: _Known) -> Iterator[tuple[bytes, bytes]]:
    """Everything below, no link followed; a folder that can't be read has nothing in it."""
    waiting = [(top, b"")]
    seen = 0
    while waiting and seen < _MOST:
        folder, prefix = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    path = prefix + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, path + b"/"))
                        yield path, _FOLDER
                    else:
                        yield path, known(entry)
        except OSError:
            continue


def _changed(entry: os.DirEntry[bytes]) -> bytes:
    facts = entry.stat(follow_symlinks=False)
    return b"%d %d %o" % (facts.st_ctime_ns, facts.st_size, facts.st_mode)


def _written(entry: os.DirEntry[bytes]) -> bytes:
    """What an exact copy has in common with what it was copied from; whole seconds outlive an archive."""
    if entry.is_symlink():
        return b"link " + os.readlink(entry.path)  # noqa: PTH115 - bytes, thousands of times
    facts = entry.stat(follow_symlinks=False)
    return b"%d %d %o" % (facts.st_mtime, facts.st_size, facts.st_mode & 0o111)
