"""Lists that a function knows by their length, and functions that work nothing out of what they are given.

`if len(words) == 3: return [words[0], words[2]]` is told as a sequence whose one key is the length; what is
compared without an answer of literals, as it is. Whether the exam has such a list is judged elsewhere.
"""

import re
from collections.abc import Sequence

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.python.outline import Function, scope_of
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import UNKNOWN, canon

_LEAST = 2  # positions; one is a first or a last element
_LEAST_NAMES = 3
_COUNT = re.compile(r"[2-9]|[1-9]\d")
_NUMBER = re.compile(r"-?\d{1,3}")
_IDLE = frozenset(("pass_statement", "raise_statement", "delete_statement"))


def shaped(arm: Node, condition: Node, block: Node, keys: tuple[str, ...], name: str) -> Branch:
    """The branch of a condition that answers with no literal."""
    counted = [key for key in keys if _COUNT.fullmatch(key)]
    if len(keys) == len(counted) == 1 and _is_length(condition) and _is_taken_apart(block):
        return Branch(arm.line, name, "sequence", keys)
    return Branch(arm.line, name, "compare", keys)


def _is_length(condition: Node) -> bool:
    calls = [node for node in _below(condition) if node.kind == "call"]
    return len(calls) == 1 and any(node.word == "len" for node in _below(calls[0]))


def _is_taken_apart(block: Node) -> bool:
    positions: set[str] = set()
    for node in _below(block):
        if node.kind == "subscript":
            key = node.get("subscript")
            text = "".join(each.word for each in _below(key)) if key is not None else ""
            positions.update([text] if _NUMBER.fullmatch(text) else ())
        elif (
            node.kind in ("pattern_list", "tuple_pattern", "list_pattern") and len(node.parts) >= _LEAST_NAMES
        ):
            return not any(part.kind in ("list_splat_pattern", "splat_pattern") for part in node.parts)
    return len(positions) > _LEAST


def matched(clause: Node, patterns: Sequence[Node], name: str) -> list[Branch]:
    """`case [(a, _), (_, b), last]`: a list of three."""
    if len(patterns) != 1:
        return []
    whole = next(
        (node for node in _below(patterns[0]) if node.kind in ("list_pattern", "tuple_pattern")), None
    )
    if (
        whole is None
        or len(whole.parts) < _LEAST_NAMES
        or any("splat" in node.kind for node in _below(whole))
    ):
        return []
    return [Branch(clause.line, name, "sequence", (str(len(whole.parts)),))]


def blind(function: Function, params: Sequence[str], place: Place) -> list[Branch]:
    """A function that names none of its parameters, and does something all the same."""
    statements = [kid for kid in function.body.kids if kid.kind != "comment"]
    idle = all(kid.kind in _IDLE or kid.kind == "expression_statement" for kid in statements)
    if not params or idle or function.decorators or function.name.startswith("__"):
        return []
    if any(node.word in params or node.word in ("locals", "super") for node in _below(function.body)):
        return []
    return [Branch(function.node.line, function.qual, "compare", ())]


def fixed(function: Function, params: Sequence[str], place: Place) -> list[Branch]:
    """A function that returns literals alone, one or another."""
    returned = [
        node
        for node in _below(function.body)
        if node.kind == "return_statement" and scope_of(node) is function.node
    ]
    if not params or not returned or any(node.kind == "yield" for node in _below(function.body)):
        return []
    found: dict[str, None] = {}
    waiting = [node.parts[0] for node in returned if node.parts]
    while waiting:
        here = waiting.pop()
        local = here.kind == "identifier" and not here.word.isupper()  # may have been added to since
        known = UNKNOWN if local else place.value(here)
        shown = canon(known) if known is not UNKNOWN else None
        if shown is not None:
            found[shown] = None
        elif here.kind == "conditional_expression" and len(here.parts) == 3:
            waiting += [here.parts[0], here.parts[2]]
        elif here.kind == "parenthesized_expression" and here.parts:
            waiting.append(here.parts[0])
        else:
            return []
    return [Branch(function.node.line, function.qual, "sequence", ("*",), tuple(found))] if found else []


def _below(node: Node) -> list[Node]:
    found: list[Node] = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting.extend(reversed(here.kids))
    return found
