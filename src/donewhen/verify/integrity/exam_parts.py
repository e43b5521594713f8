"""A Python file that holds the product and its exam, in which only the product changed: what the goal names.

Such a file is not put back for the base's exam, which would then examine the old product. All that runs on
its own, every function that asserts and every one that the goal does not name must be as it was. Pure.
"""

import ast
import builtins
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

_LARGEST = 256 * 1024
_ENDING = ".py"
_FAILS = frozenset(("AssertionError", "SystemExit"))
_CHECKS = re.compile(r"(?i)(?:^|_)(?:test|check|assert|expect|verify|fail|main|selftest)")
_BUILT_IN = frozenset(dir(builtins))
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _Parts(NamedTuple):
    defined: dict[str, _Definition]
    rest: tuple[str, ...]  # statements that run when the file is loaded, imports apart
    imports: dict[str, frozenset[str]]  # what each of them binds
    used: frozenset[str]  # names, all over the file


def only_named_parts(path: str, before: bytes, after: bytes, goal: str) -> bool:
    """Whether nothing differs but functions and classes that the goal names, and new ones for them."""
    base, now = (_parts(data) if path.endswith(_ENDING) else None for data in (before, after))
    if base is None or now is None or base.rest != now.rest or base.imports.keys() - now.imports:
        return False
    gone = base.defined.keys() - now.defined.keys()
    edited = [name for name in base.defined.keys() & now.defined.keys() if _differ(base, now, name)]
    fresh = set(now.defined.keys() - base.defined.keys())
    fresh.update(name for text, names in now.imports.items() if text not in base.imports for name in names)
    return (
        bool(edited)
        and not gone
        and fresh.isdisjoint(base.used | _BUILT_IN | {"*"})
        and all(_is_product(base.defined[name], now.defined[name], name, goal) for name in edited)
    )


def _parts(data: bytes) -> _Parts | None:
    if len(data) > _LARGEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data)
            body = tree.body
            defined = [node for node in body if isinstance(node, _Definition)]
            others = [node for node in body if not isinstance(node, _Definition)]
            imports = {
                ast.dump(n): frozenset((each.asname or each.name).partition(".")[0] for each in n.names)
                for n in others
                if isinstance(n, ast.Import | ast.ImportFrom)
            }
            rest = [n for n in others if not isinstance(n, ast.Import | ast.ImportFrom) and not _is_text(n)]
            used = frozenset((*_names(tree), *(node.name for node in defined)))
            found = _Parts({n.name: n for n in defined}, tuple(map(ast.dump, rest)), imports, used)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    return found if len(found.defined) == len(defined) else None  # the second of a name hides the first


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _differ(base: _Parts, now: _Parts, name: str) -> bool:
    return ast.dump(base.defined[name]) != ast.dump(now.defined[name])


def _is_product(before: _Definition, after: _Definition, name: str, goal: str) -> bool:
    """Named by the goal, not by its own name a check, and nothing in it fails by its own will."""
    named = re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", goal[:20_000]) is not None
    return named and not _CHECKS.search(name) and not any(_judges(each) for each in (before, after))


def _judges(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Assert) for each in ast.walk(node)) or not _FAILS.isdisjoint(_names(node))


def _names(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
