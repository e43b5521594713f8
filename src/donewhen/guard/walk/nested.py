"""Commands inside commands: texts that a shell runs, files that are run, words behind wrappers.

What is known of a text is judged even where the rest is not, and that it is not known is said as well: a
hole in a text may hold any command.
"""

import re
from collections.abc import Iterable

from donewhen.core.tree import Assign, Inner, Refused
from donewhen.guard import programs
from donewhen.guard.call import Text, Where, Words
from donewhen.guard.effects import Effect, Executes, Exhausts, Loads, Reads, RunsFetched, Unknown
from donewhen.guard.ground import TEMPORARY, absolute
from donewhen.guard.marks import HOLE, MARKED, NETWORK, anything
from donewhen.guard.state import State, Value
from donewhen.guard.walk.base import (
    MAX_LAYERS,
    TRACE,
    UNSURE,
    Frame,
    Walk,
    bounded,
    inner_path,
    keep_files,
)
from donewhen.guard.walk.env import PERSONAL, planted, setting, watched
from donewhen.guard.walk.files import content, globbed, located
from donewhen.guard.walk.mounts import mount
from donewhen.guard.walk.shells import FOREIGN, SHELLS, STDIN, started
from donewhen.shell import parse

_SAME_SHELL = frozenset("eval command builtin exec time noglob nocorrect".split())
_JOINED = frozenset("eval watch ssh slogin rsh autossh su runuser sg".split())  # the words become one text
_HOSTS = frozenset("ssh slogin rsh autossh mosh heroku flyctl fly gcloud et".split())
_CONTAINERS = frozenset(
    "docker podman nerdctl docker-compose podman-compose kubectl oc k3s microk8s nomad vagrant lxc incus "
    "multipass limactl minikube".split()
)
# Another place that may do without a command: its own default is run, or a person works there.
_MAY_BE_EMPTY = (
    _HOSTS
    | _CONTAINERS
    | {"su", "runuser", "sg", "sudo", "doas", "script", "nix-shell", "nix", "tmux", "screen"}
)
# How an interpreter is given a program as text; others take it from their input.
_AS_ARGUMENT = frozenset("awk gawk mawk nawk sed gsed jq".split())
_FROM_INPUT = {
    **dict.fromkeys(("make", "gmake"), ("-f", "-")),
    **dict.fromkeys(("vim", "nvim", "vi", "view", "gvim", "vimdiff"), ("-es",)),
}
# A pattern of zsh with code that is run for each file: `*(e:code:)`.
_QUALIFIED = re.compile(r"[*?\]/]\((?:#q)?[^()\s:'\"]*e[:'\"{\[|]")
_MAX_LINES = 16
_LAUNCHERS = tuple(f"{one}/" for one in (*TEMPORARY, "/dev/shm"))  # noqa: S108 (a name, not a file)


def quoted(text: str) -> str:
    """A word as a shell would have to read it."""
    return "'" + text.replace("'", "'\\''") + "'"


def text(walk: Walk, source: str, by: str, state: State, frame: Frame) -> str:
    """A text that a shell runs; returns what it prints."""
    fetched = NETWORK in source
    nothing_told = not MARKED.sub("", source).strip()
    if fetched:
        walk.report(RunsFetched(by), (by, source), frame)
    elif not UNSURE.isdisjoint(source) or (nothing_told and source.strip()):
        walk.report(Unknown("guard.unknown_text", source), (by, source), frame)
    if nothing_told:
        return HOLE + (NETWORK if fetched else "") if source.strip() else ""
    if not walk.deeper(frame) or not walk.take_text(len(source)):
        return HOLE
    tree = parse(walk.carried(source))
    if isinstance(tree, Refused):
        walk.report(Unknown("guard.unreadable", source[:200]), (by, source), frame)
        return _salvaged(walk, source, state, frame)
    return walk.script(tree, state, frame._replace(plain=False) if frame.plain else frame)


def _salvaged(walk: Walk, source: str, state: State, frame: Frame) -> str:
    """A shell runs line by line until it meets one that it can't read: lines that read alone are judged."""
    lines = source.splitlines()
    for line in lines[:_MAX_LINES] if len(lines) > 1 else ():
        tree = parse(walk.carried(line)) if walk.take_text(len(line)) else ()
        if not isinstance(tree, Refused):
            walk.script(tree, state, frame._replace(plain=False, wants=False))
    return HOLE


def run_shell(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """A shell: it runs its text, its file or its input, in a state of its own."""
    name = argv[0].rpartition("/")[2].lower().removesuffix(".exe")
    walk.report(Executes(name, absolute(argv[0], state.folder) if "/" in argv[0] else ""), argv, frame)
    report_planted(walk, name, argv, state, frame)
    own, inside = subshell(state, frame), inner_path(frame, name)
    printed = _foreign(walk, argv, own, inside) if name in FOREIGN else _shell(walk, name, argv, own, inside)
    keep_files(own, state)
    return printed


def report_planted(walk: Walk, name: str, argv: tuple[str, ...], state: State, frame: Frame) -> None:
    """Another home, with settings in it that the line wrote."""
    if state.files and not frame.elsewhere:
        for variable in PERSONAL:
            folder = located(frame.env.get(variable, state.one(variable)) or "/", state)
            if planted(name, variable, folder, state.files, walk.ground):
                walk.report(Loads(variable), argv, frame)


def _shell(walk: Walk, name: str, argv: tuple[str, ...], own: State, frame: Frame) -> str:
    start = started(argv)
    (own.options.add if start.traced else own.options.discard)(TRACE)
    if start.unsure:
        walk.report(Unknown("guard.unknown_option", argv[1]), argv, frame)
    if start.shown:
        walk.report(Reads(located(start.shown, own)), argv, frame)
    for path in start.first:
        run_file(walk, path, name, (), own, frame)
    if start.text is not None and name.startswith("zsh") and _QUALIFIED.search(start.text):
        walk.report(Unknown("guard.unknown_text", start.text), argv, frame)
    if start.text is not None:
        own.name = start.arguments[0] if start.arguments else name
        own.positional = start.arguments[1:]
        return text(walk, start.text, name, own, frame)
    if start.file:
        return run_file(walk, start.file, name, start.arguments, own, frame)
    if start.stdin and frame.stdin is not None:
        own.positional = start.arguments
        return text(walk, frame.stdin, name, own, frame._replace(stdin=None))
    return ""


def _foreign(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """A shell of another language: what reads alike is judged, the rest is not known."""
    if len(argv) == 2 and argv[1] in ("--version", "-v", "-Version", "--help", "-h"):
        return ""
    sources = argv[-1:] if len(argv) > 1 else () if frame.stdin is None else (frame.stdin,)
    for source in sources:
        walk.report(Unknown("guard.unknown_text", source), argv, frame)
        text(walk, source, frame.by[-1], state, frame)
    return HOLE


def subshell(state: State, frame: Frame) -> State:
    """The state of another process: what was not exported is there only if it was before."""
    own = state.copy()
    for name in state.variables.keys() - state.exported - _EVERYWHERE:
        value = state.variables[name]
        own.variables[name] = Value((*value.texts, None) if value.items is None else (None,))
    for name, given in frame.env.items():
        own.set(name, given)
        own.exported.add(name)
    if frame.elsewhere:
        own.files = {}
    return own


_EVERYWHERE = frozenset(
    ("IFS", "TMPDIR", "SHELL", "BASH", "PS4", "OPTIND", "OLDPWD", "PATH", "HOME", "USER", "LOGNAME")
)


def run_file(walk: Walk, path: str, by: str, arguments: tuple[str, ...], state: State, frame: Frame) -> str:
    """A file whose text is run by `by`: what the line put into it is judged."""
    argv = (by, path, *arguments)
    if path in STDIN and path != "-":
        return _code(walk, HOLE if frame.stdin is None else frame.stdin, by, argv, state, frame)
    whole = located(path, state)
    for effect in _known_script(whole, arguments):
        if isinstance(effect, Words):
            inside = inner_path(frame, effect.by)._replace(stdin=None, wants=False)
            walk.command(effect.argv, state.copy(), inside)
        else:
            walk.report(effect, argv, frame)
    known = content(whole, state)
    if known is None and state.files:
        known = globbed(whole, state)
    if known is not None:
        return _again(walk, known, whole, argv, state, frame)
    if NETWORK in path:
        walk.report(RunsFetched(by), argv, frame)
    elif anything(whole) or _shared(walk, whole) or whole.startswith("/dev/fd/"):
        walk.report(Unknown("guard.unknown_text", whole), argv, frame)
    else:
        walk.report(Reads(whole, used=by in ("source", ".")), argv, frame)
    return HOLE


def _known_script(path: str, arguments: tuple[str, ...]) -> Iterable[Effect | Words]:
    """What frameworks put into every project and everybody knows by name: manage.py, artisan."""
    from donewhen.guard.programs.data.readers import script_effects

    return script_effects(path, arguments)


def _again(walk: Walk, known: str, path: str, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """Runs text of the line's own file, unless it is being run already."""
    key = f"{path}\0{known}"  # a file that was written anew meanwhile is another one
    if any(key == called for called, _ in frame.calls) or len(frame.calls) >= MAX_LAYERS:
        if any(key == called and frame.forks > forks for called, forks in frame.calls):
            walk.report(Exhausts(path), argv, frame)
        return HOLE
    state.name, state.positional = path, argv[2:]
    inside = frame._replace(calls=(*frame.calls, (key, frame.forks)))
    return _code(walk, known, argv[0], argv, state, inside)


def _code(walk: Walk, source: str, by: str, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """Text for an interpreter: a shell's is walked, another one's goes to its reader."""
    interpreter = _shebang(source) or by
    if interpreter in SHELLS or interpreter in (".", "source"):
        return text(walk, source, interpreter, state, frame)
    if NETWORK in source:
        walk.report(RunsFetched(interpreter), argv, frame)
        return HOLE + NETWORK
    if interpreter not in programs.readers():
        walk.report(Unknown("guard.unknown_code", source[:200]), argv, frame)
        return HOLE
    if interpreter in _AS_ARGUMENT:
        return walk.command((interpreter, source), state, frame)
    return walk.command((interpreter, *_FROM_INPUT.get(interpreter, ())), state, frame._replace(stdin=source))


def _shebang(source: str) -> str:
    if not source.startswith("#!"):
        return ""
    words = source[2:].partition("\n")[0].split()
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-")]
    return next((name for name in names if name != "env"), "")


def runs_file(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str | None:
    """A program named by its path: one that the line made is run as text; None: an ordinary program."""
    path = located(argv[0], state)
    known = content(path, state)
    if known is not None:
        walk.report(Executes(argv[0].rpartition("/")[2], path), argv, frame)
        own = subshell(state, frame)
        printed = _again(walk, known, path, ("sh", path, *argv[1:]), own, inner_path(frame, argv[0]))
        keep_files(own, state)
        return printed
    if _shared(walk, path) and path not in walk.built:
        walk.report(Unknown("guard.unknown_text", path), argv, frame)
    return None


def _shared(walk: Walk, path: str) -> bool:
    """Does it lie where anybody may have put it? The workspace is not such a place, wherever it is."""
    workspace = walk.ground.workspace
    return f"{path}/".startswith(_LAUNCHERS) and not f"{path}/".startswith(f"{workspace}/")


def inner_commands(
    walk: Walk, inners: tuple[Inner, ...], argv: tuple[str, ...], state: State, frame: Frame
) -> str:
    """What a wrapper runs."""
    printed: list[str] = []
    for one in inners:
        inside = inner_path(frame, one.by)._replace(
            plain=not (one.own_shell or one.by in _JOINED), elsewhere=_where(one, frame)
        )
        own = state
        if one.by not in _SAME_SHELL:
            own = subshell(state, frame) if one.own_shell else state.copy()
        if inside.elsewhere and not frame.elsewhere:
            mount(argv, own)
        if one.assigns:
            inside = _with_assigns(walk, one.assigns, own, inside)
        if one.folder is not None:
            _moved(walk, one, own, frame)
        if (one.own_shell or one.by in _JOINED) and not UNSURE.isdisjoint("".join(argv)):
            fetched = any(NETWORK in argument for argument in argv)
            walk.report(
                RunsFetched(one.by) if fetched else Unknown("guard.unknown_text", argv[-1]), argv, frame
            )
        if one.script is not None:
            printed.append(walk.script(one.script, own, inside))
        else:
            printed.append(_unseen(walk, one, argv, own, inside))
        if own is not state and not inside.elsewhere:
            keep_files(own, state)
    return bounded("".join(printed)) if frame.wants else ""


def _where(inner: Inner, frame: Frame) -> Where:
    if inner.by in _HOSTS:
        return "host"
    # a changed root or other name spaces are still this machine
    return "container" if inner.by in _CONTAINERS and frame.elsewhere != "host" else frame.elsewhere


def _with_assigns(walk: Walk, assigns: tuple[Assign, ...], state: State, frame: Frame) -> Frame:
    env = dict(frame.env)
    for one in assigns:
        if one.name.isdigit():
            continue
        for value in walk.one(one.value, state, frame):
            env[one.name] = value
            if watched(one.name):
                follow_setting(walk, one.name, _new_part(one.name, value), state, frame)
    return frame._replace(env=env)


def follow_setting(walk: Walk, name: str, value: str, state: State, frame: Frame) -> None:
    """What comes with a variable that programs take code or commands from."""
    walk.followed.add((name, value))
    for effect in setting(name, value, walk.ground, state.folder):
        if isinstance(effect, Text):
            text(
                walk,
                effect.text,
                name,
                state.copy(),
                inner_path(frame, name)._replace(stdin=None, wants=False),
            )
        elif frame.elsewhere != "container":  # what a container loads from its own folders is its own
            walk.report(effect, (f"{name}={value}",), frame)


def _new_part(name: str, value: str) -> str:
    return ":".join(item for item in value.split(":") if item != f"/{HOLE}") if name == "PATH" else value


def follow_set(walk: Walk, state: State, frame: Frame) -> None:
    """Settings that came into a variable by other ways than an assignment: `read`, `for`, `declare -n` …"""
    for name in [*filter(watched, state.variables)]:
        for value in filter(None, state.values(name)):
            new = _new_part(name, value)
            if (name, new) not in walk.followed and (name, value) not in walk.followed:
                follow_setting(walk, name, new, state, frame)


def _moved(walk: Walk, inner: Inner, state: State, frame: Frame) -> None:
    assert inner.folder is not None
    folder = walk.ground.home if inner.folder.text == "~" else walk.one(inner.folder, state, frame)[-1]
    state.move(located(folder, state))


def _unseen(walk: Walk, inner: Inner, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """A wrapper of which the command can't be told from its words."""
    if inner.file is not None:
        return "".join(
            run_file(walk, path, inner.by, (), state, frame) for path in walk.one(inner.file, state, frame)
        )
    if inner.by in _MAY_BE_EMPTY and UNSURE.isdisjoint("".join(argv)):
        if frame.stdin is None or inner.by in _CONTAINERS:
            return HOLE
        return text(walk, frame.stdin, inner.by, state, frame._replace(stdin=None))
    walk.report(Unknown("guard.unknown_text", " ".join(argv)), argv, frame)
    return HOLE
