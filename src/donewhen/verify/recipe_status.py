"""Can the status of a shell text show that one of its commands failed?

Commands are replaced by `true` and `false`, and the interpreter of `core.commands` says how the shell would
end. If that is the same with either, nobody sees the failure. Conditions that can't be known are tried both
ways, and one way in which the failure shows is enough: in doubt nothing is hidden. Work is bounded by
counting it, so that an answer does not depend on the machine.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.lines import invocations
from donewhen.core.commands.reader import Reader, TooMuch
from donewhen.core.commands.status import State, Value
from donewhen.core.commands.surroundings import Shell, ended, shell_status
from donewhen.core.tree import (
    AndOr,
    Assign,
    Command,
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
from donewhen.verify.recipe_commands import may_judge

MOST_WORK = 40_000  # steps of the interpreter and pieces of trees: about half a second
_TAG = "DONEWHEN_COMMAND"
_CONTROL = frozenset("exit return break continue true false : set wait trap test [ shift".split())
_STATUSES = frozenset("exit return test [".split())  # of the above, whose words may be statuses
_QUESTIONS = frozenset("grep egrep fgrep rg command which type hash pgrep diff cmp nc curl git".split())
_ROUNDS = (Word("1"), Word("2"))
Way = Literal["keep", "true", "false"]  # what conditions are taken to be
_WAYS: tuple[Way, ...] = ("keep", "true", "false")


class ShellText:
    """A shell text whose commands are numbered."""

    def __init__(self, script: Script, options: Collection[str] = (), most: int = MOST_WORK) -> None:
        self.script = (*_set(options), *_flat(script))
        self.most = most
        self.work = 0
        self._functions = frozenset(each.name for each in nodes(self.script) if isinstance(each, Function))
        self._good: dict[Way, Value | None] = {}

    def commands(self) -> dict[int, Invocation]:
        """The commands that may be run, variables filled in, by their number; no calls of own functions."""
        found: dict[int, Invocation] = {}
        for each in invocations(self._rebuilt(_tagged, enter=True)):
            if each.reached and _TAG in each.env and each.env[_TAG].known:
                env = {name: word for name, word in each.env.items() if name != _TAG}
                found.setdefault(int(each.env[_TAG].text), each._replace(env=env))
        return dict(sorted(found.items()))

    def shows(self, failing: Collection[int]) -> bool:
        """Can the end of the text differ when these commands fail? In doubt it can."""
        return self.work > self.most or any(self._differs(failing, way) for way in _WAYS)

    def shows_one(self, number: int, others: Collection[int]) -> bool:
        """The same of one test run. Where others are only reached after it failed, or it after they did, they
        are one attempt after the other: all fail."""
        if self.shows({number}):
            return True
        apart = {each for each in others if each not in self._reached(number)}
        apart |= {each for each in others if number not in self._reached(each)}
        return bool(apart) and self.shows({number, *apart})

    def judges(self, both: bool = False) -> bool:
        """Can it end badly by its own questions, while every command passes? `both`: and well too."""
        ends = [self._end_of_good(way) for way in _WAYS]
        bad = any(end is None or end.nonzero is not None for end in ends)
        return bad and (not both or any(end is None or end.zero is not None for end in ends))

    def can_fail(self, never: Collection[int] = ()) -> bool:
        """Is there any way to an end that is not 0? Commands in `never` don't fail."""

        def kept(number: int, command: Simple, loop: str) -> Command:
            return _plain("true") if number in never else command

        status = self._status(self._rebuilt(kept))
        return status is None or status.nonzero is not None

    def too_much(self) -> bool:
        """Is there more in it than can be told?"""
        return self._status(self.script) is None

    def _differs(self, failing: Collection[int], way: Way) -> bool:
        bad, good = self._end(failing, way), self._end_of_good(way)
        if bad is None or good is None:
            return True
        only_bad = bad.zero is None and good.zero is not None
        return only_bad or (bad.nonzero is not None and good.nonzero is None)

    def _reached(self, number: int) -> frozenset[int]:
        """The commands that may be run when `number` passes."""

        def tag(each: int, command: Simple, loop: str) -> Command:
            return _plain("true") if each == number else _tagged(each, command, loop)

        run = invocations(self._rebuilt(tag))
        told = (each.env[_TAG].text for each in run if each.reached and _TAG in each.env)
        return frozenset(int(text) for text in told if text.isdigit())

    def _end_of_good(self, way: Way) -> Value | None:
        if way not in self._good:
            self._good[way] = self._end((), way)
        return self._good[way]

    def _end(self, failing: Collection[int], way: Way) -> Value | None:
        def chosen(number: int, command: Simple, loop: str) -> Command:
            if number not in failing:
                asked = way != "keep" and command.words[0].text in _QUESTIONS
                return _plain(way if asked else "true")
            return _in_first_round(loop) if loop else _plain("false")

        return self._status(self._rebuilt(chosen, way, short=True))

    def _status(self, script: Script) -> Value | None:
        """How a shell ends that runs the script; None when it is too much to tell."""
        reader, shell = Reader(None), Shell([])
        try:
            reader.finish(ended(reader.script(script, State(), shell)), shell)
        except TooMuch:
            return None
        finally:
            self.work += reader.steps
        return shell_status(shell.exits)

    def _rebuilt(
        self,
        leaf: Callable[[int, Simple, str], Command],
        way: Way = "keep",
        enter: bool = False,
        short: bool = False,
    ) -> Script:
        walk = _Rebuilding(self._functions, leaf, way, enter, short)
        made: Script = walk.node(self.script)
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

    def node(self, node: Any) -> Any:
        self.visited += 1
        if isinstance(node, Simple):
            return self.simple(node)
        if isinstance(node, Test):
            return node if self.way == "keep" else _plain(self.way)
        if isinstance(node, For):
            return self.loop(node)
        if isinstance(node, Inner):
            return node if node.script is None else node._replace(script=self.node(node.script))
        if isinstance(node, tuple):
            made = [self.node(each) for each in node]
            return type(node)(*made) if hasattr(node, "_fields") else tuple(made)
        return node

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
        if name in ("test", "[") and self.way != "keep":
            return _plain(self.way)
        if name in _CONTROL and (name in _STATUSES or all(word.known for word in node.words)):
            return node._replace(inner=self.node(node.inner))
        if name in self.functions:
            return node
        if name == "cd":
            if self.enter:
                return AndOr(Statement(node), (("||", Statement(Simple((Word("exit"), Word("1"))))),))
            return _plain("true") if self.short else node
        self.number += 1
        made = self.leaf(self.number, node, self.loops[-1] if self.loops else "")
        # Substitutions in the words are live; they are walked through even where the command is replaced.
        words, assigns = self.node(node.words), self.node(node.assigns)
        if isinstance(made, Simple) and made.words == node.words:
            return made._replace(words=words, assigns=(*assigns, *made.assigns[len(assigns) :]))
        return made


def _tagged(number: int, command: Simple, loop: str) -> Command:
    return command._replace(assigns=(*command.assigns, Assign(_TAG, Word(str(number)))))


def _plain(word: str) -> Simple:
    return Simple((Word(word),))


def _in_first_round(name: str) -> Simple:
    """It fails in the first of the two rounds of the loop over `name`."""
    value = Word(f"${name}", known=False, parts=(Variable(name, quoted=True),))
    return Simple((Word("test"), value, Word("="), Word("2")))


def _set(options: Collection[str]) -> Script:
    return tuple(Statement(Simple((Word("set"), Word("-o"), Word(option)))) for option in sorted(options))


def nodes(tree: object) -> Iterator[object]:
    """Every node of a tree."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node if isinstance(node, tuple) else ())


def _flat(node: Any) -> Any:
    """Wrappers give way to what they run, and pipes whose end may judge to what it is given."""
    if isinstance(node, Simple) and len(node.inner) == 1 and node.inner[0].script is not None:
        return _unwrapped(node, node.inner[0])
    if isinstance(node, Pipeline):
        last = node.parts[-1].command
        if isinstance(last, Simple) and last.words and not last.inner and may_judge(last.words):
            return Group((_flat(node.parts[0]),))
    if isinstance(node, tuple):
        made = [_flat(each) for each in node]
        return type(node)(*made) if hasattr(node, "_fields") else tuple(made)
    return node


def _unwrapped(node: Simple, inner: Inner) -> Command:
    script = _flat(inner.script)
    if inner.by == "trap":
        return node._replace(inner=(inner._replace(script=script),))
    if inner.by == "exec":
        return Group((*script, Statement(_plain("exit"))))
    options = [name for name, on in (("errexit", inner.errexit), ("pipefail", inner.pipefail)) if on]
    entered = (Statement(Simple((Word("cd"), inner.folder))),) if inner.folder is not None else ()
    body = (*_set(options if inner.own_shell else ()), *entered, *script)
    if inner.by == "find" and node.words[-1].text != "+":
        return AndOr(Statement(Subshell(body)), (("||", Statement(_plain("true"))),))
    if inner.by == "eval" or (len(body) == 1 and not inner.own_shell):
        return Group(body)
    return Subshell(body)
