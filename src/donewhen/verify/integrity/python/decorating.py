"""What decorators of this very file do to a test: run it, never run it, or hide that it failed."""

from typing import NamedTuple

from donewhen.verify.integrity.python.outline import Function
from donewhen.verify.integrity.python.page import Page, place_in
from donewhen.verify.integrity.python.swallowing import swallows
from donewhen.verify.integrity.python.switches import Switch, in_body
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node


class Wrapped(NamedTuple):
    switch: Switch = Switch()
    swallows: str = ""


def wrapped(function: Function, page: Page) -> Wrapped:
    """The first decorator that keeps the test, or its failure, away."""
    for decorator in function.decorators:
        name = decorator if decorator.kind != "call" else decorator.get("function")
        known = page.functions.get(name.word) if name is not None and name.kind == "identifier" else None
        if known is None:
            continue
        found = _effect(known, decorator, page)
        if found.switch.text or found.swallows:
            return found
    return Wrapped()


def _effect(known: Function, decorator: Node, page: Page) -> Wrapped:
    made = known
    if decorator.kind == "call":
        inner = [each for each in page.by_home.get(known.qual, ()) if each.params]
        if not inner:
            return Wrapped()
        made = inner[0]
    if not made.params:
        return Wrapped()
    taken = made.params[0]
    runs = [call for call in page.inside(made.node, "call") if _called(call) == taken]
    if not runs:
        return Wrapped() if _handed_on(taken, made, page) else Wrapped(Switch("@" + normal(decorator)))
    place = place_in(page, made)
    hidden = next((found for call in runs if (found := swallows(call, made.node, place, False))), "")
    skipping = next((in_body(each, page) for each in page.by_home.get(made.qual, ())), Switch())
    return Wrapped(skipping, hidden)


def _called(call: Node) -> str:
    function = call.get("function")
    return function.word if function is not None else ""


def _handed_on(name: str, made: Function, page: Page) -> bool:
    """The test is returned, or given to something that may run it."""
    for node in page.inside(made.body, "identifier"):
        if node.word != name:
            continue
        home = next(
            (above for above in node.up() if above.kind in ("call", "return_statement", "block")), None
        )
        if home is None or home.kind == "block":
            continue
        if home.kind == "return_statement" or page.names.called(home).rpartition(".")[2] not in (
            "wraps",
            "update_wrapper",
        ):
            return True
    return False
