"""Which lines of a source file hold code: not blank, not comment alone, not closing brackets alone.

For tools that tell ranges and not lines, and for files that no tool has measured. Where a text is broken,
more counts as code rather than less.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from donewhen.verify.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_GRAMMARS: Mapping[str, str] = MappingProxyType(
    {"python": "python", "javascript": "tsx", "go": "go", "java": "java", "rust": "rust"}
)
_SHUT = frozenset("{}()[];,")
_BLANK = b" \t\r\f\v"
_NO_CODE = ("comment", "hash_bang_line")


class Span(NamedTuple):
    """The code of one line, from its first character to behind its last one."""

    line: int
    start: int
    end: int


def code_lines(text: str, family: str) -> frozenset[int]:
    return frozenset(span.line for span in code_spans(text, family))


def code_spans(text: str, family: str) -> tuple[Span, ...]:
    """The lines with code, in order; every line that is not blank for a language that is not known."""
    lines = text.split("\n")
    found: dict[int, tuple[int, int, bool]] = {}  # by line: first and last column, whether more than brackets
    for line, first, last, real in _pieces(text, lines, _GRAMMARS.get(family, "")):
        start, end, was = found.get(line, (first, last, False))
        found[line] = min(start, first), max(end, last), was or real
    starts = [0]
    for each in lines:
        starts.append(starts[-1] + len(each) + 1)
    return tuple(
        Span(line + 1, starts[line] + first, starts[line] + last)
        for line, (first, last, real) in sorted(found.items())
        if real
    )


def _pieces(text: str, lines: list[str], grammar: str) -> Iterator[tuple[int, int, int, bool]]:
    """Every token, line by line, in characters from the start of its line."""
    if not grammar:
        yield from ((at, 0, len(line), True) for at, line in enumerate(lines) if line.strip())
        return
    columns: dict[int, Sequence[int]] = {}
    coded = [line.encode("utf-8", "replace") for line in lines]
    for node in _tokens(parse(grammar, b"\n".join(coded)).root_node):
        (first, start), (last, end) = node.start_point, node.end_point
        real = node.type not in _SHUT
        for at in range(first, min(last, len(coded) - 1) + 1):
            line = coded[at]
            left, right = start if at == first else 0, end if at == last else len(line)
            while left < right and line[left] in _BLANK:
                left += 1
            while right > left and line[right - 1] in _BLANK:
                right -= 1
            if left < right:
                column = columns.get(at) or columns.setdefault(at, _columns(line))
                yield at, column[left], column[right], real


def _columns(line: bytes) -> Sequence[int]:
    """By byte of a line: how many characters come before it."""
    if line.isascii():
        return range(len(line) + 1)
    return list(accumulate((each & 0xC0 != 0x80 for each in line), initial=0))


def _tokens(root: "Node") -> Iterator["Node"]:
    waiting = [root]
    while waiting:
        here = waiting.pop()
        if here.type.endswith(_NO_CODE) or _is_docstring(here):
            continue
        if here.child_count:
            waiting.extend(here.children)
        else:
            yield here


def _is_docstring(node: "Node") -> bool:
    """A string that is a statement of its own."""
    children = node.children if node.type == "expression_statement" else ()
    return len(children) == 1 and children[0].type == "string"
