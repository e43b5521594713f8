"""Tests that replace the very thing they test, so that only the replacement is examined."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.node import Node, arguments, bare, callee, dotted
from donewhen.verify.integrity.javascript.sight import Sight

_MOCKS = frozenset(
    "jest.mock jest.doMock jest.setMock jest.unstable_mockModule vi.mock vi.doMock mock.module t.mock.module "
    "td.replace mockery.registerMock".split()
)
_SPIES = frozenset("jest.spyOn vi.spyOn mock.method t.mock.method sinon.stub sinon.replace".split())
_ANSWERS = frozenset(
    "mockReturnValue mockReturnValueOnce mockImplementation mockImplementationOnce returns callsFake "
    "resolves mockResolvedValue".split()
)
_REAL = frozenset("requireActual importActual importOriginal actual original".split())
_AFFIX = re.compile(r"(?i)^(?:tests?|spec)[-_.]|[-_.](?:tests?|spec|unit|e2e|int)$|(?:Tests?|Spec)$")


def mocked(sight: Sight) -> Iterator[Mark]:
    subject = subject_of(sight.path)
    asserted = {
        name
        for test in sight.tested.tests
        for one in test.asserts
        if one.kind != "called"
        for name in one.subjects
    }
    for call in sight.calls():
        path = dotted(callee(call))
        given = arguments(call)
        replaced = path in _MOCKS and bool(given) and _replaces(sight, call, given, subject, asserted)
        spied = path in _SPIES and len(given) > 1 and _spied(sight, given, asserted)
        if replaced or (spied and _answers(call)):
            yield sight.mark("exam-hook", call)
    for one in sight.assignments():
        if _product(sight, dotted(one.kids[0]).partition(".")[0]) and dotted(one.kids[0]) in asserted:
            yield sight.mark("exam-hook", one)


def subject_of(path: str) -> str:
    """What a test file is about, by its name: `cart.test.js`, `test_cart.mjs`, `CartSpec.ts` → `cart`."""
    name = PurePosixPath(path).name
    name = re.sub(r"\.[cm]?[jt]sx?$", "", name)
    for _ in range(2):
        name = _AFFIX.sub("", name)
    return name.lower()


def _replaces(sight: Sight, call: Node, given: list[Node], subject: str, asserted: set[str]) -> bool:
    module = values.unquoted(given[0].value or "")
    if not module.startswith((".", "/", "@/", "~/", "src/")):
        return False
    if set(sight.script.tokens[call.start : call.end]) & _REAL:
        return False
    if _stem(module) == subject:
        named_so = {one.module for one in sight.scopes.imports.values() if _stem(one.module) == subject}
        return not {one for one in named_so if one.startswith(".")} - {module}
    taken = {name for name, one in sight.scopes.imports.items() if one.module == module}
    others = {one.module for one in sight.scopes.imports.values() if one.module.startswith(".")} - {module}
    return not others and bool({name.partition(".")[0] for name in asserted} & taken)


def _stem(module: str) -> str:
    return PurePosixPath(module).name.partition(".")[0].lower()


def _product(sight: Sight, name: str) -> bool:
    source = sight.scopes.imports.get(name)
    return source is not None and source.module.startswith(".")


def _spied(sight: Sight, given: list[Node], asserted: set[str]) -> bool:
    holder = dotted(given[0])
    name = values.unquoted(given[1].value or "")
    return _product(sight, holder.partition(".")[0]) and f"{holder}.{name}" in asserted


def _answers(call: Node) -> bool:
    """The spy answers itself instead of passing the call on."""
    if len(arguments(call)) > 2:
        return True
    parent = call.parent
    return parent is not None and bool(parent.kids) and bare(parent).kids[-1].text in _ANSWERS
