"""Which functions of a file its runner would collect as tests, and under which names.

Only contents count here; whether the file itself is collected is told by its name, elsewhere. Of two
definitions with one name the later holds, and what is deleted or replaced afterwards is no test.
"""

from typing import NamedTuple

from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.outline import Class, Function
from donewhen.verify.integrity.python.page import Page, place_in
from donewhen.verify.integrity.python.switches import is_fixture
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import truth


class Collected(NamedTuple):
    name: str
    function: Function
    home: str  # the class that runs it, which may inherit it; "" for a function
    changed: Node | None = None  # what the test was replaced with, if that may still be one


_PLAIN_BASES = frozenset(("object", "ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", ""))


def collect(page: Page) -> list[Collected]:
    replaced = _replaced(page)
    out: dict[str, Collected] = {}
    for function in page.functions.values():
        if not function.home and _is_test_name(function) and not _is_no_test(function, page):
            out[function.name] = Collected(function.name, function, "")
    for each in page.classes.values():
        if not each.in_function and _runs(each, page):
            out.update({test.name: test for test in _methods(each, page)})
    return [found for test in out.values() if (found := _as_replaced(test, replaced)) is not None]


def _as_replaced(test: Collected, replaced: dict[str, Node | None]) -> Collected | None:
    """The test as the end of the file leaves it: gone, made anew by a call, or as it was."""
    for name in (test.name, test.home):
        if name in replaced:
            made = replaced[name]
            return test._replace(changed=made) if made is not None else None
    return test


def _is_test_name(function: Function) -> bool:
    return function.name.startswith("test") and not function.in_function


def _is_no_test(function: Function, page: Page) -> bool:
    return any(is_fixture(decorator, page) for decorator in function.decorators)


def is_test_case(each: Class, page: Page) -> bool:
    """Derived from a test case, in this file or by the name of its base."""
    bases = [base for known in page.lineage(each.qual) for base in known.bases]
    return any(base.rpartition(".")[2].endswith("TestCase") for base in bases)


def _runs(each: Class, page: Page) -> bool:
    lineage = page.lineage(each.qual)
    if _test_attribute(each, page) is False:
        return False
    if is_test_case(each, page):
        return True
    foreign = [base for known in lineage for base in known.bases if base not in page.classes]
    if any(base not in _PLAIN_BASES and _imported(base, page) for base in foreign):
        return True
    made = any(page.functions.get(f"{known.qual}.__init__") for known in lineage)
    return each.name.startswith("Test") and not made and _outer_runs(each, page)


def _imported(base: str, page: Page) -> bool:
    """A base from elsewhere may well be a test case."""
    root = base.partition(".")[0]
    return base in page.names.full.values() or root in page.names.modules


def _outer_runs(each: Class, page: Page) -> bool:
    outer = page.classes.get(each.home)
    return outer is None or outer.name.startswith("Test")


def _test_attribute(each: Class, page: Page) -> bool | None:
    for known in page.lineage(each.qual):
        value = page.values.bindings(known.node).values.get("__test__")
        if value is not None:
            return truth(value, place_in(page, None))
    return None


def _methods(each: Class, page: Page) -> list[Collected]:
    found: dict[str, Collected] = {}
    for known in reversed(page.lineage(each.qual)):
        assigned = page.values.bindings(known.node).last
        for name in assigned:
            found.pop(name, None)
        for function in page.by_home.get(known.qual, ()):
            if _is_method_test(function, page):
                found[function.name] = Collected(f"{each.qual}.{function.name}", function, each.qual)
        for name, value in assigned.items():
            if value is not None and name in found and value.kind == "call":
                found[name] = found[name]._replace(changed=value)
            elif name in found:
                found.pop(name)
    return list(found.values())


def _is_method_test(function: Function, page: Page) -> bool:
    if not function.in_class or function.in_function:
        return False
    return (function.name.startswith("test") or function.name == "runTest") and not _is_no_test(
        function, page
    )


def _replaced(page: Page) -> dict[str, Node | None]:
    """Tests and classes that the module deletes or binds anew: None, or the call that makes the new one."""
    out: dict[str, Node | None] = {}
    for node in page.light.root.kids:
        if node.kind == "delete_statement":
            out.update((page.names.dotted(part), None) for part in node.parts)
        elif node.kind == "expression_statement" and node.kids:
            _rebound(node.kids[0], page, out)
    out.pop("", None)
    return out


def _rebound(node: Node, page: Page, out: dict[str, Node | None]) -> None:
    if node.kind == "assignment":
        left, right = node.get("left"), node.get("right")
        name = page.names.dotted(left)
        if name.endswith(".__test__") and right is not None and truth(right, place_in(page, None)) is False:
            out[name.removesuffix(".__test__")] = None
        elif name in page.functions or name in page.classes:
            out[name] = right if right is not None and right.kind == "call" else None
    elif node.kind == "call" and page.names.called(node) in ("setattr", "delattr"):
        given = arguments(node)
        member = atoms.unquoted(given[1].word) if len(given) > 1 else None
        if member is not None:
            value = given[2] if len(given) > 2 and given[2].kind == "call" else None
            key = f"{page.names.dotted(given[0])}.{member}"
            if key in page.functions:
                out[key] = value
