"""A Python environment that is there already: one in the project, the active one, or the Python of the PATH.

It serves only when it has what the commands start and the project's own dependencies, and when importing the
project there gives this very folder: a copy that was installed from elsewhere would be tested instead. An
environment inside the project is read, never started; the one that the harness lives in has to hold the
project itself, not just a test runner.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.workspace.setup import heads
from donewhen.workspace.setup.model import AtHand
from donewhen.workspace.setup.python_files import Files
from donewhen.workspace.setup.python_interpreters import interpreters
from donewhen.workspace.setup.python_project import PythonProject
from donewhen.workspace.setup.python_requirements import name_of, normal
from donewhen.workspace.setup.python_tools import pytest_settings

_IN_PROJECT = (".venv", "venv", "env", ".env")
_BRING_THEIR_OWN = frozenset(("tox", "nox", "uv", "uvx", "poetry", "hatch", "pdm", "pipenv", "rye"))
_ENTRY = re.compile(r"([A-Za-z0-9_.]+?)(?:-[^-]{1,100})?(?:-py[\d.]+)?\.(dist-info|egg-info|egg-link)")
_MOST = 5000


class Installed:
    """The distributions of an environment, by what lies in its folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._at: dict[str, Path] = {}
        for folder in folders:
            for name in _names(folder):
                match = _ENTRY.fullmatch(name)
                if match:
                    self._at.setdefault(normal(match[1]), folder / name)
        self.names = frozenset(self._at)

    def is_from(self, name: str, folder: Path) -> bool:
        """Whether a distribution is an editable install of that very folder."""
        entry = self._at.get(name)
        if entry is None:
            return False
        if entry.suffix == ".egg-link":
            lines = _text(entry).splitlines()
            return bool(lines) and _inside(lines[0].strip(), folder)
        try:
            url = json.loads(_text(entry / "direct_url.json") or "{}")
        except (ValueError, RecursionError):
            return False
        if not isinstance(url, dict) or not (url.get("dir_info") or {}).get("editable"):
            return False
        return _inside(unquote(urlsplit(str(url.get("url", ""))).path), folder)


class Needs(NamedTuple):
    """What commands need of an environment."""

    commands: Sequence[Sequence[str]]
    runners: Sequence[str]  # distributions of what they start
    tools: Sequence[str]  # requirements that their tests are seen to have


def hand(files: Files, project: PythonProject, needs: Needs, env: Mapping[str, str]) -> AtHand | None:
    path = env.get("PATH", "")
    names = [heads.program(argv) for argv in needs.commands]
    if names and all(name in _BRING_THEIR_OWN and shutil.which(name, path=path) for name in names):
        return AtHand("python", source=f"PATH {names[0]}")
    for place, prefix in _environments(files.folder, env):
        found = Installed(_site_packages(prefix))
        own = place in _IN_PROJECT
        if _serves(files, project, needs, found, own, ours=_is_ours(prefix)):
            return AtHand("python", (str(prefix / "bin"),), source=place)
    here = next(interpreters(env), None)  # the one that a command would get
    if here is None or not all(shutil.which(name, path=path) for name in names):
        return None
    found = Installed([Path(folder) for folder in here.folders])
    if _serves(files, project, needs, found, own=False, ours=here.is_ours):
        return AtHand("python", source="PATH python")
    return None


def _environments(folder: Path, env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    for name in _IN_PROJECT:
        if (folder / name / "pyvenv.cfg").is_file() and os.access(folder / name / "bin/python", os.X_OK):
            yield name, folder / name
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = Path(env.get(variable, ""))
        if prefix.is_absolute() and os.access(prefix / "bin/python", os.X_OK):
            yield variable, prefix


def _is_ours(prefix: Path) -> bool:
    return prefix.resolve() == Path(sys.prefix).resolve()


def _site_packages(prefix: Path) -> list[Path]:
    below = [prefix / "lib" / name / "site-packages" for name in _names(prefix / "lib") if "python" in name]
    return [folder for folder in below if folder.is_dir()]


def _serves(
    files: Files, project: PythonProject, needs: Needs, found: Installed, own: bool, ours: bool
) -> bool:
    """`own`: it lies in the project, so it was made for it."""
    if {normal(name) for name in needs.runners if name not in _BRING_THEIR_OWN} - found.names:
        return False
    if project.installs and project.name and found.is_from(project.name, files.folder):
        return True
    if own:
        return _suffices(files, project, found)
    return not ours and _needs_nothing(files, project, needs, found)


def _suffices(files: Files, project: PythonProject, found: Installed) -> bool:
    """Whether an environment of the project's own has its dependencies, and its sources are found."""
    if project.dependencies is None or project.compiles:
        return project.name not in found.names
    wanted = {name_of(text) for text in project.dependencies if ";" not in text}
    from_root = project.flat or "pythonpath" in pytest_settings(files)
    return not wanted - found.names and (from_root or not project.installs)


def _needs_nothing(files: Files, project: PythonProject, needs: Needs, found: Installed) -> bool:
    """Whether any Python with the runner would do: nothing to install, no copy from elsewhere in the way."""
    listed = [word for piece in project.pieces for word in piece.words]
    if project.dependencies or project.dependencies is None or project.compiles or project.extras:
        return False
    if "-r" in listed or files.text("requirements.txt").strip() or project.name in found.names:
        return False
    if {name_of(text) for text in (*listed, *needs.tools)} - found.names:
        return False
    return "pythonpath" in pytest_settings(files) or (project.flat and _finds_root(files, needs))


def _finds_root(files: Files, needs: Needs) -> bool:
    """Whether the root is on the path of imports: `python -m`, or pytest going up from the tests."""
    if "conftest.py" in files.names or all(
        argv[0].rpartition("/")[2].startswith("python") for argv in needs.commands
    ):
        return True
    tops = {path.partition("/")[0] for path in files.test_files if "/" in path}
    return all((files.folder / top / "__init__.py").is_file() for top in tops)


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(_MOST), strict=False))
    except OSError:
        return []


def _text(path: Path) -> str:
    try:
        found = read_regular(path, path.name)
    except DonewhenError:
        return ""
    return found.data.decode("utf-8", "replace") if found else ""


def _inside(text: str, folder: Path) -> bool:
    """Whether an install points at the folder, or at a folder of sources in it."""
    if not text.startswith("/") or "\0" in text:
        return False
    there = Path(text).resolve()
    return there in (folder.resolve(), folder.resolve() / "src", folder.resolve() / "lib")
