"""The goal without what only confuses a reader of text: marks of no width, CRLF, our own slot character.

It keeps the way back, so that every place can be told in the text as it was given. It never changes words.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from donewhen.core.goal.model import Place

SLOT = "\ue000"  # stands for a command in the prose around it
_NOISE = re.compile("\r(?=\n)|[\ue000\ufeff\u200b-\u200f\u2060-\u2064\u00ad\u202a-\u202e\u2066-\u2069]")


class Clean(NamedTuple):
    text: str
    cuts: tuple[int, ...]  # where in the cleaned text each removed character stood
    lines: tuple[int, ...]  # where each line of the cleaned text starts

    def place(self, offset: int) -> Place:
        return Place(offset + bisect_right(self.cuts, offset), bisect_right(self.lines, offset))


def clean(text: str) -> Clean:
    cuts = tuple(found.start() - i for i, found in enumerate(_NOISE.finditer(text)))
    kept = _NOISE.sub("", text).replace("\r", "\n").replace("\u00a0", " ").replace("\u3000", " ")
    lines = (0, *(found.end() for found in re.finditer("\n", kept)))
    return Clean(kept, cuts, lines)
