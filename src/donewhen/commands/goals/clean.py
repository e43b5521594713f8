"""The goal without what is not said in it: marks of no width, CRLF, our own slot, HTML comments, and
text that is struck out.

It keeps the way back, so that every place can be told in the text as it was given. It never changes words.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from donewhen.commands.goals.model import Place
from donewhen.core.lazy import lazy

SLOT = "\ue000"  # stands for a command in the prose around it
_NOISE = lazy("\r(?=\n)|[\ue000\ufeff\u200b-\u200f\u2060-\u2064\u00ad\u202a-\u202e\u2066-\u2069]")

_NOT_SPACE = lazy(r"[^\n]")
_STRUCK = lazy(r"(?<!~)~~(?![~\s])[^~\n]{1,500}~~(?!~)|<(del|s|strike)>[^<\n]{1,500}</\1>", re.IGNORECASE)


class Clean(NamedTuple):
    text: str
    cuts: tuple[int, ...]  # where in the cleaned text each removed character stood
    lines: tuple[int, ...]  # where each line of the cleaned text starts

    def place(self, offset: int) -> Place:
        return Place(offset + bisect_right(self.cuts, offset), bisect_right(self.lines, offset))


def clean(text: str) -> Clean:
    cuts = tuple(found.start() - i for i, found in enumerate(_NOISE.finditer(text)))
    kept = _NOISE.sub("", text).replace("\r", "\n").replace("\u00a0", " ").replace("\u3000", " ")
    kept = _STRUCK.sub(lambda found: " " * len(found[0]), _uncommented(kept))
    lines = (0, *(found.end() for found in re.finditer("\n", kept)))
    return Clean(kept, cuts, lines)


def _uncommented(text: str) -> str:
    """Comments of HTML as white space of the same length; one that never ends is text."""
    pieces, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        end += 3
        pieces += [text[at:start], _NOT_SPACE.sub(" ", text[start:end])]
        at = end
    return "".join(pieces) + text[at:]
