"""Private key blocks: whole, cut at either end, and with line ends written as \\n.

A block is only taken when it carries key material: source code that merely names the armour lines stays.
Public keys and certificates are no secrets and stay too.
"""

import re
from collections.abc import Iterator

from donewhen.secrets.lazy import Lazy

ANCHOR = "PRIVATE" + " KEY"
_ARMOUR = Lazy(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE" + r" KEY(?: BLOCK)?-----")
_BODY = Lazy(r"(?:[^-]++|-(?!----))*+")
_MATERIAL = Lazy(r"[A-Za-z0-9+/=]{24}")
# Between two lines of key material: line ends, real or escaped, indentation, quotes, a diff's sign.
_GLUE = r"(?:[\s\"',+>|]|\\+[nrt\"']|\\+\n){0,40}+"
_HEADERS = r"(?:(?:[A-Z][A-Za-z\-]{2,20}: [^\r\n\\]{0,100}+)" + _GLUE + "){0,6}+"
_CUT = Lazy(_GLUE + _HEADERS + r"(?:[A-Za-z0-9+/=]{16,}+" + _GLUE + r")*+(?:[A-Za-z0-9+/=]{1,15}+(?=\s|$))?")
_WINDOW = 16_384
_GLUE_CHARACTERS = " \t\r\n\"',+>|"


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """The spans of key blocks, in order."""
    done = 0
    for armour in _ARMOUR.re.finditer(text):
        if armour.start() < done:
            continue
        span = _from_begin(text, armour) if armour[1] == "BEGIN" else _to_end(text, armour, done)
        if span is not None:
            yield span
            done = span[1]


def _from_begin(text: str, armour: re.Match[str]) -> tuple[int, int] | None:
    body = _BODY.re.match(text, armour.end())
    stop = body.end() if body else armour.end()
    closing = _ARMOUR.re.match(text, stop)
    if closing and closing[1] == "END":
        return (armour.start(), closing.end()) if _MATERIAL.re.search(text, armour.end(), stop) else None
    cut = _CUT.re.match(text, armour.end())
    if cut and _MATERIAL.re.search(text, armour.end(), cut.end()):
        return armour.start(), cut.end()
    return None


def _to_end(text: str, armour: re.Match[str], done: int) -> tuple[int, int] | None:
    """The block whose beginning was cut off: the lines of key material before its last line."""
    floor = max(done, armour.start() - _WINDOW)
    start = at = armour.start()
    while at > floor:
        at = _skip_glue(text, at, floor)
        line = at
        while line > floor and (text[line - 1].isalnum() or text[line - 1] in "+/="):
            line -= 1
        if line > floor and text[line - 1] == "\\" and text[line] in "nrt":
            line += 1
        if at - line < 24 and start != armour.start():
            break
        if at == line:
            break
        start = at = line
    return (start, armour.end()) if _MATERIAL.re.search(text, start, armour.start()) else None


def _skip_glue(text: str, at: int, floor: int) -> int:
    """The position before line ends (real or escaped), quotes and indentation that end at `at`."""
    while at > floor:
        if text[at - 1] in _GLUE_CHARACTERS:
            at -= 1
        elif text[at - 1] in "nrt" and at - 1 > floor and text[at - 2] == "\\":
            at -= 2
        else:
            break
    return at
