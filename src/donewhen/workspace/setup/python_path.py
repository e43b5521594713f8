"""Whether the commands themselves put the sources of a project on the path of imports.

`python -m` and a script at the root put the root there, pytest the first folder above a test that is no
package, its setting `pythonpath` whatever it names. Told from files and words; in doubt it is no.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from donewhen.project import programs
from donewhen.project.folder import Folder
from donewhen.project.python_tests import pytest_settings
from donewhen.workspace.setup.python_project import PythonProject

_SOURCES = ("src", "lib")


def finds_sources(files: Folder, project: PythonProject, commands: Sequence[Sequence[str]]) -> bool:
    """Whether every command would import the project from its own folder without it being installed."""
    settings = pytest_settings(files)
    ours = [argv for argv in commands if programs.need([argv], "python") != "no"]
    return all(_finds(files, project.flat, argv, settings) for argv in ours)


def _finds(files: Folder, flat: bool, argv: Sequence[str], settings: dict[str, Any]) -> bool:
    if "pytest" in argv or programs.program(argv) in ("pytest", "py.test"):
        named = _words(settings.get("pythonpath"))
        if any(name.removeprefix("./").rstrip("/") in (("", ".") if flat else _SOURCES) for name in named):
            return True
    if programs.program(argv).startswith("python"):
        return _from_root(argv) if flat else _discovers_sources(argv)
    return flat and _rises_to_root(files, settings)


def _from_root(argv: Sequence[str]) -> bool:
    """`python -m unittest`, `python runtests.py`; a script in a folder puts that folder there instead."""
    if "-m" in argv:
        return True
    script = next((word for word in argv if word.endswith(".py")), "")
    return bool(script) and "/" not in script.removeprefix("./")


def _discovers_sources(argv: Sequence[str]) -> bool:
    """`python -m unittest discover -s src` starts where the sources are."""
    if "unittest" not in argv:
        return False
    options = dict(pairwise(argv))
    top = next((options[flag] for flag in ("-t", "-s") if flag in options), "")
    return top.removeprefix("./").rstrip("/") in _SOURCES


def _rises_to_root(files: Folder, settings: dict[str, Any]) -> bool:
    """Whether pytest itself goes up from the tests to the root."""
    if "importlib" in str(settings.get("addopts", "")):
        return False
    if "conftest.py" in files.names:
        return True
    folders = {path.rpartition("/")[0] for path in files.test_files}
    return bool(folders) and all(_is_package(files, folder) for folder in folders)


def _is_package(files: Folder, folder: str) -> bool:
    """With all folders above it, up to the root."""
    while folder:
        if not (files.folder / folder / "__init__.py").is_file():
            return False
        folder = folder.rpartition("/")[0]
    return True


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split()
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []
