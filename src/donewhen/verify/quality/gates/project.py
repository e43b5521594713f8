"""What a project's own files say about its tools: read with care, understood only as far as gates need it.

What is broken, too large or leads out of the tree reads as empty; whether that matters is for the tool itself
to say, which reads the same file. Nothing is run, and no value from a file becomes a program.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from donewhen.core.lazy import portable
from donewhen.workspace.setup.folder import Folder

_STRING = portable(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)')
_COMMENTS = re.compile(rf"({_STRING})|//[^\n]*+|/\*(?:.*?\*/|.*+)", re.DOTALL)
_COMMAS = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


class Project:
    """The files of a tree; every name is relative to its root."""

    def __init__(self, root: Path) -> None:
        self.files = Folder(root)
        self._tables: dict[str, Mapping[str, Any]] = {}
        self._there: dict[str, bool] = {}

    def data(self, name: str) -> Mapping[str, Any]:
        """A TOML, INI or JSON file as a mapping, by its name; empty when it is none."""
        if name not in self._tables:
            text = self.files.text(name)
            self._tables[name] = _parse(name.rpartition("/")[2], text) if text else {}
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

    def first(self, folder: str, names: Iterable[str]) -> str:
        """The first of these files in the folder, as a path from the root; empty when none is there."""
        return next((path for name in names if self.has(path := join(folder, name))), "")


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
