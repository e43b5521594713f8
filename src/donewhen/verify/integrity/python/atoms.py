"""Single literals of Python in the form that all languages share: strings as JSON has them, numbers short.

Works on text alone; what it can't make out comes back as None, and nothing is evaluated.
"""

import json
import re
import unicodedata
from functools import lru_cache

_START = re.compile(r"([A-Za-z]{0,2})('''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(\r\n|\n|[\\'\"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^{}]{1,88}\})"
)
_PLAIN = {
    "\n": "", "\r\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n",
    "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
_LONGEST_NUMBER = 60  # digits; longer ones are compared as they are written
_WHOLE_UP_TO = 1e15  # floats beyond it are not shown as whole numbers


def string(raw: str) -> str | None:
    """The value of a string without interpolation as JSON, bytes with a leading `b`; None where it is cut."""
    start = _START.match(raw)
    if start is None or len(raw) < len(start[0]) + len(start[2]) or not raw.endswith(start[2]):
        return None
    inner = raw[len(start[0]) : -len(start[2])]
    prefix = start[1].lower()
    if "\\" in inner and "r" not in prefix:
        inner = _ESCAPE.sub(_unescaped, inner)
    return ("b" if "b" in prefix else "") + quoted(inner)


@lru_cache(maxsize=8192)
def quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


@lru_cache(maxsize=8192)
def unquoted(token: str) -> str | None:
    """The value of a token that `string` made; None for anything else, such as a text without an end."""
    if not token.startswith(('"', 'b"')):
        return None
    try:
        value: str = json.loads(token.removeprefix("b"))
    except ValueError:
        return None
    return value


def number(raw: str) -> str:
    """Shortest form: `1_000` and `1e3` are `1000`, `0x10` is `16`, `1.0` is `1`."""
    bare = raw.replace("_", "").lower()
    if len(bare) > _LONGEST_NUMBER:
        return bare
    try:
        return str(int(bare, 0) if bare[:2] in ("0x", "0o", "0b") else int(bare))
    except ValueError:
        pass
    try:
        value = float(bare)
    except ValueError:
        return bare
    return str(int(value)) if value == int_or_none(value) and abs(value) < _WHOLE_UP_TO else repr(value)


def int_or_none(value: float) -> int | None:
    return int(value) if value == value and abs(value) != float("inf") else None


def _unescaped(found: re.Match[str]) -> str:
    what = found[1]
    if what in _PLAIN:
        return _PLAIN[what]
    if what[0] == "N":
        try:
            return unicodedata.lookup(what[2:-1])
        except KeyError:
            return found[0]
    code = int(what[1:], 16) if what[0] in "xuU" else int(what, 8)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]
