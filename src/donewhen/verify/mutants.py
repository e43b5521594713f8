"""Small changes of product code that a test should notice: chosen by a digest, applied by byte ranges.

A condition negated, a constant changed and a comparison flipped come first: they show best that a test only
asks for "something". Then arithmetic, a dropped statement, and at most two returns of nothing. Each is parsed
again, and one that is no code any more is left out. Pure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from donewhen.project.syntax import parse, text
from donewhen.verify.test_functions import language_of

if TYPE_CHECKING:
    from tree_sitter import Node

MOST = 12
_MOST_RETURNS = 2
_LARGEST = 2**20  # bytes of a file
_RANK = {"condition": 0, "constant": 0, "comparison": 0, "arithmetic": 1, "statement": 2, "return": 3}


class Mutant(NamedTuple):
    path: str
    line: int  # from 1
    start: int  # bytes that are replaced
    end: int
    text: bytes
    kind: str
    function: str  # of the product around it, with its place; "" where it stands in none

    def applied(self, data: bytes) -> bytes:
        return data[: self.start] + self.text + data[self.end :]

    def diff(self, data: bytes) -> str:
        """Its lines as a unified diff without context."""
        first = data.rfind(b"\n", 0, self.start) + 1
        last = data.find(b"\n", self.end)
        last = len(data) if last < 0 else last
        old = data[first:last].decode(errors="replace").splitlines()
        new = (data[first : self.start] + self.text + data[self.end : last]).decode(errors="replace")
        rows = [*(f"-{row.rstrip()}" for row in old), *(f"+{row.rstrip()}" for row in new.splitlines())]
        return "\n".join([f"{self.path}:{self.line}", *(row[:160] for row in rows[:12])])


def choose_mutants(
    sources: Mapping[str, bytes], lines: Mapping[str, Collection[int]], seed: str, most: int = MOST
) -> tuple[Mutant, ...]:
    """Of these lines; one a line as far as that goes, taking turns among the functions of the product."""
    functions: dict[tuple[str, str], list[Mutant]] = {}
    for path in sorted(sources):
        for mutant in mutants_of(path, sources[path], lines.get(path, ())):
            functions.setdefault((path, mutant.function), []).append(mutant)
    order = sorted(functions, key=lambda key: (not key[1], _draw(seed, *key)))  # what stands in none is last
    turns = zip_longest(*(_by_rank(functions[key], seed) for key in order))
    every = [each for turn in turns for each in turn if each is not None]
    found: list[Mutant] = []
    for several in (False, True):  # where there are few lines, a line has several
        for mutant in every:
            if len(found) < most and _is_wanted(mutant, found, several) and _is_code(mutant, sources):
                found.append(mutant)
    return tuple(found)


def _is_wanted(mutant: Mutant, found: Sequence[Mutant], several: bool) -> bool:
    if mutant.kind == "return" and sum(each.kind == "return" for each in found) == _MOST_RETURNS:
        return False
    place = mutant.path, mutant.line
    if several:
        return all((each.path, each.line, each.start) != (*place, mutant.start) for each in found)
    return all((each.path, each.line) != place for each in found)


def mutants_of(path: str, data: bytes, lines: Collection[int]) -> Iterator[Mutant]:
    """All that these lines have, as they stand; one may be no code."""
    language = language_of(path)
    if not language or language == "shell" or len(data) > _LARGEST or not lines:
        return
    wanted = frozenset(lines)
    waiting: list[tuple[Node, str]] = [(parse(language, data).root_node, "")]
    while waiting:
        node, function = waiting.pop()
        if "comment" in node.type or node.type in _UNTOUCHED or _is_guard(node):
            continue
        if node.end_point[0] + 1 < min(wanted) or node.start_point[0] + 1 > max(wanted):
            continue
        if node.type in _FUNCTIONS:
            function = f"{_name(node)}@{node.start_byte}"
        if node.start_point[0] + 1 in wanted:
            for kind, where, new in _edits(node, language):
                start, end = where
                yield Mutant(path, node.start_point[0] + 1, start, end, new, kind, function)
        waiting += ((kid, function) for kid in reversed(_inside(node)))


def _by_rank(mutants: Iterable[Mutant], seed: str) -> list[Mutant]:
    return sorted(mutants, key=lambda each: (_RANK[each.kind], _draw(seed, each.path, each.start, each.text)))


def _draw(*parts: object) -> bytes:
    return sha256(repr(parts).encode()).digest()


def _is_code(mutant: Mutant, sources: Mapping[str, bytes]) -> bool:
    data, language = sources[mutant.path], language_of(mutant.path)
    new = mutant.applied(data)
    if new == data:
        return False
    return parse(language, data).root_node.has_error or not parse(language, new).root_node.has_error


_FUNCTIONS = frozenset(
    "function_definition function_declaration method_declaration method_definition arrow_function"
    " function_expression generator_function_declaration generator_function function_item func_literal"
    " constructor_declaration lambda_expression".split()
)
_UNTOUCHED = frozenset(
    "import_statement import_from_statement future_import_statement import_declaration use_declaration"
    " decorator attribute_item annotation type type_annotation package_clause package_declaration"
    " interface_declaration type_alias_declaration".split()
)
_FLIPS = {
    "==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
_ARITHMETIC = {
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "+", "**": "*", "+=": "-=", "-=": "+=",
    "*=": "+=", "and": "or", "or": "and", "&&": "||", "||": "&&", "<<": ">>", ">>": "<<", "&": "|", "|": "&",
}  # fmt: skip
_OPERATIONS = frozenset(
    "comparison_operator binary_expression binary_operator boolean_operator augmented_assignment"
    " augmented_assignment_expression assignment_statement compound_assignment_expr"
    " assignment_expression".split()
)
_CONDITIONAL = frozenset(
    "if_statement elif_clause while_statement if_expression while_expression ternary_expression"
    " do_statement".split()
)
_NUMBERS = frozenset(
    "integer float number int_literal float_literal integer_literal decimal_integer_literal"
    " decimal_floating_point_literal".split()
)
_STRINGS = frozenset(
    "string template_string string_literal interpreted_string_literal raw_string_literal".split()
)
_OPPOSITE = {"true": "false", "false": "true", "True": "False", "False": "True"}
_NOTHING = {"python": "None", "javascript": "undefined", "typescript": "undefined", "tsx": "undefined"}
Edit = tuple[str, tuple[int, int], bytes]  # kind, bytes that are replaced, by what


def _edits(node: "Node", language: str) -> Iterator[Edit]:
    kind = node.type
    if kind in _CONDITIONAL or kind == "conditional_expression":
        yield from _condition(node, language)
    if kind in _OPERATIONS:
        for sign in node.children:
            new = "" if sign.is_named else _FLIPS.get(sign.type) or _ARITHMETIC.get(sign.type, "")
            if new:
                name = "comparison" if sign.type in _FLIPS else "arithmetic"
                yield name, (sign.start_byte, sign.end_byte), new.encode()
    elif kind in _NUMBERS or kind in _STRINGS or kind in _OPPOSITE:
        yield from _constant(node)
    elif kind == "expression_statement":
        yield from _dropped(node, language)
    elif kind == "return_statement" and language in _NOTHING and node.named_children:
        value = node.named_children[0]
        if text(value) != _NOTHING[language]:
            new = _NOTHING[language] + "\n" * text(value).count("\n")
            yield "return", (value.start_byte, value.end_byte), new.encode()


def _condition(node: "Node", language: str) -> Iterator[Edit]:
    condition = node.child_by_field_name("condition")
    if node.type == "conditional_expression" and len(node.named_children) == 3:  # Python's has no fields
        condition = node.named_children[1]
    if condition is None or condition.type.startswith("let_"):
        return
    negation = "not " if language == "python" else "!"
    written = text(condition)
    is_round = condition.type == "parenthesized_expression"
    new = f"({negation}{written})" if is_round else f"{negation}({written})"
    yield "condition", (condition.start_byte, condition.end_byte), new.encode()


def _constant(node: "Node") -> Iterator[Edit]:
    written = text(node)
    where = (node.start_byte, node.end_byte)
    if node.type in _OPPOSITE:
        yield "constant", where, _OPPOSITE.get(written, written).encode()
    elif node.type in _NUMBERS:
        digits = written.replace("_", "")
        if digits.isdigit():
            yield "constant", where, str(int(digits) + 1).encode()
        elif digits.replace(".", "", 1).isdigit():
            yield "constant", where, str(float(digits) + 1).encode()
    else:
        head = next((at for at, sign in enumerate(written) if sign in "\"'`"), -1)
        if head >= 0 and len(written) > 1:
            length = 3 if written[head : head + 3] in ('"""', "'''") else 1
            at = node.start_byte + head + length
            yield "constant", (at, at), b"XX"


def _dropped(node: "Node", language: str) -> Iterator[Edit]:
    """A call or an assignment to something that is there already; a new name would be missed everywhere."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None or inner.type in (*_STRINGS, "yield", "ellipsis"):
        return
    left = inner.child_by_field_name("left")
    if inner.type == "assignment" and left is not None and left.type not in ("attribute", "subscript"):
        return
    new = b"pass" if language == "python" else b";"
    new += b"\n" * text(node).count("\n")  # what follows stays on its line
    yield "statement", (node.start_byte, node.end_byte), new


def _inside(node: "Node") -> Sequence["Node"]:
    """Its parts but a docstring, which nobody computes with."""
    kids = node.children
    if node.type == "expression_statement" and len(kids) <= 2 and kids and kids[0].type == "string":
        return ()
    return kids


def _is_guard(node: "Node") -> bool:
    """`if TYPE_CHECKING:` and `if __name__ == …:` are no behaviour."""
    condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
    return condition is not None and any(each in text(condition) for each in ("TYPE_CHECKING", "__name__"))


def _name(node: "Node") -> str:
    name = node.child_by_field_name("name")
    return text(name) if name is not None else ""
