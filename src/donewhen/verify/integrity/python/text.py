"""Code as it is compared: tokens with one blank where blanks stand, blocks in braces, no docstrings.

A docstring is a comment unless it holds examples that run or the program reads it. A comment that steers a
tool is code.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.python.tree import Light, Node
from donewhen.verify.integrity.silencing import ANYWHERE

_TIGHT_BEFORE = frozenset(") ] } , . : ( [".split())
_TIGHT_AFTER = frozenset("( [ { . @".split())
_WORD = re.compile(r"[\w\"')\]}]$")
_NO_CALL = frozenset(
    "and as assert await class def del elif else except finally for from if import in is lambda nonlocal not "
    "or raise return while with yield".split()
)
PRAGMA = re.compile(
    r"#(?:\s*(?:(?:ruff|flake8|mypy|pyright|pylint|pytype|pyre|basedpyright)\s*:|noqa\b|nosec\b|type:\s*ignore"
    r"|pragma:\s*no|pyre-ignore|pyre-fixme|ty:\s*ignore|coverage:|lint:\s*disable)"
    rf"|[^\n]{{0,200}}?(?:{ANYWHERE}))",
    re.IGNORECASE,
)
_LITERALS = frozenset(("string", "integer", "float", "true", "false", "none"))


def normal(node: Node) -> str:
    """One line of code for people and for comparing."""
    out: list[str] = []
    last = ""
    for token in tokens(node):
        opens = token in ("(", "[")
        tight = token in _TIGHT_BEFORE and (not opens or (bool(_WORD.search(last)) and last not in _NO_CALL))
        if out and not tight and last not in _TIGHT_AFTER:
            out.append(" ")
        out.append(token)
        last = token
    return "".join(out)


def tokens(node: Node) -> Iterator[str]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.kids:
            waiting.extend(reversed(here.kids))
        elif here.word:
            yield here.word


class Flat:
    """A file as its words in a row, made once: the words of every node are a slice of it."""

    def __init__(self, light: Light, data: bytes) -> None:
        self.skip = docstrings(light, data)
        self._light = light
        self._leaves = _spread(light.root)
        self._words: list[str | None] = [leaf.word for leaf in self._leaves]  # None: not there
        for node in self.skip:
            self._words[node.first : node.last] = [None] * (node.last - node.first)

    @cached_property
    def _frames(self) -> list[str]:
        return [_blank(leaf) for leaf in self._leaves]

    def digest(self, node: Node, nameless: Node | None = None) -> str:
        """Of the code below `node`; the name `nameless` counts as no name, docstrings as not there."""
        return syntax.digest(*self._below(node, nameless))

    def _below(self, node: Node, nameless: Node | None = None) -> list[str]:
        words = self._words[node.first : node.last]
        if nameless is not None:
            words[nameless.first - node.first] = ""
        return [word for word in words if word is not None]

    def frame(self, node: Node) -> str:
        """Of the form: every name and every literal is as good as any other."""
        return syntax.digest(*self._frames[node.first : node.last])

    def whole(self) -> str:
        """Of the file; comments that steer a tool are part of it."""
        comments = self._light.comments
        pragmas = (" ".join(comment.split()) for _, comment in comments if PRAGMA.match(comment))
        return syntax.digest(*self._below(self._light.root), *pragmas)


def _spread(root: Node) -> list[Node]:
    """The leaves in order, blocks in braces; every node gets to know which of them are its own."""
    leaves: list[Node] = []
    waiting = [root]
    opened: list[Node] = []
    while waiting:
        here = waiting.pop()
        if opened and opened[-1] is here:
            opened.pop()
            if here.kind == "block":
                leaves.append(_END)
            here.last = len(leaves)
            continue
        here.first = len(leaves)
        if here.kids:
            if here.kind == "block":
                leaves.append(_BEGIN)
            opened.append(here)
            waiting.append(here)
            waiting.extend(reversed(here.kids))
        else:
            leaves.append(here)
            here.last = len(leaves)
    return leaves


def _marker(token: str) -> Node:
    node = Node("marker", "", 0, None)
    node.word = token
    return node


_BEGIN, _END = _marker("{"), _marker("}")


def docstrings(light: Light, data: bytes) -> frozenset[Node]:
    """Statements that only document; none where the program reads its own documentation."""
    if b"__doc__" in data:
        return frozenset()
    return frozenset(
        node.parent
        for node in light.index.get("string", ())
        if node.parent is not None and is_docstring(node) and ">>>" not in node.word
    )


def is_docstring(string: Node) -> bool:
    statement = string.parent
    if statement is None or statement.kind != "expression_statement" or len(statement.kids) != 1:
        return False
    home = statement.parent
    if home is None or home.kind not in ("block", "module") or home.kids[0] is not statement:
        return False
    return home.kind == "module" or (
        home.parent is not None and home.parent.kind in ("function_definition", "class_definition")
    )


def _blank(leaf: Node) -> str:
    if leaf.kind == "identifier":
        return "name"
    return "literal" if leaf.kind in _LITERALS else leaf.word
