"""Code as it is compared: tokens with one blank where blanks stand, blocks in braces, no docstrings.

A docstring is a comment unless it holds examples that run or the program reads it. A comment that steers a
tool is code.
"""

import re
from collections.abc import Iterator

from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.python.tree import Light, Node

_TIGHT_BEFORE = frozenset(") ] } , . : ( [".split())
_TIGHT_AFTER = frozenset("( [ { . @".split())
_WORD = re.compile(r"[\w\"')\]}]$")
_NO_CALL = frozenset(
    "and as assert await class def del elif else except finally for from if import in is lambda nonlocal not "
    "or raise return while with yield".split()
)
PRAGMA = re.compile(
    r"#\s*(?:(?:ruff|flake8|mypy|pyright|pylint|pytype|pyre|basedpyright)\s*:|noqa\b|nosec\b|type:\s*ignore"
    r"|pragma:\s*no|pyre-ignore|pyre-fixme|ty:\s*ignore|coverage:|lint:\s*disable)",
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


def digest(node: Node, nameless: Node | None = None, skip: frozenset[Node] = frozenset()) -> str:
    """Of the code below `node`; the name `nameless` counts as no name, nodes of `skip` as not there."""
    return syntax.digest(*_structured(node, nameless, skip))


def frame(node: Node) -> str:
    """Of the form: every name and every literal is as good as any other."""
    return syntax.digest(*(_blank(leaf) for leaf in _leaves(node, frozenset())))


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


def file_digest(light: Light, skip: frozenset[Node]) -> str:
    pragmas = (" ".join(comment.split()) for _, comment in light.comments if PRAGMA.match(comment))
    return syntax.digest(*_structured(light.root, None, skip), *pragmas)


def _structured(node: Node, nameless: Node | None, skip: frozenset[Node]) -> list[str]:
    return ["" if leaf is nameless else leaf.word for leaf in _leaves(node, skip)]


def _leaves(node: Node, skip: frozenset[Node]) -> list[Node]:
    out: list[Node] = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if not here.kids:
            out.append(here)
        elif here.kind == "block":
            waiting.append(_END)
            waiting.extend(reversed(here.kids))
            waiting.append(_BEGIN)
        elif here not in skip:
            waiting.extend(reversed(here.kids))
    return out


def _marker(token: str) -> Node:
    node = Node("marker", "", 0, None)
    node.word = token
    return node


_BEGIN, _END = _marker("{"), _marker("}")


def _blank(leaf: Node) -> str:
    if leaf.kind == "identifier":
        return "name"
    return "literal" if leaf.kind in _LITERALS else leaf.word
