"""Files of the line that tools run by convention: a test that pytest collects, a script of package.json.

Such a file is ordinary work and mostly only partly known, so it counts for what it surely does: effects of
which nothing is open are kept, the rest is dropped.
"""

import json
from collections.abc import Iterator

from donewhen.guard import programs
from donewhen.guard.state import State
from donewhen.guard.walk.base import Frame, Walk, inner_path
from donewhen.guard.walk.nested import subshell, text

_PYTHON = frozenset(
    "pytest py.test python python3 pip pip3 pipx tox nox coverage uv poetry pdm hatch rye pre-commit "
    "django-admin flask celery gunicorn uvicorn mypy sphinx-build".split()
)
_NODE = frozenset(
    "npm npx yarn pnpm pnpx bun bunx node deno tsx ts-node jest vitest mocha ava tap c8 nyc vite webpack "
    "rollup eslint prettier next playwright cypress gulp grunt".split()
)
_RUBY = frozenset("ruby rake rspec bundle rails cucumber".split())
_MAKE = frozenset(("make", "gmake"))
# Who may run a file of this ending, and what reads it.
_ENDINGS = (
    ((".py",), _PYTHON, "python3"),
    ((".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"), _NODE, "node"),
    ((".rb", "/Rakefile", "/Gemfile"), _RUBY, "ruby"),
    (("/GNUmakefile", "/makefile", ".mk"), _MAKE, "make"),
)
RUNNING = _PYTHON | _NODE | _RUBY | _MAKE
_HERE = "\0project"
_FROM_INPUT = {"make": ("make", "-f", "-")}


def run_project(walk: Walk, name: str, state: State, frame: Frame) -> None:
    """A tool that runs the project's files: those of the line are judged."""
    if any(called == _HERE for called, _ in frame.calls):
        return  # files of the line that run each other
    frame = frame._replace(calls=(*frame.calls, (_HERE, frame.forks)))
    for path, source in [*state.files.items()]:
        key = (f"{name} {path}", source)
        if path.startswith("/dev/") or key in walk.followed or not walk.step():
            continue
        walk.followed.add(key)
        mark = len(walk.found)
        inside = inner_path(frame, path.rpartition("/")[2])._replace(stdin=None, wants=False)
        if name in _NODE and path.endswith("/package.json"):
            for line in _scripts(source):
                text(walk, line, name, subshell(state, frame), inside)
        else:
            _read_as(walk, name, path, source, state, inside)
        walk.keep_sure(mark)


def _read_as(walk: Walk, name: str, path: str, source: str, state: State, frame: Frame) -> None:
    for endings, tools, reader in _ENDINGS:
        if name in tools and path.endswith(endings) and reader in programs.readers() and walk.deeper(frame):
            argv = _FROM_INPUT.get(reader, (reader,))
            walk.command(argv, subshell(state, frame), frame._replace(stdin=source, plain=True))


def _scripts(source: str) -> Iterator[str]:
    try:
        found = json.loads(source).get("scripts", {}).values()
    except (ValueError, AttributeError, RecursionError):
        return
    yield from (one for one in found if isinstance(one, str))
