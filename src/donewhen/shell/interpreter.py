"""The one interpreter of shell trees: what a script may run, in which state, and how it may end.

An abstract interpreter: every piece takes the state before it and gives the states after it, by outcome. Who
wants to know something of a script is a `Visitor`: it gets each simple command with its words resolved, its
variables and its folder, and says what running it means. Paths are joined, so work stays proportional to the
text. Nothing is run here and nothing is judged; past the limits it ends with `TooMuch`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from donewhen.core import tree
from donewhen.core.codec import EMPTY
from donewhen.core.tree import (
    Assign,
    Inner,
    Part,
    Redirect,
    Script,
    Simple,
    Statement,
    Substitution,
    Text,
    Variable,
    Word,
)
from donewhen.shell.builtins import BUILTINS, Builtin
from donewhen.shell.conditions import judge_arithmetic, judge_words, names_set
from donewhen.shell.control import read_case, read_for, read_if, read_loop
from donewhen.shell.expansion import entered, resolve, value, variable, variants
from donewhen.shell.feed import echoed, formatted
from donewhen.shell.reading import unwrap
from donewhen.shell.state import (
    ANSWERED,
    EITHER,
    FAILURE,
    NOTHING,
    SUCCESS,
    UNKNOWN,
    End,
    Facts,
    Flow,
    Shell,
    State,
    TooMuch,
    Value,
    code,
    ended,
    forget,
    join,
    join_flows,
    meet,
    settle,
    shell_status,
    split,
)
from donewhen.shell.variables import overwritten
from donewhen.shell.words import simples

__all__ = ["Command", "Outcome", "Result", "TooMuch", "Visitor", "interpret"]

MOST_STEPS = 4000
DEEPEST = 60
_LEAVES = (Simple, tree.Pipeline, tree.Subshell, tree.Test, tree.Calculation, tree.Declare)
_ACTIVE = {*BUILTINS, "eval", "command", "builtin", "exec"} - {"true", "false", ":", "echo", "test", "["}
_SAFE_TARGETS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
_BASH = ("bash", "busybox bash")
_IN_THIS_SHELL = ("eval", "command", "builtin")
_MAY_DO_ANYTHING = frozenset(("eval", "source", ".", "trap", "command", "builtin", "exec"))
_TIED = frozenset(("path", "fpath", "cdpath", "module_path"))  # zsh's other names of PATH and its kin
_CONTAINERS = frozenset("docker podman nerdctl docker-compose podman-compose".split())
_PASSED_ON = ("npm_config_", "npm_package_", "no_proxy", "http_proxy")
_PRINTING = frozenset("echo printf set export declare typeset trap source . alias pushd popd hash".split())

Kind = Literal["program", "builtin", "function", "wrapper", "declare"]


class Command(NamedTuple):
    """One simple command that the script may run.

    A word that is not known holds what is known of it in its parts, and what is not as it was written.
    """

    words: tuple[Word, ...]
    number: int  # increasing; the fact that it returned 0
    kind: Kind = "program"
    state: State = State()
    env: Mapping[str, Word] = EMPTY  # variables that the script sets for it
    assigns: tuple[Assign, ...] = ()  # its own prefixes, or the names of a declaration
    redirects: tuple[Redirect, ...] = ()
    stdin: Word | None = None  # what it reads, when the script says it
    by: tuple[str, ...] = ()  # wrappers round it, outermost first
    inner: tuple[Inner, ...] = ()  # of a wrapper: what it runs
    prefix: tuple[Word, ...] = ()  # inside a container: the words that lead there
    elsewhere: bool = False  # on another machine, in a container
    reached: bool = True  # False: the script can't get to it
    guarded: bool = False  # part of a condition
    forks: int = 0  # pipes and background jobs round it
    here: bool = True  # the shell itself looks the name up; False: a wrapper starts it
    source: Simple | None = None  # as it is written

    @property
    def folder(self) -> str | None:
        return self.state.folder

    @property
    def variants(self) -> tuple[tuple[Word, ...], ...]:
        """The words by each text that a variable in them may hold."""
        return variants(self.words, self.state)

    @property
    def lost(self) -> bool:
        """A wrapper whose status does not tell that of what it runs."""
        return any(not each.keeps_status or each.elsewhere or each.script is None for each in self.inner)


class Outcome(NamedTuple):
    """What running a command means to a visitor."""

    status: Value | None = None  # None: it may return 0 or not
    spoiled: str = ""  # why what is run after it is not trusted
    printed: str | None = None  # what it prints, when the visitor knows


_ANY = Outcome()


class Visitor(Protocol):
    """What is asked of whoever wants to know something of a script; each method has a plain answer."""

    follows_output: bool = False  # `$(echo x)` becomes x, and `echo x | sh` runs x also where x is a variable

    def run(self, command: Command) -> Outcome:
        """A command, in the order of the script."""
        return _ANY

    def redirect(self, redirects: Sequence[Redirect], state: State) -> str:
        """Redirections of any statement, their targets resolved; returns why it spoils what follows."""
        return ""

    def together(self, words: tuple[Word, ...]) -> str:
        """A command of a pipe, whose parts all run at the same time; returns why it spoils them all."""
        return ""

    def assign(self, name: str, word: Word, state: State) -> None:
        """A variable is set."""
        return

    def trusts(self, file: Word, state: State) -> bool:
        """Does sourcing this file only set up tools?"""
        return False

    def unknown(self, why: str, state: State) -> None:
        """Text that nobody can know is run in this very shell."""
        return


class Result(NamedTuple):
    status: Value  # how the script ends
    repeated: frozenset[int]  # commands in a loop that may hide a failure
    rounds: tuple[tuple[int, int], ...]  # what each `for` ran, from and up to; all rounds must pass
    steps: int


def interpret(script: Script, visitor: Visitor, state: State | None = None) -> Result:
    """Walk the whole script; commands that it never reaches come last or in their place, marked."""
    interpreter = Interpreter(visitor)
    shell = Shell([])
    begun = state or State()
    if visitor.follows_output:
        begun = begun._replace(printed="")
    flow = interpreter.script(script, begun, shell)
    interpreter.finish(ended(flow), shell)
    interpreter.uncalled()
    status = shell_status(shell.exits)
    return Result(status, frozenset(interpreter.repeated), tuple(interpreter.rounds), interpreter.steps)


class Interpreter:
    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.number = 0
        self.repeated: set[int] = set()
        self.rounds: list[tuple[int, int]] = []
        self.steps = 0
        self._defined: dict[str, Statement] = {}
        self._called: set[str] = set()

    # what every reading needs

    def visit(
        self, kind: Kind, words: tuple[Word, ...], state: State, shell: Shell, command: Simple | None = None
    ) -> tuple[Facts, Outcome]:
        """Tell the visitor; the fact that it returned 0, and what it says."""
        made = Command(
            words,
            self.number,
            kind,
            state,
            {**state.env, **shell.env} if state.env or shell.env else EMPTY,
            command.assigns if command else (),
            shell.redirects,
            shell.stdin,
            shell.by,
            command.inner if command else (),
            shell.prefix,
            shell.elsewhere,
            True,
            shell.guarded,
            shell.forks,
            shell.direct,
            shell.source,
        )
        self.number += 1
        return frozenset((made.number,)), self.visitor.run(made)

    def unreached(self, node: object) -> None:
        for each in simples(node):
            self.step()
            self.visitor.run(
                Command(each.words, self.number, assigns=each.assigns, inner=each.inner, reached=False)
            )
            self.number += 1

    def uncalled(self) -> None:
        for name, body in self._defined.items():
            if name not in self._called:
                self.unreached(body)

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch

    def unsure(self, state: State, shell: Shell, why: str = "") -> None:
        """From here on the script may end with any status at any time."""
        shell.exits.append(End(EITHER, state))
        if why:
            self.visitor.unknown(why, state)

    def after(self, state: State, status: Value) -> Flow:
        return split(state._replace(pipe=(status,)), status)

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
        shell = shell._replace(depth=shell.depth + 1, redirects=())
        operators = {redirect.operator for redirect in statement.redirects}
        if statement.background or (
            not shell.bash and operators & {"&>", "&>>"}
        ):  # sh reads `a &> b` as `a &`
            return self._background(statement._replace(background=False), state, shell)
        before = state.printed
        state, shell = self._redirected(statement.redirects, state, shell)
        inside = shell._replace(guarded=True) if statement.negated else shell
        flow = _READERS[type(statement.command)](self, statement.command, state, inside)
        if before is not None and any(
            each.operator[:1] in ">&" and each.fd != "2" for each in statement.redirects
        ):
            flow = Flow(*(each and each._replace(printed=before) for each in flow))
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
    ) -> tuple[Value, State]:
        """The status of a subshell, and the state with what it printed and why it spoils what follows."""
        kept = {}
        if "errtrace" in state.options | state.doubtful:
            kept = {"ERR": state.traps.get("ERR", (None,))}
        exits: list[End] = []
        returns = None if shell.returns is None else exits
        inner = shell._replace(exits=exits, returns=returns, loops=(), trapped=None, **changes)
        begun = state._replace(traps=kept, printed=None if state.printed is None else "")
        flow = body(begun, inner)
        self.finish(ended(flow), inner)
        spoiled = next((end.state.spoiled for end in exits if end.state.spoiled), state.spoiled)
        outputs = {end.state.printed for end in exits}
        printed = outputs.pop() if len(outputs) == 1 else None
        return shell_status(exits), state._replace(spoiled=spoiled, printed=printed)

    def _in_subshell(self, statement: Statement, state: State, shell: Shell) -> tuple[Value, State]:
        return self.inside(lambda s, inner: self.statement(statement, s, inner), state, shell)

    def _subshell(self, command: tree.Subshell, state: State, shell: Shell) -> Flow:
        status, after = self.inside(lambda s, inner: self.script(command.body, s, inner), state, shell)
        return self.after(_printing(state, after.printed)._replace(spoiled=after.spoiled), status)

    def _background(self, statement: Statement, state: State, shell: Shell) -> Flow:
        status, after = self._in_subshell(statement, state, shell._replace(forks=shell.forks + 1))
        job = UNKNOWN._replace(job=status)
        begun = _printing(state, None)
        return split(begun._replace(job=job, jobs=(*state.jobs, job), spoiled=after.spoiled), SUCCESS)

    def _coprocess(self, command: tree.Coprocess, state: State, shell: Shell) -> Flow:
        flow = self._background(command.body, state, shell)
        if flow.ok is None:
            return flow
        name = f"{command.name or 'COPROC'}_PID"
        after = overwritten(flow.ok, {command.name, name})
        return Flow(after._replace(values={**after.values, name: after.job}), None)

    def _pipeline(self, command: tree.Pipeline, state: State, shell: Shell) -> Flow:
        for each in simples(command.parts):
            spoiled = "" if state.spoiled else self.visitor.together(resolve(each.words, state))
            state = state._replace(spoiled=spoiled) if spoiled else state
        if not shell.bash and _acts_here(command.parts[-1]):  # zsh and ksh run the last part themselves
            self.unsure(state, shell)
            state = state._replace(values={}, arrays={})
        statuses: list[Value] = []
        inside = shell._replace(forks=shell.forks + 1)
        printed: str | None = None
        for part in command.parts:
            status, after = self._in_subshell(part, state, inside)
            printed = after.printed
            inside = inside._replace(stdin=None if printed is None else Word(printed))
            state = state._replace(spoiled=after.spoiled)
            statuses.append(status)
        state = _printing(state, printed)
        return split(state._replace(pipe=tuple(statuses)), _pipe_status(statuses, state))

    # control flow

    def _and_or(self, command: tree.AndOr, state: State, shell: Shell) -> Flow:
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

    def _group(self, command: tree.Group, state: State, shell: Shell) -> Flow:
        return self.script(command.body, state, shell)

    def _function(self, command: tree.Function, state: State, shell: Shell) -> Flow:
        if isinstance(command.body.command, tree.AndOr | tree.Pipeline | Simple):
            raise TooMuch  # no shell takes a list for a body: what follows the function was read into it
        self._defined[command.name] = command.body
        functions = {**state.functions, command.name: command.body}
        return split(state._replace(functions=functions, shadowed=state.shadowed | {command.name}), SUCCESS)

    def _timed(self, command: tree.Timed, state: State, shell: Shell) -> Flow:
        return split(state, SUCCESS) if command.body is None else self.statement(command.body, state, shell)

    # conditions

    def _test(self, command: tree.Test, state: State, shell: Shell) -> Flow:
        state, words = self.expand(command.words, state, shell)
        if not shell.bash:
            return self.after(state, EITHER)
        verdict = judge_words(words, lambda word: value(word, state))
        return self.after(state, code(verdict.true, verdict.false))

    def _calculation(self, command: tree.Calculation, state: State, shell: Shell) -> Flow:
        state, _ = self.expand((Word(command.source, known=False, parts=command.parts),), state, shell)
        if not shell.bash:
            return self.after(state, EITHER)
        before = state
        verdict = judge_arithmetic(command.source, lambda name: variable(_indexed(name), before))
        return self.after(self.calculated(command.source, state), code(verdict.true, verdict.false))

    def calculated(self, source: str, state: State) -> State:
        return overwritten(state, names_set(source))

    # expansions

    def expand(self, words: Sequence[Word], state: State, shell: Shell) -> tuple[State, tuple[Word, ...]]:
        """Run what is substituted in words; its status is lost, its effects are not."""
        found: list[Word] = []
        for word in words:
            if not word.known:
                state, _, word = self.expand_word(word, state, shell)
            found.append(word)
        return state, tuple(found)

    def expand_word(self, word: Word, state: State, shell: Shell) -> tuple[State, Value | None, Word]:
        """The state after it, the status of its last substitution, and the word with what that printed."""
        last: Value | None = None
        parts: list[Part] = []
        for part in word.parts:
            state, status, printed = self._expand_part(part, state, shell)
            if status is not None:
                last = status
            elif _runs_something(part):  # it may or may not have been run last
                last = EITHER
            parts.append(part if printed is None else Text(printed, part.quoted))
        return state, last, word if tuple(parts) == word.parts else word._replace(parts=tuple(parts))

    def _expand_part(self, part: Part, state: State, shell: Shell) -> tuple[State, Value | None, str | None]:
        if isinstance(part, Text):
            return state, None, None
        self.step()
        if shell.depth > DEEPEST:
            raise TooMuch
        shell = shell._replace(depth=shell.depth + 1, redirects=())
        if isinstance(part, Substitution):
            return self._substitution(part, state, shell)
        if isinstance(part, Variable):
            state, _ = self.expand(tuple(w for w in (part.argument, part.key) if w), state, shell)
            assigns = part.operator in ("=", ":=")
            return (overwritten(state, {part.name}) if assigns else state), None, None
        for each in part.parts:
            state, _, _ = self._expand_part(each, state, shell)
        return self.calculated(part.source, state), None, None

    def _substitution(
        self, part: Substitution, state: State, shell: Shell
    ) -> tuple[State, Value | None, str | None]:
        keeps = "inherit_errexit" in state.options or part.kind != "$("
        begun = state if keeps else state._replace(options=state.options - {"errexit"})
        if self.visitor.follows_output:
            begun = begun._replace(printed="")
        status, after = self.inside(lambda s, inner: self.script(part.script, s, inner), begun, shell)
        state = state._replace(spoiled=after.spoiled)
        if part.kind != "$(":
            return state, None, None
        printed = None if after.printed is None else after.printed.rstrip("\n")
        return state._replace(status=EITHER), status, printed  # `$?` is no longer what it was

    def _redirected(self, redirects: tuple[Redirect, ...], state: State, shell: Shell) -> tuple[State, Shell]:
        if not redirects:
            return state, shell
        resolved: list[Redirect] = []
        for redirect in redirects:
            state, (target, *body) = self.expand(
                tuple(word for word in (redirect.target, redirect.body) if word), state, shell
            )
            state = overwritten(state, {redirect.fd[1:-1]}) if redirect.fd[:1] == "{" else state
            only = value(target, state).only
            fed = value(body[0], state).only if body else None
            made = redirect._replace(target=target if only is None else Word(only))
            resolved.append(made._replace(body=Word(fed)) if fed is not None else made)
            if redirect.operator[:1] == "<" and redirect.fd in ("", "0"):
                newline = "\n" if redirect.operator == "<<<" else ""
                shell = shell._replace(stdin=None if fed is None else Word(fed + newline))
        spoiled = self.visitor.redirect(resolved, state)
        state = state._replace(spoiled=state.spoiled or spoiled)
        return state, shell._replace(redirects=tuple(resolved))

    # assignments

    def _assignments(self, assigns: tuple[Assign, ...], state: State, shell: Shell) -> Flow:
        """`x=1 y=$(…)` without a command: the status is the last substitution's."""
        status = SUCCESS
        for assign in assigns:
            state, found, expanded = self.expand_assign(assign, state, shell)
            if found is not None:
                status = found
                state = state._replace(status=found)
            state = self.assigned(expanded, state, shell)
        return self.after(state, status)

    def expand_assign(self, assign: Assign, state: State, shell: Shell) -> tuple[State, Value | None, Assign]:
        plain = assign.items is None and assign.key is None
        state, last, word = self.expand_word(assign.value, state, shell)
        state, items = self.expand(assign.items or (), state, shell)
        if assign.key is not None:
            state, _ = self.expand((assign.key,), state, shell)
        ran = last is not None or any(map(_runs_something, (assign.items, assign.key)))
        status = last if plain else EITHER if ran else None
        return state, status, assign._replace(value=word, items=None if assign.items is None else items)

    def assigned(self, assign: Assign, state: State, shell: Shell, *, exported: bool = False) -> State:
        name = assign.name
        if name in state.frozen:
            self.unsure(state, shell)
        before = state.values.get(name, UNKNOWN)
        found = _assigned_value(assign, before, state, shell)
        listed = _items(assign, state)
        indexed = {f"{name}[{i}]": each for i, each in enumerate(listed or ())}
        state = forget(state, {name})
        arrays = state.arrays
        if assign.items is not None:
            arrays = {**arrays, name: resolve(assign.items, state)}
        values = {**state.values, **indexed}
        if assign.key is None:
            values[name] = indexed.get(f"{name}[0]", UNKNOWN) if assign.items is not None else found
        env = state.env
        word = assign.value if found.only is None else Word(found.only)
        passed = exported or name in env or "allexport" in state.options
        if passed or name[:1].isupper() or name.startswith(_PASSED_ON):
            env = {**env, name: word}
        if not shell.bash and name in _TIED:
            state = state._replace(spoiled=state.spoiled or ANSWERED)
        self.visitor.assign(name, word, state)
        return state._replace(values=values, arrays=arrays, env=env)

    def _declare(self, command: tree.Declare, state: State, shell: Shell) -> Flow:
        """`export`, `local` and their kin: they return their own status, whatever a substitution returned."""
        state, words = self.expand(command.words, state, shell)
        self.visit("declare", (Word(command.variant), *words), state, shell, Simple((), command.assigns))
        flags = "".join(word.text for word in words if word.text[:1] in "-+")
        if command.variant == "nameref" or "n" in flags or not all(word.known for word in words):
            self.unsure(state, shell, "declare")
            state = state._replace(values={}, arrays={})
        exported = command.variant == "export" or "x" in flags
        if shell.local is not None and any(word.text == "-" for word in words):
            shell.local.add("-")
        for assign in command.assigns:
            state, _, assign = self.expand_assign(assign, state, shell)
            own = command.variant in ("local", "declare", "typeset")
            if shell.local is not None and own and "g" not in flags:
                shell.local.add(assign.name)
            if assign.value.known or assign.value.parts or assign.value.text or assign.items is not None:
                state = self.assigned(assign, state, shell, exported=exported)
            elif exported:
                known = state.values.get(assign.name, UNKNOWN).only
                word = assign.value if known is None else Word(known)
                state = state._replace(env={**state.env, assign.name: state.env.get(assign.name, word)})
            elif own:
                state = forget(state, {assign.name})
            if command.variant == "readonly" or "r" in flags:
                state = state._replace(frozen=state.frozen | {assign.name})
        return self.after(state, EITHER)

    # commands

    def _simple(self, command: Simple, state: State, shell: Shell) -> Flow:
        if not command.words:
            return self._assignments(command.assigns, state, shell)
        before = state
        shell = shell._replace(source=command)
        state, expanded = self.expand(command.words, state, shell)
        assigns: list[Assign] = []
        for assign in command.assigns:
            state, _, one = self.expand_assign(assign, state, shell)
            assigns.append(one)
            self.visitor.assign(one.name, _value_word(one, before, shell), state)
        env = {**shell.env, **{each.name: _value_word(each, before, shell) for each in assigns}}
        shell = shell._replace(env=env)
        words = resolve(expanded, state)
        if not words:
            return self.after(state, EITHER)
        written = expanded if expanded[0].known else words
        command = Simple(written, tuple(assigns), self._unwrapped(command, words, shell))
        known = words[0].known
        return (self._named if known else self._program)(command, words, state, shell)

    def _unwrapped(self, command: Simple, words: tuple[Word, ...], shell: Shell) -> tuple[Inner, ...]:
        """What it runs in its turn; read again where resolving told more than the parser saw."""
        open_text = any(each.script is None and each.file is None for each in command.inner)
        fed = open_text and shell.stdin is not None and self.visitor.follows_output
        if not words[0].known or (words == command.words and not fed):
            return command.inner
        stdin = shell.stdin
        feed = shell.redirects if stdin is None else (Redirect("<<<", stdin, body=stdin),)
        return unwrap(words, feed) or (command.inner if command.words[0].known else ())

    def _named(self, command: Simple, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
        """A command whose first word is certain."""
        name = words[0].text
        if shell.direct and shell.functions and name in state.functions:
            return self._call(words, state, shell, command)
        builtin: Builtin | None = BUILTINS.get(name) if shell.direct else None
        if builtin is not None:
            numbered, outcome = self.visit("builtin", words, state, shell, command)
            flow = builtin(self, command, words, state, shell, numbered)
            if outcome.status is not None and outcome.status.nonzero is None:
                flow = flow._replace(fail=None)
            return self._printed(flow, words, state, shell, outcome)
        if any(inner.script is not None for inner in command.inner):
            return self._wrapped(command, words, state, shell)
        if shell.direct and name in _MAY_DO_ANYTHING and not _only_looks(words):
            return self._anything(command, words, state, shell)
        return self._program(command, words, state, shell)

    def _program(self, command: Simple, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
        kind: Kind = "wrapper" if command.inner else "program"
        numbered, outcome = self.visit(kind, words, state, shell, command)
        if outcome.status is None and shell.direct and not words[0].known and not _is_path(words[0]):
            self.unsure(state, shell, "command")  # it may be `exit`
        state = state._replace(spoiled=state.spoiled or outcome.spoiled)
        status = code(numbered, NOTHING) if outcome.status is None else outcome.status
        return self._printed(self.after(state, status), words, state, shell, outcome)

    def _printed(
        self, flow: Flow, words: tuple[Word, ...], before: State, shell: Shell, outcome: Outcome
    ) -> Flow:
        if before.printed is None:
            return flow
        text = outcome.printed
        known = all(word.known for word in words)
        name, rest = words[0].text, [word.text for word in words[1:]]
        if text is not None or (name in BUILTINS and name not in _PRINTING):
            text = text or ""
        elif known and name == "echo":
            text = echoed(rest)
            newline = "" if rest[:1] == ["-n"] else "\n"
            text = None if text is None else text + newline
        elif known and name == "printf":
            text = formatted(rest)
        elif known and name == "cat" and rest in ([], ["-"]):
            text = shell.stdin.text if shell.stdin else None
        return Flow(*(each and _printing(each, text) for each in flow))

    def _anything(self, command: Simple, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
        """Text that is not known is run in this very shell."""
        numbered, _ = self.visit("wrapper", words, state, shell, command)
        if words[0].text == "exec":
            if len(words) == 1:
                return self.after(state, EITHER)
            shell.exits.append(End(code(numbered, NOTHING), state))
            return Flow(None, None)
        self.unsure(state, shell, words[0].text)
        lost = state._replace(values={}, arrays={}, spoiled=state.spoiled or ANSWERED, args=None)
        return self.after(lost, code(numbered, NOTHING))

    def _call(self, words: tuple[Word, ...], state: State, shell: Shell, command: Simple) -> Flow:
        name = words[0].text
        body = state.functions[name]
        self._called.add(name)
        numbered, _ = self.visit("function", words, state, shell, command)
        if body is None:
            self.unsure(state, shell, name)
            return self.after(state, code(numbered, NOTHING))
        self.step()
        returns: list[End] = []
        local: set[str] = set()
        inside = shell._replace(returns=returns, loops=(), local=local, env={}, depth=shell.depth + 1)
        traps = state.traps
        if "errtrace" not in state.options | state.doubtful:
            traps = {**traps, "ERR": (None,)}
        flow = self.statement(body, state._replace(args=words[1:], traps=traps), inside)
        for end in returns:
            flow = join_flows(flow, split(end.state, end.status))
        return Flow(*(each and _returned(each, state, local) for each in flow))

    # wrappers

    def _wrapped(self, command: Simple, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
        if words[0].text in state.shadowed:
            state = state._replace(spoiled=state.spoiled or ANSWERED)
        prefix = () if shell.prefix else _container(command, words)
        shell = shell._replace(prefix=prefix) if prefix else shell
        outer, outcome = self.visit("wrapper", words, state, shell, command)
        state = state._replace(spoiled=state.spoiled or outcome.spoiled)
        first = command.inner[0]
        if first.by in _MAY_DO_ANYTHING and any(inner.script is None for inner in command.inner):
            for inner in command.inner:  # a guess at what the text may be: told, but not believed
                state = state if inner.script is None else self._inner(inner, state, shell)[1]
            return self._anything(command, words, state, shell)
        if len(command.inner) == 1 and first.by in _IN_THIS_SHELL and first.script is not None:
            functions = shell.functions and first.by == "eval"
            here = shell._replace(functions=functions, by=(*shell.by, first.by))
            return self.script(first.script, state, here)
        statuses: list[Value] = []
        printed: str | None = state.printed
        for inner in command.inner:
            if inner.script is not None:
                status, after = self._inner(inner, state, shell)
                statuses.append(status if inner.keeps_status else EITHER)
                state, printed = state._replace(spoiled=after.spoiled), after.printed
        only = statuses[0] if len(statuses) == 1 else EITHER
        zero = only.zero
        result = code(None if zero is None else zero | outer, NOTHING)
        state = _printing(state, printed if len(statuses) == 1 else None)
        if first.by == "exec":
            shell.exits.append(End(result, state))
            return Flow(None, None)
        return self.after(state, result)

    def _inner(self, inner: Inner, state: State, shell: Shell) -> tuple[Value, State]:
        given = {each.name: _value_word(each, state, shell) for each in inner.assigns}
        env = {**shell.env, **{name: word for name, word in given.items() if not name.isdigit()}}
        begun = state
        if inner.folder is not None and not (shell.prefix and inner.elsewhere):
            target = value(inner.folder, state).only
            begun = begun._replace(folders=entered(state.folders, target, state.root))
        bash, guarded, functions = shell.bash, shell.guarded, shell.functions
        if inner.own_shell:
            options = {"errexit"} if inner.errexit else set()
            options |= {"pipefail"} if inner.pipefail else set()
            bash, guarded, functions = inner.by in _BASH, False, True
            passed = ("HOME", *state.env) if self.visitor.follows_output else ()
            begun = State(
                values={name: state.values[name] for name in passed if name in state.values},
                folders=begun.folders,
                env={**begun.env, **env},
                shadowed=begun.shadowed,
                options=frozenset(options),
                spoiled=begun.spoiled,
                args=tuple(word for name, word in given.items() if name.isdigit() and name != "0"),
                printed=begun.printed,
                root=begun.root,
                top=begun.top,
            )
        script = inner.script or ()
        status, after = self.inside(
            lambda s, inside: self.script(script, s, inside),
            begun,
            shell._replace(returns=None) if inner.own_shell else shell,
            direct=inner.own_shell,
            bash=bash,
            guarded=guarded,
            functions=functions,
            local=None,
            elsewhere=shell.elsewhere or inner.elsewhere,
            env={} if inner.own_shell else env,
            by=(*shell.by, inner.by),
            redirects=(),
        )
        spoiled = state.spoiled if inner.elsewhere else after.spoiled
        return status, state._replace(spoiled=spoiled, printed=after.printed)


# helpers


def _printing(state: State, text: str | None) -> State:
    if state.printed is None:
        return state
    return state._replace(printed=None if text is None else state.printed + text)


def _with_status(state: State | None, status: Value) -> State | None:
    return state and state._replace(status=status)


def _runs_something(node: object) -> bool:
    """A substitution anywhere in it: `${x:-$(…)}`."""
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, Substitution):
            return True
        if isinstance(each, tuple):
            stack.extend(each)
    return False


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


def _assigned_value(assign: Assign, before: Value, state: State, shell: Shell) -> Value:
    if assign.items is not None or assign.key is not None:
        return UNKNOWN
    found = value(assign.value, state, bash=shell.bash)
    if not assign.append:
        return found
    if found.only is None or before.other is not None:
        return UNKNOWN
    return Value({text + found.only: facts for text, facts in before.cases.items()}, None)


def _items(assign: Assign, state: State) -> tuple[Value, ...] | None:
    """The elements of an array, among them all of `"${PIPESTATUS[@]}"`."""
    if assign.items is None or assign.append:
        return None
    found: list[Value] = []
    for word in assign.items:
        part = word.parts[0] if len(word.parts) == 1 else None
        every = isinstance(part, Variable) and part.name == "PIPESTATUS" and part.key is not None
        if isinstance(part, Variable) and every and part.key is not None and part.key.text in ("@", "*"):
            found.extend(state.pipe)
        else:
            found.append(value(word, state))
    return tuple(found)


def _only_looks(words: tuple[Word, ...]) -> bool:
    """`command -v npm` says where npm is."""
    return words[0].text == "command" and len(words) > 1 and words[1].text.startswith(("-v", "-V"))


def _value_word(assign: Assign, state: State, shell: Shell) -> Word:
    only = value(assign.value, state, bash=shell.bash).only
    return assign.value if only is None else Word(only)


def _is_path(word: Word) -> bool:
    return any("/" in part.text for part in word.parts if isinstance(part, Text))


def _returned(after: State, before: State, local: set[str]) -> State:
    values = {**forget(after, local).values, **{n: before.values[n] for n in local if n in before.values}}
    traps = {**after.traps}
    if "ERR" in before.traps and traps.get("ERR") == (None,):
        traps["ERR"] = before.traps["ERR"]
    if "-" in local:  # `local -`: the options are what they were
        every = before.options | after.options | before.doubtful | after.doubtful
        kept = before.options & after.options
        after = after._replace(options=kept, doubtful=every - kept)
    return after._replace(values=values, args=before.args, traps=traps, pipe=(after.status,))


def _container(command: Simple, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words before `sh -c '…'` in a container: each command of that text is one of this container."""
    only = command.inner[0] if len(command.inner) == 1 else None
    if only is None or only.by not in _CONTAINERS or not only.keeps_status or len(only.script or ()) != 1:
        return ()
    inside = only.script[0].command if only.script else None
    if not isinstance(inside, Simple) or len(inside.inner) != 1 or not inside.inner[0].own_shell:
        return ()
    shown = inside.inner[0].script is not None and words[-len(inside.words) :] == inside.words
    return words[: -len(inside.words)] if shown else ()


_READERS: dict[type[tree.Command], Callable[[Interpreter, Any, State, Shell], Flow]] = {
    Simple: Interpreter._simple,
    tree.Declare: Interpreter._declare,
    tree.Pipeline: Interpreter._pipeline,
    tree.AndOr: Interpreter._and_or,
    tree.Subshell: Interpreter._subshell,
    tree.Group: Interpreter._group,
    tree.If: read_if,
    tree.Loop: read_loop,
    tree.For: read_for,
    tree.Case: read_case,
    tree.Function: Interpreter._function,
    tree.Test: Interpreter._test,
    tree.Calculation: Interpreter._calculation,
    tree.Coprocess: Interpreter._coprocess,
    tree.Timed: Interpreter._timed,
}
