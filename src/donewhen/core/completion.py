"""The completion protocol: how an agent says that it is done, and how often it may forget to.

Text-only agents end with a JSON object; what counts is the object, never words about being done. Whether the
claim is true is the gate's business. Hostile text costs bounded work: what is not found within it is no
signal, so the run goes on.
"""

import json
import unicodedata
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from donewhen.core.lazy import lazy

KEY = "task_completion"
MAX_MISSES = 5  # so many in a row bring a reminder, one more ends the run
MAX_THINKING_ONLY = 6

_MOST_TRIES = 10_000
_MOST_WORK = 8_000_000  # characters parsed in vain before the search is given up
_DEEP = 20_000  # what an object that is nested too deeply is taken to cost
_START = lazy(r'\{[ \t\r\n]*["}]')
_FENCE_BEFORE = lazy(r"(?:```|~~~)[ \t]*[\w-]{0,20}\s*\Z")
_FENCE_AFTER = lazy(r"\s*(?:```|~~~)")
_LEAST_TEXT = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that show nothing
_UNSEEN = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Cs", "Mn", "Me"))

Kind = Literal["tools", "signal", "miss", "thinking"]
Outcome = Literal["go", "remind", "stop"]


class Reply(NamedTuple):
    """A reply without tool calls: is it a signal, what does it sum up, and what of it is shown."""

    signal: bool
    summary: str
    shown: str

    @property
    def answer(self) -> str:
        """The final answer: what is shown, or the summary when nothing else is visible."""
        return self.shown if has_visible_text(self.shown) else self.summary


class Misses(NamedTuple):
    """Replies in a row without signal, and replies in a row that hold nothing but thinking."""

    missing: int = 0
    thinking: int = 0


def read_reply(text: str) -> Reply:
    """The first JSON object with the top-level key decides; all such objects are kept from view."""
    if KEY not in text and "\\u" not in text:
        return Reply(False, "", text.strip())
    found = [(start, end, body[KEY]) for start, end, body in _objects(text) if KEY in body]
    if not found:
        return Reply(False, "", text.strip())
    shown = text
    for start, end, _ in reversed(found):
        shown = _without(shown, start, end)
    claim = found[0][2]
    if not isinstance(claim, dict):
        return Reply(False, "", shown)
    summary = claim.get("summary")
    return Reply(claim.get("completed") is True, summary if isinstance(summary, str) else "", shown)


def has_visible_text(text: str) -> bool:
    """Whether a person would see anything: white space, zero-width and control characters don't show."""
    return any(
        unicodedata.category(character) not in _UNSEEN and character not in _LEAST_TEXT for character in text
    )


def kind_of_reply(text: str, *, thinking: bool = False, tool_calls: int = 0) -> Kind:
    """What a reply is to the counters below. One that is empty in every respect is a miss."""
    if tool_calls:
        return "tools"
    if read_reply(text).signal:
        return "signal"
    return "thinking" if thinking and not has_visible_text(text) else "miss"


def count(
    misses: Misses, kind: Kind, max_misses: int = MAX_MISSES, max_thinking: int = MAX_THINKING_ONLY
) -> tuple[Misses, Outcome]:
    """A tool call or signal clears both counts; thinking neither raises nor clears the misses."""
    if kind in ("tools", "signal"):
        return Misses(), "go"
    if kind == "thinking":
        misses = Misses(misses.missing, misses.thinking + 1)
        return misses, "stop" if misses.thinking > max_thinking else "remind"
    misses = Misses(misses.missing + 1, 0)
    return misses, "stop" if misses.missing > max_misses else "remind"


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The outermost JSON objects in a text, with their places; other braces are passed over."""
    at, work = 0, 0
    for _ in range(_MOST_TRIES):
        start = _START.search(text, at)
        if not start or work > _MOST_WORK:
            return
        try:
            body, end = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError) as error:
            work += error.pos - start.start() if isinstance(error, json.JSONDecodeError) else _DEEP
            at = start.start() + 1
            continue
        yield start.start(), end, body
        at = end


def _nothing(_: str) -> None:
    """Numbers don't matter here, and reading long ones takes long."""


# Not strict: agents do break lines inside of strings.
_DECODER = json.JSONDecoder(strict=False, parse_int=_nothing, parse_float=_nothing)


def _without(text: str, start: int, end: int) -> str:
    before, after = text[:start], text[end:]
    opening, closing = _FENCE_BEFORE.search(before), _FENCE_AFTER.match(after)
    if opening and closing:
        before, after = before[: opening.start()], after[closing.end() :]
    elif before.endswith("`") and after.startswith("`"):
        before, after = before[:-1], after[1:]
    before, after = before.rstrip(), after.lstrip()
    return f"{before}\n\n{after}" if before and after else before or after
