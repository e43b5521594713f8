"""Plain scripts that check: module-level assertions, functions that the script runs, failures it counts.

Only for files in which no framework finds a test.
"""

from donewhen.core.integrity.model import Mark, Test
from donewhen.verify.integrity.python import text
from donewhen.verify.integrity.python.demanding import Demanded, demanded_script
from donewhen.verify.integrity.python.exits import exits
from donewhen.verify.integrity.python.outline import Function
from donewhen.verify.integrity.python.page import Page, place_in
from donewhen.verify.integrity.python.testing import cases
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.uses import Uses

MODULE = "<module>"


def script_tests(page: Page) -> list[Test]:
    out: list[Test] = []
    root = page.light.root
    uses = Uses(page)
    found = demanded_script(place_in(page, None), root, None)
    if found.asserts or found.dead:
        out.append(_test(MODULE, root, found, uses))
    for function in page.functions.values():
        if function.in_class or function.in_function or not _is_run(function, page):
            continue
        found = demanded_script(place_in(page, function), function.node, function)
        if found.asserts or found.dead:
            out.append(_test(function.name, function.node, found, uses))
    return out


def _is_run(function: Function, page: Page) -> bool:
    """Somebody names it, with no arguments to hand over: then it is a check of its own, no helper."""
    return not function.params and page.mentioned_outside(function.name, function.node)


def _test(name: str, node: Node, found: Demanded, uses: Uses) -> Test:
    page = uses.page
    calls = (page.names.plain(call.get("function")) for call in page.inside(node, "call"))
    disabled = found.dead or found.guard if "__name__" not in found.guard else found.dead
    return Test(
        name,
        node.line,
        found.asserts,
        disabled,
        bool(found.guard) and not found.dead,
        "",
        found.swallowed,
        tuple(one for one in calls if one),
        tuple(dict.fromkeys(page.literals_in(node))),
        1 if node.kind == "module" else cases([], node, place_in(page, page.functions.get(name)), True),
        _digest(name, node, uses),
        page.flat.frame(node),
    )


def _digest(name: str, node: Node, uses: Uses) -> str:
    function = uses.page.functions.get(name)
    return uses.digest(function, "") if function is not None else uses.page.flat.digest(node)


def script_marks(page: Page, tests: list[Test]) -> list[Mark]:
    """A script that counts failures and then ends well whatever the count."""
    ends = exits(page)
    honest = any(end.status != "zero" for end in ends)
    counted = any(not _fails_itself(one.text) for test in tests for one in test.asserts)
    caught = any(test.swallows for test in tests)
    if honest or not (counted or caught):
        return []
    line = page.light.root.kids[-1].line if page.light.root.kids else 1
    told = Mark("exit-call", line, "failures are counted, the status stays 0")
    return [told, *(Mark("exit-call", end.node.line, text.normal(end.node)) for end in ends)]


def _fails_itself(shown: str) -> bool:
    last = shown.rpartition(": ")[2] if ": assert" not in shown else "assert"
    return last.startswith(("assert", "raise", "self.", "with ", "pytest.")) or "assert" in shown
