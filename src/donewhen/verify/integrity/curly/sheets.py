"""From what was gathered of a file to its sheet: tests, literals, troubles. Nothing odd is left out."""

import re
from bisect import bisect_left
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, Test, Trouble
from donewhen.core.texts import Phrase
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import canonical
from donewhen.verify.integrity.curly.paths import dotted
from donewhen.verify.integrity.curly.telling import Reading

_SCALARS = ("number", "string", "true", "false", "null", "unary")
_LISTS = ("list", "composite", "literal_value", "call")


_RUNNERS = re.compile(r"(t|tb|assert|require)\.[A-Z]|assertThat\(\)")


class Values:
    """All literals and calls of a file by where they stand."""

    def __init__(self, grove: Grove, makers: frozenset[str]) -> None:
        found: list[tuple[int, str]] = []
        inner = {id(twig.kids[-1]) for twig in grove.kinds.get("composite", ()) if twig.kids}
        inner |= {id(twig.kids[-1]) for twig in grove.kinds.get("unary", ()) if _negative(twig)}
        for kind in (*_SCALARS, *_LISTS):
            for twig in grove.kinds.get(kind, ()):
                written = canonical(twig, makers) if id(twig) not in inner else None
                if written is not None and _counts(twig, written):
                    found.append((twig.node.start_byte, written))
        found.sort()
        self.cut: list[int] = []  # lines of tests that are too large to be told to the end
        self._starts = [start for start, _ in found]
        self._written = [written for _, written in found]
        called = grove.kinds.get("call", [])
        self._calls = sorted((twig.node.start_byte, -twig.node.end_byte, dotted(twig)) for twig in called)

    def calls(self, start: int, end: int) -> tuple[str, ...]:
        """Names that are called between two places, in order."""
        first, last = bisect_left(self._calls, (start,)), bisect_left(self._calls, (end,))
        names = (name for _, _, name in self._calls[first:last] if name)
        return tuple(dict.fromkeys(name for name in names if not _RUNNERS.match(name)))

    def between(self, start: int, end: int) -> tuple[str, ...]:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return tuple(self._written[first:last])

    def all(self) -> frozenset[str]:
        return frozenset(self._written)


def _counts(twig: Twig, written: str) -> bool:
    """What only dresses another literal is not counted twice."""
    if twig.kind == "unary":
        return _negative(twig)
    return twig.kind != "call" or written[:1] in "[{"


def _negative(twig: Twig) -> bool:
    return bool(twig.kids) and twig.kids[-1].kind == "number" and twig.operator() == "-"


class Outer(NamedTuple):
    """What holds for a test from outside its body: a class, a file, an annotation."""

    disabled: str = ""
    conditional: bool = False
    swallows: str = ""
    asserts: tuple[Assertion, ...] = ()
    cases: int | None = None
    literals: tuple[str, ...] = ()


def tested(
    grove: Grove,
    values: Values,
    name: str,
    twig: Twig,
    reading: Reading,
    outer: Outer,
    start: int,
    label: Twig | None,
) -> Test:
    """One test; `start`: where its text begins, annotations included; `label`: its own name."""
    disabled, conditional = outer.disabled, outer.conditional
    for text, sometimes in reading.skips:
        if not disabled or (conditional and not sometimes):
            disabled, conditional = text, sometimes
    if reading.cut:
        values.cut.append(twig.line)
    end = twig.node.end_byte
    digest, frame = grove.words(start, end, label)
    return Test(
        name,
        twig.line,
        (*outer.asserts, *reading.asserts),
        disabled,
        bool(disabled) and conditional,
        "",
        outer.swallows or reading.swallows,
        values.calls(start, end),
        (*values.between(start, end), *outer.literals),
        reading.cases if outer.cases is None else outer.cases,
        digest,
        frame,
    )


def troubles(grove: Grove, values: Values, data: bytes, language: str) -> tuple[Trouble, ...]:
    """Where the tree was guessed, a test is endless, or the bytes are no text."""
    found = [
        Trouble(line, Phrase("integrity.syntax", {"line": line, "language": language}))
        for line in syntax.errors(grove.tree)[:20]
    ]
    found += [Trouble(line, Phrase("integrity.too_deep")) for line in values.cut]
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found.append(Trouble(line, Phrase("integrity.encoding", {"encoding": "UTF-8"})))
    return tuple(found)


def whole_digest(grove: Grove, remarks: list[str]) -> str:
    """Of the file: its tokens and those comments that mean something."""
    return syntax.digest(*grove.tokens, "//", *remarks)
