"""How mypy is asked; where a project has no configuration at all, about its changed files and as advice.

mypy knows files as modules. Two files that it takes for one module make it give up, and what it remembers of
a module it tells of whichever file bears the name next: such files go apart, and without a memory.
"""

from donewhen.verify.quality.gates.parts import Part, Run, about, cache
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.gates.versions import at_least
from donewhen.verify.quality.model import Ask, Missing, Scope, Tool
from donewhen.verify.quality.reading import mypy
from donewhen.verify.quality.tools import find, python_of

_JSON_SINCE = "1.11"
_SOURCE = "src"
_FLAGS = (
    "--config-file=",
    "--ignore-missing-imports",
    "--follow-imports=silent",
    "--explicit-package-bases",
)


def by_itself(scope: Scope, project: Project, files: list[str]) -> Part:
    tool = find("mypy", scope, "types")
    if isinstance(tool, Missing):
        return Part(missing=(tool,))
    env = {"MYPYPATH": _SOURCE} if project.has(_SOURCE) else {}
    asks: list[Ask] = []
    for portion in portions(files):
        kept = all(_is_plain(path) for path in portion)
        output = mypy_output(scope if kept else scope._replace(caches=None), tool)
        asks += about(Run(tool, (*output, *_FLAGS, *interpreter(scope, tool)), mypy.read, env=env), portion)
    return Part(tuple(asks))


def mypy_output(scope: Scope, tool: Tool) -> tuple[str, ...]:
    form = (
        ("--output", "json")
        if at_least(tool.version, _JSON_SINCE)
        else ("--show-column-numbers", "--show-error-codes", "--no-pretty", "--no-color-output")
    )
    return (*form, "--no-error-summary", "--cache-dir", cache(scope, "types", "mypy") or "/dev/null")


def interpreter(scope: Scope, tool: Tool, near: str = "") -> tuple[str, ...]:
    """A checker from elsewhere is told where the project's libraries are."""
    python = python_of(scope, near) if tool.origin != "project" else ""
    return ("--python-executable", python) if python else ()


def portions(files: list[str]) -> list[list[str]]:
    """The files in as few runs as have no module twice; those with plain names first."""
    found: list[tuple[bool, dict[str, str]]] = []
    for path in sorted(files, key=_is_plain, reverse=True):
        module, plain = module_of(path), _is_plain(path)
        portion = next((each for kind, each in found if kind == plain and module not in each), None)
        if portion is None:
            portion = {}
            found.append((plain, portion))
        portion[module] = path
    return [list(portion.values()) for _, portion in found]


def module_of(path: str) -> str:
    """What is behind the last folder that no package may be called; a stub and its source are one module."""
    *folders, name = path.split("/")
    odd = [at + 1 for at, folder in enumerate(folders) if not folder.isidentifier()]
    start = max([*odd, int(folders[:1] == [_SOURCE])])
    return ".".join((*folders[start:], name.partition(".")[0]))


def _is_plain(path: str) -> bool:
    return all(folder.isidentifier() for folder in path.split("/")[:-1])
