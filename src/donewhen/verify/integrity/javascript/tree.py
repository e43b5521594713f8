"""A script as a light tree of its own: one walk over the parser's tree, then everything is cheap.

Layout is gone already: quotes, semicolons, trailing commas and brackets round one parameter are written one
way, comments are kept apart. Nothing here knows tests; nothing recurses, so depth does no harm.
"""

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.folding import FOLDED
from donewhen.verify.integrity.javascript.node import Node

if TYPE_CHECKING:
    from tree_sitter import Node as Raw
    from tree_sitter import Tree


class Script(NamedTuple):
    root: Node
    tokens: list[str]
    shapes: list[str]  # the tokens without names and values
    kinds: dict[str, list[Node]]  # by type, in the order of the text
    comments: list[tuple[int, str]]
    literals: set[str]


_DROPPED = frozenset(
    "( ) { } [ ] ; , . : => = ? ` ${ ' \" const let var if else return function import from export default "
    "new class for while do switch case of try catch finally throw await yield extends as satisfies break "
    "continue with".split()
)
_NAMES = frozenset(
    "identifier property_identifier shorthand_property_identifier shorthand_property_identifier_pattern "
    "type_identifier private_property_identifier statement_identifier this super meta_property".split()
)
_WORDS = frozenset(("true", "false", "null", "undefined"))
_CLOSING = frozenset((")", "]", "}"))
_PLAIN = _DROPPED - _CLOSING - {";"}
_BLANKS = re.compile(r"\s+")
_KEY = re.compile(r'"([A-Za-z_$][\w$]*)"\Z')
_LEAST = {
    "arrow_function": 2,
    "augmented_assignment_expression": 2,
    "call_expression": 2,
    "catch_clause": 1,
    "for_in_statement": 3,
    "function_declaration": 2,
    "function_expression": 2,
    "generator_function": 2,
    "generator_function_declaration": 2,
    "if_statement": 2,
    "import_statement": 1,
    "member_expression": 2,
    "method_definition": 2,
    "new_expression": 1,
    "pair": 2,
    "subscript_expression": 2,
    "switch_case": 1,
    "switch_statement": 2,
    "try_statement": 2,
    "variable_declarator": 1,
}
_EXACT = {"assignment_expression": 2, "binary_expression": 3, "ternary_expression": 3, "unary_expression": 2}
_PARTS = {kind: (least, 1 << 30) for kind, least in _LEAST.items()} | {k: (n, n) for k, n in _EXACT.items()}
"""Kind → how many parts it has at least and at most where it was read whole."""
_LOOSE = frozenset(("program", "statement_block", "switch_case", "switch_default", "class_body"))
_SHOWN = 400  # tokens of one text; what is longer is told apart by its digest
_TIGHT_BEFORE = frozenset((")", "]", ",", ".", "?.", ":", ";"))
_TIGHT_AFTER = frozenset(("(", "[", ".", "?.", "!", "..."))


def light(tree: "Tree", data: bytes) -> Script:
    return _Builder(data).build(tree)


def normal(script: Script, node: Node) -> str:
    """Its text without comments and layout, as people write it."""
    pieces: list[str] = []
    before = "("
    shown = min(node.end, node.start + _SHOWN)
    for token in script.tokens[node.start : shown]:
        if not (token in _TIGHT_BEFORE or before in _TIGHT_AFTER or _called(before, token)):
            pieces.append(" ")
        pieces.append(token)
        before = token
    if shown < node.end:
        pieces.append(f" … {syntax.digest(*script.tokens[shown : node.end])}")
    return "".join(pieces)


def _called(before: str, token: str) -> bool:
    return token in ("(", "[") and (before[-1].isalnum() or before in (")", "]"))


class _Builder:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.tokens: list[str] = []
        self.shapes: list[str] = []
        self.kinds: dict[str, list[Node]] = defaultdict(list)
        self.comments: list[tuple[int, str]] = []
        self.literals: set[str] = set()

    def build(self, tree: "Tree") -> Script:
        cursor = tree.walk()
        root = here = Node("program", 1, 0, None)
        going = cursor.goto_first_child()
        while going:
            raw = cursor.node
            node = self.take(raw, here) if raw is not None else None
            if node is not None:
                if cursor.goto_first_child():
                    here = node
                    continue
                self.leave(node)
            while not cursor.goto_next_sibling():
                self.leave(here)
                if here.parent is None:
                    going = False
                    break
                cursor.goto_parent()
                here = here.parent
        return Script(root, self.tokens, self.shapes, self.kinds, self.comments, self.literals)

    def take(self, raw: "Raw", here: Node) -> Node | None:
        """What is to be gone into; a leaf is done with at once."""
        kind = raw.type
        if kind in _PLAIN:
            self.tokens.append(kind)
            self.shapes.append(kind)
            return None
        if kind in _DROPPED:
            self.punctuation(kind, here)
            return None
        whole = _WHOLE.get(kind)
        if whole is None and raw.child_count:
            if kind == "template_string" and b"${" not in self.written(raw):
                self.leaf(raw, here, "string", values.string(self.decoded(raw)[1:-1]))
                return None
            return self.inner(raw, kind, here)
        if whole is None:
            self.plain(raw, kind, here)
            return None
        whole(self, raw, here)
        return None

    def inner(self, raw: "Raw", kind: str, here: Node) -> Node:
        node = Node(kind, raw.start_point[0] + 1, len(self.tokens), here)
        here.kids.append(node)
        self.kinds[kind].append(node)
        return node

    def plain(self, raw: "Raw", kind: str, here: Node) -> None:
        written = self.decoded(raw)
        if not written:
            return
        if kind in _WORDS:
            self.leaf(raw, here, kind, kind)
            return
        bare = kind == "identifier" and here.type == "arrow_function" and not _bracketed(here)
        if bare:
            self.add("(")
        node = Node(kind, raw.start_point[0] + 1, len(self.tokens), here)
        node.text = written
        self.add(written, "N" if kind in _NAMES else written)
        node.end = len(self.tokens)
        if kind == "identifier" and written in ("NaN", "Infinity"):
            node.value = written
        here.kids.append(node)
        if kind == "identifier":
            self.kinds["identifier"].append(node)
        if bare:
            self.add(")")

    def leaf(self, raw: "Raw", here: Node, kind: str, value: str, token: str | None = None) -> None:
        node = Node(kind, raw.start_point[0] + 1, len(self.tokens), here)
        node.text = node.value = value
        self.add(value if token is None else token, "L")
        node.end = len(self.tokens)
        here.kids.append(node)
        self.kinds[kind].append(node)
        self.literals.add(value)

    def string(self, raw: "Raw", here: Node) -> None:
        value = values.string(self.decoded(raw)[1:-1])
        key = _KEY.match(value) if here.type == "pair" and not here.kids else None
        self.leaf(raw, here, "string", value, key[1] if key else None)

    def number(self, raw: "Raw", here: Node) -> None:
        if raw.is_named:
            self.leaf(raw, here, "number", values.number(self.decoded(raw)))
        else:
            self.add("number", "N")

    def regex(self, raw: "Raw", here: Node) -> None:
        self.leaf(raw, here, "regex", self.decoded(raw))

    def comment(self, raw: "Raw", here: Node) -> None:
        self.comments.append((raw.start_point[0] + 1, _BLANKS.sub(" ", self.decoded(raw))))

    def prose(self, raw: "Raw", here: Node) -> None:
        said = _BLANKS.sub(" ", self.decoded(raw)).strip()
        if said:
            self.leaf(raw, here, "string", values.quoted(said))

    def name(self, raw: "Raw", here: Node) -> None:
        self.plain(raw, raw.type, here)

    def punctuation(self, kind: str, here: Node) -> None:
        if kind == ";":
            if here.type != "empty_statement" or here.parent is None or here.parent.type in _LOOSE:
                return
        elif kind in _CLOSING and self.tokens and self.tokens[-1] == ",":
            self.tokens.pop()
            self.shapes.pop()
        self.add(kind)

    def add(self, token: str, shape: str | None = None) -> None:
        self.tokens.append(token)
        self.shapes.append(token if shape is None else shape)

    def leave(self, node: Node) -> None:
        node.end = len(self.tokens)
        parts = _PARTS.get(node.type)
        if parts is not None and not parts[0] <= len(node.kids) <= parts[1]:
            self.kinds[node.type].remove(node)
            node.type = "ERROR"  # torn: nobody may rely on its parts
            return
        fold = FOLDED.get(node.type)
        if fold is not None:
            node.value = fold(node)
            if node.value is not None:
                self.literals.add(node.value)

    def written(self, raw: "Raw") -> bytes:
        return self.data[raw.start_byte : raw.end_byte]

    def decoded(self, raw: "Raw") -> str:
        return self.data[raw.start_byte : raw.end_byte].decode(errors="replace")


def _bracketed(arrow: Node) -> bool:
    return any(kid.type != "async" for kid in arrow.kids)


_WHOLE = {
    "string": _Builder.string,
    "number": _Builder.number,
    "regex": _Builder.regex,
    "comment": _Builder.comment,
    "html_comment": _Builder.comment,
    "hash_bang_line": _Builder.comment,
    "jsx_text": _Builder.prose,
    "meta_property": _Builder.name,
    "optional_chain": _Builder.name,
    "predefined_type": _Builder.name,
}
