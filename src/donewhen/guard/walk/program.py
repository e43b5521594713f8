"""A program is started: its reader says what that does, and what it runs in its turn is followed.

A program that no reader knows is taken to read whatever files it is given. What is printed is worked out only
when somebody reads it, and always carries where its text came from.
"""

import shlex
from collections.abc import Collection, Iterator, Mapping

from donewhen.guard import programs
from donewhen.guard.call import Call, File, Nested, Reader, Text, Words
from donewhen.guard.effects import Connects, Effect, Executes, Fetches, Raises, Reads, Reveals, Sends, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import ENVIRONMENT, HOLE, MARKED, NETWORK, SECRET
from donewhen.guard.secret_paths import secret
from donewhen.guard.state import State
from donewhen.guard.walk.aside import ask_about_texts
from donewhen.guard.walk.base import ORIGINS, Frame, Walk, bounded, keep_files, origins
from donewhen.guard.walk.env import borrowed
from donewhen.guard.walk.files import content, located, made, put, resolved
from donewhen.guard.walk.names import program
from donewhen.guard.walk.nested import report_planted, run_file, subshell, text
from donewhen.guard.walk.project import BUILT, RUNNING, run_project
from donewhen.guard.walk.redirects import fetched_to
from donewhen.guard.walk.settings import setting_made, with_settings

_FETCHING = frozenset(
    "curl curlie wget wget2 http https xh xhs aria2c axel lynx links elinks w3m nc ncat netcat socat".split()
)
_RECEIVING = frozenset("nc ncat netcat socat telnet".split())  # whatever they print came in
_BUILDING = frozenset(
    "gcc g++ cc c++ clang clang++ rustc go ghc gfortran swiftc nim zig ocamlopt cargo".split()
)
_FEEDING = frozenset(
    ("tar", "gtar", "bsdtar", "split", "gsplit", "sort", "gsort")
)  # what they run reads what they hold
_PATCHING = frozenset(("patch", "gpatch", "git"))  # they write the files that a text names
# Programs that print their words, and those that print what they are fed.
_SAYING = frozenset("basename dirname seq date figlet toilet cowsay logger notify-send wall yes".split())
_PASSING = frozenset(
    "cat gcat tac rev nl head tail sort uniq cut tr sed awk gawk fold fmt pr column expand paste od xxd "
    "hexdump base64 base32 strings tee cowsay figlet less more jq".split()
)
_LOOSE = frozenset(("dmsetup",))  # a reader doesn't know all the ways to give it a command
_QUIET = frozenset("dmesg ss nmap netstat last lastb who ip".split())  # they read files by options alone
LIKE_SUDO = frozenset("run0 gksudo kdesudo dzdo please sudo-rs".split())
RAISING = LIKE_SUDO | frozenset("sudo doas su pkexec sudoedit runuser".split())
_RUNNERS = frozenset("xargs gxargs find gfind fd fdfind parallel".split())  # they print what they run prints


def run_program(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> str:
    """Reports what the program does; returns what it prints."""
    readers = programs.readers()
    word = argv[0]
    name = program(word, readers)
    if name != word and not word.endswith("/" + name):
        argv = (name, *argv[1:])
    if state.links:
        argv = (argv[0], *(located(one, state) if "/.." in one else one for one in argv[1:]))
    env = _environment(walk, state, frame)
    if walk.configured and name == "git":
        env = with_settings(env, walk.configured)
    frame = frame if env is frame.env else frame._replace(env=env)
    if env and name in _OPTIONS:
        argv = _with_options(argv, name, env)
    call = Call(argv, walk.ground, state.folder, env, frame.stdin, frame.elsewhere, frame.by)
    if state.files and name in _PATCHING:
        call = _with_patch(call, state)
    walk.report(Executes(name, absolute(word, state.folder) if "/" in word else ""), argv, frame)
    _report_rights(walk, call, name, state, frame)
    reader = readers.get(name)
    effects: list[Effect] = []
    nested: list[str] = []
    for one in _told(call, name, reader):
        if isinstance(one, Text | Words | File):
            nested.append(_nested(walk, one, state, frame))
        else:
            real = _here(one, state)
            effects.append(real)
            # a folder of this machine that a container was given is this machine
            mounted = real is not one and frame.elsewhere == "container"
            walk.report(real, argv, frame._replace(elsewhere="") if mounted else frame)
    if reader is None or name in _LOOSE:
        ask_about_texts(walk, argv, state, frame)
    _aftermath(walk, call, name, effects, state, frame)
    return _printed(walk, call, name, effects, nested, state) if frame.wants else ""


def _report_rights(walk: Walk, call: Call, name: str, state: State, frame: Frame) -> None:
    """In whose name, and with whose settings, the program acts."""
    if name in RAISING:
        walk.report(Raises(name), call.argv, frame)
    if not frame.elsewhere:
        for effect in borrowed(call.argv, {"HOME": state.one("HOME"), **call.env}, walk.ground):
            walk.report(effect, call.argv, frame)
        report_planted(walk, name, call.argv, state, frame)


def _aftermath(walk: Walk, call: Call, name: str, effects: list[Effect], state: State, frame: Frame) -> None:
    """What the program leaves behind for the rest of the line."""
    for path in made(call, name, effects, state, walk.copies):
        if NETWORK in (call.stdin or ""):
            fetched_to(walk, path, call.argv, frame)
    if not frame.wants and _shows(call, name):
        walk.report(Reveals("variable"), call.argv, frame)
    if name == "git":
        _switched(walk, call)
    elif name in _BUILDING:
        if call.stdin is not None and "-" in call.argv:
            put(call.at(_FROM_STDIN), call.stdin, state)
        walk.built.update(f"{call.at(path)}{'/' * path.endswith('/')}" for path in _built(call.argv, name))
    if name in _FETCHING:
        walk.hosts.update((one.host, None) for one in effects if isinstance(one, Connects))
    if state.files:
        _run_made(walk, call, name, state, frame)
        _sent(walk, effects, call.argv, state, frame)
    if state.sinks:
        _into_sinks(walk, call, state, frame)


def _run_made(walk: Walk, call: Call, name: str, state: State, frame: Frame) -> None:
    """Files of the line that the program runs without being told, or was made of."""
    if name in RUNNING:
        run_project(walk, call.argv, name, state, frame)
    if walk.built and "/" in call.argv[0] and could_be_built(call.at(call.argv[0]), walk.built):
        run_project(walk, call.argv, BUILT, state, frame)


def could_be_built(path: str, built: Collection[str]) -> bool:
    """Is it one of these programs, or below a folder that a build fills?"""
    return path in built or any(one.endswith("/") and path.startswith(one) for one in built)


def _shows(call: Call, name: str) -> bool:
    """Does a credential that it was given come out on the terminal?"""
    if name in _SAYING and any(SECRET in word for word in call.argv[1:]):
        return True
    return name in _PASSING and SECRET in (call.stdin or "")


def _switched(walk: Walk, call: Call) -> None:
    """Later commands of the line work on the branch that git was told to check out."""
    from donewhen.guard.programs.git.readers import branch_after

    walk.configured.update(setting_made(call.argv))
    branch = branch_after(call)
    if branch is not None:
        walk.ground = walk.ground._replace(branch=branch)


def _built(argv: tuple[str, ...], name: str) -> Iterator[str]:
    """Programs that a compiler makes of sources; running one is running the project's code."""
    for at, word in enumerate(argv[:-1]):
        if word == "-o":
            yield argv[at + 1]
    yield from (word[2:] for word in argv if word.startswith("-o") and len(word) > 2)
    if "-o" not in argv:
        yield from _UNNAMED.get(name, ("a.out",))
        yield from (word.rpartition(".")[0] for word in argv[1:] if word.endswith(_STEMS))


_FROM_STDIN = "-.c"  # what a source is called that has no name
_STEMS = (".rs", ".go", ".hs", ".nim")  # sources that give the program its name
# Where a build leaves what it made when it is not told.
_UNNAMED: Mapping[str, tuple[str, ...]] = {"cargo": ("target/",), "go": ("./",), "rustc": ()}


def _sent(walk: Walk, effects: list[Effect], argv: tuple[str, ...], state: State, frame: Frame) -> None:
    """A file of the line that is sent is as secret as what the line put into it."""
    hosts = [one.host for one in effects if isinstance(one, Sends)]
    held = (
        "".join(content(one.path, state) or "" for one in effects if isinstance(one, Reads)) if hosts else ""
    )
    for host in hosts:
        if SECRET in held:
            walk.report(Sends(host, "secret"), argv, frame)
        elif ENVIRONMENT in held:
            walk.report(Sends(host, "environment"), argv, frame)


def _environment(walk: Walk, state: State, frame: Frame) -> Mapping[str, str]:
    """What the line sets for the program."""
    set_here = state.exported & state.variables.keys() - _INHERITED
    if not set_here:
        return frame.env
    before = walk.ground.variables
    values = {name: state.one(name) for name in set_here}
    return {**{name: value for name, value in values.items() if before.get(name) != value}, **frame.env}


# Variables whose words are options as if they had been given.
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "make": ("MAKEFLAGS", "GNUMAKEFLAGS"), "gmake": ("MAKEFLAGS", "GNUMAKEFLAGS"), "zip": ("ZIPOPT",),
    "unzip": ("UNZIP", "UNZIPOPT"), "pytest": ("PYTEST_ADDOPTS",), "py.test": ("PYTEST_ADDOPTS",),
    "less": ("LESS",), "fzf": ("FZF_DEFAULT_OPTS",), "man": ("MANOPT",),
}  # fmt: skip


def _with_options(argv: tuple[str, ...], name: str, env: Mapping[str, str]) -> tuple[str, ...]:
    more: list[str] = []
    for variable in _OPTIONS[name]:
        try:
            more += shlex.split(env.get(variable, ""))
        except ValueError:
            more += env[variable].split()
    if "--" in argv:
        return (argv[0], *more, *argv[1:])
    return (*argv, *more)


_INHERITED = frozenset(("HOME", "USER", "PATH", "TMPDIR", "SHELL"))


def _told(call: Call, name: str, reader: Reader | None) -> Iterator[Effect | Nested]:
    """What the program does, as far as anybody knows."""
    if reader is None:
        yield from _unread(call, name)
        return
    yield from reader(call)
    if name in _QUIET:
        yield from (
            one for one in _unread(call, name) if isinstance(one, Reads) and secret(one.path, call.ground)
        )


def _unread(call: Call, name: str) -> Iterator[Effect]:
    """A program that nobody knows may read every file that it is given."""
    if name in RAISING:
        if name == "sudoedit" or any(word in ("-e", "--edit") for word in call.argv):
            yield from (Writes(call.at(word)) for word in call.argv[1:] if not word.startswith("-"))
        return
    for argument in call.argv[1:]:
        for path in (argument, argument.partition("=")[2], argument[1:] if argument[:1] == "@" else ""):
            if path and path[0] != "-" and _may_be_path(path):
                yield Reads(call.at(path.removeprefix("@")))


def _may_be_path(text: str) -> bool:
    if "://" in text or len(text) > 4096 or "\n" in text:
        return False
    if " " in text and "/" not in text:
        return False
    return bool(MARKED.sub("", text).strip("/."))


def _here(effect: Effect, state: State) -> Effect:
    """The effect with links of the line followed."""
    if not state.links:
        return effect
    path = getattr(effect, "path", "")
    if not path:
        return effect
    real = resolved(path, state)
    return effect if real == path else effect._replace(path=real)  # type: ignore[call-arg]


def _nested(walk: Walk, one: Text | Words | File, state: State, frame: Frame) -> str:
    """What a program runs in its turn, in a state of its own."""
    env = {**frame.env, **one.env} if one.env else frame.env
    inside = frame._replace(by=(*frame.by, one.by), env=env, plain=True)
    if one.by in _FEEDING and frame.stdin is None:
        inside = inside._replace(stdin=HOLE)
    own = state.copy() if isinstance(one, Words) else subshell(state, inside)
    printed = _run_nested(walk, one, own, inside)
    if not inside.elsewhere:
        keep_files(own, state)
    return printed


def _run_nested(walk: Walk, one: Text | Words | File, own: State, frame: Frame) -> str:
    if isinstance(one, File):
        return run_file(walk, one.path, one.by, one.argv, own, frame)
    if one.folder:
        own.move(located(one.folder, own))
    if one.elsewhere:
        frame = frame._replace(elsewhere=one.elsewhere)
    if isinstance(one, Text):
        return text(walk, one.text, one.by, own, frame)
    stdin = HOLE if one.stdin is None and one.by in _FEEDING else one.stdin
    return walk.command(one.argv, own, frame._replace(stdin=stdin)) if walk.deeper(frame) else HOLE


def _into_sinks(walk: Walk, call: Call, state: State, frame: Frame) -> None:
    """`tee >(sh)`: what the program is fed, or anything, reaches the command behind the path."""
    for argument in call.argv[1:]:
        script = state.sinks.get(argument)
        if script is not None:
            fed = HOLE if call.stdin is None else call.stdin
            walk.script(script, state.copy(), frame._replace(stdin=fed, wants=False, forks=frame.forks + 1))


def _printed(
    walk: Walk, call: Call, name: str, effects: list[Effect], nested: list[str], state: State
) -> str:  # fmt: skip
    output = programs.outputs().get(name)
    if output is not None:
        printed = output(_with_file(call, state) if state.files else call)
    elif name in _RUNNERS and nested:
        printed = "".join(nested)
    else:
        printed = HOLE
    carried = set(_carried(walk, call, effects, state))
    for text_inside in nested:
        carried.update(origins(text_inside))
    missing = "".join(mark for mark in ORIGINS if mark in carried and mark not in printed)
    return bounded(printed) + missing


def _carried(walk: Walk, call: Call, effects: list[Effect], state: State) -> Iterator[str]:
    """Where the text that it prints may come from."""
    for given in (call.stdin or "", *call.argv[1:]):
        yield from origins(given)
    if call.name in _RECEIVING:
        yield NETWORK
    to_file = any(isinstance(one, Fetches) and one.path for one in effects)
    for effect in effects:
        if isinstance(effect, Connects) and not to_file:
            yield NETWORK
        elif isinstance(effect, Reads) and not effect.names:
            known = content(effect.path, state)
            if known is not None:
                yield from origins(known)
            elif secret(effect.path, walk.ground):
                yield SECRET
        elif isinstance(effect, Reveals):
            yield ENVIRONMENT if effect.what in ("environment", "filtered") else SECRET


def _with_patch(call: Call, state: State) -> Call:
    """The call with a patch that the line wrote as its input."""
    if call.stdin is not None:
        return call
    given = [word.removeprefix("--input=").removeprefix("-i") for word in call.argv[1:]]
    known = [content(call.at(word), state) or "" for word in given if word]
    text = "".join(one for one in known if "+++ " in one)
    return call._replace(stdin=text) if text else call


def _with_file(call: Call, state: State) -> Call:
    """The call with a file of the line given as input instead: what it prints can be told then."""
    texts: list[str] = []
    kept = [call.argv[0]]
    for argument in call.argv[1:]:
        known = None if argument.startswith("-") else content(call.at(argument), state)
        if known is None:
            kept.append(argument)
        else:
            texts.append(known)
    return call if not texts else call._replace(argv=tuple(kept), stdin="".join(texts))
