"""The tests of a file, whole: those of a framework, or, where there is none, of a plain script."""

from typing import NamedTuple

from donewhen.core.integrity.model import Role, Test
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.javascript.bodies import Bodies, Body
from donewhen.verify.integrity.javascript.calls import Calls
from donewhen.verify.integrity.javascript.demands import Demands
from donewhen.verify.integrity.javascript.node import Node, block_of
from donewhen.verify.integrity.javascript.runners import NamedTests, hidden_by
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.scripts import script_tests
from donewhen.verify.integrity.javascript.suites import Found, Suites
from donewhen.verify.integrity.javascript.tree import Script
from donewhen.verify.integrity.javascript.words import TEST_MODULES


class Tested(NamedTuple):
    tests: tuple[Test, ...]
    framework: bool  # the tests are some runner's; else the file is a script that checks by itself
    bodies: Bodies
    functions: frozenset[int]  # bodies of tests


def tests(script: Script, scopes: Scopes, role: Role, path: str) -> Tested:
    strict = role not in ("test", "support")
    demands = Demands(script, scopes)
    none = Tested((), False, Bodies(demands, frozenset()), frozenset())
    if strict and not _imports_framework(script, scopes):
        return none
    calls = Calls(script, scopes, strict=strict)
    suites = Suites(script, scopes, calls)
    if not any(one.what == "test" for one in suites.all) and not strict:
        suites = Suites(script, scopes, NamedTests(calls, demands))
    found = suites.tests()
    bodies = Bodies(demands, suites.apart())
    if found:
        made = tuple(_test(script, bodies, one) for one in found)
        local = [one.made.call.kids[0].text for one in found]
        made = hidden_by(script, scopes, made, local)
        return Tested(made, not set(local) <= set(scopes.functions), bodies, suites.apart())
    return none._replace(tests=script_tests(script, scopes, bodies, role), bodies=bodies)


def _imports_framework(script: Script, scopes: Scopes) -> bool:
    if any(one.module in TEST_MODULES for one in scopes.imports.values()):
        return True
    return "import.meta.vitest" in script.tokens or (
        "vitest" in script.tokens and "import.meta" in script.tokens
    )


def _test(script: Script, bodies: Bodies, found: Found) -> Test:
    made, around = found.made, found.around
    body = bodies.study(
        block_of(made.function) if made.function is not None else [], around.contexts, function=made.function
    )
    for node in made.call.kids:
        _literals(node, made.named, made.function, body)
    disabled, conditional = around.disabled, around.conditional
    if body.disabled and (not disabled or (conditional and not body.conditional)):
        disabled, conditional = body.disabled, body.conditional
    cut = (made.named.start, made.named.end) if made.named is not None else (0, 0)
    spans = [_without(made.call, cut)]
    if made.function is not None and not (made.call.start <= made.function.start < made.call.end):
        spans.append([(made.function.start, made.function.end)])
    pieces = [span for group in spans for span in group]
    return Test(
        name=" > ".join(around.titles),
        line=made.call.line,
        asserts=tuple(body.asserts),
        disabled=disabled,
        conditional=conditional,
        focused=around.focused,
        swallows=body.swallows,
        calls=tuple(body.calls),
        literals=tuple(body.literals),
        cases=around.cases * body.rows,
        digest=syntax.digest(*("\0".join(script.tokens[a:b]) for a, b in pieces)),
        frame=syntax.digest(*("\0".join(script.shapes[a:b]) for a, b in pieces)),
    )


def _without(call: Node, cut: tuple[int, int]) -> list[tuple[int, int]]:
    if cut == (0, 0):
        return [(call.start, call.end)]
    return [(call.start, cut[0]), (cut[1], call.end)]


def _literals(node: Node, named: Node | None, function: Node | None, body: Body) -> None:
    """Literals of the call itself: tables, options."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here is named or here is function:
            continue
        if here.value is not None:
            body.literals[here.value] = None
        waiting.extend(reversed(here.kids))
