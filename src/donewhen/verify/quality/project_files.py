"""The files of a tree as gates see them: settings as data, and the changed sources that tools can bear."""

import configparser
import json
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from donewhen.core.lazy import portable
from donewhen.core.quality.scoping import in_languages, language_of, passed_over
from donewhen.core.texts import Phrase
from donewhen.verify.quality.model import Scope
from donewhen.workspace.setup.folder import Folder

_MIB = 1024 * 1024
LARGEST = 8 * _MIB  # of a file: the tools read smaller ones within their time, so padding hides nothing
_STRING = portable(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)')
_COMMENTS = re.compile(rf"({_STRING})|//[^\n]*+|/\*(?:.*?\*/|.*+)", re.DOTALL)
_COMMAS = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


class Project:
    """Every name is relative to the root of the tree."""

    def __init__(self, root: Path) -> None:
        self.files = Folder(root)
        self._tables: dict[str, Mapping[str, Any]] = {}
        self._there: dict[str, bool] = {}

    def data(self, name: str) -> Mapping[str, Any]:
        """A TOML, INI or JSON file as a mapping, by its name; empty when it is none."""
        if name not in self._tables:
            text = self.files.text(name)
            self._tables[name] = _parse(name, text) if text else {}
        return self._tables[name]

    def under(self, name: str, *keys: str) -> Mapping[str, Any]:
        """The mapping that lies under these keys; empty when there is none."""
        found: object = self.data(name)
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}

    def has(self, name: str) -> bool:
        if name not in self._there:  # the same few folders are asked about for every changed file
            self._there[name] = self.files.has(name)
        return self._there[name]

    def above(self, path: str, *names: str) -> str:
        """The nearest of these files, beside a file or above it; empty when there is none."""
        found = (join(folder, name) for folder in upward(path) for name in names)
        return next((file for file in found if self.has(file)), "")


def _parse(name: str, text: str) -> Mapping[str, Any]:
    try:
        if name.endswith(".toml"):
            return tomllib.loads(text)
        if name.endswith(".json"):
            found = json.loads(_COMMAS.sub(r"\1", _COMMENTS.sub(r"\1", text)))
            return found if isinstance(found, dict) else {}
        parser = configparser.RawConfigParser(strict=False, interpolation=None)
        parser.read_string(text)
        return {section: dict(parser.items(section)) for section in parser.sections()}
    except (ValueError, RecursionError, configparser.Error):
        return {}


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def upward(path: str) -> Iterator[str]:
    """The folders that a file lies in, the innermost first; the root is empty."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def words(value: object) -> tuple[str, ...]:
    """A text or a list of texts, as lists and INI files write them."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def grouped(files: Iterable[str], key: Callable[[str], str | None]) -> dict[str, list[str]]:
    """Files by what `key` says of them; those of which it says nothing are left out."""
    found: dict[str, list[str]] = {}
    for path in files:
        name = key(path)
        if name is not None:
            found.setdefault(name, []).append(path)
    return found


def present(scope: Scope, files: Iterable[str]) -> tuple[str, ...]:
    """Those that are regular files no larger than tools can bear; a link's target may lie anywhere."""
    return tuple(path for path in files if 0 <= _size_of(scope.root / path) <= LARGEST)


def sources(scope: Scope, *languages: str) -> tuple[str, ...]:
    """The changed files in these languages that a tool is asked about."""
    return present(scope, in_languages(scope.files, *languages, fresh=scope.fresh))


def left_out(
    root: Path, files: Iterable[str], fresh: AbstractSet[str] = frozenset()
) -> tuple[tuple[str, Phrase], ...]:
    """The changed source files that no gate looks at, each with the reason."""
    found: list[tuple[str, Phrase]] = []
    for path in files:
        size, passed = _size_of(root / path) if language_of(path) else -1, passed_over(path, fresh)
        if size >= 0 and passed is not None:
            found.append((path, Phrase(f"gates.left_{passed}")))
        elif size > LARGEST:
            found.append((path, Phrase("gates.left_large", {"limit": LARGEST // _MIB})))
    return tuple(found)


def _size_of(path: Path) -> int:
    """Of a regular file; -1 for what is none."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1
