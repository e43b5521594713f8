"""Python projects: the command that runs their tests, through the tool that the project is locked with.

What the project says comes first (settings of pytest, the command behind tox), then what its tests are
written for; tox and nox themselves only when nothing simpler is known, because they build environments of
their own. Sections and words are looked for line by line, so a broken or hostile TOML costs nothing.
"""

import re

from donewhen.project.folder import Folder
from donewhen.project.programs import LOCKED_BY
from donewhen.project.project import Detected, ProjectCommand, Role
from donewhen.project.python_tests import (
    Tests,
    found_from_root,
    look_at_tests,
    pytest_command,
    pytest_settings,
    unittest_command,
)
from donewhen.project.tox import behind_tox

_MARKS = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    "pytest.ini",
    "Pipfile",
    "manage.py",
)
_WORDS = (
    "pyproject.toml", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt",
    "requirements_dev.txt", "requirements-test.txt", "test-requirements.txt", "setup.py", "setup.cfg",
    "Pipfile",
)  # fmt: skip
_SECTION = re.compile(r"^[ \t]{0,20}\[{1,2}[ \t]{0,8}([^\]\n]{1,120}?)[ \t]{0,8}\]", re.MULTILINE)
_PYTEST = re.compile(r"(?<![\w./-])pytest(?![\w-])")
# role, command, the section or file that asks for it
_TOOLS: tuple[tuple[Role, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("lint", "ruff check", ("tool.ruff", "tool.ruff.lint"), ("ruff.toml", ".ruff.toml")),
    ("lint", "flake8", ("flake8",), (".flake8",)),
    ("types", "mypy .", ("tool.mypy", "mypy"), ("mypy.ini", ".mypy.ini")),
    ("types", "pyright", ("tool.pyright",), ("pyrightconfig.json",)),
    ("format", "black --check .", ("tool.black",), ()),
    ("format", "ruff format --check", ("tool.ruff.format",), ()),
)


def python(root: Folder) -> Detected:
    marks = [name for name in (*_MARKS, "requirements.txt") if name in root.names]
    if not marks and not _has_python(root):
        return Detected()
    sections = _sections(root)
    lock = root.first(*LOCKED_BY)
    runner = f"{LOCKED_BY[lock]} " if lock else ""
    test = _test(root, sections, runner)
    if not marks and test is None:
        return Detected()
    commands = [test] if test else []
    for role, command, wanted, named in _TOOLS:
        asked = next((sections[name] for name in wanted if name in sections), "") or root.first(*named)
        if asked:
            commands.append(ProjectCommand(role, runner + command, asked))
    if "build-system" in sections:
        commands.append(ProjectCommand("build", "python -m build", sections["build-system"]))
    return Detected(
        ("python",),
        tuple(command._replace(language="python") for command in commands),
        sources=tuple(marks),
    )


def _has_python(root: Folder) -> bool:
    """Scripts and tests without any manifest: still a project of Python, if there are tests."""
    tests = ("tests", "test")
    return any(name.endswith(".py") for name in root.names) or any(name in root.folders for name in tests)


def _sections(root: Folder) -> dict[str, str]:
    """Each section of the project's files, and the words in which it is named as a source."""
    found: dict[str, str] = {}
    for file in ("pyproject.toml", "setup.cfg", "tox.ini"):
        for match in _SECTION.finditer(root.text(file)):
            name = match[1].replace('"', "").replace(" ", "")
            found.setdefault(name, f"{file} [{name}]")
    return found


def _test(root: Folder, sections: dict[str, str], runner: str) -> ProjectCommand | None:
    tests = look_at_tests(root)
    settings = pytest_settings(root)
    installs = bool({"build-system", "project", "tool.poetry"} & set(sections)) or "setup.py" in root.names
    pytest = runner + pytest_command(root, tests, installs, settings)
    behind, tox = behind_tox(root)
    if tests.style == "unittest" and _starts_at_root(behind) and not found_from_root(root, tests):
        behind = unittest_command(root, tests)
    asked = _pytest_source(root, sections)
    if asked and not (tox and _says_where(behind, settings)):
        return ProjectCommand("test", pytest, asked)
    script = root.first("runtests.py", "run_tests.py", "run-tests.py", "test_all.py", "run_all_tests.py")
    mentioned = next((name for name in _WORDS if _PYTEST.search(root.text(name))), "")
    nox = any(words[:1] == ("pytest",) for words in root.strings("noxfile.py", "run"))
    in_folder = next((f"{name}/" for name in ("tests", "test") if name in root.folders), "")
    for command, source in (
        (runner + behind, tox),
        (pytest, mentioned if tests.files or not root.first("tox.ini", "noxfile.py") else ""),
        (pytest, "noxfile.py" if nox and tests.files else ""),
        (f"{runner}python manage.py test", root.first("manage.py")),
        (f"{runner}python {script}", script),
        *_by_style(root, tests, pytest, runner),
        ("tox", root.first("tox.ini") or sections.get("tool.tox", "") or root.first("tox.toml")),
        ("nox", root.first("noxfile.py")),
        (pytest, in_folder if root.first(*_MARKS, "requirements.txt") else ""),
    ):
        if source:
            return ProjectCommand("test", command, source)
    return None


def _by_style(files: Folder, tests: Tests, pytest: str, runner: str) -> list[tuple[str, str]]:
    source = tests.files[0] if tests.files else ""
    found = {"pytest": pytest, "unittest": runner + unittest_command(files, tests)}
    return [(found[tests.style], source)] if tests.style else []


def _starts_at_root(command: str) -> bool:
    words = command.split()
    return words[:3] == ["python", "-m", "unittest"] and all(
        w in ("discover", "-v", "--verbose") for w in words[3:]
    )


def _says_where(command: str, settings: dict[str, str]) -> bool:
    """Whether a command names the tests that pytest's settings leave open."""
    words = command.split()
    named = any(
        not word.startswith("-") and "/" not in word[:1] for word in words[1:] if word not in ("-m", "pytest")
    )
    return "pytest" in words and named and "testpaths" not in settings


def _pytest_source(root: Folder, sections: dict[str, str]) -> str:
    """What in the project's settings says that pytest runs its tests."""
    for name in ("tool.pytest.ini_options", "tool.pytest", "pytest", "tool:pytest"):
        if name in sections:
            return sections[name]
    file = root.first("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py")
    if file:
        return file
    return "tests/conftest.py" if root.has("tests/conftest.py") else ""
