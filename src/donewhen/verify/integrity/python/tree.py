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

from donewhen.verify.integrity.python import atoms

if TYPE_CHECKING:
    from tree_sitter import Node as Raw
    from tree_sitter import Tree

DEEPEST = 150  # levels; people stay below 60
_LOOSE = frozenset(
    "argument_list assert_statement assignment augmented_assignment elif_clause expression_statement "
    "for_statement if_clause if_statement keyword_argument pair parenthesized_expression return_statement "
    "while_statement with_item interpolation default_parameter list tuple set raise_statement".split()
)  # where brackets round an expression only hold a line break
_CLOSING = frozenset(")]}")
_GONE = "gone"  # kind of nodes that are no longer part of the tree
_APART = frozenset(("comment", "line_continuation"))


class Node:
    __slots__ = ("at", "end", "field", "kids", "kind", "line", "parent", "word")

    def __init__(self, kind: str, field: str, line: int, parent: "Node | None") -> None:
        self.kind = kind
        self.field = field  # what it is to its parent: "condition", "body"; "" where the grammar has no name
        self.line = line
        self.parent = parent
        self.kids: list[Node] = []
        self.word = ""  # of a leaf
        self.at = 0  # place in the order of the text; `end` is the first place behind it
        self.end = 0

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
        first = bisect_left(nodes, node.at, key=_at)
        return nodes[first : bisect_left(nodes, node.end, lo=first, key=_at)]


def _at(node: Node) -> int:
    return node.at


def grow(tree: "Tree", data: bytes) -> Light:
    light = Light(Node("module", "", 1, None))
    cursor = tree.walk()
    stack: list[Node] = []
    order: list[Node] = []
    while True:
        raw = cursor.node
        if raw is not None and not raw.is_named:
            if stack and raw.type != ";":
                stack[-1].kids.append(_punctuation(raw.type))
        elif raw is not None and (node := _enter(raw, cursor.field_name or "", data, stack, light)):
            node.at = len(order)
            order.append(node)
            if node.kids is not _LEAF and cursor.goto_first_child():
                stack.append(node)
                continue
            _close(node, len(order))
        while not cursor.goto_next_sibling():
            if not stack or not cursor.goto_parent():
                return _indexed(light, order)
            _close(stack.pop(), len(order))


@lru_cache(maxsize=512)
def _punctuation(token: str) -> Node:
    """Keywords and signs are the same wherever they stand: one node each, without parent or place."""
    node = Node(token, "", 0, None)
    node.word = token
    return node


def _indexed(light: Light, order: list[Node]) -> Light:
    index: dict[str, list[Node]] = defaultdict(list)
    for node in order:
        index[node.kind].append(node)
    light.root, light.index = order[0] if order else light.root, index
    return light


_LEAF: list[Node] = []  # shared by leaves while the tree grows; never appended to


def _enter(raw: "Raw", field: str, data: bytes, stack: list[Node], light: Light) -> Node | None:
    kind, line = raw.type, raw.start_point[0] + 1
    if kind in _APART:
        if kind == "comment":
            light.comments.append((line, _text(data, raw)))
        return None
    parent = stack[-1] if stack else None
    node = Node(kind, field, line, parent)
    if parent is not None:
        parent.kids.append(node)
    if kind == "identifier":
        node.word, node.kids = _text(data, raw), _LEAF
    elif kind == "string":
        _string(node, _text(data, raw))
    elif not raw.child_count or kind == "string_content":
        node.word, node.kids = _text(data, raw), _LEAF
    elif len(stack) >= DEEPEST:
        light.deep.append(line)
        node.kind, node.word, node.kids = "deep", " ".join(_text(data, raw).split()), _LEAF
    return node


def _text(data: bytes, raw: "Raw") -> str:
    return data[raw.start_byte : raw.end_byte].decode(errors="replace")


def _string(node: Node, raw: str) -> None:
    start = raw[: len(raw) - len(raw.lstrip("fFtTrRbBuU"))].lower()
    if ("f" in start or "t" in start) and "{" in raw:
        return
    node.word = atoms.string(raw) or raw
    node.kids = _LEAF


def _close(node: Node, end: int) -> None:
    """What can be said only once the children are known."""
    node.end = end
    kids = node.kids
    if kids is _LEAF:
        node.kids = []
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
        node.kind, node.kids = "string", []
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
