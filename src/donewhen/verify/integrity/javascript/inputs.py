"""Which expressions are made of a function's arguments: a parameter, parts of it, its text or digest."""

from donewhen.verify.integrity.javascript.node import FUNCTIONS, Node, bare, is_member
from donewhen.verify.integrity.javascript.scopes import Bound, Scopes
from donewhen.verify.integrity.javascript.tree import Script

_BUDGET = 60


class Inputs:
    def __init__(self, script: Script, scopes: Scopes) -> None:
        self.script = script
        self.scopes = scopes
        self.known: dict[int, bool] = {}

    def derived(self, node: Node) -> bool:
        """Something in it comes from a parameter of a function around it."""
        if id(node) not in self.known:
            self.known[id(node)] = self._derived(node)
        return self.known[id(node)]

    def _derived(self, node: Node) -> bool:
        waiting, seen, budget = [node], set[int](), _BUDGET
        while waiting and budget:
            budget -= 1
            here = waiting.pop()
            if id(here) in seen or here.type in FUNCTIONS:
                continue
            seen.add(id(here))
            if here.type in ("identifier", "shorthand_property_identifier"):
                if here.text == "arguments":
                    return True
                found = self._meaning(here)
                if found is None:
                    return True
                waiting.extend(found)
            elif here.type == "this":
                return True
            else:
                waiting.extend(here.kids)
        return False

    def _meaning(self, name: Node) -> list[Node] | None:
        """What a name was set to; None where it is a parameter."""
        here = name.holder
        while here is not None:
            scope = self.scopes.scopes.get(id(here))
            bound = scope.get(name.text) if scope is not None else None
            if bound is not None:
                if here.type in FUNCTIONS and not bound.rows:
                    return None
                return bound.nodes[:4]
            here = here.holder
        return []

    def literal(self, node: Node) -> str | None:
        """Its value, also through a constant."""
        node = bare(node)
        if node.value is not None:
            return node.value
        if node.type == "identifier" or is_member(node):
            known = self.scopes.resolve(node)
            return known[0].value if len(known) == 1 else None
        return None

    def table(self, node: Node) -> Node | None:
        """The list or map that it is, also through a constant, `new Set([…])` and `Object.freeze(…)`."""
        node = bare(node)
        for _ in range(4):
            if node.type in ("array", "object"):
                return node
            if node.type == "identifier":
                found = self.scopes.find(node, node.text)
                known = found.nodes if isinstance(found, Bound) else []
                if len(known) != 1:
                    return None
                node = bare(known[0])
            elif node.type in ("new_expression", "call_expression") and node.kids[-1].type == "arguments":
                given = node.kids[-1].kids
                if len(given) != 1:
                    return None
                node = bare(given[0])
            else:
                return None
        return None
