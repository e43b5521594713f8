"""The repeat detector: a run that does the same again and again, alone or in turns, is told and then ended.

It is the only judgement of progress. Reading, testing and editing have no special role: turns are equal when
tools, results and the next step are equal up to timings and addresses.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.lazy import lazy

LONGEST_CYCLE = 3
MAX_STREAK = 3

_SEEN = 256  # bytes of a result that are compared
_WINDOW = 4096  # characters that are masked to get them
_COUNTED = 64 * 1024  # characters that are masked to get the length; what comes later counts as it is
_POLLS = frozenset(
    ("command_status", "BashOutput", "TaskOutput")
)  # tools that show a background command's output

Outcome = Literal["go", "remind", "stop"]
_scalar = json.JSONEncoder(default=repr).encode


class Call(NamedTuple):
    tool: str
    args: Any = None  # JSON data
    result: str = ""
    error: bool = False
    error_class: str = ""


class Turn(NamedTuple):
    calls: tuple[Call, ...]
    subgoal: str = ""  # next step, open todos, the tree after the turn; empty: the calls speak for themselves


class RepeatState(NamedTuple):
    recent: tuple[str, ...] = ()  # fingerprints of the last turns, the latest first
    streaks: tuple[int, ...] = (0,) * LONGEST_CYCLE  # for cycles of one, two and three turns


def check_limit(limit: int) -> None:
    if limit < 1:
        raise UserError("repeat.bad_limit", limit=limit)


def see(state: RepeatState, turn: Turn, limit: int = MAX_STREAK) -> tuple[RepeatState, Outcome]:
    """A turn equal to the one n before it raises streak n, any other clears it."""
    check_limit(limit)
    if not turn.calls:
        return state, "go"
    seen = fingerprint(turn)
    streaks = tuple(
        streak + 1 if state.recent[n : n + 1] == (seen,) else 0 for n, streak in enumerate(state.streaks)
    )
    new = RepeatState((seen, *state.recent)[:LONGEST_CYCLE], streaks)
    if max(streaks) > limit:
        return new, "stop"
    return new, "remind" if max(streaks) == limit else "go"


def fingerprint(turn: Turn) -> str:
    """One digest of tools, results and subgoal; equal turns have equal ones."""
    tools = _digest([[call.tool, call.args] for call in turn.calls])
    results = _digest([_result(call) for call in turn.calls])
    return _digest([tools, results, " ".join(turn.subgoal.split()) or tools])


_UNIT = r"(?:ns|µs|μs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?)(?![A-Za-z])"
_SPAN = rf"\d{{1,15}}(?:[.,]\d{{1,12}})?[ \t]?{_UNIT}"
_MASKED = lazy(
    r"0x[0-9a-fA-F]{4,16}\b"
    r"|(?<![\w-])\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?"
    r"|(?<![\w:.])\d{1,4}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AaPp][Mm])?"
    rf"|(?<![\w.]){_SPAN}(?:[ \t]?{_SPAN}){{0,3}}"
    r"|(?i:\b(?:duration|elapsed|took|timestamp|time)[_a-z]{0,12}[\"']?[ \t:=]{1,4})"
    r"\d{1,15}(?:\.\d{1,12})?"
    r"|(?i:\bpid[ \t:=#]{0,3})\d{1,10}"
    r"|(?<![\w.])1[5-9]\d{8}(?:\d{3}|\.\d{1,9})?(?![\w.])"
)


def _masked(text: str) -> str:
    return " ".join(_MASKED.sub("#", text).split())


def _result(call: Call) -> list[object]:
    window = _masked(call.result[:_WINDOW])
    told = window.encode(errors="surrogatepass")[:_SEEN].decode(errors="replace")
    # The output of a background command begins with the same words each time: its length tells that it grows.
    length = _length(call.result) if call.tool in _POLLS else 0
    return [call.tool, call.error, call.error_class, told, length]


def _length(result: str) -> int:
    return len(_masked(result[:_COUNTED])) + len(result[_COUNTED:])


def _digest(data: object) -> str:
    """Of JSON data, the same whatever the order of keys; no recursion, for arguments may be nested deeply."""
    sha = hashlib.sha256()
    todo: list[object] = [data]
    while todo:
        item = todo.pop()
        if isinstance(item, _Mark):
            sha.update(item.text)
        elif isinstance(item, Mapping):
            sha.update(b"{")
            todo.append(_Mark(b"}"))
            for key in sorted(item, key=str, reverse=True):
                todo += [item[key], _Mark(b":"), str(key)]
        elif isinstance(item, list | tuple):
            sha.update(b"[")
            todo.append(_Mark(b"]"))
            todo += reversed(item)
        else:
            sha.update(_scalar(item).encode() + b",")
    return sha.hexdigest()


class _Mark:
    def __init__(self, text: bytes) -> None:
        self.text = text
