"""Java's grammar in the common kinds, and how Java gives names to things."""

from donewhen.verify.integrity.curly.grove import Twig
from donewhen.verify.integrity.curly.scope import Scope, Tongue, columns_of

KINDS = {
    "method_invocation": "call", "object_creation_expression": "new", "field_access": "select",
    "identifier": "ident",
    "type_identifier": "typename", "this": "ident", "binary_expression": "binary",
    "unary_expression": "unary",
    "parenthesized_expression": "paren", "decimal_integer_literal": "number", "hex_integer_literal": "number",
    "octal_integer_literal": "number", "binary_integer_literal": "number",
    "decimal_floating_point_literal": "number",
    "hex_floating_point_literal": "number", "string_literal": "string", "character_literal": "string",
    "null_literal": "null", "array_initializer": "list", "element_value_array_initializer": "list",
    "array_creation_expression": "made", "lambda_expression": "lambda", "method_declaration": "func",
    "constructor_declaration": "func", "if_statement": "if", "return_statement": "return",
    "for_statement": "loop",
    "enhanced_for_statement": "loop", "while_statement": "loop", "switch_expression": "switch",
    "switch_block_statement_group": "arm", "switch_rule": "arm", "array_access": "index",
    "variable_declarator": "assign",
    "assignment_expression": "reassign", "ternary_expression": "ternary", "cast_expression": "cast",
    "try_statement": "try", "try_with_resources_statement": "try", "throw_statement": "throw",
    "assert_statement": "assert", "instanceof_expression": "instanceof", "class_declaration": "class",
    "record_declaration": "class", "enum_declaration": "class", "interface_declaration": "class",
    "constructor_body": "block",
}  # fmt: skip
_MAKERS = frozenset(
    ("List.of", "Set.of", "Map.of", "Map.ofEntries", "Map.entry", "Arrays.asList", "Stream.of", "Optional.of",
     "BigDecimal.valueOf", "BigInteger.valueOf", "Integer.valueOf", "Long.valueOf", "Double.valueOf",
     "ImmutableList.of",
     "Collections.singletonList", "Arguments.of", "IntStream.of")
)  # fmt: skip
_PLAIN = frozenset(("String.valueOf", "String.format", "Collections.emptyList", "List.copyOf"))


def assigned(twig: Twig) -> list[tuple[str, Twig | None]]:
    if twig.kind == "reassign":
        left = twig.get("left")
        value = twig.get("right") if twig.operator() == "=" else None
        return [(left.text, value)] if left is not None and left.kind == "ident" else []
    name = twig.get("name")
    return [(name.text, twig.get("value"))] if name is not None else []


TONGUE = Tongue(assigned, _MAKERS, _PLAIN)


def params(function: Twig) -> tuple[str, ...]:
    listed = function.get("parameters")
    if listed is None:
        return ()
    if listed.kind == "ident":
        return (listed.text,)
    found: list[str] = []
    for kid in listed.kids:
        name = kid.get("name") or next((one.get("name") for one in kid.kids if one.kind == "assign"), None)
        if kid.kind == "ident" or name is not None:
            found.append(name.text if name is not None else kid.text)
    return tuple(found)


def columns(loop: Twig, scope: Scope) -> tuple[Scope, Twig, int | None]:
    body, value, name = loop.get("body") or loop, loop.get("value"), loop.get("name")
    if value is None or name is None:
        return scope, body, None
    bound = columns_of(scope, value, [name.text])
    return ({**scope, name.text: None}, body, None) if bound is None else (bound[0], body, bound[1])


def arm(twig: Twig) -> tuple[list[Twig], list[Twig]]:
    label = next((kid for kid in twig.kids if kid.kind == "switch_label"), None)
    return (list(label.kids) if label is not None else []), [
        kid for kid in twig.kids if kid.kind != "switch_label"
    ]
