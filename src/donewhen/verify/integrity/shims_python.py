"""Python files that answer for others: a name of the runner or the standard library where imports begin.

A name inside a package is nobody's but the package's. At the places where imports begin, names that runner
and interpreter need are refused; other names of the standard library are refused only to a file that
imitates, patches or re-exports what it hides, and told as a warning else.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NamedTuple

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.shims_names import (
    EARLY,
    HELPERS,
    LIKELY_ROOTS,
    RUNNERS,
    STDLIB,
    TEST_LIBRARIES,
    TEST_ROOTS,
)

_TRICKS = re.compile(
    rb"sys\.modules|importlib|builtins|__import__|__getattr__|setattr\(|unittest|pytest|_pytest|sys\.path"
    rb"|exec\(|addsitedir"
)
_LARGEST = 256 * 1024
# Standard modules that are plain enough to be asked for their names.
_ASKED = frozenset(
    """random time datetime calendar queue statistics secrets uuid decimal fractions math csv hashlib copy
    string textwrap socket glob email html http urllib sqlite3 bisect heapq struct pprint
    numbers locale base64 types token
    code cmd select resource profile configparser getpass hmac zlib gzip zipfile tarfile pickle shelve shlex
    sched graphlib tomllib zoneinfo mailbox mimetypes ipaddress colorsys array""".split()
)


class Tree(NamedTuple):
    """All files, at the base and now, with the content of those that were added or changed."""

    base: frozenset[str]
    paths: frozenset[str]
    changed: Mapping[str, bytes | None]
    imported: frozenset[str]


def python_shims(path: str, tree: Tree) -> Iterator[Finding]:
    """What an added Python file answers for."""
    folder, name, package = _module(path)
    if not name or not _at_root(folder, tree):
        return
    data = tree.changed.get(path)
    beside_tests = folder.rpartition("/")[2] in TEST_ROOTS
    packaged = bool(folder) and folder_file(folder, "__init__.py") in tree.paths
    if name in RUNNERS:
        finding = found("shim", path, 1, now=name)
        yield finding._replace(policy="warn") if package and _holds_tests(folder, name, tree) else finding
    elif name in STDLIB or name in TEST_LIBRARIES:
        yield _hides(path, name, folder, data, tree)
    elif package and folder_file(folder, f"{name}.py") in tree.paths & tree.base:
        yield _product(path, folder_file(folder, f"{name}.py"))
    elif beside_tests and not HELPERS.fullmatch(name):
        other = _elsewhere(name, folder, tree)
        if other:
            finding = _product(path, other)
            yield finding._replace(policy="warn") if packaged else finding


def folder_file(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _holds_tests(folder: str, name: str, tree: Tree) -> bool:
    """A folder of tests that is named after the kind of its tests: tests/unittest/test_cart.py."""
    inside = folder_file(folder, f"{name}/test_")
    return bool(folder) and any(path.startswith(inside) for path in tree.paths)


def _module(path: str) -> tuple[str, str, bool]:
    """Folder, top-level name, and whether it is a package; no name for what can't be imported."""
    folder, _, file = path.rpartition("/")
    if file == "__init__.py":
        above, _, name = folder.rpartition("/")
        return above, name, True
    stem, _, suffix = file.partition(".")
    return folder, stem if suffix in ("py", "pyw") else "", False


def _at_root(folder: str, tree: Tree) -> bool:
    """Whether imports begin in the folder: the root, a source folder, or one that holds tests."""
    if not folder:
        return True
    last = folder.rpartition("/")[2]
    if last in TEST_ROOTS:
        return True
    if folder_file(folder, "__init__.py") in tree.paths:
        return False
    return folder in LIKELY_ROOTS or any(
        folder_file(folder, each) in tree.paths for each in ("conftest.py", "test.py", "tests.py")
    )


def _hides(path: str, name: str, folder: str, data: bytes | None, tree: Tree) -> Finding:
    finding = found("shim", path, 1, now=name)
    packaged = bool(folder) and folder_file(folder, "__init__.py") in tree.paths
    sure = not packaged and folder not in LIKELY_ROOTS
    if sure and (name in EARLY or name in tree.imported):
        return finding
    if data is None or (name in STDLIB and sure and _imitates(name, data)) or _plays(data):
        return finding
    return finding._replace(policy="warn")


def _plays(data: bytes) -> bool:
    return len(data) > _LARGEST or bool(_TRICKS.search(data))


def _imitates(name: str, data: bytes) -> bool:
    """Does it define what the hidden module would have been asked for?"""
    if name not in _ASKED:
        return False
    try:
        body = ast.parse(data).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    real = {each for each in dir(import_module(name)) if not each.startswith("_")}
    defined = {
        node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
    }
    return len(defined & real) >= 2 or (bool(defined & real) and len(defined) == 1)


def _elsewhere(name: str, folder: str, tree: Tree) -> str:
    """A module of the product with the same name, which the tests meant."""
    for root in ("", "src", "lib"):
        if root == folder:
            continue
        for file in (f"{name}.py", f"{name}/__init__.py"):
            if folder_file(root, file) in tree.base:
                return folder_file(root, file)
    return ""


def _product(path: str, other: str) -> Finding:
    message = Phrase("weakening.hides_product", {"file": path, "other": other})
    return found("shim", path, 1, now=other, message=message)
