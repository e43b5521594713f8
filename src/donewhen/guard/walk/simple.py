"""Simple commands: assignments, words, redirections, and then whatever the first word means.

That may be a function, an alias, a builtin, a shell, a wrapper or a program. Where the line leaves it open
which of them it is, each is judged.
"""

from collections.abc import Mapping

from donewhen.core.tree import Assign, Declare, Inner, Redirect, Simple, Word
from donewhen.guard import programs
from donewhen.guard.effects import Disguises, Exhausts, Reveals, RunsFetched, Unknown
from donewhen.guard.expand import expand
from donewhen.guard.ground import absolute
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, WILD, anything, certain
from donewhen.guard.state import MAX_TEXT, State, Value, merged
from donewhen.guard.walk.base import MAX_LAYERS, TRACE, Frame, Walk, either, named_by, origins, trace
from donewhen.guard.walk.builtins import BUILTINS, HARMLESS, LOCAL, PRINTING, form, refer
from donewhen.guard.walk.env import watched, without_itself
from donewhen.guard.walk.files import called, made_program
from donewhen.guard.walk.live import LIVE, live_words
from donewhen.guard.walk.names import could_start, disguised
from donewhen.guard.walk.nested import (
    follow_set,
    follow_setting,
    inner_commands,
    quoted,
    run_shell,
    runs_file,
)
from donewhen.guard.walk.program import LIKE_SUDO, RAISING, run_program
from donewhen.guard.walk.redirects import settle, tie
from donewhen.guard.walk.shells import SHELLS
from donewhen.secrets.claims import is_key_like
from donewhen.shell import unwrap

_FINDERS = frozenset("find gfind fd fdfind xargs gxargs parallel".split())  # their readers know more
_SUDO = Word("sudo")
_INSTALLED = ("/usr/", "/bin/", "/sbin/", "/opt/", "/snap/", "/nix/")


def simple(walk: Walk, command: Simple, redirects: tuple[Redirect, ...], state: State, frame: Frame) -> str:
    places = walk.places(state)
    if len(places) == 1:
        return _here(walk, command, redirects, state, frame)
    printed: list[str] = []
    ends: list[str] = []
    for folder in places:
        state.folder = folder
        printed.append(_here(walk, command, redirects, state, frame))
        ends += walk.places(state)
    walk.meet(state, ends)
    return either(printed)


def _here(walk: Walk, command: Simple, redirects: tuple[Redirect, ...], state: State, frame: Frame) -> str:
    """In one folder; where it is not sure which, in each."""
    if not walk.step():
        return HOLE
    words = command.words
    if not words:
        return _without_words(walk, command, redirects, state, frame)
    walk.characters += 8 * len(words)
    known = all(word.known for word in words)
    if known:
        argvs = [tuple([word.text for word in words])]
        if walk.marked:
            argvs = [tuple(map(walk.restored, argvs[0]))]
    else:
        argvs = _expanded(walk, words, state, frame)
    if TRACE in state.options:
        trace(walk, [text for argv in argvs for text in argv], frame)
    inside = _prefixed(walk, command.assigns, state, frame) if command.assigns else frame
    parsed = command.inner if known and not walk.marked else None
    if not redirects and not state.descriptors and len(argvs) == 1:
        return _dispatched(walk, argvs[0], parsed, state, inside)
    return either([_redirected(walk, argv, parsed, redirects, state, inside) for argv in argvs])


def _expanded(walk: Walk, words: tuple[Word, ...], state: State, frame: Frame) -> list[tuple[str, ...]]:
    found = expand.expand([named_by(word, state) for word in words], state, walk.runner(frame))
    for argv in found:
        walk.characters += sum(map(len, argv))
    return [tuple(map(walk.restored, argv)) for argv in found] if walk.marked else found


def _redirected(
    walk: Walk, argv: tuple[str, ...], parsed: tuple[Inner, ...] | None, redirects: tuple[Redirect, ...],
    state: State, frame: Frame,
) -> str:  # fmt: skip
    if not redirects and not state.descriptors:
        return _dispatched(walk, argv, parsed, state, frame)
    tied = tie(walk, redirects, state, frame, argv)
    wants = frame.wants or bool(tied.targets or tied.hosts)
    printed = _dispatched(walk, argv, parsed, state, frame._replace(stdin=tied.stdin, wants=wants))
    return settle(walk, tied, printed, state, frame, argv)


def _without_words(
    walk: Walk, command: Simple, redirects: tuple[Redirect, ...], state: State, frame: Frame
) -> str:
    """Assignments that stay, and redirections that only open files."""
    for one in command.assigns:
        _assign(walk, one, state, frame)
    if not redirects:
        return ""
    tied = tie(walk, redirects, state, frame, ())
    settle(walk, tied, "", state, frame, ())
    read = any(one.operator == "<" for one in redirects)  # `$(<file)`
    return tied.stdin or "" if read and not command.assigns else ""


def _assign(walk: Walk, one: Assign, state: State, frame: Frame) -> None:
    if watched(one.name):
        for value in walk.one(without_itself(one).value, state, frame):
            follow_setting(walk, one.name, value, state, frame)
    expand.assign(one._replace(value=named_by(one.value, state)), state, walk.runner(frame))
    if TRACE in state.options:
        trace(walk, state.get(one.name), frame)


def _prefixed(walk: Walk, assigns: tuple[Assign, ...], state: State, frame: Frame) -> Frame:
    """The frame with variables that are set for this command alone."""
    own = state.copy()
    env = dict(frame.env)
    for one in assigns:
        _assign(walk, one, own, frame)
        env[one.name] = own.one(one.name)
    state.files.update(own.files)
    return frame._replace(env=env)


def declare(walk: Walk, command: Declare, state: State, frame: Frame) -> str:
    """`export`, `declare`, `local`, `readonly`: settings, or a list of what is set."""
    if not walk.step():
        return HOLE
    letters = "".join(
        text for word in command.words for text in walk.one(word, state, frame) if text[:1] == "-"
    )
    for one in command.assigns:
        naked = not one.value.known and not one.value.text and one.items is None
        if command.variant in LOCAL and "g" not in letters:
            walk.hide(one.name, state)
        form(one.name, letters, state)
        if "n" in letters and command.variant != "export":
            refer(one.name, "" if naked else merged(walk.one(one.value, state, frame)), state)
        elif not naked:
            _assign(walk, one, state, frame)
        if command.variant == "export" or "x" in letters:
            state.exported.add(one.name)
        if "p" in letters and is_key_like(one.name):
            walk.report(Reveals("variable", one.name), (command.variant, one.name), frame)
    if command.assigns or "f" in letters or "F" in letters or not set(letters) <= set("-px"):
        return HOLE if set(letters) & set("pfF") else ""
    walk.report(Reveals("environment"), (command.variant, letters), frame)
    return ENVIRONMENT


def command(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """A command that another one runs, its words all resolved."""
    return _dispatched(walk, argv, None, state, frame) if walk.step() else HOLE


def _dispatched(
    walk: Walk, argv: tuple[str, ...], parsed: tuple[Inner, ...] | None, state: State, frame: Frame
) -> str:
    if not argv:
        return ""
    word = argv[0]
    for odd in disguised(argv):
        walk.report(Disguises(odd), argv, frame)
    if not certain(word):
        return _uncertain(walk, argv, state, frame)
    if not frame.plain and (word in state.functions or word in state.aliases):
        printed = _named(walk, argv, state, frame)
        if word not in programs.readers():
            return printed
    if word in LIVE:
        live_words(walk, argv, state, frame)
    builtin = BUILTINS.get(word)
    if builtin is not None:
        printed_by = builtin(walk, argv, state, frame)
        if printed_by is not None:
            return printed_by
    return _started(walk, argv, parsed, state, frame)


def _started(
    walk: Walk, argv: tuple[str, ...], parsed: tuple[Inner, ...] | None, state: State, frame: Frame
) -> str:
    """Something that is no function and no builtin that changes the shell."""
    follow_set(walk, state, frame)
    real = _real(argv[0], walk, state, frame) if state.links or walk.copies else argv[0]
    name = real.rpartition("/")[2]
    if name == "exe" and argv[0].startswith("/proc/"):
        return run_shell(walk, ("bash", *argv[1:]), state, frame)  # the shell itself
    if name in SHELLS or name.lower().removesuffix(".exe") in SHELLS:
        return run_shell(walk, (real, *argv[1:]), state, frame)
    path = argv[0] if "/" in argv[0] else made_program(argv[0], state, frame.env) if state.files else ""
    if path:
        printed = runs_file(walk, (path, *argv[1:]), state, frame)
        if printed is not None:
            return printed
    if real != argv[0]:
        argv, parsed = (real, *argv[1:]), None
    inner: tuple[Inner, ...] = ()
    if name not in _FINDERS:
        inner = parsed if parsed is not None and name not in LIKE_SUDO else unwrap(_as_words(walk, argv))
    if not inner:
        idle = name in HARMLESS and name not in programs.readers() and name not in programs.outputs()
        if idle:
            return HOLE if name in PRINTING else ""
        return run_program(walk, argv, state, frame)
    printed = inner_commands(walk, inner, argv, state, frame)
    if name in RAISING or name in programs.readers():
        printed += origins(run_program(walk, argv, state, frame))
    return printed


def _real(word: str, walk: Walk, state: State, frame: Frame) -> str:
    """The program that a link or a copy of the line is; one of the project stays what it is called."""
    path = called(word, state, frame.env, walk.copies)
    names = programs.readers()
    renamed = path.rpartition("/")[2] in names or word.rpartition("/")[2] not in names
    return path if renamed or path.startswith(_INSTALLED) else word


def _as_words(walk: Walk, argv: tuple[str, ...]) -> tuple[Word, ...]:
    words = tuple(Word(walk.carried(text)) for text in argv)
    return (_SUDO, *words[1:]) if argv[0].rpartition("/")[2] in LIKE_SUDO else words


def _uncertain(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """A command word that is not known: what it may be is judged, and it is said that it may be others."""
    word = argv[0]
    if NETWORK in word:
        walk.report(RunsFetched(""), argv, frame)
        return HOLE + NETWORK
    if "/" in word and not anything(word) and _inside(walk, absolute(word, state.folder)):
        return run_program(walk, argv, state, frame)
    walk.report(Unknown("guard.unknown_command", word), argv, frame)
    if not WILD.isdisjoint(word) and len(word) == 1:
        return HOLE
    for name in could_start(word):
        if walk.step():
            _dispatched(walk, (name, *argv[1:]), None, state.copy(), frame._replace(plain=True))
    return HOLE


def _inside(walk: Walk, path: str) -> bool:
    """Is it one of the project's own files, whichever?"""
    return path.startswith(walk.ground.workspace + "/")


def _named(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """Functions and aliases of the line."""
    name = argv[0]
    if any(name == called and frame.forks > forks for called, forks in frame.calls):
        walk.report(Exhausts(name), argv, frame)
    if any(name == called for called, _ in frame.calls) or len(frame.calls) >= MAX_LAYERS:
        return HOLE
    inside = frame._replace(calls=(*frame.calls, (name, frame.forks)))
    printed = []
    if name in state.functions:
        printed.append(_called(walk, argv, state, inside))
    if name in state.aliases:
        text, rest = state.aliases[name], argv[1:]
        while text.endswith((" ", "\t")) and rest and rest[0] in state.aliases and len(text) < MAX_TEXT:
            text, rest = (
                text + state.aliases[rest[0]],
                rest[1:],
            )  # a blank ends it: the next counts too
        text = " ".join((text, *map(quoted, rest)))
        printed.append(walk.text(text, name, state, inside))
    return either(printed)


def _called(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    body = state.functions[argv[0]]
    walk.defined.pop(id(body), None)
    outer = state.positional
    kept: Mapping[str, tuple[str, ...]] = {name: state.get(name) for name in frame.env}
    for name, value in frame.env.items():
        state.set(name, value)
    state.positional = argv[1:]
    walk.hidden.append({})
    printed = walk.script((body,), state, frame)
    _shown_again(walk.hidden.pop(), state)
    state.positional = outer
    for name, values in kept.items():
        state.set_all(name, values)
    return printed


def _shown_again(hidden: Mapping[str, Value | None], state: State) -> None:
    """Variables that were the function's own are gone; those they hid are back."""
    for name, value in hidden.items():
        state.references.pop(name, None)
        state.attributes.pop(name, None)
        if value is None:
            state.variables.pop(name, None)
        else:
            state.variables[name] = value


def uncalled(walk: Walk) -> None:
    """Traps run at the end; functions that nothing called are judged as if somebody did, with anything."""
    for trap in walk.traps:
        own = trap.state.copy()
        if trap.later is not None:
            own.variables = {**trap.later.variables, **own.variables}
        own.recall()
        walk.text(trap.source, "trap", own, trap.frame)
    while walk.defined and not walk.spent:
        _, one = walk.defined.popitem()
        state = one.state.copy()
        state.positional = (HOLE,)
        calls = (*one.frame.calls, (one.name, one.frame.forks))
        walk.script((one.body,), state, one.frame._replace(calls=calls, wants=False))
