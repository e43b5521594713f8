"""Whether something round an assertion keeps its failure from anyone: a handler, a suppressing context.

Expected errors, handlers that raise, fail or assert again, and failures that are collected and looked at
later are honest.
"""

from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node

_BROAD = frozenset(("AssertionError", "Exception", "BaseException", "failureException", ""))
_NOT_OURS = frozenset(("MemoryError", "ImportError", "ModuleNotFoundError", "KeyboardInterrupt"))
_TELLING = frozenset("print log debug info warning warn error exception write".split())


def swallows(node: Node, top: Node, place: Place, only_fails: bool) -> str:
    """The text of what hides a failure of the assertion `node` from the function `top`, "" if nothing does.

    `only_fails`: it is a bare `fail()`, which belongs to the pattern of an expected error.
    """
    below = node
    for above in node.up():
        if above.kind == "try_statement" and below.field == "body":
            hidden = _hidden(above, place, only_fails)
            if hidden:
                return hidden
        if above.kind == "with_statement" and below.field == "body":
            hidden = _suppressed(above, place)
            if hidden:
                return hidden
        if above is top:
            return ""
        below = above
    return ""


def _suppressed(statement: Node, place: Place) -> str:
    for item in place.page.inside(statement.kids[1], "call"):
        if place.page.names.called(item) in ("contextlib.suppress", "suppress"):
            names = {place.page.names.dotted(part).rpartition(".")[2] for part in arguments(item)}
            if names & _BROAD:
                return f"with {normal(item)}"
    return ""


def _hidden(statement: Node, place: Place, only_fails: bool) -> str:
    for clause in statement.kids:
        if clause.kind == "finally_clause" and _leaves(clause, place):
            return normal(clause)
        if clause.kind != "except_clause":
            continue
        caught = _caught(clause, place)
        broad = not caught or bool(caught & _BROAD)
        if not broad and (only_fails or caught <= _NOT_OURS):
            continue
        if _silent(clause, place, broad):
            return normal(clause)
        if broad:
            return ""
    return ""


def _leaves(clause: Node, place: Place) -> bool:
    return any(place.page.inside(clause, "return_statement"))


def _caught(clause: Node, place: Place) -> set[str]:
    value = clause.get("value")
    if value is None:
        return set()
    if value.kind == "as_pattern":
        value = value.parts[0]
    nodes = value.parts if value.kind in ("tuple", "expression_list") else [value]
    return {place.page.names.dotted(node).rpartition(".")[2] for node in nodes}


def _silent(clause: Node, place: Place, broad: bool) -> bool:
    """Whether the handler goes on as if nothing were."""
    if place.page.inside(clause, "raise_statement") or place.page.inside(clause, "assert_statement"):
        return False
    names = [place.page.names.called(call) for call in place.page.inside(clause, "call")]
    if any(_fails(name) for name in names):
        return False
    block = clause.kids[-1]
    if not broad:
        return all(_idle(kid, place) for kid in block.kids)
    return not _kept(clause, place)


def _fails(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last in ("fail", "exit", "_exit", "abort") or last.lower().startswith("assert") or name == "exit"


def _idle(statement: Node, place: Place) -> bool:
    if statement.kind in ("pass_statement", "return_statement"):
        return True
    call = statement.kids[0] if statement.kind == "expression_statement" and statement.kids else None
    if call is None or call.kind == "ellipsis":
        return call is not None
    return call.kind == "string" or (
        call.kind == "call" and place.page.names.called(call).rpartition(".")[2] in _TELLING
    )


def _kept(clause: Node, place: Place) -> bool:
    """The failure is noted somewhere, and something looks at it after the attempt."""
    noted = {
        target.word
        for kind in ("assignment", "augmented_assignment")
        for node in place.page.inside(clause, kind)
        if (target := node.get("left")) is not None
    }
    for call in place.page.inside(clause, "call"):
        function = call.get("function")
        if (
            function is not None
            and function.kind == "attribute"
            and function.kids[-1].word in ("append", "add", "put")
        ):
            home = function.get("object")
            noted |= {home.word} if home is not None else set()
    noted.discard("")
    later = (node for name in noted for node in place.page.mentions.get(name, ()) if node.at >= clause.end)
    return any(_looked_at(node, place) for node in later)


def _looked_at(node: Node, place: Place) -> bool:
    for above in node.up():
        if above.kind in _DECIDING:
            return True
        if above.kind == "call" and _fails(place.page.names.called(above)):
            return True
        if above.kind in ("block", "module"):
            return False
    return False


_DECIDING = frozenset(
    "assert_statement if_statement elif_clause return_statement raise_statement while_statement "
    "conditional_expression".split()
)
