"""How a fresh copy of a Python project becomes able to run its tests.

Pure over the project's files and the programs of the PATH: it says what to run and runs nothing of the
project. A project that is locked is installed by the tool of its lock; every other gets a virtual environment
and pip, in one resolution, so that the project's own constraints win over what is only guessed.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from donewhen.project import programs as known
from donewhen.project.folder import Folder
from donewhen.workspace.setup.model import AtHand, Setup, Step
from donewhen.workspace.setup.python_declared import listed_files, table
from donewhen.workspace.setup.python_hand import MAKERS, Needs, hand
from donewhen.workspace.setup.python_interpreters import find_interpreter
from donewhen.workspace.setup.python_locked import locked_setup
from donewhen.workspace.setup.python_project import PythonProject, compiled_sources, read_project
from donewhen.workspace.setup.python_requirements import name_of
from donewhen.workspace.setup.python_tools import PROGRAMS, declared_for, imported, programs, test_tools
from donewhen.workspace.setup.python_version import told_version

VENV = ".venv"
_PIP = (
    f"{VENV}/bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet",
    "--retries", "2", "--progress-bar", "off", "--no-warn-script-location", "--prefer-binary", "--use-pep517",
)  # fmt: skip
_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "manage.py")
_RECIPES = (
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    ".justfile",
    "tox.ini",
    "noxfile.py",
)
_BUILD_WITHOUT_ISOLATION = {"mesonpy": ("meson-python", "ninja")}  # what is imported is built again at import
# modules at a root that setuptools leaves out when it looks for them itself
_NEVER_INSTALLED = frozenset(
    """
    setup conftest test tests example examples build toxfile noxfile pavement dodo tasks fabfile conanfile
    manage benchmark benchmarks exercise exercises
    """.split()
)


def python_setup(
    folder: Path, commands: Sequence[Sequence[str]], env: Mapping[str, str] | None = None
) -> Setup | None:
    """How a fresh copy of `folder` is prepared for the commands; None when they need no Python."""
    files = Folder(folder)
    if not _concerned(files, commands):
        return None
    env = os.environ if env is None else env
    project = read_project(files)
    return locked_setup(files, project, env) or _with_pip(files, project, commands, env)


def python_needed(folder: Path, commands: Sequence[Sequence[str]]) -> bool:
    """Whether the commands need Python at all; the same question without the work of an answer to how."""
    return _concerned(Folder(folder), commands)


def python_at_hand(
    folder: Path, commands: Sequence[Sequence[str]], env: Mapping[str, str], *, whole: bool = False
) -> AtHand | None:
    """An environment of the user's own that has the runner, or with `whole` everything."""
    files = Folder(folder)
    project = read_project(files)
    runners = _runners(files, commands)
    needs = Needs(commands, runners, lambda: _tools(files, project, commands, runners))
    return hand(files, project, needs, env, whole=whole)


def _concerned(files: Folder, commands: Sequence[Sequence[str]]) -> bool:
    need = known.need(commands, "python")
    return need == "sure" or (need == "maybe" and any(name in files.names for name in _MARKS))


def _runners(files: Folder, commands: Sequence[Sequence[str]]) -> list[str]:
    """Distributions of the programs that the commands start, also behind make and its kind."""
    started = programs(commands)
    if any(known.need([argv], "python") == "maybe" for argv in commands):
        words = " ".join(files.text(name) for name in _RECIPES).replace(".", " ").split()
        started += [name for name in ("pytest", "nose2", "trial", "behave", "coverage") if name in words]
    found = dict.fromkeys(PROGRAMS[name] for name in started if name in PROGRAMS)
    return list(found)


def _tools(
    files: Folder, project: PythonProject, commands: Sequence[Sequence[str]], runners: list[str]
) -> list[str]:
    """What the tests are seen to need beside what the project says they do."""
    found = [*test_tools(files, commands, "pytest" in runners), *declared_for(imported(files), project.pool)]
    return [tool for tool in dict.fromkeys(found) if name_of(tool) not in (project.name, *runners)]


def _with_pip(
    files: Folder, project: PythonProject, commands: Sequence[Sequence[str]], env: Mapping[str, str]
) -> Setup:
    runners = _needed_runners(_runners(files, commands), env)
    tools = _tools(files, project, commands, runners)
    runners = [runner for runner in runners if runner != project.name]
    step = _install(files, project, runners, tools)
    told = told_version(files)
    steps = [_venv(project, env, bare=step is None)]
    needed = _BUILD_WITHOUT_ISOLATION.get(project.backend, ())
    if needed and project.installs:
        steps.append(Step((*_PIP, *needed, *project.builds), "pyproject.toml [build-system]"))
    if step:
        steps.append(step._replace(env=told))
    again = Step((*_PIP, *_isolation(project), "--no-deps", "-e", "."), "pyproject.toml", env=told)
    return Setup(
        "python",
        "",
        tuple(steps),
        _inputs(files, project),
        (VENV,),
        (f"{VENV}/bin",),
        {"UV_NO_SYNC": "1", "UV_FROZEN": "1"} if "uv" in programs(commands) else {},
        again=(again,) if project.installs and (project.compiles or told) else (),
        salt=_top_level(files) if project.flat and project.installs and _by_setuptools(project) else "",
    )


def _needed_runners(runners: list[str], env: Mapping[str, str]) -> list[str]:
    """Without tools that make environments of their own and are there already."""
    path = env.get("PATH", "")
    return [name for name in runners if name not in MAKERS or not shutil.which(name, path=path)]


def _isolation(project: PythonProject) -> tuple[str, ...]:
    return ("--no-build-isolation",) if project.backend in _BUILD_WITHOUT_ISOLATION else ()


def _venv(project: PythonProject, env: Mapping[str, str], bare: bool) -> Step:
    found = find_interpreter(env, project.requires_python) or find_interpreter(env, "")
    python = (found.base or found.executable) if found else "python3"
    options = ("--without-pip",) if bare else ()
    return Step(
        (python, "-m", "venv", "--clear", *options, VENV),
        "python -m venv",
        instead=(
            ("uv", "venv", "--clear", "--seed", "--python", python, VENV),
            ("virtualenv", "--clear", "-p", python, VENV),
            (python, "-m", "virtualenv", "--clear", VENV),
        ),
    )


def _install(files: Folder, project: PythonProject, runners: list[str], tools: list[str]) -> Step | None:
    """One resolution of all that is wanted; if it fails less and less, and then the rest piece by piece."""
    base = (*_PIP, *_isolation(project))
    bare, full, source = _essential(files, project)
    pieces = [piece for piece in project.pieces if not piece.file or piece.file not in full]
    known = {*runners, *tools}
    declared = tuple(dict.fromkeys(w for p in pieces for w in p.words if not p.file and w not in known))
    listed = tuple(word for p in pieces for word in p.words if p.file)
    wishes = (*full, *runners, *tools, *declared, *listed)
    if not wishes:
        return None
    attempts = [
        (*full, *runners, *tools, *declared),
        (*full, *runners, *tools),
        (*full, *runners),
        (*bare, *runners),
    ]
    if (
        project.installs
        and "pyproject.toml" in files.names
        and "build-backend" not in files.text("pyproject.toml")
    ):
        attempts.append(
            (*(project.dependencies or ()), *runners)
        )  # an application that nobody ever installed
    unlike = dict.fromkeys(words for words in attempts if words and words != wishes)
    rest = [tuple(p.words) for p in pieces] + [(tool,) for tool in tools]
    rest += [full] if full != bare else []
    return Step(
        (*base, *wishes),
        source,
        instead=tuple((*base, *words) for words in unlike),
        rest=tuple((*base, *words) for words in dict.fromkeys(rest)),
    )


def _essential(files: Folder, project: PythonProject) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The project itself without and with its extras, or, when it does not install, what it runs with."""
    if project.installs:
        extras = f"[{','.join(project.extras)}]" if project.extras else ""
        source = project.manifests[0] if project.manifests else "setup.py"
        return ("-e", "."), ("-e", f".{extras}"), source
    words = tuple(project.dependencies or ())
    listed = ("-r", "requirements.txt") if files.text("requirements.txt").strip() else ()
    return words, (*words, *listed), "requirements.txt" if listed else "tests"


def _inputs(files: Folder, project: PythonProject) -> tuple[str, ...]:
    listed = [piece.file for piece in project.pieces if piece.file]
    listed += [name for name in ("requirements.txt",) if name in files.names]
    listed += _read_by_build(files)
    names = [*project.manifests, *listed_files(files, listed)]
    built = compiled_sources(files) if project.compiles else []
    return tuple(dict.fromkeys([*names, *built]))


def _read_by_build(files: Folder) -> list[str]:
    """Folder that setuptools takes dependencies from."""
    dynamic = table(files.toml("pyproject.toml"), "tool", "setuptools", "dynamic")
    entries = [dynamic.get("dependencies"), *table(dynamic, "optional-dependencies").values()]
    named = [table({"it": entry}, "it").get("file") for entry in entries]
    lists = ([value] if isinstance(value, str) else value for value in named)
    found = [name for value in lists if isinstance(value, list) for name in value if isinstance(name, str)]
    return [name for name in found if files.text(name)]


def _top_level(files: Folder) -> str:
    """Modules at the root that setuptools may install: an editable install knows those that it found."""
    modules = {name for name in files.names if name.endswith(".py") and not _is_aside(name[:-3])}
    packages = {name for name in files.folders if (files.folder / name / "__init__.py").is_file()}
    return " ".join(sorted(modules | (packages - {"test", "tests"})))


def _by_setuptools(project: PythonProject) -> bool:
    return project.backend.startswith("setuptools")


def _is_aside(name: str) -> bool:
    return name in _NEVER_INSTALLED or name.startswith(("test_", ".", "_")) or name.endswith("_test")
