"""Assertions that can't fail: constants compared with constants, a thing with itself, lengths not below zero.

Calls are never taken for the same twice: a test that two calls agree is a test.
"""

from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    block_of,
    callee,
    dotted,
    is_member,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.scopes import Env, Scopes
from donewhen.verify.integrity.javascript.tree import Script
from donewhen.verify.integrity.javascript.truths import Demand

_MAKERS = frozenset(("jest.fn", "vi.fn", "sinon.stub", "sinon.fake", "mock.fn", "t.mock.fn"))
_SIZES = frozenset(("length", "size", "byteLength"))
_TRUE_BY_NATURE = frozenset(("array", "object", "regex", "new_expression", "class")) | FUNCTIONS


def hollow(script: Script, scopes: Scopes, demand: Demand, env: Env | None) -> bool:
    if demand.idle:
        return True
    if not demand.subject:
        return False
    subject = bare(demand.subject[0])
    if demand.kind == "raises":
        return _throws_itself(subject)
    if demand.kind == "other" and not demand.expected:
        return subject.type in FUNCTIONS and body_empty(subject)
    known = _constant(scopes, subject, env)
    if demand.kind in ("true", "not_null", "type"):
        return _always_true(subject, known)
    if demand.kind in ("false", "null") and known is not None:
        return not values.truthy(known)
    return _both_sides(script, scopes, demand, subject, known, env)


def _both_sides(
    script: Script, scopes: Scopes, demand: Demand, subject: Node, known: str | None, env: Env | None
) -> bool:
    if not demand.expected:
        return False
    expected = bare(demand.expected[0])
    other = _constant(scopes, expected, env)
    if known is not None and other is not None:
        return True
    if demand.kind == "order" and other == "0" and is_member(subject) and prop(subject) in _SIZES:
        return _not_below(script, subject)
    if demand.kind not in ("equal", "close", "matches", "contains"):
        return False
    if script.tokens[subject.start : subject.end] == script.tokens[expected.start : expected.end]:
        return not any(one.type in ("call_expression", "new_expression") for one in walk(subject))
    return demand.kind == "equal" and _own_mock(scopes, subject)


def _constant(scopes: Scopes, node: Node, env: Env | None) -> str | None:
    """A literal, or a name that is one for good: what can be changed in place is not."""
    if node.value is not None:
        return node.value
    if node.type != "identifier":
        return None
    known = scopes.resolve(node, env)
    if len(known) != 1 or not values.scalar(known[0].value):
        return None
    return known[0].value


def _always_true(subject: Node, known: str | None) -> bool:
    if known is not None:
        return values.truthy(known) or known.startswith(("[", "{"))
    if subject.type in _TRUE_BY_NATURE and subject.type != "new_expression":
        return True
    if subject.type == "binary_expression" and len(subject.kids) == 3 and subject.kids[1].text == "||":
        sides = (bare(subject.kids[0]), bare(subject.kids[2]))
        return any(side.value is not None and values.truthy(side.value) for side in sides)
    return False


def _not_below(script: Script, subject: Node) -> bool:
    """`x.length >= 0`; `x.length > 0` may fail."""
    holder = subject.parent
    while holder is not None and holder.type in ("parenthesized_expression", "arguments"):
        holder = holder.parent
    if holder is None:
        return False
    if holder.type == "binary_expression":
        return holder.kids[1].text in (">=", "<=")
    around = holder.parent.parent if holder.parent is not None else None  # expect(x.length).toBe…(0)
    reach = around if around is not None else holder
    said = set(script.tokens[reach.start : reach.end])
    return bool(said & {"toBeGreaterThanOrEqual", "gte", "least", "isAtLeast"})


def body_empty(function: Node) -> bool:
    return not [one for one in block_of(function) if one.type != "empty_statement"] or (
        block_of(function)[0].value is not None
    )


def _throws_itself(subject: Node) -> bool:
    if subject.type in FUNCTIONS:
        return block_of(subject)[:1] != [] and block_of(subject)[0].type == "throw_statement"
    return subject.type == "call_expression" and dotted(callee(subject)) == "Promise.reject"


def _own_mock(scopes: Scopes, subject: Node) -> bool:
    """`const f = jest.fn().mockReturnValue(3); expect(f()).toBe(3)` tests the mock."""
    if subject.type != "call_expression" or bare(callee(subject)).type != "identifier":
        return False
    known = scopes.resolve(bare(callee(subject)))
    if len(known) != 1 or known[0].type != "call_expression":
        return False
    return any(
        one.type == "call_expression" and dotted(callee(one)) in _MAKERS for one in walk(known[0])
    ) and not any(arguments(one) for one in walk(known[0]) if _makes(one))


def _makes(call: Node) -> bool:
    """`jest.fn(real)` calls what it is given, which may be the product."""
    return call.type == "call_expression" and dotted(callee(call)) in _MAKERS
