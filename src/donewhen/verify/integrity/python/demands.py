"""What a condition or an assertion call demands: of which kind, of what, given what, compared with what."""

from typing import NamedTuple

from donewhen.core.integrity.model import AssertionKind
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.sides import Side, side
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import operands, truth
from donewhen.verify.integrity.python.values import canon


class Demand(NamedTuple):
    kind: AssertionKind
    subjects: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    hollow: bool = False
    text: str = ""  # of one part of a longer condition


_BY_SIGN: dict[str, AssertionKind] = {
    "==": "equal", "!=": "unequal", "is": "equal", "is not": "unequal", "in": "contains", "not in": "other",
    "<": "order", "<=": "order", ">": "order", ">=": "order", "<>": "unequal",
}  # fmt: skip
_NEGATED = {
    "==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in", "<": ">=",
    "<=": ">", ">": "<=", ">=": "<",
}  # fmt: skip
_CALLS: dict[str, AssertionKind] = {
    "isinstance": "type", "issubclass": "type", "match": "matches", "search": "matches",
    "fullmatch": "matches", "isclose": "close", "allclose": "close", "startswith": "matches",
    "endswith": "matches", "array_equal": "equal", "equals": "equal",
}  # fmt: skip
_MOST_PARTS = 40  # of one condition


def condition(node: Node, place: Place, negated: bool = False) -> list[Demand]:
    """The demands of `assert node`; of `assert not node` if `negated`. A conjunction makes several."""
    out: list[Demand] = []
    waiting = [(node, negated)]
    while waiting and len(out) < _MOST_PARTS:
        here, no = waiting.pop()
        if here.kind == "parenthesized_expression" and len(here.kids) == 3:
            waiting.append((here.kids[1], no))
        elif here.kind == "not_operator" and (inner := here.get("argument")) is not None:
            waiting.append((inner, not no))
        elif here.kind == "boolean_operator" and here.kids[1].word == ("or" if no else "and"):
            waiting.extend((kid, no) for kid in reversed(here.parts))
        else:
            out.append(_single(here, no, place))
    return out


def _single(node: Node, negated: bool, place: Place) -> Demand:
    settled = truth(node, place)
    hollow = settled is (not negated)
    if node.kind == "comparison_operator":
        demand = _comparison(node, negated, place)
    elif node.kind == "call" and not negated:
        demand = _call(node, place)
    else:
        demand = _bare(node, negated, place)
    return demand._replace(hollow=hollow or demand.hollow, text=("not " if negated else "") + normal(node))


def _bare(node: Node, negated: bool, place: Place) -> Demand:
    found = side(node, place)
    if node.kind == "boolean_operator":
        return Demand("other", found.subjects, found.literals, found.literals)
    return Demand(
        "false" if negated else "true", found.subjects, found.literals, ("false" if negated else "true",)
    )


def _call(node: Node, place: Place) -> Demand:
    last = place.page.names.called(node).rpartition(".")[2]
    given = arguments(node)
    kind = _CALLS.get(last)
    if kind in ("close", "equal") and len(given) >= 2:
        return pair(kind, given[0], given[1], place, _tolerance(node, given[2:], place))
    if kind in ("close", "equal") and given and (function := node.get("function")) is not None:
        home = function.get("object")
        return pair(kind, home, given[0], place) if home is not None else _bare(node, False, place)
    if kind == "type" and len(given) == 2:
        return Demand(
            "type", side(given[0], place).subjects, side(given[0], place).literals, (normal(given[1]),)
        )
    found = side(node, place)
    if kind == "matches":
        texts = tuple(one for part in given for one in side(part, place).whole if one.startswith('"'))
        return Demand("matches", found.subjects, found.literals, texts)
    return Demand("true", found.subjects, found.literals, ("true",))


def _comparison(node: Node, negated: bool, place: Place) -> Demand:
    sides = operands(node)
    if sides is None:
        found = side(node, place)
        return Demand("order", found.subjects, found.literals, found.literals)
    left, sign, right = sides
    sign = _NEGATED.get(sign, sign) if negated else sign
    kind = _BY_SIGN.get(sign, "other")
    if kind == "contains":
        return contained(left, right, place)
    if sign in ("is", "is not", "==", "!=") and (right.kind == "none" or left.kind == "none"):
        found = side(left if right.kind == "none" else right, place)
        empty = sign in ("is", "==")
        return Demand(
            "null" if empty else "not_null", found.subjects, found.literals, ("null",) if empty else ()
        )
    return pair(kind, left, right, place)


def contained(member: Node, container: Node, place: Place) -> Demand:
    inner, outer = side(member, place), side(container, place)
    if outer.constant and not inner.constant:
        return Demand("contains", inner.subjects, inner.literals, outer.whole)
    return Demand("contains", outer.subjects + inner.subjects, outer.literals, inner.whole)


def pair(kind: AssertionKind, left: Node, right: Node, place: Place, more: tuple[str, ...] = ()) -> Demand:
    """Two sides that are compared; the one without anything to call or read is the expected one."""
    first, second = side(left, place), side(right, place)
    for node in (left, right):
        kind = _by_look(kind, node, place)
    if first.constant and second.constant:
        named = left if left.kind == "identifier" else right if right.kind == "identifier" else None
        actual, wanted = (second, first) if named is right else (first, second)
        subjects = (place.page.names.plain(named),) if named is not None else ()
        return Demand(kind, subjects, actual.literals, wanted.whole + more)
    if first.constant:
        first, second = second, first
    if second.constant:
        return Demand(kind, first.subjects, first.literals, second.whole + more)
    return Demand(kind, _both(first, second), first.literals + second.literals, more)


def _both(first: Side, second: Side) -> tuple[str, ...]:
    return tuple(dict.fromkeys(first.subjects + second.subjects))


def _by_look(kind: AssertionKind, node: Node, place: Place) -> AssertionKind:
    """`== approx(3)` asks for less than `== 3`, `== snapshot` for what a file holds."""
    if kind != "equal":
        return kind
    name = place.page.names.dotted(node).removesuffix("()")
    if name.endswith("approx"):
        return "close"
    return "snapshot" if name == "snapshot" or name.endswith(".snapshot") else kind


def _tolerance(node: Node, more: list[Node], place: Place) -> tuple[str, ...]:
    named = keywords(node)
    nodes = [*more, *(named[name] for name in _TOLERANCES if name in named)]
    return tuple(one for each in nodes if (one := canon(place.value(each))) is not None)


_TOLERANCES = ("places", "delta", "rel_tol", "abs_tol", "rtol", "atol", "rel", "abs", "decimal")


def tolerance(call: Node, place: Place) -> tuple[str, ...]:
    """How far the values of an `almost equal` may lie apart."""
    positional = [part for part in arguments(call)[2:3] if isinstance(place.value(part), int | float)]
    return _tolerance(call, positional, place)
