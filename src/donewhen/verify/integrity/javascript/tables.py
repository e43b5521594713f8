"""Tables of answers: maps looked up with an argument, lists that are searched, sequences played back."""

from collections.abc import Iterator

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.folding import key_of
from donewhen.verify.integrity.javascript.inputs import Inputs
from donewhen.verify.integrity.javascript.node import (
    Node,
    arguments,
    bare,
    callee,
    dotted,
    enclosing,
    is_member,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.owners import Owners
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.tree import Script

_LOOKUPS = frozenset(("get", "has"))
_SEARCHES = frozenset(("find", "findIndex", "filter", "indexOf", "some", "findLast"))
_ONE_OF = frozenset(("some", "indexOf", "findIndex"))
_ENTRIES = 500
_ORDERS = frozenset(("<", "<=", ">", ">="))
_SHIFTS = {"-": 1, "+": -1}


def tables(script: Script, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    seen: set[tuple[int, str]] = set()
    for use, table in _lookups(script, inputs):
        function = owners.of(use)
        if (id(table), function) in seen:
            continue
        seen.add((id(table), function))
        plain = use.type == "subscript_expression" and _is_plain(table)
        if plain and any(one.type == "ternary_expression" for one in walk(use.kids[-1])):
            yield from _played(use, table, owners)
            continue
        if _is_plain(table) and use.type == "call_expression" and prop(bare(callee(use))) in _ONE_OF:
            listed = tuple(kid.value for kid in table.kids[:_ENTRIES] if kid.value is not None)
            yield Branch(use.line, function, "compare", listed, ("true",))
            continue
        keys, answers, size = _entries(table)
        if plain:
            keys, answers = _places(use.kids[-1], table)
        if answers:
            yield Branch(use.line, function, "table", keys, answers, size)


def _is_plain(table: Node) -> bool:
    """A list of answers, found by their place alone."""
    return table.type == "array" and all(values.scalar(kid.value) for kid in table.kids[:_ENTRIES])


def _places(index: Node, table: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`POINTS[n]` is asked by 0, 1, …, `MONTHS[n - 1]` by 1, 2, …; no keys where the index is computed."""
    index, first = bare(index), 0
    answers = tuple(kid.value for kid in table.kids[:_ENTRIES] if kid.value is not None)
    if index.type == "binary_expression" and (bare(index.kids[2]).value or "").isdigit():
        first = int((bare(index.kids[2]).value or "0")[:6]) * _SHIFTS.get(index.kids[1].text, 0)
        index = bare(index.kids[0]) if index.kids[1].text in _SHIFTS else index
    if index.type != "identifier":
        return (), answers
    return tuple(str(first + place) for place in range(len(answers))), answers


def _lookups(script: Script, inputs: Inputs) -> Iterator[tuple[Node, Node]]:
    for one in script.kinds.get("subscript_expression", ()):
        table = inputs.table(one.kids[0])
        if table is not None and inputs.derived(one.kids[-1]) and _of_pairs(table):
            yield one, table
    for call in script.kinds.get("call_expression", ()):
        called = bare(callee(call))
        if not is_member(called) or prop(called) not in _LOOKUPS | _SEARCHES:
            continue
        table = inputs.table(called.kids[0])
        if table is None or not table.kids:
            continue
        looked = prop(called) in _LOOKUPS and any(inputs.derived(one) for one in arguments(call))
        if looked or (prop(called) in _SEARCHES and table.type == "array" and _asks(call, inputs)):
            yield call, table
    yield from _loops(script, inputs)


def _loops(script: Script, inputs: Inputs) -> Iterator[tuple[Node, Node]]:
    """`for (const [input, output] of CASES) if (input === n) return output`."""
    for one in script.kinds.get("for_in_statement", ()):
        if len(one.kids) < 3:
            continue
        source = bare(one.kids[-2])
        if (
            source.type == "call_expression"
            and dotted(callee(source)).startswith("Object.")
            and arguments(source)
        ):
            source = arguments(source)[0]
        table = inputs.table(source)
        if table is None or not table.kids:
            continue
        for here in walk(one.kids[-1]):
            if here.type == "if_statement" and inputs.derived(here.kids[0]) and not _is_order(here.kids[0]):
                yield one, table
                break


def _is_order(condition: Node) -> bool:
    """`weight <= limit`: tariffs and numerals are walked like that, and no row is a question."""
    asked = bare(condition)
    return asked.type == "binary_expression" and len(asked.kids) == 3 and asked.kids[1].text in _ORDERS


def _of_pairs(table: Node) -> bool:
    return bool(table.kids) and (table.type == "object" or len(table.kids) > 1)


def _asks(call: Node, inputs: Inputs) -> bool:
    """The search looks at a parameter of the function around it, not only at its own."""
    for one in arguments(call):
        if not one.kids:
            if inputs.derived(one):
                return True
            continue
        own = {here.text for here in walk(one.kids[0])} if one.type == "arrow_function" else set()
        for here in walk(one.kids[-1]):
            if here.type == "identifier" and here.text not in own and inputs.derived(here):
                return True
    return False


def _entries(table: Node) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    keys: dict[str, None] = {}
    answers: dict[str, None] = {}
    size = 0
    for kid in table.kids[:_ENTRIES]:
        key, answer = _entry(table, kid)
        if answer:
            size += 1
            keys.update(dict.fromkeys(key))
            answers.update(dict.fromkeys(answer))
    return tuple(keys), tuple(answers), size + max(0, len(table.kids) - _ENTRIES)


def _entry(table: Node, kid: Node) -> tuple[list[str], list[str]]:
    if table.type == "object":
        if kid.type != "pair" or len(kid.kids) < 2 or kid.kids[1].value is None:
            return [], []
        return _spellings(key_of(kid)), [kid.kids[1].value]
    row = bare(kid)
    if row.type == "array" and len(row.kids) > 1:
        said = [one.value for one in row.kids if one.value is not None]
        return said[:-1], said[-1:]
    if row.type == "object":
        said = [one.kids[1].value for one in row.kids if one.type == "pair" and one.kids[1].value is not None]
        return said, said
    return ([], [row.value]) if row.value is not None else ([], [])


def _spellings(key: str) -> list[str]:
    """Keys of objects are strings, but `{7: 13}[n]` is asked with a number."""
    inner = key[1:-1]
    number = inner.removeprefix("-").replace(".", "", 1).isdigit()
    return [key, inner] if number and len(inner) < 30 else [key] if key else []


def sequences(script: Script, scopes: Scopes, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    """`return ANSWERS[i++]`, `return ANSWERS.shift()`, and generators that yield literals one by one."""
    for one in script.kinds.get("subscript_expression", ()):
        index = bare(one.kids[-1])
        counter = index.type == "update_expression" or (
            index.type == "identifier" and _counted(scopes, index)
        )
        table = inputs.table(one.kids[0]) if counter else None
        if table is not None and table.type == "array":
            yield from _played(one, table, owners)
    for call in script.kinds.get("call_expression", ()):
        called = bare(callee(call))
        if is_member(called) and prop(called) in ("shift", "pop") and not arguments(call):
            table = inputs.table(called.kids[0])
            if table is not None and table.type == "array":
                yield from _played(call, table, owners)
    for kind in ("generator_function", "generator_function_declaration"):
        for function in script.kinds.get(kind, ()):
            said = [
                bare(one.kids[0]).value
                for one in walk(function)
                if one.type == "yield_expression" and one.kids
            ]
            answers = tuple(value for value in said if value is not None)
            if len(answers) > 1:
                yield Branch(function.line, owners.called(function), "sequence", (), answers, len(answers))


def _counted(scopes: Scopes, name: Node) -> bool:
    """A counter that outlives the call: set outside the function that reads it."""
    found = scopes.find(name, name.text)
    function = enclosing(name)
    if found is None or isinstance(found, Node) or not found.changed or function is None:
        return False
    return all(one.start < function.start or one.end > function.end for one in found.nodes)


def _played(use: Node, table: Node, owners: Owners) -> Iterator[Branch]:
    answers = tuple(kid.value for kid in table.kids[:_ENTRIES] if kid.value is not None)
    if len(answers) > 1 and len(answers) == len(table.kids[:_ENTRIES]):
        yield Branch(use.line, owners.of(use), "sequence", (), answers, len(table.kids))
