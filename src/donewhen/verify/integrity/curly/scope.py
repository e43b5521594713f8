"""What names stand for in a test, and what an expression is made of once they are looked up.

A name counts only where it is given a value once; what is changed later, or passed by address, is unknown.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import canonical, elements, spelled
from donewhen.verify.integrity.curly.paths import arguments, base, dotted

_MOST = 600  # twigs looked at for one expression
_ROWS = 400  # rows of a table that are looked at

Scope = dict[str, "Bound | None"]
Assigned = Callable[[Twig], list[tuple[str, Twig | None]]]


class Bound(NamedTuple):
    """What a name stands for: expressions (several for a column of a table) and the scope they stand in."""

    twigs: tuple[Twig, ...] = ()
    scope: Scope | None = None
    literals: tuple[str, ...] = ()  # where the table is text


class Side(NamedTuple):
    """What one side of a comparison is made of."""

    subjects: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # plain names that nothing is known of
    fixed: bool = False  # a single value that no code can change


class Tongue(NamedTuple):
    """What scopes and expressions need to know of a language."""

    assigned: Assigned  # names that a twig gives values to
    makers: frozenset[str] = frozenset()  # calls that only dress a literal; ".name" for methods
    plain: frozenset[str] = frozenset()  # calls that are no subject: conversions, len
    said: frozenset[str] = frozenset()  # ".name" of methods that only say what they are given


def declared(statement: Twig, scope: Scope, tongue: Tongue, unsure: frozenset[str]) -> Scope:
    """The scope after a statement; the same one where it names nothing."""
    for twig in _givers(statement):
        for name, value in tongue.assigned(twig):
            if name and name != "_":
                known = value is not None and name not in unsure
                scope = {**scope, name: Bound((value,), scope) if known and value is not None else None}
    return scope


def _givers(statement: Twig) -> Iterable[Twig]:
    if statement.kind in _GIVING:
        return (statement,)
    if statement.kind in _AROUND:
        return [giver for kid in statement.kids for giver in _givers_flat(kid)]
    return ()


def _givers_flat(kid: Twig) -> list[Twig]:
    if kid.kind in _GIVING:
        return [kid]
    return [inner for inner in kid.kids if inner.kind in _GIVING] if kid.kind in _AROUND else []


def unsure_in(grove: Grove, body: Twig, tongue: Tongue) -> frozenset[str]:
    """Names that are changed somewhere inside: in a loop, a branch, a closure, or through their address."""
    found: set[str] = set()
    again = grove.inside("reassign", body)
    if again:
        level = [*body.kids, *(one for kid in body.kids if kid.kind == "block" for one in kid.kids)]
        top = {id(one) for kid in level for one in (kid, *kid.kids)}
        found.update(name for twig in again if id(twig) not in top for name, _ in tongue.assigned(twig))
    for kind in _CHANGING:
        changed = (twig for twig in grove.inside(kind, body) if twig.kids and _changes(twig))
        found.update(twig.kids[-1].text for twig in changed)
    return frozenset(found)


_CHANGING = ("inc_statement", "dec_statement", "update_expression", "unary", "ref")
_GIVING = frozenset(("assign", "reassign"))
_AROUND = frozenset(
    ("expression_statement", "var_declaration", "const_declaration", "var_spec_list",
    "local_variable_declaration",
     "field_declaration")
)  # fmt: skip


def _changes(twig: Twig) -> bool:
    if twig.kind in ("inc_statement", "dec_statement", "update_expression"):
        return True
    if twig.kind == "unary":
        return twig.operator() == "&" and twig.kids[-1].kind == "ident"
    return twig.kind == "ref" and any(kid.kind == "mutable_specifier" for kid in twig.kids)


def gather(twig: Twig, scope: Scope, tongue: Tongue) -> Side:
    """Calls and reads (`subjects`), literals and unknown names in an expression, names looked up."""
    subjects: dict[str, None] = {}
    literals: list[str] = []  # as often as they stand there
    names: dict[str, None] = {}
    waiting: list[tuple[Twig, Scope]] = [(twig, scope)]
    looked: set[tuple[int, str]] = set()
    steps = 0
    while waiting and steps < _MOST:
        here, around = waiting.pop()
        steps += 1
        written = canonical(here, tongue.makers)
        if written is not None:
            literals += spelled(written)
            continue
        bound = _bound(here, around)
        if bound is not None and (id(bound), here.kind) not in looked:
            looked.add((id(bound), here.kind))
            literals += bound.literals
            waiting += [(one, bound.scope or {}) for one in reversed(bound.twigs[:_ROWS])]
            continue
        waiting += [(kid, around) for kid in reversed(_told(here, tongue, subjects, names))]
    return Side(tuple(subjects), tuple(literals), tuple(names), fixed(twig, scope))


def _bound(twig: Twig, scope: Scope) -> Bound | None:
    if twig.kind == "ident":
        return scope.get(twig.text)
    if twig.kind in ("select", "index"):
        return scope.get(dotted(twig))
    return None


def _told(here: Twig, tongue: Tongue, subjects: dict[str, None], names: dict[str, None]) -> Sequence[Twig]:
    """Notes what `here` calls or reads; gives what is left to look at."""
    if here.kind in ("call", "new"):
        name = dotted(here) if here.kind == "call" else _type_name(here)
        tail = "." + name.rpartition(".")[2]
        if name and name not in tongue.plain and name not in tongue.makers and tail not in tongue.makers:
            subjects[name] = None
        under = base(here) if here.kind == "call" else None
        rest = [] if tail in tongue.said else arguments(here)
        deeper = under is not None and (under.kind not in ("ident", "select") or tail in tongue.makers)
        return [under, *rest] if under is not None and deeper else rest
    if here.kind == "select":
        name = dotted(here)
        if name:
            subjects[name] = None
        return [kid for kid in here.kids[:1] if kid.kind not in ("ident", "select")]
    if here.kind == "ident":
        names[here.text] = None
        return ()
    if here.kind in ("keyed_element", "field_initializer"):
        return here.kids[1:]
    if here.kind in ("composite", "assign", "made"):
        return here.kids[-1:]
    return here.kids


def _type_name(new: Twig) -> str:
    kind = new.get("type")
    return kind.text.partition("<")[0] if kind is not None else ""


def fixed(twig: Twig, scope: Scope) -> bool:
    """A single literal, also by a name; a list is none, since code can change it."""
    for _ in range(4):
        while twig.kind in ("paren", "ref", "cast") and twig.kids:
            twig = twig.kids[-1]
        bound = scope.get(twig.text) if twig.kind == "ident" else None
        if bound is None or len(bound.twigs) != 1:
            break
        twig, scope = bound.twigs[0], bound.scope or {}
    return canonical(twig) is not None and elements(twig) is None


def resolved(twig: Twig, scope: Scope) -> tuple[Twig, Scope]:
    """The expression that a name stands for, as far as there is one."""
    for _ in range(4):
        while twig.kind == "paren" and twig.kids:
            twig = twig.kids[-1]
        bound = scope.get(twig.text) if twig.kind == "ident" else None
        if bound is None or len(bound.twigs) != 1:
            break
        twig, scope = bound.twigs[0], bound.scope or {}
    return twig, scope


Rows = list[tuple[Twig | None, Twig]]


def rows_of(twig: Twig, scope: Scope) -> tuple[Rows, Twig] | None:
    """Entries of the table that an expression stands for, and the table: `cases`, `&cases`, `cases.iter()`.

    Where only some of them are taken (`cases[:1]`, `.take(1)`), only those.
    """
    first: int | None = None
    last: int | None = None
    for _ in range(6):
        twig, scope = resolved(twig, scope)
        entries = elements(twig)
        if entries is not None:
            return entries[first:last], twig
        under = base(twig) if twig.kind == "call" else None
        if twig.kind in ("ref", "cast_as") and twig.kids:
            twig = twig.kids[-1 if twig.kind == "ref" else 0]
        elif under is not None:
            first, last = _taken(dotted(twig), arguments(twig), first, last)
            twig = under
        elif twig.kind == "slice_expression" and twig.kids:
            first, last = _number(twig.get("start")), _number(twig.get("end"))
            twig = twig.kids[0]
        else:
            return None
    return None


def _number(twig: Twig | None) -> int | None:
    return int(twig.text) if twig is not None and twig.text.isdecimal() else None


def _taken(name: str, args: list[Twig], first: int | None, last: int | None) -> tuple[int | None, int | None]:
    number = _number(args[0]) if len(args) == 1 else None
    method = name.rpartition(".")[2]
    if number is None or method not in ("take", "skip", "limit"):
        return first, last
    return (number, last) if method == "skip" else (first, number)


def columns_of(
    teller_scope: Scope, table: Twig, names: list[str], fields: list[str] | None = None
) -> tuple[Scope, int] | None:
    """Names of a loop bound to the columns of its table, and its rows.

    One name stands for the row, and `name.field` or `name[0]` for its cells; several names for a cell each.
    """
    found = rows_of(table, teller_scope)
    if found is None:
        return None
    entries, _ = found
    scope = dict(teller_scope)
    cells: dict[str, list[Twig]] = {}
    for _, row in entries:
        _cells(row, names, fields, cells)
    for name, twigs in cells.items():
        scope[name] = Bound(tuple(twigs), teller_scope)
    return scope, len(entries)


def _cells(row: Twig, names: list[str], fields: list[str] | None, cells: dict[str, list[Twig]]) -> None:
    parts = elements(row) or []
    if len(names) != 1:
        for name, (_, cell) in zip(names, parts, strict=False):
            cells.setdefault(name, []).append(cell)
        return
    name = names[0]
    cells.setdefault(name, []).append(row)
    for number, (key, cell) in enumerate(parts):
        if key is not None:
            label = f"{name}.{key.text}"
        elif fields and number < len(fields):
            label = f"{name}.{fields[number]}"
        else:
            label = f"{name}[{number}]"
        cells.setdefault(label, []).append(cell)
