"""Can the status of a shell text show that one of its commands failed?

The commands are replaced by `true` and `false`, and the interpreter of `core.commands` says how the shell
would end. If that is the same with either, nobody sees the failure. Conditions that can't be known are tried
both ways, and one way in which the failure shows is enough: in doubt nothing is hidden. Work is bounded by
counting it, so that an answer does not depend on the machine.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal, NamedTuple

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.lines import invocations
from donewhen.core.commands.reader import Reader, TooMuch
from donewhen.core.commands.status import State, Value
from donewhen.core.commands.surroundings import Shell, ended, shell_status
from donewhen.core.commands.walk import simples
from donewhen.core.tree import (
    AndOr,
    Assign,
    Command,
    Declare,
    For,
    Function,
    Group,
    Inner,
    Pipeline,
    Script,
    Simple,
    Statement,
    Subshell,
    Test,
    Variable,
    Word,
)
from donewhen.verify.behind_naming import may_judge
from donewhen.verify.behind_order import Event, events, substituted

_TAG = "DONEWHEN_COMMAND"
_CONTROL = frozenset("exit return break continue true false : set wait trap test [ shift".split())
_WITH_VALUES = frozenset("exit return test [ wait".split())  # their words may be statuses
_CONDITIONS = frozenset(("test", "["))
_QUESTIONS = frozenset("grep egrep fgrep rg command which type hash pgrep diff cmp nc curl git".split())
_CHANGES = frozenset(("set", "trap", "shopt"))  # what follows is another matter
_ROUNDS = (Word("1"), Word("2"))
MOST_WORK = 40_000  # steps of the interpreter and pieces of trees: about half a second
Way = Literal["keep", "true", "false"]  # what conditions are taken to be
_WAYS: tuple[Way, ...] = ("keep", "true", "false")


class Place(NamedTuple):
    """A command of the text: what it is once variables are filled in; `number` is its order."""

    number: int
    invocation: Invocation


class Text:
    """A shell text whose commands are numbered."""

    def __init__(self, script: Script, options: Collection[str] = (), most: int = MOST_WORK) -> None:
        self.script = (*_set(options), *_flat(script))
        self._functions = frozenset(_defined(self.script))
        self._most = most
        self.work = self._last = 0
        self._found: dict[int, frozenset[int]] = {}
        self._ends: dict[Way, Value | None] = {}

    def limit(self, most: int) -> None:
        """So much work is left for all that is looked at."""
        self._most = self.work + most

    def places(self) -> tuple[Place, ...]:
        """The commands that may be run, in order; shell keywords and calls of own functions are none."""

        found: dict[int, Invocation] = {}
        for each in invocations(self._rebuilt(_tagged, enter=True)):
            if each.reached and _TAG in each.env and each.env[_TAG].known:
                env = {name: word for name, word in each.env.items() if name != _TAG}
                found.setdefault(int(each.env[_TAG].text), each._replace(env=env))
        return tuple(Place(number, found[number]) for number in sorted(found))

    def order(self) -> tuple[Event, ...]:
        """Commands and questions as the text comes to them."""
        return events(self._rebuilt(_tagged), _TAG)

    def looked_at(self) -> frozenset[int]:
        """Commands inside `$(…)`: their output is what the text looks at."""
        return substituted(self._rebuilt(_tagged), _TAG)

    def alike(self) -> dict[int, object]:
        """What two commands have in common whose failures the text treats in the same way."""
        walk = _Rebuilding(self._functions, lambda number, command, name: _plain("x"), "keep", False, False)
        found: dict[int, object] = {}
        changes = 0
        for at, statement in enumerate(self.script):
            first = walk.number + 1
            made = walk.node(statement)
            changes += _changes(made)
            for number in range(first, walk.number + 1):
                found[number] = (made, number - first, changes, at == len(self.script) - 1)
        self.work += walk.visited
        return found

    def shows(self, number: int, others: Collection[int] = (), doubt: bool = False) -> bool | None:
        """Can the end of the text differ when this command fails? `others` are runs of the same kind.

        Where one is only reached after the other failed, it is a second attempt: both fail. With `doubt` a
        command that nothing leads to while all others pass is given the benefit of it. None: too much work.
        """
        if self.work > self._most:
            return None
        if any(self._differs({number}, way) for way in _WAYS):
            return True
        later = {each for each in others if each not in self._reached(number)}
        earlier = {each for each in others if number not in self._reached(each)}
        if (later or earlier) and any(self._differs({number, *later, *earlier}, way) for way in _WAYS):
            return True
        return doubt and not self._comes_to(number)

    def decides(self, number: int) -> bool:
        """Does the end of the text depend on this command, one way or the other: `! grep -q FAIL log`?"""
        return self.work <= self._most and any(
            self._differs({number}, way) or self._differs((), way, {number}) for way in _WAYS
        )

    def judges(self) -> bool:
        """Can it end badly by its own questions, while every command passes?"""
        ends = [self._good(way) for way in _WAYS]
        return any(end is None or end.nonzero is not None for end in ends)

    def weighs(self) -> bool:
        """Can it end well and badly, both by its own questions?"""
        return self.judges() and any(end is None or end.zero is not None for end in map(self._good, _WAYS))

    def _comes_to(self, number: int) -> bool:
        def alone(each: int, command: Simple, name: str) -> Command:
            return _tagged(each, command, name) if each == number else _plain("true")

        for way in _WAYS:
            run = invocations(self._rebuilt(alone, way))
            if any(each.reached and _TAG in each.env for each in run):
                return True
        return False

    def _differs(self, failing: Collection[int], way: Way, instead: Collection[int] = ()) -> bool:
        bad, good = self._end(failing, way), self._end(instead, way) if instead else self._good(way)
        if bad is None or good is None:
            return True
        return (bad.zero is None and good.zero is not None) or (
            bad.nonzero is not None and good.nonzero is None
        )

    def can_fail(self, never: Collection[int] = ()) -> bool:
        """Is there any way to an end that is not 0? Commands in `never` don't fail."""

        def kept(number: int, command: Simple, name: str) -> Command:
            return _plain("true") if number in never else command

        status = self._status(self._rebuilt(kept))
        return status is None or status.nonzero is not None

    def too_much(self) -> bool:
        """Is there more in it than can be told?"""
        return self._status(self.script) is None

    def _status(self, script: Script) -> Value | None:
        """How a shell ends that runs the script; None when it is too much to tell."""
        reader, shell = Reader(None), Shell([])
        try:
            reader.finish(ended(reader.script(script, State(), shell)), shell)
        except TooMuch:
            return None
        finally:
            self.work += reader.steps
            self._last = reader.steps
        return shell_status(shell.exits)

    def _reached(self, number: int) -> frozenset[int]:
        """The commands that may be run when `number` passes."""
        if number not in self._found:

            def tag(each: int, command: Simple, name: str) -> Command:
                return _plain("true") if each == number else _tagged(each, command, name)

            self.work += self._last  # it takes about as long
            run = invocations(self._rebuilt(tag))
            told = (each.env[_TAG].text for each in run if each.reached and _TAG in each.env)
            self._found[number] = frozenset(int(text) for text in told if text.isdigit())
        return self._found[number]

    def _good(self, way: Way) -> Value | None:
        if way not in self._ends:
            self._ends[way] = self._end((), way)
        return self._ends[way]

    def _end(self, failing: Collection[int], way: Way) -> Value | None:
        def chosen(number: int, command: Simple, name: str) -> Command:
            if number not in failing:
                asked = way != "keep" and command.words[0].text in _QUESTIONS
                return _plain(way if asked else "true")
            return _in_first_round(name) if name else _plain("false")

        return self._status(self._rebuilt(chosen, way, short=True))

    def _rebuilt(
        self,
        leaf: Callable[[int, Simple, str], Command],
        way: Way = "keep",
        enter: bool = False,
        short: bool = False,
    ) -> Script:
        walk = _Rebuilding(self._functions, leaf, way, enter, short)
        made = walk.script(self.script)
        self.work += walk.visited
        return made


class _Rebuilding:
    """One walk over a tree that gives the same tree with other commands in it."""

    def __init__(
        self,
        functions: Collection[str],
        leaf: Callable[[int, Simple, str], Command],
        way: Way,
        enter: bool,
        short: bool,
    ) -> None:
        self.functions = functions
        self.leaf = leaf
        self.way = way
        self.enter = enter  # folders that are entered are taken to be there
        self.short = short  # loops get two rounds, of which the first one fails
        self.number = -1
        self.visited = 0
        self.loops: list[str] = []

    def script(self, script: Script) -> Script:
        made: list[Statement] = []
        for statement in script:
            each = self.node(statement)
            if self.short and _is_idle(each):
                each = _IDLE
                if made and made[-1] == _IDLE:
                    continue  # thousands of lines that all pass are one
            made.append(each)
        return tuple(made)

    def node(self, node: Any) -> Any:
        self.visited += 1
        if isinstance(node, Simple):
            return self.simple(node)
        if isinstance(node, Test):
            return node if self.way == "keep" else _plain(self.way)
        if isinstance(node, Declare):
            return self.declare(node)
        if isinstance(node, For):
            return self.loop(node)
        if isinstance(node, tuple):
            made = [self.node(each) for each in node]
            return type(node)(*made) if hasattr(node, "_fields") else tuple(made)
        return node

    def declare(self, node: Declare) -> Command:
        assigns = self.node(node.assigns)
        if not self.short:
            return node._replace(assigns=assigns)
        return Simple((), assigns) if assigns else _plain("true")

    def loop(self, node: For) -> For:
        short = self.short and node.kind == "for"
        self.loops.append(node.name if short else "")
        body = self.node(node.body)
        self.loops.pop()
        return For(node.name, _ROUNDS, body) if short else node._replace(body=body)

    def simple(self, node: Simple) -> Command:
        if not node.words:
            return Simple((), self.node(node.assigns))
        name = node.words[0].text if node.words[0].known else ""
        if name in _CONDITIONS and self.way != "keep":
            return _plain(self.way)
        if name in _CONTROL and all(word.known for word in node.words) | (
            name in ("exit", "test", "[", "return")
        ):
            return node._replace(inner=tuple(self.inner(each) for each in node.inner))
        if name in self.functions:
            return node
        if name == "cd":
            return self.entered(node)
        self.number += 1
        loop = self.loops[-1] if self.loops else ""
        made = self.leaf(self.number, node, loop)
        return self.words_kept(made, node)

    def entered(self, node: Simple) -> Command:
        if not self.enter:
            return _plain("true") if self.short else node
        return AndOr(Statement(node), (("||", Statement(Simple((Word("exit"), Word("1"))))),))

    def words_kept(self, made: Command, node: Simple) -> Command:
        """Substitutions in the words are live; they are walked through even where the command is replaced."""
        words, assigns = self.node(node.words), self.node(node.assigns)
        if isinstance(made, Simple) and made.words == node.words:
            return made._replace(words=words, assigns=(*assigns, *made.assigns[len(assigns) :]))
        return made

    def inner(self, inner: Inner) -> Inner:
        return inner if inner.script is None else inner._replace(script=self.script(inner.script))


def _tagged(number: int, command: Simple, name: str) -> Command:
    return command._replace(assigns=(*command.assigns, Assign(_TAG, Word(str(number)))))


def _changes(tree: object) -> bool:
    return any(each.words[0].text in _CHANGES for each in simples(tree))


def _plain(word: str) -> Simple:
    return Simple((Word(word),))


_IDLE = Statement(_plain("true"))


def _is_idle(statement: Statement) -> bool:
    """It passes, and leaves nothing behind: `true`, `: note`, `true || exit 1`."""
    command = statement.command
    if isinstance(command, AndOr) and statement == Statement(command):
        return _is_idle(command.first) and all(operator == "||" for operator, _ in command.rest)
    if not isinstance(command, Simple) or statement != Statement(command):
        return False
    words = command.words
    return bool(words) and words[0].text in ("true", ":") and all(word.known for word in words)


def _in_first_round(name: str) -> Simple:
    """It fails in the first of the two rounds of the loop over `name`."""
    value = Word(f"${name}", known=False, parts=(Variable(name, quoted=True),))
    return Simple((Word("test"), value, Word("="), Word("2")))


def _set(options: Collection[str]) -> Script:
    return tuple(
        Statement(Simple((Word("set"), Word("-o"), Word(option)))) for option in sorted(options) if option
    )


def _defined(tree: object) -> Iterator[str]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Function):
            yield node.name
        if isinstance(node, tuple):
            stack.extend(node)


# wrappers and pipes


def _flat(node: Any) -> Any:
    """Wrappers give way to what they run, and pipes whose end may judge to what it is given."""
    if isinstance(node, Simple) and len(node.inner) == 1 and node.inner[0].script is not None:
        return _unwrapped(node, node.inner[0])
    if isinstance(node, Pipeline) and _may_judge(node.parts[-1].command):
        return Group((_flat(node.parts[0]),))
    if isinstance(node, tuple):
        made = [_flat(each) for each in node]
        return type(node)(*made) if hasattr(node, "_fields") else tuple(made)
    return node


def _may_judge(command: Command) -> bool:
    if not isinstance(command, Simple) or not command.words:
        return False
    return not command.inner and may_judge(command.words)


def _unwrapped(node: Simple, inner: Inner) -> Command:
    script = _flat(inner.script)
    if inner.by == "trap":
        return node._replace(inner=(inner._replace(script=script),))
    if inner.by == "exec":
        return Group((*script, Statement(_plain("exit"))))
    options = [name for name, on in (("errexit", inner.errexit), ("pipefail", inner.pipefail)) if on]
    body = (*_set(options if inner.own_shell else ()), *_entered(inner), *script)
    if inner.by == "find" and node.words[-1].text != "+":
        return AndOr(Statement(Subshell(body)), (("||", Statement(_plain("true"))),))
    if inner.by == "eval" or (len(body) == 1 and not inner.own_shell):
        return Group(body)
    return Subshell(body)


def _entered(inner: Inner) -> Script:
    return (Statement(Simple((Word("cd"), inner.folder))),) if inner.folder is not None else ()
