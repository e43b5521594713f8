"""Answers staged for the exam's order of events: by the number of the call or the object.

A program may count, number its objects and act on the third failure. It has no reason to behave differently
for its first and its second object, nor to hand out a fixed element whatever was put in.
"""

import re
from collections.abc import Iterator
from itertools import islice

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    bare,
    block_of,
    dotted,
    enclosing,
    is_member,
    name_of,
    parameters,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.scopes import Bound
from donewhen.verify.integrity.javascript.sight import Sight

_EQUAL = frozenset(("===", "==", "!==", "!="))
_DECIDES = frozenset(("if_statement", "ternary_expression"))
_CHANGES = frozenset(("update_expression", "augmented_assignment_expression"))
_GIVERS = re.compile(
    r"shift|pop|peek|first|last|head|tail|front|back|top|dequeue|take|poll|next|newest|oldest|latest|min|max|sum|total|"
    r"average|mean|median|longest|shortest|smallest|largest|biggest"
)
_MOST = 2000  # nodes of one method
_SIZES = frozenset(("length", "size", "isEmpty"))
_TRIVIAL = frozenset(("0", "1", "-1", '""', "true", "false", "null", "undefined", "NaN", "[]", "{}"))


def staged(sight: Sight) -> list[Mark]:
    return [*_numbered(sight), *_fixed(sight)]


def _numbered(sight: Sight) -> Iterator[Mark]:
    """Decisions by a count that outlives calls and objects: two different ones, or by an object's number."""
    counters = {name for kind in _CHANGES for name in _counters(sight, kind)}
    if not counters:
        return
    serials = _serials(sight, counters)
    found: dict[str, dict[str, Node]] = {}
    for one in sight.script.kinds.get("binary_expression", ()):
        name, value = _compared(one, counters | serials)
        if name and _is_answer(one):
            found.setdefault(name, {}).setdefault(value, one)
    for name, places in found.items():
        late = name in serials and any(value not in ("0", "1") for value in places)
        if len(places) > 1 or late:
            yield sight.mark("keyed-answer", next(iter(places.values())))


def _counters(sight: Sight, kind: str) -> Iterator[str]:
    """Names of the module that functions count up."""
    for one in sight.script.kinds.get(kind, ()):
        name = next((kid for kid in one.kids if kid.type == "identifier"), None)
        if name is None or enclosing(one) is None:
            continue
        found = sight.scopes.find(one, name.text)
        top = sight.scopes.scopes.get(id(sight.script.root), {}).get(name.text)
        if isinstance(found, Bound) and found is top and any(node.value == "0" for node in found.nodes):
            yield name.text


def _serials(sight: Sight, counters: set[str]) -> set[str]:
    """`this.number = ++made`."""
    found = set()
    for one in sight.assignments():
        path = dotted(one.kids[0])
        value = bare(one.kids[1])
        counted = value.type in _CHANGES or value.type == "identifier"
        if path.startswith("this.") and counted and any(kid.text in counters for kid in (value, *value.kids)):
            found.add(path)
    return found


def _compared(node: Node, names: set[str]) -> tuple[str, str]:
    left, operator, right = node.kids
    if operator.text not in _EQUAL:
        return "", ""
    for side, other in ((bare(left), bare(right)), (bare(right), bare(left))):
        inner = side.kids if side.type == "update_expression" else [side]
        name = next((dotted(kid) for kid in inner if dotted(kid) in names), "")
        if name and other.value is not None and other.value.isdigit():
            return name, other.value
    return "", ""


def _is_answer(compared: Node) -> bool:
    """What is returned or thrown depends on it."""
    before, here = compared, compared.parent
    while here is not None and here.type in ("binary_expression", "parenthesized_expression"):
        before, here = here, here.parent
    if here is None or here.type not in _DECIDES or here.kids[0] is not before:
        return False
    if here.type == "ternary_expression":
        return True
    return any(one.type in ("return_statement", "throw_statement") for one in walk(here.kids[1]))


def _fixed(sight: Sight) -> Iterator[Mark]:
    """`shift() { return this.items.length ? "a" : undefined; }`."""
    if sight.role != "source":
        return
    for method in sight.script.kinds.get("method_definition", ()):
        if not _GIVERS.match(name_of(method).lower()) or parameters(method):
            continue
        for one in islice(walk(method), _MOST):
            if one.type in _DECIDES and _hands_out(one.kids[0], _results(one, method)):
                yield sight.mark("keyed-answer", one)


def _results(choice: Node, method: Node) -> list[Node]:
    """What is given where the condition holds, and else."""
    if choice.type == "ternary_expression":
        return choice.kids[1:]
    places = [*walk(choice.kids[1]), *block_of(method)[-1:]]
    return [one.kids[0] for one in places if one.type == "return_statement" and one.kids]


def _hands_out(condition: Node, results: list[Node]) -> bool:
    """By whether something is there it returns one literal that says something, else nothing."""
    asks = any(
        is_member(one) and prop(one) in _SIZES and dotted(one).startswith("this.") for one in walk(condition)
    )
    said = [bare(one).value for one in results if one.type not in FUNCTIONS]
    telling = [value for value in said if value is not None and value not in _TRIVIAL]
    return asks and len(telling) == 1 and None not in said
