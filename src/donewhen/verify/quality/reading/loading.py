"""What a tool printed, as JSON or as lines: bounded, and an error where it is not what was promised.

Refuses to guess: a text that is cut, that has something before or behind its JSON, or that is nested beyond
reason is unreadable as a whole.
"""

import json
from collections.abc import Iterator
from typing import Any

from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.reading.values import plain, said

LARGEST = 20 * 2**20
LONGEST_LINE = 20_000  # of text; a line of JSON may be as long as the whole
_MOST_LINES = 250_000
_DECODER = json.JSONDecoder()


def document(text: str, tool: str) -> Any:
    """The one JSON value that the whole text is."""
    whole = text.removeprefix("\ufeff").strip()
    if not whole:
        raise Unreadable("toolreading.nothing", tool=tool, form="JSON")
    if len(whole) > LARGEST:
        raise Unreadable("toolreading.too_long", tool=tool, most=LARGEST // 2**20)
    return value(whole, tool)


def value(whole: str, tool: str) -> Any:
    try:
        return json.loads(whole)
    except json.JSONDecodeError as wrong:
        raise not_json(tool, whole, f"{wrong.lineno}:{wrong.colno}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets without end
        raise not_json(tool, whole, "1:1") from None


def leading(text: str, tool: str, start: int = 0) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends; something else may follow."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as wrong:
        raise not_json(tool, text[start:], f"{wrong.lineno}:{wrong.colno}") from None
    except (ValueError, RecursionError):
        raise not_json(tool, text[start:], "1:1") from None


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line that is not blank, with its number and without colours, as far as the limit."""
    kept = text.removeprefix("\ufeff")
    if len(kept) > LARGEST:
        kept = kept[:LARGEST].rpartition("\n")[0]
    for count, line in enumerate(kept.split("\n"), 1):
        if count > _MOST_LINES:
            return
        if line.strip():
            yield count, line.rstrip("\r") if line.startswith("{") else plain(line[:LONGEST_LINE]).rstrip()


def table(data: object, tool: str, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise shape(tool, place, "{…}")
    return data


def listed(data: object, tool: str, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise shape(tool, place, "[…]")
    return data


def needed(row: dict[str, Any], name: str, tool: str, place: str) -> str:
    """A text that every version of the tool gives."""
    if not isinstance(row.get(name), str):
        raise shape(tool, f"{place}.{name}", '"…"')
    return said(row[name])


def not_json(tool: str, text: str, place: str) -> Unreadable:
    return Unreadable("toolreading.not_json", tool=tool, place=place, start=start_of(text))


def shape(tool: str, place: str, wanted: str) -> Unreadable:
    return Unreadable("toolreading.shape", tool=tool, place=place, wanted=wanted)


def unknown_line(tool: str, count: int, line: str) -> Unreadable:
    return Unreadable("toolreading.line", tool=tool, line=count, start=start_of(line))


def gave_up(tool: str, why: str) -> Unreadable:
    return Unreadable("toolreading.gave_up", tool=tool, said=start_of(why, 300).rstrip("."))


def start_of(text: str, longest: int = 80) -> str:
    """How it begins, in one line."""
    return said(" ".join(text[: 4 * longest].split()), longest)
