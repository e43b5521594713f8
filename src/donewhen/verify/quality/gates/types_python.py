"""Types of Python: the checker that the project configures, as it would be run there; else ours, as advice.

Where the configuration names what is checked, all of it is, because an error may show far from its cause.
Otherwise the changed files are, without tests, whose types only a project itself can ask for.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.core.quality.scoping import in_languages, is_test
from donewhen.verify.quality.gates.lines import line_reader
from donewhen.verify.quality.gates.parts import Part, Run, about, grouped, present, whole
from donewhen.verify.quality.gates.project import Project, join, upward
from donewhen.verify.quality.gates.types_mypy import by_itself, interpreter, mypy_output
from donewhen.verify.quality.model import Missing, Scope, Tool
from donewhen.verify.quality.reading import mypy, pyright
from donewhen.verify.quality.tools import find, python_of


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
    files = in_languages(scope.files, "python")
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
    return parts + ([by_itself(scope, project, rest)] if rest else [])


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
    if any(home.settings.get(name) for name in home.checker.names):
        return Part((whole(run, len(files)),), configured=True)
    wanted = [path for path in present(scope, files) if not is_test(path)]
    divider = "" if tool.name.endswith("pyright") else "--"
    return Part(about(run, wanted, divider), configured=True)


def _mypy_flags(scope: Scope, tool: Tool, home: _Home) -> tuple[str, ...]:
    own = "python_executable" in home.settings
    return (*mypy_output(scope, tool), *(() if own else interpreter(scope, tool, home.folder)))


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
