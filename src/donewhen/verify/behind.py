"""What a command runs behind its name, and whether its status could show that the tests failed.

`npm test`, `make check`, `tox`, `./run_tests.sh` are names; the exam is what stands behind them. It is read,
never run. A command is called masked only when that is certain; what can't be read, or is longer than can be
read, is unknown: nothing is said against it, and nothing for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.walk import simples
from donewhen.core.texts import Phrase
from donewhen.core.tree import Calculation, Refused, Script, Simple, Statement, Test, Word
from donewhen.shell import parse
from donewhen.verify.failures import visible
from donewhen.verify.recipe_commands import PRINTS, Kind, describe, is_exam
from donewhen.verify.recipe_status import MOST_WORK, ShellText, nodes
from donewhen.verify.recipes import ProjectFiles, Step, join, steps_behind

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
    named = {} if isinstance(tree, Refused) else ShellText(tree).commands()
    masked = _masked(seen, source, any(map(is_exam, named.values())))
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
        script = tuple(_with_sourced(tree, step.folder, self.files, set()))
        text = ShellText(script, step.options, self._left)
        if text.too_much():
            return _UNKNOWN
        found = {number: self._command(each, step) for number, each in text.commands().items()}
        seen = _judged(text, step, found, _asks(script))
        self._left = max(0, self._left - text.work)
        return seen

    def _command(self, invocation: Invocation, step: Step) -> _Seen:
        command, nested = describe(invocation), self._behind(invocation, step.folder)

        shown = visible(" ".join(word.text for word in invocation.words), _SHOWN)

        def phrase(key: str, detail: str) -> Phrase | None:
            values = {"command": shown, "source": step.source, "detail": visible(detail)}
            return Phrase(key, values) if detail else None

        counted = phrase("behind.empty", command.passes_empty)
        if nested is not None and not command.masks and not command.shows:
            return nested._replace(counted=nested.counted or counted)
        name = invocation.words[0]
        if name.known and name.text in PRINTS:
            return _Seen(can_fail=name.text not in ("echo", "true", ":"))
        if command.shows and command.kind != "lint":
            return _Seen((), True, True, phrase("behind.shows", command.shows))
        run = _Run(command.kind, shown, phrase("behind.flag", command.masks))
        return _Seen((run,) if command.kind != "helper" else (), True, True, counted=counted)

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
    seen = _in_order(list(found.values()))
    shown = set() if step.ignored else set(_shown(text, found))
    key = "behind.ignored" if step.ignored else "behind.hidden"
    runs: list[_Run] = []
    for number, each in found.items():
        for run in each.runs:
            hidden = Phrase(key, {"source": step.source, "command": run.command})
            runs.append(run if run.hidden or (number, run.kind) in shown else run._replace(hidden=hidden))
    never = {number for number, each in found.items() if not each.can_fail}
    acts = seen.acts or asks or text.judges(both=True)
    return seen._replace(runs=tuple(runs), acts=acts, can_fail=not step.ignored and text.can_fail(never))


def _shown(text: ShellText, found: Mapping[int, _Seen]) -> Iterator[tuple[int, Kind]]:
    """Commands with runs of a kind whose failure the end of the text can show.

    Of test runs each one must, and the last is looked at first; of weaker kinds all together.
    """
    of_kind: dict[Kind, list[int]] = {}
    for number in sorted(found, reverse=True):
        for kind in {run.kind for run in found[number].runs if not run.hidden}:
            of_kind.setdefault(kind, []).append(number)
    for kind, numbers in of_kind.items():
        if kind != "test":
            together = (kind == "program" and text.judges()) or text.shows(numbers)
            yield from ((number, kind) for number in numbers if together)
            continue
        for number in numbers:
            if not text.shows_one(number, [each for each in numbers if each != number]):
                break  # one hidden run is enough
            yield number, kind


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
    return any(
        isinstance(each, Test | Calculation)
        or (isinstance(each, Simple) and bool(each.words) and each.words[0].text in ("test", "[", "false"))
        for each in nodes(tree)
    )


def _with_sourced(
    script: Script, folder: str, files: ProjectFiles | None, seen: set[str]
) -> Iterator[Statement]:
    """The statements; before one that reads in a file (`. lib.sh`) what stands there, and where nobody can
    follow it `set -e`: it may have switched that on."""
    for statement in script:
        for command in simples(statement):
            name = command.words[1] if len(command.words) > 1 else Word("activate")
            if command.words[0].text not in (".", "source") or name.text.endswith("activate"):
                continue  # an environment changes no option
            text = files.text(folder, name.text) if files is not None and name.known else ""
            tree = parse(text) if text and len(seen) < _MOST_SOURCED else None
            if tree is None or isinstance(tree, Refused):
                yield Statement(Simple((Word("set"), Word("-e"))))
            elif name.text not in seen:
                seen.add(name.text)
                yield from _with_sourced(tree, folder, files, seen)
        yield statement
