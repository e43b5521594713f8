"""Simple commands: assignments, functions, wrappers, built-in commands, programs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from donewhen.core.commands.builtins import BUILTINS
from donewhen.core.commands.folders import enter
from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.spoiling import ANSWERED, CHANGED, FUNCTION, answering
from donewhen.core.commands.status import (
    EITHER,
    NOTHING,
    SUCCESS,
    UNKNOWN,
    Facts,
    Flow,
    State,
    Value,
    code,
    forget,
    join_flows,
    split,
)
from donewhen.core.commands.status_words import resolve, value
from donewhen.core.commands.surroundings import End, Shell
from donewhen.core.commands.tampering import tampers
from donewhen.core.tree import Assign, Declare, Inner, Part, Simple, Substitution, Text, Variable, Word

if TYPE_CHECKING:
    from donewhen.core.commands.reader import Reader

_BASH = ("bash", "busybox bash")
_IN_THIS_SHELL = ("eval", "command", "builtin")
_MAY_DO_ANYTHING = frozenset(("eval", "source", ".", "trap", "command", "builtin", "exec"))
_TIED = frozenset(("path", "fpath", "cdpath", "module_path"))  # zsh's other names of PATH and its kin
_CONTAINERS = frozenset("docker podman nerdctl docker-compose podman-compose".split())
_PASSED_ON = ("npm_config_", "npm_package_", "no_proxy", "http_proxy")


# assignments


def read_assignments(reader: "Reader", assigns: tuple[Assign, ...], state: State, shell: Shell) -> Flow:
    """`x=1 y=$(…)` without a command: the status is the last substitution's."""
    status = SUCCESS
    for assign in assigns:
        state, found = _expand_assign(reader, assign, state, shell)
        if found is not None:
            status = found
            state = state._replace(status=found)
        state = assigned(reader, assign, state, shell)
    return reader.after(state, status)


def _expand_assign(
    reader: "Reader", assign: Assign, state: State, shell: Shell
) -> tuple[State, Value | None]:
    last: Value | None = None
    words = (assign.value, *(assign.items or ()), *((assign.key,) if assign.key else ()))
    plain = assign.items is None and assign.key is None
    for word in words:
        for part in word.parts:
            state, status = reader.expand_part(part, state, shell)
            if status is not None:
                last = status if plain else EITHER
            elif _runs_something(part):  # it may or may not have been run last
                last = EITHER
    return state, last


def _runs_something(part: Part) -> bool:
    """A substitution below the surface of a word: `${x:-$(…)}`."""
    stack: list[object] = list(part)
    while stack:
        node = stack.pop()
        if isinstance(node, Substitution):
            return True
        if isinstance(node, tuple):
            stack.extend(node)
    return False


def assigned(
    reader: "Reader", assign: Assign, state: State, shell: Shell, *, exported: bool = False
) -> State:
    name = assign.name
    if name in state.frozen:
        reader.unsure(state, shell)
    before = state.values.get(name, UNKNOWN)
    found = _assigned_value(assign, before, state, shell)
    listed = _items(assign, state)
    indexed = {f"{name}[{i}]": each for i, each in enumerate(listed or ())}
    state = forget(state, {name})
    arrays = (
        {**state.arrays, name: resolve(assign.items, state)} if assign.items is not None else state.arrays
    )
    values = {**state.values, **indexed}
    if assign.key is None:
        values[name] = indexed.get(f"{name}[0]", UNKNOWN) if assign.items is not None else found
    env = state.env
    if (
        exported
        or name in env
        or "allexport" in state.options
        or name[:1].isupper()
        or name.startswith(_PASSED_ON)
    ):
        env = {**env, name: assign.value if found.only is None else Word(found.only)}
    if not shell.bash and name in _TIED:
        state = state._replace(spoiled=state.spoiled or ANSWERED)
    return state._replace(values=values, arrays=arrays, env=env)


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
        if (
            isinstance(part, Variable)
            and part.name == "PIPESTATUS"
            and part.key
            and part.key.text in ("@", "*")
        ):
            found.extend(state.pipe)
        else:
            found.append(value(word, state))
    return tuple(found)


def read_declare(reader: "Reader", command: Declare, state: State, shell: Shell) -> Flow:
    """`export`, `local` and their kin: they return their own status, whatever a substitution returned."""
    state = reader.expand(command.words, state, shell)
    flags = "".join(word.text for word in command.words if word.text[:1] in "-+")
    if command.variant == "nameref" or "n" in flags or not all(word.known for word in command.words):
        reader.unsure(state, shell)
        state = state._replace(values={}, arrays={})
    exported = command.variant == "export" or "x" in flags
    if shell.local is not None and any(word.text == "-" for word in command.words):
        shell.local.add("-")
    for assign in command.assigns:
        state, _ = _expand_assign(reader, assign, state, shell)
        if (
            shell.local is not None
            and command.variant in ("local", "declare", "typeset")
            and "g" not in flags
        ):
            shell.local.add(assign.name)
        if assign.value.known or assign.value.parts or assign.value.text or assign.items is not None:
            state = assigned(reader, assign, state, shell, exported=exported)
        elif exported:
            known = state.values.get(assign.name, UNKNOWN).only
            word = assign.value if known is None else Word(known)
            state = state._replace(env={**state.env, assign.name: state.env.get(assign.name, word)})
        elif command.variant in ("local", "declare", "typeset"):
            state = forget(state, {assign.name})
        if command.variant == "readonly" or "r" in flags:
            state = state._replace(frozen=state.frozen | {assign.name})
    return reader.after(state, EITHER)


# commands


def read_simple(reader: "Reader", command: Simple, state: State, shell: Shell) -> Flow:
    if not command.words:
        return read_assignments(reader, command.assigns, state, shell)
    before = state
    state = reader.expand(command.words, state, shell)
    for assign in command.assigns:
        state, _ = _expand_assign(reader, assign, state, shell)
    env = {**shell.env, **{each.name: _value_word(each, before, shell) for each in command.assigns}}
    shell = shell._replace(env=env)
    words = resolve(command.words, state)
    if not words:
        return reader.after(state, EITHER)
    if not words[0].known:
        if shell.direct and not _is_path(words[0]):
            reader.unsure(state, shell)  # it may be `exit`
        return _program(reader, words, state, shell)
    if not command.words[0].known:
        command = Simple(words, command.assigns)
    return _named(reader, command, words, state, shell)


def _named(reader: "Reader", command: Simple, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    """A command whose first word is certain."""
    name = words[0].text
    if shell.direct and shell.functions and name in state.functions:
        return _call(reader, words, state, shell)
    if shell.direct and name in BUILTINS:
        numbered = _record(reader, words, state, shell)
        return BUILTINS[name](reader, command, words, state, shell, numbered)
    if any(inner.script is not None for inner in command.inner):
        return _wrapped(reader, command, words, state, shell)
    if shell.direct and name in _MAY_DO_ANYTHING and not _only_looks(words):
        return _anything(reader, words, state, shell)
    flow = _program(reader, words, state, shell)
    if any(inner.own_shell and not inner.elsewhere for inner in command.inner):  # text that is not shown
        flow = Flow(*(each and each._replace(spoiled=each.spoiled or CHANGED) for each in flow))
    return flow


def _only_looks(words: tuple[Word, ...]) -> bool:
    """`command -v npm` says where npm is."""
    return words[0].text == "command" and len(words) > 1 and words[1].text.startswith(("-v", "-V"))


def _value_word(assign: Assign, state: State, shell: Shell) -> Word:
    only = value(assign.value, state, bash=shell.bash).only
    return assign.value if only is None else Word(only)


def _is_path(word: Word) -> bool:
    return any("/" in part.text for part in word.parts if isinstance(part, Text))


def _record(reader: "Reader", words: tuple[Word, ...], state: State, shell: Shell) -> Facts:
    env: Mapping[str, Word] = {**state.env, **shell.env}
    spoiled = state.spoiled
    if not spoiled and (words[0].text in state.shadowed or answering(env)):
        spoiled = ANSWERED
    return reader.record(
        Invocation(
            (*shell.prefix, *words),
            env,
            state.folder,
            shell.elsewhere and not shell.prefix,
            proven=False,
            spoiled=spoiled,
        ),
    )


def _program(reader: "Reader", words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    numbered = _record(reader, words, state, shell)
    if (shell.prefix or not shell.elsewhere) and tampers(words):
        state = state._replace(spoiled=state.spoiled or CHANGED)
    return reader.after(state, code(numbered, NOTHING))


def _anything(reader: "Reader", words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    """Text that is not known is run in this very shell."""
    numbered = _record(reader, words, state, shell)
    if words[0].text == "exec":
        if len(words) == 1:
            return reader.after(state, EITHER)
        shell.exits.append(End(code(numbered, NOTHING), state))
        return Flow(None, None)
    reader.unsure(state, shell)
    lost = state._replace(values={}, arrays={}, spoiled=state.spoiled or ANSWERED, args=None)
    return reader.after(lost, code(numbered, NOTHING))


def _call(reader: "Reader", words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    name = words[0].text
    body = state.functions[name]
    reader.called.add(name)
    numbered = reader.record(Invocation(words, proven=False, spoiled=FUNCTION))
    if body is None:
        reader.unsure(state, shell)
        return reader.after(state, code(numbered, NOTHING))
    reader.step()
    returns: list[End] = []
    local: set[str] = set()
    inside = shell._replace(returns=returns, loops=(), local=local, env={}, depth=shell.depth + 1)
    kept = state.traps if "errtrace" in state.options | state.doubtful else {**state.traps, "ERR": (None,)}
    flow = reader.statement(body, state._replace(args=words[1:], traps=kept), inside)
    for end in returns:
        flow = join_flows(flow, split(end.state, end.status))
    return Flow(*(each and _returned(each, state, local) for each in flow))


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


# wrappers


def _wrapped(reader: "Reader", command: Simple, words: tuple[Word, ...], state: State, shell: Shell) -> Flow:
    outer: Facts = NOTHING
    if words[0].text in state.shadowed:
        state = state._replace(spoiled=state.spoiled or ANSWERED)
    lost = any(not inner.keeps_status or inner.elsewhere or inner.script is None for inner in command.inner)
    prefix = () if shell.prefix else _container(command, words)
    if prefix:
        shell = shell._replace(prefix=prefix)
    elif lost:
        outer = _record(reader, words, state, shell)
        state = state._replace(spoiled=state.spoiled or CHANGED) if tampers(words) else state
    first = command.inner[0]
    if first.by in _MAY_DO_ANYTHING and any(inner.script is None for inner in command.inner):
        for inner in command.inner:  # a guess at what the text may be: told, but not believed
            state = state if inner.script is None else _inner(reader, inner, state, shell)[1]
        return _anything(reader, words, state, shell)
    if len(command.inner) == 1 and first.by in _IN_THIS_SHELL and first.script is not None:
        here = shell._replace(functions=shell.functions and first.by == "eval")
        return reader.script(first.script, state, here)
    statuses: list[Value] = []
    for inner in command.inner:
        if inner.script is not None:
            status, state = _inner(reader, inner, state, shell)
            statuses.append(status if inner.keeps_status else EITHER)
    only = statuses[0] if len(statuses) == 1 else EITHER
    zero = only.zero
    result = code(None if zero is None else zero | outer, NOTHING)
    if first.by == "exec":
        shell.exits.append(End(result, state))
        return Flow(None, None)
    return reader.after(state, result)


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


def _inner(reader: "Reader", inner: Inner, state: State, shell: Shell) -> tuple[Value, State]:
    given = {each.name: _value_word(each, state, shell) for each in inner.assigns}
    env = {**shell.env, **{name: word for name, word in given.items() if not name.isdigit()}}
    begun = state
    if inner.folder is not None and not (shell.prefix and inner.elsewhere):
        target = value(inner.folder, state).only
        begun = begun._replace(folder=None if target is None else enter(state.folder, target, reader.root))
    if inner.own_shell:
        options = {"errexit"} if inner.errexit else set()
        options |= {"pipefail"} if inner.pipefail else set()
        begun = State(
            folder=begun.folder,
            env={**begun.env, **env},
            shadowed=begun.shadowed,
            options=frozenset(options),
            spoiled=begun.spoiled,
            args=tuple(word for name, word in given.items() if name.isdigit() and name != "0"),
        )
        bash, guarded, functions = inner.by in _BASH, False, True
    else:
        bash, guarded, functions = shell.bash, shell.guarded, shell.functions
    script = inner.script or ()
    status, spoiled = reader.inside(
        lambda s, inside: reader.script(script, s, inside),
        begun,
        shell._replace(returns=None) if inner.own_shell else shell,
        direct=inner.own_shell,
        bash=bash,
        guarded=guarded,
        functions=functions,
        local=None,
        elsewhere=shell.elsewhere or inner.elsewhere,
        env={} if inner.own_shell else env,
    )
    return status, state._replace(spoiled=state.spoiled if inner.elsewhere else spoiled)
