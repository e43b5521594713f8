"""What a command runs behind its name, and whether its status could show that the tests failed.

`npm test`, `make check`, `tox`, `./run_tests.sh` are names; the exam is what stands behind them. It is read,
never run. A command is called masked only when that is certain; what can't be read, or is longer than can be
read, is unknown: nothing is said against it, and nothing for it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.commands.invocation import Invocation
from donewhen.core.texts import Phrase
from donewhen.core.tree import Calculation, Group, Refused, Script, Simple, Statement, Test
from donewhen.shell import parse
from donewhen.verify.recipe_commands import PRINTS, Kind, describe, is_exam
from donewhen.verify.recipe_status import MOST_WORK, ShellText
from donewhen.verify.recipes import ProjectFiles, Step, join, steps_behind
from donewhen.verify.reports.frames import visible

__all__ = ["Behind", "Line", "behind", "self_masked"]
_DEEPEST = 8
_MOST_STEPS = 500
_MOST_LINES = 200
_MOST_SOURCED = 16
_LONGEST_TEXT = 4000  # of a line that is told
_SHOWN = 120


class Line(NamedTuple):
    """One line that is run, and where it is written."""

    source: str
    text: str


class Behind(NamedTuple):
    """What a command runs; `masked` and `proves_nothing` only when that is certain."""

    lines: tuple[Line, ...] = ()
    masked: Phrase | None = None  # its status can't show that its tests failed
    proves_nothing: Phrase | None = None  # it only prints, or does nothing
    counted: Phrase | None = None  # it also passes when no test is found: a pass needs counts above zero

    @property
    def trouble(self) -> Phrase | None:
        return self.masked or self.proves_nothing


def behind(entry: Accept, folder: Path) -> Behind:
    """What the entry runs in the project at `folder`; `entry.cwd` is below it."""
    walk = _Walk(ProjectFiles(folder))
    seen = walk.step(Step(visible(entry.label, _SHOWN), entry.text, entry.cwd), told=False)
    source = walk.lines[0].source if walk.lines else visible(entry.label, _SHOWN)
    tree = parse(entry.text)
    named = [] if isinstance(tree, Refused) else [each.invocation for each in ShellText(tree).places()]
    masked = _masked(seen, source, any(map(is_exam, named)))
    return Behind(tuple(walk.lines), masked, None if masked else _nothing(seen, source), seen.counted)


def self_masked(entry: Accept) -> Phrase | None:
    """Why the declared command itself can't prove anything, whatever stands behind it; None: it can."""
    source = visible(entry.label, _SHOWN)
    seen = _Walk(None).step(Step(source, entry.text, entry.cwd), told=False)
    return _masked(seen, source, exam=False) or _nothing(seen, source) or seen.counted


class _Run(NamedTuple):
    """A command that may judge the project, somewhere behind the name."""

    kind: Kind
    command: str = ""
    hidden: Phrase | None = None  # why its failure can't be seen


class _Seen(NamedTuple):
    """What is known of a command or a sequence of steps."""

    runs: tuple[_Run, ...] = ()
    acts: bool = False  # something in it does more than print
    can_fail: bool = False
    idle: Phrase | None = None  # a test runner is only asked to show something
    counted: Phrase | None = None


_UNKNOWN = _Seen((_Run("program"),), acts=True, can_fail=True)


def _masked(seen: _Seen, source: str, exam: bool) -> Phrase | None:
    """Any test run that is hidden; else all of a weaker kind; else all there is."""
    tests = [run for run in seen.runs if run.kind == "test"]
    if tests:
        return next((run.hidden for run in tests if run.hidden), None)
    kinds: tuple[Kind, ...] = ("script", "program", "lint") if exam else ("script", "lint")
    for kind in kinds:
        found = [run for run in seen.runs if run.kind == kind]
        if found:
            return found[-1].hidden if all(run.hidden for run in found) else None
    return Phrase("behind.cannot_fail", {"source": source}) if seen.acts and not seen.can_fail else None


def _nothing(seen: _Seen, source: str) -> Phrase | None:
    if seen.idle and not any(run.kind != "program" for run in seen.runs):
        return seen.idle
    return None if seen.acts else Phrase("behind.only_prints", {"source": source})


class _Walk:
    """One look behind a command; remembers what it has seen, so that scripts that call each other end."""

    def __init__(self, files: ProjectFiles | None) -> None:
        self.files = files
        self.lines: list[Line] = []
        self._known: dict[tuple[tuple[str, ...], str], _Seen | None] = {}
        self._depth = self._steps = 0
        self._left = MOST_WORK

    def step(self, step: Step, told: bool = True) -> _Seen:
        self._steps += 1
        if step.unknown or self._steps > _MOST_STEPS:
            return _UNKNOWN if step.unknown != "built" else _Seen(acts=True, can_fail=True)
        step = step._replace(source=visible(step.source))
        if told and len(self.lines) < _MOST_LINES:
            shown = "\n".join(map(visible, step.text[:_LONGEST_TEXT].split("\n")))
            self.lines.append(Line(step.source, shown))
        tree = parse(step.text)
        if isinstance(tree, Refused):
            return _UNKNOWN
        try:
            return self._text(step, tree)
        except RecursionError:
            return _UNKNOWN

    def _text(self, step: Step, tree: Script) -> _Seen:
        sourcing = _Sourcing(step.folder, self.files)
        script = sourcing.script(tree)
        options = {*step.options, "errexit"} if sourcing.lost else step.options  # it may have switched it on
        text = ShellText(script, options, self._left)
        if text.too_much():
            return _UNKNOWN
        found = {each.number: self._command(each.invocation, step) for each in text.places()}
        seen = _judged(text, step, found, _asks(script))
        self._left = max(0, self._left - text.work)
        return seen

    def _command(self, invocation: Invocation, step: Step) -> _Seen:
        command, nested = describe(invocation), self._behind(invocation, step.folder)
        values = {"command": _shown(invocation), "source": step.source}
        empty = {"detail": visible(command.passes_empty), "source": step.source}
        counted = Phrase("behind.empty", empty) if command.passes_empty else None
        if nested is not None and not command.masks and not command.shows:
            return nested._replace(counted=nested.counted or counted)
        name = invocation.words[0]
        if name.known and name.text in PRINTS:
            return _Seen(can_fail=name.text not in ("echo", "true", ":"))
        if command.shows and command.kind != "lint":
            shows = Phrase("behind.shows", {**values, "detail": visible(command.shows)})
            return _Seen((), True, True, shows)
        hidden = (
            Phrase("behind.flag", {**values, "detail": visible(command.masks)}) if command.masks else None
        )
        runs = () if command.kind == "helper" else (_Run(command.kind, values["command"], hidden),)
        return _Seen(runs, True, True, counted=counted)

    def _behind(self, invocation: Invocation, folder: str) -> _Seen | None:
        """What stands behind one command; None when there is nothing that is known."""
        at = None if invocation.folder is None else join(folder, invocation.folder)
        if self.files is None or at is None or invocation.elsewhere or not invocation.words[0].known:
            return None
        words = tuple(word.text for word in invocation.words)
        if (words, at) not in self._known and self._depth < _DEEPEST:
            self._known[words, at] = None  # one that calls itself gives nothing new
            steps = steps_behind(words, at, self.files)
            if steps is not None:
                self._depth += 1
                self._known[words, at] = _in_order([self.step(each) for each in dict.fromkeys(steps)])
                self._depth -= 1
        return self._known.get((words, at))


def _judged(text: ShellText, step: Step, found: Mapping[int, _Seen], asks: bool) -> _Seen:
    """What is known of one text once its commands are: which runs it has, and which can fail unseen."""
    seen = _in_order([found[number] for number in sorted(found)])
    shown = _numbers_shown(text, found)
    key = "behind.ignored" if step.ignored else "behind.hidden"
    runs: list[_Run] = []
    for number in sorted(found):
        for run in found[number].runs:
            if not run.hidden and (step.ignored or (number, run.kind) not in shown):
                run = run._replace(hidden=Phrase(key, {"source": step.source, "command": run.command}))
            runs.append(run)
    never = {number for number, each in found.items() if not each.can_fail}
    return seen._replace(
        runs=tuple(runs),
        acts=seen.acts or asks or (not seen.acts and text.judges(both=True)),
        can_fail=not step.ignored and text.can_fail(never),
    )


def _numbers_shown(text: ShellText, found: Mapping[int, _Seen]) -> Collection[tuple[int, Kind]]:
    """Commands with runs of a kind whose failure the end of the text can show.

    Of test runs each one must, the last is looked at first; of weaker kinds all together.
    """
    shown: set[tuple[int, Kind]] = set()
    kinds = {run.kind for each in found.values() for run in each.runs}
    for kind in kinds:
        numbers = [
            number
            for number, each in found.items()
            if any(run.kind == kind and not run.hidden for run in each.runs)
        ]
        if kind != "test":
            own = kind == "program" and text.judges()
            shown |= {(number, kind) for number in numbers if own or text.shows(numbers)}
            continue
        hidden = False
        for number in sorted(numbers, reverse=True):
            hidden = hidden or not text.shows_one(number, [each for each in numbers if each != number])
            shown |= {(number, kind)} if not hidden else set()
    return shown


def _in_order(parts: Sequence[_Seen]) -> _Seen:
    """One after the other, until one fails."""
    return _Seen(
        tuple(run for each in parts for run in each.runs),
        any(each.acts for each in parts),
        any(each.can_fail for each in parts),
        next((each.idle for each in parts if each.idle), None),
        next((each.counted for each in parts if each.counted), None),
    )


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


def _shown(invocation: Invocation) -> str:
    return visible(" ".join(word.text for word in invocation.words), _SHOWN)


class _Sourcing:
    """A script with the files of the project that it reads in (`. lib.sh`) in their place."""

    def __init__(self, folder: str, files: ProjectFiles | None) -> None:
        self.folder, self.files = folder, files
        self.seen: set[str] = set()
        self.lost = False  # one of them can't be followed

    def script(self, script: Script) -> Script:
        return tuple(each for statement in script for each in self.statement(statement))

    def statement(self, statement: Statement) -> Iterator[Statement]:
        command = statement.command
        words = command.words if isinstance(command, Simple) else ()
        if len(words) < 2 or words[0].text not in (".", "source"):
            yield statement
        elif not words[1].text.endswith("activate"):  # of an environment: it changes no option
            body = self.file(words[1].text if words[1].known else "")
            yield Statement(Group(body)) if body else statement

    def file(self, name: str) -> Script:
        text = self.files.text(self.folder, name) if self.files is not None and name else ""
        tree = parse(text) if text and len(self.seen) < _MOST_SOURCED else None
        if tree is None or isinstance(tree, Refused):
            self.lost = True
        if tree is None or isinstance(tree, Refused) or name in self.seen:
            return ()
        self.seen.add(name)
        return self.script(tree)
