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


def hand(
    files: Files,
    project: PythonProject,
    commands: Sequence[Sequence[str]],
    runners: Sequence[str],
    env: Mapping[str, str],
) -> AtHand | None:
    path = env.get("PATH", "")
    names = [heads.program(argv) for argv in commands]
    if names and all(name in _BRING_THEIR_OWN and shutil.which(name, path=path) for name in names):
        return AtHand("python", source=f"PATH {names[0]}")
    for place, prefix in _environments(files.folder, env):
        found = Installed(_site_packages(prefix))
        inside = place in _IN_PROJECT
        if _serves(files, project, runners, found, lenient=inside, ours=_is_ours(prefix)):
            return AtHand("python", (str(prefix / "bin"),), source=place)
    if not all(shutil.which(name, path=path) for name in names):
        return None
    for here in interpreters(env):
        found = Installed([Path(folder) for folder in here.folders])
        if _serves(files, project, runners, found, lenient=False, ours=here.is_ours):
            return AtHand("python", source="PATH python")
        return None  # only the one that a command would get
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
    files: Files,
    project: PythonProject,
    runners: Sequence[str],
    found: Installed,
    lenient: bool,
    ours: bool,
) -> bool:
    needed = {normal(name) for name in runners if name not in _BRING_THEIR_OWN}
    if needed - found.names:
        return False
    if project.installs and project.name and found.is_from(project.name, files.folder):
        return True
    if ours and not lenient:
        return False
    if project.dependencies is None or project.compiles:
        return lenient and project.name not in found.names
    wanted = {name_of(text) for text in project.dependencies if ";" not in text}
    if not lenient and (wanted or _has_list(files)):
        return False
    return not wanted - found.names and (_from_root(files, project) or not project.installs)


def _has_list(files: Files) -> bool:
    return any(
        line.strip() and line.lstrip()[0] != "#" for line in files.text("requirements.txt").splitlines()
    )


def _from_root(files: Files, project: PythonProject) -> bool:
    """Whether the tests import the project from its folder without any install."""
    return project.flat or "pythonpath" in pytest_settings(files)


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
