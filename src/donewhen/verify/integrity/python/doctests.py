"""Examples in docstrings: each `>>>` with an answer demands that answer.

The examples are found line by line, as the runner of such examples does; their code is read like any other.
"""

from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, Test
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.literals import literals_of
from donewhen.verify.integrity.python.outline import scope_of
from donewhen.verify.integrity.python.page import Page, place_in
from donewhen.verify.integrity.python.sides import side
from donewhen.verify.integrity.python.text import is_docstring
from donewhen.verify.integrity.python.tree import Node, grow
from donewhen.verify.integrity.python.values import UNKNOWN, canon

_MOST = 500  # examples of one file


class Example(NamedTuple):
    code: str
    want: str
    line: int  # within the docstring, from 0


def examples(text: str) -> list[Example]:
    out: list[Example] = []
    code: list[str] = []
    want: list[str] = []
    start = 0
    for number, line in enumerate([*text.splitlines(), ""]):
        bare = line.strip()
        if bare.startswith(("...", ">>>")) and not (bare.startswith("...") and (want or not code)):
            if bare.startswith(">>>"):
                _add(out, code, want, start)
                code, want, start = [], [], number
            code.append(bare[4:])
        elif bare and code:
            want.append(bare)
        else:
            _add(out, code, want, start)
            code, want = [], []
    return out[:_MOST]


def _add(out: list[Example], code: list[str], want: list[str], start: int) -> None:
    if code:
        out.append(Example("\n".join(code), " ".join(want), start))


def doctests(page: Page) -> list[Test]:
    if b">>>" not in page.data:
        return []
    out: list[Test] = []
    for node in page.light.index.get("string", ()):
        if ">>>" in node.word and is_docstring(node):
            found = examples(atoms.unquoted(node.word) or "")
            if any(example.want for example in found):
                out.append(_test(_owner(node), node, found))
    return out


def _owner(node: Node) -> str:
    names: list[str] = []
    scope = scope_of(node)
    while scope is not None:
        name = scope.get("name")
        names.append(name.word if name is not None else "<lambda>")
        scope = scope_of(scope)
    return ".".join(reversed(names)) or "<module>"


def _test(name: str, node: Node, found: list[Example]) -> Test:
    asserts: list[Assertion] = []
    calls: list[str] = []
    literals: list[str] = []
    skipped = [example for example in found if "+SKIP" in example.code]
    for example in found:
        data = example.code.encode(errors="replace")
        light = grow(syntax.parse("python", data), data)
        page = Page("", "source", data, light)
        calls.extend(page.names.plain(call.get("function")) for call in light.index.get("call", ()))
        literals.extend(value for each in literals_of(light.root, page.values) for value in each.values)
        if example.want and example not in skipped:
            asserts.append(_assertion(example, page, node.line + example.line))
        light.fell()
    off = "# doctest: +SKIP" if skipped and not asserts else ""
    shown = [f">>> {' '.join(example.code.split())} {example.want}" for example in found]
    kinds = [one.kind for one in asserts]
    return Test(
        name,
        node.line,
        tuple(asserts),
        off,
        calls=tuple(call for call in calls if call),
        literals=tuple(dict.fromkeys([*literals, *(one for each in asserts for one in each.expected)])),
        digest=syntax.digest("doctest", *shown),
        frame=syntax.digest("doctest", *kinds),
    )


def _assertion(example: Example, page: Page, line: int) -> Assertion:
    found = side(page.light.root, place_in(page, None))
    shown = f">>> {' '.join(example.code.split())} → {example.want}"
    if example.want.startswith("Traceback"):
        error = example.want.rpartition(" ... ")[2] or example.want
        return Assertion(shown, line, "raises", found.subjects, found.literals, (error.partition(":")[0],))
    hollow = example.want == "..." and "ELLIPSIS" in example.code
    return Assertion(shown, line, "equal", found.subjects, found.literals, (_answer(example.want),), hollow)


def _answer(want: str) -> str:
    data = want.encode(errors="replace")
    light = grow(syntax.parse("python", data), data)
    page = Page("", "source", data, light)
    statements = light.root.kids
    value: object = UNKNOWN
    if len(statements) == 1 and statements[0].kind == "expression_statement" and len(statements[0].kids) == 1:
        value = page.values.of(statements[0].kids[0])
    light.fell()
    return canon(value) or atoms.quoted(want)
