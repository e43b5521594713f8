"""What a command runs behind its name, and whether its status could show that the tests failed.

`npm test`, `make check`, `tox`, `./run_tests.sh` are names; the exam is what stands behind them. It is read,
never run. Whatever can't be read, or is of a program that nobody knows, is taken to be honest: a command is
called masked only when that is certain.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from donewhen.core.accept import Accept
from donewhen.core.commands.invocation import Invocation
from donewhen.core.texts import Phrase
from donewhen.core.tree import Calculation, Refused, Simple, Test
from donewhen.shell import parse
from donewhen.verify.behind_just import just
from donewhen.verify.behind_make import make
from donewhen.verify.behind_model import MOST_LINES, Behind, Ground, Judged, Line, Run, Step, join
from donewhen.verify.behind_naming import PRINTS, Named, name
from donewhen.verify.behind_node import node
from donewhen.verify.behind_nox import nox
from donewhen.verify.behind_shell import script
from donewhen.verify.behind_status import Place, Text
from donewhen.verify.behind_tasks import tasks
from donewhen.verify.behind_tox import tox
from donewhen.verify.reports.frames import visible

__all__ = ["Behind", "Line", "behind", "self_masked"]
Expand = Callable[[Sequence[str], str, Ground], tuple[Step, ...] | None]
_EXPAND: tuple[Expand, ...] = (node, make, just, tox, nox, tasks, script)
_DEEPEST = 8
_MOST_STEPS = 150
_LONGEST_TEXT = 4000  # of a line that is told
_MOST_RUNS = 16  # of one text, that are looked at closely
_SHOWN = 120
_UNKNOWN = Judged(acts=True, can_fail=True)


def behind(entry: Accept, folder: Path) -> Behind:
    """What the entry runs in the project at `folder`; `entry.cwd` is below it."""
    explorer = _Explorer(Ground(folder))
    judged = explorer.step(Step(visible(entry.label, _SHOWN), entry.text, entry.cwd), told=False)
    lines = tuple(explorer.lines)
    source = lines[0].source if lines else visible(entry.label, _SHOWN)
    masked = _masked(judged, source)
    nothing = None if masked else _nothing(judged, source)
    tests = any(run.kind != "lint" for run in judged.runs) or _by_name(entry)
    return Behind(lines, masked, tests, nothing, judged.counted)


def self_masked(entry: Accept) -> Phrase | None:
    """Why the declared command itself can't prove anything, whatever stands behind it; None: it can."""
    judged = _Explorer(None).step(Step(visible(entry.label, _SHOWN), entry.text, entry.cwd), told=False)
    source = visible(entry.label, _SHOWN)
    return _masked(judged, source) or _nothing(judged, source) or judged.counted


def _by_name(entry: Accept) -> bool:
    tree = parse(entry.text)
    if isinstance(tree, Refused):
        return False
    return any(name(place.invocation).kind == "test" for place in Text(tree).places())


def _masked(judged: Judged, source: str) -> Phrase | None:
    """The first reason by rank: any test run that is hidden; else all of a weaker kind; else all there is."""
    tests = [run for run in judged.runs if run.kind == "test"]
    if tests:
        return next((run.hidden for run in tests if run.hidden), None)
    for kind in ("script", "lint"):
        runs = [run for run in judged.runs if run.kind == kind]
        if runs:
            return runs[0].hidden if all(run.hidden for run in runs) else None
    if judged.acts and not judged.can_fail:
        return Phrase("behind.cannot_fail", {"source": source})
    return None


def _nothing(judged: Judged, source: str) -> Phrase | None:
    if judged.idle and not judged.runs:
        return judged.idle[0]
    return None if judged.acts else Phrase("behind.only_prints", {"source": source})


class _Explorer:
    """One look behind a command; remembers what it has seen, so that scripts that call each other end."""

    def __init__(self, ground: Ground | None) -> None:
        self.ground = ground
        self.lines: list[Line] = []
        self._seen: dict[tuple[tuple[str, ...], str], Judged | None] = {}
        self._depth = 0
        self._steps = 0

    def step(self, step: Step, told: bool = True) -> Judged:
        self._steps += 1
        if step.unknown:
            return _UNKNOWN
        step = step._replace(source=visible(step.source))
        if told and len(self.lines) < MOST_LINES:
            self.lines.append(
                Line(step.source, "\n".join(map(visible, step.text[:_LONGEST_TEXT].split("\n"))))
            )
        tree = parse(step.text)
        if isinstance(tree, Refused) or self._steps > _MOST_STEPS:
            return _UNKNOWN
        try:
            return self._read(Text(tree, step.options), step, asks=_asks(tree))
        except RecursionError:
            return _UNKNOWN

    def _read(self, text: Text, step: Step, asks: bool) -> Judged:
        if text.too_much():
            return _UNKNOWN
        found = {place.number: self._place(place, step) for place in text.places()}
        runs = self._shown(text, step, {number: each.runs for number, each in found.items() if each.runs})
        never = {number for number, each in found.items() if not each.can_fail}
        return Judged(
            runs,
            any(each.acts for each in found.values()) or asks,
            not step.ignored and text.can_fail(never),
            tuple(phrase for each in found.values() for phrase in each.idle),
            next((each.counted for each in found.values() if each.counted), None),
        )

    def _place(self, place: Place, step: Step) -> Judged:
        invocation = place.invocation
        nested = self._behind(invocation, step.folder)
        named = name(invocation)
        if nested is None or named.masks or named.shows:
            return _judged(named, invocation, step)
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
            self._seen[key] = _in_order([self.step(each) for each in steps])
            self._depth -= 1
        return self._seen[key]

    def _shown(self, text: Text, step: Step, runs: dict[int, tuple[Run, ...]]) -> tuple[Run, ...]:
        """The runs of the step, those marked whose failure its end can't show."""
        shown: list[Run] = []
        looked = list(runs)[:_MOST_RUNS]
        for number in looked:
            each, others = runs[number], [other for other in looked if other != number]
            if step.ignored:
                shown += [_hidden(run, "behind.ignored", step) for run in each]
            elif any(run.kind == "test" and run.hidden for run in shown) or text.shows(number, others):
                shown += each  # one hidden test run is enough to know
            else:
                shown += [_hidden(run, "behind.hidden", step) for run in each]
        return tuple(shown)


def _judged(named: Named, invocation: Invocation, step: Step) -> Judged:
    """A command behind which nothing stands."""
    program = invocation.words[0]
    if program.known and program.text in PRINTS:
        return Judged(can_fail=program.text not in ("echo", "true", ":"))
    values = {"command": _text(invocation), "source": step.source}
    if named.shows and named.kind != "lint":
        return Judged((), True, True, (Phrase("behind.shows", {**values, "detail": visible(named.shows)}),))
    if named.kind is None:
        return _UNKNOWN
    hidden = Phrase("behind.flag", {**values, "detail": visible(named.masks)}) if named.masks else None
    empty = {"detail": visible(named.passes_empty), "source": step.source}
    return Judged(
        (Run(named.kind, values["command"], step.source, hidden),),
        True,
        True,
        counted=Phrase("behind.empty", empty) if named.passes_empty else None,
    )


def _in_order(steps: Sequence[Judged]) -> Judged:
    """One after the other, until one fails."""
    return Judged(
        tuple(run for each in steps for run in each.runs),
        any(each.acts for each in steps),
        any(each.can_fail for each in steps),
        tuple(phrase for each in steps for phrase in each.idle),
        next((each.counted for each in steps if each.counted), None),
    )


def _hidden(run: Run, key: str, step: Step) -> Run:
    return (
        run
        if run.hidden
        else run._replace(hidden=Phrase(key, {"source": step.source, "command": run.command}))
    )


def _text(invocation: Invocation) -> str:
    return visible(" ".join(word.text for word in invocation.words), _SHOWN)


def _asks(tree: object) -> bool:
    """Is there a condition of its own in it: `test -f dist/index.js`?"""
    stack = [tree]
    while stack:
        each = stack.pop()
        if isinstance(each, Test | Calculation):
            return True
        if isinstance(each, Simple) and each.words and each.words[0].text in ("test", "[", "false"):
            return True
        if isinstance(each, tuple):
            stack.extend(each)
    return False
