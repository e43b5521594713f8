"""Reads a line as the shell would run it: lists, conditions, loops, functions, pipes, background jobs.

Every method takes the state before a piece of the tree and gives the states after it, by outcome. Simple
commands are read in `simple`, built-in ones in `builtins`. Work and depth are bounded; beyond, `TooMuch`.
"""

from collections.abc import Callable
from typing import Any

from donewhen.core.commands.branches import read_case, read_if
from donewhen.core.commands.builtins import BUILTINS
from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.loops import read_for, read_loop
from donewhen.core.commands.simple import read_declare, read_simple
from donewhen.core.commands.spoiling import CHANGED, writes
from donewhen.core.commands.status import (
    EITHER,
    FAILURE,
    NOTHING,
    SUCCESS,
    UNKNOWN,
    Facts,
    Flow,
    State,
    Value,
    code,
    join,
    join_flows,
    meet,
    settle,
    split,
)
from donewhen.core.commands.status_tests import judge_arithmetic, judge_words, names_set
from donewhen.core.commands.status_words import resolve, value, variable
from donewhen.core.commands.surroundings import End, Shell, ended, shell_status
from donewhen.core.commands.tampering import tampers
from donewhen.core.commands.variables import overwritten
from donewhen.core.commands.walk import simples
from donewhen.core.tree import (
    AndOr,
    Arithmetic,
    Calculation,
    Case,
    Command,
    Coprocess,
    Declare,
    For,
    Function,
    Group,
    If,
    Loop,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Statement,
    Subshell,
    Substitution,
    Test,
    Timed,
    Variable,
    Word,
)

MOST_STEPS = 4000
DEEPEST = 60
_LEAVES = (Simple, Pipeline, Subshell, Test, Calculation, Declare)
_ACTIVE = {*BUILTINS, "eval", "command", "builtin", "exec"} - {"true", "false", ":", "echo", "test", "["}
_SAFE_TARGETS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")


class TooMuch(Exception):
    """The line would need more work than a line is worth."""


class Reader:
    def __init__(self, root: str | None) -> None:
        self.root = root
        self.found: list[Invocation] = []
        self.repeated: set[int] = set()  # run in a loop that may hide a failure: never proven
        self.rounds: list[tuple[int, int]] = []  # what each `for` ran: of one command, all rounds must pass
        self.steps = 0
        self._defined: dict[str, Statement] = {}
        self.called: set[str] = set()

    # what every reading needs

    def record(self, invocation: Invocation) -> Facts:
        self.found.append(invocation)
        return frozenset((len(self.found) - 1,))

    def unreached(self, tree: object) -> None:
        for each in simples(tree):
            self.step()
            self.found.append(Invocation(each.words, proven=False, reached=False))

    def uncalled(self) -> None:
        for name, body in self._defined.items():
            if name not in self.called:
                self.unreached(body)

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch

    def unsure(self, state: State, shell: Shell) -> None:
        """From here on the line may end with any status at any time."""
        shell.exits.append(End(EITHER, state))

    # lists and statements

    def script(self, script: Script, state: State | None, shell: Shell) -> Flow:
        flow = Flow(state and state._replace(status=SUCCESS), None)
        current = state
        for statement in script:
            if current is None:
                self.unreached(statement)
                continue
            flow = self.statement(statement, current, shell)
            current = settle(flow)
        return flow

    def statement(self, statement: Statement, state: State, shell: Shell) -> Flow:
        self.step()
        if shell.depth > DEEPEST:
            raise TooMuch
        shell = shell._replace(depth=shell.depth + 1)
        operators = {redirect.operator for redirect in statement.redirects}
        if statement.background or (
            not shell.bash and operators & {"&>", "&>>"}
        ):  # sh reads `a &> b` as `a &`
            return self._background(statement._replace(background=False), state, shell)
        state = self._redirected(statement.redirects, state, shell)
        inside = shell._replace(guarded=True) if statement.negated else shell
        flow = _READERS[type(statement.command)](self, statement.command, state, inside)
        if _may_fail(statement.redirects):
            flow = Flow(flow.ok, join(flow.fail, state._replace(status=FAILURE)))
        if statement.negated:
            flow = Flow(_with_status(flow.fail, SUCCESS), _with_status(flow.ok, FAILURE))
        if isinstance(statement.command, _LEAVES) and not statement.negated:
            flow = self._stopping(flow, shell)
        return flow

    def _stopping(self, flow: Flow, shell: Shell) -> Flow:
        """What errexit and an ERR trap do with a failure."""
        if flow.fail is None or shell.guarded:
            return flow
        fail: State | None = flow.fail
        for trap in flow.fail.traps.get("ERR", ()):
            if trap is not None:
                quiet = flow.fail._replace(traps={**flow.fail.traps, "ERR": (None,)})
                after = settle(self.script(trap, quiet, shell._replace(guarded=True)))
                kept = after and after._replace(traps=flow.fail.traps, status=flow.fail.status)
                fail = kept if len(flow.fail.traps["ERR"]) == 1 else join(fail, kept)
        if fail is not None and "errexit" in fail.options:
            self.leave(End(fail.status, fail), shell)
            return Flow(flow.ok, None)
        return Flow(flow.ok, fail)

    def leave(self, end: End, shell: Shell) -> None:
        """The shell ends here; an EXIT trap has the last word."""
        for trap in end.state.traps.get("EXIT", (None,)):
            if trap is None:
                shell.exits.append(end)
                continue
            self.step()
            rest = {name: each for name, each in end.state.traps.items() if name != "EXIT"}
            before = end.state._replace(status=end.status, traps=rest)
            inside = shell._replace(returns=None, loops=(), guarded=False, trapped=end.status)
            after = settle(self.script(trap, before, inside._replace(depth=shell.depth + 1)))
            if after is not None:
                shell.exits.append(End(end.status, after))

    def finish(self, ends: list[End], shell: Shell) -> None:
        for end in ends:
            self.leave(end, shell)

    # shells inside the shell

    def inside(
        self, body: Callable[[State, Shell], Flow], state: State, shell: Shell, **changes: Any
    ) -> tuple[Value, str]:
        """The status of a subshell, and why it spoils what follows."""
        kept = (
            {}
            if "errtrace" not in state.options | state.doubtful
            else {"ERR": state.traps.get("ERR", (None,))}
        )
        exits: list[End] = []
        inner = shell._replace(
            exits=exits, returns=None if shell.returns is None else exits, loops=(), trapped=None, **changes
        )
        flow = body(state._replace(traps=kept), inner)
        self.finish(ended(flow), inner)
        spoiled = next((end.state.spoiled for end in exits if end.state.spoiled), state.spoiled)
        return shell_status(exits), spoiled

    def _in_subshell(self, statement: Statement, state: State, shell: Shell) -> tuple[Value, str]:
        return self.inside(lambda s, inner: self.statement(statement, s, inner), state, shell)

    def _subshell(self, command: Subshell, state: State, shell: Shell) -> Flow:
        status, spoiled = self.inside(lambda s, inner: self.script(command.body, s, inner), state, shell)
        return self.after(state._replace(spoiled=spoiled), status)

    def after(self, state: State, status: Value) -> Flow:
        return split(state._replace(pipe=(status,)), status)

    def _background(self, statement: Statement, state: State, shell: Shell) -> Flow:
        status, spoiled = self._in_subshell(statement, state, shell)
        job = UNKNOWN._replace(job=status)
        return split(state._replace(job=job, jobs=(*state.jobs, job), spoiled=spoiled), SUCCESS)

    def _coprocess(self, command: Coprocess, state: State, shell: Shell) -> Flow:
        flow = self._background(command.body, state, shell)
        if flow.ok is None:
            return flow
        name = f"{command.name or 'COPROC'}_PID"
        after = overwritten(flow.ok, {command.name, name})
        return Flow(after._replace(values={**after.values, name: after.job}), None)

    def _pipeline(self, command: Pipeline, state: State, shell: Shell) -> Flow:
        if any(tampers(resolve(each.words, state)) for each in simples(command.parts)):
            state = state._replace(spoiled=state.spoiled or CHANGED)  # all parts run at the same time
        if not shell.bash and _acts_here(command.parts[-1]):  # zsh and ksh run the last part themselves
            self.unsure(state, shell)
            state = state._replace(values={}, arrays={})
        statuses: list[Value] = []
        for part in command.parts:
            status, spoiled = self._in_subshell(part, state, shell)
            state = state._replace(spoiled=spoiled)
            statuses.append(status)
        return split(state._replace(pipe=tuple(statuses)), _pipe_status(statuses, state))

    # control flow

    def _and_or(self, command: AndOr, state: State, shell: Shell) -> Flow:
        condition = shell._replace(guarded=True)
        flow = self.statement(command.first, state, condition)
        for index, (operator, statement) in enumerate(command.rest):
            last = index == len(command.rest) - 1
            start = flow.ok if operator == "&&" else flow.fail
            if start is None:
                self.unreached(statement)
                continue
            after = self.statement(statement, start, shell if last else condition)
            passed = Flow(None, flow.fail) if operator == "&&" else Flow(flow.ok, None)
            flow = join_flows(passed, after)
        return flow

    def _group(self, command: Group, state: State, shell: Shell) -> Flow:
        return self.script(command.body, state, shell)

    def _function(self, command: Function, state: State, shell: Shell) -> Flow:
        if isinstance(command.body.command, AndOr | Pipeline | Simple):
            raise TooMuch  # no shell takes a list for a body: what follows the function was read into it
        self._defined[command.name] = command.body
        functions = {**state.functions, command.name: command.body}
        return split(state._replace(functions=functions, shadowed=state.shadowed | {command.name}), SUCCESS)

    def _timed(self, command: Timed, state: State, shell: Shell) -> Flow:
        return split(state, SUCCESS) if command.body is None else self.statement(command.body, state, shell)

    # conditions

    def _test(self, command: Test, state: State, shell: Shell) -> Flow:
        state = self.expand(command.words, state, shell)
        if not shell.bash:
            return self.after(state, EITHER)
        verdict = judge_words(command.words, lambda word: value(word, state))
        return self.after(state, code(verdict.true, verdict.false))

    def _calculation(self, command: Calculation, state: State, shell: Shell) -> Flow:
        state = self.expand((Word(command.source, known=False, parts=command.parts),), state, shell)
        if not shell.bash:
            return self.after(state, EITHER)
        before = state
        verdict = judge_arithmetic(command.source, lambda name: variable(_indexed(name), before))
        state = self.calculated(command.source, state)
        return self.after(state, code(verdict.true, verdict.false))

    def calculated(self, source: str, state: State) -> State:
        return overwritten(state, names_set(source))

    # expansions

    def expand(self, words: tuple[Word, ...], state: State, shell: Shell) -> State:
        """Run what is substituted in words; its status is lost, its effects are not."""
        for word in words:
            for part in word.parts:
                state, _ = self.expand_part(part, state, shell)
        return state

    def expand_part(self, part: Part, state: State, shell: Shell) -> tuple[State, Value | None]:
        """The state after an expansion, and its status when it is a command substitution."""
        self.step()
        if shell.depth > DEEPEST:
            raise TooMuch
        shell = shell._replace(depth=shell.depth + 1)
        if isinstance(part, Substitution):
            keeps = "inherit_errexit" in state.options or part.kind != "$("
            options = state.options if keeps else state.options - {"errexit"}
            status, spoiled = self.inside(
                lambda s, inner: self.script(part.script, s, inner), state._replace(options=options), shell
            )
            if part.kind != "$(":
                return state._replace(spoiled=spoiled), None
            return state._replace(spoiled=spoiled, status=EITHER), status  # `$?` is no longer what it was
        if isinstance(part, Variable):
            state = self.expand(tuple(w for w in (part.argument, part.key) if w), state, shell)
            return (overwritten(state, {part.name}) if part.operator in ("=", ":=") else state), None
        if isinstance(part, Arithmetic):
            for each in part.parts:
                state, _ = self.expand_part(each, state, shell)
            return self.calculated(part.source, state), None
        return state, None

    def _redirected(self, redirects: tuple[Redirect, ...], state: State, shell: Shell) -> State:
        if not redirects:
            return state
        resolved = []
        for redirect in redirects:
            state = self.expand(tuple(w for w in (redirect.target, redirect.body) if w), state, shell)
            target = value(redirect.target, state).only
            state = overwritten(state, {redirect.fd[1:-1]}) if redirect.fd[:1] == "{" else state
            resolved.append(redirect if target is None else redirect._replace(target=Word(target)))
        return state._replace(spoiled=state.spoiled or CHANGED) if writes(resolved) else state


def _with_status(state: State | None, status: Value) -> State | None:
    return state and state._replace(status=status)


def _acts_here(part: Statement) -> bool:
    """Would it change the shell that runs it?"""
    words = part.command.words if isinstance(part.command, Simple) else ()
    return not words or (words[0].text in _ACTIVE or not words[0].known)


def _indexed(name: str) -> Variable:
    base, bracket, index = name.partition("[")
    return Variable(base, key=Word(index.rstrip("]")) if bracket else None)


def _may_fail(redirects: tuple[Redirect, ...]) -> bool:
    return any(
        not redirect.operator.startswith("<<")
        and redirect.target.text not in _SAFE_TARGETS
        and not (redirect.operator in (">&", "<&") and redirect.target.text in ("1", "2"))
        for redirect in redirects
    )


def _pipe_status(statuses: list[Value], state: State) -> Value:
    last = statuses[-1]
    if "pipefail" in state.options:
        zeros = [status.zero for status in statuses]
        zero = None if None in zeros else NOTHING.union(*(each for each in zeros if each))
        return code(zero, meet(*(status.nonzero for status in statuses)))
    if "pipefail" in state.doubtful:
        return code(last.zero, NOTHING)
    return last


_READERS: dict[type[Command], Callable[[Reader, Any, State, Shell], Flow]] = {
    Simple: read_simple,
    Declare: read_declare,
    Pipeline: Reader._pipeline,
    AndOr: Reader._and_or,
    Subshell: Reader._subshell,
    Group: Reader._group,
    If: read_if,
    Loop: read_loop,
    For: read_for,
    Case: read_case,
    Function: Reader._function,
    Test: Reader._test,
    Calculation: Reader._calculation,
    Coprocess: Reader._coprocess,
    Timed: Reader._timed,
}
