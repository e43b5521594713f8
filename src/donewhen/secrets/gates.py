"""Which shapes could a text hold? The cheap question asked before any shape's regex.

Testing fifty anchors one by one costs more than all the rest of redaction. So anchors that share their
most telling character are asked for together: each gate is a regex that opens with one literal character,
which the engine finds with memchr. A gate may say yes for nothing; it must never say no wrongly.
"""

import re
from collections.abc import Callable
from functools import cache
from itertools import groupby
from typing import NamedTuple

from donewhen.secrets.shapes import SHAPES, Shape, compiled

_SEPARATORS = "_-.="


class Gate(NamedTuple):
    pivot: str  # asking for one character costs a tenth of calling a regex
    search: Callable[[str], re.Match[str] | None]
    shapes: tuple[Shape, ...]


def _pivot(anchor: str) -> tuple[bool, str]:
    """(the anchor ends with its pivot, the pivot): a separator or capital at the end is rare."""
    ends = anchor[-1] in _SEPARATORS or (anchor[-1].isupper() and anchor[0].islower())
    return ends, anchor[-1] if ends else anchor[0]


def _gate(ends: bool, char: str, anchors: list[str]) -> re.Pattern[str]:
    literal = re.escape(char)
    if not ends:
        return re.compile(literal + "(?:" + "|".join(re.escape(anchor[1:]) for anchor in anchors) + ")")
    by_size = groupby(sorted(anchors, key=len), key=len)
    behind = "|".join("(?<=" + "|".join(map(re.escape, group)) + ")" for _, group in by_size)
    # Two sets of characters before the pivot turn nearly all words away before any anchor is tried.
    sets = (sorted({re.escape(anchor[at]) for anchor in anchors}) for at in (-3, -2))
    before = "".join(f"[{''.join(chars)}]" for chars in sets)
    return re.compile(rf"{literal}(?<={before}.)(?=[\w\-+/%])(?:{behind})")


@cache
def gates() -> tuple[Gate, ...]:
    """All gates, compiled on first use; a shape with a one-character anchor is its own gate."""
    groups: dict[tuple[bool, str], list[tuple[str, Shape]]] = {}
    alone: list[Gate] = []
    for shape in SHAPES:
        if len(shape.anchors[0]) == 1:
            alone.append(Gate(shape.anchors[0], compiled(shape).search, (shape,)))
            continue
        for anchor in shape.anchors:
            groups.setdefault(_pivot(anchor), []).append((anchor, shape))
    made = (
        Gate(
            pivot[1],
            _gate(*pivot, [anchor for anchor, _ in members]).search,
            tuple(dict.fromkeys(s for _, s in members)),
        )
        for pivot, members in groups.items()
    )
    return (*made, *alone)


def candidates(text: str) -> list[Shape]:
    """The shapes whose anchor stands in `text`, each once."""
    found: dict[str, Shape] = {}
    for pivot, search, shapes in gates():
        if pivot in text and search(text):
            for shape in shapes:
                if any(anchor in text for anchor in shape.anchors):
                    found.setdefault(shape.pattern, shape)
    return list(found.values())
