"""JSON with or without comments, read together with the place of every value.

Only so can a file of somebody else be changed at one spot, every other byte of it kept. Comments and commas
before a closing bracket are taken where the client takes them (`loose`), else refused like any other mistake.
"""

import json
import re
from typing import Any, NamedTuple

_BLANK = " \t\r\n"
_DEEPEST = 200
_WORD = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')


class NotJson(ValueError):
    """What is wrong begins at this offset."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Item(NamedTuple):
    """A member of an object (with its key) or of an array, and where the comma after it stands (or -1)."""

    key: str | None
    start: int
    node: "Node"
    comma: int


class Node(NamedTuple):
    """A value: `kind` is object, array or plain."""

    kind: str
    start: int
    end: int
    items: tuple[Item, ...] = ()
    plain: Any = None

    def value(self) -> Any:
        if self.kind == "object":
            return {item.key: item.node.value() for item in self.items}
        return [item.node.value() for item in self.items] if self.kind == "array" else self.plain

    def item(self, key: str) -> Item | None:
        """The member that counts: of two with the same key that is the last."""
        if self.kind != "object":
            return None
        return next((item for item in reversed(self.items) if item.key == key), None)


def read(text: str, *, loose: bool) -> Node:
    """The one value that `text` holds."""
    node = _value(text, skip(text, 0, loose), loose, 0)
    rest = skip(text, node.end, loose)
    if rest != len(text):
        raise NotJson(rest)
    return node


def at(node: Node, path: tuple[str, ...]) -> Node | None:
    """The value at a path of keys."""
    for key in path:
        found = node.item(key)
        if found is None:
            return None
        node = found.node
    return node


def skip(text: str, pos: int, loose: bool) -> int:
    """Where blanks and comments from `pos` on end."""
    while True:
        while pos < len(text) and text[pos] in _BLANK:
            pos += 1
        opening = text[pos : pos + 2]
        if not loose or opening not in ("//", "/*"):
            return pos
        if opening == "//":
            ends = [end for end in (text.find("\n", pos), text.find("\r", pos)) if end >= 0]
            pos = min(ends, default=len(text))
        else:
            end = text.find("*/", pos + 2)
            if end < 0:
                raise NotJson(pos)
            pos = end + 2


def _value(text: str, pos: int, loose: bool, depth: int) -> Node:
    if depth > _DEEPEST:
        raise NotJson(pos)
    if text[pos : pos + 1] in ("{", "["):
        return _container(text, pos, loose, depth)
    found = _STRING.match(text, pos) or _WORD.match(text, pos)
    if not found:
        raise NotJson(pos)
    try:
        return Node("plain", pos, found.end(), plain=json.loads(found[0]))
    except ValueError:  # a number of too many digits
        raise NotJson(pos) from None


def _container(text: str, start: int, loose: bool, depth: int) -> Node:
    kind, close = ("object", "}") if text[start] == "{" else ("array", "]")
    items: list[Item] = []
    pos = skip(text, start + 1, loose)
    while text[pos : pos + 1] != close or (items and items[-1].comma >= 0 and not loose):
        if items and items[-1].comma < 0:
            raise NotJson(pos)
        item = _item(text, pos, loose, depth, kind)
        items.append(item)
        pos = skip(text, (item.comma + 1) or item.node.end, loose)
    return Node(kind, start, pos + 1, tuple(items))


def _item(text: str, start: int, loose: bool, depth: int, kind: str) -> Item:
    key, pos = None, start
    if kind == "object":
        found = _STRING.match(text, pos)
        if not found:
            raise NotJson(pos)
        key = json.loads(found[0])
        pos = skip(text, found.end(), loose)
        if text[pos : pos + 1] != ":":
            raise NotJson(pos)
        pos = skip(text, pos + 1, loose)
    node = _value(text, pos, loose, depth + 1)
    after = skip(text, node.end, loose)
    return Item(key, start, node, after if text[after : after + 1] == "," else -1)
