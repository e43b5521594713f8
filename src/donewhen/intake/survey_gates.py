"""Checks that a project has set up already: test runners, coverage limits, types, linters, hooks.

Told by the names of files and sections; what they ask for is not judged and nothing is run.
"""

import re
from typing import NamedTuple

from donewhen.project.folder import Folder

_SECTION = re.compile(r"^[ \t]{0,20}\[{1,2}[ \t]{0,9}([^\]\n]{1,120}?)[ \t]{0,9}\]", re.MULTILINE)
_SECTION_FILES = ("pyproject.toml", "setup.cfg", "tox.ini", "Cargo.toml")
_LIMIT = re.compile(
    r"(?:\bfail_under[ \t]{0,20}=[ \t]{0,20}|--cov-fail-under[= ])\"?([0-9]{1,3}(?:\.[0-9]{1,3})?)"
)
_LIMIT_FILES = ("pyproject.toml", ".coveragerc", "setup.cfg", "tox.ini", "pytest.ini")


class Configured(NamedTuple):
    """A check that is set up: the tool, what it is for, and what says so."""

    name: str
    role: str  # tests, coverage, types, lint, format, security, commit
    source: str
    detail: str = ""


class _Known(NamedTuple):
    name: str
    role: str
    files: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    package: tuple[str, ...] = ()  # keys of package.json
    start: str = ""  # a file whose name begins with this


_TABLE = (
    _Known(
        "pytest",
        "tests",
        ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py"),
        ("tool.pytest.ini_options", "tool.pytest", "tool:pytest", "pytest"),
    ),
    _Known("tox", "tests", ("tox.ini", "tox.toml"), ("tool.tox",)),
    _Known("nox", "tests", ("noxfile.py",)),
    _Known("jest", "tests", package=("jest",), start="jest.config."),
    _Known("vitest", "tests", start="vitest.config."),
    _Known("mocha", "tests", package=("mocha",), start=".mocharc."),
    _Known("playwright", "tests", start="playwright.config."),
    _Known("rspec", "tests", (".rspec",)),
    _Known("phpunit", "tests", ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")),
    _Known("coverage", "coverage", (".coveragerc",), ("tool.coverage.report", "coverage:report")),
    _Known("nyc", "coverage", (".nycrc", ".nycrc.json"), package=("nyc", "c8")),
    _Known("mypy", "types", ("mypy.ini", ".mypy.ini"), ("tool.mypy", "mypy")),
    _Known("pyright", "types", ("pyrightconfig.json",), ("tool.pyright", "tool.basedpyright")),
    _Known("tsc", "types", ("tsconfig.json",)),
    _Known("phpstan", "types", ("phpstan.neon", "phpstan.neon.dist")),
    _Known("ruff", "lint", ("ruff.toml", ".ruff.toml"), ("tool.ruff", "tool.ruff.lint")),
    _Known("flake8", "lint", (".flake8",), ("flake8",)),
    _Known("pylint", "lint", (".pylintrc", "pylintrc"), ("tool.pylint",)),
    _Known("eslint", "lint", package=("eslintConfig",), start="eslint.config."),
    _Known("eslint", "lint", start=".eslintrc"),
    _Known("biome", "lint", ("biome.json", "biome.jsonc")),
    _Known("golangci-lint", "lint", start=".golangci."),
    _Known("clippy", "lint", ("clippy.toml", ".clippy.toml"), ("lints.clippy", "workspace.lints.clippy")),
    _Known("rubocop", "lint", (".rubocop.yml",)),
    _Known("black", "format", (), ("tool.black",)),
    _Known("prettier", "format", package=("prettier",), start=".prettierrc"),
    _Known("rustfmt", "format", ("rustfmt.toml", ".rustfmt.toml")),
    _Known("bandit", "security", (".bandit",), ("tool.bandit", "bandit")),
    _Known("pre-commit", "commit", (".pre-commit-config.yaml",)),
    _Known("husky", "commit", package=("husky", "lint-staged")),
)  # fmt: skip


def configured(root: Folder) -> tuple[Configured, ...]:
    sections = _sections(root)
    package = root.json("package.json")
    found: dict[str, Configured] = {}
    for known in _TABLE:
        source = _source(root, known, sections, package)
        if source:
            found.setdefault(known.name, Configured(known.name, known.role, source))
    limit, place = _limit(root)
    if limit:
        found["coverage"] = Configured("coverage", "coverage", place, f"fail_under {limit}")
    return tuple(found.values())


def _source(root: Folder, known: _Known, sections: dict[str, str], package: dict[str, object]) -> str:
    section = next((sections[name] for name in known.sections if name in sections), "")
    file = root.first(*known.files)
    begun = min((n for n in root.names if n.startswith(known.start)), default="") if known.start else ""
    key = next((f"package.json {name}" for name in known.package if name in package), "")
    return section or file or begun or key


def _sections(root: Folder) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in _SECTION_FILES:
        for match in _SECTION.finditer(root.text(file)):
            name = match[1].replace('"', "").replace(" ", "")
            found.setdefault(name, f"{file} [{name}]")
    return found


def _limit(root: Folder) -> tuple[str, str]:
    for file in _LIMIT_FILES:
        match = _LIMIT.search(root.text(file))
        if match:
            return match[1], file
    return "", ""
