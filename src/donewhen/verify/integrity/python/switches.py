"""What keeps a test from running or counting: markers, skips in its body or set-up, a module that is off.

`conditional` says that it depends on something that the file does not settle. A condition that is settled
never to hold is no switch at all.
"""

from typing import NamedTuple

from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.outline import Class, Function
from donewhen.verify.integrity.python.page import Page, Place, place_in
from donewhen.verify.integrity.python.reach import Reach, head, skips
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import truth


class Switch(NamedTuple):
    text: str = ""
    conditional: bool = False


_NONE = Switch()
_ALWAYS = frozenset(("skip", "expectedFailure", "nottest", "skip_test"))
_MARKED = ("pytest.mark.", "mark.")
_SETUPS = frozenset(
    "setUp setUpClass asyncSetUp setup_method setup_class setup setUpModule setup_module "
    "setup_function".split()
)
_MODULE_SETUPS = frozenset(("setUpModule", "setup_module", "setup_function"))


def strongest(switches: list[Switch]) -> Switch:
    """One that always holds, before one that may."""
    on = [switch for switch in switches if switch.text]
    return next((switch for switch in on if not switch.conditional), on[0] if on else _NONE)


def of_marker(node: Node, place: Place, depth: int = 0) -> Switch:
    """A decorator, an element of `pytestmark`, a name for either."""
    if node.kind == "identifier" and depth < 4 and (bound := place.bound(node.word)) is not None:
        return of_marker(bound, place, depth + 1)
    if node.kind in ("list", "tuple"):
        return strongest([of_marker(part, place, depth + 1) for part in node.parts[:50]])
    name = place.page.names.dotted(node).removesuffix("()")
    last = name.rpartition(".")[2]
    if not _known(name, last):
        return _NONE
    text = "@" + normal(node)
    if node.kind != "call" or last in _ALWAYS:
        return Switch(text)
    given, named = arguments(node), keywords(node)
    condition = named.get("condition") or (given[0] if given else None)
    if condition is None:
        return Switch(text)
    settled = _settled(condition, place)
    if last == "skipUnless":
        settled = None if settled is None else not settled
    if settled is None:
        return Switch(text, True)
    return Switch(text) if settled else _NONE


def _known(name: str, last: str) -> bool:
    if last in ("skipIf", "skipUnless", "expectedFailure", "nottest"):
        return True
    if last in ("skipif", "xfail"):
        return name.startswith(_MARKED)
    return last == "skip" and (name.startswith((*_MARKED, "unittest.", "nose.", "pytest.")) or name == "skip")


def _settled(condition: Node, place: Place) -> bool | None:
    """Conditions may also be texts, which the runner evaluates."""
    if condition.kind == "string" and not condition.kids:
        return {"True": True, "1": True, "False": False, "0": False}.get(atoms.unquoted(condition.word) or "")
    return truth(condition, place)


def in_body(function: Function, page: Page) -> Switch:
    """Skips that the function itself carries out."""
    place = place_in(page, function)
    return _carried_out(function.node, place)


def _carried_out(top: Node, place: Place) -> Switch:
    page = place.page
    statements = [
        *(node for node in page.inside(top, "expression_statement") if skips(node, page)),
        *(node for node in page.inside(top, "raise_statement") if skips(node, page)),
    ]
    if not statements:
        return _NONE
    reach = Reach(top, place)
    alive = (node for node in statements if _own(node, top) and reach.dead(node) is None)
    return strongest([_switch(node, top, place) for node in alive])


def _switch(node: Node, top: Node, place: Place) -> Switch:
    condition = _condition(node, top, place)
    if condition is None:
        return Switch(normal(node), "importorskip" in normal(node))
    return Switch(f"{condition}: {normal(node)}", True)


def _own(node: Node, top: Node) -> bool:
    scopes = ("function_definition", "class_definition", "lambda")
    return next((above for above in node.up() if above.kind in scopes or above is top), None) in (top, None)


def _condition(node: Node, top: Node, place: Place) -> str | None:
    """What the statement depends on, as it is written; None if it is always carried out."""
    for above in node.up():
        if above is top:
            return None
        if above.kind in ("if_statement", "elif_clause"):
            if truth(above.get("condition"), place) is None:
                return head(above)
        elif above.kind in ("except_clause", "for_statement", "while_statement", "case_clause"):
            return normal(above).partition(":")[0]
    return None


def of_module(page: Page) -> Switch:
    """What switches every test of the file."""
    place = place_in(page, None)
    found = [_carried_out(page.light.root, place)] if page.may_skip else []
    marker = page.module.values.get("pytestmark")
    if marker is not None:
        found.append(of_marker(marker, place))
    found.extend(in_body(page.functions[name], page) for name in _MODULE_SETUPS if name in page.functions)
    found.extend(_fixtures(page, ""))
    return strongest(found)


def of_class(qual: str, page: Page) -> Switch:
    """What switches every test of a class: its markers, its set-up, those of the classes above it."""
    if not page.may_skip and b"expectedFailure" not in page.data:
        return _NONE
    place = place_in(page, None)
    found: list[Switch] = []
    for each in page.lineage(qual):
        found.extend(of_marker(decorator, place) for decorator in each.decorators)
        found.append(_attributes(each, page, place))
        found.extend(_fixtures(page, each.qual))
    for name in _SETUPS - _MODULE_SETUPS:
        function = page.method(qual, name)
        if function is not None:
            found.append(in_body(function, page))
    return strongest(found)


def _attributes(each: Class, page: Page, place: Place) -> Switch:
    values = page.values.bindings(each.node).values
    marker = values.get("pytestmark")
    if marker is not None and (switch := of_marker(marker, place)).text:
        return switch
    skipped = values.get("__unittest_skip__")
    if skipped is not None and truth(skipped, place) is not False:
        return Switch("__unittest_skip__ = " + normal(skipped))
    return _NONE


def _fixtures(page: Page, home: str) -> list[Switch]:
    """Fixtures that every test gets."""
    if b"autouse" not in page.data:
        return []
    return [
        in_body(function, page)
        for function in page.by_home.get(home, ())
        if any(is_autouse(decorator, page) for decorator in function.decorators)
    ]


def is_fixture(decorator: Node, page: Page) -> bool:
    name = page.names.dotted(decorator).removesuffix("()")
    return name in ("pytest.fixture", "pytest_asyncio.fixture", "pytest.yield_fixture", "fixture")


def is_autouse(decorator: Node, page: Page) -> bool:
    if decorator.kind != "call" or not is_fixture(decorator, page):
        return False
    given = keywords(decorator).get("autouse")
    return given is not None and truth(given, place_in(page, None)) is not False


def of_test(function: Function, page: Page) -> Switch:
    """The test's own switches: markers, skips in it, fixtures of this file that skip."""
    place = place_in(page, None)
    found = [of_marker(decorator, place) for decorator in function.decorators]
    if page.may_skip:
        found.append(in_body(function, page))
        found.extend(
            in_body(fixture, page)
            for name in function.params
            if (fixture := page.functions.get(name)) is not None
            and any(is_fixture(decorator, page) for decorator in fixture.decorators)
        )
    return strongest(found)


def never_run(function: Function, home: str, page: Page) -> Switch:
    """A body that is only made, never run: a coroutine that nobody awaits, a generator that nobody reads."""
    node = function.node
    bases = {base for each in page.lineage(home) for base in each.bases} if home else set()
    if node.kids[0].word == "async" and bases & _AWAIT_NOTHING and not any("sync" in base for base in bases):
        return Switch(f"async def {function.name}")
    markers = (page.names.dotted(decorator) for decorator in function.decorators)
    if all(name.startswith(_MARKED) for name in markers) and node.kids[0].word != "async":
        own = (each for each in page.inside(function.body, "yield") if _own(each, node))
        return next((Switch(normal(each)) for each in own), _NONE)
    return _NONE


_AWAIT_NOTHING = frozenset(("unittest.TestCase", "unittest.case.TestCase"))
