"""What earlier exchanges come to, made from them alone: the same exchanges give the same words.

What people said and what was refused is kept in full, whatever it takes; the rest is bounded, the newest
first, and a count says how much more there was. `detail` 0 says most, 3 only what may never be dropped.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from donewhen.context.entries import Entry
from donewhen.core.agent import ToolRequest
from donewhen.core.chat import ToolSaid
from donewhen.core.codec import Json
from donewhen.core.shown import one_name, tail_of
from donewhen.core.texts import Language, say
from donewhen.core.texts.engine import TEXTS as ENGINE

LEAST_DETAIL = 3
_WRITES = frozenset(("write_file", "edit_file", "delete_file", "move_file"))
_READS = frozenset(("read_file", "file_info"))
_RUNS = frozenset(("run_command", "command_status"))
_STATE = frozenset(("todo_write", "plan_update", "complete"))  # told anew at every turn as it is now
_TARGETS = ("command", "path", "source", "target", "pattern", "question", "handle")
_REFUSED = tuple(
    words.partition("{")[0] for key in ("denied", "denied_by_human", "blocked") for words in ENGINE[key]
)
_DECIDED = re.compile(
    r"\b(?:decid|instead|because|will use|going with|chose|choose|must not|never|always|root cause)|"
    r"决定|改用|因为|选择|必须|不要|根本原因",
    re.IGNORECASE,
)
_LONGEST = 240  # characters of a line
_LONGEST_DENIAL = 600


class _Limits(NamedTuple):
    """How many of each are told."""

    decisions: int
    said: int
    done: int
    files: int
    failures: int
    tails: int
    notes: int


_LIMITS = (
    _Limits(24, 8, 24, 80, 24, 3, 8),
    _Limits(12, 3, 12, 40, 12, 1, 4),
    _Limits(6, 1, 6, 20, 6, 0, 2),
    _Limits(0, 0, 0, 0, 0, 0, 0),
)


class Digest:
    """Takes exchanges one by one, oldest first."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.taken = 0
        self._goals: dict[str, None] = {}
        self._feedback = ""
        self._answers: dict[str, None] = {}
        self._denials: dict[str, int] = {}
        self._notes: dict[str, None] = {}
        self._decisions: dict[str, None] = {}
        self._said: dict[str, None] = {}
        self._done: dict[str, None] = {}
        self._changed: dict[str, None] = {}
        self._read: dict[str, None] = {}
        self._failures: dict[str, str] = {}  # what failed when it was last tried: the end of its output

    def take(self, entry: Entry) -> None:
        self.taken += 1
        for told in entry.told:
            if told.kind == "goal":
                self._goals[told.text] = None
            elif told.kind == "feedback":
                self._feedback = told.text
            elif told.kind == "note":
                _again(self._notes, one_name(_flat(told.text), 2 * _LONGEST))
        if entry.said is None:
            return
        self._hear(entry.said.text)
        results = iter(entry.results())
        for call, result in zip(entry.said.calls, results, strict=False):
            self._call(call, result)

    def _hear(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if lines:
            _again(self._said, one_name(lines[0], _LONGEST))
        for line in lines:
            if _DECIDED.search(line):
                _again(self._decisions, one_name(line, _LONGEST))

    def _call(self, call: ToolRequest, result: ToolSaid) -> None:
        line = _line(call)
        if call.tool == "ask_user" and result.ok:
            self._answers[f"{_target(call.args)}\n  → {result.output}"] = None
        elif not result.ok and result.output.startswith(_REFUSED):
            denial = f"{line}: {one_name(_flat(result.output), _LONGEST_DENIAL)}"
            self._denials[denial] = self._denials.get(denial, 0) + 1
        elif not result.ok:
            self._failures.pop(line, None)
            self._failures[line] = result.output
        else:
            self._failures.pop(line, None)
            self._succeed(call, line)

    def _succeed(self, call: ToolRequest, line: str) -> None:
        if call.tool in _WRITES:
            for name in ("path", "source", "target"):
                if isinstance(path := call.args.get(name), str):
                    _again(self._changed, one_name(path))
        elif call.tool in _READS:
            _again(self._read, one_name(_target(call.args)))
        elif call.tool not in _STATE:
            _again(self._done, line)

    def text(self, detail: int = 0, *, known: str = "", superseded: bool = False, brief: bool = False) -> str:
        """The whole; `known` is said elsewhere, `superseded`: feedback came later.

        `brief`: only what people said and what was refused.
        """
        limits = _LIMITS[LEAST_DETAIL if brief else detail]
        goals = [goal for goal in self._goals if goal.strip() not in known]
        feedback = [] if superseded or not self._feedback else [self._feedback]
        denials = [each if times == 1 else f"{each} (×{times})" for each, times in self._denials.items()]
        files = [path for path in self._read if path not in self._changed]
        parts = [
            say("context.digest_head", self._language, count=self.taken),
            self._whole("digest_goal", goals),
            self._whole("digest_answers", self._answers),
            self._newest("digest_done", self._done, limits.done),
            self._newest("digest_changed", self._changed, limits.files),
            self._newest("digest_decisions", self._decisions, limits.decisions),
            self._newest("digest_progress", self._said, limits.said),
            self._newest("digest_notes", self._notes, limits.notes),
            self._newest("digest_read", files, limits.files),
            self._failed(limits),
            self._listed("digest_denials", denials),
            self._whole("digest_feedback", feedback),
        ]
        return "\n\n".join(part for part in parts if part)

    def _failed(self, limits: _Limits) -> str:
        lines = []
        for age, (line, output) in enumerate(reversed(self._failures.items())):
            tail = tail_of(output)[-_LONGEST:] if age < limits.tails else ""
            lines.append(f"{line}\n  {_flat(tail)}" if tail else line)
        return self._newest("digest_failures", lines[::-1], limits.failures)

    def _whole(self, key: str, texts: Iterable[str]) -> str:
        every = list(texts)
        return "\n".join([say(f"context.{key}", self._language), *every]) if every else ""

    def _listed(self, key: str, lines: Iterable[str]) -> str:
        return self._whole(key, [f"- {line}" for line in lines])

    def _newest(self, key: str, lines: Iterable[str], most: int) -> str:
        every = list(lines)
        kept = every[len(every) - most :] if most < len(every) else every
        if not kept:
            return ""
        left = len(every) - len(kept)
        more = [say("context.digest_more", self._language, count=left)] if left else []
        return "\n".join([say(f"context.{key}", self._language), *more, *(f"- {line}" for line in kept)])


def _again(known: dict[str, None], text: str) -> None:
    """What is said again is the newest."""
    known.pop(text, None)
    known[text] = None


def _flat(text: str) -> str:
    return " / ".join(line.strip() for line in text.splitlines() if line.strip())


def _line(call: ToolRequest) -> str:
    target = _target(call.args)
    return f"{one_name(call.tool)} `{one_name(target, _LONGEST)}`" if target else one_name(call.tool)


def _target(args: Mapping[str, Json]) -> str:
    named = (args[name] for name in _TARGETS if isinstance(args.get(name), str))
    others = (value for value in args.values() if isinstance(value, str))
    return next(named, "") or next(islice(others, 1), "")
