"""Every file below a folder, opened step by step from the root: no link is followed, none is entered.

The walk is bounded in number and depth, and says when it saw less than everything.
"""

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from donewhen.tools.files.working import Stop
from donewhen.tools.inside import enter

MOST_ENTRIES = 200_000
_DEEPEST = 200


class Walk:
    """Gives relative paths of files and links; afterwards `whole` says whether that was all."""

    def __init__(self, root: int, stop: Stop, skip: Callable[[str], bool]) -> None:
        self._root = root
        self._stop = stop
        self._skip = skip  # folders by their name
        self._seen = 0
        self.whole = True

    def below(self, folder: str) -> Iterator[str]:
        waiting = [folder]
        while waiting:
            self._stop.check()
            here = waiting.pop()
            names = [] if here == "." else here.split("/")
            found = self._entries(names)
            for entry in found.files:
                yield "/".join((*names, entry))
            if found.folders and len(names) >= _DEEPEST:
                self.whole = False
                continue
            inner = ("/".join((*names, name)) for name in found.folders if not self._skip(name))
            waiting += sorted(inner, reverse=True)

    def _entries(self, names: list[str]) -> "_Entries":
        files, folders = list[str](), list[str]()
        try:
            handle = enter(self._root, names)
        except OSError:  # gone, exchanged or closed meanwhile
            self.whole = False
            return _Entries((), ())
        try:
            with os.scandir(handle) as entries:
                for entry in entries:
                    self._seen += 1
                    if self._seen > MOST_ENTRIES:
                        self.whole = False
                        return _Entries((), ())
                    (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        finally:
            os.close(handle)
        return _Entries(tuple(sorted(files)), tuple(folders))


class _Entries(NamedTuple):
    files: tuple[str, ...]
    folders: tuple[str, ...]
