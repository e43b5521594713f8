"""Shell patterns against certain text, for `${x#p}`, `${x%p}`, `${x/p/r}` and `${x^p}`.

Matched with a set of positions, so that no pattern is slow by its form: the cost is text times pattern, and
whoever calls asks the budget first. Extended globs are not read; such a pattern is None, not known.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from donewhen.guard.marks import certain

_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "punct": lambda character: character.isprintable() and not character.isalnum() and character != " ",
    "xdigit": lambda character: character in "0123456789abcdefABCDEF",
    "blank": lambda character: character in " \t",
}


class Bracket(NamedTuple):
    """`[…]`."""

    characters: frozenset[str]
    ranges: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]
    negated: bool

    def takes(self, character: str) -> bool:
        inside = (
            character in self.characters
            or any(low <= character <= high for low, high in self.ranges)
            or any(_CLASSES[name](character) for name in self.classes)
        )
        return inside != self.negated


class Wild(NamedTuple):
    """`*` (many) and `?`."""

    many: bool


Token = str | Bracket | Wild
Pattern = tuple[Token, ...]
MANY, ONE = Wild(True), Wild(False)


def pattern(pieces: Iterable[tuple[str, bool]], extended: bool = False) -> Pattern | None:
    """The pattern of texts that are live (True) or stand for themselves; None: not known."""
    text, live = "", []
    for piece, alive in pieces:
        text += piece
        live += [alive] * len(piece)
    if not certain(text):
        return None
    found: list[Token] = []
    last = max((at for at, character in enumerate(text) if character == "]" and live[at]), default=-1)
    at = 0
    while at < len(text):
        token, at = _token(text, live, at) if at < last or text[at] != "[" else ("[", at + 1)
        found.append(token)
    if extended and any(
        live[n] and char == "(" and n and text[n - 1] in "@?*+!" for n, char in enumerate(text)
    ):
        return None
    return tuple(found)


def _token(text: str, live: Sequence[bool], at: int) -> tuple[Token, int]:
    character = text[at]
    if not live[at]:
        return character, at + 1
    if character == "*":
        return MANY, at + 1
    if character == "?":
        return ONE, at + 1
    if character == "\\" and at + 1 < len(text):
        return text[at + 1], at + 2
    if character == "[":
        return _bracket(text, live, at)
    return character, at + 1


def _bracket(text: str, live: Sequence[bool], at: int) -> tuple[Token, int]:
    first = at + 1 + (text[at + 1 : at + 2] in ("!", "^") and live[at + 1])
    end = bracket_end(text, live, at)
    if end < 0:
        return "[", at + 1
    characters, ranges, classes = set(), [], []
    place = first
    while place < end:
        close = text.find(":]", place + 2, end) if text.startswith("[:", place) else -1
        if close >= 0 and text[place + 2 : close] in _CLASSES:
            classes.append(text[place + 2 : close])
            place = close + 2
        elif text[place + 1 : place + 2] == "-" and place + 2 < end and live[place + 1]:
            ranges.append((text[place], text[place + 2]))
            place += 3
        else:
            characters.add(text[place])
            place += 1
    return Bracket(frozenset(characters), tuple(ranges), tuple(classes), first > at + 1), end + 1


def bracket_end(text: str, live: Sequence[int], at: int, stop: str = "") -> int:
    """Where the `[` at this place is closed, or -1; no further than a character of `stop`."""
    place = at + 1 + (text[at + 1 : at + 2] in ("!", "^") and bool(live[at + 1]))
    place += text[place : place + 1] == "]"
    while place < len(text) and text[place] not in stop:
        if text.startswith("[:", place):
            close = text.find(":]", place + 2, place + 12)
            place = close + 2 if close >= 0 else place + 1
        elif text[place] == "]" and live[place]:
            return place
        else:
            place += 1
    return -1


def literal(found: Pattern) -> str | None:
    """The text, when the pattern is nothing else."""
    return "".join(found) if all(isinstance(token, str) for token in found) else None  # type: ignore[arg-type]


def ends(found: Pattern, text: str, start: int = 0) -> list[int]:
    """All places where a match that begins at `start` may end, in order."""
    size = len(found)
    places = _closed(found, {0})
    accepted = [start] if size in places else []
    for at in range(start, len(text)):
        character = text[at]
        after = set()
        for place in places:
            if place == size:
                continue
            token = found[place]
            if isinstance(token, Wild):
                after.add(place if token.many else place + 1)
            elif (character == token) if isinstance(token, str) else token.takes(character):
                after.add(place + 1)
        places = _closed(found, after)
        if not places:
            break
        if size in places:
            accepted.append(at + 1)
    return accepted


def _closed(found: Pattern, places: set[int]) -> set[int]:
    """With what a `*` that stands for nothing allows."""
    for place in tuple(places):
        while place < len(found) and found[place] == MANY and isinstance(found[place], Wild):
            place += 1
            places.add(place)
    return places


def trimmed(text: str, found: Pattern, operator: str) -> str:
    """`#`, `##`, `%`, `%%`."""
    if operator[0] == "#":
        places = ends(found, text)
        return text if not places else text[places[-1 if operator == "##" else 0] :]
    back = ends(found[::-1], text[::-1])
    return text if not back else text[: len(text) - back[-1 if operator == "%%" else 0]]


def replaced(text: str, found: Pattern, put: str, every: bool, anchor: str) -> str:
    """`${x/p/r}` and its forms; `anchor` is `#`, `%` or empty."""
    if anchor == "#":
        places = ends(found, text)
        return text if not places else put + text[places[-1] :]
    if anchor == "%":
        back = ends(found[::-1], text[::-1])
        return text if not back else text[: len(text) - back[-1]] + put
    if not found:
        return text
    done, at = [], 0
    while at <= len(text):
        places = ends(found, text, at)
        if places and places[-1] > at:
            done.append(put)
            at = places[-1]
            if not every:
                break
        elif at < len(text):
            done.append(text[at])
            at += 1
        else:
            break
    return "".join(done) + text[at:]
