"""What a command comes to: the programs that run in the end, through scripts, targets and tasks.

Followed are the files of one side only; a name behind which nothing is known stays what it is. Nothing is
run. Work is bounded by counting steps.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from donewhen.core.commands.invocation import Invocation
from donewhen.core.tree import Refused, Word
from donewhen.shell import parse
from donewhen.verify.behind_acting import part_of
from donewhen.verify.behind_just import just
from donewhen.verify.behind_make import make
from donewhen.verify.behind_model import Ground, Step, join
from donewhen.verify.behind_naming import PRINTS, name
from donewhen.verify.behind_node import node
from donewhen.verify.behind_nox import nox
from donewhen.verify.behind_shell import script
from donewhen.verify.behind_status import MOST_WORK, Text
from donewhen.verify.behind_tasks import tasks
from donewhen.verify.behind_tox import tox

_EXPAND = (node, make, just, tox, nox, tasks, script)
_DEEPEST = 8
_MOST_STEPS = 300
_NEVER_FAIL = frozenset(("echo", "true", ":", "printf"))


class Act(NamedTuple):
    """A program that is run, and whether its failure would show."""

    invocation: Invocation
    folder: str
    shown: bool
    source: str
    line: str = ""  # the text that it stands in, or is called from
    sure: bool = True  # it is come to while everything else passes

    @property
    def text(self) -> str:
        env = (f"{key}={word.text}" for key, word in self.invocation.env.items())
        return " ".join((*env, *(word.text for word in self.invocation.words)))


class Course(NamedTuple):
    """All that a command does."""

    acts: tuple[Act, ...] = ()
    can_fail: bool = False
    unknown: bool = False  # something in it can't be read
    texts: tuple[str, ...] = ()


def course(steps: Sequence[Step], ground: Ground) -> Course:
    """What these steps come to, one after the other."""
    walk = _Walk(ground)
    return _joined([walk.step(each) for each in steps])


def behind_words(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The steps behind a name; None where nothing is known of it."""
    return next((found for each in _EXPAND if (found := each(words, folder, ground)) is not None), None)


def is_verdict(act: Act, exam: bool) -> bool:
    """Does it judge the project? In an exam also a program of which nothing is known does."""
    kind = name(act.invocation).kind
    if kind in ("test", "script"):
        return True
    if not exam or (act.invocation.words[0].known and act.invocation.words[0].text in PRINTS):
        return False
    return kind == "lint" or part_of(act.invocation) in ("test", "asks")


def alike(act: Act, other: Act) -> bool:
    """Whether one could stand for the other: a linter for a linter, anything that tests for a test."""
    kinds = {name(each.invocation).kind == "lint" for each in (act, other)}
    return len(kinds) == 1


def _joined(parts: Sequence[Course]) -> Course:
    return Course(
        tuple(act for each in parts for act in each.acts),
        any(each.can_fail for each in parts),
        any(each.unknown for each in parts),
        tuple(text for each in parts for text in each.texts),
    )


class _Walk:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._seen: dict[tuple[tuple[str, ...], str], Course | None] = {}
        self._depth = self._steps = 0
        self._left = MOST_WORK

    def step(self, step: Step) -> Course:
        self._steps += 1
        if step.unknown or step.left_out or self._steps > _MOST_STEPS:
            return Course((), True, True)
        tree = parse(step.text)
        if isinstance(tree, Refused):
            return Course((), True, True, (step.text,))
        try:
            return self._text(Text(tree, step.options, self._left), step)
        except RecursionError:
            return Course((), True, True, (step.text,))

    def _text(self, text: Text, step: Step) -> Course:
        if text.too_much():
            return Course((), True, True, (step.text,))
        places = {place.number: place.invocation for place in text.places()}
        nested = {number: self._behind(each, step.folder) for number, each in places.items()}
        acts: list[Act] = []
        for number, invocation in places.items():
            sure = not step.ignored and text.shows(number) is not False
            shown = sure or (not step.ignored and text.shows(number, doubt=True) is not False)
            inner = nested[number]
            if inner is None:
                folder = join(step.folder, invocation.folder or "") or ""
                acts.append(Act(invocation, folder, shown, step.source, step.text, sure))
            else:
                seen = Act(invocation, "", shown, step.source, step.text, sure)
                acts += (_through(each, seen) for each in inner.acts)
        never = {number for number, each in places.items() if _never_fails(each, nested[number])}
        self._left = max(0, self._left - text.work)
        inner_texts = tuple(told for each in nested.values() if each for told in each.texts)
        return Course(
            tuple(acts),
            not step.ignored and text.can_fail(never),
            any(each is not None and each.unknown for each in nested.values()),
            (step.text, *inner_texts),
        )

    def _behind(self, invocation: Invocation, folder: str) -> Course | None:
        at = None if invocation.folder is None else join(folder, invocation.folder)
        if at is None or invocation.elsewhere or not invocation.words[0].known or self._depth >= _DEEPEST:
            return None
        words = tuple(word.text for word in invocation.words)
        if (words, at) in self._seen:
            return self._seen[words, at]
        self._seen[words, at] = Course()  # one that calls itself adds nothing
        steps = behind_words(words, at, self._ground)
        found = None
        if steps is not None:
            self._depth += 1
            found = _joined([self.step(each) for each in dict.fromkeys(steps)])
            self._depth -= 1
        self._seen[words, at] = found
        return found


def _through(act: Act, caller: Act) -> Act:
    """What a script runs, seen from the line that calls the script."""
    outer = caller.invocation
    env: Mapping[str, Word] = {**outer.env, **act.invocation.env}
    spoiled = act.invocation.spoiled or outer.spoiled
    return act._replace(
        invocation=act.invocation._replace(env=env, spoiled=spoiled),
        shown=caller.shown and act.shown,
        sure=caller.sure and act.sure,
        line=act.line if act.invocation.spoiled or not outer.spoiled else caller.line,
    )


def _never_fails(invocation: Invocation, inner: Course | None) -> bool:
    if inner is not None:
        return not inner.can_fail
    return invocation.words[0].known and invocation.words[0].text in _NEVER_FAIL
