"""What one assertion demands: its kind, what it is about, what goes in and what must come out.

It knows node:assert, chai, jest and vitest, ava, tap, supertest and plain `if (…) throw`; it does not judge
whether a test is any good.
"""

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.javascript import values, words
from donewhen.verify.integrity.javascript.failing import counts, fails
from donewhen.verify.integrity.javascript.hollow import hollow
from donewhen.verify.integrity.javascript.node import (
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
    outer,
    prop,
)
from donewhen.verify.integrity.javascript.reach import reach
from donewhen.verify.integrity.javascript.scopes import Env, Scopes, field
from donewhen.verify.integrity.javascript.tree import Script, normal
from donewhen.verify.integrity.javascript.truths import Demand, sides, truth

_WHOLE = frozenset(("*", "default", "assert", "strict", "expect"))
EXPECTS = frozenset(("expect", "should", "expectTypeOf", "assertThat"))
_SOFT = frozenset(("expect.soft", "expect.poll", "chai.expect", "t.expect", "jestExpect"))
_TRUTHS: dict[AssertionKind, bool] = {"true": False, "false": True}
_LONGEST_CHAIN = 60
_COMPARING = frozenset(("binary_expression", "unary_expression"))


class Demands:
    def __init__(self, script: Script, scopes: Scopes) -> None:
        self.script = script
        self.scopes = scopes
        self.counts = counts(script)
        self.roots = {
            name
            for name, one in scopes.imports.items()
            if one.module in words.ASSERT_MODULES and one.name in _WHOLE
        } | {"assert"}

    def at(self, node: Node, env: Env | None, contexts: frozenset[str]) -> Assertion | None:
        """The assertion that this very node is, if any."""
        if node.type == "call_expression":
            demand = self._call(node, contexts)
        elif is_member(node):
            demand = self._ending(node)
        elif node.type == "if_statement":
            demand = self._thrown(node)
        else:
            return None
        return self._made(node, demand, env) if demand else None

    def asked(self, condition: Node) -> Assertion | None:
        """A condition as if it were asserted."""
        demand = truth(self.scopes, condition)
        return self._made(condition, demand, None) if demand else None

    def _made(self, node: Node, demand: Demand, env: Env | None) -> Assertion:
        demand = self._told_apart(demand)
        subject, expected = reach(self.scopes, demand.subject, env), reach(self.scopes, demand.expected, env)
        names = subject.names
        wanted = expected.literals
        if demand.kind in ("raises", "type"):
            wanted += classes(demand.expected)
        elif expected.calls:
            names = tuple(dict.fromkeys(names + expected.names))
        empty = hollow(self.script, self.scopes, demand, env) or _floating(node, demand)
        shown = normal(self.script, node.kids[0] if node.type == "if_statement" else node)
        prefix = "if" if node.type == "if_statement" else ""
        return Assertion(prefix + shown, node.line, demand.kind, names, subject.literals, wanted, empty)

    def _told_apart(self, demand: Demand) -> Demand:
        """Subject and expected, where it is written the other way round or as a truth."""
        if len(demand.subject) != 1:
            return demand
        [subject] = demand.subject
        if demand.kind in _TRUTHS:
            return truth(self.scopes, subject, _TRUTHS[demand.kind]) or demand
        if demand.kind not in ("equal", "unequal") or len(demand.expected) != 1:
            return demand
        [expected] = demand.expected
        if expected.value in ("true", "false") and bare(subject).type in _COMPARING:
            negated = (expected.value == "true") == (demand.kind == "unequal")
            return truth(self.scopes, subject, negated) or demand
        subject, expected = sides(self.scopes, subject, expected)
        return demand._replace(subject=[subject], expected=[expected])

    def _call(self, node: Node, contexts: frozenset[str]) -> Demand | None:
        called = bare(callee(node))
        given = arguments(node)
        if called.type == "identifier":
            return self._named(node, called.text, given)
        if not is_member(called):
            return None
        name = prop(called)
        path = dotted(called)
        root = path.partition(".")[0]
        if path and self._asserting(path, root, name, contexts):
            return _demand(words.ASSERTS.get(name, "other"), given, name)
        return self._matched(called, name, given)

    def _asserting(self, path: str, root: str, name: str, contexts: frozenset[str]) -> bool:
        if root in self.roots and root not in EXPECTS:
            return name not in ("AssertionError", "test", "skip")
        if ".assert." in path and root in contexts | {"chai", "sinon", "t", "cy"}:
            return True
        return root in contexts and path.count(".") == 1 and name in words.ASSERTS

    def _named(self, node: Node, name: str, given: list[Node]) -> Demand | None:
        source = self.scopes.imports.get(name)
        if source and source.module in words.ASSERT_MODULES and source.name in words.ASSERTS:
            return _demand(words.ASSERTS[source.name], given, source.name)
        if name in EXPECTS:
            alone = outer(node).parent
            idle = alone is not None and alone.type == "expression_statement"
            return Demand("other", given, [], idle=True) if idle and name == "expect" else None
        if name in self.roots:
            return _demand("true", given, "ok")
        return Demand("other", given, []) if name == "fail" and name not in self.scopes.functions else None

    def _matched(self, called: Node, name: str, given: list[Node]) -> Demand | None:
        holder = bare(called.kids[0])
        if name == "expect" and holder.type == "call_expression":
            return Demand("equal", [holder], given)  # request(app).get("/").expect(200)
        if name == "should" and given:
            return Demand(_cypress(given[0]), [holder], given)
        found = self._chain(holder)
        if found is None:
            return None
        subject, steps = found
        kind = _matcher(name)
        if kind is None:
            return None
        demand = _vague(kind, subject, given)
        if "rejects" in steps:
            return demand._replace(kind="raises", pending=True)
        demand = demand._replace(pending="resolves" in steps)
        return (
            demand._replace(kind=words.NOT.get(demand.kind, "other"), negated=True)
            if "not" in steps
            else demand
        )

    def _ending(self, node: Node) -> Demand | None:
        """`expect(x).to.be.true`, and matchers that are named but never called."""
        parent = outer(node).parent
        if parent is None or parent.type not in (
            "expression_statement",
            "return_statement",
            "arrow_function",
        ):
            return None
        found = self._chain(node.kids[0])
        if found is None:
            return None
        subject, steps = found
        name = prop(node)
        if name not in words.CHAI_ENDS:
            return Demand("other", subject, [], idle=True) if name in words.BUILT_IN_MATCHERS else None
        kind: AssertionKind = words.MATCHERS.get(name, "other")
        said = Node(words.CHAI_ENDS[name], node.line, node.start, node)
        said.value = words.CHAI_ENDS[name] or None
        demand = Demand(kind, subject, [said] if said.value and kind == "equal" else [])
        return demand._replace(kind=words.NOT.get(kind, "other"), negated=True) if "not" in steps else demand

    def _chain(self, node: Node) -> tuple[list[Node], frozenset[str]] | None:
        """From the end of a chain to its `expect(…)` or `.should`: what it is about and the words between."""
        said: set[str] = set()
        for _ in range(_LONGEST_CHAIN):
            node = bare(node)
            if node.type == "call_expression":
                called = bare(callee(node))
                if called.text in EXPECTS or dotted(called) in _SOFT:
                    return arguments(node)[:1], frozenset(said)
                node = called
                if not is_member(node):
                    return None
            elif not is_member(node):
                return None
            name = prop(node)
            if name == "should":
                return [node.kids[0]], frozenset(said)
            said.add(name)
            node = node.kids[0]
        return None

    def _thrown(self, node: Node) -> Demand | None:
        """`if (sum(1, 2) !== 3) throw …` demands the opposite of its condition."""
        if len(node.kids) < 2 or not fails(node.kids[1], counted=self.counts):
            return None
        return truth(self.scopes, node.kids[0], negated=True) or Demand("false", [node.kids[0]], [])


def classes(nodes: list[Node]) -> tuple[str, ...]:
    """The types that are named: `TypeError`, `new TypeError("x")`, `{ name: "TypeError" }`."""
    found: dict[str, None] = {}
    for node in nodes:
        here = bare(node)
        if here.type == "new_expression" and here.kids:
            here = here.kids[0]
        named = field(here, "name") if here.type == "object" else None
        name = values.unquoted(named.value or "") if named is not None else dotted(here)
        if name:
            found[name] = None
    return tuple(found)


def _demand(kind: AssertionKind, given: list[Node], name: str) -> Demand:
    if name == "pass":
        return Demand("other", [], [], idle=True)
    if kind in ("true", "false", "null", "not_null"):
        return Demand(kind, given[:1], [])
    last = 3 if kind == "close" else 2
    demand = _vague(kind, given[:1], given[1:last])
    return demand._replace(pending=name in ("rejects", "doesNotReject", "throwsAsync", "notThrowsAsync"))


def _vague(kind: AssertionKind, subject: list[Node], expected: list[Node]) -> Demand:
    """`toEqual(expect.anything())` demands no more than that something is there."""
    if kind == "equal" and len(expected) == 1:
        one = bare(expected[0])
        path = dotted(callee(one)) if one.type == "call_expression" else ""
        return Demand(words.VAGUE.get(path, kind), subject, expected)
    return Demand(kind, subject, expected)


def _matcher(name: str) -> AssertionKind | None:
    kind = words.MATCHERS.get(name)
    if kind is not None:
        return kind
    if name.startswith(("toHaveBeen", "toHaveReturned", "toHaveLast", "toHaveNth", "called")):
        return "called"
    return "other" if name.startswith(("to", "have", "be")) and name not in ("to", "have", "be") else None


def _cypress(first: Node) -> AssertionKind:
    said = first.value or ""
    if "not." in said:
        return "other"
    return "contains" if "contain" in said or "include" in said else "equal"


def _floating(node: Node, demand: Demand) -> bool:
    """A promise that nobody waits for fails too late to count."""
    parent = node.parent
    return demand.pending and parent is not None and parent.type == "expression_statement"
