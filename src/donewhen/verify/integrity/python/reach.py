"""Which statements of a function can be reached, and which only if a condition allows it.

Follows the blocks, not the program: a statement is dead behind a `return`, under `if False`, in a loop over
nothing. A condition that is not settled makes what it guards conditional, never dead.
"""

from donewhen.verify.integrity.python.names import Names
from donewhen.verify.integrity.python.page import Page, Place
from donewhen.verify.integrity.python.tables import looped
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import truth

ENDINGS = frozenset(("return_statement", "raise_statement", "continue_statement", "break_statement"))
SKIPS = frozenset(("pytest.skip", "self.skipTest", "cls.skipTest", "pytest.xfail", "pytest.importorskip"))
_STOPS = frozenset(("sys.exit", "os._exit", "exit", "quit", "pytest.exit", "pytest.skip", "pytest.xfail"))
_LOOPS = frozenset(("for_statement", "while_statement"))
_DEEPEST = 40  # blocks within blocks


class Reach:
    """Reachability inside one function, or at module level."""

    def __init__(self, top: Node, place: Place) -> None:
        self._top = top
        self._place = place
        self._ends: dict[int, Node | None] = {}

    def dead(self, node: Node) -> Node | None:
        """What keeps `node` from being reached: a statement before it or the branch that it is in."""
        below = node
        for above in node.up():
            reason = self._in_block(below, above) or self._in_branch(below, above)
            if reason is not None:
                return reason
            if above is self._top:
                return None
            below = above
        return None

    def _in_block(self, below: Node, above: Node) -> Node | None:
        if above.kind not in ("block", "module"):
            return None
        if above.at not in self._ends:
            self._ends[above.at] = next((kid for kid in above.kids if self.ends(kid)), None)
        end = self._ends[above.at]
        return end if end is not None and end.end <= below.at else None

    def _in_branch(self, below: Node, above: Node) -> Node | None:
        if above.kind in ("if_statement", "elif_clause"):
            settled = truth(above.get("condition"), self._place)
            wrong = (settled is False and below.field == "consequence") or (
                settled is True and below.field == "alternative"
            )
            return above if wrong else None
        if above.kind == "while_statement" and below.field == "body":
            return above if truth(above.get("condition"), self._place) is False else None
        if above.kind == "for_statement" and below.field == "body":
            return above if self._over_nothing(above) else None
        return None

    def _over_nothing(self, loop: Node) -> bool:
        """A loop over an empty list that is written there; one behind a name may have been filled."""
        over = loop.get("right")
        if over is None or over.kind not in ("list", "tuple", "set", "dictionary", "call"):
            return False
        table = looped(loop, self._place)
        direct = over.kind != "call" or self._place.page.names.called(over) == "range"
        return direct and table is not None and table.size == 0

    def ends(self, statement: Node, depth: int = 0) -> bool:
        """Whether nothing behind the statement is reached, whatever the program does."""
        if statement.kind in ENDINGS:
            return True
        if statement.kind == "expression_statement":
            return stops(statement, self._place.page.names)
        if statement.kind == "with_statement":
            return (
                depth < _DEEPEST
                and not self._may_swallow(statement)
                and self._block(statement.get("body"), depth)
            )
        if statement.kind != "if_statement" or depth >= _DEEPEST:
            return False
        settled = truth(statement.get("condition"), self._place)
        taken = self._block(statement.get("consequence"), depth)
        if settled is True:
            return taken
        others = statement.all("alternative")
        whole = bool(others) and others[-1].kind == "else_clause"
        rest = whole and all(self._block(arm.get("body") or arm.get("consequence"), depth) for arm in others)
        return rest and (taken or settled is False)

    def _may_swallow(self, statement: Node) -> bool:
        names = [
            self._place.page.names.called(call) for call in self._place.page.inside(statement.kids[1], "call")
        ]
        return any(
            name.endswith(("raises", "suppress", "assertRaises", "assertRaisesRegex")) for name in names
        )

    def _block(self, block: Node | None, depth: int) -> bool:
        return block is not None and any(self.ends(kid, depth + 1) for kid in block.kids)

    def guard(self, node: Node) -> str:
        """The condition on which alone the node is reached, outside of loops; "" if there is none."""
        below = node
        for above in node.up():
            if above.kind in _LOOPS:
                return ""
            found = self._guarded(below, above)
            if found:
                return found
            if above is self._top:
                return ""
            below = above
        return ""

    def _guarded(self, below: Node, above: Node) -> str:
        if above.kind == "if_statement" and below.field == "consequence" and not above.all("alternative"):
            return head(above) if self._is_switch(above) else ""
        if above.kind not in ("block", "module"):
            return ""
        for kid in above.kids:
            if kid.at >= below.at:
                return ""
            if kid.kind == "if_statement" and self._leaves(kid):
                return normal(kid)
        return ""

    def _is_switch(self, statement: Node) -> bool:
        """A condition that is not settled and asks nothing of what the test itself made."""
        condition = statement.get("condition")
        if condition is None or truth(condition, self._place) is not None:
            return False
        local = {name for scope in self._place.scopes[:-1] for name in scope.values}
        names = {node.word for node in self._place.page.inside(condition, "identifier")}
        return not names & (local | self._place.rows.keys())

    def _leaves(self, statement: Node) -> bool:
        """`if …: return` or a skip, and nothing in the other arms."""
        block = statement.get("consequence")
        if block is None or not self._is_switch(statement):
            return False
        last = block.kids[-1] if block.kids else None
        if last is None:
            return False
        return (last.kind == "return_statement" and not last.parts) or skips(last, self._place.page)


def stops(statement: Node, names: Names) -> bool:
    """A call that does not return: an exit or a skip."""
    call = statement.kids[0] if statement.kids else None
    if call is None or call.kind != "call":
        return False
    name = names.called(call)
    return name in _STOPS or name.endswith(".skipTest")


def skips(statement: Node, page: Page) -> bool:
    """A statement that skips the test: a call, or the error that means it."""
    if statement.kind == "raise_statement":
        names = [page.names.dotted(part).removesuffix("()") for part in statement.parts]
        return any(name.rpartition(".")[2] in ("SkipTest", "Skipped") for name in names)
    call = statement.kids[0] if statement.kind == "expression_statement" and statement.kids else None
    if call is not None and call.kind == "assignment":
        call = call.get("right")
    if call is None or call.kind != "call":
        return False
    name = page.names.called(call)
    return name in SKIPS or name.endswith((".skipTest", "pytest.skip", "pytest.xfail"))


def head(statement: Node) -> str:
    """`if x` without what follows."""
    condition = statement.get("condition")
    return f"if {normal(condition)}" if condition is not None else normal(statement)
