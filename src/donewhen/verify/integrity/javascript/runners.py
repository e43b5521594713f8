"""Small runners that people write themselves: `function check(name, fn) { try { fn() } catch … }`.

Their tests are tests as any; whether a failure gets out of them is looked at here.
"""

from donewhen.core.integrity.model import Test
from donewhen.verify.integrity.javascript.calls import Calls, Made
from donewhen.verify.integrity.javascript.demands import Demands
from donewhen.verify.integrity.javascript.failing import counts, says_failure
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    block_of,
    body,
    callee,
    dotted,
    name_of,
    names,
    parameters,
    walk,
)
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.tree import Script, normal

_HINTS = frozenset(("assert", "expect", "throw", "should"))


class NamedTests(Calls):
    """Any function of this file that is given a title and a function with assertions makes a test."""

    def __init__(self, calls: Calls, demands: Demands) -> None:
        super().__init__(calls.script, calls.scopes, strict=False)
        self.demands = demands

    def look(self, call: Node) -> Made | None:
        called = bare(callee(call))
        if called.type != "identifier" or called.text in self.words:
            return super().look(call)
        given = arguments(call)
        if len(given) < 2 or given[0].value is None or not given[0].value.startswith('"'):
            return None
        function = next((one for one in given[1:] if one.type in FUNCTIONS), None)
        own = called.text in self.scopes.functions or called.text in self.scopes.imports
        if function is None or not own:
            return None
        said = set(self.script.tokens[function.start : function.end])
        asserting = said & (_HINTS | self.demands.roots | set(self.scopes.functions))
        return self._plain(call, given, function) if asserting else None


def hidden_by(script: Script, scopes: Scopes, tests: tuple[Test, ...], makers: list[str]) -> tuple[Test, ...]:
    """Tests whose own runner catches their failures without telling anybody, or never runs them."""
    judged = {name: _judged(script, scopes, name) for name in set(makers) if name in scopes.functions}
    found = []
    for test, maker in zip(tests, makers, strict=True):
        swallows, idle = judged.get(maker, ("", ""))
        if idle and not test.disabled:
            test = test._replace(disabled=idle)
        found.append(test._replace(swallows=test.swallows or swallows))
    return tuple(found)


def _judged(script: Script, scopes: Scopes, name: str) -> tuple[str, str]:
    function = scopes.functions[name]
    if not runs_callback(function):
        return "", f"{name}() never runs it"
    counted = counts(script)
    for clause in (one for one in walk(body(function)) if one.type == "catch_clause"):
        if _only_prints(clause) or not (counted or any(map(_throws, walk(clause)))):
            return normal(script, clause), ""
    return "", ""


def _throws(here: Node) -> bool:
    return here.type == "throw_statement"


def _only_prints(clause: Node) -> bool:
    for statement in clause.kids[-1].kids:
        call = (
            bare(statement.kids[0]) if statement.type == "expression_statement" and statement.kids else None
        )
        if call is None or call.type != "call_expression" or not dotted(callee(call)).startswith("console."):
            return False
    return True


def runs_callback(function: Node) -> bool:
    """One of its parameters is called, kept or handed on."""
    given = {name for pattern in parameters(function)[1:] for name in names(pattern)}
    if not given:
        return True
    for here in walk(body(function)):
        if here.type in ("identifier", "shorthand_property_identifier") and here.text in given:
            return True
    return False


def quiet(function: Node, asserting: "frozenset[str]") -> bool:
    """A function that was named to check something and can't fail."""
    for here in walk(function):
        if says_failure(here, counted=True):
            return False
        if here.type == "call_expression" and _checks(callee(here), asserting):
            return False
    return bool(block_of(function)) or bool(name_of(function))


def _checks(called: Node, asserting: frozenset[str]) -> bool:
    root = bare(called)
    while root.kids and root.type != "identifier":
        root = bare(root.kids[0])
    return root.text in asserting
