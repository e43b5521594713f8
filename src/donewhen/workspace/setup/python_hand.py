"""A Python environment that is there already: one in the project, the active one, or the Python of the PATH.

Best is one that has what the commands start and where importing the project gives this very folder: the
project is installed from here, or its dependencies are there and the commands put the folder on the path
themselves. Else one in the project or the active one that has the runner is used as it is: a package that is
missing there shows as red. A copy of the project from elsewhere would be tested instead, so it never serves.
An environment inside the project is read, never started; the one that the harness lives in has to hold the
project itself.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from donewhen.project import programs
from donewhen.project.folder import Folder
from donewhen.workspace.setup.model import AtHand
from donewhen.workspace.setup.python_declared import listed_files
from donewhen.workspace.setup.python_installed import Installed, names_in
from donewhen.workspace.setup.python_interpreters import interpreters
from donewhen.workspace.setup.python_path import finds_sources
from donewhen.workspace.setup.python_project import PythonProject
from donewhen.workspace.setup.python_requirements import name_of, normal, requirements
from donewhen.workspace.setup.python_tools import imported

_IN_PROJECT = (".venv", "venv", "env", ".env")
_PYTHON = re.compile(r"python[0-9.]*")
_PROGRAMS = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xfe\xed\xfa\xcf", b"\xca\xfe\xba\xbe")  # Linux, macOS
MAKERS = frozenset(("tox", "nox", "uv", "uvx", "poetry", "hatch", "pdm", "pipenv", "rye"))  # of environments


class Needs:
    """What commands need of an environment: distributions of what they start, and, only where that is asked,
    the requirements that their tests are seen to have."""

    def __init__(
        self, commands: Sequence[Sequence[str]], runners: Sequence[str], tools: Callable[[], list[str]]
    ) -> None:
        self.commands = commands
        self.runners = runners
        self._tools = tools

    @cached_property
    def tools(self) -> list[str]:
        return self._tools()


def hand(
    files: Folder, project: PythonProject, needs: Needs, env: Mapping[str, str], *, whole: bool = False
) -> AtHand | None:
    """`whole`: only one in which nothing is missing."""
    path = env.get("PATH", "")
    names = [programs.program(argv) for argv in needs.commands]
    if names and all(name in MAKERS and shutil.which(name, path=path) for name in names):
        return AtHand("python", source=f"PATH {names[0]}")
    lean = None
    for place, prefix in _environments(files.folder, env):
        found, own, ours = Installed(_site_packages(prefix)), place in _IN_PROJECT, _is_ours(prefix)
        here = AtHand("python", (str(prefix / "bin"),), source=place)
        if _serves(files, project, needs, found, own, ours=ours):
            return here
        copied = bool(project.name) and project.name in found.names
        known = own or (bool(needs.runners) and not ours)
        if lean is None and known and not copied and _has_runners(needs, found):
            lean = here
    if lean is not None and not whole:
        return lean
    if not all(_starts(argv, files, path) for argv in needs.commands):
        return None
    plain = not (project.name or project.installs or needs.runners or needs.tools)
    if plain and _needs_nothing(files, project, needs, Installed([])):
        return AtHand("python", source="PATH python")  # any would do, so none is started to be asked
    python = next(interpreters(env), None)  # the one that a command would get
    if python is None:
        return None
    found = Installed([Path(folder) for folder in python.folders])
    if _serves(files, project, needs, found, own=False, ours=python.is_ours):
        return AtHand("python", source="PATH python")
    return None


def _starts(argv: Sequence[str], files: Folder, path: str) -> bool:
    word = programs.started(argv)
    own = "/" in word and not word.startswith("/")
    return files.has(word) if own else shutil.which(word, path=path) is not None


def _environments(folder: Path, env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    for name in _IN_PROJECT:
        if (folder / name / "pyvenv.cfg").is_file() and _has_real_python(folder / name / "bin"):
            yield name, folder / name
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = Path(env.get(variable, ""))
        if prefix.is_absolute() and os.access(prefix / "bin/python", os.X_OK):
            yield variable, prefix


def _has_real_python(bin: Path) -> bool:
    """Whether its interpreters are programs: a script of that name could say anything of any test."""
    if not os.access(bin / "python", os.X_OK):
        return False
    named = [bin / name for name in names_in(bin) if _PYTHON.fullmatch(name)]
    return all(_magic(path).startswith(_PROGRAMS) for path in named)


def _magic(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4)
    except OSError:
        return b""


def _is_ours(prefix: Path) -> bool:
    return prefix.resolve() == Path(sys.prefix).resolve()


def _site_packages(prefix: Path) -> list[Path]:
    below = [prefix / "lib" / name / "site-packages" for name in names_in(prefix / "lib") if "python" in name]
    return [folder for folder in below if folder.is_dir()]


def _serves(
    files: Folder, project: PythonProject, needs: Needs, found: Installed, own: bool, ours: bool
) -> bool:
    """`own`: it lies in the project, so it was made for it."""
    if not _has_runners(needs, found):
        return False
    if project.installs and found.is_from(project.name, files.folder):
        return True
    if own:
        return _suffices(files, project, needs, found)
    if ours and (needs.runners or needs.tools):
        return False
    return _needs_nothing(files, project, needs, found) or (
        not ours and bool(needs.runners) and _suffices(files, project, needs, found)
    )


def _has_runners(needs: Needs, found: Installed) -> bool:
    return not {normal(name) for name in needs.runners if name not in MAKERS} - found.names


def _suffices(files: Folder, project: PythonProject, needs: Needs, found: Installed) -> bool:
    """Whether an environment of the project's own, without the project in it, has all that is declared."""
    if project.dependencies is None or project.compiles or (project.name and project.name in found.names):
        return False
    wanted = [*project.dependencies, *_of_pipfile(project)]
    if not project.dependencies:
        for name in listed_files(files, ["requirements.txt"], constraints=False):
            wanted += requirements(files.text(name))
    if {name_of(text) for text in wanted if ";" not in text} - found.names:
        return False
    return (
        not project.installs or found.leads_to(files.folder) or finds_sources(files, project, needs.commands)
    )


def _of_pipfile(project: PythonProject) -> Iterator[str]:
    return (word for piece in project.pieces if piece.source == "Pipfile" for word in piece.words)


def _needs_nothing(files: Folder, project: PythonProject, needs: Needs, found: Installed) -> bool:
    """Whether any Python with the runner would do: nothing to install, no copy from elsewhere in the way."""
    if project.dependencies or project.dependencies is None or project.compiles:
        return False
    if files.text("requirements.txt").strip() or (project.name and project.name in found.names):
        return False
    wanted = {name_of(text) for text in needs.tools}
    if needs.runners or not _of_the_standard_library(files):
        listed = [word for piece in project.pieces for word in piece.words]
        if project.extras or "-r" in listed:
            return False
        wanted |= {name_of(text) for text in listed}
    return not wanted - found.names and (
        not project.installs or finds_sources(files, project, needs.commands)
    )


def _of_the_standard_library(files: Folder) -> bool:
    """Whether the tests import nothing but that and what lies in the project."""
    own = {*files.names, *files.folders, *(name.removesuffix(".py") for name in files.names)}
    return not imported(files) - sys.stdlib_module_names - own
