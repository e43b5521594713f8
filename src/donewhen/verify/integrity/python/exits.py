"""Calls that end the process, and the status they end it with."""

from typing import Literal, NamedTuple

from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.outline import Function
from donewhen.verify.integrity.python.page import Page, Place, place_in
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import operands, truth
from donewhen.verify.integrity.python.values import UNKNOWN

Status = Literal["zero", "failure", "open"]
_CALLS = frozenset(("sys.exit", "exit", "quit", "builtins.exit", "builtins.quit"))
_ERRORS = frozenset(("SystemExit", "builtins.SystemExit"))


class Exit(NamedTuple):
    node: Node
    status: Status


def exits(page: Page) -> list[Exit]:
    """`sys.exit`, `exit`, `quit`, `raise SystemExit`; the harder ways are told elsewhere."""
    if not any(word in page.data for word in (b"exit", b"quit", b"SystemExit")):
        return []
    place = place_in(page, None)
    out: list[Exit] = []
    for call in page.light.index.get("call", ()):
        name = page.names.called(call)
        if name in _CALLS and name not in page.functions:
            out.append(Exit(call, status(arguments(call), place)))
    for statement in page.light.index.get("raise_statement", ()):
        raised = statement.parts[0] if statement.parts else None
        if raised is not None and page.names.dotted(raised).removesuffix("()") in _ERRORS:
            given = arguments(raised) if raised.kind == "call" else []
            out.append(Exit(statement, status(given, place)))
    return sorted(out, key=lambda found: found.node.at)


def status(given: list[Node], place: Place) -> Status:
    if not given:
        return "zero"
    return _status(given[0], place, 0)


def _status(node: Node, place: Place, depth: int) -> Status:
    if node.kind == "parenthesized_expression" and len(node.kids) == 3 and depth < 9:
        return _status(node.kids[1], place, depth + 1)
    if node.kind == "conditional_expression" and len(node.parts) == 3 and depth < 9:
        first, condition, second = node.parts
        settled = truth(condition, place)
        arms = [first, second] if settled is None else [first if settled else second]
        found = {_status(arm, place, depth + 1) for arm in arms}
        return found.pop() if len(found) == 1 else "open"
    if node.kind == "boolean_operator" and (sides := operands(node)) and sides[1] == "and":
        return "zero" if place.fixed(sides[2]) in (0, None) else "open"
    if node.kind == "call" and (known := place.page.functions.get(place.page.names.called(node))) is not None:
        return _returned(known, place, depth)
    value = place.fixed(node)
    if value is UNKNOWN:
        return "open"
    return "zero" if value in (0, None) else "failure"


def _returned(function: Function, place: Place, depth: int) -> Status:
    """The status that a function of this file gives back: open if it may say more than one thing."""
    if depth >= 3:
        return "open"
    ends = place.page.inside(function.node, "return_statement")
    found = {_status(end.parts[0], place, depth + 3) if end.parts else "zero" for end in ends}
    return "zero" if found <= {"zero"} else "open"


def in_main_guard(node: Node) -> bool:
    """Under `if __name__ == "__main__"`."""
    for above in node.up():
        if above.kind == "if_statement" and (test := above.get("condition")) is not None:
            tokens = {kid.word for kid in test.kids}
            if "__name__" in tokens and '"__main__"' in tokens:
                return True
    return False
