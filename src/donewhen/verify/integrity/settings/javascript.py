"""JSON and JavaScript configuration as settings: every pair of every object literal, whoever exports it.

A value that is computed stays code: it can be told to have changed, and nothing more. Nothing is run.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from donewhen.verify.integrity.settings.formats import DEEPEST, MOST
from donewhen.verify.integrity.settings.model import Code, Leaf, Scalar, Unread, Value
from donewhen.verify.integrity.syntax import errors, line, normal, parse, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 2000  # bytes of a value that is told
_MOST_TURNS = 500
_PLAIN = {"true": True, "false": False, "null": None, "undefined": None}
_WRAPS = frozenset(
    ("parenthesized_expression", "satisfies_expression", "as_expression", "non_null_expression")
)
_TURNS = frozenset(
    "if_statement ternary_expression spread_element for_statement for_in_statement while_statement "
    "try_statement unary_expression switch_statement augmented_assignment_expression".split()
)
_LOOSE = frozenset(("process", "global", "globalThis", "Object", "Reflect", "fs", "eval"))


@lru_cache(maxsize=256)
def read_json(source: str) -> tuple[Leaf, ...] | Unread:
    """JSON, also with comments and trailing commas."""
    tree = parse("javascript", b"(" + source.encode(errors="replace") + b"\n)")
    broken = errors(tree)
    if broken:
        return Unread(broken[0], "weakening.broken")
    return tuple(_leaves(tree.root_node))


def read_script(source: str, suffix: str) -> tuple[Leaf, ...] | Unread:
    """A configuration file that is code."""
    tree = parse("typescript" if suffix.endswith("ts") else "javascript", source.encode(errors="replace"))
    broken = errors(tree)
    return Unread(broken[0], "weakening.broken") if broken else tuple(_leaves(tree.root_node))


def turns(source: str, suffix: str) -> dict[str, int]:
    """What makes a configuration depend on more than what is written in it, with its line."""
    tree = parse("typescript" if suffix.endswith("ts") else "javascript", source.encode(errors="replace"))
    found: dict[str, int] = {}
    for node in walk(tree.root_node):
        if _is_turn(node) and len(found) < _MOST_TURNS:
            found.setdefault(_written(node), line(node))
    return found


def _is_turn(node: "Node") -> bool:
    if node.type == "unary_expression":
        return node.children[0].type == "delete"
    return node.type in _TURNS or (node.type == "identifier" and text(node) in _LOOSE)


def _leaves(root: "Node") -> Iterator[Leaf]:
    told = 0
    for node in walk(root):
        if node.type == "object" and not _inside_object(node):
            for leaf in _object(node):
                told += 1
                if told > MOST:
                    return
                yield leaf
        elif node.type == "assignment_expression":
            told += 1
            yield from _assigned(node)


def _inside_object(node: "Node") -> bool:
    above = node.parent
    for _ in range(DEEPEST * 3):
        if above is None or above.type in ("statement_block", "program"):
            return False
        if above.type == "object":
            return True
        above = above.parent
    return True


def _assigned(node: "Node") -> Iterator[Leaf]:
    """`config.testMatch = […]`, `module.exports.bail = 0`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    named = (
        left.child_by_field_name("property")
        if left is not None and left.type == "member_expression"
        else None
    )
    if named is None or right is None or text(named) == "exports" or _bare(right).type == "object":
        return
    yield Leaf((text(named),), _value(right), line(node))


def _object(root: "Node") -> Iterator[Leaf]:
    waiting: list[tuple[tuple[str, ...], Node, int]] = [((), root, line(root))]
    while waiting:
        key, node, at = waiting.pop()
        node = _bare(node)
        if node.type == "object" and len(key) < DEEPEST:
            pairs = [each for each in node.named_children if each.type == "pair"]
            waiting.extend(reversed([((*key, _key(each)), _right(each), line(each)) for each in pairs]))
        elif node.type == "array" and any(_bare(each).type == "object" for each in node.named_children):
            parts = enumerate(each for each in node.named_children if each.type != "comment")
            waiting.extend(reversed([((*key, str(number)), each, line(each)) for number, each in parts]))
        else:
            yield Leaf(key, _value(node), at)


def _bare(node: "Node") -> "Node":
    for _ in range(DEEPEST):
        if node.type not in _WRAPS or not node.named_children:
            break
        node = node.named_children[0]
    return node


def _key(pair: "Node") -> str:
    key = pair.child_by_field_name("key")
    if key is None:
        return ""
    return str(_string(key)) if key.type == "string" else text(key)


def _right(pair: "Node") -> "Node":
    return pair.child_by_field_name("value") or pair


def _value(node: "Node") -> Value:
    node = _bare(node)
    if node.type != "array":
        return _scalar(node)
    return tuple(_scalar(_bare(each)) for each in node.named_children if each.type != "comment")


def _scalar(node: "Node") -> Scalar | Code:
    if node.type == "string" or (node.type == "template_string" and "${" not in text(node)):
        return _string(node)
    if node.type in _PLAIN:
        return _PLAIN[node.type]
    if node.type in ("number", "unary_expression"):
        try:
            return float(text(node).replace("_", ""))
        except ValueError:
            return Code(_written(node))
    return Code(_written(node))


def _written(node: "Node") -> str:
    """Its tokens; of what is long only the beginning, because it may be nested in more of its kind."""
    size = node.end_byte - node.start_byte
    if size <= _LONGEST:
        return normal(node)
    first = node
    while first.child_count and first.end_byte - first.start_byte > _LONGEST:
        first = first.children[0]
    return f"{normal(first)} … {size}"


def _string(node: "Node") -> str:
    written = text(node)
    if "\\" not in written:
        return written[1:-1]
    inner = written[1:-1].replace("\\'", "'")
    try:
        return str(json.loads(written if written[0] == '"' else f'"{inner}"'))
    except ValueError:
        return inner
