"""The files of a Python project, read with care: bounded, tolerant, and nothing of them is ever run.

What is broken, too large, a link out of the folder or no regular file reads as empty. Only names and texts
come from here; what they mean is decided elsewhere.
"""

import ast
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from donewhen.workspace.setup.folder import inside, read_inside

_LARGEST = 512 * 1024
_MOST_NAMES = 5000
_MOST_TESTS = 400
_TEST_START = 64 * 1024  # imports and marks stand early in a file
_MOST_SQUARES = 4_000_000  # about a fifth of a second
_MOST_STEPS = 1_000_000
_MOST_BRACKETS = 20_000
_HEADER = re.compile(r"^\[([^\]\n]{1,200})\][ \t]*$")
_OPTION = re.compile(r"^([A-Za-z_][\w.-]{0,80})[ \t]*[=:][ \t]*(.*)$")
_TEST_FOLDERS = ("tests", "test", "testing", "unittests", "t")
_NOISE = frozenset(
    (".git", ".tox", ".nox", ".venv", "venv", "env", "node_modules", "build", "dist", "__pycache__", ".eggs")
)


class Files:
    """One project folder. Every answer is read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts: dict[str, str] = {}
        self._tables: dict[str, dict[str, Any]] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, _ in _entries(self.folder))

    @cached_property
    def folders(self) -> frozenset[str]:
        return frozenset(name for name, is_folder in _entries(self.folder) if is_folder)

    def has(self, path: str) -> bool:
        return self._inside(path) is not None

    def text(self, path: str, most: int = _LARGEST) -> str:
        """The text of a file of the project; empty when there is none that can be read."""
        if path not in self._texts:
            self._texts[path] = self._read(path, most)
        return self._texts[path]

    def toml(self, path: str) -> dict[str, Any]:
        """The tables of a TOML file; empty when it is none, or one that is made to take long."""
        if path not in self._tables:
            self._tables[path] = _read_toml(self.text(path))
        return dict(self._tables[path])

    def ini(self, path: str) -> dict[str, dict[str, str]]:
        """Sections and options as they stand; nothing is expanded, what is no line of an ini is skipped."""
        return read_ini(self.text(path))

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

    @cached_property
    def test_files(self) -> tuple[str, ...]:
        """Python files that are tests or stand among them, by their paths."""
        found: list[str] = []
        for name in walk(self.folder, depth=6):
            if len(found) >= _MOST_TESTS:
                break
            if is_test_file(name):
                found.append(name)
        return tuple(found)

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

    def _inside(self, path: str) -> Path | None:
        return inside(self.folder, path)

    def _read(self, path: str, most: int) -> str:
        return read_inside(self.folder, path, most)


def is_test_file(path: str) -> bool:
    parts = path.split("/")
    if not parts[-1].endswith(".py"):
        return False
    stem = parts[-1][:-3]
    among = any(part in _TEST_FOLDERS for part in parts[:-1])
    return (
        among or stem.startswith(("test_", "tests")) or stem.endswith("_test") or stem in ("test", "conftest")
    )


def _entries(folder: Path) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(found) >= _MOST_NAMES:
                    break
                found.append((entry.name, _is_folder(entry)))
    except (OSError, ValueError):
        return []
    return sorted(found)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def walk(folder: Path, depth: int) -> Iterator[str]:
    """Files below, nearest first; no links are followed."""
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


def _read_toml(text: str) -> dict[str, Any]:
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
