"""What a command runs behind its name, and whether its status could show that the tests failed.

`npm test`, `make check`, `tox`, `./run_tests.sh` are names; the exam is what stands behind them. It is read,
never run. Where no runner of tests is known, what a test's name does last is its test. Whatever can't be read
is taken to be honest: a command is called masked only when that is certain, or when it is longer than any
honest one.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from donewhen.core.accept import Accept
from donewhen.core.commands.invocation import Invocation
from donewhen.core.texts import Phrase
from donewhen.core.tree import Refused
from donewhen.shell import parse
from donewhen.verify.behind_acting import by_name
from donewhen.verify.behind_judging import (
    SHOWN,
    UNKNOWN,
    has_questions,
    in_order,
    judge_command,
    judge_text,
    too_long,
    unread,
)
from donewhen.verify.behind_just import just
from donewhen.verify.behind_make import make
from donewhen.verify.behind_model import MOST_LINES, Behind, Ground, Judged, Line, Step, join
from donewhen.verify.behind_naming import PRINTS, is_exam, name
from donewhen.verify.behind_node import node
from donewhen.verify.behind_nox import nox
from donewhen.verify.behind_shell import script
from donewhen.verify.behind_sourced import with_sourced
from donewhen.verify.behind_status import MOST_WORK, Place, Text
from donewhen.verify.behind_tasks import tasks
from donewhen.verify.behind_tox import tox
from donewhen.verify.reports.frames import visible

__all__ = ["Behind", "Line", "behind", "self_masked"]
Expand = Callable[[Sequence[str], str, Ground], tuple[Step, ...] | None]
_EXPAND: tuple[Expand, ...] = (node, make, just, tox, nox, tasks, script)
_DEEPEST = 8
_MOST_STEPS = 500
_LONGEST_TEXT = 4000  # of a line that is told


def behind(entry: Accept, folder: Path) -> Behind:
    """What the entry runs in the project at `folder`; `entry.cwd` is below it."""
    explorer = _Explorer(Ground(folder))
    judged = explorer.step(Step(visible(entry.label, SHOWN), entry.text, entry.cwd), told=False)
    lines = tuple(explorer.lines)
    source = lines[0].source if lines else visible(entry.label, SHOWN)
    places = _places(entry)
    masked = _masked(judged, source, any(is_exam(each) for each in places))
    nothing = None if masked else _nothing(judged, source)
    tests = any(run.kind != "lint" for run in judged.runs) or any(
        name(each).kind == "test" for each in places
    )
    return Behind(lines, masked, tests, nothing, judged.counted)


def self_masked(entry: Accept) -> Phrase | None:
    """Why the declared command itself can't prove anything, whatever stands behind it; None: it can."""
    judged = _Explorer(None).step(Step(visible(entry.label, SHOWN), entry.text, entry.cwd), told=False)
    source = visible(entry.label, SHOWN)
    return _masked(judged, source, exam=False) or _nothing(judged, source) or judged.counted


def _places(entry: Accept) -> tuple[Invocation, ...]:
    tree = parse(entry.text)
    return () if isinstance(tree, Refused) else tuple(place.invocation for place in Text(tree).places())


def _masked(judged: Judged, source: str, exam: bool) -> Phrase | None:
    """The first reason by rank: any test run that is hidden; else all of a weaker kind; else all there is."""
    tests = [run for run in judged.runs if run.kind == "test"]
    if tests:
        return next((run.hidden for run in tests if run.hidden), None)
    scripts = [run for run in judged.runs if run.kind == "script"]
    if scripts:
        return scripts[0].hidden if all(run.hidden for run in scripts) else None
    last = (judged.last or judged.weak) if exam else None
    if last is not None and (last.hidden or last is judged.last):
        return last.hidden
    linters = [run for run in judged.runs if run.kind == "lint"]
    if linters:
        return linters[0].hidden if all(run.hidden for run in linters) else None
    if judged.acts and not judged.can_fail:
        return Phrase("behind.cannot_fail", {"source": source})
    return None


def _nothing(judged: Judged, source: str) -> Phrase | None:
    if judged.idle and not judged.runs:
        return judged.idle[0]
    return None if judged.acts else Phrase("behind.only_prints", {"source": source})


def _only_prints(place: Place) -> bool:
    return place.invocation.words[0].text in PRINTS


class _Explorer:
    """One look behind a command; remembers what it has seen, so that scripts that call each other end."""

    def __init__(self, ground: Ground | None) -> None:
        self.ground = ground
        self.lines: list[Line] = []
        self._seen: dict[tuple[tuple[str, ...], str], Judged | None] = {}
        self._depth = 0
        self._steps = 0
        self._left = MOST_WORK

    def step(self, step: Step, told: bool = True) -> Judged:
        self._steps += 1
        if step.unknown:
            return UNKNOWN
        step = step._replace(source=visible(step.source))
        if step.left_out or self._steps > _MOST_STEPS:
            return too_long(step)
        if told and len(self.lines) < MOST_LINES:
            self.lines.append(
                Line(step.source, "\n".join(map(visible, step.text[:_LONGEST_TEXT].split("\n"))))
            )
        tree = parse(step.text)
        try:
            if isinstance(tree, Refused):
                return unread(tree, step)
            tree, borrows = with_sourced(tree, step.folder, self.ground)
            step = step._replace(borrows=borrows)
            text = Text(tree, step.options, self._left)
            if text.too_much():
                return unread(tree, step)
            return self._read(text, step, has_questions(tree))
        except RecursionError:
            return UNKNOWN

    def _read(self, text: Text, step: Step, asks: bool) -> Judged:
        places = text.places()
        found = {place.number: self._place(place, step) for place in places}
        text.limit(self._left)
        quiet = {each.number for each in places if not (found[each.number].acts or _only_prints(each))}
        for number in quiet and quiet & text.looked_at():  # what it prints is judged by what looks at it
            found[number] = found[number]._replace(acts=True, can_fail=True)
        asks = asks or (not any(each.acts for each in found.values()) and text.weighs())
        judged = judge_text(text, step, found, asks)
        self._left = max(0, self._left - text.work)
        return judged

    def _place(self, place: Place, step: Step) -> Judged:
        invocation = place.invocation
        nested = self._behind(invocation, step.folder)
        named = name(invocation)
        if nested is None or named.masks or named.shows:
            return judge_command(named, invocation, step)
        if by_name([word.text for word in invocation.words]) == "weak":
            nested = nested._replace(last=None, weak=nested.last or nested.weak)
        if named.passes_empty:
            phrase = Phrase("behind.empty", {"detail": visible(named.passes_empty), "source": step.source})
            return nested._replace(counted=nested.counted or phrase)
        return nested

    def _behind(self, invocation: Invocation, folder: str) -> Judged | None:
        """What stands behind one command; None when there is nothing that is known."""
        at = None if invocation.folder is None else join(folder, invocation.folder)
        if self.ground is None or at is None or invocation.elsewhere or not invocation.words[0].known:
            return None
        words = tuple(word.text for word in invocation.words)
        key = words, at
        if key in self._seen:
            return self._seen[key]
        if self._depth >= _DEEPEST:
            return None
        self._seen[key] = None  # one that calls itself gives nothing new
        steps = next((found for each in _EXPAND if (found := each(words, at, self.ground)) is not None), None)
        if steps is not None:
            self._depth += 1
            self._seen[key] = in_order([self.step(each) for each in dict.fromkeys(steps)])
            self._depth -= 1
        return self._seen[key]
