"""Guards against a fault of the parser: after a comment that ends in a backslash it goes on in the next line.

bash ends a comment at the end of its line, whatever stands there, so `echo hi # \\` would hide the command on
the next line. Such a comment leaves no trace in the parser's tree; here a `#` that could begin one must be
found inside some literal text, else the text is refused.
"""

import re
from bisect import bisect_left
from typing import Any

from donewhen.shell.nest import Unreadable

_BEGINS = re.compile(rb"(?:\A|(?<=[\s;|&()<>`]))#")


def refuse_hidden_lines(source: bytes, tree: dict[str, Any]) -> None:
    """Unreadable when a comment may have hidden a line from the parser."""
    suspects = _suspects(source)
    left: list[Any] = [tree] if suspects else []
    literal: set[int] = set()
    while left:
        node = left.pop()
        if isinstance(node, list):
            left += node
        elif isinstance(node, dict):
            left += [child for child in node.values() if isinstance(child, dict | list)]
            if node.get("Type") in ("Lit", "SglQuoted") and "#" in node.get("Value", ""):
                literal.update(_inside(source, node, suspects))
    hidden = [at for at in suspects if at not in literal]
    if hidden:
        raise Unreadable("shell.hidden_line", str(source.count(b"\n", 0, hidden[0]) + 1))


def _suspects(source: bytes) -> list[int]:
    """Where a comment could begin, in lines that end in a backslash."""
    if b"\\\n" not in source or b"#" not in source:
        return []
    found, start = [], 0
    for line in source.split(b"\n")[:-1]:
        if line.endswith(b"\\"):
            found += [match.start() for match in _BEGINS.finditer(source, start, start + len(line))]
        start += len(line) + 1
    return found


def _inside(source: bytes, node: dict[str, Any], suspects: list[int]) -> list[int]:
    """Those inside this literal, provided that it really spans them as written."""
    start, end = node["Pos"]["Offset"], node["End"]["Offset"]
    first = bisect_left(suspects, start)
    if first == len(suspects) or suspects[first] >= end:
        return []
    value, written = node["Value"].encode().replace(b"\\\n", b""), source[start:end].replace(b"\\\n", b"")
    if value not in written or len(written) > len(value) + len("$''"):
        return []
    return suspects[first : bisect_left(suspects, end)]
