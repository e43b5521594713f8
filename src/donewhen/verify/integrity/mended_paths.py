"""Test files that only learnt where the product lies: lines for `sys.path`, and nothing else.

Such a file could not be run as it stood at the base, and asks what it asked. Which folder it now looks into
is read off the texts in those lines; whether the product lies there is for the caller to say. Pure.
"""

import ast
import re
import warnings
from typing import NamedTuple

_LARGEST = 256 * 1024
_TOOLS = frozenset(("sys", "os", "os.path", "pathlib"))
_PATH = ("sys.path.insert", "sys.path.append")
_NAMES = frozenset(
    "sys os path pathlib Path __file__ insert append resolve parent parents absolute dirname abspath join "
    "str realpath joinpath".split()
)
_ASKED = re.compile(
    r"(?i)\bsys\.path\b|PYTHONPATH|ModuleNotFoundError|ImportError|no module named"
    r"|\b(?:finds?|imports?|importable|locate)\b[^.;\n]{0,40}"
    r"(?:\bsrc\b|\blib\b|modules?|packages?|by itself|on its own)"
    r"|\bfrom (?:any|every|whatever) (?:folder|directory|place)|找不到模块|导入路径"
)


class Parts(NamedTuple):
    """A file taken apart: `rest` without imports of tools and lines for the path."""

    rest: str
    folders: frozenset[str]  # that the lines name
    lines: int


def is_asked(goal: str) -> bool:
    """Whether the goal speaks of how tests find what they import."""
    return _ASKED.search(goal[:20_000]) is not None


def parts_of(data: bytes) -> Parts | None:
    """None where it can't be read, or where a line does more than to name a folder."""
    if len(data) > _LARGEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            body = ast.parse(data).body
            added = [node for node in body if _is_line(node)]
            rest = [node for node in body if node not in added and not _is_tool(node)]
            if not all(_is_plain(node) for node in added):
                return None
            return Parts(ast.dump(ast.Module(rest, [])), _folders(added), len(added))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _is_tool(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "pathlib" and [each.name for each in node.names] == ["Path"]
    return isinstance(node, ast.Import) and all(
        each.name in _TOOLS and not each.asname for each in node.names
    )


def _is_line(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) in _PATH


def _is_plain(node: ast.stmt) -> bool:
    """Built from the file's own place, and from folders by name."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    names |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    return names <= _NAMES and "__file__" in names


def _folders(nodes: list[ast.stmt]) -> frozenset[str]:
    texts = (
        each.value
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )
    return frozenset(part for text in texts for part in text.split("/") if part not in ("", ".", ".."))
