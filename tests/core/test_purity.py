"""The core decides and does nothing else: no I/O, no clock, no chance, nothing but the standard library."""

import ast
from pathlib import Path

import donewhen.core

CORE = Path(donewhen.core.__file__).parent
PURE = frozenset(
    """ast base64 binascii bisect collections collections.abc concurrent.futures contextlib datetime decimal difflib fnmatch functools graphlib
    hashlib importlib itertools json math posixpath re shlex types typing unicodedata warnings zlib""".split()
)
WORLD = ("open", "input", "print", "exec", "eval", "breakpoint")


def imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_core_imports_only_harmless_parts_of_the_standard_library_and_itself():
    strangers = {
        (path.relative_to(CORE).as_posix(), name)
        for path in CORE.rglob("*.py")
        for name in imports(ast.parse(path.read_text()))
        if name not in PURE and name.partition(".import")[0].split(".")[:2] != ["donewhen", "core"]
    }
    assert strangers == set()


def test_the_core_touches_nothing_outside():
    calls = {
        (path.relative_to(CORE).as_posix(), node.func.id)
        for path in CORE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORLD
    }
    clocks = {
        (path.relative_to(CORE).as_posix(), node.func.attr)
        for path in CORE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("now", "today", "utcnow")
    }
    assert (calls, clocks) == (set(), set())


def test_accepted_is_constructed_in_one_place_only():
    places = [
        path.relative_to(CORE.parent).as_posix()
        for path in CORE.parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Accepted"
    ]
    assert places == ["core/gate.py"]
