"""Python projects: pytest, tox, nox or Django's runner, through the tool that the project is locked with.

Sections and words are looked for line by line, so a broken or hostile TOML costs nothing.
"""

import re

from donewhen.intake.project import Finding, ProjectCommand, Role, Root

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
_SECTION = re.compile(r"^[ \t]*\[{1,2}[ \t]*([^\]\n]{1,120}?)[ \t]*\]", re.MULTILINE)
_PYTEST = re.compile(r"(?<![\w./-])pytest(?![\w-])")
_RUNNERS = {
    "uv.lock": "uv run ",
    "poetry.lock": "poetry run ",
    "pdm.lock": "pdm run ",
    "Pipfile.lock": "pipenv run ",
}
# role, command, the section or file that asks for it
_TOOLS: tuple[tuple[Role, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("lint", "ruff check", ("tool.ruff", "tool.ruff.lint"), ("ruff.toml", ".ruff.toml")),
    ("lint", "flake8", ("flake8",), (".flake8",)),
    ("types", "mypy .", ("tool.mypy", "mypy"), ("mypy.ini", ".mypy.ini")),
    ("types", "pyright", ("tool.pyright",), ("pyrightconfig.json",)),
    ("format", "black --check .", ("tool.black",), ()),
    ("format", "ruff format --check", ("tool.ruff.format",), ()),
)


def python(root: Root) -> Finding:
    marks = [name for name in (*_MARKS, "requirements.txt") if name in root.names]
    if not marks:
        return Finding()
    sections = _sections(root)
    runner = _runner(root, sections)
    test = _test(root, sections, runner)
    commands = [test] if test else []
    for role, command, wanted, files in _TOOLS:
        asked = next((sections[name] for name in wanted if name in sections), "") or root.first(*files)
        if asked:
            commands.append(ProjectCommand(role, runner + command, asked))
    if "build-system" in sections:
        commands.append(ProjectCommand("build", "python -m build", sections["build-system"]))
    return Finding(
        ("python",),
        tuple(command._replace(language="python") for command in commands),
        sources=tuple(marks),
    )


def _sections(root: Root) -> dict[str, str]:
    """Each section of the project's files, and the words in which it is named as a source."""
    found: dict[str, str] = {}
    for file in ("pyproject.toml", "setup.cfg", "tox.ini"):
        for match in _SECTION.finditer(root.text(file)):
            name = match[1].replace('"', "").replace(" ", "")
            found.setdefault(name, f"{file} [{name}]")
    return found


def _runner(root: Root, sections: dict[str, str]) -> str:
    lock = root.first(*_RUNNERS)
    if lock:
        return _RUNNERS[lock]
    return "poetry run " if "tool.poetry" in sections else ""


def _test(root: Root, sections: dict[str, str], runner: str) -> ProjectCommand | None:
    source = _pytest_source(root, sections)
    if source:
        return ProjectCommand("test", f"{runner}pytest", source)
    tox = root.first("tox.ini") or sections.get("tool.tox", "") or root.first("tox.toml")
    for command, asked in (
        ("tox", tox),
        ("nox", root.first("noxfile.py")),
        (f"{runner}python manage.py test", root.first("manage.py")),
        (f"{runner}pytest", next((f"{name}/" for name in ("tests", "test") if name in root.folders), "")),
    ):
        if asked:
            return ProjectCommand("test", command, asked)
    return None


def _pytest_source(root: Root, sections: dict[str, str]) -> str:
    """What in the project says that pytest runs its tests."""
    for name in ("tool.pytest.ini_options", "tool.pytest", "pytest", "tool:pytest"):
        if name in sections:
            return sections[name]
    file = root.first("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py")
    if file:
        return file
    if root.has("tests/conftest.py"):
        return "tests/conftest.py"
    if root.first("tox.ini", "noxfile.py"):  # there the words may mean what those run
        return ""
    return next((name for name in _WORDS if _PYTEST.search(root.text(name))), "")
