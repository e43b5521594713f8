"""Answers that are looked up: in a map by what was asked, in a list of pairs, one after another."""

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.python.bindings import names_of
from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.stepping import is_stepped, is_walked
from donewhen.verify.integrity.python.tables import written
from donewhen.verify.integrity.python.taint import Taint
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import UNKNOWN, canon

_ASKING = frozenset(("get", "pop", "setdefault", "__getitem__"))
_MAKERS = frozenset(("iter", "cycle", "deque", "itertools.cycle", "collections.deque"))
_MOST_KEYS = 2000


def lookups(node: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    out: list[Branch] = []
    page = place.page
    for subscript in page.inside(node, "subscript"):
        value, key = subscript.get("value"), subscript.get("subscript")
        if value is not None and key is not None and subscript.field != "left":
            out.extend(_subscripted(subscript.line, value, key, name, taint, place))
    for call in page.inside(node, "call"):
        out.extend(_asked(call, name, taint, place))
    for loop in page.inside(node, "for_statement"):
        out.extend(_searched(loop, name, taint, place))
    return out


def _table(node: Node, place: Place) -> Node | None:
    """The map or sequence behind an expression: written there, or bound to the name once."""
    for _ in range(5):
        if node.kind in ("dictionary", "list", "tuple"):
            return node
        bound = _bound(node, place)
        if bound is None:
            return None
        node = bound
    return None


def _bound(node: Node, place: Place) -> Node | None:
    if node.kind == "identifier":
        return place.bound(node.word)
    if node.kind == "attribute":
        home, last = node.get("object"), node.get("attribute")
        owner = (
            place.home if home is not None and home.word in ("self", "cls") else place.page.names.dotted(home)
        )
        known = place.page.classes.get(owner)
        values = place.page.values.bindings(known.node).values if known is not None else {}
        return values.get(last.word) if last is not None else None
    if node.kind == "call":
        given = arguments(node)
        makers = (*_MAKERS, "dict", "list", "tuple", "types.MappingProxyType", "MappingProxyType")
        return given[0] if given and place.page.names.called(node) in makers else None
    return node.kids[1] if node.kind == "parenthesized_expression" and len(node.kids) == 3 else None


def _subscripted(line: int, value: Node, key: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    table = _table(value, place)
    if table is None:
        return []
    if table.kind == "dictionary":
        return _mapped(line, table, name, place) if taint.asked(key) else []
    fixed = place.value(key) is not UNKNOWN or key.kind == "slice"
    return [] if fixed or is_stepped(key, place) else _sequence(line, table, name, place)


def _mapped(line: int, table: Node, name: str, place: Place) -> list[Branch]:
    known = place.page.tables.get(table.at)
    if known is None:
        known = place.page.tables[table.at] = _entries(table, place)
    keys, answers = known
    return [Branch(line, name, "table", keys, answers, len(table.parts))] if keys and answers else []


def _entries(table: Node, place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    keys: list[str] = []
    answers: list[str] = []
    for pair in table.parts[:_MOST_KEYS]:
        key, value = pair.get("key"), pair.get("value")
        shown = canon(place.value(key)) if key is not None else None
        if shown is None:
            continue
        keys.append(shown)
        told = canon(place.value(value)) if value is not None else None
        if told is not None:
            answers.append(told)
    return tuple(keys), tuple(answers)


def _sequence(line: int, table: Node, name: str, place: Place) -> list[Branch]:
    shown = [canon(place.value(part)) for part in table.parts[:_MOST_KEYS]]
    answers = tuple(one for one in shown if one is not None)
    if len(answers) < 2 or len(answers) != len(shown):
        return []
    return [Branch(line, name, "sequence", (), answers, len(answers))]


def _asked(call: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    """`TABLE.get(x)`, `next(ANSWERS)`, `ANSWERS.pop(0)`."""
    function, given = call.get("function"), arguments(call)
    if function is None:
        return []
    if function.word == "next" and given:
        table = _table(given[0], place)
        return (
            _sequence(call.line, table, name, place)
            if table is not None and table.kind != "dictionary"
            else []
        )
    home, last = function.get("object"), function.get("attribute")
    if function.kind != "attribute" or home is None or last is None or last.word not in (*_ASKING, "popleft"):
        return []
    table = _table(home, place)
    if table is None:
        return []
    if table.kind == "dictionary":
        return _mapped(call.line, table, name, place) if given and taint.asked(given[0]) else []
    return _sequence(call.line, table, name, place) if last.word in ("pop", "popleft") else []


def _searched(loop: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    """`for question, answer in […]: if question == x: return answer`."""
    rows = written(loop.get("right"), place)
    names = names_of(loop.get("left"))
    if rows is None or len(names) < 2:
        return []
    compared = [
        comparison
        for comparison in place.page.inside(loop, "comparison_operator")
        if _matches(comparison, names, taint)
    ]
    if not compared or is_walked(compared):
        return []
    values = [_pair(row, place) for row in rows[:_MOST_KEYS]]
    pairs = [value for value in values if value is not None]
    if not pairs or len(pairs) != len(values):
        return []
    keys = tuple(shown for first, _ in pairs if (shown := canon(first)) is not None)
    answers = tuple(shown for _, last in pairs if (shown := canon(last)) is not None)
    return [Branch(loop.line, name, "table", keys, answers, len(rows))]


def _matches(comparison: Node, names: list[str], taint: Taint) -> bool:
    tokens = {part.word for part in comparison.parts}
    return bool(tokens & set(names)) and any(taint.asked(part) for part in comparison.parts)


def _pair(row: Node, place: Place) -> tuple[object, object] | None:
    if row.kind == "pair":
        key, held = row.get("key"), row.get("value")
        both = (
            (place.value(key), place.value(held))
            if key is not None and held is not None
            else (UNKNOWN, UNKNOWN)
        )
        return None if UNKNOWN in both else both
    value = place.value(row)
    if not isinstance(value, tuple) or len(value) < 2:
        return None
    return (value[0] if len(value) == 2 else value[:-1]), value[-1]
