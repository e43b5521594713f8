"""Literals as integrity compares them: canonical, and taken apart where a table holds them in pieces.

A reader writes literals as JSON has them; what is no JSON stays the text that it is. Nothing here evaluates.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

_LONGEST = 20_000  # characters; a longer literal is compared as text
_DEEPEST = 60  # brackets; deeper ones are compared as text
FALSY = frozenset(("false", "null", "0", '""', "[]", "{}"))


@lru_cache(maxsize=65536)
def canonical(literal: str) -> str:
    """The same text for the same value: `1.0` and `1`, `[1,2]` and `[1, 2]`."""
    found = _load(literal)
    return literal if found is _UNREAD else _written(found)


@lru_cache(maxsize=65536)
def parts(literal: str) -> tuple[str, ...]:
    """The scalars that the literal is made of, keys among them; an empty list or map is its own part."""
    found = _load(literal)
    if found is _UNREAD:
        return (literal,)
    scalars: list[str] = []
    waiting = [found]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list) and here:
            waiting.extend(reversed(here))
        elif isinstance(here, dict) and here:
            waiting.extend(piece for entry in reversed(here.items()) for piece in reversed(entry))
        else:
            scalars.append(_written(here))
    return tuple(scalars)


def tally(literals: Iterable[str]) -> Counter[str]:
    """How often each value stands there, in canonical form."""
    return Counter(canonical(literal) for literal in literals)


def pieces(literals: Iterable[str]) -> frozenset[str]:
    """Every value and every part of one."""
    found: set[str] = set()
    for literal in frozenset(literals):
        found.add(canonical(literal))
        found.update(parts(literal))
    return frozenset(found)


def pieces_alone(literals: Iterable[str]) -> frozenset[str]:
    """The scalars that the values are made of."""
    return frozenset(part for literal in literals for part in parts(literal))


def scalars(literals: Sequence[str]) -> Counter[str]:
    """The scalars of all values, each as often as it stands there; parts beside their whole count once."""
    whole = Counter[str]()
    seen = ""
    for value in sorted(
        {canonical(each) for each in literals if parts(each) != (canonical(each),)}, key=len, reverse=True
    ):
        if value not in seen:
            whole.update(parts(value))
            seen += value
    single = Counter(canonical(each) for each in literals if parts(each) == (canonical(each),))
    return whole + (single - whole)


def rows(literals: Iterable[str]) -> tuple[Counter[str], ...]:
    """The rows of tables among the values: lists of lists, and maps."""
    found: dict[str, Counter[str]] = {}
    for literal in literals:
        table = _load(literal) if literal[:1] in ("[", "{") else None
        entries = [list(entry) for entry in table.items()] if isinstance(table, dict) else table
        if isinstance(entries, list) and entries and all(isinstance(entry, list | dict) for entry in entries):
            for entry in entries:
                written = _written(entry)
                found[written] = Counter(parts(written))
    return tuple(found.values())


def held(needed: Iterable[str], pool: frozenset[str]) -> bool:
    """Every value of `needed` is in the pool, whole or in parts."""
    return all(canonical(each) in pool or all(part in pool for part in parts(each)) for each in needed)


_UNREAD = object()


def _load(literal: str) -> object:
    if len(literal) > _LONGEST or literal.count("[") + literal.count("{") > _DEEPEST:
        return _UNREAD
    try:
        return json.loads(literal)
    except ValueError:
        return _UNREAD


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return json.dumps(value, ensure_ascii=False)
