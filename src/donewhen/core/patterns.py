"""Regular expressions from files: bounded, compiled without warnings, and free of explosive repetition.

A pattern is matched again and again against text that an agent chooses, so one that can take exponential
time is refused from any source. The check is conservative: it reads the parsed pattern, never tries it out,
and refuses what it can't prove to be tame.
"""

import importlib
import math
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

LONGEST = 500  # characters of one pattern
MOST = 200  # patterns of one list
MOST_TEXT = 16 * 1024  # characters of all patterns of one file

_UNBOUNDED = 50  # a repeat that may go on longer counts as endless
_MOST_UNBOUNDED = 8
_MOST_OPEN = 3  # endless repeats of `.`, which can share out the same text in many ways
_MOST_CHOICES = 16.0  # binary decisions inside one repeat
_LARGEST_CLASS = 2000  # characters of a class whose case must be ignored: each is looked up when it compiles


class Trouble(NamedTuple):
    """Why a pattern is refused: a name of the catalogue, and its values."""

    name: str
    values: tuple[tuple[str, str | int], ...] = ()


class _Repeats(NamedTuple):
    endless: int
    open: int


@lru_cache(maxsize=2048)
def trouble_with(text: str) -> Trouble | None:
    """What is wrong with a pattern; None for one that may be used."""
    if len(text) > LONGEST:
        return Trouble("regex_too_long", (("longest", LONGEST),))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            parsed = importlib.import_module("re._parser").parse(text)
            if _explodes(parsed):
                return Trouble("regex_explodes")
            if _ignores_case(parsed) and sum(map(_class_size, _nodes(parsed))) > _LARGEST_CLASS:
                return Trouble("regex_large_class")
            re.compile(text)
        except (re.error, OverflowError, RecursionError, Warning) as error:
            return Trouble("bad_regex", (("cause", str(error)),))
    return None


@lru_cache(maxsize=2048)
def endless_repeats(text: str) -> int:
    """How many repeats of a valid pattern have no end: each may multiply the work by the length of a text."""
    return sum(_repeats(node).endless for node in _nodes(importlib.import_module("re._parser").parse(text)))


def _explodes(parsed: Any) -> bool:
    if math.isinf(_choices(parsed)):
        return True
    repeats = [_repeats(node) for node in _nodes(parsed)]
    if sum(found.endless for found in repeats) > _MOST_UNBOUNDED:
        return True
    return sum(found.open for found in repeats) > _MOST_OPEN


def _choices(pattern: Any) -> float:
    """How many binary decisions a match may undo inside `pattern`; infinite when they multiply."""
    if any(_share_text(left, right) for left, right in pairwise(pattern)):
        return math.inf
    return sum(_choices_of(str(operator), argument) for operator, argument in pattern)


def _choices_of(operator: str, argument: Any) -> float:
    if operator.endswith("_REPEAT"):
        return _choices_of_repeat(operator, *argument)
    if operator == "BRANCH":
        alternatives = argument[1]
        return sum(map(_choices, alternatives)) + (1.0 if _overlap(alternatives) else 0.0)
    return sum(_choices(inner) for inner in _inner(argument))


def _share_text(left: Any, right: Any) -> bool:
    """Whether two endless repeats stand side by side and can divide the same text between them."""
    if not all(_repeats((str(operator), argument)).endless for operator, argument in (left, right)):
        return False
    one, other = list(left[1][2]), list(right[1][2])
    return one == other or any(str(operator) == "ANY" for operator, _ in (*one, *other))


def _choices_of_repeat(operator: str, low: int, high: int, pattern: Any) -> float:
    inside = _choices(pattern)
    if inside and high > 1:
        inside = math.inf if high > _UNBOUNDED or high * inside > _MOST_CHOICES else high * inside
    # what a possessive repeat took is never given back
    own = 0.0 if operator == "POSSESSIVE_REPEAT" else math.log2(min(high, 4096) - min(low, 4096) + 1)
    return own + inside


def _overlap(alternatives: list[Any]) -> bool:
    """Whether two alternatives may begin with the same character."""
    seen: set[int] = set()
    for alternative in alternatives:
        first = _first(alternative)
        if first is None or seen & first:
            return True
        seen |= first
    return False


def _first(pattern: Any) -> set[int] | None:
    """The characters that a match can begin with; None when they can't be listed."""
    items = list(pattern)
    if not items:
        return None
    operator, argument = items[0]
    if str(operator) == "LITERAL":
        return {argument}
    if str(operator) == "SUBPATTERN":
        return _first(argument[-1])
    if str(operator) == "IN" and all(str(kind) == "LITERAL" for kind, _ in argument):
        return {value for _, value in argument}
    return None


def _nodes(pattern: Any) -> Iterator[tuple[str, Any]]:
    for operator, argument in pattern:
        yield str(operator), argument
        inner = argument[1] if str(operator) == "BRANCH" else _inner(argument)
        for below in inner:
            yield from _nodes(below)


def _inner(argument: Any) -> list[Any]:
    """The patterns inside the argument of an operator."""
    parts = argument if isinstance(argument, tuple) else (argument,)
    return [part for part in parts if type(part).__name__ == "SubPattern"]


def _repeats(node: tuple[str, Any]) -> _Repeats:
    operator, argument = node
    if not operator.endswith("_REPEAT") or argument[1] <= _UNBOUNDED:
        return _Repeats(0, 0)
    return _Repeats(1, 1 if any(str(kind) == "ANY" for kind, _ in argument[2]) else 0)


def _ignores_case(parsed: Any) -> bool:
    inside = (argument[1] for operator, argument in _nodes(parsed) if operator == "SUBPATTERN")
    return bool((parsed.state.flags | sum(set(inside))) & re.IGNORECASE)


def _class_size(node: tuple[str, Any]) -> int:
    operator, argument = node
    if operator != "IN":
        return 0
    return sum(value[1] - value[0] for kind, value in argument if str(kind) == "RANGE")
