"""A file as a light tree with its tokens, made in one walk; asked many times without walking again.

Only named nodes become twigs, and punctuation stays in the tokens. Depth is bounded by nobody: whoever goes
through a grove does it with a list of his own, never by recursion without a limit.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from donewhen.verify.integrity import syntax

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_CLOSING = frozenset((")", "]", "}"))


class Twig:
    """One named node: its common kind, or the grammar's own where no table has it."""

    __slots__ = ("called", "kids", "kind", "node", "value")

    def __init__(self, kind: str, node: "Node") -> None:
        self.kind = kind
        self.node = node
        self.kids: Sequence[Twig] = ()  # a list only where there are any: most twigs are leaves
        self.called: str | None = None  # its dotted name, once somebody asked
        self.value: str | bool | None = False  # its literal, None where it is none, False until asked

    @property
    def line(self) -> int:
        return self.node.start_point[0] + 1

    @property
    def text(self) -> str:
        return (self.node.text or b"").decode(errors="replace")

    @property
    def span(self) -> tuple[int, int]:
        return self.node.start_byte, self.node.end_byte

    def get(self, field: str) -> "Twig | None":
        """The child that the grammar calls `field`."""
        node = self.node.child_by_field_name(field)
        if node is None:
            return None
        wanted = node.id
        return next((kid for kid in self.kids if kid.node.id == wanted), None)

    def operator(self) -> str:
        """The first bare token: what stands between or before the operands."""
        return next((child.type for child in self.node.children if not child.is_named), "")


class Comment(NamedTuple):
    line: int
    text: str
    start: int


class Grove:
    """The whole file."""

    def __init__(self, root: Twig, tree: "Tree") -> None:
        self.root = root
        self.tree = tree
        self.tokens: list[str] = []
        self.forms: list[str] = []  # the same with names and values taken out
        self.starts: list[int] = []
        self.comments: list[Comment] = []
        self.kinds: dict[str, list[Twig]] = defaultdict(list)
        self._places: dict[str, list[int]] = {}

    def inside(self, kind: str, twig: Twig) -> list[Twig]:
        """All twigs of a kind in another one, that one included, without going through it."""
        listed = self.kinds.get(kind)
        if not listed:
            return []
        places = self._places.get(kind)
        if places is None:
            places = self._places[kind] = [one.node.start_byte for one in listed]
        start, end = twig.span
        return listed[bisect_left(places, start) : bisect_left(places, end)]

    def normal(self, twig: Twig) -> str:
        start, end = twig.span
        return self.between(start, end)

    def between(self, start: int, end: int) -> str:
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return joined(self.tokens[first:last])

    def words(self, start: int, end: int, without: Twig | None = None) -> tuple[str, str]:
        """Digests of tokens and of forms between two places, `without` one twig: a test's own name."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        tokens, forms = self.tokens[first:last], self.forms[first:last]
        if without is not None:
            hole = bisect_left(self.starts, without.span[0]) - first
            if 0 <= hole < len(tokens):
                tokens[hole] = ""
        return syntax.digest(*tokens), syntax.digest(*forms)


def grow(language: str, data: bytes, kinds: Mapping[str, str]) -> Grove:
    """`kinds`: what the grammar's kinds are called here."""
    tree = syntax.parse(language, data)
    known = _named(language, tree, kinds)
    top = tree.root_node
    root = Twig(top.type, top)
    grove = Grove(root, tree)
    _fill(grove, data.decode("latin-1"), known, top.has_error)
    if not data.isascii():
        grove.tokens = [token.encode("latin-1").decode(errors="replace") for token in grove.tokens]
    return grove


def _fill(grove: Grove, written: str, known: "list[_Kind]", broken: bool) -> None:
    """One walk; `written` has a character for each byte, so that places in it are those of the tree."""
    by_kind, most = grove.kinds, len(known)
    tokens, forms, starts = grove.tokens, grove.forms, grove.starts
    kids: list[Twig] = []
    grove.root.kids = kids
    nodes = iter(grove.root.node.children)
    above: list[tuple[Iterator[Node], list[Twig]]] = []
    while True:
        node = next(nodes, None)
        if node is None:
            if not above:
                break
            nodes, kids = above.pop()
            continue
        number = node.kind_id
        kind, sort, form = known[number] if number < most else _ERROR
        start = node.start_byte
        if sort == _MARK:
            leaf = written[start : node.end_byte].strip() if broken else form
        elif sort == _REMARK:
            grove.comments.append(Comment(node.start_point[0] + 1, syntax.text(node), start))
            continue
        else:
            twig = Twig(kind, node)
            kids.append(twig)
            by_kind[kind].append(twig)
            under = None if sort == _ONE else node.children
            if under:
                above.append((nodes, kids))
                nodes = iter(under)
                twig.kids = kids = []
                continue
            leaf = written[start : node.end_byte].strip()
        if not leaf or leaf == ";":
            continue
        if leaf in _CLOSING and tokens and tokens[-1] == ",":
            for listed in (tokens, forms, starts):
                listed.pop()
        tokens.append(leaf)
        starts.append(start)
        forms.append(leaf if sort == _MARK else _FORMS.get(kind, leaf))


def joined(tokens: list[str]) -> str:
    """Tokens as one line, with blanks where people put them: however they were laid out, it is the same."""
    parts: list[str] = []
    before = ""
    for word in tokens:
        close = before in _NONE_AFTER or word in _NONE_BEFORE
        if word in _OPENING:
            close = close or before[-1:].isalnum() or before[-1:] in "_)]>!"
        elif word == "!":  # of a macro
            close = close or (before[-1:].isalnum() and before not in _WORDS)
        if parts and not close:
            parts.append(" ")
        parts.append(word)
        before = word
    return "".join(parts)


_WORDS = frozenset(("if", "return", "while", "case", "in", "match", "else"))
_OPENING = frozenset(("(", "["))
_NONE_BEFORE = frozenset((")", "]", ",", ".", "::", ";", ":", "++", "--", "?"))
_NONE_AFTER = frozenset(("(", "[", ".", "::", "!", "@", "#", "&", "*"))


_FORMS = {
    **dict.fromkeys(("ident", "field", "typename"), "_"),
    **dict.fromkeys(("string", "number", "true", "false", "null"), "0"),
}
_WHOLE = frozenset(("string", "true"))  # one token, whatever is inside

_Kind = tuple[
    str, int, str
]  # its common name, what to do with it, and its text where that is always the same
_NODE, _MARK, _REMARK, _ONE = range(
    4
)  # a twig; punctuation or a keyword; a comment; a twig that is one token
_ERROR: _Kind = ("ERROR", _NODE, "")
_known: dict[str, list[_Kind]] = {}


def _named(language: str, tree: "Tree", kinds: Mapping[str, str]) -> list[_Kind]:
    """By number of the kind."""
    if language not in _known:
        grammar = tree.language
        made: list[_Kind] = []
        for number in range(grammar.node_kind_count):
            name = grammar.node_kind_for_id(number) or ""
            common = kinds.get(name, name)
            if not grammar.node_kind_is_named(number):
                made.append(("", _MARK, name.strip().strip("\0")))
            elif "comment" in common:
                made.append((common, _REMARK, ""))
            else:
                made.append((common, _ONE if common in _WHOLE else _NODE, ""))
        _known[language] = made
    return _known[language]


def below(twig: Twig) -> Iterator[Twig]:
    """The twig and everything in it, in the order of the text."""
    waiting = [twig]
    while waiting:
        here = waiting.pop()
        yield here
        if here.kids:
            waiting.extend(reversed(here.kids))
