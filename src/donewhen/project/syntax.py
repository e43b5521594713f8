"""Syntax trees by tree-sitter: parse, walk, and text of a node as it is compared.

Trees come from tree-sitter, which reads every file somehow; where it had to guess, `errors` says the line,
and a reader must tell that as a trouble instead of trusting what it saw there.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Tree


@lru_cache(maxsize=16)
def _parser(language: str) -> "Parser":
    from importlib import import_module

    from tree_sitter import Language, Parser

    room = "typescript" if language == "tsx" else language
    module = import_module(f"tree_sitter_{room}")
    function = f"language_{language}" if room == "typescript" else "language"
    return Parser(Language(getattr(module, function)()))


@lru_cache(maxsize=16)
def fields(language: "Language") -> dict[int | None, str]:
    """Number of a field → its name; "" where there is none."""
    numbers = range(1, language.field_count + 1)
    return {None: "", **{number: language.field_name_for_id(number) or "" for number in numbers}}


def parse(language: str, data: bytes) -> "Tree":
    """`language`: python, javascript, typescript, tsx, go, rust or java."""
    return _parser(language).parse(data)


def errors(tree: "Tree") -> tuple[int, ...]:
    """Lines, from 1, where the tree was guessed."""
    if not tree.root_node.has_error:
        return ()
    found = (node for node in walk(tree.root_node) if node.is_error or node.is_missing)
    return tuple(dict.fromkeys(line(node) for node in found))


def walk(node: "Node") -> Iterator["Node"]:
    """The node and everything below it, in the order of the text."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(here.children))


def line(node: "Node") -> int:
    return node.start_point[0] + 1


def text(node: "Node") -> str:
    """As it is written."""
    return (node.text or b"").decode(errors="replace")


def normal(node: "Node") -> str:
    """Its tokens, one blank between them, without comments: how it is laid out makes no difference."""
    return " ".join(tokens(node))


def tokens(node: "Node") -> Iterator[str]:
    """The leaves as text; a string is one token, a comment none."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if "comment" in here.type:
            continue
        if not here.child_count or here.type in _WHOLE:
            written = text(here).strip()
            if written:
                yield written
        else:
            waiting.extend(reversed(here.children))


_WHOLE = frozenset(("string", "string_literal", "interpreted_string_literal", "raw_string_literal", "regex"))


def digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(errors="replace"), digest_size=12).hexdigest()
