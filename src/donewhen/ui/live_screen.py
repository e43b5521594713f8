"""A few rows at the bottom of a terminal that are drawn again in place; what is finished scrolls above them.

One write per picture, the cursor shown again at its end, and nothing that a later program would have to put
right. It knows nothing of runs. A terminal that is gone is drawn on no more; nobody is told.
"""

import os
from collections.abc import Callable, Sequence
from typing import TextIO

from donewhen.ui.output import width

_BEGIN = (
    "\x1b[?25l\x1b[?7l"  # no cursor while it jumps, and no row that wraps on a terminal with other widths
)
_END = "\x1b[?7h\x1b[?25h"
_SMALLEST = (20, 2)  # columns and lines: a terminal that says less does not know


class Screen:
    def __init__(self, stream: TextIO, size: Callable[[], tuple[int, int]] | None = None) -> None:
        self._stream: TextIO | None = stream
        self._size = size or (lambda: _size_of(stream))
        self._rows: list[str] = []  # as they stand on the terminal
        self._columns = 0  # when they were drawn

    @property
    def alive(self) -> bool:
        return self._stream is not None

    def size(self) -> tuple[int, int]:
        columns, lines = self._size()
        return max(columns, _SMALLEST[0]), max(lines, _SMALLEST[1])

    def draw(self, above: Sequence[str], rows: Sequence[str]) -> bool:
        """Lines that stay, then the live rows; False when nothing had to be written."""
        columns = self.size()[0]
        if not above and list(rows) == self._rows and columns == self._columns:
            return False
        lines = "".join(f"\x1b[?7h{line}\x1b[?7l\r\n" for line in above)  # long lines of the log may wrap
        live = "\r\n".join(rows)
        self._write(f"{_BEGIN}{self._back(columns)}{lines}{live}{_END}")
        self._rows, self._columns = list(rows), columns
        return True

    def erase(self) -> None:
        """Leave nothing of the live rows behind, the cursor where they began."""
        if self._rows:
            self._write(f"{_BEGIN}{self._back(self.size()[0])}{_END}")
            self._rows = []

    def _back(self, columns: int) -> str:
        """To where the live rows begin, with all of them wiped; a narrower terminal has folded them."""
        if not self._rows:
            return ""
        taken = sum(max(1, -(-width(row) // columns)) for row in self._rows)
        up = f"\x1b[{taken - 1}A" if taken > 1 else ""
        return f"\r{up}\x1b[J"

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # hung up, or closed
            self._stream = None


def _size_of(stream: TextIO) -> tuple[int, int]:
    """Of the terminal itself, which may have changed since the environment was set."""
    try:
        found = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return 80, 24
    return found.columns or 80, found.lines or 24
