"""Go's grammar in the common kinds, and how Go gives names to things."""

from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.scope import Bound, Scope, Tongue, columns_of, rows_of

KINDS = {
    "call_expression": "call", "selector_expression": "select", "identifier": "ident",
    "field_identifier": "field",
    "type_identifier": "typename", "binary_expression": "binary", "unary_expression": "unary",
    "parenthesized_expression": "paren", "int_literal": "number", "float_literal": "number",
    "imaginary_literal": "number", "rune_literal": "string", "interpreted_string_literal": "string",
    "raw_string_literal": "string", "nil": "null", "composite_literal": "composite", "func_literal": "lambda",
    "function_declaration": "func", "method_declaration": "func", "if_statement": "if",
    "return_statement": "return",
    "statement_list": "block", "for_statement": "loop", "expression_switch_statement": "switch",
    "type_switch_statement": "switch", "expression_case": "arm", "default_case": "arm", "type_case": "arm",
    "index_expression": "index", "short_var_declaration": "assign", "var_spec": "assign",
    "const_spec": "assign",
    "assignment_statement": "reassign", "defer_statement": "defer", "type_conversion_expression": "cast",
}  # fmt: skip

_MAKERS = frozenset(("errors.New", "new"))
_PLAIN = frozenset(
    ("len", "cap", "string", "int", "int64", "float64", "byte", "rune", "fmt.Sprintf", "fmt.Sprint",
    "append", "make",
     "strings.NewReader", "bytes.NewBufferString", "context.Background", "errors.Is", "recover", "new",
     "fmt.Println", "fmt.Printf",
     "fmt.Print")
)  # fmt: skip


def assigned(twig: Twig) -> list[tuple[str, Twig | None]]:
    if twig.node.type in ("var_spec", "const_spec"):
        names = [kid for kid in twig.kids if kid.kind == "ident"]
        values = next((kid.kids for kid in twig.kids if kid.kind == "expression_list"), [])
    else:
        left, right = twig.get("left"), twig.get("right")
        names = list(left.kids) if left is not None else []
        values = right.kids if right is not None else []
        if twig.kind == "reassign" and twig.operator() != "=":
            values = []
    found: list[tuple[str, Twig | None]] = []
    for number, name in enumerate(names):
        value = values[number] if len(values) == len(names) else values[0] if len(values) == 1 else None
        found.append((name.text if name.kind == "ident" else "", value))
    return found


TONGUE = Tongue(assigned, _MAKERS, _PLAIN)


def params(function: Twig) -> tuple[str, ...]:
    """Names of the parameters, in order; without the receiver."""
    listed = function.get("parameters")
    return _names(listed) if listed is not None else ()


def receiver(function: Twig) -> tuple[str, str]:
    """Name and type of a method's receiver."""
    listed = function.get("receiver")
    if listed is None or not listed.kids:
        return "", ""
    names, kind = _names(listed), listed.kids[0].get("type")
    return (names[0] if names else ""), (kind.text.lstrip("*").partition("[")[0] if kind is not None else "")


def _names(listed: Twig) -> tuple[str, ...]:
    return tuple(kid.text for one in listed.kids for kid in one.kids if kid.kind == "ident")


def structs(grove: Grove) -> dict[str, list[str]]:
    """Fields of the struct types that the file declares."""
    found: dict[str, list[str]] = {}
    for spec in grove.kinds.get("type_spec", ()):
        name, kind = spec.get("name"), spec.get("type")
        if name is not None and kind is not None and kind.kind == "struct_type":
            found[name.text] = _fields(kind)
    return found


def _fields(struct: Twig) -> list[str]:
    listed = struct.kids[0].kids if struct.kids else []
    return [kid.text for one in listed for kid in one.kids if kid.kind == "field"]


def columns(loop: Twig, scope: Scope, known: dict[str, list[str]]) -> tuple[Scope, Twig, int | None]:
    """A range over a table: its names bound to what the rows hold."""
    body = loop.get("body") or loop
    clause = next((kid for kid in loop.kids if kid.kind == "range_clause"), None)
    left, right = (clause.get("left"), clause.get("right")) if clause is not None else (None, None)
    if right is None:
        return scope, body, None
    names = [kid.text for kid in left.kids] if left is not None else []
    found = rows_of(right, scope)
    if found is None:
        return {**scope, **dict.fromkeys(names)}, body, None
    entries, table = found
    bound = columns_of(scope, right, names[1:2] or ["_"], _row_fields(table, known))
    inner = dict(bound[0]) if bound is not None else dict(scope)
    keys = tuple(key for key, _ in entries if key is not None)
    if names and keys:
        inner[names[0]] = Bound(keys, scope)
    return inner, body, len(entries)


def _row_fields(table: Twig, known: dict[str, list[str]]) -> list[str] | None:
    kind = table.kids[0] if table.kids else None
    while kind is not None and kind.kind in ("slice_type", "array_type", "map_type", "pointer_type"):
        kind = kind.kids[-1] if kind.kids else None
    if kind is None:
        return None
    return _fields(kind) if kind.kind == "struct_type" else known.get(kind.text)
