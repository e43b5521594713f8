"""Files of the line that tools run by convention: a test that pytest collects, a script of package.json.

Such a file is ordinary work and mostly only partly known, so it counts for what it surely does: effects of
which nothing is open are kept, the rest is dropped.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.tree import Refused
from donewhen.guard import programs
from donewhen.guard.effects import Loads, Reads
from donewhen.guard.state import State
from donewhen.guard.walk.base import Frame, Walk, inner_path
from donewhen.guard.walk.env import ordinary
from donewhen.guard.walk.lines import told
from donewhen.guard.walk.nested import subshell, text
from donewhen.shell import parse

BUILT = "\0built"  # a program that the line compiled
_PYTHON = frozenset(
    "pytest py.test python python3 pip pip3 pipx tox nox coverage uv poetry pdm hatch rye pre-commit "
    "django-admin flask celery gunicorn uvicorn mypy sphinx-build invoke inv fab scons doit locust poe "
    "behave waf".split()
)
_NODE = frozenset(
    "npm npx yarn pnpm pnpx bun bunx node deno tsx ts-node jest vitest mocha ava tap c8 nyc vite webpack "
    "rollup eslint prettier next playwright cypress gulp grunt turbo nx lerna nodemon wireit".split()
)
_RUBY = frozenset("ruby rake rspec bundle rails cucumber".split())
_MAKE = frozenset(("make", "gmake"))
_GIT = frozenset("commit push merge rebase checkout switch pull am".split())  # verbs that run hooks
_CONTAINERS = frozenset("docker docker-compose podman podman-compose nerdctl".split())
_LOOSE = "rust-script"  # whose reader takes any language


class _Row(NamedTuple):
    files: tuple[str, ...]  # how their paths end
    tools: frozenset[str]
    how: str  # the reader of its text, or one of `_WAYS`
    verbs: frozenset[str] = frozenset()  # only with one of these among the words


def _row(files: str, tools: str, how: str, verbs: str = "") -> _Row:
    return _Row(tuple(files.split()), frozenset(tools.split()), how, frozenset(verbs.split()))


_ROWS = (
    _Row((".py", "/SConstruct", "/SConscript", "/wscript"), _PYTHON, "python3"),
    _Row((".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"), _NODE, "node"),
    _Row((".rb", "/Rakefile", "/Gemfile"), _RUBY, "ruby"),
    _Row(("/GNUmakefile", "/makefile", ".mk"), _MAKE, "make"),
    _Row(("/package.json", "/deno.json", "/deno.jsonc", "/nodemon.json", "/composer.json"), _NODE, "json"),
    _row("/composer.json", "composer", "json"),
    _row("/justfile /Justfile /.justfile .just", "just", "lines"),
    _row("/Taskfile.yml /Taskfile.yaml /taskfile.yml /taskfile.yaml", "task go-task", "lines"),
    _row("/Procfile /Procfile.dev", "foreman honcho overmind hivemind goreman heroku", "lines"),
    _row("/tox.ini /setup.cfg", "tox", "lines"),
    _row("/pyproject.toml", "poe pdm hatch poetry rye tox uv pixi", "lines"),
    _row("/mise.toml /.mise.toml /mise/config.toml", "mise", "lines"),
    _row("/.cargo/config.toml /.cargo/config", "cargo", "lines"),
    _Row(("/.npmrc", "/.yarnrc", "/.yarnrc.yml"), _NODE, "lines"),
    _row("/.pre-commit-config.yaml", "pre-commit prek", "lines"),
    _row("/lefthook.yml /.lefthook.yml", "lefthook", "lines"),
    _Row(("/.pre-commit-config.yaml", "/lefthook.yml", "/.lefthook.yml"), frozenset(("git",)), "lines", _GIT),
    _Row(("/.husky/",), frozenset(("git",)), "shell", _GIT),
    _row("/.gdbinit", "gdb", "lines"),
    _row("/tasks.py /fabfile.py /dodo.py /noxfile.py", "invoke inv fab doit nox", "lines"),
    _Row(
        ("/compose.yml", "/compose.yaml", "/docker-compose.yml", "/docker-compose.yaml"),
        _CONTAINERS,
        "compose",
        frozenset("up run start create exec".split()),
    ),
    _row("/build.rs", "cargo", "compiled"),
    _row(".rs", "cargo", "compiled", "run r test t bench"),
    _row(".go", "go", "compiled", "run test generate"),
    _row(".java .kt", "java", "compiled"),
    _row(".swift", "swift", "compiled", "run test"),
    _row(".cs .fs", "dotnet", "compiled", "run test watch"),
    _row(".c .h .cc .cpp .cxx .hpp .m .rs .go .swift .nim .zig .d .f90 .hs .ml", BUILT, "compiled"),
    _row(".c", "tcc", "compiled"),
    _row(".zig .nim", "zig nim", "compiled", "run r test"),
)
RUNNING: frozenset[str] = frozenset().union(*(row.tools for row in _ROWS))
_HERE = "\0project"
_FROM_INPUT = {"make": ("make", "-f", "-")}
_SCRIPTS = ("scripts", "tasks", "exec", "execMap", "events")
# Settings of tools that name the program they run things with.
_SETTING = lazy(
    r"^\s*(script-shell|node-options|onload-script|rustc-wrapper|rustc-workspace-wrapper|rustc|rustdoc|linker"
    r"|runner|yarnPath|yarn-path)\s*[=:]\s*\[?[\"']?([^\"'\n,\]]+)",
    re.MULTILINE,
)
_VOLUME = lazy(r"^\s*-\s*[\"']?([/~.$][^\s:\"']*:/[^\s\"']*)", re.MULTILINE)
_SOURCE = lazy(r"^\s*(?:-\s*)?source:\s*[\"']?([/~][^\s\"']*)", re.MULTILINE)
_PRIVILEGED = lazy(r"^\s*(?:privileged:\s*true|(?:pid|network_mode|ipc):\s*[\"']?host)\b", re.MULTILINE)
# A chain of calls gives a program its words one by one.
_CHAINED = lazy(r"\"\s*\)\s*\.args?\(\s*(?:&|vec!)?\[?\s*\"")
_CLOSED = lazy(r"\"\s*\]\s*\)\s*\.args?\(\s*(?:&|vec!)?\[?\s*\"")


def run_project(walk: Walk, argv: tuple[str, ...], name: str, state: State, frame: Frame) -> None:
    """A tool that runs the project's files: those of the line are judged."""
    if any(called == _HERE for called, _ in frame.calls):
        return  # files of the line that run each other
    frame = frame._replace(calls=(*frame.calls, (_HERE, frame.forks)))
    rows = [row for row in _ROWS if name in row.tools and (not row.verbs or not row.verbs.isdisjoint(argv))]
    for path, source in [*state.files.items()]:
        found = () if path.startswith("/dev/") else tuple(row for row in rows if _fits(path, row))
        key = (f"{name} {path}", source)
        if not found or key in walk.followed or not walk.step():
            continue
        walk.followed.add(key)
        mark = len(walk.found)
        inside = inner_path(frame, path.rpartition("/")[2])._replace(stdin=None, wants=False)
        for row in found:
            _WAYS.get(row.how, _read)(walk, row.how, source, state, inside)
        walk.keep_sure(mark)


def _fits(path: str, row: _Row) -> bool:
    """Files are meant by how they end, folders by being on the way."""
    return path.endswith(row.files) or any(one.endswith("/") and one in path for one in row.files)


def _read(walk: Walk, reader: str, source: str, state: State, frame: Frame) -> None:
    """The text is given to whoever runs it."""
    if reader in programs.readers() and walk.deeper(frame):
        argv = _FROM_INPUT.get(reader, (reader,))
        walk.command(argv, subshell(state, frame), frame._replace(stdin=source, plain=True))


def _json(walk: Walk, by: str, source: str, state: State, frame: Frame) -> None:
    try:
        held = json.loads(source)
    except (ValueError, RecursionError):
        return
    for key in _SCRIPTS if isinstance(held, dict) else ():
        for line in islice(_strings(held.get(key)), _MOST_SCRIPTS):
            _line(walk, line, state, frame)


def _strings(held: object, depth: int = 0) -> Iterator[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict | list) and depth < _DEEPEST:
        for one in held.values() if isinstance(held, dict) else held:
            yield from _strings(one, depth + 1)


def _lines(walk: Walk, by: str, source: str, state: State, frame: Frame) -> None:
    for setting, value in _SETTING.findall(source):
        if value[:1] in "/~" and not ordinary(value.strip(), "", walk.ground, state.folder):
            walk.report(Loads(setting), (by, value), frame)
    for line in told(source):
        _line(walk, line, state, frame)


def _line(walk: Walk, line: str, state: State, frame: Frame) -> None:
    """One of many: it counts for its length, not among the nested texts."""
    walk.characters += 4 * len(line)
    tree = parse(walk.carried(line)) if walk.step() and walk.deeper(frame) else ()
    if not isinstance(tree, Refused):
        walk.script(tree, subshell(state, frame), frame)


def _shell(walk: Walk, by: str, source: str, state: State, frame: Frame) -> None:
    text(walk, source, by, subshell(state, frame), frame)


def _compose(walk: Walk, by: str, source: str, state: State, frame: Frame) -> None:
    """Folders and rights of this machine that services get are those of `docker run`."""
    mounts = [*_VOLUME.findall(source), *(f"{path}:/host" for path in _SOURCE.findall(source))]
    given = [word for one in mounts for word in ("-v", one.replace("~", walk.ground.home, 1))]
    if _PRIVILEGED.search(source):
        given.append("--privileged")
    if given:
        walk.command(("docker", "run", *given, "service"), state.copy(), frame)


def _compiled(walk: Walk, by: str, source: str, state: State, frame: Frame) -> None:
    mark = len(walk.found)
    _read(walk, _LOOSE, _CHAINED.sub('", "', _CLOSED.sub('", "', source)), state, frame)
    # a slash alone is the address of a page more often than a folder
    walk.found[mark:] = [one for one in walk.found[mark:] if one.effect != Reads("/")]


_DEEPEST = 8
_MOST_SCRIPTS = 200
_WAYS: Mapping[str, Callable[[Walk, str, str, State, Frame], None]] = {
    "json": _json,
    "lines": _lines,
    "shell": _shell,
    "compose": _compose,
    "compiled": _compiled,
}
