"""Strict reading of a reply's fields: each complaint names the place, and reading goes on to find the next.

Nothing is converted or guessed: a number in quotes is wrong, and so is a field that nobody asked for.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, TypeVar

from donewhen.core.semantic.model import ReviewError
from donewhen.core.texts import Phrase

_Word = TypeVar("_Word", bound=str)

LONGEST_REPLY = 400_000
MOST_PROBLEMS = 10
_LONGEST_NAME = 60
_FENCE = re.compile(r"```[a-zA-Z]{0,10}[ \t]*\r?\n(.*)\n[ \t]*```", re.DOTALL)
_UNSEEN = {number: " " for number in (*range(32), *range(127, 160)) if number not in (9, 10)}


class Problems:
    """The complaints so far; mutable while one reply is read."""

    def __init__(self) -> None:
        self.found: list[Phrase] = []

    def add(self, phrase: Phrase) -> None:
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(phrase)


def load(text: str) -> Any:
    """The JSON value of a reply, which may stand alone in a Markdown fence; else a ReviewError."""
    if len(text) > LONGEST_REPLY:
        raise ReviewError([Phrase("semantic.reply_long", {"limit": LONGEST_REPLY})])
    inner = text.strip().removeprefix("\ufeff")
    fenced = _FENCE.fullmatch(inner)
    try:
        return json.loads(fenced[1] if fenced else inner, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise ReviewError([Phrase("semantic.reply_deep")]) from None
    except json.JSONDecodeError as error:
        values = {"line": error.lineno, "column": error.colno, "why": error.msg}
        raise ReviewError([Phrase("semantic.reply_no_json", values)]) from None
    except ValueError as error:  # a field twice, NaN, a number of thousands of digits
        values = {"line": 1, "column": 1, "why": str(error)[:200]}
        raise ReviewError([Phrase("semantic.reply_no_json", values)]) from None


class Fields:
    """The fields of one object of a reply, at the place `where`."""

    def __init__(self, value: object, where: str, known: Sequence[str], problems: Problems) -> None:
        self.where = where
        self._problems = problems
        self.is_object = isinstance(value, dict)
        self.given: dict[str, Any] = value if isinstance(value, dict) else {}
        if not self.is_object:
            self._wrong("", Phrase("semantic.an_object"))
        for name in self.given:
            if name not in known:
                values = {"where": where, "name": shown(name), "known": ", ".join(known)}
                problems.add(Phrase("semantic.field_unknown", values))

    def text(self, name: str, longest: int, *, needed: bool = True, raw: bool = False) -> str:
        """`raw`: something of the tree, where bytes that are no text and control characters may be."""
        value = self.given.get(name, None if needed else "")
        if not isinstance(value, str) or not _is_text(value, raw) or (needed and not value.strip()):
            self._wrong(name, Phrase("semantic.a_text"))
            return ""
        if len(value) > longest:
            self._wrong(name, Phrase("semantic.a_short_text", {"limit": longest}))
            return ""
        return value if raw else value.translate(_UNSEEN).strip()

    def line(self, name: str, *, needed: bool = True) -> int:
        value = self.given.get(name, None if needed else 0)
        least = 1 if needed else 0
        if type(value) is not int or not least <= value <= 10**8:
            self._wrong(name, Phrase("semantic.a_line"))
            return 0
        return value

    def ratio(self, name: str) -> float:
        value: Any = self.given.get(name)
        if type(value) not in (int, float) or not 0 <= value <= 1:
            self._wrong(name, Phrase("semantic.a_ratio"))
            return 0.0
        return float(value)

    def word(self, name: str, known: Sequence[_Word], otherwise: _Word | None = None) -> _Word:
        value = self.given.get(name, otherwise)
        for each in known:
            if type(value) is str and value == each:
                return each
        self._wrong(name, Phrase("semantic.one_of", {"known": ", ".join(known)}))
        return known[0]

    def items(self, name: str, most: int, *, needed: bool = True) -> list[Any]:
        value = self.given.get(name, None if needed else [])
        if not isinstance(value, list):
            self._wrong(name, Phrase("semantic.a_list"))
            return []
        if len(value) > most:
            self._wrong(name, Phrase("semantic.a_short_list", {"limit": most}))
            return []
        return value

    def _wrong(self, name: str, expected: Phrase) -> None:
        place = f"{self.where}.{name}" if name else self.where
        key = "semantic.field_wrong" if not name or name in self.given else "semantic.field_missing"
        self._problems.add(Phrase(key, {"where": place, "expected": expected}))


def shown(name: str) -> str:
    """A name that the reply made up, short and on one line."""
    return json.dumps(name[:_LONGEST_NAME])


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field is given twice in one object")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _is_text(value: str, raw: bool) -> bool:
    try:
        value.encode("utf-8", "surrogateescape" if raw else "strict")
    except UnicodeEncodeError:
        return False
    return True
