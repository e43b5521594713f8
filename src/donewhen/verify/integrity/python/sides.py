"""What stands on one side of an assertion: what is called or read there, and which literals go into it.

Local names are followed to what they were bound to; names with several values (parameters, loop variables)
give all of them.
"""

from typing import NamedTuple

from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import UNKNOWN, canon, flat

_PLAIN_CALLS = frozenset(
    "abs all any approx bool bytes Counter date datetime Decimal deepcopy dict enumerate filter float "
    "Fraction frozenset int isinstance iter len list map max min next Path range repr reversed round set "
    "sorted str sum timedelta tuple type vars zip dumps loads isclose match search fullmatch".split()
)  # they shape a value; what is tested stands inside them
_DEEPEST = 5  # names behind names
_CODE = frozenset(("string", "integer", "float", "true", "false", "none", "ellipsis", "deep"))


class Side(NamedTuple):
    subjects: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()  # with the elements of containers
    whole: tuple[str, ...] = ()  # of a side that is one literal: that; else all of them

    @property
    def constant(self) -> bool:
        return not self.subjects


class _Found(NamedTuple):
    subjects: list[str]
    literals: list[str]
    seen: set[str]  # names that were followed already


def side(node: Node, place: Place) -> Side:
    found = _Found([], [], set())
    _gather(node, place, found, 0)
    return Side(
        tuple(dict.fromkeys(found.subjects)), tuple(found.literals), _whole(node, place, found.literals)
    )


def _whole(node: Node, place: Place, literals: list[str]) -> tuple[str, ...]:
    if node.kind == "identifier" and node.word in place.rows:
        shown = (canon(place.value(row)) for row in place.rows[node.word])
        return tuple(one for one in shown if one is not None)
    value = place.value(node)
    if value is UNKNOWN:
        return tuple(literals)
    one = canon(value)
    return (one,) if one is not None else ()


def _gather(node: Node, place: Place, found: _Found, depth: int) -> None:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.kind == "identifier":
            _name(here, place, found, depth)
            continue
        if place.page.values.of(here) is not UNKNOWN:
            found.literals.extend(place.page.values.flat(here))
        elif here.kind == "call":
            waiting.extend(reversed(_call(here, place, found.subjects)))
        elif here.kind == "attribute":
            waiting.extend(_attribute(here, place, found.subjects))
        elif here.kind == "keyword_argument":
            waiting.extend(kid for kid in (here.get("value"),) if kid is not None)
        elif here.kind not in _CODE and here.kind != "lambda_parameters":
            waiting.extend(reversed(here.parts))


def _name(node: Node, place: Place, found: _Found, depth: int) -> None:
    if node.word in place.rows:
        _rows(node.word, place, found, depth)
        return
    bound = place.bound(node.word)
    if bound is not None and depth < _DEEPEST:
        if node.word not in found.seen:
            found.seen.add(node.word)
            _gather(bound, place, found, depth + 1)
    elif node.word not in ("self", "cls") and node.word not in _PLAIN_CALLS:
        found.subjects.append(place.page.names.plain(node))


def _rows(name: str, place: Place, found: _Found, depth: int) -> None:
    for row in place.rows[name] if name not in found.seen else ():
        value = place.value(row)
        if value is not UNKNOWN:
            found.literals.extend(flat(value))
        elif depth < _DEEPEST:
            found.seen.add(name)
            _gather(row, place, found, depth + 1)


def _call(node: Node, place: Place, subjects: list[str]) -> list[Node]:
    """Notes what is called; gives what is still to be looked at."""
    function = node.get("function")
    if function is None:
        return node.parts
    name = place.page.names.plain(function)
    last = name.rpartition(".")[2]
    if name and last not in _PLAIN_CALLS:
        subjects.append(name)
    given = node.get("arguments")
    rest = given.parts if given is not None else []
    if function.kind == "attribute":
        home = function.get("object")
        return ([home] if home is not None and _worth(home, place) else []) + rest
    return ([function] if function.kind != "identifier" else []) + rest


def _attribute(node: Node, place: Place, subjects: list[str]) -> list[Node]:
    name = place.page.names.plain(node)
    home = node.get("object")
    if name:
        subjects.append(name)
    return [home] if home is not None and _worth(home, place) else []


def _worth(home: Node, place: Place) -> bool:
    """Whether what stands before the dot says more than its name."""
    if home.kind == "identifier":
        return home.word in place.rows or place.bound(home.word) is not None
    return home.kind != "attribute" or bool(arguments(home))
