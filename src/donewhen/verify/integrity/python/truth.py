"""Whether a condition always holds, never holds, or depends: what makes an assertion hollow or a branch dead.

Says True or False only where nothing that the program does could make it otherwise.
"""

import operator
from collections.abc import Callable

from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import UNKNOWN, Pairs

_OPERATORS: dict[str, Callable[[object, object], object]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,  # type: ignore[dict-item]
    "<=": operator.le,  # type: ignore[dict-item]
    ">": operator.gt,  # type: ignore[dict-item]
    ">=": operator.ge,  # type: ignore[dict-item]
    "is": operator.eq,
    "is not": operator.ne,
    "in": lambda left, right: operator.contains(right, left),  # type: ignore[arg-type]
    "not in": lambda left, right: not operator.contains(right, left),  # type: ignore[arg-type]
}
MIRRORED = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "==": "==",
    "!=": "!=",
    "is": "is",
    "is not": "is not",
}
_OLDEST = (3, 8)  # Python versions before it are gone: comparisons with them are settled
_FILLED = frozenset(("list", "tuple", "set", "dictionary"))
_NAMED: dict[str, bool] = {
    "typing.TYPE_CHECKING": False, "TYPE_CHECKING": False, "__debug__": True, "NotImplemented": True,
}  # fmt: skip


def truth(node: Node | None, place: Place) -> bool | None:
    """True: always holds. False: never. None: depends."""
    if node is None:
        return None
    decide = _DECIDERS.get(node.kind)
    if decide is not None:
        return decide(node, place)
    value = place.fixed(node)
    return None if value is UNKNOWN else bool(value.items if isinstance(value, Pairs) else value)


def _bracketed(node: Node, place: Place) -> bool | None:
    return truth(node.kids[1], place) if len(node.kids) == 3 else None


def _negated(node: Node, place: Place) -> bool | None:
    inner = truth(node.get("argument"), place)
    return None if inner is None else not inner


def _combined(node: Node, place: Place) -> bool | None:
    left, right = node.get("left"), node.get("right")
    both = (truth(left, place), truth(right, place))
    if node.kids[1].word == "and":
        return False if False in both else True if both == (True, True) else None
    if True in both or (left is not None and right is not None and _opposite(left, right)):
        return True
    return False if both == (False, False) else None


def _opposite(left: Node, right: Node) -> bool:
    """`x or not x`, `a == b or a != b`."""
    for one, other in ((left, right), (right, left)):
        inner = other.get("argument") if other.kind == "not_operator" else None
        if inner is not None and normal(inner).strip("()") == normal(one).strip("()"):
            return True
    if left.kind != "comparison_operator" or right.kind != "comparison_operator":
        return False
    first, second = operands(left), operands(right)
    if first is None or second is None or {first[1], second[1]} not in _OPPOSITES:
        return False
    return normal(first[0]) == normal(second[0]) and normal(first[2]) == normal(second[2])


_OPPOSITES = ({"==", "!="}, {"is", "is not"}, {"in", "not in"}, {"<", ">="}, {">", "<="})


def operands(node: Node) -> tuple[Node, str, Node] | None:
    """Of a comparison with one operator."""
    if len(node.kids) == 3:
        return node.kids[0], node.kids[1].word or node.kids[1].kind, node.kids[2]
    return None


def _compared(node: Node, place: Place) -> bool | None:
    sides = operands(node)
    return related(*sides, place) if sides is not None else None


def related(left: Node, sign: str, right: Node, place: Place) -> bool | None:
    """Whether `left sign right` is settled."""
    values = place.fixed(left), place.fixed(right)
    if UNKNOWN not in values:
        return _settled(values[0], sign, values[1])
    if normal(left) == normal(right):
        return _same(left, sign, place)
    if sign in MIRRORED and values[0] is not UNKNOWN:
        left, right, sign, values = right, left, MIRRORED[sign], (values[1], values[0])
    return (
        _versions(left, sign, values[1], place)
        if values[1] is not UNKNOWN
        else _loose(left, sign, right, values, place)
    )


def _settled(left: object, sign: str, right: object) -> bool | None:
    if isinstance(left, Pairs) or isinstance(right, Pairs):
        return bool(_OPERATORS[sign](left, right)) if sign in ("==", "!=") else None
    try:
        return bool(_OPERATORS[sign](left, right)) if sign in _OPERATORS else None
    except TypeError:
        return None


def _same(node: Node, sign: str, place: Place) -> bool | None:
    """Both sides are the same text; with a call in it that asks whether it answers the same twice."""
    if any(place.page.names.called(call) not in _SHAPING for call in place.page.inside(node, "call")):
        return None
    if sign in ("==", "<=", ">=", "is"):
        return True
    return False if sign in ("!=", "is not", "<", ">") else None


_SHAPING = frozenset(("len", "str", "repr", "int", "float", "bool", "type", "abs"))


def _versions(left: Node, sign: str, value: object, place: Place) -> bool | None:
    """Comparisons with a constant that can come out one way only."""
    name = place.page.names.dotted(left)
    if name in ("len()", "abs()") and isinstance(value, int | float):
        return True if (sign == ">=" and value <= 0) or (sign == ">" and value < 0) else None
    if name in ("sys.version_info[]", "sys.version_info.major") and isinstance(value, int):
        return _settled(3, sign, value) if normal(left).endswith(("[0]", ".major")) else None
    if name == "sys.version_info" and isinstance(value, tuple) and value:
        return _by_version(sign, value)
    if sign == "in" and isinstance(value, tuple):
        return _member(left, value)
    return None


def _by_version(sign: str, value: tuple[object, ...]) -> bool | None:
    if not all(isinstance(part, int) for part in value) or value > _OLDEST:
        return None
    return True if sign in (">", ">=", "!=") else False if sign in ("<", "<=", "==") else None


def _member(left: Node, value: tuple[object, ...]) -> bool | None:
    """A truth value is one of both."""
    words = [held for held in value if isinstance(held, bool)]
    return True if True in words and False in words else None


def _loose(left: Node, sign: str, right: Node, values: tuple[object, object], place: Place) -> bool | None:
    if sign == "in":
        if right.kind in _FILLED and any(normal(part) == normal(left) for part in right.parts):
            return _same(left, "==", place)
        return True if values[0] == "" and right.kind not in _FILLED else None
    if sign == "==" and any(place.page.names.dotted(side).endswith("mock.ANY") for side in (left, right)):
        return True
    return None


def _filled(node: Node, place: Place) -> bool | None:
    if not node.parts:
        return False
    return None if all("splat" in part.kind for part in node.parts) else True


def _called(node: Node, place: Place) -> bool | None:
    name, given = place.page.names.called(node), arguments(node)
    if name == "bool" and len(given) == 1:
        return truth(given[0], place)
    if name in ("isinstance", "issubclass") and len(given) == 2:
        return True if given[1].word == "object" else None
    if name in ("all", "any") and len(given) == 1:
        return _quantified(name, given[0], place)
    if name.endswith((".startswith", ".endswith")) and given and place.fixed(given[0]) == "":
        return True
    if name in ("callable", "id", "type") or (name.startswith("unittest.mock.") and name.endswith("Mock")):
        return None if name == "callable" else True
    value = place.fixed(node)
    return None if value is UNKNOWN or isinstance(value, Pairs) else bool(value)


def _quantified(name: str, given: Node, place: Place) -> bool | None:
    if given.kind in ("list", "tuple", "set"):
        each = [truth(part, place) for part in given.parts]
        return True if (name == "all" and all(each)) or (name == "any" and True in each) else None
    clause = next((part for part in given.parts if part.kind == "for_in_clause"), None)
    over = clause.get("right") if clause is not None else None
    return name == "all" if over is not None and over.kind in _FILLED and not over.parts else None


def _string(node: Node, place: Place) -> bool | None:
    if node.kids:
        return True if any(kid.kind == "string_content" for kid in node.kids) else None
    return node.word not in ('""', 'b""')


def _named(node: Node, place: Place) -> bool | None:
    name = place.page.names.dotted(node)
    if name in _NAMED:
        return _NAMED[name]
    if node.kind == "attribute":
        return None
    bound = any(node.word in scope.values for scope in place.scopes)
    if not bound and (node.word in place.page.functions or node.word in place.page.classes):
        return True
    value = place.fixed(node)
    return None if value is UNKNOWN else bool(value)


def _either(node: Node, place: Place) -> bool | None:
    if len(node.parts) != 3:
        return None
    first, condition, second = node.parts
    settled = truth(condition, place)
    if settled is not None:
        return truth(first if settled else second, place)
    both = truth(first, place), truth(second, place)
    return both[0] if both[0] == both[1] else None


def _always(node: Node, place: Place) -> bool | None:
    return True


_DECIDERS: dict[str, Callable[[Node, Place], bool | None]] = {
    "parenthesized_expression": _bracketed,
    "not_operator": _negated,
    "boolean_operator": _combined,
    "comparison_operator": _compared,
    "list": _filled,
    "tuple": _filled,
    "set": _filled,
    "dictionary": _filled,
    "expression_list": _filled,
    "call": _called,
    "string": _string,
    "identifier": _named,
    "attribute": _named,
    "conditional_expression": _either,
    "lambda": _always,
    "ellipsis": _always,
    "generator_expression": _always,
}
