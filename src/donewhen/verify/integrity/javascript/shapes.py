"""Lists that a function knows by their length, and functions that return literals alone.

Whether the exam has such a list is judged elsewhere.
"""

import re
from collections.abc import Iterator

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.javascript.inputs import Inputs
from donewhen.verify.integrity.javascript.node import FUNCTIONS, Node, bare, body, enclosing, parameters, walk
from donewhen.verify.integrity.javascript.owners import Owners
from donewhen.verify.integrity.javascript.tree import Script

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


def fixed(script: Script, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    """Functions that return one literal or another, and nothing that is worked out."""
    for kind in FUNCTIONS:
        for function in script.kinds.get(kind, ()):
            name = owners.called(function)
            found = _returned(function, inputs) if name and parameters(function) else ()
            if found:
                yield Branch(function.line, name, "sequence", ("*",), found)


def _returned(function: Node, inputs: Inputs) -> tuple[str, ...]:
    whole = body(function)
    returns = [
        node for node in walk(whole) if node.type == "return_statement" and enclosing(node) is function
    ]
    waiting = [node.kids[0] for node in returns if node.kids] if whole.type == "statement_block" else [whole]
    found: dict[str, None] = {}
    while waiting:
        here = bare(waiting.pop())
        value = inputs.literal(here)
        if value is not None:
            found[value] = None
        elif here.type == "ternary_expression" and len(here.kids) > 2:
            waiting += [here.kids[1], here.kids[-1]]
        else:
            return ()
    return tuple(found)
