"""A Rust file as integrity sees it: tests may live in source, and in its documentation."""

import re
from bisect import bisect_left
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, Branch, Role, Sheet, Test
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.curly.branching import Function, Ways, branches
from donewhen.verify.integrity.curly.demands import Maker
from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import quoted
from donewhen.verify.integrity.curly.scope import Scope, declared, gather
from donewhen.verify.integrity.curly.sheets import Outer, Values, tested, troubles, whole_digest
from donewhen.verify.integrity.curly.telling import Helper, Reading, Teller, told
from donewhen.verify.integrity.rust import asserting, grammar
from donewhen.verify.integrity.rust.attributes import is_test
from donewhen.verify.integrity.rust.doctests import Example, examples
from donewhen.verify.integrity.rust.items import Item, items
from donewhen.verify.integrity.rust.marks import marks
from donewhen.verify.integrity.rust.rows import rows


class _File(NamedTuple):
    grove: Grove
    values: Values
    teller: Teller
    scope: Scope


def read(path: str, data: bytes, role: Role) -> Sheet:
    grove = grammar.planted(data)
    listed = list(items(grove))
    values = Values(grove, grammar.TONGUE.makers)
    scope = _module(listed)
    file = _File(grove, values, _teller(grove, listed, scope, role), scope)
    tests = [test for item in listed if (test := _test(file, item)) is not None]
    blocks = list(examples(grove)) if b"```" in data else []
    tests += _documented(grove, listed, blocks)
    return Sheet(
        path,
        role,
        "rust",
        tuple(tests),
        marks(grove, role, path, listed),
        _branches(listed, scope) if role in ("source", "support") else (),
        values.all(),
        _defines(listed),
        whole_digest(grove, [" ".join((*one.tags, one.code)) for one in blocks]),
        troubles(grove, values, data, "Rust"),
    )


def _module(listed: list[Item]) -> Scope:
    scope: Scope = {}
    for item in listed:
        if item.twig.kind == "assign":
            scope = declared(item.twig, scope, grammar.TONGUE, frozenset())
    return scope


def _teller(grove: Grove, listed: list[Item], scope: Scope, role: Role) -> Teller:
    functions = [item for item in listed if item.twig.kind == "func"]
    helpers = {
        item.name: Helper(grammar.params(item.twig), body, scope)
        for item in functions
        if (item.tests or role != "source") and (body := item.twig.get("body")) is not None
    }
    return Teller(
        Maker(grove, grammar.TONGUE, asserting.PREDICATES),
        asserting.tell,
        grammar.columns,
        grammar.params,
        helpers,
        frozenset(item.name for item in functions if is_test(item.attributes)),
        hidden=asserting.hidden(grove),
    )


def _test(file: _File, item: Item) -> Test | None:
    body = item.twig.get("body") if item.twig.kind == "func" else None
    if body is None or not is_test(item.attributes):
        return None
    table = rows(file.grove, item)
    scope = {**file.scope, **dict.fromkeys(grammar.params(item.twig)), **table.columns}
    reading = told(file.teller, body, scope)
    panics = next((one for one in item.attributes if one.name == "should_panic"), None)
    outer = Outer(item.out, cases=table.cases, literals=table.literals)
    if panics is not None:
        outer = _panicking(file, outer, reading, body, panics.text, panics.inside, panics.twig)
    name = "::".join((*item.modules, item.name))
    return tested(file.grove, file.values, name, item.twig, reading, outer, item.start, item.twig.get("name"))


def _panicking(
    file: _File, outer: Outer, reading: Reading, body: Twig, text: str, inside: str, twig: Twig
) -> Outer:
    """A test that waits for a panic demands it; one that asserts something besides passes when that fails."""
    side = gather(body, file.scope, grammar.TONGUE)
    message = re.search(r'"((?:[^"\\]|\\.)*)"', inside)
    expected = (quoted(message.group(1)),) if message else ()
    subjects = tuple(name for name in side.subjects if name not in grammar.ASSERTS)
    demanded = Assertion(text, twig.line, "raises", subjects, side.literals, expected)
    hides = text if any(one.kind != "other" for one in reading.asserts) else ""
    return outer._replace(asserts=(demanded,), swallows=hides)


def _documented(grove: Grove, listed: list[Item], blocks: list[Example]) -> list[Test]:
    starts = sorted((item.start, item.twig.node.start_byte, item.name) for item in listed if item.name)
    found: list[Test] = []
    seen: dict[str, int] = {}
    for block in blocks:
        at = bisect_left(starts, (block.start, 0, ""))
        owner = starts[at][2] if at < len(starts) else "crate"
        seen[owner] = seen.get(owner, 0) + 1
        found.append(_example(block, f"{owner} (doc {seen[owner]})"))
    return found


def _example(block: Example, name: str) -> Test:
    code = block.code if "fn main(" in block.code else "fn main() {\n" + block.code + "\n}"
    grove = grammar.planted(code.encode())
    listed = list(items(grove))
    body = next((item.twig.get("body") for item in listed if item.name == "main"), None)
    values = Values(grove, grammar.TONGUE.makers)
    reading = told(_teller(grove, listed, {}, "test"), body, {}) if body is not None else Reading()
    asserts = tuple(one._replace(line=block.line) for one in reading.asserts)
    calls = values.calls(0, len(code) + 1)
    if "should_panic" in block.tags:
        asserts = (*asserts, Assertion("should_panic", block.line, "raises", calls))
    digest, frame = grove.words(0, len(code) + 1)
    return Test(
        name, block.line, asserts, block.off, False, "", reading.swallows, calls,
        values.between(0, len(code) + 1), reading.cases, syntax.digest(digest, *block.tags), frame,
    )  # fmt: skip


def _defines(listed: list[Item]) -> frozenset[str]:
    found: set[str] = set()
    for item in listed:
        if item.name and item.twig.kind not in ("impl_item", "use_declaration") and item.name != "p_t__":
            found.add(item.name)
            if item.owner:
                found.add(f"{item.owner}.{item.name}")
    return frozenset(found)


def _branches(listed: list[Item], scope: Scope) -> tuple[Branch, ...]:
    ways = Ways(grammar.TONGUE, grammar.arm, lambda match: match.get("value"), {})
    functions = []
    for item in listed:
        body = item.twig.get("body") if item.twig.kind == "func" else None
        if body is not None and not item.tests and not is_test(item.attributes):
            taken = grammar.params(item.twig)
            names = {*taken, *(("self",) if _method(item.twig) else ())} - {"_"}
            named = frozenset(names) or (frozenset(("_",)) if taken else frozenset())
            functions.append(Function(item.name, named, body, item.twig.get("return_type") is not None))
    return branches(functions, ways, scope)


def _method(function: Twig) -> bool:
    listed = function.get("parameters")
    return listed is not None and any(kid.kind == "self_parameter" for kid in listed.kids)
