"""The ways in which a line can be read: as people see it, and as somebody reads it who was meant to.

Unseen characters, letters that look like others, letters set apart and names made of words all carry the same
sentence to a model. Line by line, so that a place stays a place. Pure, and in time that grows with the text.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

Manner = Literal["text", "names", "squeezed"]

_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff\u0300-\u036f]"
)
_LETTERS_OF = {
    "а": "a", "ɑ": "a", "α": "a", "в": "b", "ь": "b", "β": "b", "с": "c", "ϲ": "c", "ԁ": "d", "е": "e",
    "є": "e", "ε": "e", "ғ": "f", "ɡ": "g", "һ": "h", "н": "h", "η": "n", "і": "i", "ι": "i", "ı": "i",
    "ј": "j", "к": "k", "κ": "k", "ӏ": "l", "м": "m", "μ": "m", "п": "n", "ո": "n", "о": "o", "ο": "o",
    "σ": "o", "օ": "o", "р": "p", "ρ": "p", "ԛ": "q", "г": "r", "ѕ": "s", "т": "t", "τ": "t", "υ": "u",
    "ս": "u", "ѵ": "v", "ν": "v", "ԝ": "w", "ω": "w", "ш": "w", "х": "x", "χ": "x", "у": "y", "γ": "y",
    "ү": "y", "ζ": "z",
}  # fmt: skip
_LATIN = str.maketrans({**_LETTERS_OF, **{each.upper(): to for each, to in _LETTERS_OF.items()}, "Ι": "I"})
_APART = re.compile(r"(?<!\w)[^\W\d_](?!\w)(?:[^\w\n]{1,5}[^\W\d_](?!\w)){5,}")
_BETWEEN = re.compile(r"(?<=\w)[^\w\n]{1,5}(?=\w)")
_NAME = re.compile(r"[^\W\d][\w./-]{7,}")
_SEAM = re.compile(r"[_./-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Reading(NamedTuple):
    manner: Manner
    lines: list[str]


def readings(lines: Sequence[str], hint: re.Pattern[str]) -> Iterator[Reading]:
    """Every one that differs from those before it; names only of lines with a hint that it is worth it."""
    seen = [as_seen(line) for line in lines]
    yield Reading("text", seen)
    latin = [line if line.isascii() else line.translate(_LATIN) for line in seen]
    if latin != seen:
        yield Reading("text", latin)
    closed = [_APART.sub(_closed, line) for line in latin]
    if closed != latin:
        yield Reading("text", closed)
        yield Reading("squeezed", [_APART.sub(_squeezed, line) for line in latin])
    names = [_names(line) if hint.search(line) else "" for line in latin]
    if any(names):
        yield Reading("names", names)


def as_seen(line: str) -> str:
    """As people see it: no characters without width, one form of each letter, no accents."""
    if line.isascii():
        return line
    shown = _UNSEEN.sub("", unicodedata.normalize("NFKD", line))
    kept = "".join(each for each in shown if unicodedata.category(each) != "Cf")
    return unicodedata.normalize("NFKC", kept)


def _closed(apart: re.Match[str]) -> str:
    """`r e a d  t h i s` as `read this`: a single mark is between letters, several are between words."""
    return _BETWEEN.sub(lambda gap: _gap(gap[0]), apart[0])


def _gap(text: str) -> str:
    return "" if len(text) == 1 else (text.strip()[:1] + " ").lstrip("-_*· ") or " "


def _squeezed(apart: re.Match[str]) -> str:
    return re.sub(r"\W", "", apart[0])


def _names(line: str) -> str:
    """The names in a line that are made of three words or more, each as a sentence."""
    split = (_SEAM.sub(" ", each[0]).strip() for each in _NAME.finditer(line))
    return ". ".join(each for each in split if each.count(" ") >= 2)
