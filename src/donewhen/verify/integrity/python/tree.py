"""A Python file as a light tree, made in one walk: what layout alone decides is already gone from it.

Comments, trailing commas, semicolons, brackets that only hold a line break and the way a string is quoted
leave no trace; comments are kept apart. Nodes know their parent and their place, so that "all calls inside
this function" is a slice and nobody walks a subtree twice. Depth is bounded: what lies deeper becomes one
leaf, and `deep` says where.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.python import atoms

if TYPE_CHECKING:
    from tree_sitter import Language, Tree
    from tree_sitter import Node as Raw

DEEPEST = 150  # levels; people stay below 60
_LOOSE = frozenset(
    "argument_list assert_statement assignment augmented_assignment elif_clause expression_statement "
    "for_statement if_clause if_statement keyword_argument pair parenthesized_expression return_statement "
    "while_statement with_item interpolation default_parameter list tuple set raise_statement".split()
)  # where brackets round an expression only hold a line break
_CLOSING = frozenset(")]}")
_GONE = "gone"  # kind of nodes that are no longer part of the tree
_APART = frozenset(("comment", "line_continuation"))

LEAF: "list[Node]" = []
"""The children of all that have none; never added to."""


class Node:
    __slots__ = ("at", "end", "field", "first", "kids", "kind", "last", "line", "parent", "word")

    def __init__(self, kind: str, field: str, line: int, parent: "Node | None") -> None:
        self.kind = kind
        self.field = field  # what it is to its parent: "condition", "body"; "" where the grammar has no name
        self.line = line
        self.parent = parent
        self.kids: list[Node] = []
        self.word = ""  # of a leaf
        self.at = 0  # place in the order of the text; `end` is the first place behind it
        self.end = 0
        self.first = 0  # place of its first word in the flat text, see `text`; `last` is behind its last one
        self.last = 0

    def get(self, field: str) -> "Node | None":
        for kid in self.kids:
            if kid.field == field:
                return kid
        return None

    def all(self, field: str) -> "list[Node]":
        return [kid for kid in self.kids if kid.field == field]

    @property
    def parts(self) -> "list[Node]":
        """Children that are more than punctuation and keywords."""
        return [kid for kid in self.kids if kid.parent is not None]

    def up(self) -> "Iterator[Node]":
        here = self.parent
        while here is not None:
            yield here
            here = here.parent


class Light:
    """The tree of one file."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.index: dict[str, list[Node]] = {}  # kind → nodes in the order of the text
        self._places: dict[str, list[int]] = {}  # of the nodes of a kind, once they were asked for
        self.comments: list[tuple[int, str]] = []  # line and text
        self.deep: list[int] = []  # lines where it was cut

    def moved(self, lines: dict[int, int]) -> None:
        """Gives every node the line that its statement has in `lines`."""
        known = sorted(lines)
        for nodes in self.index.values():
            for node in nodes:
                at = bisect_right(known, node.line) - 1
                node.line = lines[known[at]] if at >= 0 else node.line

    def fell(self) -> None:
        """Lets go of the tree: parents and children hold each other, and collecting that later is dear."""
        for nodes in self.index.values():
            for node in nodes:
                node.parent = None

    def inside(self, node: Node, kind: str) -> list[Node]:
        """Nodes of `kind` at and below `node`, in the order of the text."""
        nodes = self.index.get(kind)
        if not nodes:
            return []
        places = self._places.get(kind)
        if places is None:
            places = self._places[kind] = [each.at for each in nodes]
        first = bisect_left(places, node.at)
        return nodes[first : bisect_left(places, node.end, first)]


def grow(tree: "Tree", data: bytes) -> Light:
    light = Light(Node("module", "", 1, None))
    known, fields, given = _kinds(tree.language), syntax.fields(tree.language), _Data(data)
    cursor = tree.walk()
    stack: list[Node] = []
    order: list[Node] = []
    while True:
        raw = cursor.node
        assert raw is not None, "a cursor stands somewhere"
        kind, sign = known[raw.kind_id]
        if sign is not None:
            stack[-1].kids.append(sign)
        elif kind and (node := _enter(raw, kind, given, stack, light)):
            node.field = fields[cursor.field_id]
            node.at = len(order)
            order.append(node)
            if node.kids is not LEAF and cursor.goto_first_child():
                stack.append(node)
                continue
            _close(node, len(order))
        while not cursor.goto_next_sibling():
            if not stack or not cursor.goto_parent():
                return _indexed(light, order)
            _close(stack.pop(), len(order))


@lru_cache(maxsize=1)
def _kinds(language: "Language") -> dict[int, tuple[str, Node | None]]:
    """Number of a kind → its name, "" where it counts for nothing, and what all of a sign or keyword share.

    They are the same wherever they stand: one node each, without parent or place.
    """
    out: dict[int, tuple[str, Node | None]] = {}
    signs: dict[str, Node] = {}
    for number, (kind, named) in syntax.kinds(language).items():
        if not named and kind != ";":
            sign = signs.setdefault(kind, Node(kind, "", 0, None))
            sign.word = kind
            out[number] = kind, sign
        else:
            out[number] = (kind if named else ""), None
    return out


def _indexed(light: Light, order: list[Node]) -> Light:
    index: dict[str, list[Node]] = defaultdict(list)
    for node in order:
        index[node.kind].append(node)
    light.root, light.index = order[0] if order else light.root, index
    return light


class _Data:
    """The bytes of the file, asked for lines and texts in their order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._plain = data.decode() if data.isascii() else None  # bytes and characters are the same
        self._line = 1
        self._seen = 0  # bytes whose lines are counted

    def line(self, start: int) -> int:
        if start > self._seen:
            self._line += self._data.count(b"\n", self._seen, start)
            self._seen = start
        return self._line

    def text(self, start: int, end: int) -> str:
        if self._plain is not None:
            return self._plain[start:end]
        return self._data[start:end].decode(errors="replace")


def _enter(raw: "Raw", kind: str, data: _Data, stack: list[Node], light: Light) -> Node | None:
    start = raw.start_byte
    line = data.line(start)
    if kind in _APART:
        if kind == "comment":
            light.comments.append((line, data.text(start, raw.end_byte)))
        return None
    parent = stack[-1] if stack else None
    node = Node(kind, "", line, parent)
    if parent is not None:
        parent.kids.append(node)
    if kind == "identifier":
        node.word, node.kids = data.text(start, raw.end_byte), LEAF
    elif kind == "string":
        _string(node, data.text(start, raw.end_byte))
    elif not raw.child_count or kind == "string_content":
        node.word, node.kids = data.text(start, raw.end_byte), LEAF
    elif len(stack) >= DEEPEST:
        light.deep.append(line)
        node.kind, node.word, node.kids = "deep", " ".join(data.text(start, raw.end_byte).split()), LEAF
    return node


def _string(node: Node, raw: str) -> None:
    start = raw[: len(raw) - len(raw.lstrip("fFtTrRbBuU"))].lower()
    if ("f" in start or "t" in start) and "{" in raw:
        return
    node.word = atoms.string(raw) or raw
    node.kids = LEAF


def _close(node: Node, end: int) -> None:
    """What can be said only once the children are known."""
    node.end = end
    kids = node.kids
    if kids is LEAF:
        if node.kind in _QUOTES:
            node.word = _QUOTES[node.kind](node.word)
        return
    if node.kind == "import_from_statement":
        node.kids = [kid for kid in kids if kid.word not in ("(", ")")]
        if node.kids[-1].word == ",":
            del node.kids[-1]
    elif len(kids) > 1 and kids[-1].kind in _CLOSING and kids[-2].kind == ",":
        if node.kind != "tuple" or len(kids) > 4:
            del kids[-2]
    elif node.kind == "concatenated_string":
        _joined(node)
    elif node.kind == "parenthesized_expression":
        _unwrap(node)


def _start_of(token: str) -> str:
    return "".join(sorted(token.lower().rstrip("'\""))).replace("r", "") + '"'


def _end_of(token: str) -> str:
    return '"'


_QUOTES = {"string_start": _start_of, "string_end": _end_of}


def _joined(node: Node) -> None:
    """Strings side by side are one string, unless something is interpolated."""
    values = [atoms.unquoted(kid.word) for kid in node.kids if kid.kind == "string" and not kid.kids]
    if len(values) == len(node.kids) and None not in values:
        prefix = "b" if node.kids[0].word.startswith("b") else ""
        for kid in node.kids:
            kid.kind = _GONE
        node.kind, node.kids = "string", LEAF
        node.word = prefix + atoms.quoted("".join(value or "" for value in values))


def _unwrap(node: Node) -> None:
    """Takes brackets away that only hold a line break; the inner expression stands in their place."""
    parent = node.parent
    if parent is None or parent.kind not in _LOOSE or len(node.kids) != 3:
        return
    inner = node.kids[1]
    inner.field, inner.parent = node.field, parent
    parent.kids[-1] = inner
    node.kind = _GONE
