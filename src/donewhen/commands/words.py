"""Lists of words and patterns that say what commands mean: the tables of `word_lists`, checked when
they are read.

A row is a list (`words`), pairs of a word and its meaning (`pairs`), words by their meaning (`groups`), or a
`pattern`. Options of programs are not here but in the rows of `shell/programs`.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from donewhen.core.lazy import lazy
from donewhen.shell.tables import Place, beside, check_pattern, load_tables

_TABLES = beside(__file__, "word_lists")


def check_row(place: Place, row: Any) -> dict[str, Any]:
    """A row of one kind, its words in a list."""
    if not isinstance(row, dict) or len(row) != 1:
        raise place.error("", "a row has one key: words, pairs, groups or pattern")
    ((kind, value),) = row.items()
    if kind == "pattern" and isinstance(value, str):
        return {kind: check_pattern(place, kind, "".join(value.split("\n")))}
    if kind == "words" and isinstance(value, str):
        return {kind: value.split()}
    if kind not in ("pairs", "groups") or not isinstance(value, dict):
        raise place.error(kind, f"{kind} is no kind of row, or has a value of another kind")
    for name, each in value.items():
        if not isinstance(each, str):
            raise place.error(name, f"{name} is a text")
    return {kind: dict(value)}


@cache
def _rows() -> Mapping[str, Any]:
    return load_tables(_TABLES, check_row)


@cache
def word_set(name: str) -> frozenset[str]:
    return frozenset(_rows()[name]["words"])


@cache
def word_list(name: str) -> tuple[str, ...]:
    return tuple(_rows()[name]["words"])


@cache
def pairs(name: str) -> Mapping[str, str]:
    """Each word with its meaning."""
    row = _rows()[name]
    if "pairs" in row:
        return dict(row["pairs"])
    return {word: meaning for meaning, text in row["groups"].items() for word in text.split()}


def pattern_source(name: str) -> str:
    return str(_rows()[name]["pattern"])


@cache
def pattern(name: str, flags: int = 0) -> re.Pattern[str]:
    return lazy(pattern_source(name), flags)


@cache
def phrase_list(name: str) -> tuple[str, ...]:
    """Words whose blanks are written as _."""
    return tuple(each.replace("_", " ") for each in word_list(name))
