"""Lines expanded by a walker that knows only assignments, `set --`, `unset`, `shopt -s`, `echo` and `printf`."""

from donewhen.core.tree import Assign, Calculation, Declare, Refused, Script, Simple
from donewhen.guard.expand.expand import assign, calculate, expand
from donewhen.guard.ground import Ground
from donewhen.guard.state import State, start
from donewhen.shell import parse

GROUND = Ground("/srv/tree", "/srv/tree", "/home/dev", "dev")


class Line:
    """What a line gives: the arguments of its last command, and every script that it would run on the way."""

    def __init__(self, text: str, ground: Ground = GROUND) -> None:
        tree = parse(text)
        assert not isinstance(tree, Refused), tree
        self.state = start(ground)
        self.argvs: list[tuple[str, ...]] = []
        self.runs: list[str] = []
        self._script(tree, self.state)

    def _script(self, script: Script, state: State) -> str:
        printed = ""
        for statement in script:
            printed += self._command(statement.command, state)
        return printed

    def _command(self, command: object, state: State) -> str:
        if isinstance(command, Declare):
            letters = "".join(word.text[1:] for word in command.words)
            for one in command.assigns:
                self._declare(one, letters, state)
        elif isinstance(command, Calculation):
            calculate(command.source, command.parts, state, self._run)
        elif isinstance(command, Simple):
            for one in command.assigns:
                assign(one, state, self._run)
            if command.words:
                return self._simple(expand(command.words, state, self._run), state)
        return ""

    def _declare(self, one: Assign, letters: str, state: State) -> None:
        state.declare(one.name, letters)
        if "n" in letters:
            state.references[one.name] = one.value.text
        else:
            assign(one, state, self._run)

    def _simple(self, argvs: list[tuple[str, ...]], state: State) -> str:
        self.argvs = argvs
        name, *rest = argvs[0] or ("",)
        if name == "set":
            state.positional = tuple(rest[1:])
        elif name == "unset":
            state.unset(rest[0])
        elif name == "shopt":
            state.options.add(rest[1])
        return " ".join(rest) + "\n" if name == "echo" else ""

    def _run(self, script: Script, state: State) -> str:
        for statement in script:
            if isinstance(statement.command, Simple):
                self.runs.append(" ".join(word.text for word in statement.command.words))
        kept, self.argvs = self.argvs, []
        printed = self._script(script, state.copy())
        self.argvs = kept
        return printed


def words(text: str, ground: Ground = GROUND) -> list[tuple[str, ...]]:
    """The arguments behind the program's name, alternatives in order."""
    return [argv[1:] for argv in Line(text, ground).argvs]
