"""Literals in the one form that all languages share: strings as JSON, shortest numbers, lists, maps.

It evaluates nothing: what is no literal as it is written has no value here.
"""

import json
import re
from collections.abc import Iterable

_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|[\s\S])")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_GONE = frozenset(("\n", "\r", "\r\n", "\u2028", "\u2029"))  # a line that is continued
_BASES = {"0x": 16, "0o": 8, "0b": 2}
_LONGEST = 4000  # characters of a list or map as one literal; its elements are known apart anyway
_EXACT = 15  # digits that every runtime keeps
_DIGITS = 300  # of a number; more is no number that a test compares


def quoted(content: str) -> str:
    return json.dumps(content, ensure_ascii=False)


def unquoted(value: str) -> str:
    """What a canonical string says; any other literal as it is."""
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        return value


def string(inner: str) -> str:
    """The canonical form of what stands between the quotes."""
    return quoted(_ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner)


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code in _GONE:
        return ""
    if len(code) == 1:
        return _SIMPLE.get(code, code)
    point = int(code[1:].strip("{}"), 16)
    return chr(point) if point < 0xD800 or 0xDFFF < point <= 0x10FFFF else found[0]


def number(written: str) -> str:
    """`1_000` → `1000`, `0x10` → `16`, `2.50` → `2.5`, `10n` → `10`."""
    if written.isdecimal() and (written[0] != "0" or written == "0") and len(written) < _EXACT:
        return written
    plain = written.replace("_", "").lower()
    if len(plain) > _DIGITS:
        return plain
    base = _BASES.get(plain[:2])
    try:
        if base:
            return str(int(plain.rstrip("n")[2:], base))
        return _shortest(float(plain)) if not plain.endswith("n") else str(int(plain[:-1]))
    except ValueError:
        return plain


def _shortest(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)


def negative(value: str) -> str | None:
    """`-` before a number."""
    if not value[:1].isdigit():
        return None
    return "0" if value == "0" else f"-{value}"


def listed(elements: Iterable[str]) -> str | None:
    joined = ", ".join(elements)
    return f"[{joined}]" if len(joined) <= _LONGEST else None


def mapped(entries: Iterable[tuple[str, str]]) -> str | None:
    joined = ", ".join(f"{key}: {value}" for key, value in entries)
    return f"{{{joined}}}" if len(joined) <= _LONGEST else None


def scalar(value: str | None) -> bool:
    """A literal that nothing can change in place."""
    return value is not None and not value.startswith(("[", "{"))


def truthy(value: str) -> bool:
    return value not in ('""', "0", "false", "null", "undefined", "NaN")
