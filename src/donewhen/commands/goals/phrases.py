"""Phrases that frame a command: what stands before it, after it, or in its sentence; `phrases.toml`.

The order in which they are asked is in `frames`. Gaps between words are bounded, so that no text is slow.
"""

import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, Literal, get_args

from donewhen.commands.goals.clean import SLOT
from donewhen.commands.goals.needed import needed
from donewhen.core.lazy import Lazy
from donewhen.shell.tables import Place, beside, check_pattern, load_tables

Where = Literal["before", "after", "sentence"]
_TABLE = beside(__file__, "phrases.toml")


def check_row(place: Place, row: Any) -> dict[str, Any]:
    """`words`: texts that phrases share; a place of phrases: lists of patterns by their frame."""
    if place.name not in ("words", *get_args(Where)) or not isinstance(row, dict):
        raise place.error("", f"{place.name} is no place of phrases")
    if place.name == "words":
        return {name: "".join(str(text).split("\n")) for name, text in row.items()}
    checked: dict[str, Any] = {}
    for frame, phrases in row.items():
        if not isinstance(phrases, list) or not all(isinstance(each, str) for each in phrases):
            raise place.error(frame, f"{frame} is a list of patterns")
        checked[frame] = ["".join(each.split("\n")) for each in phrases]
        for each in checked[frame]:
            check_pattern(place, frame, re.sub(r"<\w+>", "w", each))
    return checked


@cache
def tables() -> Mapping[str, Mapping[str, Any]]:
    return load_tables(_TABLE, check_row)


class _Phrase(Lazy):
    """One alternative; the words that it shares with others are put in when it is compiled."""

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"<(\w+)>", lambda name: tables()["words"][name[1]], str(self._made[0])))


@cache
def phrases(where: Where, frame: str) -> tuple[tuple[str, list[_Phrase]], ...]:
    """The phrases of a frame by the words without which they are not said."""
    by_word: dict[str, list[_Phrase]] = {}
    for each in tables()[where][frame]:
        source = each.replace("◈", SLOT)
        phrase = _Phrase(source)
        for word in needed(source):
            by_word.setdefault(word, []).append(phrase)
    return tuple(by_word.items())


def says(where: Where, frame: str, text: str) -> bool:
    near = [found for word, found in phrases(where, frame) if word in text]
    return any(phrase.search(text) for found in near for phrase in found)
