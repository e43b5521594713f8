"""Of the files that a set-up is made from, the parts that decide what is installed.

Settings of linters, test runners and release tools stand in the same files; changing those must not install
everything again. What is not known to be without influence counts, and so does all of a file that can't be
read.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from donewhen.project.folder import Folder
from donewhen.workspace.setup.digest import file_digest

# tables of pyproject.toml below `tool`; what test tools are seen to need there is in the steps already
_TOOLS = frozenset(
    """
    autoflake autopep8 bandit basedpyright black bumpver bumpversion check-manifest check-wheel-contents
    cibuildwheel codespell commitizen coverage deptry doc8 docformatter flake8 flakeheaven git-cliff
    interrogate isort jupytext mutmut mypy nbqa pycodestyle pydocstyle pydoclint pylint pyright pytest
    pytest-enabler pyrefly repo-review ruff semantic_release tbump towncrier tox ty typos vulture yapf
    numpydoc_validation
    """.split()
)
_SECTIONS = frozenset(
    """
    aliases bandit bdist_wheel bumpversion check check-manifest codespell coverage doc8 doctest flake8 isort
    mypy nosetests pep8 pycodestyle pydocstyle pylint pytest sdist tool:pytest tox upload upload_docs yapf
    zest.releaser
    """.split()
)
_KEYS = frozenset(
    """
    author ava babel browserslist bugs c8 commitlint contributors description eslintConfig eslintIgnore
    exports files funding homepage jest keywords license lint-staged main maintainers mocha module nyc
    prettier private publishConfig repository scripts sideEffects standard stylelint tap types typings xo
    """.split()
)
_AT_INSTALL = ("preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")


def input_digest(root: Path, name: str) -> str:
    """Names what the file `name` asks for; empty when there is none."""
    folder, _, file = name.rpartition("/")
    read = _PARTS.get(file)
    whole = file_digest(root / name).hex()
    parts = read(root / folder) if read and whole else None
    if parts is None:
        return whole
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _pyproject(folder: Path) -> Mapping[str, Any] | None:
    data = Folder(folder).toml("pyproject.toml")
    if not data:
        return None
    tool = data.pop("tool", {})
    if not isinstance(tool, dict):
        return None
    return {**data, **{f"tool.{name}": table for name, table in tool.items() if name not in _TOOLS}}


def _setup_cfg(folder: Path) -> Mapping[str, Any] | None:
    sections = Folder(folder).ini("setup.cfg")
    return {name: options for name, options in sections.items() if not _is_aside(name)}


def _is_aside(section: str) -> bool:
    """`mypy-shop.*`, `coverage:run`, `tox:tox` belong to what stands before."""
    return section in _SECTIONS or section.partition(":")[0].partition("-")[0] in _SECTIONS


def _package(folder: Path) -> Mapping[str, Any] | None:
    """None when it runs scripts of its own at install: they may use every other part."""
    data = Folder(folder).json("package.json")
    scripts = data.get("scripts")
    if not data or (isinstance(scripts, dict) and any(name in scripts for name in _AT_INSTALL)):
        return None
    return {key: value for key, value in data.items() if key not in _KEYS}


_PARTS: dict[str, Callable[[Path], Mapping[str, Any] | None]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "package.json": _package,
}
