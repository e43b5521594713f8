"""A diff that is too long to be read is cut where it is longest, and what was left out is told.

Small files stay whole: whoever pads one file must not hide another. Nothing is summarised.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.semantic.diff import Part

LONGEST_DIFF = 160_000  # characters
LONGEST_LINE = 2_000
_LEAST = 300  # of a file: less would say nothing
_CUT = "[…]"


class LeftOut(NamedTuple):
    file: str
    lines: int


class Cut(NamedTuple):
    text: str
    left_out: tuple[LeftOut, ...]


def cut_diff(parts: Sequence[Part], longest: int = LONGEST_DIFF) -> Cut:
    """The parts in their order, at most about `longest` characters in all."""
    shown = [tuple(map(_short, part.lines)) for part in parts]
    rooms = _shares([sum(len(line) + 1 for line in lines) for lines in shown], longest)
    texts: list[str] = []
    left: list[LeftOut] = []
    for part, lines, room in zip(parts, shown, rooms, strict=True):
        kept = _fitting(lines, room)
        if kept:
            texts += [*lines[:kept], *([_CUT] if kept < len(lines) else [])]
        long = sum(len(line) > LONGEST_LINE for line in part.lines[:kept])
        if kept < len(lines) or long:
            left.append(LeftOut(part.file, len(lines) - kept + long))
    return Cut("\n".join(texts), tuple(left))


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + _CUT


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many lines there is room for."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Room for each: the small get what they need, the long share the rest evenly."""
    shares = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda at: sizes[at])
    for done, at in enumerate(order):
        share = min(sizes[at], room // (len(sizes) - done))
        shares[at] = share if share == sizes[at] or share >= _LEAST else 0
        room -= shares[at]
    return shares
