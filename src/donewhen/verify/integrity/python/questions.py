"""Conditions that ask for certain inputs: which literals they compare what was asked with."""

from typing import NamedTuple

from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.taint import Taint
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import operands
from donewhen.verify.integrity.python.values import UNKNOWN, Pairs, canon

_SHORTEST_PART = 3  # characters of a text that is looked for inside what was asked


class Question(NamedTuple):
    keys: tuple[str, ...] = ()
    negated: bool = False  # the keys are those that the condition leaves out
    elements: bool = False  # it asks for an element of what was asked


_NONE = Question()


def keys_of(condition: Node, taint: Taint, place: Place, depth: int = 0) -> Question:
    if depth > 20:
        return _NONE
    if condition.kind == "parenthesized_expression" and len(condition.kids) == 3:
        return keys_of(condition.kids[1], taint, place, depth + 1)
    if condition.kind == "not_operator" and (inner := condition.get("argument")) is not None:
        found = keys_of(inner, taint, place, depth + 1)
        return found._replace(negated=not found.negated)
    if condition.kind == "boolean_operator":
        return _joined(condition, taint, place, depth)
    if condition.kind == "comparison_operator":
        return _compared(condition, taint, place)
    return _started(condition, taint, place) if condition.kind == "call" else _NONE


def _joined(condition: Node, taint: Taint, place: Place, depth: int) -> Question:
    sides = operands(condition)
    if sides is None:
        return _NONE
    left, right = (keys_of(side, taint, place, depth + 1) for side in (sides[0], sides[2]))
    if not left.keys or not right.keys:
        # `x == 7 and ready` still asks for 7; `x == 7 or ready` answers others, too
        one = left if left.keys else right
        return one if sides[1] == "and" else _NONE
    if left.negated != right.negated:
        return _NONE
    return Question(left.keys + right.keys, left.negated, left.elements or right.elements)


def _compared(condition: Node, taint: Taint, place: Place) -> Question:
    sides = operands(condition)
    if sides is None:
        return _NONE
    left, sign, right = sides
    if sign in ("==", "!=", "is", "is not"):
        asked, literal = (left, right) if taint.asked(left) else (right, left)
        if not taint.asked(asked):
            return _NONE
        keys = _keys(asked, literal, place)
        return Question(tuple(keys), sign in ("!=", "is not"), _is_element(asked, taint))
    if sign in ("in", "not in"):
        return _member(left, sign, right, taint, place)
    return _NONE


def _member(left: Node, sign: str, right: Node, taint: Taint, place: Place) -> Question:
    value = place.value(right)
    negated = sign == "not in"
    if taint.asked(left) and isinstance(value, tuple | Pairs):
        held = value if isinstance(value, tuple) else tuple(key for key, _ in value.items)
        keys = tuple(shown for each in held if (shown := canon(each)) is not None)
        return Question(keys, negated, _is_element(left, taint))
    part = place.value(left)
    if taint.asked(right) and isinstance(part, str) and len(part) >= _SHORTEST_PART:
        return Question((canon(part) or "",), negated)
    return _NONE


def _started(call: Node, taint: Taint, place: Place) -> Question:
    function, given = call.get("function"), arguments(call)
    if function is None or function.kind != "attribute" or not given:
        return _NONE
    home = function.get("object")
    if function.kids[-1].word not in ("startswith", "endswith") or home is None or not taint.asked(home):
        return _NONE
    part = place.value(given[0])
    long_enough = isinstance(part, str) and len(part) >= _SHORTEST_PART
    return Question((canon(part) or "",)) if long_enough else _NONE


def _keys(asked: Node, literal: Node, place: Place) -> list[str]:
    value = place.value(literal)
    shown = canon(value) if value is not UNKNOWN else None
    return [shown] if shown is not None else []


def _is_element(node: Node, taint: Taint) -> bool:
    while node.kind in ("attribute", "subscript"):
        inner = node.get("object") or node.get("value")
        if inner is None:
            return False
        node = inner
    return node.kind == "identifier" and node.word in taint.elements and node.word not in taint.names
