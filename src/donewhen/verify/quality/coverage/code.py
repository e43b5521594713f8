"""Which lines of a source file hold code: not blank, not comment alone, not closing brackets alone.

A look at the words only, for tools that tell ranges and not lines, and for files that no tool has measured.
It is linear in the text and never fails; where a text is broken, more counts as code rather than less.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.lazy import portable

_QUOTED = r"\"(?:[^\"\\\n]|\\(?s:.))*+\"?|'(?:[^'\\\n]|\\(?s:.))*+'?"
_FIRST = r"(?P<first>\A\#![^\n]*+)"
_BLOCKS = r"(?P<comment>//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))"
_REST = r"(?P<end>\n)|(?P<space>[^\S\n]++)|(?P<shut>[{}()\[\];,]++)|(?P<other>[^\s/'\"`#{}()\[\];,]++|.)"
_TEMPLATE = r"`(?:[^`\\]|\\(?s:.))*+(?:`|\\?\Z)"
_TRIPLE = r"\"\"\"(?s:.*?)(?:\"\"\"|\Z)"
_TRIPLES = rf"{_TRIPLE}|'''(?s:.*?)(?:'''|\Z)"
_LITERAL = r"(?P<literal>/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,400}+/)"
_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "python": rf"(?P<comment>#[^\n]*+)|(?P<string>{_TRIPLES}|{_QUOTED})|{_REST}",
        "javascript": rf"{_FIRST}|{_BLOCKS}|{_LITERAL}|(?P<string>{_TEMPLATE}|{_QUOTED})|{_REST}",
        "go": rf"{_BLOCKS}|(?P<string>`[^`]*+(?:`|\Z)|{_QUOTED})|{_REST}",
        "java": rf"{_BLOCKS}|(?P<string>{_TRIPLE}|{_QUOTED})|{_REST}",
        "rust": rf"{_BLOCKS}|(?P<string>\"(?:[^\"\\]|\\(?s:.))*+(?:\"|\\?\Z)|'(?:[^'\\\n]|\\.)')|{_REST}",
    }
)
_BEFORE_LITERAL = "(,=:[!&|?{};+-*%~^<>"  # a slash after anything else divides
_WORDS_BEFORE_LITERAL = ("return", "typeof", "case", "in", "of", "do", "else", "void", "await", "yield")
_END_OF_LINE = re.compile(r"[ \t\r]{0,200}(?:#|\n|\Z)")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Span(NamedTuple):
    """The code of one line, from its first character to behind its last one."""

    line: int
    start: int
    end: int


def in_units(text: str) -> str:
    """The text with as many characters as JavaScript counts in it: those beyond the first plane are two."""
    return _ASTRAL.sub("xx", text)


def code_lines(text: str, family: str) -> frozenset[int]:
    return frozenset(span.line for span in code_spans(text, family))


def code_spans(text: str, family: str) -> tuple[Span, ...]:
    """The lines with code, in order; every line that is not blank for a language that is not known."""
    form = _FORMS.get(family)
    reader = _Reader(text)
    if form is None:
        for found in re.finditer(r"\S[^\n]*", text):
            reader.code(found.start(), found.end())
        return reader.spans()
    pattern = re.compile(portable(form))
    at = 0
    while at < len(text):
        token = pattern.match(text, at)
        kind, end = (token.lastgroup or "other", token.end()) if token else ("other", at + 1)
        if kind == "literal" and not reader.may_start_literal(at):
            kind, end = "other", at + 1
        reader.take(kind, at, end, is_python=family == "python")
        at = end
    return reader.spans()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.line, self.counted = 1, 0  # the number of the line at the position `counted`
        self.found: dict[int, tuple[int, int]] = {}
        self.real: set[int] = set()  # lines with more than closing brackets
        self.last = -1  # where the last code ended
        self.depth = 0

    def take(self, kind: str, start: int, end: int, *, is_python: bool) -> None:
        if kind in ("first", "comment", "end", "space"):
            return
        if kind == "string" and is_python and self._stands_alone(start, end):
            return
        if kind == "shut":
            word = self.text[start:end]
            self.depth += sum(word.count(each) for each in "([{") - sum(word.count(each) for each in ")]}")
        self.code(start, end, real=kind != "shut")

    def code(self, start: int, end: int, *, real: bool = True) -> None:
        at = start
        while at < end:
            stop = self.text.find("\n", at, end)
            stop = end if stop < 0 else stop
            if stop > at:
                line = self._line(at)
                first, _ = self.found.get(line, (at, at))
                self.found[line] = first, stop
                if real:
                    self.real.add(line)
            at = stop + 1
        self.last = end

    def _line(self, at: int) -> int:
        self.line += self.text.count("\n", self.counted, at)
        self.counted = at
        return self.line

    def may_start_literal(self, at: int) -> bool:
        before = self.text[max(0, self.last - 12) : self.last] if self.last > 0 else ""
        return not before or before[-1] in _BEFORE_LITERAL or before.endswith(_WORDS_BEFORE_LITERAL)

    def _stands_alone(self, start: int, end: int) -> bool:
        """Whether a string is a statement of its own, such as a docstring."""
        alone = self.depth <= 0 and self._line(start) not in self.found
        return alone and _END_OF_LINE.match(self.text, end) is not None

    def spans(self) -> tuple[Span, ...]:
        return tuple(Span(line, *self.found[line]) for line in sorted(self.real))
