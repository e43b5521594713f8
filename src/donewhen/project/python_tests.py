"""How the tests of a Python project are written, and the plain command that runs them.

Looks at names and beginnings of files; nothing is imported or run. A runner is named only when the tests say
which one they are for.
"""

import re
from collections.abc import Mapping
from shlex import join, quote
from typing import Any, Literal, NamedTuple

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder

Style = Literal["pytest", "unittest", ""]

_FOR_PYTEST = lazy(
    r"^(?:[ \t]*(?:import|from)[ \t]+_?pytest\b|(?:async[ \t]+)?def[ \t]+test_?\w*\()", re.MULTILINE
)
_FOR_UNITTEST = lazy(
    r"^[ \t]*(?:import|from)[ \t]+(?:unittest2?|django\.test|testtools|twisted\.trial)\b", re.MULTILINE
)
_BARE_CLASS = lazy(r"^class[ \t]+Test\w*(?:\([ \t]*(?:object)?[ \t]*\))?:", re.MULTILINE)
_BY_ROOT = lazy(r"^[ \t]*(?:from|import)[ \t]+(tests?)\b", re.MULTILINE)
_FOUND_BY_PYTEST = lazy(r"(?:test_.*|.*_test)\.py")
_ASIDE = frozenset(
    "docs doc examples example benchmarks benchmark bench scripts tools demo samples vendor".split()
)
_MOST_NAMED = 10


def pytest_settings(files: Folder) -> dict[str, Any]:
    """The settings of pytest, from the file where it would find them."""
    for name in ("pytest.ini", ".pytest.ini"):
        if name in files.names:
            return dict(files.ini(name).get("pytest", {}))
    tool = files.toml("pyproject.toml").get("tool", {})
    own = tool.get("pytest", {}) if isinstance(tool, Mapping) else {}
    if isinstance(own, Mapping) and own:
        options = own.get("ini_options", own)
        return dict(options) if isinstance(options, Mapping) else {}
    for file, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        found = files.ini(file).get(section)
        if found is not None:
            return dict(found)
    return {}


class Tests(NamedTuple):
    style: Style
    files: tuple[str, ...]  # modules that hold tests
    named: tuple[str, ...]  # those that pytest would not find by itself, when it would find none


def look_at_tests(files: Folder) -> Tests:
    """What the tests of a project are written for; no style when there are none."""
    found: list[str] = []
    pytest = unittest = 0
    for path, text in zip(files.test_files, files.tests, strict=True):
        if path.split("/")[0] in _ASIDE:
            continue
        for_unittest = bool(_FOR_UNITTEST.search(text))
        for_pytest = bool(_FOR_PYTEST.search(text) or (_BARE_CLASS.search(text) and not for_unittest))
        if for_pytest or for_unittest:
            pytest += for_pytest
            unittest += for_unittest and not for_pytest
            if not path.endswith("conftest.py"):
                found.append(path)
    style: Style = "pytest" if pytest else "unittest" if unittest else ""
    seen = any(_FOUND_BY_PYTEST.fullmatch(path.rpartition("/")[2]) for path in found)
    return Tests(style, tuple(found), () if seen else tuple(found[:_MOST_NAMED]))


def pytest_command(files: Folder, tests: Tests, installs: bool, settings: dict[str, str]) -> str:
    """`pytest`, with the root on the path where the tests import from it and nothing else puts it there."""
    named = "" if "python_files" in settings or "testpaths" in settings else join(tests.named)
    command = "python -m pytest" if _needs_root(files, tests, installs, settings) else "pytest"
    return f"{command} {named}".strip()


def _needs_root(files: Folder, tests: Tests, installs: bool, settings: dict[str, str]) -> bool:
    below = {path.partition("/")[0] for path in tests.files if "/" in path}
    if not below or "conftest.py" in files.names or "pythonpath" in settings:
        return False
    if any((files.folder / name / "__init__.py").is_file() for name in below):
        return False  # then pytest itself goes up to the root
    if not installs:
        return any(name.endswith(".py") for name in files.names) or _has_package(files, below)
    return any(match in below for text in files.tests for match in _BY_ROOT.findall(text))


def _has_package(files: Folder, but: set[str]) -> bool:
    return any((files.folder / name / "__init__.py").is_file() for name in files.folders - but)


def unittest_command(files: Folder, tests: Tests) -> str:
    """`python -m unittest`, told where to start when it would not find the tests from the root."""
    folders = {path.rpartition("/")[0] for path in tests.files}
    names = [path.rpartition("/")[2] for path in tests.files]
    start = _common(folders)
    pattern = _pattern(names)
    options = f" -p {quote(pattern)}" if pattern else ""
    if not start:
        return f"python -m unittest discover{options}" if options else "python -m unittest"
    top = _top(files, start)
    if top == start:
        return f"python -m unittest discover -s {quote(start)}{options}"
    return f"python -m unittest discover -s {quote(start)} -t {quote(top or '.')}{options}"


def found_from_root(files: Folder, tests: Tests) -> bool:
    """Whether the discovery of unittest comes across some of the tests from the root."""
    tops = {path.rpartition("/")[0] for path in tests.files}
    return any(not folder or _top(files, folder) == "" for folder in tops)


def _common(folders: set[str]) -> str:
    """The deepest folder that holds them all."""
    parts = [folder.split("/") if folder else [] for folder in folders]
    shared: list[str] = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)


def _top(files: Folder, start: str) -> str:
    """The folder that the start is imported from: above its outermost package."""
    top = start
    while top and (files.folder / top / "__init__.py").is_file():
        top = top.rpartition("/")[0]
    return top


def _pattern(names: list[str]) -> str:
    """Empty for the usual `test*.py`."""
    if not names or any(name.startswith("test") for name in names):
        return ""
    return "*_test.py" if any(name.endswith("_test.py") for name in names) else "*.py"
