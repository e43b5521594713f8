"""What hides a failed assertion: a catch that lets it go, a rejected promise that nobody hears.

A catch that throws again, fails the test, or looks at the error with an assertion hides nothing.
"""

from donewhen.verify.integrity.javascript.demands import Demands
from donewhen.verify.integrity.javascript.failing import says_failure
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    inside,
    is_member,
    names,
    parameters,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.tree import normal

_CLIMB = 200
_TIMERS = frozenset(("setTimeout", "setInterval", "setImmediate"))
_CLOCKS = frozenset("tick useFakeTimers advanceTimersByTime runAllTimers runAll clock timers".split())
_SEEN = frozenset(("AssertionError", "ERR_ASSERTION"))


class Swallowing:
    def __init__(self, demands: Demands) -> None:
        self.demands = demands
        self.script = demands.script
        self.known: dict[int, str] = {}

    def at(self, node: Node) -> str:
        """What would catch a failure of this node before the test sees it."""
        here: Node | None = node.parent
        child = node
        for _ in range(_CLIMB):
            if here is None:
                break
            if here.type == "try_statement" and here.kids and here.kids[0] is child:
                said = self._cached(here)
                if said:
                    return said
            elif here.type == "call_expression":
                said = self._promise(here, node)
                if said:
                    return said
            child, here = here, here.parent
        return ""

    def granted(self, node: Node) -> bool:
        """`if (x === 3) assert.equal(x, 3)`: only looked at where it holds."""
        here: Node | None = node.parent
        child = node
        for _ in range(_CLIMB):
            if here is None or here.type in FUNCTIONS:
                break
            if here.type == "if_statement" and len(here.kids) > 1 and here.kids[1] is child:
                wanted = self.demands.at(node, None, frozenset())
                asked = self.demands.asked(here.kids[0])
                if wanted is None or asked is None or not asked.kind == wanted.kind == "equal":
                    return False
                return asked[3:6] == wanted[3:6] and bool(wanted.expected)
            child, here = here, here.parent
        return False

    def late(self, node: Node, contexts: frozenset[str]) -> bool:
        """In a timer that nobody waits for: no promise, no callback of the test, no false clock."""
        here: Node | None = node.parent
        timer: Node | None = None
        for _ in range(_CLIMB):
            if here is None:
                break
            if here.type == "new_expression" and dotted(here.kids[0]) == "Promise":
                return False
            if here.type == "call_expression" and dotted(callee(here)) in _TIMERS:
                timer = here
            here = here.parent
        if timer is None or _CLOCKS.intersection(self.script.tokens):
            return False
        return not contexts.intersection(self.script.tokens[timer.start : timer.end])

    def _cached(self, node: Node) -> str:
        if id(node) not in self.known:
            self.known[id(node)] = self._try(node)
        return self.known[id(node)]

    def _try(self, statement: Node) -> str:
        for clause in statement.kids[1:]:
            if clause.type == "catch_clause" and self._lets_go(clause, _caught(clause)):
                return normal(self.script, clause)
            if clause.type == "finally_clause" and _leaves(clause):
                return normal(self.script, clause)
        return ""

    def _promise(self, call: Node, node: Node) -> str:
        called = bare(callee(call))
        if dotted(called) == "Promise.allSettled":
            return normal(self.script, called)
        if not is_member(called) or prop(called) != "catch" or not inside(node, called.kids[0]):
            return ""
        given = arguments(call)[:1]
        if not given:
            return ""
        shown = f".catch({normal(self.script, given[0])})"
        if dotted(given[0]).startswith("console."):
            return shown
        handler = self.demands.scopes.functions.get(given[0].text, given[0])
        if handler.type not in FUNCTIONS:
            return ""
        caught = {name for pattern in parameters(handler) for name in names(pattern)}
        return shown if self._lets_go(handler, caught) else ""

    def _lets_go(self, clause: Node, caught: set[str]) -> bool:
        said = set(self.script.tokens[clause.start : clause.end])
        if said & _SEEN and "throw" in said:
            return _only_others_thrown(clause)
        return not any(self._tells(here, caught) for here in walk(clause.kids[-1]))

    def _tells(self, here: Node, caught: set[str]) -> bool:
        if says_failure(here, counted=self.demands.counts):
            return True
        if here.type == "assignment_expression":
            return here.kids[-1].text in caught
        if here.type != "call_expression":
            return False
        if self.demands.at(here, None, frozenset(("t",))) is not None:
            return True
        path = dotted(callee(here))
        quiet = path.startswith(("console.", "log", "process.stdout", "process.stderr"))
        return not quiet and any(one.text in caught for one in arguments(here))


def _caught(clause: Node) -> set[str]:
    return set(names(clause.kids[0])) if len(clause.kids) > 1 else set()


def _leaves(clause: Node) -> bool:
    block = clause.kids[-1] if clause.kids else clause
    return any(one.type == "return_statement" for one in block.kids)


def _only_others_thrown(clause: Node) -> bool:
    """`if (!(e instanceof AssertionError)) throw e;`: failed assertions are what does not get out."""
    thrown = [one for one in walk(clause) if one.type == "throw_statement"]
    for one in thrown:
        here = one.parent
        while here is not None and here is not clause and here.type != "if_statement":
            here = here.parent
        if here is None or here is clause:
            return False
        condition = bare(here.kids[0])
        denied = condition.type == "unary_expression" or any(k.text in ("!==", "!=") for k in condition.kids)
        within = any(inside(one, kid) for kid in here.kids[2:])
        if denied == within:
            return False
    return bool(thrown)
