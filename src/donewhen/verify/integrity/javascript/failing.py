"""What makes a failure known: a throw, a failing exit, a counter of failures. Shared by tests and scripts."""

import re

from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
    prop,
)
from donewhen.verify.integrity.javascript.tree import Script

COUNTER = re.compile(r"(?i)fail|err|bad|wrong|broken|problem|red\b")
_EXITS = frozenset(("process.exit", "process.reallyExit", "exit"))
_CALLBACKS = frozenset(("done", "next", "cb", "callback"))
_FAIL_CALLS = frozenset(("fail", "reject", "abort"))


def fails(node: Node, *, counted: bool) -> bool:
    """Something right in this statement tells of a failure, whatever else it does."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if says_failure(here, counted=counted):
            return True
        if here.type not in FUNCTIONS:
            waiting.extend(reversed(here.kids))
    return False


def says_failure(here: Node, *, counted: bool) -> bool:
    """`counted`: failures that are only counted count, because somebody looks at the number."""
    if here.type == "throw_statement" or exits_badly(here):
        return True
    if here.type == "call_expression":
        return _failing_call(here, counted)
    if here.type == "assignment_expression":
        reset = here.kids[1].value in ("0", "false", "null", "undefined")
        return counted and not reset and bool(COUNTER.search(dotted(here.kids[0])))
    if here.type in ("update_expression", "augmented_assignment_expression"):
        return counted and any(COUNTER.search(dotted(kid)) for kid in here.kids)
    return False


def exits_badly(here: Node) -> bool:
    """Ends, or will end, the process with a status that may be a failure."""
    if here.type == "assignment_expression":
        return dotted(here.kids[0]) == "process.exitCode" and not only_zero(here.kids[1])
    if here.type != "call_expression" or dotted(callee(here)) not in _EXITS:
        return False
    return not only_zero(*arguments(here)[:1])


def counts(script: Script) -> bool:
    """Failures that are counted come to something in the end: an exit, a throw, an assertion."""
    kinds = script.kinds
    if kinds.get("throw_statement") or "assert" in script.tokens or "expect" in script.tokens:
        return True
    return any(map(exits_badly, (*kinds.get("call_expression", ()), *kinds.get("assignment_expression", ()))))


def _failing_call(call: Node, counted: bool) -> bool:
    called = bare(callee(call))
    path = dotted(called)
    if path in _FAIL_CALLS or (is_member(called) and prop(called) == "fail"):
        return True
    if path in _CALLBACKS and arguments(call):
        return arguments(call)[0].value is None
    kept = counted and is_member(called) and prop(called) == "push"
    return kept and bool(COUNTER.search(path.rpartition(".")[0]))


def only_zero(*given: Node) -> bool:
    """The status can't be anything but success."""
    waiting = list(given)
    while waiting:
        here = bare(waiting.pop())
        if here.type == "ternary_expression" and len(here.kids) == 3:
            waiting.extend(here.kids[1:])
        elif (
            here.type == "binary_expression" and len(here.kids) == 3 and here.kids[1].text in ("&&", "*", "&")
        ):
            if not any(bare(side).value in ("0", "false") for side in (here.kids[0], here.kids[2])):
                return False
        elif here.value not in ("0", "undefined", "null", '"0"', "false"):
            return False
    return True
