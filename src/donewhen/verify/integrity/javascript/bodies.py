"""What happens in a test: assertions, also through helpers of the same file, calls, what hides failures.

Code that can't be reached is not there: after a return, under `if (false)`. Helpers are followed a few calls
deep and no further.
"""

import re

from donewhen.core.integrity.model import Assertion
from donewhen.verify.integrity.javascript import values, words
from donewhen.verify.integrity.javascript.demands import EXPECTS, Demands
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    body,
    callee,
    dotted,
    enclosing,
    is_member,
    names,
    parameters,
    prop,
)
from donewhen.verify.integrity.javascript.scopes import Bound, Env
from donewhen.verify.integrity.javascript.swallowing import Swallowing
from donewhen.verify.integrity.javascript.tree import normal

_DEEPEST = 4
_EXPANSIONS = 300
_CALLS = 300
_CHECKING = re.compile(
    r"(?i)_*(?:assert|check|expect|verify|ensure|eq|same|test|should|must|is|compare|match|t$)"
)
_FOLLOWED = frozenset(("forEach", "then", "map", "every"))
_TELLING = frozenset(
    "call_expression for_in_statement if_statement member_expression subscript_expression "
    "binary_expression while_statement".split()
)
_ENDS = frozenset(("return_statement", "throw_statement", "break_statement", "continue_statement"))


class Body:
    """The findings of one walk."""

    def __init__(self, contexts: frozenset[str], function: Node | None) -> None:
        self.contexts = contexts  # names of the parameters by which the runner talks to the test
        self.function = function
        self.expansions = _EXPANSIONS
        self.asserts: list[Assertion] = []
        self.calls: list[str] = []
        self.literals: dict[str, None] = {}
        self.swallows = ""
        self.disabled = ""
        self.conditional = False
        self.rows = 1
        self.cut = ""  # a return with code after it, before any assertion


class Bodies:
    def __init__(self, demands: Demands, apart: frozenset[int]) -> None:
        self.demands = demands
        self.script = demands.script
        self.scopes = demands.scopes
        self.apart = apart  # functions that are tests of their own
        self.swallowing = Swallowing(demands)

    def study(self, roots: list[Node], contexts: frozenset[str], *, function: Node | None) -> Body:
        found = Body(contexts, function)
        self.go(found, self.live(roots, found, function is not None), None, ())
        if found.cut and not found.asserts and not found.disabled:
            found.disabled = found.cut
        return found

    def go(self, found: Body, roots: list[Node], env: Env | None, via: tuple[Node, ...]) -> None:
        """Through what is reached; into a helper where it is called, so deep as `via` may grow."""
        waiting = list(reversed(roots))
        while waiting:
            here = waiting.pop()
            if here.value is not None:
                found.literals[here.value] = None
            if not here.kids or (here.type in FUNCTIONS and self._skipped(here)):
                continue
            if here.type in _TELLING:
                self.visit(found, here, env, via)
                waiting.extend(reversed(self.kids(here)))
            elif here.type == "statement_block":
                own = here.parent is found.function and not via
                waiting.extend(reversed(self.live(here.kids, found, own)))
            else:
                waiting.extend(reversed(here.kids))

    def visit(self, found: Body, here: Node, env: Env | None, via: tuple[Node, ...]) -> None:
        """What this one node says."""
        by_hand = here.type == "if_statement" and not _checks_by_hand(found, here, via)
        assertion = None if by_hand else self.demands.at(here, env, found.contexts)
        if assertion is not None:
            self.record(found, assertion, here, via)
        elif here.type == "call_expression":
            self.called(found, here, via)
            helper = self.helper(here) if len(via) < _DEEPEST and found.expansions else None
            if helper is not None:
                self.into(found, helper, here, env, via)
        elif here.type == "for_in_statement":
            found.rows = max(found.rows, len(self.scopes.rows(here.kids[-2], env) or ()))
        elif here.type == "if_statement" and not via:
            self.leaving(found, here)

    def _skipped(self, function: Node) -> bool:
        """Entered only by a call: functions that are declared or kept, and tests of their own."""
        if id(function) in self.apart or function.type.endswith("declaration"):
            return True
        parent = function.parent
        return function.type == "method_definition" or (
            parent is not None and parent.type in ("variable_declarator", "assignment_expression")
        )

    def record(self, found: Body, assertion: Assertion, here: Node, via: tuple[Node, ...]) -> None:
        if via:
            through = normal(self.script, via[0])
            assertion = assertion._replace(text=f"{through} → {assertion.text}", line=via[0].line)
        hiding = next((one for one in map(self.swallowing.at, (here, *via)) if one), "")
        found.swallows = found.swallows or hiding
        if self.swallowing.granted(here) or (not via and self.swallowing.late(here, found.contexts)):
            assertion = assertion._replace(hollow=True)
        found.asserts.append(assertion)
        found.literals.update(dict.fromkeys((*assertion.given, *assertion.expected)))

    def helper(self, call: Node) -> Node | None:
        """The function of this file that is called."""
        called = bare(callee(call))
        if called.type == "identifier":
            found = self.scopes.find(called, called.text)
            if isinstance(found, Bound) and len(found.nodes) == 1 and found.nodes[0].type in FUNCTIONS:
                return found.nodes[0]
            return None
        if is_member(called) and bare(called.kids[0]).type in ("this", "identifier"):
            method = self.scopes.methods.get(prop(called))
            holder = dotted(called.kids[0])
            return method if holder == "this" or holder in self.scopes.holders else None
        return None

    def into(self, found: Body, helper: Node, call: Node, env: Env | None, via: tuple[Node, ...]) -> None:
        if (env and id(helper) in env) or id(helper) in self.apart:
            return
        given = arguments(call)
        bound: dict[str, Node] = {}
        for at, pattern in enumerate(parameters(helper)):
            if at < len(given):
                bound.update(dict.fromkeys(names(pattern), bare(given[at])))
        found.expansions -= 1
        self.go(found, [body(helper)], {**(env or {}), id(helper): bound}, (*via, call))

    def called(self, found: Body, call: Node, via: tuple[Node, ...]) -> None:
        path = dotted(callee(call))
        if not path:
            return
        if len(found.calls) < _CALLS and not path.startswith("console.") and path not in EXPECTS:
            found.calls.append(path)
        if via or found.disabled:
            return
        root, _, name = path.rpartition(".")
        if name not in words.IN_BODY_OFF:
            return
        given = arguments(call)
        by_runner = root in words.TESTS and not _has_function(call)  # playwright: test.skip(condition)
        if by_runner or root == "this" or (root or name) in found.contexts:
            found.disabled = normal(self.script, call)
            asked = by_runner and bool(given) and given[0].value is None
            found.conditional = asked or _under_condition(call)

    def leaving(self, found: Body, statement: Node) -> None:
        """`if (…) return;` before anything was demanded."""
        if found.asserts or found.disabled or len(statement.kids) < 2 or statement.kids[0].value is not None:
            return
        last = statement.kids[1]
        if last.type == "statement_block" and last.kids:
            last = last.kids[-1]
        holder = statement.parent.parent if statement.parent is not None else None
        if last.type != "return_statement" or last.kids or holder is None or holder.type not in FUNCTIONS:
            return
        found.disabled, found.conditional = f"if {normal(self.script, statement.kids[0])} return", True

    def kids(self, here: Node) -> list[Node]:
        """Parts that can be reached."""
        first = here.kids[0].value
        if here.type == "for_in_statement" and bare(here.kids[-2]).value == "[]":
            return []
        if here.type == "call_expression" and is_member(here.kids[0]):
            holder = bare(here.kids[0].kids[0])
            if holder.value == "[]" and prop(here.kids[0]) in ("forEach", "map"):
                return []
        if here.type == "if_statement" and first is not None:
            return here.kids[1:2] if values.truthy(first) else here.kids[2:]
        if here.type == "while_statement" and first == "false":
            return []
        if here.type == "binary_expression" and here.kids[1].text == "&&" and first in ("false", "0"):
            return here.kids[:1]
        return here.kids

    def live(self, statements: list[Node], found: Body, own: bool) -> list[Node]:
        """Statements that are reached."""
        for at, one in enumerate(statements):
            if one.type in _ENDS:
                rest = statements[at + 1 :]
                if own and one.type == "return_statement" and (rest or not at) and _returns_nothing(one):
                    found.cut = normal(self.script, one)
                return statements[: at + 1]
        return statements


def _checks_by_hand(found: Body, statement: Node, via: tuple[Node, ...]) -> bool:
    """`if (…) throw` demands something of the product, unless a stand-in for another part does it."""
    if via:
        return bool(_CHECKING.match(dotted(callee(via[-1])).rpartition(".")[2]))
    function = enclosing(statement)
    if found.function is None or function is None or function is found.function:
        return True
    call = function.parent.parent if function.parent is not None else None
    called = bare(callee(call)) if call is not None and call.type == "call_expression" else None
    return called is not None and is_member(called) and prop(called) in _FOLLOWED


def _returns_nothing(statement: Node) -> bool:
    return not statement.kids or bare(statement.kids[0]).value is not None


def _has_function(call: Node) -> bool:
    return any(one.type in FUNCTIONS for one in arguments(call))


def _under_condition(node: Node) -> bool:
    here = node.parent
    while here is not None and here.type not in FUNCTIONS:
        if here.type in ("if_statement", "ternary_expression", "catch_clause", "switch_case"):
            return True
        if here.type == "binary_expression":
            return True
        here = here.parent
    return False
