"""Where source answers by literals: comparisons of what came in, tables, sequences, and answers to anything.

Only tells where; whether the literals are those of the exam is judged elsewhere.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.curly.demands import constant
from donewhen.verify.integrity.curly.grove import Twig, below
from donewhen.verify.integrity.curly.literals import canonical, elements
from donewhen.verify.integrity.curly.paths import arguments, base, dotted
from donewhen.verify.integrity.curly.scope import Scope, Tongue

_MOST = 400  # branches of one file
_LONGEST = 300  # keys of one branch
_NEAR = 300  # twigs of a condition or an arm that are looked at
_EQUALS = frozenset(
    ("equals", "equalsIgnoreCase", "eq", "Equal", "EqualFold", "DeepEqual", "contains", "Contains")
)
_LOOKUPS = frozenset(("get", "getOrDefault", "get_mut", "contains_key", "containsKey", "find", "iter", "at"))


class Function(NamedTuple):
    name: str
    params: frozenset[str]
    body: Twig
    answers: bool = True  # gives something back


Table = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], int]  # keys, answers, plain entries, size


class Ways(NamedTuple):
    """What branching needs to know of a language."""

    tongue: Tongue
    arm: Callable[[Twig], tuple[list[Twig], list[Twig]]]  # keys and body of an arm
    scrutinee: Callable[[Twig], Twig | None]  # what a switch looks at
    tables: dict[int, Table]  # those that were read, by their node


def branches(functions: Iterable[Function], ways: Ways, module: Scope) -> tuple[Branch, ...]:
    found: list[Branch] = []
    for function in functions:
        if len(found) > _MOST:
            break
        found += _of(function, ways, module)
    return tuple(found)


def _of(function: Function, ways: Ways, module: Scope) -> list[Branch]:
    known = set(function.params)
    if not known:
        return _sequences(function, ways, module)
    found: list[Branch] = []
    tables = {name: one.twigs[0] for name, one in module.items() if one is not None and one.twigs}
    for twig in below(function.body):
        if twig.kind == "ident":
            found += _table(twig, tables[twig.text], function, ways) if twig.text in tables else ()
        elif twig.kind in ("assign", "reassign", "loop"):
            _learn(twig, known, tables, ways)
        elif (ask := _ASKING.get(twig.kind)) is not None:
            found += ask(twig, known, function, ways)
    if function.answers and _plain(function.body) and not _mentions(function.body, set(function.params)):
        found += _whatever(function, ways)
    return list(dict.fromkeys(found))


def _mentions(twig: Twig, known: set[str]) -> bool:
    near = islice(below(twig), _NEAR)
    return any(one.kind in ("ident", "self") and one.text in known for one in near)


def _learn(twig: Twig, known: set[str], tables: dict[str, Twig], ways: Ways) -> None:
    """What is made of parameters counts as one; a literal table with a name can be looked up."""
    if twig.kind == "loop":
        names = [kid for kid in twig.kids if kid.kind in ("range_clause", "ident", "tuple_pattern")]
        if any(_mentions(kid, known) for kid in twig.kids[:3] if kid.kind != "block"):
            known.update(one.text for kid in names for one in below(kid) if one.kind == "ident")
        return
    for name, value in ways.tongue.assigned(twig):
        if value is None or not name:
            continue
        if elements(value) is not None and canonical(value, ways.tongue.makers) is not None:
            tables[name] = value
        elif _mentions(value, known):
            known.add(name)


def _literals(twigs: Iterable[Twig], ways: Ways) -> list[str]:
    """A literal, and what it is made of where it is a tuple."""
    found: dict[str, None] = {}
    for twig in twigs:
        written = canonical(twig, ways.tongue.makers)
        if written is not None:
            found[written] = None
            for _, part in elements(twig) or ():
                inner = canonical(part, ways.tongue.makers)
                if inner is not None:
                    found[inner] = None
    return list(found)


def _keys(condition: Twig, known: set[str], ways: Ways) -> list[str]:
    """Literals that a condition compares what came in with."""
    found: list[str] = []
    for twig in islice(below(condition), _NEAR):
        pair: list[Twig] = []
        if twig.kind == "binary" and twig.operator() == "==" and len(twig.kids) == 2:
            pair = list(twig.kids)
        elif twig.kind == "call" and dotted(twig).replace("::", ".").rpartition(".")[2] in _EQUALS:
            under = base(twig)
            pair = [*([under] if under is not None else []), *arguments(twig)][-2:]
        elif twig.kind == "macro" and _mentions(twig, known):
            found += [
                written for one in below(twig) if (written := canonical(one)) is not None and not one.kids
            ]
        if len(pair) == 2:
            for one, other in (pair, pair[::-1]):
                if _mentions(one, known):
                    found += _literals([other], ways)
    return found[:_LONGEST]


def _answers(twigs: Iterable[Twig], ways: Ways) -> list[str]:
    """Literals that a body gives back or assigns."""
    found: list[str] = []
    for twig in twigs:
        value = _tail(twig)
        if value is not None:
            found += _literals([value], ways)
        for one in islice(below(twig), _NEAR):
            if one.kind in ("return", "yield_statement", "reassign") and one.kids:
                last = one.kids[-1]
                found += _literals(last.kids if last.kind == "expression_list" else [last], ways)
    return list(dict.fromkeys(found))


def _tail(twig: Twig) -> Twig | None:
    """The value of a block, of an arm `=> 3` or of `-> 3;`."""
    for _ in range(6):
        if twig.kind in ("block", "expression_statement", "else_clause") and twig.kids:
            twig = twig.kids[-1]
        else:
            break
    return None if twig.kind in ("return", "block") else twig


def _compare(twig: Twig, known: set[str], function: Function, ways: Ways) -> list[Branch]:
    condition, yes = twig.get("condition"), twig.get("consequence")
    if condition is None or yes is None or constant(condition) is not None:
        return []
    keys = _keys(condition, known, ways)
    answers = _answers([yes], ways) if keys else []
    if not keys or not answers:
        return []
    return [Branch(twig.line, function.name, "compare", tuple(keys), tuple(answers))]


def _switch(twig: Twig, known: set[str], function: Function, ways: Ways) -> list[Branch]:
    looked_at = ways.scrutinee(twig)
    found: list[Branch] = []
    arms = [one for kid in twig.kids for one in (kid, *kid.kids) if one.kind == "arm"]
    waiting: list[str] = []
    for arm in arms:
        keys, body = ways.arm(arm)
        if looked_at is None:
            told = [key for value in keys for key in _keys(value, known, ways)]
        else:
            told = _literals(keys, ways) if _mentions(looked_at, known) else []
        waiting += told
        answers = _answers(body, ways)
        if waiting and answers:
            found.append(
                Branch(arm.line, function.name, "compare", tuple(waiting[:_LONGEST]), tuple(answers))
            )
        if body:
            waiting = []
    return found


def _looked_up(call: Twig, known: set[str], function: Function, ways: Ways) -> list[Branch]:
    under = base(call)
    if under is None or dotted(call).replace("::", ".").rpartition(".")[2] not in _LOOKUPS:
        return []
    if not any(_mentions(argument, known) for argument in arguments(call)):
        return []
    return _table(call, under, function, ways)


def _table(twig: Twig, table: Twig, function: Function, ways: Ways) -> list[Branch]:
    """A literal map, or a list of rows whose last cell is the answer, used by a function with parameters."""
    known = ways.tables.get(table.node.id)
    if known is None:
        known = ways.tables[table.node.id] = _read_table(table, ways)
    keys, answers, listed, size = known
    if keys:
        return [Branch(twig.line, function.name, "table", keys, answers, size)]
    if not listed or twig.kind != "index":
        return []
    return [Branch(twig.line, function.name, "sequence", (), listed, size)]


def _read_table(table: Twig, ways: Ways) -> Table:
    entries = _entries(table, ways)
    makers = ways.tongue.makers
    keys: list[str] = []
    answers: list[str] = []
    for key, value in entries[:_LONGEST]:
        cells = [cell for _, cell in elements(value) or ()] if key is None else [key, value]
        told = [one for cell in cells if (one := canonical(cell, makers)) is not None]
        if len(told) == len(cells) >= 2:
            keys.append(told[0] if len(told) == 2 else f"[{', '.join(told[:-1])}]")
            answers.append(told[-1])
    listed = [] if keys else _literals([value for _, value in entries[:_LONGEST]], ways)
    return tuple(keys), tuple(answers), tuple(listed), len(entries)


def _entries(table: Twig, ways: Ways) -> list[tuple[Twig | None, Twig]]:
    """Of a literal table, also of `Map.of(k, v, …)` and `HashMap::from([…])`."""
    if table.kind == "call" and dotted(table) in ways.tongue.makers:
        args = arguments(table)
        if dotted(table) == "Map.of":
            return list(zip(args[::2], args[1::2], strict=False))
        if dotted(table) == "Map.ofEntries":
            return [(pair[0], pair[-1]) for arg in args if len(pair := arguments(arg)) == 2]
        return elements(args[0]) or [] if len(args) == 1 else []
    return elements(table) or []


def _indexed(twig: Twig, known: set[str], function: Function, ways: Ways) -> list[Branch]:
    if len(twig.kids) < 2 or not _mentions(twig.kids[-1], known):
        return []
    return _table(twig, twig.kids[0], function, ways)


def _sequences(function: Function, ways: Ways, module: Scope) -> list[Branch]:
    """A function without parameters that hands out a literal list one by one."""
    found: list[Branch] = []
    for twig in below(function.body):
        if twig.kind != "index" or len(twig.kids) < 2 or twig.kids[-1].kind == "number":
            continue
        bound = module.get(dotted(twig.kids[0]))
        entries = elements(bound.twigs[0] if bound is not None and bound.twigs else twig.kids[0]) or []
        answers = _literals([value for _, value in entries], ways)
        if answers:
            found.append(Branch(twig.line, function.name, "sequence", (), tuple(answers), len(entries)))
    return found


def _plain(body: Twig) -> bool:
    return len(list(islice(below(body), _NEAR))) < _NEAR


def _whatever(function: Function, ways: Ways) -> list[Branch]:
    """Parameters that nobody looks at, and a bare literal for an answer."""
    body = function.body
    for _ in range(4):
        if body.kind in ("block", "expression_statement") and len(body.kids) == 1:
            body = body.kids[0]
    value = body.kids[-1] if body.kind == "return" and body.kids else body
    answers = _literals(value.kids if value.kind == "expression_list" else [value], ways)
    return [Branch(function.body.line, function.name, "compare", (), tuple(answers))] if answers else []


_ASKING: dict[str, Callable[[Twig, set[str], Function, Ways], list[Branch]]] = {
    "if": _compare,
    "ternary": _compare,
    "switch": _switch,
    "index": _indexed,
    "call": _looked_up,
}
