"""Lists that a function knows by their length: `if (list.length === 3) return [list[0], list[2]];`.

Whether the exam has such a list is judged elsewhere.
"""

import re

from donewhen.verify.integrity.javascript.node import Node, walk

_LEAST = 2  # positions; fewer are a first and a last element
_COUNT = re.compile(r"[2-9]|[1-9]\d")


def shaped(branch: Node, keys: tuple[str, ...]) -> bool:
    """Whether the condition asks for a length, and what follows takes fixed positions."""
    if len(keys) != 1 or not _COUNT.fullmatch(keys[0]):
        return False
    if not any(node.text == "length" for node in walk(branch.kids[0])):
        return False
    positions = set()
    for node in walk(branch.kids[1]):
        if node.type == "subscript_expression" and node.kids[-1].value is not None:
            positions.add(node.kids[-1].value)
        elif node.type == "array_pattern" and len(node.kids) > _LEAST:
            return not any("rest" in kid.type for kid in node.kids)
    return len(positions) > _LEAST
