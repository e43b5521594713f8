"""All that a function demands: its own assertions and those of the helpers in this file that it calls.

Assertions that can't be reached demand nothing. What a helper demands is told once per call, with the
arguments of that call. Bounded: helpers that call helpers could go on for ever.
"""

import re
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion
from donewhen.verify.integrity.python.assertions import (
    as_assertion,
    expected_error,
    is_expected_error,
    of_call,
    of_statement,
)
from donewhen.verify.integrity.python.demands import Demand, condition
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.outline import Function, scope_of
from donewhen.verify.integrity.python.page import Page, Place, place_in
from donewhen.verify.integrity.python.reach import Reach
from donewhen.verify.integrity.python.swallowing import swallows
from donewhen.verify.integrity.python.tables import looped
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import UNKNOWN

_DEEPEST = 4  # helpers of helpers
_MOST = 400  # assertions of one test
_KINDS = ("assert_statement", "call", "raise_statement", "with_statement")
_FAILURES = re.compile(r"fail|err|bad|wrong|broken|problem", re.IGNORECASE)
_FAIL_NAMES = ("AssertionError", "failureException")


class Demanded(NamedTuple):
    asserts: tuple[Assertion, ...] = ()
    swallowed: str = ""
    dead: str = ""  # what keeps assertions from being reached, if no other are left
    guard: str = ""  # the condition that all of them stand under


class _Seeker:
    def __init__(self, page: Page, script: bool = False) -> None:
        self.page = page
        self.script = (
            script  # failures may be counted instead of raised; functions without arguments are checks
        )
        self.asserts: list[Assertion] = []
        self.swallowed = ""
        self.dead = ""
        self.guards: list[str] = []

    def function(self, function: Function, place: Place, via: str, stack: tuple[str, ...]) -> None:
        self.block(function.node, function.body, place, via, stack)

    def block(self, top: Node, body: Node, place: Place, via: str, stack: tuple[str, ...]) -> None:
        rows = dict(place.rows)
        for loop in self.page.inside(body, "for_statement"):
            table = looped(loop, place)
            if table is not None:
                rows.update(table.rows)
        here = place._replace(rows=rows)
        reach = Reach(top, here)
        for node in self._candidates(body):
            if len(self.asserts) >= _MOST:
                return
            self._candidate(node, top, here, reach, via, stack)

    def _candidates(self, body: Node) -> list[Node]:
        kinds = _KINDS if not self.script else (*_KINDS, "augmented_assignment")
        found = [node for kind in kinds for node in self.page.inside(body, kind)]
        return sorted(found, key=lambda node: node.at)

    def _candidate(
        self, node: Node, top: Node, place: Place, reach: Reach, via: str, stack: tuple[str, ...]
    ) -> None:
        helper = self._helper(node, place) if node.kind == "call" else None
        demands = [] if helper is not None else self._demands(node, place, bool(via))
        if not demands and helper is None:
            return
        if self._expected_to_fail(node, top, place) or not _is_run(node, top, self.page):
            return
        dead = reach.dead(node)
        if dead is not None:
            if demands:
                self.dead = self.dead or _headline(dead)
            return
        if helper is not None:
            self._follow(node, helper, top, place, reach, via, stack)
            return
        self._note(node, demands, top, place, reach, via)

    def _demands(self, node: Node, place: Place, in_helper: bool) -> list[Demand]:
        found = [] if node.kind == "augmented_assignment" else _demands(node, place)
        fails = in_helper and node.kind == "raise_statement"  # with whatever error, the test ends there
        if fails and self.script and not found and _answers(node, self.page):
            return []  # product and checks share a file: what gives a value refuses an input
        if not found and (fails or (self.script and _counts_failure(node, place))):
            return _condition_of(node, place) or []
        return found

    def _note(
        self, node: Node, demands: list[Demand], top: Node, place: Place, reach: Reach, via: str
    ) -> None:
        only_fails = _is_fail(node, demands)
        hidden = swallows(node, top, place, only_fails)
        self.swallowed = self.swallowed or hidden
        guard = "" if only_fails else reach.guard(node)
        shown = _shown(node)
        for demand in demands if self.page.room() else ():
            text = f"assert {demand.text}" if len(demands) > 1 and node.kind == "assert_statement" else shown
            self.asserts.append(as_assertion(demand, via + text, node.line))
            self.guards.append(guard)

    def _helper(self, call: Node, place: Place) -> Function | None:
        found = helper_of(call, place)
        bare = self.script and found is not None and not arguments(call) and not keywords(call)
        return None if bare else found

    def _follow(
        self,
        call: Node,
        helper: Function,
        top: Node,
        place: Place,
        reach: Reach,
        via: str,
        stack: tuple[str, ...],
    ) -> None:
        if helper.qual in stack or len(stack) >= _DEEPEST:
            return
        before = len(self.asserts)
        inner = place_in(self.page, helper)
        inner = inner._replace(
            rows=_passed(call, helper, place),
            scopes=inner.scopes + place.scopes[:1],
            home=place.home or inner.home,
        )
        self.function(helper, inner, f"{via}{normal(call)}: ", (*stack, helper.qual))
        if len(self.asserts) > before:
            self.swallowed = self.swallowed or swallows(call, top, place, False)
            guard = reach.guard(call)
            self.guards[before:] = [guard or own for own in self.guards[before:]]

    def _expected_to_fail(self, node: Node, top: Node, place: Place) -> bool:
        """Inside `with raises(AssertionError)` an assertion is not a demand but the thing that is tested."""
        below = node
        for above in node.up():
            if above.kind == "with_statement" and below.field == "body" and _raising(above, place):
                return True
            if above is top:
                return False
            below = above
        return False

    def result(self) -> Demanded:
        guard = self.guards[0] if self.guards and all(self.guards) else ""
        return Demanded(tuple(self.asserts), self.swallowed, "" if self.asserts else self.dead, guard)


def helper_of(call: Node, place: Place) -> Function | None:
    """The function or method of this file that is called, if it is one."""
    function, page = call.get("function"), place.page
    if function is None:
        return None
    if function.kind == "identifier":
        found = page.functions.get(function.word)
        return found if found is not None and not found.home else None
    home, last = function.get("object"), function.get("attribute")
    if function.kind != "attribute" or home is None or last is None:
        return None
    name = page.names.dotted(home)
    if name in ("self", "cls", "super()"):
        return page.method(place.home, last.word) if place.home else None
    return page.method(name, last.word) if name in page.classes else None


def demanded(function: Function, place: Place) -> Demanded:
    seeker = _Seeker(place.page)
    seeker.function(function, place, "", (function.qual,))
    return seeker.result()


def demanded_script(place: Place, top: Node, function: Function | None) -> Demanded:
    """Of a plain script: of one of its functions, or of the statements outside of them."""
    seeker = _Seeker(place.page, script=True)
    if function is not None:
        seeker.function(function, place, "", (function.qual,))
    else:
        seeker.block(top, top, place, "", ())
    return seeker.result()


def _answers(node: Node, page: Page) -> bool:
    """Whether the function round it gives a value to whoever calls it."""
    home = next((above for above in node.up() if above.kind == "function_definition"), None)
    given = page.inside(home, "return_statement") if home is not None else ()
    return any(each.parts and each.parts[0].kind != "none" for each in given)


def _counts_failure(node: Node, place: Place) -> bool:
    """`failed += 1`, `failures.append(…)`, `sys.exit(1)`: what a script does instead of raising."""
    if node.kind == "augmented_assignment":
        target = node.get("left")
        return target is not None and _FAILURES.search(target.word or normal(target)) is not None
    if node.kind == "raise_statement":
        raised = node.parts[0] if node.parts else None
        name = place.page.names.dotted(raised)
        return name in ("SystemExit()", "SystemExit") and raised is not None and bool(arguments(raised))
    if node.kind != "call":
        return False
    name = place.page.names.called(node)
    if name in ("sys.exit", "exit", "quit", "os._exit"):
        given = arguments(node)
        return bool(given) and place.fixed(given[0]) not in (0, None, UNKNOWN)
    return name.endswith(".append") and _FAILURES.search(name) is not None


def _demands(node: Node, place: Place) -> list[Demand]:
    if node.kind == "assert_statement":
        return of_statement(node, place)
    if node.kind == "with_statement":
        return [
            expected_error(call, place, node.get("body"))
            for call in place.page.inside(node.kids[1], "call")
            if is_expected_error(call, place)
        ]
    if node.kind == "raise_statement":
        return _raised(node, place)
    if is_expected_error(node, place) and _in_with(node):
        return []
    found = of_call(node, place)
    guarded = _condition_of(node, place) if found and _is_fail(node, found) else None
    return guarded if guarded is not None else found


def _in_with(call: Node) -> bool:
    return any(above.kind == "with_clause" for above in call.up() if above.kind in ("with_clause", "block"))


def _is_fail(node: Node, demands: list[Demand]) -> bool:
    return (
        node.kind != "assert_statement"
        and len(demands) == 1
        and demands[0] == Demand("other", text=demands[0].text)
        and bool(demands[0].text)
    )


def _raised(node: Node, place: Place) -> list[Demand]:
    """`if x != 3: raise AssertionError` demands what `assert x == 3` does."""
    names = [place.page.names.dotted(part).removesuffix("()").rpartition(".")[2] for part in node.parts]
    if not any(name in _FAIL_NAMES for name in names):
        return []
    if any(above.kind == "except_clause" for above in node.up()):
        return []
    return _condition_of(node, place) or [Demand("other", text=normal(node))]


def _condition_of(node: Node, place: Place) -> list[Demand] | None:
    """The negation of the `if` whose only purpose is to fail."""
    below = node
    for above in node.up():
        if above.kind == "if_statement" and below.field == "consequence":
            test = above.get("condition")
            return condition(test, place, negated=True) if test is not None else None
        if above.kind not in ("expression_statement", "block"):
            return None
        below = above
    return None


def _is_run(node: Node, top: Node, page: Page) -> bool:
    """Whether the inner function that it stands in is mentioned at all, so that somebody can call it."""
    scope = scope_of(node)
    if top.kind == "module":
        return scope is None
    while scope is not None and scope is not top and scope.at > top.at:
        name = scope.get("name") if scope.kind == "function_definition" else None
        if name is not None and not _mentioned(name, scope, top, page):
            return False
        scope = scope_of(scope)
    return True


def _mentioned(name: Node, scope: Node, top: Node, page: Page) -> bool:
    if scope.parent is not None and scope.parent.kind == "decorated_definition":
        return True
    return page.mentioned_outside(name.word, scope, top)


def _raising(statement: Node, place: Place) -> bool:
    for call in place.page.inside(statement.kids[1], "call"):
        if is_expected_error(call, place) and arguments(call):
            caught = arguments(call)[0]
            nodes = caught.parts if caught.kind == "tuple" else [caught]
            if any(node.word in ("AssertionError", "Exception", "BaseException") for node in nodes):
                return True
            if any(place.page.names.dotted(node).endswith("failureException") for node in nodes):
                return True
    return False


def _passed(call: Node, helper: Function, place: Place) -> dict[str, tuple[Node, ...]]:
    params = helper.params[1:] if helper.in_class else helper.params
    given = list(zip(params, arguments(call), strict=False))
    given.extend((name, value) for name, value in keywords(call).items() if name in params)
    return {name: _rows(value, place) for name, value in given if "splat" not in value.kind}


def _rows(value: Node, place: Place) -> tuple[Node, ...]:
    if value.kind == "identifier":
        if value.word in place.rows:
            return place.rows[value.word]
        bound = place.bound(value.word)
        return (bound,) if bound is not None else (value,)
    return (value,)


def _headline(node: Node) -> str:
    return normal(node).partition("\n")[0][:120]


def _shown(node: Node) -> str:
    """The assertion as a line of code, without what it would say on failure."""
    if node.kind == "assert_statement":
        return f"assert {normal(node.parts[0])}"
    if node.kind == "with_statement":
        body = node.get("body")
        inner = "; ".join(normal(kid) for kid in body.kids) if body is not None else ""
        return f"with {normal(node.kids[1])}: {inner}"
    statement = node if node.kind == "raise_statement" else node.parent
    block = statement.parent if statement is not None else None
    above = block.parent if block is not None and block.kind == "block" else None
    if (
        above is not None
        and above.kind == "if_statement"
        and block is not None
        and block.field == "consequence"
    ):
        return normal(above)
    return normal(node)
