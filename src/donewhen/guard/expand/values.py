"""What the operators of `${x…}` make of one value: exact for what is certain, marks for what is not.

A mark may be trimmed, cut or replaced in ways that can't be told; what is left is the weakest mark that still
covers it, and an origin (network, secret, environment) is never lost.
"""

from collections.abc import Callable

from donewhen.guard.expand import patterns
from donewhen.guard.expand.patterns import Pattern
from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, NETWORK, SECRET, STAR, certain, lead
from donewhen.guard.state import State

_MAYBE_EMPTY = frozenset((HOLE, STAR, BELOW, NETWORK, SECRET, ENVIRONMENT))


def maybe_empty(text: str) -> bool:
    """May a marked text be nothing at all?"""
    return _MAYBE_EMPTY.issuperset(text)


def weakened(text: str) -> str:
    """A mark for any text that may be made out of this one."""
    for mark in (SECRET, ENVIRONMENT, NETWORK, HOLE):
        if mark in text:
            return mark
    if text == BELOW:
        return BELOW
    return HOLE if "/" in text or ".." in text or BELOW in text else STAR


def length(text: str) -> str:
    return str(len(text)) if certain(text) else STAR


def trimmed(text: str, pattern: Pattern | None, operator: str, state: State) -> str:
    """`#`, `##`, `%`, `%%`."""
    if not text:
        return ""
    if pattern is None or not state.spend(len(text) * (len(pattern) + 1)):
        return weakened(text)
    if certain(text):
        return patterns.trimmed(text, pattern, operator)
    return _trimmed_marks(text, pattern, operator)


def _trimmed_marks(text: str, pattern: Pattern, operator: str) -> str:
    """As far as the certain end of the text decides it."""
    if operator == "##" and pattern == (patterns.MANY, "/"):
        name = text.rpartition("/")[2]
        return (
            name
            if BELOW not in name and weakened(name) == STAR
            else STAR
            if name == BELOW
            else weakened(text)
        )
    front = operator[0] == "#"
    end = lead(text) if front else lead(text[::-1])[::-1]
    plain = patterns.literal(pattern)
    if plain is not None and len(end) >= len(plain):
        return patterns.trimmed(text, pattern, operator[0])
    if len(operator) == 1:
        short = patterns.trimmed(end, pattern, operator)
        if len(short) < len(end):
            cut = len(end) - len(short)
            return text[cut:] if front else text[: len(text) - cut]
        if operator == "%" and pattern == ("/", patterns.MANY) and "/" in text:
            folder, _, name = text.rpartition("/")
            if weakened(name) == STAR:
                return folder  # nothing behind the last slash holds another
    return weakened(text)


def replaced(text: str, pattern: Pattern | None, put: str, operator: str, anchor: str, state: State) -> str:
    """`/` and `//`."""
    if not text and pattern is not None:
        return put if (pattern or anchor) and patterns.ends(pattern, "") else ""
    plain = patterns.literal(pattern) if pattern is not None else None
    if certain(text) and plain and not anchor:
        if not state.spend(len(text) + text.count(plain) * len(put)):
            return weakened(text)
        return text.replace(plain, put, -1 if operator == "//" else 1)
    rounds = 1 if anchor else len(text)
    if pattern is None or not state.spend(len(text) * rounds * (len(pattern) + 1)):
        return mixed(text, put)
    if certain(text):
        return patterns.replaced(text, pattern, put, operator == "//", anchor)
    if plain is not None and len(plain) == 1 and not anchor and not {"/", "."} & set(put) and certain(put):
        # a mark that had this character has another one instead, which no path needs to fear
        return text.replace(plain, put) if operator == "//" else mixed(text, put)
    return mixed(text, put)


def mixed(text: str, put: str) -> str:
    """A mark for any text that may be made out of these two."""
    mark = weakened(text + put)
    return HOLE if mark in (STAR, BELOW) else mark


def cut(text: str, offset: int | None, size: int | None, sized: bool) -> str:
    """`${x:offset:size}`; None: not known. `sized`: a size was given."""
    if offset is None or (sized and size is None):
        return weakened(text)
    if certain(text):
        start = offset if offset >= 0 else len(text) + offset
        if not 0 <= start <= len(text):
            return ""
        end = len(text) if size is None else start + size if size >= 0 else len(text) + size
        return text[start:end] if end >= start else ""
    known = lead(text)
    if offset >= 0 and size is not None and size >= 0 and offset + size <= len(known):
        return known[offset : offset + size]
    if 0 <= offset <= len(known) and size is None:
        return text[offset:]
    return weakened(text)


_CASES: dict[str, Callable[[str], str]] = {
    "^": str.upper,
    ",": str.lower,
}


def cased(text: str, operator: str, pattern: Pattern | None, state: State) -> str:
    """`^`, `^^`, `,`, `,,`; without a pattern every letter counts."""
    change = _CASES[operator[0]]
    if not state.spend(len(text)):
        return weakened(text)
    if pattern is None:
        return change(text) if len(operator) == 2 else change(text[:1]) + text[1:]
    if len(operator) == 1:
        return _case(text[:1], pattern, change) + text[1:]
    return "".join(_case(character, pattern, change) for character in text)


def _case(character: str, pattern: Pattern, change: Callable[[str], str]) -> str:
    fits = bool(character) and patterns.ends(pattern, character)[-1:] == [len(character)]
    return change(character) if fits else character


def quoted(text: str) -> str:
    """`${x@Q}`."""
    if not certain(text):
        return weakened(text)
    if any(ord(character) < 32 for character in text):
        return "$'" + "".join(_ESCAPES.get(character, character) for character in text) + "'"
    return "'" + text.replace("'", "'\\''") + "'"


_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "'": "\\'", "\\": "\\\\", "\a": "\\a", "\x1b": "\\E"}
