"""Parameter tables of Java tests: rows in annotations, and methods that supply them."""

from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Twig, below
from donewhen.verify.integrity.curly.literals import canonical, elements, evaluated, string
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.curly.scope import Bound, Scope, rows_of
from donewhen.verify.integrity.java.classes import Annotation, Method
from donewhen.verify.integrity.java.grammar import TONGUE, params

_ROWS = frozenset(("Arguments.of", "arguments", "Arguments.arguments", "of"))
_UNCOUNTED = frozenset(("CsvFileSource", "EnumSource", "ArgumentsSource", "FieldSource"))


class Rows(NamedTuple):
    cases: int | None = None  # None: no table; 0: nobody can count it
    columns: Scope = {}  # noqa: RUF012 - never changed
    literals: tuple[str, ...] = ()


def rows(method: Method, suppliers: dict[str, Method], scope: Scope) -> Rows:
    names = params(method.twig)
    for one in method.annotations:
        if one.name == "CsvSource":
            return _texts(one, names)
        if one.name == "ValueSource":
            return _cells(_listed(one), names, scope)
        if one.name == "MethodSource":
            return _supplied(one.value("value"), method.name, suppliers, names, scope)
        if one.name == "Test" and (provider := one.value("dataProvider")) is not None:
            return _supplied(provider, method.name, suppliers, names, scope)
        if one.name in _UNCOUNTED:
            return Rows(0)
        if one.name == "RepeatedTest":
            return Rows(1)
    return Rows()


def _listed(annotation: Annotation) -> list[list[Twig]]:
    """One column: the values, each a row of its own."""
    for kid in annotation.inside:
        value = kid.get("value") if kid.kind == "element_value_pair" else kid
        if value is not None:
            return [[one] for _, one in elements(value) or [(None, value)]]
    return []


def _texts(annotation: Annotation, names: tuple[str, ...]) -> Rows:
    """`@CsvSource({"1, 2, 3"})`."""
    value = annotation.value("value") or annotation.value("textBlock")
    if value is None:
        return Rows(0)
    lines = [one for _, one in elements(value) or [(None, value)]]
    texts = [string(one.text)[1:-1] for one in lines if one.kind == "string"]
    if annotation.value("textBlock") is not None:
        texts = [
            line
            for text in texts
            for line in text.split("\\n")
            if line.strip() and not line.strip().startswith("#")
        ]
    columns: dict[str, dict[str, None]] = {}
    for text in texts:
        for place, cell in enumerate(text.split(",")):
            name = names[place] if place < len(names) else "="
            columns.setdefault(name, {})[evaluated(cell)] = None
    scope: Scope = {name: Bound(literals=tuple(found)) for name, found in columns.items()}
    return Rows(len(texts), scope, tuple(dict.fromkeys(cell for found in columns.values() for cell in found)))


def _cells(table: list[list[Twig]], names: tuple[str, ...], around: Scope) -> Rows:
    columns: dict[str, list[Twig]] = {}
    literals: dict[str, None] = {}
    for row in table:
        for place, cell in enumerate(row):
            columns.setdefault(names[place] if place < len(names) else "=", []).append(cell)
            written = canonical(cell, TONGUE.makers)
            if written is not None:
                literals[written] = None
    scope: Scope = {name: Bound(tuple(cells), around) for name, cells in columns.items()}
    return Rows(len(table), scope, tuple(literals))


def _supplied(
    value: Twig | None, own: str, suppliers: dict[str, Method], names: tuple[str, ...], scope: Scope
) -> Rows:
    """A method of the file that gives the rows, by its name or by the name that it is registered under."""
    name = string(value.text)[1:-1] if value is not None and value.kind == "string" else own
    supplier = suppliers.get(name)
    body = supplier.twig.get("body") if supplier is not None else None
    if body is None:
        return Rows(0)
    calls = [one for one in below(body) if one.kind == "call" and dotted(one) in _ROWS]
    if calls:
        return _cells([arguments(call) for call in calls], names, scope)
    for twig in below(body):
        found = rows_of(twig, scope) if twig.kind in ("list", "made") else None
        if found is not None and found[0]:
            return _cells(
                [[one for _, one in elements(row) or [(None, row)]] for _, row in found[0]], names, scope
            )
    stream = next(
        (one for one in below(body) if one.kind == "call" and dotted(one) in ("Stream.of", "List.of")), None
    )
    return _cells([[one] for one in arguments(stream)], names, scope) if stream is not None else Rows(0)
