"""What a condition demands when it must hold: `a === 3` is an equality, `!x` a falsehood.

Both an assertion of a truth and a guard that throws come through here, so that `assert(sum(1) === 3)`,
`expect(sum(1)).toBe(3)` and `if (sum(1) !== 3) throw …` are one demand.
"""

from typing import NamedTuple

from donewhen.core.integrity.model import AssertionKind
from donewhen.verify.integrity.javascript.node import Node, arguments, bare, callee, dotted, is_member, prop
from donewhen.verify.integrity.javascript.scopes import Scopes


class Demand(NamedTuple):
    kind: AssertionKind
    subject: list[Node]
    expected: list[Node]
    negated: bool = False
    pending: bool = False  # a promise that must be waited for
    idle: bool = False  # demands nothing at all


_OPERATORS: dict[str, tuple[AssertionKind, AssertionKind]] = {
    "===": ("equal", "unequal"),
    "==": ("equal", "unequal"),
    "!==": ("unequal", "equal"),
    "!=": ("unequal", "equal"),
    "<": ("order", "order"),
    ">": ("order", "order"),
    "<=": ("order", "order"),
    ">=": ("order", "order"),
    "instanceof": ("type", "other"),
    "in": ("contains", "other"),
}  # operator → what it demands, and what its opposite demands
_SAME = frozenset(
    ("Object.is", "util.isDeepStrictEqual", "isDeepStrictEqual", "isEqual", "_.isEqual", "deepEqual")
)
_HOLDING = frozenset(("includes", "has", "startsWith", "endsWith", "hasOwnProperty"))
_PARTS = 20


def truth(scopes: Scopes, node: Node, negated: bool = False) -> Demand | None:
    """The demand behind a condition; None where it is just a truth."""
    node = bare(node)
    while node.type == "unary_expression" and len(node.kids) == 2 and node.kids[0].text == "!":
        node, negated = bare(node.kids[1]), not negated
    if node.type == "binary_expression" and len(node.kids) == 3:
        joined = "||" if negated else "&&"
        if node.kids[1].text == joined:
            return _all(scopes, node, joined, negated)
        return _compared(scopes, node, negated)
    if node.type == "call_expression":
        return _asked(scopes, node, negated)
    return Demand("false", [node], [], negated=True) if negated else None


def _all(scopes: Scopes, node: Node, joined: str, negated: bool) -> Demand | None:
    waiting: list[Node] = [node]
    found: list[Demand | None] = []
    while waiting and len(found) < _PARTS:
        here = bare(waiting.pop())
        if here.type == "binary_expression" and len(here.kids) == 3 and here.kids[1].text == joined:
            waiting.extend((here.kids[2], here.kids[0]))
        else:
            found.append(_part(scopes, here, negated))
    kinds = {one.kind for one in found if one}
    if None in found or len(kinds) != 1:
        return None
    demands = [one for one in found if one]
    return Demand(
        demands[0].kind,
        [node for one in demands for node in one.subject],
        [node for one in demands for node in one.expected],
    )


def _part(scopes: Scopes, node: Node, negated: bool) -> Demand | None:
    return (
        _compared(scopes, node, negated) if node.type == "binary_expression" and len(node.kids) == 3 else None
    )


def _compared(scopes: Scopes, node: Node, negated: bool) -> Demand | None:
    left, operator, right = node.kids
    kinds = _OPERATORS.get(operator.text)
    if kinds is None:
        return None
    kind = kinds[negated]
    subject, expected = sides(scopes, left, right)
    asked = bare(subject)
    if asked.type == "unary_expression" and asked.kids and asked.kids[0].text == "typeof":
        return Demand("type" if kind == "equal" else "other", [subject], [expected])
    if operator.text == "in":
        subject, expected = right, left
    return Demand(kind, [subject], [expected])


def sides(scopes: Scopes, left: Node, right: Node) -> tuple[Node, Node]:
    """Subject, expected: the literal is what is expected, on whichever side it stands."""
    return (right, left) if constant(scopes, left) and not constant(scopes, right) else (left, right)


def constant(scopes: Scopes, node: Node) -> bool:
    node = bare(node)
    if node.value is not None:
        return True
    known = scopes.resolve(node) if node.type == "identifier" or is_member(node) else []
    return bool(known) and all(one.value is not None for one in known)


def _asked(scopes: Scopes, call: Node, negated: bool) -> Demand | None:
    given = arguments(call)
    called = bare(callee(call))
    path = dotted(called)
    if path in _SAME and len(given) == 2:
        subject, expected = sides(scopes, given[0], given[1])
        return Demand("unequal" if negated else "equal", [subject], [expected])
    if path == "Array.isArray":
        return Demand("other" if negated else "type", given, [])
    if not is_member(called) or not given:
        return Demand("false", [call], []) if negated else None
    holder, name = bare(called.kids[0]), prop(called)
    if name in _HOLDING:
        subject, expected = sides(scopes, holder, given[0])
        return Demand("other" if negated else "contains", [subject], [expected])
    if name == "test" and holder.type == "regex":
        return Demand("other" if negated else "matches", given, [holder])
    return Demand("false", [call], []) if negated else None
