"""A terminal as a test sees it: what stands on the screen, and what has scrolled off it.

It understands what donewhen writes and refuses everything else, so that a stray control sequence fails a test.
"""

import re
import unicodedata

_SEQUENCE = re.compile(r"\x1b\[(\??)(\d*)((?:;\d+)*)([A-Za-z])")


class Emulator:
    def __init__(self, columns=80, lines=24):
        self.columns, self.lines = columns, lines
        self.scrolled: list[str] = []
        self._rows: list[list[str]] = [[]]
        self._row = self._column = 0
        self.cursor_shown = self.wraps = True
        self.pictures = 0
        self.sequences: set[str] = set()

    @property
    def screen(self) -> list[str]:
        return ["".join(row).rstrip() for row in self._rows]

    @property
    def text(self) -> str:
        """Everything, also what has left the screen."""
        return "\n".join((*self.scrolled, *self.screen))

    def feed(self, text: str) -> None:
        at = 0
        while at < len(text):
            found = _SEQUENCE.match(text, at)
            if found:
                self._control(found)
                at = found.end()
                continue
            self._put(text[at])
            at += 1

    def _control(self, found: re.Match[str]) -> None:
        private, number, _, letter = found.groups()
        self.sequences.add(f"{private}{number if private else ''}{letter}")
        match (private, letter):
            case ("?", "l" | "h"):
                self._mode(number, letter == "h")
            case ("", "A"):
                self._row = max(0, self._row - int(number or 1))
            case ("", "J"):
                self._rows = self._rows[: self._row + 1]
                self._rows[self._row] = self._rows[self._row][: self._column]
            case ("", "K"):
                self._rows[self._row] = self._rows[self._row][: self._column]
            case ("", "m"):
                pass
            case _:
                raise AssertionError(f"unknown sequence {found[0]!r}")

    def _mode(self, number: str, on: bool) -> None:
        if number == "25":
            self.cursor_shown = on
            self.pictures += on
        elif number == "7":
            self.wraps = on
        else:
            raise AssertionError(f"unknown mode {number}")

    def _put(self, char: str) -> None:
        if char == "\r":
            self._column = 0
        elif char == "\n":
            self._down()
        elif unicodedata.category(char).startswith("C"):
            raise AssertionError(f"control character {char!r}")
        else:
            self._print(char)

    def _print(self, char: str) -> None:
        wide = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if self._column + wide > self.columns:
            if not self.wraps:
                self._column = self.columns - wide
            else:
                self._column = 0
                self._down()
        row = self._rows[self._row]
        row += [" "] * (self._column + wide - len(row))
        row[self._column] = char
        if wide == 2:
            row[self._column + 1] = ""
        self._column += wide

    def _down(self) -> None:
        self._row += 1
        if self._row == len(self._rows):
            self._rows.append([])
        if len(self._rows) > self.lines:
            self.scrolled.append("".join(self._rows.pop(0)).rstrip())
            self._row -= 1
