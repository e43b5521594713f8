"""Which formatter a project has chosen for a file, and where the project keeps it.

Data and looking, no running. A formatter counts only when the project's own files configure it and its own
environment has it: another version, or another tool, would rewrite what the project wants left alone.
"""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.files import read_regular
from donewhen.config.places import ConfigError

_PYTHON = (".py", ".pyi")
_PRETTY = tuple(
    """.js .cjs .mjs .jsx .ts .cts .mts .tsx .css .scss .less .json .json5 .html .vue .md .mdx .yaml .yml
    .graphql""".split()
)
_VENVS = (".venv/bin", "venv/bin")
_MODULES = ("node_modules/.bin",)
_EDITION = re.compile(r"20[0-9]{2}")


class Chosen(NamedTuple):
    name: str
    program: str
    arguments: tuple[str, ...]  # before the file


class _Formatter(NamedTuple):
    name: str
    suffixes: tuple[str, ...]
    is_configured: Callable[[Path], bool]  # in one folder
    places: tuple[str, ...]  # of the project; empty: the toolchain's, by PATH
    arguments: Callable[[Path], tuple[str, ...]]


def chosen(workspace: Path, path: str, search: str) -> Chosen | None:
    """The formatter of a file; `search` is the PATH on which toolchains are found."""
    folders = tuple(_upward(workspace, path))
    for formatter in FORMATTERS:
        if not path.endswith(formatter.suffixes):
            continue
        home = next((folder for folder in folders if formatter.is_configured(folder)), None)
        program = _program(formatter, folders, search) if home is not None else None
        if home is not None and program is not None:
            return Chosen(formatter.name, program, formatter.arguments(home))
    return None


def _upward(workspace: Path, path: str) -> Iterator[Path]:
    """The folders from a file's own up to the workspace."""
    folder = (workspace / path).parent
    while folder.is_relative_to(workspace):
        yield folder
        folder = folder.parent


def _program(formatter: _Formatter, folders: tuple[Path, ...], search: str) -> str | None:
    if not formatter.places:
        return shutil.which(formatter.name, path=search)
    candidates = (folder / place / formatter.name for folder in folders for place in formatter.places)
    return next((str(each) for each in candidates if each.is_file() and os.access(each, os.X_OK)), None)


def _toml(file: Path) -> Mapping[str, Any]:
    with suppress(ConfigError, ValueError, RecursionError):
        found = read_regular(file, str(file))
        return tomllib.loads(found.data.decode()) if found else {}
    return {}


def _table(data: Any, *names: str) -> Any:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _ruff_formats(folder: Path) -> bool:
    own = (_table(_toml(folder / name), "format") for name in ("ruff.toml", ".ruff.toml"))
    return any(
        each is not None
        for each in (*own, _table(_toml(folder / "pyproject.toml"), "tool", "ruff", "format"))
    )


def _black(folder: Path) -> bool:
    return _table(_toml(folder / "pyproject.toml"), "tool", "black") is not None


def _ruff(folder: Path) -> bool:
    files = any((folder / name).is_file() for name in ("ruff.toml", ".ruff.toml"))
    return files or _table(_toml(folder / "pyproject.toml"), "tool", "ruff") is not None


def _prettier(folder: Path) -> bool:
    with suppress(OSError):
        names = os.listdir(folder)  # noqa: PTH208 - names alone
        if any(name.startswith((".prettierrc", "prettier.config.")) for name in names):
            return True
    with suppress(ConfigError, ValueError, RecursionError):
        found = read_regular(folder / "package.json", "package.json")
        return found is not None and _table(json.loads(found.data), "prettier") is not None
    return False


def _has(name: str) -> Callable[[Path], bool]:
    return lambda folder: (folder / name).is_file()


def _always(*words: str) -> Callable[[Path], tuple[str, ...]]:
    return lambda folder: words


def _rust(folder: Path) -> tuple[str, ...]:
    edition = _table(_toml(folder / "Cargo.toml"), "package", "edition")
    if isinstance(edition, str) and _EDITION.fullmatch(edition):
        return "--quiet", "--edition", edition
    return ("--quiet",)


# A linter's section alone says least about formatting, so it comes last.
FORMATTERS = (
    _Formatter("ruff", _PYTHON, _ruff_formats, _VENVS, _always("format", "--quiet", "--no-cache")),
    _Formatter("black", _PYTHON, _black, _VENVS, _always("--quiet")),
    _Formatter("ruff", _PYTHON, _ruff, _VENVS, _always("format", "--quiet", "--no-cache")),
    _Formatter("prettier", _PRETTY, _prettier, _MODULES, _always("--log-level", "warn", "--write")),
    _Formatter("gofmt", (".go",), _has("go.mod"), (), _always("-w")),
    _Formatter("rustfmt", (".rs",), _has("Cargo.toml"), (), _rust),
)
