"""Rows of parameter tables: decorators that multiply a test, and loops over what is written down.

Rows that are marked to be skipped are no rows. A table that is made elsewhere can't be counted.
"""

from typing import NamedTuple

from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.bindings import names_of
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.tree import Node

_SEQUENCES = frozenset(("list", "tuple", "set", "expression_list"))
_MOST_CELLS = 200  # values of one parameter that are told; all rows are counted
_OFF = ("skip", "xfail")
_LISTED = frozenset(("list", "tuple", "sorted", "reversed", "iter", "set", "enumerate"))


class Table(NamedTuple):
    rows: dict[str, tuple[Node, ...]]  # parameter → its values, row by row
    size: int  # 0: can't be counted
    nodes: tuple[Node, ...] = ()  # where the rows are written


def parametrized(decorator: Node, place: Place) -> Table | None:
    """The table of a decorator, None if it has none."""
    if decorator.kind != "call":
        return None
    name = place.page.names.called(decorator)
    given, named = arguments(decorator), keywords(decorator)
    if name.endswith("mark.parametrize"):
        titles = given[0] if given else named.get("argnames")
        values = given[1] if len(given) > 1 else named.get("argvalues")
        return _table(_titles(titles, place), values, place)
    if name.endswith(("parameterized.expand", "parameterized")) and given:
        return _table([], given[0], place)
    if name in ("ddt.data", "data"):
        return Table({}, len(given), tuple(given))
    return None


def _titles(node: Node | None, place: Place) -> list[str]:
    if node is None:
        return []
    if node.kind in ("list", "tuple"):
        return [atoms.unquoted(part.word) or "" for part in node.parts]
    value = place.value(node)
    return [title.strip() for title in value.split(",")] if isinstance(value, str) else []


def _table(titles: list[str], values: Node | None, place: Place) -> Table:
    listed = written(values, place)
    if listed is None:
        return Table({}, 0, (values,) if values is not None else ())
    kept = [row for row in listed if not _switched_off(row, place)]
    columns: dict[str, list[Node]] = {title: [] for title in titles}
    for row in kept[:_MOST_CELLS]:
        cells = [row] if len(titles) == 1 and not _is_param(row, place) else _cells(row, place)
        for title, cell in zip(titles, cells, strict=False):
            columns[title].append(cell)
    count = len(kept) if not any("splat" in row.kind for row in kept) else 0
    return Table({title: tuple(cells) for title, cells in columns.items()}, count, tuple(kept))


def written(node: Node | None, place: Place) -> list[Node] | None:
    """The elements of a sequence that is written here, or behind a name; None if it is made elsewhere."""
    for _ in range(6):
        if node is None:
            return None
        if node.kind in _SEQUENCES:
            return node.parts
        if node.kind == "dictionary":
            return node.parts
        node = _next(node, place)
    return None


def _next(node: Node, place: Place) -> Node | None:
    if node.kind == "identifier":
        return place.bound(node.word)
    if node.kind == "parenthesized_expression":
        return node.kids[1]
    if node.kind == "attribute":
        return _member(node, place)
    if node.kind != "call":
        return None
    function, given = node.get("function"), arguments(node)
    if function is not None and function.word in _LISTED and given:
        return given[0]
    if function is not None and function.kind == "attribute" and not given:
        last = function.get("attribute")
        return (
            function.get("object") if last is not None and last.word in ("items", "keys", "values") else None
        )
    return None


def _member(node: Node, place: Place) -> Node | None:
    """`self.cases`: a constant of the class."""
    home, last = node.get("object"), node.get("attribute")
    if home is None or last is None or home.kind != "identifier":
        return None
    qual = place.home if home.word in ("self", "cls") else home.word
    for each in place.page.lineage(qual):
        bound = place.page.values.bindings(each.node).values.get(last.word)
        if bound is not None:
            return bound
    return None


def _is_param(row: Node, place: Place) -> bool:
    return row.kind == "call" and place.page.names.called(row) in ("pytest.param", "param")


def _cells(row: Node, place: Place) -> list[Node]:
    if _is_param(row, place):
        return arguments(row)
    if row.kind == "pair":
        return [part for part in (row.get("key"), row.get("value")) if part is not None]
    if row.kind == "identifier" and (bound := place.bound(row.word)) is not None:
        row = bound
    return row.parts if row.kind in _SEQUENCES else [row]


def _switched_off(row: Node, place: Place) -> bool:
    if not _is_param(row, place):
        return False
    marks = keywords(row).get("marks")
    if marks is None:
        return False
    nodes = marks.parts if marks.kind in ("list", "tuple") else [marks]
    names = [place.page.names.dotted(node).replace("()", "").rpartition(".")[2] for node in nodes]
    return any(name in _OFF for name in names)


def looped(loop: Node, place: Place) -> Table | None:
    """The table of a loop over something that is written down; None if it is not."""
    over, target = loop.get("right"), loop.get("left")
    listed = written(over, place)
    if over is None or target is None:
        return None
    if listed is None:
        return _ranged(over, place)
    if over.kind == "call" and place.page.names.called(over) == "enumerate":
        target = next((part for part in target.parts if part.kind != "identifier"), None) or (
            target.parts[-1] if target.parts else target
        )
    titles = names_of(target)
    columns: dict[str, list[Node]] = {title: [] for title in titles}
    for row in listed[:_MOST_CELLS]:
        single = (row.get("key") or row) if row.kind == "pair" else row
        cells = _cells(row, place) if len(titles) > 1 else [single]
        for title, cell in zip(titles, cells, strict=False):
            columns[title].append(cell)
    return Table({title: tuple(cells) for title, cells in columns.items()}, len(listed), tuple(listed))


def _ranged(over: Node, place: Place) -> Table | None:
    if over.kind != "call" or place.page.names.called(over) != "range":
        return None
    values = [place.value(part) for part in arguments(over)]
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) != len(values) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:
        return None
    return Table({}, len(range(*numbers)))
