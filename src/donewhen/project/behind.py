"""What a command runs behind its name, and whether its status could show that tests failed.

`npm test`, `make check`, `tox`, `./run_tests.sh` are names; the exam is what stands behind them. It is read,
never run. A command is called masked only when that is certain: with a test run in it replaced by `false` and
all else by `true`, the interpreter says that the shell ends well. Programs that no table knows may be tests;
what they come to is seen by running.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.commands import parse
from donewhen.commands.calls import Call, name_call
from donewhen.commands.invocation import Invocation
from donewhen.commands.lines import invocation_of
from donewhen.commands.programs import compare, has_verdict
from donewhen.commands.test_runs import is_test_call
from donewhen.commands.words import word_set
from donewhen.core.accept import Accept
from donewhen.core.shown import visible
from donewhen.core.texts import Phrase
from donewhen.core.tree import (
    Calculation,
    For,
    Function,
    Group,
    Inner,
    Pipeline,
    Refused,
    Script,
    Simple,
    Statement,
    Subshell,
    Test,
    Word,
)
from donewhen.project.folder import Folder
from donewhen.project.recipes import Step, join, steps_behind
from donewhen.shell.interpreter import Command, Outcome, TooMuch, Visitor, interpret
from donewhen.shell.state import EITHER, FAILURE, SUCCESS, State, Value

_DEEPEST = 8
_MOST_STEPS = 500
_MOST_LINES = 200
_MOST_WORK = 40_000  # steps of the interpreter: about half a second
_LONGEST_TEXT = 4000  # of a line that is told
_SHOWN = 120
_TRUE = Simple((Word("true"),))


class Line(NamedTuple):
    """One line that is run, and where it is written."""

    source: str
    text: str


class Behind(NamedTuple):
    """What a command runs; `trouble` only when that is certain."""

    lines: tuple[Line, ...] = ()
    trouble: Phrase | None = None  # its status can't show that its tests failed, or it only prints
    counted: Phrase | None = None  # it also passes when no test is found: a pass needs counts above zero


def behind(entry: Accept, folder: Path) -> Behind:
    """What the entry runs in the project at `folder`; `entry.cwd` is below it."""
    walk = _Walk(Folder(folder))
    seen = walk.step(Step(visible(entry.label, _SHOWN), entry.text, entry.cwd), told=False)
    source = walk.lines[0].source if walk.lines else visible(entry.label, _SHOWN)
    return Behind(tuple(walk.lines), seen.trouble(source), seen.counted)


def self_masked(entry: Accept) -> Phrase | None:
    """Why the declared command itself can't prove anything, whatever stands behind it; None: it can."""
    source = visible(entry.label, _SHOWN)
    seen = _Walk(None).step(Step(source, entry.text, entry.cwd), told=False)
    return seen.trouble(source) or seen.counted


def doubt_about(entry: Accept, folder: Path) -> Phrase | None:
    """Why a command could not show a failure, by itself or behind its name."""
    return self_masked(entry) or behind(entry, folder).trouble


class _Seen(NamedTuple):
    """What is known of a command or a sequence of steps."""

    test: str = ""  # a test run in it, whose failure shows
    hidden: Phrase | None = None  # why the failure of one does not show
    acts: bool = True  # something in it does more than print
    can_fail: bool = True
    idle: Phrase | None = None  # a test runner is only asked to show something
    counted: Phrase | None = None

    def trouble(self, source: str) -> Phrase | None:
        if self.hidden or not (self.test or self.can_fail or not self.acts):
            return self.hidden or Phrase("behind.cannot_fail", {"source": source})
        if self.idle and not self.test:
            return self.idle
        return None if self.acts else Phrase("behind.only_prints", {"source": source})


def _in_order(parts: Sequence[_Seen]) -> _Seen:
    """One after the other, until one fails."""
    return _Seen(
        next((each.test for each in parts if each.test), ""),
        next((each.hidden for each in parts if each.hidden), None),
        any(each.acts for each in parts),
        any(each.can_fail for each in parts),
        next((each.idle for each in parts if each.idle), None),
        next((each.counted for each in parts if each.counted), None),
    )


class _Walk:
    """One look behind a command; remembers what it has seen, so that scripts that call each other end."""

    def __init__(self, files: Folder | None) -> None:
        self.files = files
        self.lines: list[Line] = []
        self._known: dict[tuple[tuple[str, ...], str], _Seen | None] = {}
        self._depth = self._steps = 0
        self._left = _MOST_WORK

    def step(self, step: Step, told: bool = True) -> _Seen:
        self._steps += 1
        if step.unknown or self._steps > _MOST_STEPS:
            return _Seen()
        step = step._replace(source=visible(step.source))
        if told and len(self.lines) < _MOST_LINES:
            shown = "\n".join(map(visible, step.text[:_LONGEST_TEXT].split("\n")))
            self.lines.append(Line(step.source, shown))
        tree = parse(step.text)
        try:
            return _Seen() if isinstance(tree, Refused) else self._text(step, tree)
        except (RecursionError, TooMuch):
            return _Seen()

    def _text(self, step: Step, tree: Script) -> _Seen:
        text = _ShellText(tree, step.options, self._left)
        found = {number: self._command(each, step) for number, each in text.commands().items()}
        seen = _in_order(list(found.values()))
        never = {number for number, each in found.items() if not each.can_fail}
        can_fail = not step.ignored and text.end(passing=never).nonzero is not None
        tests = [number for number in sorted(found, reverse=True) if found[number].test]
        hidden = seen.hidden
        for number in tests if not hidden else ():
            if step.ignored or text.hides(number, tests):
                key = "behind.ignored" if step.ignored else "behind.hidden"
                hidden = Phrase(key, {"source": step.source, "command": found[number].test})
                break
        self._left = text.left
        acts = seen.acts or text.asks()
        return seen._replace(hidden=hidden, acts=acts, can_fail=can_fail)

    def _command(self, invocation: Invocation, step: Step) -> _Seen:
        """A single command: by what stands behind it, or by its name."""
        words = invocation.words
        if len(words) > 2 and not words[0].known and words[1].text == "-m":  # `"$PYTHON" -m pytest`
            words = (Word("python"), *words[1:])
        name = words[0].text if words[0].known else ""
        nested = self._behind(invocation, step.folder)
        if name in word_set("prints") or not name:
            return _Seen(acts=not name, can_fail=name not in ("echo", "true", ":"))
        call = name_call(words)
        is_test = _is_test(call, words)
        settings = tuple(_settings(call)) if is_test or has_verdict(invocation) else ()
        masks = [each.text for each in settings if each.effect == "mask"]
        empty = [each for each in masks if is_test and each.partition("=")[0] in word_set("pass_empty")]
        masks = [each for each in masks if each.partition("=")[0] not in word_set("pass_empty")]
        masks += [_by_environment(invocation)] if is_test and invocation.env else []
        shows = [each.text for each in settings if is_test and each.effect == "norun"]
        shown = visible(" ".join(word.text for word in words), _SHOWN)

        def phrase(key: str, details: Sequence[str]) -> Phrase | None:
            detail = next(filter(None, details), "")
            values = {"command": shown, "source": step.source, "detail": visible(detail)}
            return Phrase(key, values) if detail else None

        counted, flag = phrase("behind.empty", empty), phrase("behind.flag", masks)
        if nested is not None and not flag and not shows:
            return nested._replace(counted=nested.counted or counted)
        if not is_test:
            return _Seen(can_fail=not flag)
        return _Seen("" if shows else shown, flag, idle=phrase("behind.shows", shows), counted=counted)

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
                self._known[words, at] = _in_order([self.step(each) for each in steps])
                self._depth -= 1
        return self._known.get((words, at))


def _is_test(call: Call, words: Sequence[Word]) -> bool:
    """Also where an option keeps it from running."""
    call = _without_norun(call)
    module = words[2].text.partition(".")[0] if len(words) > 2 and words[1].text == "-m" else ""
    plain = not call.grammar and bool({call.name.partition(" ")[0], module} & word_set("other_runners"))
    return plain or is_test_call(call) or call.operands[:2] == ("setup.py", "test")


def _without_norun(call: Call) -> Call:
    kept = tuple(each for each in call.settings if each.effect != "norun")
    return call._replace(settings=kept, rest=_without_norun(call.rest) if call.rest else None)


def _settings(call: Call) -> Iterator[Any]:
    yield from call.settings
    for runner in call.runners:
        yield from runner.settings
    if call.rest is not None:
        yield from _settings(call.rest)


def _by_environment(invocation: Invocation) -> str:
    """A variable that masks: `MAKEFLAGS=-i make test`."""
    found = compare(Invocation(invocation.words), Invocation(invocation.words, invocation.env))
    return found.detail if found.masked else ""


class _ShellText:
    """A shell text whose commands are numbered, so that the interpreter can be told how each ends."""

    def __init__(self, script: Script, options: Collection[str], most: int) -> None:
        self.script: Script = (*_set(options), *_unwrapped(script))
        self.left = most
        self._functions = frozenset(each.name for each in _nodes(self.script) if isinstance(each, Function))
        self._short: Script = _shortened(self.script)
        self._loops = [loop for _, loop in self._commands(self._short)]

    def commands(self) -> dict[int, Invocation]:
        """The commands that may be run, variables filled in, by their number; no calls of own functions."""
        found: dict[int, Invocation] = {}

        def keep(number: int, command: Command) -> None:
            found.setdefault(number, invocation_of(command))

        self._interpret(self.script, keep)
        return dict(sorted(found.items()))

    def hides(self, number: int, tests: Collection[int]) -> bool:
        """Is it certain that the text ends well although this test run fails? In doubt it is not.

        Others that are only reached after it failed are one more attempt, and fail too; where it is only
        reached after others failed, all others may.
        """
        if self.left <= 0 or self.end({number}).nonzero is not None:
            return False
        if number not in self._reached(lambda n: n == number):
            return self.end({number}, passing=()).nonzero is None
        after = self._reached(lambda n: n != number)
        return self.end({number, *tests} - after).nonzero is None

    def asks(self) -> bool:
        """Is there a condition in it, `test -f dist/index.js`, or an end that its commands don't decide?"""
        for each in _nodes(self.script):
            words = each.words if isinstance(each, Simple) else ()
            if isinstance(each, Test | Calculation) or (words and words[0].text in ("test", "[", "false")):
                return True
        end = self.end()
        return end.zero is not None and end.nonzero is not None

    def end(self, failing: Collection[int] = (), passing: Collection[int] | None = None) -> Value:
        """How a shell ends that runs the text; `passing`: those that surely do, None is all the others.

        A command in a loop over words fails in the first of two rounds.
        """

        def status(number: int, command: Command) -> Value | None:
            if number in failing:
                loop = self._loops[number]
                return SUCCESS if loop and command.state.values[loop].only == "2" else FAILURE
            if passing is None or number in passing:
                return SUCCESS
            return None if command.words[0].text in word_set("prints") else EITHER

        return self._interpret(self._short, status)

    def _reached(self, wanted: Callable[[int], bool]) -> set[int]:
        """Which of the wanted commands are run when all others end well."""
        found: set[int] = set()

        def status(number: int, command: Command) -> Value | None:
            if not wanted(number):
                return SUCCESS
            found.add(number)
            return None

        self._interpret(self.script, status)
        return found

    def _interpret(self, script: Script, status: Callable[[int, Command], Value | None]) -> Value:
        numbers = {id(each): number for number, (each, _) in enumerate(self._commands(script))}
        result = interpret(script, _Ends(numbers, status))
        self.left -= result.steps
        return result.status

    def _commands(self, node: Any, loop: str = "") -> Iterator[tuple[Simple, str]]:
        """In order, with the loop over words that they stand in; no control flow, no own functions."""
        if isinstance(node, Simple):
            yield from self._commands((node.words, node.assigns), loop)
            name = node.words[0].text if node.words and node.words[0].known else ""
            if node.words and name not in word_set("control") | {"cd"} and name not in self._functions:
                yield node, loop
            else:
                yield from self._commands(node.inner, loop)
        elif isinstance(node, For):
            yield from self._commands(node.body, node.name if node.kind == "for" else loop)
        elif isinstance(node, tuple):
            for part in node:
                yield from self._commands(part, loop)


class _Ends(Visitor):
    """Says how each numbered command ends."""

    def __init__(self, numbers: Mapping[int, int], status: Callable[[int, Command], Value | None]) -> None:
        self._numbers = numbers
        self._status = status

    def run(self, command: Command) -> Outcome:
        number = self._numbers.get(id(command.source))
        if number is None or not command.reached or command.kind in ("function", "declare"):
            return Outcome(SUCCESS) if command.words[0].text == "cd" else Outcome()
        return Outcome(self._status(number, command))

    def trusts(self, file: Word, state: State) -> bool:
        return file.text.endswith("activate")


def _shortened(node: Any) -> Any:
    """The same with two rounds for each loop over words, and no redirections, which may fail too."""
    if isinstance(node, For) and node.kind == "for":
        return For(node.name, (Word("1"), Word("2")), _shortened(node.body))
    if not isinstance(node, tuple):
        return node
    made = [_shortened(part) for part in node]
    if isinstance(node, Statement):
        return Statement(*made)._replace(redirects=())
    return type(node)(*made) if hasattr(node, "_fields") else tuple(made)


def _set(options: Collection[str]) -> Script:
    return tuple(Statement(Simple((Word("set"), Word("-o"), Word(option)))) for option in sorted(options))


def _nodes(tree: object) -> Iterator[object]:
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node if isinstance(node, tuple) else ())


def _reads_in(words: Sequence[Word]) -> bool:
    return bool(words) and words[0].text in (".", "source") and not words[-1].text.endswith("activate")


def _unwrapped(node: Any) -> Any:
    """Wrappers give way to what they run, pipes whose end may judge (`| tap-spec`) to what it is given."""
    if isinstance(node, Simple) and _reads_in(node.words):
        return Simple((Word("set"), Word("-e")))  # what is read in may have switched that on
    if isinstance(node, Simple) and len(node.inner) == 1 and node.inner[0].script is not None:
        inner: Inner = node.inner[0]
        script = _unwrapped(inner.script)
        if inner.by == "trap":
            return node._replace(inner=(inner._replace(script=script),))
        options = [name for name in ("errexit", "pipefail") if inner.own_shell and getattr(inner, name)]
        entered = (Statement(Simple((Word("cd"), inner.folder))),) if inner.folder is not None else ()
        ends = (Statement(Simple((Word("exit"),))),) if inner.by == "exec" else ()
        lost = (Statement(_TRUE),) if inner.by == "find" and node.words[-1].text != "+" else ()
        body = (*_set(options), *entered, *script, *ends, *lost)
        return Subshell(body) if inner.own_shell or entered or lost else Group(body)
    if isinstance(node, Pipeline):
        last = node.parts[-1].command
        words = last.words if isinstance(last, Simple) and not last.inner else ()
        told = any(word.text.lstrip("-") == "set-exit-code" for word in words)
        if words and (told or name_call(words).name.rpartition("/")[2] not in word_set("sinks")):
            return Group((_unwrapped(node.parts[0]),))
    if isinstance(node, tuple):
        made = [_unwrapped(each) for each in node]
        return type(node)(*made) if hasattr(node, "_fields") else tuple(made)
    return node
