"""What an expression reaches: the names that it calls or reads, and the literals that go into it.

Variables are followed to what they were set to, parameters to what the call gave; a budget bounds it.
"""

from typing import NamedTuple

from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
)
from donewhen.verify.integrity.javascript.scopes import Bound, Env, Scopes, required

_BUDGET = 1500
_BUILT_IN = frozenset(
    "JSON Object Array Math Number String Boolean Promise Symbol BigInt Reflect Date Set Map console Buffer "
    "undefined NaN Infinity parseInt parseFloat structuredClone Error TypeError RangeError "
    "SyntaxError".split()
)
_MOCKS = frozenset(("jest", "vi", "sinon", "mock", "expect"))
_TYPES = frozenset(("type_annotation", "type_arguments", "type_parameters"))


class Reach(NamedTuple):
    names: tuple[str, ...]
    literals: tuple[str, ...]
    calls: bool  # something is called


def reach(scopes: Scopes, nodes: list[Node], env: Env | None = None) -> Reach:
    found = _Reaching(scopes, env)
    found.go(nodes)
    return Reach(tuple(found.names or found.weak), tuple(found.literals), found.calls)


class _Reaching:
    def __init__(self, scopes: Scopes, env: Env | None) -> None:
        self.scopes = scopes
        self.env = env
        self.names: dict[str, None] = {}
        self.weak: dict[str, None] = {}  # names that count only where there are no better ones
        self.literals: dict[str, None] = {}
        self.calls = False
        self.waiting: list[Node] = []

    def go(self, nodes: list[Node]) -> None:
        self.waiting = list(reversed(nodes))
        seen: set[int] = set()
        budget = _BUDGET
        while self.waiting and budget:
            budget -= 1
            here = bare(self.waiting.pop())
            if id(here) in seen:
                continue
            seen.add(id(here))
            if here.value is not None:
                self.literals[here.value] = None
                if not here.kids:
                    continue
            self.step(here)

    def step(self, here: Node) -> None:
        kind = here.type
        if kind in ("identifier", "shorthand_property_identifier"):
            self.name(here)
        elif kind == "call_expression":
            self.call(here)
        elif kind == "new_expression" and here.kids:
            self.add(dotted(here.kids[0]))
            self.push(arguments(here))
        elif is_member(here):
            self.member(here)
        elif kind in FUNCTIONS:
            self.push(here.kids[-1:])
        elif kind == "pair":
            self.push(here.kids[1:])
        elif kind not in _TYPES:
            self.push(here.kids)

    def push(self, nodes: list[Node]) -> None:
        self.waiting.extend(reversed(nodes))

    def add(self, name: str) -> None:
        root = name.partition(".")[0]
        if name and root not in _BUILT_IN and root not in _MOCKS:
            self.names[name] = None

    def name(self, here: Node) -> None:
        if here.value is not None or here.text in _BUILT_IN:
            return
        known = [one for one in self.scopes.resolve(here, self.env) if not _opaque(one)]
        if known:
            self.push(known)
            return
        found = self.scopes.find(here, here.text, self.env)
        if isinstance(found, Bound) and not found.nodes:
            self.weak[here.text] = None
        elif isinstance(found, Bound) and not found.changed and 1 < len(found.nodes) <= 3:
            self.names[here.text] = None
            self.push([one for one in found.nodes if not _opaque(one)])
        else:
            self.add(here.text)

    def member(self, here: Node) -> None:
        known = self.scopes.resolve(here, self.env)
        if known:
            self.push(known)
            return
        path = dotted(here)
        if not path:
            self.push(here.kids)
            return
        self.through(here, path)

    def through(self, here: Node, path: str) -> None:
        """`result.total` where `result` is kept from a call: the call is what it is about."""
        root = here
        while is_member(root):
            root = bare(root.kids[0])
        known = [one for one in self.scopes.resolve(root, self.env) if not _opaque(one)]
        if known and root.type == "identifier":
            self.push(known)
        if not known or any(one.type == "new_expression" for one in known):
            self.add(path)

    def call(self, here: Node) -> None:
        self.calls = True
        called = bare(callee(here))
        path = dotted(called)
        if not path:
            self.push([*(called.kids[:1] if is_member(called) else [called]), *arguments(here)])
            return
        self.push(arguments(here))
        if is_member(called):
            self.through(called, path)
        else:
            self.add(path)


def _opaque(node: Node) -> bool:
    """Not gone into: what comes from another file, functions and classes."""
    return node.type in FUNCTIONS or node.type in ("class", "class_declaration") or bool(required(node))
