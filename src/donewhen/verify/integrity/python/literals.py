"""The literals of a file in the order of the text, looked for once: those of a node are a slice of them."""

from bisect import bisect_left
from typing import NamedTuple

from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import MAY_BE_LITERAL, UNKNOWN, Values


class Literal(NamedTuple):
    node: Node
    values: list[str]  # a container's own and those in it; none of a docstring


def literals_of(node: Node, values: Values, skip: frozenset[Node] = frozenset()) -> list[Literal]:
    """The outermost ones at and below a node; what stands directly in a node of `skip` says nothing."""
    out: list[Literal] = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.kind in MAY_BE_LITERAL and values.of(here) is not UNKNOWN:
            out.append(Literal(here, values.flat(here) if here.parent not in skip else []))
        elif here.kids:
            waiting.extend([kid for kid in reversed(here.kids) if kid.parent is not None])
    return out


def between(found: list[Literal], node: Node) -> list[Literal] | None:
    """Those of `found` at and below a node; None where the node is part of one itself."""
    first = bisect_left(found, node.at, key=_at)
    if first and found[first - 1].node.end > node.at:
        return None
    return found[first : bisect_left(found, node.end, lo=first, key=_at)]


def _at(literal: Literal) -> int:
    return literal.node.at
