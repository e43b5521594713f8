"""What is going on, while it goes on: one line that moves on a terminal, one line per step elsewhere.

Always on stderr, so that stdout stays what was asked for; gone when the work is done.
"""

import os
import shutil
import sys
from types import TracebackType
from typing import Self

from donewhen.core.texts import Phrase, say
from donewhen.ui.output import fit, one_line
from donewhen.ui.words import language

_PASSING = frozenset(("verify.looking", "verify.laying"))  # over in a moment: not worth a line that stays
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Progress:
    """Called with what is being done, for how long already, and the last line that it printed."""

    def __init__(self, *, quiet: bool) -> None:
        stream = sys.stderr
        self._stream = None if quiet else stream
        self._moving = not quiet and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._said: set[str] = set()
        self._frame = 0
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wipe()

    def __call__(self, what: Phrase, seconds: float = 0.0, last: str = "") -> None:
        if self._stream is None:
            return
        text = one_line(say(what.key, language(), **what.values))
        if self._moving:
            self._draw(text, seconds, one_line(last))
        elif text not in self._said and what.key not in _PASSING:
            self._said.add(text)  # several things go on at once: each is told when it begins
            self._write(f"{text}\n")

    def _draw(self, text: str, seconds: float, last: str) -> None:
        self._frame += 1
        mark = _FRAMES[self._frame % len(_FRAMES)]
        line = f"{mark} {text}" + (f"  {seconds:.0f} s" if seconds >= 1 else "")
        line += f"  {last[:400]}" if last else ""
        columns = max(20, shutil.get_terminal_size().columns - 1)
        self._write(f"\r\x1b[K{fit(line, columns)}")
        self._drawn = True

    def wipe(self) -> None:
        """Take the moving line away; the next one comes by itself."""
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = False

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # nobody looks any more; the verdict does not depend on it
            self._stream = None
