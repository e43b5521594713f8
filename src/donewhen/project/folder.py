"""The files of a project, read with care: bounded, tolerant, and never through a link that leads out of it.

What is broken, too large or no regular file reads as empty, and nothing is ever run. Only names, texts and
tables come from here; what they mean is decided elsewhere.
"""

import ast
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.core.lazy import portable

LARGEST_MANIFEST = 512 * 1024
_MOST_NAMES = 5000
_MOST_SEEN = 20_000
_MOST_TESTS = 400
_TEST_START = 64 * 1024  # imports and marks stand early in a file
_MOST_SQUARES = 4_000_000  # about a fifth of a second
_MOST_STEPS = 1_000_000
_MOST_BRACKETS = 20_000
_HEADER = re.compile(r"^\[([^\]\n]{1,200})\][ \t]*$")
_OPTION = re.compile(r"^([A-Za-z_][\w.-]{0,80})[ \t]*[=:][ \t]*(.*)$")
_STRING = portable(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)')
_COMMENTS = re.compile(rf"({_STRING})|//[^\n]*+|/\*(?:.*?\*/|.*+)", re.DOTALL)
_COMMAS = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)
_TEST_FOLDERS = ("tests", "test", "testing", "unittests", "t")
_NOISE = frozenset(
    ".git .tox .nox .venv venv env node_modules target build dist vendor deps _build __pycache__".split()
)


class Folder:
    """One folder of a project. Every path is relative to it, every answer is read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts: dict[str, str] = {}
        self._tables: dict[str, dict[str, Any]] = {}
        self._there: dict[str, bool] = {}

    @cached_property
    def _listed(self) -> dict[str, bool]:
        """The names in it, and whether each is a folder, also by a link."""
        return dict(_entries(self.folder, follow=True))

    @cached_property
    def names(self) -> frozenset[str]:
        """Of the files that stand in it."""
        return frozenset(name for name, is_folder in self._listed.items() if not is_folder)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Of the folders that stand in it."""
        return frozenset(name for name, is_folder in self._listed.items() if is_folder)

    def ending(self, *endings: str) -> list[str]:
        return sorted(name for name in self.names if name.lower().endswith(endings))

    def has(self, path: str) -> bool:
        if path not in self._there:
            self._there[path] = inside(self.folder, path) is not None
        return self._there[path]

    def first(self, *paths: str) -> str:
        """The first of them that is there, spelled like this; empty when none is."""
        return next((path for path in paths if ("/" in path or path in self._listed) and self.has(path)), "")

    def there(self, *paths: str) -> tuple[str, ...]:
        return tuple(path for path in paths if self.has(path))

    def above(self, path: str, *names: str) -> str:
        """The nearest of these files, beside a file or above it; empty when there is none."""
        found = (join(folder, name) for folder in upward(path) for name in names)
        return next((file for file in found if self.has(file)), "")

    def text(self, path: str, most: int = LARGEST_MANIFEST) -> str:
        """The text of a file; empty when there is none that can be read."""
        if path not in self._texts:
            self._texts[path] = read_inside(self.folder, path, most)
        return self._texts[path]

    def toml(self, path: str) -> dict[str, Any]:
        """The tables of a TOML file; empty when it is none."""
        if path not in self._tables:
            self._tables[path] = read_toml(self.text(path))
        return dict(self._tables[path])

    def json(self, path: str) -> dict[str, Any]:
        """A JSON mapping, also with comments and commas at its ends; empty when the file is none."""
        if path not in self._tables:
            self._tables[path] = read_json(self.text(path))
        return dict(self._tables[path])

    def ini(self, path: str) -> dict[str, dict[str, str]]:
        """Sections and options as they stand; nothing is expanded, what is no line of an ini is skipped."""
        return read_ini(self.text(path))

    def table(self, path: str, *keys: str) -> Mapping[str, Any]:
        """What lies under these keys of a TOML, JSON or INI file; empty when there is none."""
        if path.endswith((".toml", "Pipfile")):
            found: object = self.toml(path)
        else:
            found = self.json(path) if path.endswith((".json", ".jsonc")) else self.ini(path)
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}

    def call(self, path: str, name: str) -> dict[str, Any]:
        """The literal keywords of the call `name(…)` in a Python file, `setup(…)` for one."""
        tree = _tree(self.text(path))
        found: dict[str, Any] = {}
        values = _assigned(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _called(node) == name:
                for keyword in node.keywords:
                    if keyword.arg:
                        found[keyword.arg] = _literal(keyword.value, values)
        return found

    def strings(self, path: str, method: str) -> list[tuple[str, ...]]:
        """The literal words of each call `….method(…)` in a Python file."""
        calls = (node for node in ast.walk(_tree(self.text(path))) if isinstance(node, ast.Call))
        return [
            tuple(a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str))
            for call in calls
            if _called(call) == method
        ]

    def folders_in(self, path: str = "") -> list[str]:
        """The folders in `path`, sorted, as paths from here; links and what tools fill are left out."""
        return [each for each, is_folder in self._below(path) if is_folder]

    def files(self, pattern: str, depth: int = 0) -> list[str]:
        """The files whose name fits, here and down to `depth` folders below."""
        found: list[str] = []
        level = [("", 0)]
        seen = 0
        while level and seen < _MOST_SEEN:
            folder, down = level.pop(0)
            entries = self._below(folder)
            seen += len(entries) + 1
            paths = (path for path, is_folder in entries if not is_folder)
            found += (path for path in paths if fnmatchcase(path.rpartition("/")[2], pattern))
            if down < depth:
                level += ((path, down + 1) for path, is_folder in entries if is_folder)
        return found

    def _below(self, path: str) -> list[tuple[str, bool]]:
        folder = inside(self.folder, path) if path else self.folder
        entries = _entries(folder, follow=False) if folder is not None else []
        return [(join(path, name), kind) for name, kind in entries if not (kind and name in _NOISE)]

    @cached_property
    def test_files(self) -> tuple[str, ...]:
        """Python files that are tests or stand among them, by their paths."""
        return tuple(islice(filter(is_test_file, walk(self.folder, depth=6)), _MOST_TESTS))

    @cached_property
    def tests(self) -> tuple[str, ...]:
        """The beginnings of those files."""
        return tuple(self._start(name) for name in self.test_files)

    def _start(self, path: str) -> str:
        try:
            with (self.folder / path).open("rb") as file:
                return file.read(_TEST_START).decode("utf-8", "replace")
        except (OSError, ValueError):
            return ""


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def upward(path: str) -> Iterator[str]:
    """The folders that a file lies in, the innermost first; the root is empty."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def inside(root: Path, name: str) -> Path | None:
    """Where `name` is; None when it is not there or a link leads out of the root."""
    path = root / name
    try:
        real = os.path.realpath(path, strict=True)
    except (OSError, ValueError):  # a loop of links, a NUL
        return None
    return path if f"{real}/".startswith(f"{os.path.realpath(root)}/") else None


def read_inside(root: Path, name: str, most: int = LARGEST_MANIFEST) -> str:
    """The text of a regular file of at most `most` bytes; empty for everything else."""
    path = inside(root, name)
    if path is None:
        return ""
    try:
        found = read_regular(path, name, largest=most)
    except DonewhenError:
        return ""
    return found.data.decode("utf-8", "replace").removeprefix("\ufeff") if found else ""


def _entries(folder: Path, *, follow: bool) -> list[tuple[str, bool]]:
    """The names there, sorted, each with whether it is a folder."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, _is_folder(entry, follow)) for entry in islice(entries, _MOST_NAMES))
    except (OSError, ValueError):
        return []


def _is_folder(entry: os.DirEntry[str], follow: bool) -> bool:
    try:
        return entry.is_dir(follow_symlinks=follow)
    except OSError:  # a link to itself
        return False


def is_test_file(path: str) -> bool:
    parts = path.split("/")
    if not parts[-1].endswith(".py"):
        return False
    stem = parts[-1][:-3]
    among = any(part in _TEST_FOLDERS for part in parts[:-1])
    return (
        among or stem.startswith(("test_", "tests")) or stem.endswith("_test") or stem in ("test", "conftest")
    )


def walk(folder: Path, depth: int) -> Iterator[str]:
    """Folder below, nearest first; no links are followed."""
    waiting = [("", 0)]
    seen = 0
    while waiting and seen < 20 * _MOST_NAMES:
        prefix, level = waiting.pop(0)
        for name, kind in _kinds(f"{folder}/{prefix}"):
            seen += 1
            if kind == "file":
                yield prefix + name
            elif kind and level < depth and name not in _NOISE and not name.endswith(".egg-info"):
                waiting.append((f"{prefix}{name}/", level + 1))


def _kinds(folder: str) -> list[tuple[str, str]]:
    """Names with "file" or "folder"; a link is neither."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, _kind(entry)) for entry in islice(entries, _MOST_NAMES))
    except (OSError, ValueError):
        return []


def _kind(entry: os.DirEntry[str]) -> str:
    try:
        folder = "folder" if entry.is_dir(follow_symlinks=False) else ""
        return folder or ("file" if entry.is_file(follow_symlinks=False) else "")
    except OSError:
        return ""


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; empty when it is none, or one that is made to take long."""
    if _costs_too_much(text):
        return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _costs_too_much(text: str) -> bool:
    """Whether reading it as TOML would take long: a key costs the square of its parts, and its header's."""
    keys = header = squares = 0
    for line in text.split("\n"):
        dots = line.count(".")
        squares += dots * dots
        keys += line.count("=")
        if line.lstrip()[:1] == "[":
            header = max(header, dots)
    return squares > _MOST_SQUARES or header * keys > _MOST_STEPS or text.count("[") > _MOST_BRACKETS


def read_json(text: str) -> dict[str, Any]:
    """A JSON mapping, also with comments and commas at its ends; empty when the text is none."""
    try:
        found = json.loads(_COMMAS.sub(r"\1", _COMMENTS.sub(r"\1", text)) or "null")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read_ini(text: str) -> dict[str, dict[str, str]]:
    sections: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    option = ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        header = _HEADER.match(line.rstrip())
        setting = _OPTION.match(line[:4000]) if not line[0].isspace() else None
        if header:
            section, option = sections.setdefault(header[1].strip(), {}), ""
        elif setting:
            option = setting[1].lower()
            section[option] = [setting[2].strip()]
        elif line[0].isspace() and option:
            section[option].append(bare)
    return {
        name: {key: "\n".join(lines) for key, lines in options.items()} for name, options in sections.items()
    }


def _tree(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _assigned(tree: ast.AST) -> dict[str, ast.expr]:
    """Names of the module that are given a value as it stands."""
    found: dict[str, ast.expr] = {}
    for node in getattr(tree, "body", ()):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found


def _literal(node: ast.expr, values: Mapping[str, ast.expr]) -> Any:
    """The value, through one name; None when it is not written there, True for what is there but computed."""
    if isinstance(node, ast.Name):
        node = values.get(node.id, node)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _pieces(node)


def _pieces(node: ast.expr) -> Any:
    """Of a list or mapping the parts that are literal; else None."""
    if isinstance(node, ast.List | ast.Tuple):
        return [item.value for item in node.elts if isinstance(item, ast.Constant)]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {key.value: _literal(value, {}) for key, value in pairs if isinstance(key, ast.Constant)}
    return None
