"""Types of Python: the checker that the project configures, as it would be run there; else ours, as advice.

Where the configuration names what is checked, all of it is, because an error may show far from its cause.
Otherwise the changed files are, without tests, whose types only a project itself can ask for. A mypy that is
not the project's own looks at the interpreter that runs the tests; what it misses where that is not known, or
has nothing installed, may well be there.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.quality.model import Violation
from donewhen.core.quality.scoping import in_languages, is_test
from donewhen.verify.quality.coverage.interpreters import find_program, has_packages
from donewhen.verify.quality.gates.lines import line_reader
from donewhen.verify.quality.gates.parts import Part, Reader, Run, about, grouped, present, whole
from donewhen.verify.quality.gates.project import Project, join, upward
from donewhen.verify.quality.gates.types_mypy import by_itself, mypy_output
from donewhen.verify.quality.model import Ask, Missing, Scope, Tool
from donewhen.verify.quality.reading import mypy, pyright
from donewhen.verify.quality.tools import find, python_of

_MYPY_ENDS = frozenset((0, 1, 2))  # 2: a file that it can't parse, or that it did not work and says nothing
_IMPORTS = frozenset(("import-not-found", "import-untyped", "import"))
_EXECUTABLE = "--python-executable"


class Checker(NamedTuple):
    """Where a checker is configured, and which keys there say what it looks at."""

    tool: str
    places: tuple[tuple[str, tuple[str, ...]], ...]  # file, keys
    names: tuple[str, ...]


_CHECKERS = (
    Checker(
        "mypy",
        (
            ("mypy.ini", ("mypy",)),
            (".mypy.ini", ("mypy",)),
            ("pyproject.toml", ("tool", "mypy")),
            ("setup.cfg", ("mypy",)),
        ),
        ("files", "packages", "modules"),
    ),
    Checker("basedpyright", (("pyproject.toml", ("tool", "basedpyright")),), ("include",)),
    Checker(
        "pyright",
        (("pyrightconfig.json", ()), ("pyproject.toml", ("tool", "pyright"))),
        ("include", "strict"),
    ),
    Checker("ty", (("ty.toml", ()), ("pyproject.toml", ("tool", "ty"))), ()),
)


class _Home(NamedTuple):
    checker: Checker
    folder: str
    settings: Mapping[str, Any]


def python_types(scope: Scope, project: Project) -> list[Part]:
    files = in_languages(scope.files, "python", fresh=scope.fresh)
    homes: dict[str, _Home] = {}

    def home(path: str) -> str | None:
        for folder in upward(path):
            found = _home(project, folder)
            if found:
                homes[folder] = found
                return folder
        return None

    groups = grouped(files, home)
    parts = [_configured(scope, homes[folder], names) for folder, names in groups.items()]
    placed = {name for names in groups.values() for name in names}
    rest = list(present(scope, (path for path in files if path not in placed)))
    return parts + ([_ours(scope, by_itself(scope, project, rest))] if rest else [])


def _ours(scope: Scope, part: Part) -> Part:
    return part._replace(asks=tuple(_told_interpreter(scope, ask) for ask in part.asks))


def _told_interpreter(scope: Scope, ask: Ask) -> Ask:
    """The same with the interpreter of the tests, where it does not name one, and with mypy's exit codes."""
    head = len(ask.tool.argv)
    flags = () if _EXECUTABLE in ask.argv else _interpreter(scope, ask.tool)
    argv = (*ask.argv[:head], *flags, *ask.argv[head:])
    return ask._replace(argv=argv, read=_mypy_reader(scope, ask.tool), ok=_MYPY_ENDS)


def _home(project: Project, folder: str) -> _Home | None:
    for checker in _CHECKERS:
        for name, keys in checker.places:
            file = join(folder, name)
            settings = project.under(file, *keys)
            if settings or (not keys and project.has(file)) or (keys and _is_empty(project, file, keys)):
                return _Home(checker, folder, settings)
    return None


def _is_empty(project: Project, file: str, keys: Sequence[str]) -> bool:
    """A section without any line configures the tool nevertheless."""
    return keys[-1] in project.under(file, *keys[:-1])


def _configured(scope: Scope, home: _Home, files: list[str]) -> Part:
    tool = find(home.checker.tool, scope, "types", home.folder)
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    flags = _FLAGS[home.checker.tool](scope, tool, home)
    run = Run(tool, flags, _READERS[home.checker.tool], home.folder)
    if home.checker.tool == "mypy":
        told = "python_executable" in home.settings
        read = mypy.read if told else _mypy_reader(scope, tool, home.folder)
        run = run._replace(read=read, ok=_MYPY_ENDS)
    if any(home.settings.get(name) for name in home.checker.names):
        return Part((whole(run, len(files)),), configured=True)
    wanted = [path for path in present(scope, files) if not is_test(path)]
    divider = "" if tool.name.endswith("pyright") else "--"
    return Part(about(run, wanted, divider), configured=True)


def _mypy_flags(scope: Scope, tool: Tool, home: _Home) -> tuple[str, ...]:
    own = "python_executable" in home.settings
    return (*mypy_output(scope, tool), *(() if own else _interpreter(scope, tool, home.folder)))


def _interpreter(scope: Scope, tool: Tool, near: str = "") -> tuple[str, ...]:
    """A checker from elsewhere is told where the project's libraries are."""
    python = _python(scope, near) if tool.origin != "project" else ""
    return (_EXECUTABLE, python) if python else ()


def _python(scope: Scope, near: str) -> str:
    """The interpreter that runs the tests, by what is known before they run; empty: not known."""
    own = python_of(scope, near)
    if own:
        return own
    root = Path(os.path.realpath(scope.root))
    path = [each for each in scope.env.get("PATH", "").split(os.pathsep) if each.startswith("/")]
    outside = [each for each in path if not Path(os.path.realpath(each)).is_relative_to(root)]
    found = (find_program(name, outside) for name in ("python", "python3"))
    return next((str(each) for each in found if each is not None and has_packages(each) is not None), "")


def _mypy_reader(scope: Scope, tool: Tool, near: str = "") -> Reader:
    if tool.origin == "project":
        return mypy.read
    python = _python(scope, near)
    return mypy.read if python and has_packages(Path(python)) else partial(_lenient, mypy.read)


def _lenient(read: Reader, text: str, folder: str) -> tuple[Violation, ...]:
    """Nobody can say that a library is missing who does not see what is installed."""
    return tuple(
        each._replace(severity="warning") if each.rule in _IMPORTS and each.severity == "error" else each
        for each in read(text, folder)
    )


def _pyright_flags(scope: Scope, tool: Tool, home: _Home) -> tuple[str, ...]:
    python = python_of(scope, home.folder)
    return ("--outputjson", *(("--pythonpath", python) if python else ()))


def _ty_flags(scope: Scope, tool: Tool, home: _Home) -> tuple[str, ...]:
    python = python_of(scope, home.folder)
    flags = ("check", "--output-format", "concise", "--no-progress", "--color", "never")
    return (*flags, *(("--python", python) if python else ()))


_FLAGS: Mapping[str, Callable[[Scope, Tool, _Home], tuple[str, ...]]] = {
    "mypy": _mypy_flags,
    "pyright": _pyright_flags,
    "basedpyright": _pyright_flags,
    "ty": _ty_flags,
}
_READERS = {
    "mypy": mypy.read,
    "pyright": pyright.read,
    "basedpyright": pyright.read,
    "ty": line_reader("ty"),
}
