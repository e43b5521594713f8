"""Markers of Python tests: `@donewhen.scenario("ID")`, `@pytest.mark.scenario("ID")`, `pytestmark = …`.

Only literal ids count: what a program would have to work out is not read from a tree.
"""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from donewhen.verify.scenarios.comments import split_ids
from donewhen.verify.syntax import text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 4000
_STRINGS = ("string", "concatenated_string")


class Marker(NamedTuple):
    """Scenarios for every test that begins between two lines."""

    ids: tuple[str, ...]
    line: int
    first: int
    last: int


def markers(root: "Node") -> Iterator[Marker]:
    for node in walk(root):
        if node.type != "call":
            continue
        function = node.child_by_field_name("function")
        if function is None or text(function).rpartition(".")[2] != "scenario":
            continue
        place = _place(node)
        ids = tuple(_ids(node.child_by_field_name("arguments")))
        if place is not None and ids:
            yield Marker(ids, node.start_point[0] + 1, place.start_point[0] + 1, place.end_point[0] + 1)


def _place(call: "Node") -> "Node | None":
    """What the marker is for: the decorated function or class, or what a `pytestmark` stands in."""
    here = call.parent
    while here is not None:
        if here.type == "decorator":
            return here.parent
        left = here.child_by_field_name("left") if here.type == "assignment" else None
        if left is not None:
            return _around(here) if text(left) == "pytestmark" else None
        if here.type in ("block", "module", "function_definition"):
            return None
        here = here.parent
    return None


def _around(node: "Node") -> "Node | None":
    here = node.parent
    while here is not None and here.type not in ("class_definition", "module", "function_definition"):
        here = here.parent
    return None if here is None or here.type == "function_definition" else here


def _ids(arguments: "Node | None") -> Iterator[str]:
    for node in arguments.named_children if arguments is not None else ():
        written = text(node)
        if node.type in _STRINGS and len(written) <= _LONGEST:
            try:
                value = ast.literal_eval(written)
            except (ValueError, SyntaxError):
                continue  # an f-string, or no string after all
            if isinstance(value, str):
                yield from split_ids(value)
