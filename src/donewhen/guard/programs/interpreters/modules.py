"""`python -m name`: modules of the standard library that do something, and those that are programs of "
"their own.

An unlisted module is code of the project, or installed; like any program without a reader it is taken to read
the paths it is given.
"""

from collections.abc import Callable, Iterable, Sequence

from donewhen.guard.call import Call, Nested, Words
from donewhen.guard.effects import Connects, Effect, Installs, Reads, Sends, Unknown, Writes
from donewhen.guard.marks import HOLE, certain

_PROGRAMS = {name: name.replace("_", "-") for name in (
    "pip pytest black ruff mypy isort flake8 pylint tox nox twine poetry uv pipx pdm hatch conda virtualenv "
    "flask "
    "uvicorn gunicorn jupyter pre_commit alembic celery django ansible cython invoke pyright bandit sphinx "
    "mkdocs donewhen"
).split()} | {"pip3": "pip", "awscli": "aws", "httpie": "http", "django": "django-admin",
"youtube_dl": "youtube-dl"}  # fmt: skip
_SAME = frozenset(
    "cProfile profile pdb trace runpy bdb memory_profiler line_profiler kernprof viztracer scalene".split()
)
_VALUED = frozenset(
    "-o -s -c -C -m --outfile --sort -n --number -r --repeat -u --unit -d --directory -b --bind -p".split()
)

_Found = Iterable[Effect | Nested]


def module(call: Call, name: str, words: Sequence[str]) -> _Found:
    """What `python -m name words…` does."""
    if not certain(name):
        return (Unknown("guard.unknown_code", name),)
    if name in _PROGRAMS:
        return (Words((_PROGRAMS[name], *words), call.name, stdin=call.stdin),)
    if name in _SAME:
        return _under(call, words)
    known = _OWN.get(name)
    return known(call, words) if known is not None else _paths(call, words)


def _paths(call: Call, words: Sequence[str]) -> _Found:
    for word in words:
        value = word.partition("=")[2] if word.startswith("-") else word
        if value:
            yield Reads(call.at(value))


def _operands(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = word in _VALUED
        else:
            found.append(word)
    return found


def _option(words: Sequence[str], *names: str) -> list[str] | None:
    """What follows one of the options, up to the next one."""
    for at, word in enumerate(words):
        if word in names:
            return [one for one in words[at + 1 :] if not one.startswith("-")]
    return None


def _under(call: Call, words: Sequence[str]) -> _Found:
    """A profiler or debugger: the rest is another call of the interpreter."""
    at = 0
    while at < len(words):
        if words[at] == "-m":
            yield Words((call.argv[0], *words[at:]), call.name, stdin=call.stdin)
            return
        if words[at] in ("-o", "--outfile", "-C", "--coverdir") and at + 1 < len(words):
            yield Writes(call.at(words[at + 1]))
        if words[at] == "-c" and at + 1 < len(words) and words[at + 1].startswith(("!", "import")):
            yield Unknown("guard.unknown_code", words[at + 1])
        if not words[at].startswith("-"):
            yield Words((call.argv[0], *words[at:]), call.name, stdin=call.stdin)
            return
        at += 2 if words[at] in _VALUED else 1


def _venv(call: Call, words: Sequence[str]) -> _Found:
    for path in _operands(words):
        yield Writes(call.at(path))


def _archive(call: Call, words: Sequence[str]) -> _Found:
    out = _option(words, "-e", "--extract")
    made = _option(words, "-c", "--create")
    for position, path in enumerate(out or ()):
        yield Reads(call.at(path)) if position == 0 else Writes(call.at(path))
    if out is not None and len(out) < 2:
        yield Writes(call.at(f"./{HOLE}" if not call.folder else "."))
    for position, path in enumerate(made or ()):
        yield Writes(call.at(path)) if position == 0 else Reads(call.at(path))
    if out is None and made is None:
        yield from _paths(call, words)


def _json_tool(call: Call, words: Sequence[str]) -> _Found:
    for position, path in enumerate(_operands(words)):
        yield Reads(call.at(path)) if position == 0 else Writes(call.at(path))


def _timeit(call: Call, words: Sequence[str]) -> _Found:
    setups = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-s", "--setup")]
    yield Words((call.argv[0], "-c", "\n".join((*setups, *_operands(words)))), call.name)


def _compressed(call: Call, words: Sequence[str]) -> _Found:
    for path in _operands(words):
        yield Reads(call.at(path))
        yield Writes(call.at(path.removesuffix(".gz") if "-d" in words else f"{path}.gz"))


def _ensurepip(call: Call, words: Sequence[str]) -> _Found:
    yield Installs("pip", "user" if call.elsewhere == "" and "--user" in words else "project")


def _compiled(call: Call, words: Sequence[str]) -> _Found:
    for path in _operands(words):
        folder = path.rpartition("/")[0] or "." if path.endswith(".py") else path
        yield Writes(call.at(f"{folder}/__pycache__"))


def _zipapp(call: Call, words: Sequence[str]) -> _Found:
    out = [word.partition("=")[2] for word in words if word.startswith("--output=")]
    out += (_option(words, "-o", "--output") or [])[:1]
    for source in [word for word in _operands(words) if word not in out][:1]:
        yield Reads(call.at(source))
        out = out or [f"{source.removesuffix('/')}.pyz"]
    yield from (Writes(call.at(path)) for path in out)


def _nothing(call: Call, words: Sequence[str]) -> _Found:
    return ()


def _server(call: Call, words: Sequence[str]) -> _Found:
    for path in _option(words, "-d", "--directory") or ():
        yield Reads(call.at(path))


def _coverage(call: Call, words: Sequence[str]) -> _Found:
    if words[:1] == ["run"] or tuple(words[:1]) == ("run",):
        yield from _under(call, words[1:])
    else:
        yield from _paths(call, words)


def _code(call: Call, words: Sequence[str]) -> _Found:
    if call.stdin is not None:
        yield Words((call.argv[0], "-"), call.name, stdin=call.stdin)


def _unittest(call: Call, words: Sequence[str]) -> _Found:
    return _paths(call, [word for word in words if "/" in word])


def _sqlite(call: Call, words: Sequence[str]) -> _Found:
    yield Words(("sqlite3", *words), call.name, stdin=call.stdin)


def _build(call: Call, words: Sequence[str]) -> _Found:
    for path in _option(words, "-o", "--outdir") or ():
        yield Writes(call.at(path))


def _ftp(call: Call, words: Sequence[str]) -> _Found:
    for host in _operands(words)[:1]:
        yield Connects(host)
        yield Sends(host, "data")


_OWN: dict[str, Callable[[Call, Sequence[str]], _Found]] = {
    "venv": _venv, "zipfile": _archive, "tarfile": _archive, "json.tool": _json_tool, "json": _json_tool,
    "timeit": _timeit, "gzip": _compressed, "ensurepip": _ensurepip, "http.server": _server,
    "SimpleHTTPServer": _nothing, "coverage": _coverage, "code": _code, "unittest": _unittest,
    "doctest": _unittest,
    "compileall": _compiled, "py_compile": _compiled, "zipapp": _zipapp, "asyncio": _code,
    "site": _nothing, "sysconfig": _nothing,
    "platform": _nothing,
    "this": _nothing, "calendar": _nothing, "sqlite3": _sqlite, "build": _build, "ftplib": _ftp,
}  # fmt: skip
