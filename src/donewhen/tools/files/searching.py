"""The search through files, in a process of its own: a pattern that takes for ever can be ended there.

Matching holds the interpreter, so in the harness's own process even a thread would stop everything else.
Reads what to do from its input and writes what it found, line by line, as JSON. Knows nothing of tools, and
opens files from the root down without following links.
"""

import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from donewhen.tools.inside import FILE, FOLDER, enter

LARGEST = 10 * 1024 * 1024  # bytes of a file that is searched
_LONGEST = 20_000  # characters of a line that are searched
_SHOWN = 400  # characters of a line that are shown
_SPECIAL = frozenset(".^$*+?{}[]\\|()")
_SECONDS = 170  # of processor time, whatever becomes of who started us


class Line(NamedTuple):
    number: int
    text: str
    hit: bool


class Order(NamedTuple):
    """What to look for; the limits are on matching lines and on characters of all that is shown."""

    root: str
    pattern: str
    ignore_case: bool
    context: int
    most_hits: int
    most_text: int
    paths: list[str]


class Search:
    """Gives the lines of one file after the other, and counts what was passed over."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._regex = re.compile(order.pattern, re.IGNORECASE if order.ignore_case else 0)
        plain = not order.ignore_case and _SPECIAL.isdisjoint(order.pattern)
        self._needle = order.pattern.encode() if plain else b""
        self._folder: tuple[str, int] = ("", -1)
        self._left = order.most_text
        self.hits = 0
        self.counts = {"large": 0, "binary": 0, "unreadable": 0, "cut": 0, "files": 0}

    def found(self) -> Iterator[tuple[str, list[Line]]]:
        root = os.open(self._order.root, FOLDER)
        for path in self._order.paths:
            data = self._data(root, path)
            if data is None or self._needle not in data:
                continue
            lines = self._lines(data.decode(errors="surrogateescape").split("\n"))
            if lines:
                self.counts["files"] += 1
                yield path, lines
            if self.hits >= self._order.most_hits or self._left <= 0:
                self.counts["cut"] = 1
                return

    def _lines(self, texts: list[str]) -> list[Line]:
        search = self._regex.search
        last = len(texts) - (texts[-1] == "")
        hits: dict[int, int] = {}
        for at in range(last):
            text = texts[at]
            found = search(text if len(text) <= _LONGEST else text[:_LONGEST])
            if found:
                hits[at] = found.start()
                self.hits += 1
                if self.hits >= self._order.most_hits:
                    break
        around = self._order.context
        shown = sorted(
            {near for at in hits for near in range(max(at - around, 0), min(at + around + 1, last))}
        )
        lines = [Line(at + 1, _part(texts[at], hits.get(at, 0)), at in hits) for at in shown]
        self._left -= sum(len(line.text) + 1 for line in lines)
        return lines

    def _data(self, root: int, path: str) -> bytes | None:
        folder, _, name = path.rpartition("/")
        try:
            handle = os.open(name, FILE, dir_fd=self._entered(root, folder))
        except OSError:  # a link, or gone meanwhile
            self.counts["unreadable"] += 1
            return None
        with os.fdopen(handle, "rb", buffering=0, closefd=True) as file:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                return None
            data = _whole(file.fileno())
        kind = "large" if len(data) > LARGEST else "binary" if b"\0" in data else ""
        if kind:
            self.counts[kind] += 1
        return None if kind else data

    def _entered(self, root: int, folder: str) -> int:
        """The folder of a file; files of one folder follow each other."""
        known, handle = self._folder
        if handle >= 0 and known == folder:
            return handle
        if handle >= 0:
            os.close(handle)
        self._folder = ("", -1)
        fresh = enter(root, folder.split("/") if folder else [])
        self._folder = (folder, fresh)
        return fresh


def _whole(handle: int) -> bytes:
    parts, left = [], LARGEST + 1
    while left > 0 and (part := os.read(handle, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _part(text: str, hit: int) -> str:
    """A line as it is shown; of a long one, the place of the match."""
    text = text.removesuffix("\r")
    if len(text) <= _SHOWN:
        return text
    start = max(min(hit - _SHOWN // 4, len(text) - _SHOWN), 0)
    return ("…" if start else "") + text[start : start + _SHOWN] + ("…" if start + _SHOWN < len(text) else "")


def main() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    order: dict[str, Any] = json.load(sys.stdin)
    search = Search(Order(**order))
    for path, lines in search.found():
        sys.stdout.write(json.dumps([path, lines]) + "\n")
    sys.stdout.write(json.dumps({**search.counts, "hits": search.hits}) + "\n")
