"""The tree that a report speaks about: which of its files a path means, and whether the report fits it.

Reports are written by code that we don't trust: a path that leaves the tree is no path, a link is not
followed out of it, and a line that a file does not have makes the whole report one of another tree.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from donewhen.core.paths import LONGEST_PATH
from donewhen.core.quality.coverage import Covered, Lines
from donewhen.core.quality.model import Unreadable
from donewhen.verify.reports.frames import visible

LARGEST_SOURCE = 8 * 2**20
MOST_FILES = 100_000
HIGHEST_LINE = 10_000_000


class Tree:
    """Looks up files below `root`; relative paths start in `folder`, then in the root."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.root = root
        self._top = os.path.realpath(root)
        self._starts = tuple(dict.fromkeys((str(Path(self._top, folder)), self._top)))
        self._found: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def find(self, path: str, starts: Iterable[str] = ()) -> str:
        """The file's path from the root; empty when the tree has no such file."""
        if not path or len(path) > LONGEST_PATH or "\0" in path:
            return ""
        if path not in self._found:
            places = (str(Path(start, path)) for start in (*starts, *self._starts))
            self._found[path] = next((known for place in places if (known := self._inside(place))), "")
        return self._found[path]

    def _inside(self, place: str) -> str:
        folder, _, name = os.path.normpath(place).rpartition("/")
        real = Path(os.path.realpath(f"{folder}/"), name)
        if not place.startswith("/") or not str(real).startswith(f"{self._top.rstrip('/')}/"):
            return ""
        try:
            return "" if real.is_symlink() or not real.is_file() else os.path.relpath(real, self._top)
        except OSError:  # a name that is too long for this disk
            return ""

    def text(self, path: str) -> bytes | None:
        """The file's bytes; None for one that can't be read or is too large to be source."""
        try:
            with (self.root / path).open("rb") as file:
                data = file.read(LARGEST_SOURCE + 1)
        except OSError:
            return None
        return data if len(data) <= LARGEST_SOURCE else None

    def line_count(self, path: str) -> int:
        """How many lines it may have at most."""
        if path not in self._counts:
            data = self.text(path)
            ends = 0 if data is None else data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
            self._counts[path] = HIGHEST_LINE if data is None else ends + 1
        return self._counts[path]

    def fitting(self, path: str, lines: Iterable[int]) -> None:
        """Refuses a report that knows a line which the file does not have."""
        highest = max(lines, default=0)
        if highest > self.line_count(path):
            raise Unreadable("coverage.other_tree", file=visible(path, 200), line=highest)

    def covered(
        self, hits: Mapping[str, Mapping[int, bool]], named: int, *, complete: bool = False
    ) -> Covered:
        """What a report says, line by line; `named` is how many files it spoke of, in this tree or not."""
        if named and not hits:
            raise Unreadable("coverage.other_files")
        files: dict[str, Lines] = {}
        for path, lines in hits.items():
            self.fitting(path, lines)
            ran = frozenset(line for line, hit in lines.items() if hit and line > 0)
            files[path] = Lines(ran, frozenset(line for line in lines if line > 0 and line not in ran))
        return Covered(files)


def note(hits: dict[str, dict[int, bool]], path: str, line: int, hit: bool) -> None:
    """One line of a report: it ran if any entry says so."""
    lines = hits.setdefault(path, {})
    lines[line] = lines.get(line, False) or hit
