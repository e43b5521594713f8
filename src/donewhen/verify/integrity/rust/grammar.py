"""Rust's grammar in the common kinds, macros opened so that what is asserted can be read.

The grammar knows the inside of a macro only as tokens. `assert_eq!(a, b)` is therefore read as the call
`assert_eq (a, b)`: one blank for the mark, every place stays where it was.
"""

import re

from donewhen.verify.integrity.curly.grove import Grove, Twig, grow
from donewhen.verify.integrity.curly.scope import Scope, Tongue, columns_of

KINDS = {
    "call_expression": "call", "field_expression": "select", "scoped_identifier": "select",
    "identifier": "ident",
    "field_identifier": "field", "type_identifier": "typename", "self": "ident",
    "binary_expression": "binary",
    "unary_expression": "unary", "negative_literal": "unary", "reference_expression": "ref",
    "parenthesized_expression": "paren", "integer_literal": "number", "float_literal": "number",
    "boolean_literal": "true", "string_literal": "string", "raw_string_literal": "string",
    "char_literal": "string",
    "array_expression": "list", "tuple_expression": "list", "tuple_pattern": "list",
    "closure_expression": "lambda",
    "function_item": "func", "if_expression": "if", "return_expression": "return", "for_expression": "loop",
    "while_expression": "loop", "match_expression": "switch", "match_arm": "arm", "index_expression": "index",
    "let_declaration": "assign", "const_item": "assign", "static_item": "assign",
    "assignment_expression": "reassign",
    "compound_assignment_expr": "reassign", "macro_invocation": "macro", "struct_expression": "composite",
    "field_initializer_list": "literal_value", "type_cast_expression": "cast_as",
}  # fmt: skip
ASSERTS = (
    "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "prop_assert",
    "prop_assert_eq", "prop_assert_ne",
)  # fmt: skip
_OPENED = re.compile(rb"\b((?:debug_|prop_)?assert(?:_eq|_ne)?)!(?=\s*\()")
_VEC = re.compile(rb"\bvec!(?=\s*\[)")
_DRAWN = re.compile(rb"\bfn\s+\w+\s*\(([^{};]{1,300})\)\s*\{")
_MAKERS = frozenset(
    ("String::from", "Some", "Ok", "Box::new", "Rc::new", "Arc::new", "HashMap::from", "BTreeMap::from",
    "HashSet::from",
     "BTreeSet::from", "Vec::from", ".to_string", ".to_owned", ".into", ".to_vec", ".clone", ".as_str")
)  # fmt: skip
_PLAIN = frozenset(
    ("Err", "format", "std::time::Duration::from_secs", "Duration::from_secs", "Duration::from_millis")
)


def planted(data: bytes) -> Grove:
    """The file's tree, with macros opened unless that would break it."""
    opened = _VEC.sub(rb"   &", _OPENED.sub(rb"\1 ", data))
    if b"proptest!" in opened:
        opened = _DRAWN.sub(_blank, opened.replace(b"proptest!", b"mod p_t__"))
    grove = grow("rust", opened, KINDS)
    if opened != data and grove.tree.root_node.has_error:
        plain = grow("rust", data, KINDS)
        return grove if plain.tree.root_node.has_error else plain
    return grove


def _blank(found: re.Match[bytes]) -> bytes:
    """`x in 0..10` is no parameter that the grammar knows."""
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    whole = found.group(0)
    if b" in " not in whole:
        return whole
    return whole[:start] + re.sub(rb"[^\n]", b" ", whole[start:end]) + whole[end:]


def _pattern(pattern: Twig | None) -> list[str]:
    while (
        pattern is not None
        and pattern.kind in ("reference_pattern", "mut_pattern", "ref_pattern")
        and pattern.kids
    ):
        pattern = pattern.kids[-1]
    if pattern is None:
        return []
    if pattern.kind == "list":
        return [(_pattern(kid) or ["_"])[0] for kid in pattern.kids]
    if pattern.kind == "ident":
        return [pattern.text]
    return [name for kid in pattern.kids for name in (_pattern(kid) if kid.kind == "ident" else [])]


def assigned(twig: Twig) -> list[tuple[str, Twig | None]]:
    if twig.kind == "reassign":
        left = twig.get("left")
        plain = twig.node.type == "assignment_expression"
        return (
            [(left.text, twig.get("right") if plain else None)]
            if left is not None and left.kind == "ident"
            else []
        )
    value = twig.get("value")
    name = twig.get("name")
    if name is not None:
        return [(name.text, value)]
    pattern = twig.get("pattern")
    names = _pattern(pattern)
    if pattern is not None and pattern.kind == "list" and value is not None and value.kind == "list":
        return list(zip(names, value.kids, strict=False))
    return [(one, value) for one in names]


TONGUE = Tongue(assigned, _MAKERS, _PLAIN, frozenset((".expect", ".expect_err")))


def params(function: Twig) -> tuple[str, ...]:
    listed = function.get("parameters")
    found: list[str] = []
    for kid in listed.kids if listed is not None else ():
        if kid.kind == "parameter":
            found += _pattern(kid.get("pattern"))[:1] or ["_"]
        elif kid.kind == "ident":
            found.append(kid.text)
    return tuple(found)


def columns(loop: Twig, scope: Scope) -> tuple[Scope, Twig, int | None]:
    body, value = loop.get("body") or loop, loop.get("value")
    names = _pattern(loop.get("pattern"))
    if value is None or not names:
        return scope, body, None
    bound = columns_of(scope, value, names)
    return ({**scope, **dict.fromkeys(names)}, body, None) if bound is None else (bound[0], body, bound[1])


def arm(twig: Twig) -> tuple[list[Twig], list[Twig]]:
    """Literals of an arm's pattern, alternatives and guard included, and what it gives."""
    pattern, value = twig.get("pattern"), twig.get("value")
    keys: list[Twig] = []
    waiting = list(pattern.kids) if pattern is not None else []
    while waiting:
        kid = waiting.pop(0)
        if kid.kind in ("or_pattern", "tuple_struct_pattern", "slice_pattern", "binary"):
            waiting[:0] = kid.kids
        else:
            keys.append(kid)
    return keys, [value] if value is not None else []
