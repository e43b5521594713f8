"""Which expressions are literals as a whole: lists, maps, sets, negative numbers, joined strings.

Each looks at its own parts only, which were folded before it.
"""

from collections.abc import Callable

from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.node import Node, arguments, dotted

_JOINED = 400  # characters of strings joined by `+`
_KEPT = frozenset(("Object.freeze", "Object.seal", "Set", "Map", "Date", "URL", "Uint8Array"))


def _same(node: Node) -> str | None:
    return node.kids[0].value if node.kids else None


def _array(node: Node) -> str | None:
    elements = [kid.value for kid in node.kids]
    return values.listed(e for e in elements if e is not None) if None not in elements else None


def _object(node: Node) -> str | None:
    entries: list[tuple[str, str]] = []
    for kid in node.kids:
        if kid.type != "pair" or len(kid.kids) < 2 or kid.kids[1].value is None:
            return None
        key = key_of(kid)
        if not key:
            return None
        entries.append((key, kid.kids[1].value))
    return values.mapped(entries)


def key_of(pair: Node) -> str:
    """The key of an entry as a canonical literal, "" where it is computed."""
    key = pair.kids[0]
    if key.type == "property_identifier":
        return values.quoted(key.text)
    if key.type == "computed_property_name":
        return (key.kids[0].value if key.kids else None) or ""
    if key.type == "number":
        return values.quoted(key.value or "")
    return key.value or ""


def _unary(node: Node) -> str | None:
    if len(node.kids) != 2 or node.kids[1].value is None:
        return None
    sign, value = node.kids[0].text, node.kids[1].value
    if sign == "-":
        return values.negative(value)
    return value if sign == "+" and value[:1].isdigit() else None


def _binary(node: Node) -> str | None:
    if len(node.kids) != 3 or node.kids[1].text != "+":
        return None
    left, right = node.kids[0].value, node.kids[2].value
    if left is None or right is None or not (left.startswith('"') and right.startswith('"')):
        return None
    return left[:-1] + right[1:] if len(left) + len(right) <= _JOINED else None


def _made(node: Node) -> str | None:
    """`new Set([1, 2])` and `Object.freeze({…})` are what they are made of."""
    if not node.kids or dotted(node.kids[0]) not in _KEPT:
        return None
    given = arguments(node)
    return given[0].value if len(given) == 1 else None


FOLDED: dict[str, Callable[[Node], str | None]] = {
    "array": _array,
    "object": _object,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "parenthesized_expression": _same,
    "as_expression": _same,
    "satisfies_expression": _same,
    "non_null_expression": _same,
    "new_expression": _made,
    "call_expression": _made,
}
