"""Titles of JavaScript tests: how runners join them, and titles with places for the values of a row."""

import re
from collections.abc import Iterable

_BETWEEN = re.compile(r" [>›] ")
_PLACE = re.compile(r"%[sdifjoOpc#$%]|\$\{[^}]{0,200}\}|\$#|\$[A-Za-z_][\w.]{0,80}")
_LONGEST = 2000


def fits(parts: Iterable[str], titles: Iterable[str]) -> bool:
    """Whether the titles that a report tells are those of the test, joined in whatever way."""
    told = flat(titles)
    wanted = flat(parts)
    if told == wanted:
        return bool(told)
    fixed = _PLACE.split(wanted)
    return len(fixed) > 1 and any(piece.strip() for piece in fixed) and _in_order(fixed, told)


def has_places(title: str) -> bool:
    return _PLACE.search(title[:_LONGEST]) is not None


def flat(titles: Iterable[str]) -> str:
    """All in one, with single blanks between, whatever stood there."""
    joined = " ".join(title for title in titles if title)
    return " ".join(_BETWEEN.sub(" ", joined[:_LONGEST]).split())


def _in_order(fixed: list[str], told: str) -> bool:
    """Every fixed piece, one after another; the first at the start, the last at the end."""
    first, *middle, last = fixed
    if not told.startswith(first) or not told.endswith(last) or len(told) < len(first) + len(last):
        return False
    at, end = len(first), len(told) - len(last)
    for piece in middle:
        found = told.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True
