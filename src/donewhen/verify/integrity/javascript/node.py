"""One node of the light tree, and how its usual parts are reached."""

from collections.abc import Iterator

FUNCTIONS = frozenset(
    "arrow_function function_declaration function_expression method_definition generator_function "
    "generator_function_declaration".split()
)
HOLDERS = FUNCTIONS | {"program", "statement_block", "for_statement", "for_in_statement", "class_body"}
"""What may hold names of its own."""
_MEMBERS = frozenset(("member_expression", "subscript_expression"))
_ROOTS = frozenset(("identifier", "this", "super", "meta_property", "import"))
_LONGEST_PATH = 30
_THROUGH = frozenset(
    "parenthesized_expression await_expression as_expression satisfies_expression non_null_expression".split()
)


NO_KIDS: "list[Node]" = []
"""Of leaves; never added to."""


class Node:
    """`kids` leave brackets, commas and keywords out, so places are fixed: a call is callee, arguments."""

    __slots__ = ("end", "holder", "kids", "line", "parent", "path", "start", "text", "type", "value")

    def __init__(
        self,
        kind: str,
        line: int,
        start: int,
        parent: "Node | None",
        kids: "list[Node] | None" = None,
    ) -> None:
        self.type = kind
        self.line = line
        self.start = start  # first of its tokens
        self.end = start  # after its last one
        self.parent = parent
        self.holder: Node | None = parent if parent is None or parent.type in HOLDERS else parent.holder
        self.kids: list[Node] = [] if kids is None else kids
        self.text = ""  # of a leaf
        self.value: str | None = None  # canonical, where it is a literal
        self.path: str | None = None  # what `dotted` found, once it was asked


def walk(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        if here.kids:
            waiting.extend(reversed(here.kids))


def bare(node: Node) -> Node:
    """The expression itself, without brackets, `await` and type assertions."""
    while node.type in _THROUGH and node.kids:
        node = node.kids[0]
    return node


def outer(node: Node) -> Node:
    """The other way: the outermost that only wraps it."""
    while node.parent is not None and node.parent.type in _THROUGH and node.parent.kids[0] is node:
        node = node.parent
    return node


def callee(call: Node) -> Node:
    return call.kids[0]


def arguments(call: Node) -> list[Node]:
    last = call.kids[-1] if call.kids else call
    return last.kids if last.type == "arguments" else []


def prop(member: Node) -> str:
    """The name after the last dot; of `a["b"]` as well, "" where it is computed."""
    last = member.kids[-1] if member.kids else member
    if member.type == "member_expression":
        return last.text
    value = last.value or ""
    return value[1:-1] if value.startswith('"') else ""


def dotted(node: Node) -> str:
    """`a.b.c`, however it is bracketed or chained; "" where it does not start with a name."""
    if node.path is None:
        node.path = _dotted(node)
    return node.path


def _dotted(node: Node) -> str:
    parts: list[str] = []
    node = bare(node)
    while node.type in _MEMBERS:
        name = prop(node)
        if not name or len(parts) > _LONGEST_PATH:
            return ""
        parts.append(name)
        node = bare(node.kids[0])
    if node.type not in _ROOTS:
        return ""
    parts.append(node.text)
    return ".".join(reversed(parts))


def is_member(node: Node) -> bool:
    return node.type in _MEMBERS


def body(function: Node) -> Node:
    return function.kids[-1] if function.kids else function


def parameters(function: Node) -> list[Node]:
    """The patterns of a function's parameters."""
    for kid in function.kids:
        if kid.type == "formal_parameters":
            return [_pattern(one) for one in kid.kids]
        if kid.type == "identifier" and function.type == "arrow_function":
            return [kid]
    return []


def _pattern(parameter: Node) -> Node:
    if parameter.type in ("required_parameter", "optional_parameter"):
        named = [kid for kid in parameter.kids if kid.type not in ("accessibility_modifier", "readonly")]
        return named[0] if named else parameter
    return parameter


def names(pattern: Node) -> Iterator[str]:
    """Every name that a pattern binds."""
    waiting = [pattern]
    while waiting:
        here = waiting.pop()
        if here.type in ("identifier", "shorthand_property_identifier_pattern"):
            yield here.text
        elif here.type in ("assignment_pattern", "object_assignment_pattern"):
            waiting.append(here.kids[0])
        elif here.type == "pair_pattern":
            waiting.append(here.kids[-1])
        elif here.type not in ("type_annotation",):
            waiting.extend(here.kids)


def name_of(function: Node) -> str:
    """What a function, method or class is called, or the name that it is given to."""
    for kid in function.kids:
        if kid.type in ("identifier", "type_identifier") and function.type != "arrow_function":
            return kid.text
        if kid.type in ("property_identifier", "private_property_identifier"):
            return kid.text
        if kid.type in ("formal_parameters", "statement_block", "class_body"):
            break
    holder = outer(function).parent
    if holder is None:
        return ""
    if holder.type in ("variable_declarator", "pair", "field_definition", "public_field_definition"):
        named = [kid for kid in holder.kids if kid.type.endswith("identifier") or kid.type == "string"]
        return named[0].text.strip('"') if named else ""
    if holder.type == "assignment_expression":
        return dotted(holder.kids[0]).rpartition(".")[2]
    return ""


def enclosing(node: Node) -> Node | None:
    """The function around it."""
    here = node.holder
    while here is not None and here.type not in FUNCTIONS:
        here = here.holder
    return here


def block_of(function: Node) -> list[Node]:
    """Its statements; of an arrow with an expression, that one."""
    inside = body(function)
    return inside.kids if inside.type == "statement_block" else [inside]


def inside(node: Node, holder: Node) -> bool:
    return holder.start <= node.start and node.end <= holder.end
