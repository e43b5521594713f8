"""Objects and patches that make comparisons come out right whatever is compared."""

from collections.abc import Iterator

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    block_of,
    callee,
    dotted,
    name_of,
    names,
    parameters,
    walk,
)
from donewhen.verify.integrity.javascript.scopes import field
from donewhen.verify.integrity.javascript.sight import Sight

_ALWAYS = frozenset(
    ("equals", "isEqual", "eq", "deepEqual", "asymmetricMatch", "equalTo", "isDeepStrictEqual")
)
_CONVERTED = frozenset(("valueOf", "toString", "toJSON"))
_PATCHED = frozenset(
    (
        "Object.is",
        "util.isDeepStrictEqual",
        "JSON.stringify",
        "Array.isArray",
        "Object.keys",
        "Object.entries",
    )
)
_TYPES = frozenset(("Object", "Number", "String", "Boolean", "Array", "Function"))
_PROTOTYPE = frozenset(
    "valueOf toString toJSON equals asymmetricMatch constructor every includes some".split()
)


def equalities(sight: Sight) -> list[Mark]:
    return [*_methods(sight), *_patches(sight), *_proxies(sight)]


def _methods(sight: Sight) -> Iterator[Mark]:
    functions = [one for kind in FUNCTIONS for one in sight.script.kinds.get(kind, ())]
    for function in functions:
        holder = function.parent
        owned = function.type == "method_definition" or (holder is not None and holder.type in _FIELDS)
        if owned and _equal(function, _method_name(function)):
            yield sight.mark("always-equal", function)


_FIELDS = frozenset(("pair", "field_definition", "public_field_definition", "assignment_expression"))


def _method_name(function: Node) -> str:
    place = function if function.type == "method_definition" else function.parent
    for kid in place.kids if place is not None else ():
        if kid.type == "computed_property_name" and kid.kids:
            return dotted(kid.kids[0])
    return name_of(function)


def _equal(function: Node, name: str) -> bool:
    if name in _ALWAYS or name == "Symbol.hasInstance":
        return _says_true(function)
    if name == "Symbol.toPrimitive" or name in _CONVERTED:
        return any(
            one.type in ("update_expression", "augmented_assignment_expression") for one in walk(function)
        )
    return False


def _says_true(function: Node) -> bool:
    statements = block_of(function)
    if len(statements) != 1:
        return False
    last = statements[0]
    value = last.kids[0] if last.type == "return_statement" and last.kids else last
    return bare(value).value == "true"


def _patches(sight: Sight) -> Iterator[Mark]:
    for one in sight.assignments():
        path = dotted(one.kids[0]) or _computed(one.kids[0])
        if path in _PATCHED or _prototype(path):
            yield sight.mark("always-equal", one)
    for call in sight.calls():
        given = arguments(call)
        if dotted(callee(call)) == "Object.defineProperty" and len(given) > 2:
            said = values.unquoted(given[1].value or "") or dotted(given[1])
            if _prototype(f"{dotted(given[0])}.{said}") or f"{dotted(given[0])}.{said}" in _PATCHED:
                yield sight.mark("always-equal", call)


def _computed(target: Node) -> str:
    """`Object.prototype[Symbol.toPrimitive]`."""
    if target.type != "subscript_expression":
        return ""
    return f"{dotted(target.kids[0])}.{dotted(target.kids[-1])}"


def _prototype(path: str) -> bool:
    root, _, rest = path.partition(".prototype.")
    return root in _TYPES and (rest in _PROTOTYPE or rest.startswith("Symbol."))


def _proxies(sight: Sight) -> Iterator[Mark]:
    """A proxy of product code that answers the same, whatever it is asked."""
    if sight.role != "source":
        return
    for made in sight.script.kinds.get("new_expression", ()):
        given = arguments(made)
        if dotted(made.kids[0]) != "Proxy" or len(given) < 2:
            continue
        trap = _trap(bare(given[1]))
        if trap is not None and not _uses_key(trap):
            yield sight.mark("always-equal", made)


def _trap(table: Node) -> Node | None:
    for kid in table.kids:
        if kid.type == "method_definition" and name_of(kid) == "get":
            return kid
    found = field(table, "get")
    return found if found is not None and found.type in FUNCTIONS else None


def _uses_key(trap: Node) -> bool:
    keys = {name for pattern in parameters(trap)[1:2] for name in names(pattern)}
    return any(one.type == "identifier" and one.text in keys for one in walk(trap.kids[-1]))
