"""A script as a light tree of its own: one walk over the parser's tree, then everything is cheap.

Layout is gone already: quotes, semicolons, trailing commas and brackets round one parameter are written one
way, comments are kept apart. Nothing here knows tests; nothing recurses, so depth does no harm.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.folding import FOLDED
from donewhen.verify.integrity.javascript.node import NO_KIDS, Node

if TYPE_CHECKING:
    from tree_sitter import Language, Tree
    from tree_sitter import Node as Raw


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
_PUNCTUATION = _CLOSING | {";"}
_PLAIN = _DROPPED - _PUNCTUATION
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


def fell(script: Script) -> None:
    """Lets go of the tree: parents and children hold each other, and collecting that later is dear."""
    script.root.kids = NO_KIDS
    for nodes in script.kinds.values():
        for node in nodes:
            node.kids = NO_KIDS


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
        self.plain_text = data.decode() if data.isascii() else None  # bytes and characters are the same
        self.tokens: list[str] = []
        self.shapes: list[str] = []
        self.kinds: dict[str, list[Node]] = defaultdict(list)
        self.comments: list[tuple[int, str]] = []
        self.literals: set[str] = set()
        self._line = 1
        self._seen = 0  # bytes whose lines are counted

    def build(self, tree: "Tree") -> Script:
        root = here = Node("program", 1, 0, None)
        tokens, shapes, known = self.tokens, self.shapes, _handlers(tree.language)
        around: list[tuple[Node, Iterator[Raw]]] = []
        children = iter(tree.root_node.children)
        while True:
            for raw in children:
                kind, handle = known[raw.kind_id]
                if handle is None:
                    tokens.append(kind)
                    shapes.append(kind)
                    continue
                node = handle(self, raw, kind, here)
                if node is not None:
                    around.append((here, children))
                    here, children = node, iter(raw.children)
                    break
            else:
                self.leave(here)
                if not around:
                    break
                here, children = around.pop()
        return Script(root, self.tokens, self.shapes, self.kinds, self.comments, self.literals)

    def other(self, raw: "Raw", kind: str, here: Node) -> Node | None:
        """What is to be gone into; a leaf is done with at once."""
        if not raw.child_count:
            self.plain(raw, kind, here)
            return None
        if kind == "template_string" and "${" not in (written := self.decoded(raw)):
            self.leaf(raw, here, "string", values.string(written[1:-1]))
            return None
        node = Node(kind, self.line(raw.start_byte), len(self.tokens), here)
        here.kids.append(node)
        self.kinds[kind].append(node)
        return node

    def line(self, start: int) -> int:
        """Nodes come in the order of the text, so lines are counted on."""
        if start > self._seen:
            self._line += self.data.count(b"\n", self._seen, start)
            self._seen = start
        return self._line

    def plain(self, raw: "Raw", kind: str, here: Node) -> None:
        written = self.decoded(raw)
        if written:
            self.word(raw, kind, here, written, "N" if kind in _NAMES else written)

    def identifier(self, raw: "Raw", kind: str, here: Node) -> None:
        written = self.decoded(raw)
        if not written:
            return
        bare = here.type == "arrow_function" and not _bracketed(here)
        if bare:
            self.add("(")
        node = self.word(raw, kind, here, written, "N")
        self.kinds[kind].append(node)
        if written == "NaN" or written == "Infinity":
            node.value = written
        if bare:
            self.add(")")

    def constant(self, raw: "Raw", kind: str, here: Node) -> None:
        if self.decoded(raw):
            self.leaf(raw, here, kind, kind)

    def word(self, raw: "Raw", kind: str, here: Node, written: str, shape: str) -> Node:
        tokens = self.tokens
        node = Node(kind, self.line(raw.start_byte), len(tokens), here, NO_KIDS)
        node.text = written
        tokens.append(written)
        self.shapes.append(shape)
        node.end = len(tokens)
        here.kids.append(node)
        return node

    def leaf(self, raw: "Raw", here: Node, kind: str, value: str, token: str | None = None) -> None:
        node = Node(kind, self.line(raw.start_byte), len(self.tokens), here, NO_KIDS)
        node.text = node.value = value
        self.add(value if token is None else token, "L")
        node.end = len(self.tokens)
        here.kids.append(node)
        self.kinds[kind].append(node)
        self.literals.add(value)

    def string(self, raw: "Raw", kind: str, here: Node) -> None:
        value = values.string(self.decoded(raw)[1:-1])
        key = _KEY.match(value) if here.type == "pair" and not here.kids else None
        self.leaf(raw, here, "string", value, key[1] if key else None)

    def number(self, raw: "Raw", kind: str, here: Node) -> None:
        if raw.is_named:
            self.leaf(raw, here, "number", values.number(self.decoded(raw)))
        else:
            self.add("number", "N")

    def regex(self, raw: "Raw", kind: str, here: Node) -> None:
        self.leaf(raw, here, "regex", self.decoded(raw))

    def comment(self, raw: "Raw", kind: str, here: Node) -> None:
        self.comments.append((self.line(raw.start_byte), _BLANKS.sub(" ", self.decoded(raw))))

    def prose(self, raw: "Raw", kind: str, here: Node) -> None:
        said = _BLANKS.sub(" ", self.decoded(raw)).strip()
        if said:
            self.leaf(raw, here, "string", values.quoted(said))

    def imported(self, raw: "Raw", kind: str, here: Node) -> None:
        """The keyword, or what is called like a function."""
        if here.type == "call_expression":
            self.plain(raw, kind, here)
        else:
            self.add(kind)

    def punctuation(self, raw: "Raw", kind: str, here: Node) -> None:
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
        kind = node.type
        parts = _PARTS.get(kind)
        if parts is not None and not parts[0] <= len(node.kids) <= parts[1]:
            self.kinds[kind].remove(node)
            node.type = "ERROR"  # torn: nobody may rely on its parts
            return
        fold = FOLDED.get(kind)
        if fold is not None:
            value = fold(node)
            if value is not None:
                node.value = value
                self.literals.add(value)

    def decoded(self, raw: "Raw") -> str:
        if self.plain_text is not None:
            return self.plain_text[raw.start_byte : raw.end_byte]
        return self.data[raw.start_byte : raw.end_byte].decode(errors="replace")


def _bracketed(arrow: Node) -> bool:
    return any(kid.type != "async" for kid in arrow.kids)


_Handler = Callable[[_Builder, "Raw", str, Node], Node | None]
_HANDLERS: dict[str, _Handler] = {
    **dict.fromkeys(_PUNCTUATION, _Builder.punctuation),
    **dict.fromkeys(_WORDS, _Builder.constant),
    **dict.fromkeys((*_NAMES, "optional_chain", "predefined_type"), _Builder.plain),
    "identifier": _Builder.identifier,
    "import": _Builder.imported,
    "string": _Builder.string,
    "number": _Builder.number,
    "regex": _Builder.regex,
    "comment": _Builder.comment,
    "html_comment": _Builder.comment,
    "hash_bang_line": _Builder.comment,
    "jsx_text": _Builder.prose,
}


@lru_cache(maxsize=8)
def _handlers(language: "Language") -> dict[int, tuple[str, _Handler | None]]:
    """Number of a kind → its name, and who takes it; nobody where it is nothing but a token."""
    plain = _PLAIN - {"import"}
    return {
        number: (kind, None if kind in plain else _HANDLERS.get(kind, _Builder.other))
        for number, (kind, _) in syntax.kinds(language).items()
    }
