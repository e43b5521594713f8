"""Tables that are walked by order: `if grams <= limit`, `while n >= value`, `bisect(LIMITS, grams)`.

Such a table answers for every input, so its limits are no keys. Several orders may leave room for one value
only and are not taken for steps.
"""

from collections.abc import Sequence

from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import operands

_ORDERS = ("<", "<=", ">", ">=")
_BISECTING = ("bisect", "bisect_left", "bisect_right")


def is_walked(comparisons: Sequence[Node]) -> bool:
    """Whether the rows are held against what was asked by a single order; two may make an equality."""
    sides = [operands(each) for each in comparisons]
    return len(sides) == 1 and sides[0] is not None and sides[0][1] in _ORDERS


def is_stepped(key: Node, place: Place) -> bool:
    """Whether the place in a list comes from a search by order."""
    bound = place.bound(key.word) if key.kind == "identifier" else None
    found = [bound or key, *(bound or key).parts]
    return any(
        node.kind == "call"
        and place.page.names.called(node).rpartition(".")[2] in _BISECTING
        and bool(arguments(node))
        for node in found
    )
