"""Literal values of expressions: constants, containers of constants, names bound once to them.

Nothing is run. What is not certain has no value (`UNKNOWN`). Sums and products of constants are worked out
only as long as they stay small.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.bindings import Bindings
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.tree import Light, Node

_FEW = 400  # elements of a container that is still compared as one value
_HEAVY = 4000  # steps: lists of names of lists could grow without end
_SHORT = 1000  # characters of a text that is worked out
_BIG = 10**12
_MANY_STEPS = 6  # names behind names
_CONTAINERS = frozenset(("list", "tuple", "set", "expression_list"))
_ATOMS = frozenset(("string", "integer", "float", "true", "false", "none"))
_WRAPPERS = frozenset(("Decimal", "Fraction", "Path", "PurePath", "PurePosixPath", "UUID", "str", "bytes"))
_DATED = frozenset(("date", "datetime", "time", "timedelta"))
_LISTED = frozenset(("list", "tuple", "set", "frozenset"))
_WORDS: dict[str, object] = {"true": True, "false": False, "none": None}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


class Unknown:
    """No value that could be told from the text."""


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map; keys need not be hashable here. No tuple, so that nobody takes it for a sequence."""

    items: tuple[tuple[object, object], ...]


class Values:
    """Values in one file. `scopes` are the names that hold at a place, the innermost first."""

    def __init__(self, light: Light) -> None:
        self._known: dict[tuple[int, ...], tuple[object, int]] = {}
        self._flat: dict[int, list[str]] = {}
        self._weight = 0
        self._light = light
        self._bound: dict[int, Bindings] = {}

    def bindings(self, scope: Node) -> Bindings:
        if scope.at not in self._bound:
            self._bound[scope.at] = Bindings.of_scope(self._light, scope)
        return self._bound[scope.at]

    def of(self, node: Node, scopes: tuple[Bindings, ...] = (), steps: int = 0) -> object:
        key = (node.at, id(scopes[0]), id(scopes[-1])) if scopes else (node.at,)
        known = self._known.get(key)
        if known is not None:
            self._weight += known[1]
            return known[0]
        before = self._weight
        self._weight += 1
        value = self._of(node, scopes, steps)
        weight = self._weight - before
        if weight > _HEAVY:
            value = UNKNOWN
        self._known[key] = (value, weight)
        return value

    def flat(self, node: Node) -> list[str]:
        """What `flat` says of its value, wherever it stands; not to be changed."""
        known = self._flat.get(node.at)
        if known is None:
            known = self._flat[node.at] = flat(self.of(node))
        return known

    def behind(self, name: str, scopes: tuple[Bindings, ...]) -> Node | None:
        """The expression that a name is bound to, if it is bound once."""
        for scope in scopes:
            if name in scope.values:
                return scope.values[name]
        return None

    def _of(self, node: Node, scopes: tuple[Bindings, ...], steps: int) -> object:
        kind = node.kind
        if kind in _ATOMS:
            return atom(node)
        if kind == "identifier":
            bound = self.behind(node.word, scopes) if steps < _MANY_STEPS else None
            return self.of(bound, scopes, steps + 1) if bound is not None else UNKNOWN
        if kind in _CONTAINERS:
            return self._sequence(node.parts, scopes, steps)
        made = _MAKERS.get(kind)
        return made(self, node, scopes, steps) if made is not None else UNKNOWN

    def _sequence(self, parts: list[Node], scopes: tuple[Bindings, ...], steps: int) -> object:
        if len(parts) > _FEW:
            return UNKNOWN
        values = [self.of(part, scopes, steps) for part in parts]
        return UNKNOWN if any(value is UNKNOWN for value in values) else tuple(values)

    def _map(self, node: Node, scopes: tuple[Bindings, ...], steps: int) -> object:
        pairs: list[tuple[object, object]] = []
        for part in node.parts:
            key, value = part.get("key"), part.get("value")
            if key is None or value is None or len(pairs) > _FEW:
                return UNKNOWN
            both = self.of(key, scopes, steps), self.of(value, scopes, steps)
            if UNKNOWN in (both[0], both[1]):
                return UNKNOWN
            pairs.append(both)
        return Pairs(tuple(pairs))

    def _bracketed(self, node: Node, scopes: tuple[Bindings, ...], steps: int) -> object:
        return self.of(node.kids[1], scopes, steps) if len(node.kids) == 3 else UNKNOWN

    def _signed(self, node: Node, scopes: tuple[Bindings, ...], steps: int) -> object:
        argument = node.get("argument")
        value = self.of(argument, scopes, steps) if argument is not None else UNKNOWN
        if not isinstance(value, int | float) or isinstance(value, bool):
            return UNKNOWN
        return -value if node.kids[0].word == "-" else value if node.kids[0].word == "+" else UNKNOWN

    def _worked_out(self, node: Node, scopes: tuple[Bindings, ...], steps: int) -> object:
        left, right = node.get("left"), node.get("right")
        if left is None or right is None or len(node.kids) != 3:
            return UNKNOWN
        return _combined(self.of(left, scopes, steps), node.kids[1].word, self.of(right, scopes, steps))

    def _called(self, node: Node, scopes: tuple[Bindings, ...], steps: int) -> object:
        function = node.get("function")
        if function is None or function.kind not in ("identifier", "attribute"):
            return UNKNOWN
        last = function.word or function.kids[-1].word
        given = arguments(node)
        named = keywords(node)
        if last == "dict" and not given:
            values = [(name, self.of(value, scopes, steps)) for name, value in named.items()]
            return UNKNOWN if any(value is UNKNOWN for _, value in values) else Pairs(tuple(values))
        if named or len(given) > 7:
            return UNKNOWN
        if last in _DATED and given:
            return self._sequence(given, scopes, steps)
        return self._wrapped(last, given, scopes, steps)

    def _wrapped(self, last: str, given: list[Node], scopes: tuple[Bindings, ...], steps: int) -> object:
        if last in _LISTED and not given:
            return ()
        if len(given) != 1 or (last not in _LISTED and last not in _WRAPPERS):
            return UNKNOWN
        value = self.of(given[0], scopes, steps)
        if last in _WRAPPERS:
            return value
        if isinstance(value, str):
            return tuple(value[:_FEW])
        return value if isinstance(value, tuple) else UNKNOWN


_MAKERS: dict[str, Callable[[Values, Node, tuple[Bindings, ...], int], object]] = {
    "dictionary": Values._map,
    "parenthesized_expression": Values._bracketed,
    "unary_operator": Values._signed,
    "binary_operator": Values._worked_out,
    "call": Values._called,
}

MAY_BE_LITERAL = _ATOMS | _CONTAINERS | _MAKERS.keys()


def atom(node: Node) -> object:
    if node.kind == "string":
        if node.kids:
            return UNKNOWN
        value = atoms.unquoted(node.word)
        return UNKNOWN if value is None else value
    if node.kind in _WORDS:
        return _WORDS[node.kind]
    shown = atoms.number(node.word)
    try:
        return int(shown)
    except ValueError:
        pass
    try:
        return float(shown)
    except ValueError:
        return UNKNOWN


def _combined(left: object, sign: str, right: object) -> object:
    if isinstance(left, str) and isinstance(right, str):
        return left + right if sign == "+" and len(left) + len(right) < _SHORT else UNKNOWN
    if isinstance(left, str) and isinstance(right, int):
        return left * right if sign == "*" and len(left) * max(right, 0) < _SHORT else UNKNOWN
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left + right if sign == "+" and len(left) + len(right) < _FEW else UNKNOWN
    small = all(isinstance(side, int | float) and abs(side) < _BIG for side in (left, right))
    if not small or sign not in _ARITHMETIC or (right == 0 and sign in "//%"):
        return UNKNOWN
    return _ARITHMETIC[sign](left, right)  # type: ignore[arg-type]


def canon(value: object) -> str | None:
    """The value in the form that all languages share; None where there is none."""
    if isinstance(value, str):
        return atoms.quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**60 else hex(value)
    if isinstance(value, float):
        return atoms.number(repr(value)) if value >= 0 else "-" + atoms.number(repr(-value))
    if isinstance(value, Pairs):
        return "{" + ", ".join(f"{canon(key)}: {canon(held)}" for key, held in value.items) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(canon(held) or "" for held in value) + "]"
    return None


def flat(value: object) -> list[str]:
    """The value and, of a container, everything in it: each in the shared form."""
    shown = canon(value)
    out = [shown] if shown is not None and len(shown) <= _SHORT else []
    if isinstance(value, Pairs):
        return out + [each for pair in value.items for held in pair for each in flat(held)]
    if isinstance(value, tuple):
        return out + [each for held in value for each in flat(held)]
    return out
