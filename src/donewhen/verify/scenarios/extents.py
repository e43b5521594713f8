"""Where the tests of a file begin and end, so that a comment or a marker can be told to be theirs.

Which functions are tests is said by integrity's readers; here only their places are found again in the tree.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.integrity.model import Sheet, Test

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINING = frozenset(("function_definition", "function_declaration", "method_declaration", "function_item"))
_CALLING = frozenset(("call_expression",))
_FUNCTIONS = frozenset(
    ("arrow_function", "function_expression", "function", "func_literal", "generator_function")
)


class Extent(NamedTuple):
    """Lines of one test, from 1, with what is attached above it: decorators, attributes, annotations."""

    test: Test
    first: int
    last: int
    column: int

    def holds(self, line: int) -> bool:
        return self.first <= line <= self.last


class _Spot(NamedTuple):
    """Something in the tree that may be a test."""

    title: str
    first: int
    body: int
    last: int
    column: int


def extents(root: "Node", sheet: Sheet) -> tuple[Extent, ...]:
    """One for each test of the sheet, in its order."""
    by_line: dict[int, list[_Spot]] = {}
    for spot in _spots(root):
        for line in range(spot.first, min(spot.body, spot.first + 200) + 1):
            by_line.setdefault(line, []).append(spot)
    found = ((test, _chosen(test, by_line.get(test.line, ()))) for test in sheet.tests)
    return tuple(Extent(test, spot.first, spot.last, spot.column) for test, spot in found)


def _chosen(test: Test, spots: Iterable[_Spot]) -> _Spot:
    """The one that has the test's name, the innermost of them; else the outermost that begins there.

    A test whose function is written elsewhere has but the line where it is declared.
    """
    here = sorted(spots, key=lambda spot: spot.last - spot.first)
    named = [spot for spot in here if spot.title and test.name.endswith(spot.title)]
    begun = [spot for spot in here if spot.first == test.line or spot.body == test.line]
    alone = _Spot("", test.line, test.line, test.line, 0)
    return (*named, *begun[::-1], *here, alone)[0]


def _spots(root: "Node") -> Iterator[_Spot]:
    """All, each with the row where what is attached to it begins. Nodes are never asked for their parents or
    neighbours: in a long file each such question goes through all of it."""
    waiting = [(root, 0)]
    while waiting:
        node, first = waiting.pop()
        if node.type in _DEFINING:
            body = node.child_by_field_name("body")
            yield _spot(node, first, body or node, node.child_by_field_name("name"))
        elif node.type in _CALLING:
            yield from _call(node, first)
        waiting.extend(_kids(node, first))


def _kids(node: "Node", first: int) -> list[tuple["Node", int]]:
    found: list[tuple[Node, int]] = []
    attached: int | None = first if node.type == "decorated_definition" else None
    for kid in node.children:
        begins = attached if attached is not None else kid.start_point[0]
        found.append((kid, begins))
        if kid.type == "attribute_item":
            attached = begins
        elif "comment" not in kid.type and node.type != "decorated_definition":
            attached = None
    return found


def _call(node: "Node", first: int) -> Iterator[_Spot]:
    """`it("title", () => …)`, `t.Run("title", func…)`: a call that is given a function."""
    listed = node.child_by_field_name("arguments")
    given = [kid for kid in listed.named_children if "comment" not in kid.type] if listed is not None else []
    function = next((kid for kid in given if kid.type in _FUNCTIONS), None)
    if function is not None:
        yield _spot(node, first, function.child_by_field_name("body") or function, given[0])


def _spot(node: "Node", first: int, body: "Node", named: "Node | None") -> _Spot:
    row, column = node.start_point
    return _Spot(_title(named), first + 1, max(row, body.start_point[0]) + 1, node.end_point[0] + 1, column)


def _title(node: "Node | None") -> str:
    """The name of a function, or the title that a call gives, as the readers have it."""
    if node is None:
        return ""
    text = (node.text or b"").decode(errors="replace")
    if node.type in ("interpreted_string_literal", "raw_string_literal"):
        return text[1:-1].replace(" ", "_")
    return text[1:-1] if text[:1] in "\"'`" else text
