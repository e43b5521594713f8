"""What trees hold, many files in one call; every object is checked against its name.

Whoever works in a repository can write its objects, and git doesn't look whether one is what its name says:
a base that was altered behind its id must not become what a change is compared with.
"""

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.git.runner import Git

_TREE, _LINK, _NESTED = b"40000", b"120000", b"160000"
_MOST = 500_000  # entries of one tree
_AT_ONCE = 256  # objects that are held in memory beside what is asked for
_MOST_HELD = 32 * 2**20  # bytes of objects that are used again


class _Held:
    """Objects that were read and checked, by their names; the oldest go first."""

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}
        self._size = 0
        self._lock = threading.Lock()

    def get(self, id: str) -> bytes | None:
        return self._data.get(id)

    def put(self, id: str, data: bytes) -> None:
        with self._lock:
            if id in self._data or len(data) > _MOST_HELD // 8:
                return
            self._data[id] = data
            self._size += len(data)
            while self._size > _MOST_HELD:
                self._size -= len(self._data.pop(next(iter(self._data))))


_HELD = _Held()


class Entry(NamedTuple):
    id: str
    link: bool  # its content is where it leads to


def entries(git: Git, tree: str, kind: str) -> dict[str, Entry]:
    """Every file and link of a tree by its path; repositories inside are left out."""
    found: dict[str, Entry] = {}
    waiting = [(b"", tree)]
    while waiting:
        read = _objects(git, [id for _, id in waiting], kind)
        deeper: list[tuple[bytes, str]] = []
        for (folder, _), data in zip(waiting, read, strict=True):
            for mode, name, id in _lines(data, hashlib.new(kind, usedforsecurity=False).digest_size):
                path = folder + name
                if mode == _TREE:
                    deeper.append((path + b"/", id))
                elif mode != _NESTED:
                    found[os.fsdecode(path)] = Entry(id, mode == _LINK)
        if len(found) > _MOST:
            raise SetupError("git.failed", command="cat-file", why=f"the tree {tree} has too many files")
        waiting = deeper
    return found


def contents(git: Git, ids: Iterable[str], kind: str, largest: int) -> dict[str, bytes | int]:
    """The blobs with these ids; of those larger than `largest`, only the size."""
    wanted = list(dict.fromkeys(ids))
    sizes = _sizes(git, wanted)
    found: dict[str, bytes | int] = {id: size for id, size in sizes.items() if size > largest}
    small = [id for id in wanted if id not in found]
    for start in range(0, len(small), _AT_ONCE):
        some = small[start : start + _AT_ONCE]
        found |= dict(zip(some, _objects(git, some, kind), strict=True))
    return found


def _sizes(git: Git, ids: Sequence[str]) -> dict[str, int]:
    held = {id: data for id in ids if (data := _HELD.get(id)) is not None}
    left = [id for id in ids if id not in held]
    lines = []
    if left:
        printed = git.run("cat-file", "--batch-check", stdin="".join(f"{id}\n" for id in left).encode())
        lines = [line.split() for line in os.fsdecode(printed).splitlines()]
    sizes = {id: int(line[2]) for id, line in zip(left, lines, strict=True) if len(line) == 3}
    return sizes | {id: len(data) for id, data in held.items()}


def _objects(git: Git, ids: Sequence[str], kind: str) -> list[bytes]:
    found = {id: data for id in ids if (data := _HELD.get(id)) is not None}
    left = [id for id in dict.fromkeys(ids) if id not in found]
    if left:
        printed = git.run("cat-file", "--batch", stdin="".join(f"{id}\n" for id in left).encode())
        for id, data in zip(left, _checked(printed, left, kind), strict=True):
            found[id] = data
            _HELD.put(id, data)
    return [found[id] for id in ids]


def _checked(printed: bytes, ids: Sequence[str], kind: str) -> Iterator[bytes]:
    at = 0
    for id in ids:
        end = printed.index(b"\n", at)
        words = printed[at:end].split()
        if len(words) != 3 or not words[2].isdigit():
            raise _damaged(id)
        at = end + 1 + int(words[2])
        data = printed[end + 1 : at]
        name = hashlib.new(kind, words[1] + b" %d\0" % len(data), usedforsecurity=False)
        name.update(data)
        if name.hexdigest() != id:
            raise _damaged(id)
        yield data
        at += 1


def _lines(data: bytes, size: int) -> Iterator[tuple[bytes, bytes, str]]:
    """Mode, name and id of each entry of a tree object."""
    at = 0
    while at < len(data):
        blank = data.index(b" ", at)
        end = data.index(b"\0", blank)
        yield data[at:blank], data[blank + 1 : end], data[end + 1 : end + 1 + size].hex()
        at = end + 1 + size


def _damaged(id: str) -> SetupError:
    return SetupError("git.failed", command="cat-file", why=f"the object {id} is damaged, see `git fsck`")
