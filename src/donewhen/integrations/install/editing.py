"""One item more or one item less in a JSON text; all other characters stay as they are.

Taking away is the exact opposite of adding, so a file that was not touched in between is the same again. New
text follows the file: its line ends, its indentation, on one line where the neighbours are.
"""

import json
import re
from typing import Any

from donewhen.integrations.install.jsonc import Item, Node, at, read, skip

_BLANK = " \t\r\n"
_LINE_ENDS = re.compile(r"[ \t]*[\r\n]")
_INDENT = re.compile(r"(?:\r\n|\n|\r)([ \t]+)[^\s]")


def put(text: str, path: tuple[str, ...], value: Any, *, loose: bool) -> str:
    """`text` with a member at `path`, whose parent is an object that has none of this name."""
    return _insert(text, _container(text, path[:-1], "object", loose), path[-1], value, loose)


def append(text: str, path: tuple[str, ...], value: Any, *, loose: bool) -> str:
    """`text` with one item more at the end of the array at `path`."""
    return _insert(text, _container(text, path, "array", loose), None, value, loose)


def remove(text: str, path: tuple[str, ...], place: str | int, *, loose: bool) -> str:
    """`text` without one item of the object or array at `path`."""
    kind = "array" if isinstance(place, int) else "object"
    node = _container(text, path, kind, loose)
    item = node.items[place] if isinstance(place, int) else node.item(place)
    if item is None:
        raise KeyError(place)
    return _take(text, node, item, loose)


def _container(text: str, path: tuple[str, ...], kind: str, loose: bool) -> Node:
    node = at(read(text, loose=loose), path)
    if node is None or node.kind != kind:
        raise KeyError(path)
    return node


def _insert(text: str, node: Node, key: str | None, value: Any, loose: bool) -> str:
    close = node.end - 1
    after = len(text[:close].rstrip(_BLANK))
    line, outer, unit = _line_end(text), _indent_at(text, node.start), _unit(text)
    if not node.items:
        new = f"{line}{outer}{unit}{_written(key, value, line, outer + unit, unit)}{line}{outer}"
        return text[:after] + new + text[after:]
    last = node.items[-1]
    before = text[: last.start]
    own_line = not before[len(before.rstrip(" \t")) - 1 :].strip(_BLANK)
    indent = _indent_at(text, last.start) if own_line else outer + unit
    if own_line or _in_line_comment(text, last.comma + 1 or last.node.end, after, loose):
        new = f"{line}{indent}{_written(key, value, line, indent, unit)}"
    else:
        new = " " + _written(key, value, "", "", "")
    if last.comma >= 0:
        return text[:after] + new + "," + text[after:]
    return text[: last.node.end] + "," + text[last.node.end : after] + new + text[after:]


def _take(text: str, node: Node, item: Item, loose: bool) -> str:
    place = node.items.index(item)
    start = len(text[: item.start].rstrip(_BLANK))
    end = item.comma + 1 or item.node.end
    before = node.items[place - 1].comma + 1 if place else node.start + 1
    if _in_line_comment(text, before, start, loose) and not _LINE_ENDS.match(text, end):
        start = item.start  # else what follows on this line would be part of the comment
    if len(node.items) == 1:
        closing = _line_end(text) + _indent_at(text, node.start)
        if text.startswith(closing, end) and not text[end : node.end - 1].strip(_BLANK):
            end += len(closing)
    elif item.comma < 0:
        comma = node.items[place - 1].comma
        return text[:comma] + text[comma + 1 : start] + text[end:]
    return text[:start] + text[end:]


def _in_line_comment(text: str, pos: int, after: int, loose: bool) -> bool:
    """Whether what stands between `pos` and `after` ends in a comment that only a line end would close."""
    return skip(text[:after] + "!", pos, loose) > after


def _written(key: str | None, value: Any, line: str, indent: str, unit: str) -> str:
    if line:
        body = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", line + indent)
    else:
        body = json.dumps(value, ensure_ascii=False)
    return body if key is None else f"{json.dumps(key, ensure_ascii=False)}: {body}"


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found and len(found[1]) <= 8 else "  "


def _indent_at(text: str, pos: int) -> str:
    """The blanks at the beginning of the line of `pos`."""
    start = max(text.rfind("\n", 0, pos), text.rfind("\r", 0, pos)) + 1
    return text[start : pos - len(text[start:pos].lstrip(" \t"))]
