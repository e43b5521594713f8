"""Which commands a line runs, and which of them its exit status proves.

A visitor of the interpreter: it knows at each point which commands surely returned 0, so a proof is never a
pattern but follows from how the shell runs the line. What can't be resolved is no proof. It compares nothing.
"""

from collections.abc import Mapping, Sequence

from donewhen.commands.invocation import Invocation
from donewhen.commands.tampering import CHANGED, FUNCTION, sets_up, tampers, writes
from donewhen.core.tree import Redirect, Script, Word
from donewhen.shell.interpreter import Command, Outcome, Result, TooMuch, Visitor, interpret
from donewhen.shell.state import ANSWERED, NOTHING, Facts, State
from donewhen.shell.variables import answering
from donewhen.shell.words import simples

_NOTHING = Outcome()
_SPOILED = Outcome(spoiled=CHANGED)


def invocations(script: Script, root: str | None = None) -> tuple[Invocation, ...]:
    """Every simple command of the line, in order; `root` is the workspace's absolute path when known."""
    line = Line()
    try:
        result = interpret(script, line, State(root=root))
    except TooMuch:
        return tuple(Invocation(each.words, proven=False) for each in simples(script))
    proven = (result.status.zero or NOTHING) - result.repeated
    return _distinct(line.found, _in_all_rounds(line.found, result, proven), result)


class Line(Visitor):
    """Takes down every command, and what makes those after it prove nothing."""

    def __init__(self) -> None:
        self.found: dict[int, Invocation] = {}

    def run(self, command: Command) -> Outcome:
        if command.kind == "declare":
            return _NOTHING
        if not command.reached:
            self.found[command.number] = Invocation(command.words, proven=False, reached=False)
        elif command.kind == "function":
            self.found[command.number] = Invocation(command.words, proven=False, spoiled=FUNCTION)
        elif command.kind != "wrapper" or _is_told(command):
            self.found[command.number] = invocation_of(command)
            if command.kind != "builtin" and (command.prefix or not command.elsewhere):
                unseen = not any(each.script for each in command.inner) and any(
                    each.own_shell and not each.elsewhere for each in command.inner
                )
                return _SPOILED if unseen or tampers(command.words) else _NOTHING
        return _NOTHING

    def redirect(self, redirects: Sequence[Redirect], state: State) -> str:
        return CHANGED if writes(redirects) else ""

    def together(self, words: tuple[Word, ...]) -> str:
        return CHANGED if tampers(words) else ""

    def trusts(self, file: Word, state: State) -> bool:
        return sets_up(file, state)


def _is_told(command: Command) -> bool:
    """Of a wrapper: when its own status is not that of what it runs; in a container that is told with it."""
    leads = command.prefix and command.words[: len(command.prefix)] == command.prefix
    return command.lost and not leads


def invocation_of(command: Command) -> Invocation:
    folder = command.folder
    spoiled = command.state.spoiled
    if not spoiled and (command.words[0].text in command.state.shadowed or answering(command.env)):
        spoiled = ANSWERED
    return Invocation(
        (*command.prefix, *command.words),
        command.env,
        None if folder is None or folder.startswith("/") else folder,
        command.elsewhere and not command.prefix,
        proven=False,
        spoiled=spoiled,
    )


def _in_all_rounds(found: Mapping[int, Invocation], result: Result, proven: Facts) -> Facts:
    """Without a command of which another round of the same loop may have failed unseen."""
    lost: set[int] = set()
    for start, end in result.rounds:
        inside = [number for number in range(start, end) if number in found]
        unseen = {found[n].words for n in inside if n not in proven and found[n].reached}
        lost.update(number for number in inside if found[number].words in unseen)
    return proven - lost


def _distinct(found: Mapping[int, Invocation], proven: Facts, result: Result) -> tuple[Invocation, ...]:
    """What a loop runs again and again is told once."""
    told: dict[object, Invocation] = {}
    for number in sorted(found):
        each = found[number]._replace(proven=number in proven)
        key: object = number
        if number in result.repeated:
            key = (each.words, each.folder, each.reached, each.spoiled, tuple(sorted(each.env)))
        told.setdefault(key, each)
    return tuple(told.values())
