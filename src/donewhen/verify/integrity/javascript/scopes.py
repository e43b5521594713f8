"""Which expression a name stands for: constants, results kept in a variable, rows of a table, imports.

Only what is written in the same file is followed, and only where one meaning is possible; parameters are
known by the call that is looked at (`Env`) or not at all.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.folding import key_of
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    HOLDERS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
    name_of,
    names,
    parameters,
    prop,
)
from donewhen.verify.integrity.javascript.tree import Script

Env = dict[int, dict[str, Node]]
"""Function → what its parameters are in the call that is followed."""

_ROW_CALLS = frozenset(("forEach", "map", "flatMap"))
_GROWS = frozenset(("push", "unshift", "splice"))
_EACH = frozenset(("each", "for"))
_ROWS = 5000


class Import(NamedTuple):
    module: str
    name: str  # exported name; "*" or "default" for the whole


class Bound:
    """What one name may be in one scope: `rows` are alternatives by design, else more than one is unclear."""

    __slots__ = ("changed", "nodes", "rows")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.rows = False
        self.changed = False


class Scopes:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.scopes: dict[int, dict[str, Bound]] = {}
        self.imports: dict[str, Import] = {}
        self.functions: dict[str, Node] = {}  # by name; the first wins
        self.methods: dict[str, Node] = {}  # of classes and objects of this file
        self.grown: set[str] = set()  # names of lists that are filled later
        self.holders: set[str] = set()  # names of objects of this file that hold functions
        _fill(self, script)

    def find(self, node: Node, name: str, env: Env | None = None) -> "Bound | Node | None":
        """The binding of `name` as seen from `node`; a Node where the call followed says what it is."""
        here = node if node.type in HOLDERS else node.holder
        while here is not None:
            scope = self.scopes.get(id(here))
            if scope is not None and name in scope:
                if env and id(here) in env and name in env[id(here)]:
                    return env[id(here)][name]
                return scope[name]
            here = here.holder
        return None

    def resolve(self, node: Node, env: Env | None = None) -> list[Node]:
        """What an identifier or `row.field` stands for; nothing where that is open."""
        if is_member(node):
            return self._field(node, env)
        found = self.find(node, node.text, env)
        if isinstance(found, Node):
            return [found]
        if found is None or found.changed or (len(found.nodes) != 1 and not found.rows):
            return []
        return found.nodes

    def _field(self, member: Node, env: Env | None) -> list[Node]:
        holder = bare(member.kids[0])
        if holder.type != "identifier":
            return []
        name = prop(member)
        made = [field(one, name) for one in self.resolve(holder, env) if one.type == "object"]
        return [one for one in made if one is not None]

    def rows(self, node: Node, env: Env | None = None, depth: int = 4) -> list[Node] | None:
        """The rows of a table, None where they can't be told."""
        node = bare(node)
        while depth and node.type == "identifier":
            known = self.resolve(node, env)
            if len(known) != 1 or node.text in self.grown:
                return None
            node, depth = bare(known[0]), depth - 1
        if node.type == "array":
            return None if any(kid.type == "spread_element" for kid in node.kids) else node.kids[:_ROWS]
        if node.type in ("call_expression", "new_expression"):
            return self._made_rows(node, env, depth)
        return None

    def _made_rows(self, call: Node, env: Env | None, depth: int) -> list[Node] | None:
        given = arguments(call)
        maker = dotted(callee(call))
        if not depth or len(given) != 1:
            return None
        if maker in ("Object.freeze", "Set", "Map", "Array.from"):
            return self.rows(given[0], env, depth - 1)
        if maker not in ("Object.entries", "Object.keys", "Object.values"):
            return None
        table = bare(given[0])
        if table.type == "identifier":
            known = self.resolve(table, env)
            table = bare(known[0]) if len(known) == 1 else table
        if table.type != "object":
            return None
        pairs = [kid for kid in table.kids if kid.type == "pair" and len(kid.kids) == 2]
        return [_ENTRY[maker](pair) for pair in pairs[:_ROWS]]


def field(table: Node, name: str) -> Node | None:
    for kid in table.kids:
        if kid.type == "pair" and len(kid.kids) == 2 and values.unquoted(key_of(kid)) == name:
            return kid.kids[1]
        if kid.type == "shorthand_property_identifier" and kid.text == name:
            return kid
    return None


def _key(pair: Node) -> Node:
    key = Node("string", pair.line, pair.start, pair)
    key.text = key_of(pair)
    key.value = key.text or None
    return key


def _entry(pair: Node) -> Node:
    entry = Node("array", pair.line, pair.start, pair.parent)
    entry.end = pair.end
    entry.kids = [_key(pair), pair.kids[1]]
    return entry


def _value(pair: Node) -> Node:
    return pair.kids[1]


_ENTRY = {"Object.entries": _entry, "Object.keys": _key, "Object.values": _value}


def _fill(scopes: Scopes, script: Script) -> None:
    """In this order: what is declared, then what changes it, then the rows that loops give."""
    steps: list[tuple[str, Callable[[Scopes, Node], None]]] = [
        (kind, _declare_function) for kind in sorted(FUNCTIONS)
    ]
    steps += [
        ("variable_declarator", _declare),
        ("import_statement", _import),
        ("assignment_expression", _assign),
        ("augmented_assignment_expression", _change),
        ("update_expression", _change),
        ("for_in_statement", _bind_loop),
        ("call_expression", _bind_callback),
    ]
    for kind, step in steps:
        for node in script.kinds.get(kind, ()):
            step(scopes, node)


def _bind_loop(scopes: Scopes, loop: Node) -> None:
    rows = scopes.rows(loop.kids[-2])
    bind(scopes, loop, loop.kids[0], rows or [], rows=True)


def _declare_function(scopes: Scopes, function: Node) -> None:
    scope = scopes.scopes.setdefault(id(function), {})
    for pattern in parameters(function):
        for name in names(pattern):
            scope.setdefault(name, Bound())
    if function.type == "method_definition":
        scopes.methods.setdefault(name_of(function), function)
    elif function.type in ("function_declaration", "generator_function_declaration"):
        for kid in function.kids:
            if kid.type == "identifier":
                scopes.functions.setdefault(kid.text, function)
                _bound(scopes, function.parent or function, kid.text).nodes.append(function)
                break


def _holder(node: Node) -> Node:
    return node if node.type in HOLDERS or node.holder is None else node.holder


def _bound(scopes: Scopes, place: Node, name: str) -> Bound:
    return scopes.scopes.setdefault(id(_holder(place)), {}).setdefault(name, Bound())


def _declare(scopes: Scopes, node: Node) -> None:
    if not node.kids:
        return
    pattern = node.kids[0]
    given = node.kids[-1] if len(node.kids) > 1 and node.kids[-1].type != "type_annotation" else None
    if given is None:
        for name in names(pattern):
            _bound(scopes, node, name)
        return
    source = bare(given)
    module = required(source)
    if module:
        _import_names(scopes, pattern, module, source)
    if source.type == "object" and pattern.type == "identifier":
        _hold(scopes, pattern.text, source)
    if source.type in FUNCTIONS and pattern.type == "identifier":
        scopes.functions.setdefault(pattern.text, source)
    bind(scopes, node, pattern, [source])


def _hold(scopes: Scopes, name: str, table: Node) -> None:
    for kid in table.kids:
        if kid.type == "method_definition":
            scopes.holders.add(name)
        elif kid.type == "pair" and kid.kids[-1].type in FUNCTIONS:
            scopes.holders.add(name)
            scopes.methods.setdefault(kid.kids[0].text.strip('"'), kid.kids[-1])


def required(source: Node) -> str:
    """The module of `require("x")`, `await import("x")` and a member of it."""
    here = source
    while is_member(here):
        here = bare(here.kids[0])
    if here.type != "call_expression" or here.kids[0].text not in ("require", "import"):
        return ""
    given = arguments(here)
    return values.unquoted(given[0].value) if given and given[0].value else ""


def _import_names(scopes: Scopes, pattern: Node, module: str, source: Node) -> None:
    if pattern.type == "identifier":
        scopes.imports[pattern.text] = Import(module, prop(source) if is_member(source) else "*")
        return
    for kid in pattern.kids:
        if kid.type == "shorthand_property_identifier_pattern":
            scopes.imports[kid.text] = Import(module, kid.text)
        elif kid.type == "pair_pattern" and len(kid.kids) == 2:
            for name in names(kid.kids[1]):
                scopes.imports[name] = Import(module, kid.kids[0].text)


def _import(scopes: Scopes, node: Node) -> None:
    module = values.unquoted(node.kids[-1].value or "") if node.kids else ""
    for clause in node.kids:
        if clause.type != "import_clause":
            continue
        for kid in clause.kids:
            if kid.type == "identifier":
                scopes.imports[kid.text] = Import(module, "default")
            elif kid.type == "namespace_import" and kid.kids:
                scopes.imports[kid.kids[-1].text] = Import(module, "*")
            for one in kid.kids if kid.type == "named_imports" else ():
                if one.kids:
                    scopes.imports[one.kids[-1].text] = Import(module, one.kids[0].text)


def _assign(scopes: Scopes, node: Node) -> None:
    if len(node.kids) != 2:
        return
    target = node.kids[0]
    if target.type in ("array_pattern", "object_pattern"):
        bind(scopes, node, target, [bare(node.kids[1])], existing=True)
    elif target.type == "identifier":
        found = scopes.find(node, target.text)
        if isinstance(found, Bound):
            found.nodes.append(bare(node.kids[1]))


def _change(scopes: Scopes, node: Node) -> None:
    for kid in node.kids:
        if kid.type == "identifier":
            found = scopes.find(node, kid.text)
            if isinstance(found, Bound):
                found.changed = True
            return


def bind(
    scopes: Scopes,
    place: Node,
    pattern: Node,
    sources: list[Node],
    *,
    rows: bool = False,
    existing: bool = False,
) -> None:
    """Gives every name of a pattern its part of the sources, or the whole where parts can't be told."""
    waiting = [(pattern, sources)]
    while waiting:
        here, given = waiting.pop()
        if here.type in ("identifier", "shorthand_property_identifier_pattern"):
            found = scopes.find(place, here.text) if existing else None
            bound = found if isinstance(found, Bound) else _bound(scopes, place, here.text)
            bound.nodes.extend(given)
            bound.rows = bound.rows or rows
        elif here.type == "array_pattern":
            waiting.extend((kid, _column(given, at)) for at, kid in enumerate(here.kids))
        elif here.type == "object_pattern":
            waiting.extend(_fields(here, given))
        elif here.type in ("assignment_pattern", "object_assignment_pattern", "rest_pattern") and here.kids:
            waiting.append((here.kids[0], given))


def _column(sources: Iterable[Node], at: int) -> list[Node]:
    found: list[Node] = []
    for source in sources:
        row = bare(source)
        if row.type != "array":
            found.append(row)
        elif at < len(row.kids):
            found.append(row.kids[at])
    return found


def _fields(pattern: Node, sources: list[Node]) -> list[tuple[Node, list[Node]]]:
    found: list[tuple[Node, list[Node]]] = []
    for kid in pattern.kids:
        leaf = kid.kids[0] if kid.kids and kid.type != "rest_pattern" else kid
        target = kid.kids[-1] if kid.type == "pair_pattern" else kid
        parts = [field(row, leaf.text) if row.type == "object" else row for row in map(bare, sources)]
        found.append((target, [part for part in parts if part is not None]))
    return found


def _bind_callback(scopes: Scopes, call: Node) -> None:
    """`cases.forEach((row) => …)` and `it.each(cases)(title, (a, b) => …)` give parameters their rows."""
    maker = callee(call)
    if is_member(maker) and prop(maker) in _GROWS:
        scopes.grown.add(dotted(maker.kids[0]))
    elif is_member(maker) and prop(maker) in _ROW_CALLS:
        function = next((one for one in arguments(call) if one.type in FUNCTIONS), None)
        rows = scopes.rows(maker.kids[0]) if function is not None else None
        patterns = parameters(function) if function is not None else []
        if function is not None and rows and patterns:
            bind(scopes, function, patterns[0], rows, rows=True)
    elif maker.type == "call_expression" and is_member(callee(maker)) and prop(callee(maker)) in _EACH:
        _bind_each(scopes, call, maker)


def _bind_each(scopes: Scopes, call: Node, maker: Node) -> None:
    function = next((one for one in arguments(call) if one.type in FUNCTIONS), None)
    given = arguments(maker)
    if function is None or not given:
        return
    rows = scopes.rows(given[0])
    if not rows:
        return
    spread = all(bare(row).type == "array" for row in rows) and prop(callee(maker)) == "each"
    for at, pattern in enumerate(parameters(function)):
        if not spread and at:
            break
        bind(scopes, function, pattern, _column(rows, at) if spread else rows, rows=True)
