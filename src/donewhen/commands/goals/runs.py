"""Where a run of commands that nothing but separators join is two: each side has its own cue.

"Don't run A; B and C must pass" forbids one and requires two. With a cue on one side only, one verdict
covers the whole run. It looks at nothing but the words before the run and behind it.
"""

import re

from donewhen.commands.goals.clean import SLOT
from donewhen.commands.goals.phrases import says
from donewhen.core.lazy import lazy

_AROUND = 160
_FIRM = lazy(r"[;；()（）–—]|\s--?\s")
_COMMA = lazy(r"[,，]")
_CLAUSE = lazy(r"[;；。–—]|\s--?\s")
_AFTER = lazy(r"\b(?:after|following)\s*$")
_ONE = lazy(r"^\s*(?:[(（\[]|(?:is|isn't|was|needs?|needn't|doesn't|takes?)\b|[^\x00-\xff])")
_LEAVING = (
    "negated",
    "waived",
    "delegated",
    "optional",
    "replaced",
    "elsewhere",
    "setup",
    "history",
    "remark",
)
_MADE = ("governed", "content", "behaviour", "report")
_LEFT = ("negated", "waived", "optional", "setup", "remark", "failure")
Run = tuple[int, int]


def divided(text: str, slots: list[int], run: Run) -> list[Run]:
    """The run, or its two halves."""
    first, last = run
    if first == last:
        return [run]
    lead, tail = _lead(text, slots, first), _tail(text, slots, last)
    if says("before", "insisted", lead):
        return [run]
    leaves = any(says("before", frame, lead) for frame in _LEAVING)
    gaps = [text[slots[i] + 1 : slots[i + 1]] for i in range(first, last)]
    if leaves and _is_required(tail):
        at = _first(gaps, (_FIRM, _COMMA))
    elif _is_required(tail) and _AFTER.search(lead) and _COMMA.search(gaps[0]):
        at = 0
    elif _is_required(tail) and any(says("before", frame, lead) for frame in _MADE):
        at = _first(gaps, (_FIRM,))
    elif not leaves and _demands(lead) and any(says("after", frame, tail) for frame in _LEFT):
        at = _last(gaps, tail)
    else:
        return [run]
    return [run] if at is None else [(first, first + at), (first + at + 1, last)]


def _lead(text: str, slots: list[int], first: int) -> str:
    start = max(slots[first - 1] + 1 if first else 0, slots[first] - _AROUND)
    return _CLAUSE.split(text[start : slots[first]])[-1]


def _tail(text: str, slots: list[int], last: int) -> str:
    end = slots[last + 1] if last + 1 < len(slots) else len(text)
    tail = text[slots[last] + 1 : min(end, slots[last] + _AROUND)]
    return re.split(r"(?<=.)[,，;；。]", tail, maxsplit=1)[0]


def _is_required(tail: str) -> bool:
    return (says("after", "required", tail) or says("after", "insisted", tail)) and not any(
        says("after", frame, tail) for frame in ("negated", "waived", "optional")
    )


def _demands(lead: str) -> bool:
    return says("sentence", "marker", lead + SLOT) or says("sentence", "marker_zh", lead + SLOT)


def _first(gaps: list[str], sorts: tuple[re.Pattern[str], ...]) -> int | None:
    for sort in sorts:
        for i, gap in enumerate(gaps):
            if sort.search(gap):
                return i
    return None


def _last(gaps: list[str], tail: str) -> int | None:
    for i in range(len(gaps) - 1, -1, -1):
        if _FIRM.search(gaps[i]):
            return i
    return len(gaps) - 1 if _ONE.match(tail) else None
