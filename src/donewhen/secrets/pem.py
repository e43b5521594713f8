"""Private key blocks: whole, cut at either end, and with line ends written as \\n.

A block is only taken when it carries key material: source code that merely names the armour lines stays.
Public keys and certificates are no secrets and stay too.
"""

import re
from collections.abc import Iterator

from donewhen.core.lazy import lazy

ANCHOR = "PRIVATE" + " KEY"
_ARMOUR = lazy(r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE" + r" KEY(?: BLOCK)? ?-{4,5}")
_BODY = lazy(r"(?:[^-]++|-(?!---))*+")
_MATERIAL = lazy(r"[A-Za-z0-9+/=]{24}")
_LINE = lazy(r"(?:[^\r\n\\]++|\\(?![nr]))++")
_TOKEN = lazy(r"(?<![A-Za-z0-9+/=])([A-Za-z0-9+/]{16,}+={0,2})[\s\"',\\|]*\Z")
_HEADER = lazy(r"(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash|Subject|X-[\w\-]{2,20}): ")
_SHARE = 0.7  # of the lines of a block
_LONG = 40
# Between two lines of key material: line ends, real or escaped, indentation, quotes, a diff's sign.
_GLUE = r"(?:[\s\"',+>|]|\\+[nrt\"']|\\+\n){0,40}+"
_HEADERS = r"(?:(?:[A-Z][A-Za-z\-]{2,20}: [^\r\n\\]{0,100}+)" + _GLUE + "){0,6}+"
_CUT = lazy(
    _GLUE + _HEADERS + r"(?:[A-Za-z0-9+/=]{16,}+" + _GLUE + r"){0,400}+(?:[A-Za-z0-9+/=]{1,15}+(?=\s|$))?"
)
_WINDOW = 16_384
_GLUE_CHARACTERS = " \t\r\n\"',+>|"


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """The spans of key blocks, in order."""
    done = 0
    for armour in _ARMOUR.finditer(text):
        if armour.start() < done:
            continue
        for span in _from_begin(text, armour) if armour[1] == "BEGIN" else _to_end(text, armour, done):
            yield span
            done = span[1]


def _from_begin(text: str, armour: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The whole block where it is one; else only key material: nobody may hide a report in a block."""
    body = _BODY.match(text, armour.end())
    stop = body.end() if body else armour.end()
    closing = _ARMOUR.match(text, stop)
    if closing and closing[1] == "END" and _is_block(text, armour.end(), stop):
        yield armour.start(), closing.end()
        return
    cut = _CUT.match(text, armour.end())
    if cut and cut.end() - armour.end() <= _WINDOW and _is_material(text[armour.end() : cut.end()]):
        yield armour.start(), cut.end()
        return
    yield from _tokens(text, armour.end(), min(stop, armour.end() + _WINDOW))


def _is_material(piece: str) -> bool:
    """Whether base64 in `piece` can be a key and not, say, a list of paths."""
    return bool(_MATERIAL.search(piece)) and piece.count("/") <= 3 + len(piece) * 0.05


def _is_block(text: str, start: int, stop: int) -> bool:
    """Whether most lines end in key material, whatever a log put before them."""
    if stop - start > _WINDOW:
        return False
    lines = [line[0].strip("nrt\"', \t") for line in _LINE.finditer(text, start, stop)]
    lines = [line for line in lines if len(line) > 15 and not _HEADER.match(line)]
    found = [token[1] for line in lines if (token := _TOKEN.search(line))]
    return len(found) >= max(1, len(lines)) * _SHARE and _is_material("".join(found))


def _tokens(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The key material at the ends of the lines that follow one another."""
    for line in _LINE.finditer(text, start, stop):
        token = _TOKEN.search(line[0])
        if token and len(token[1]) >= _LONG and _is_material(token[1]):
            yield line.start() + token.start(1), line.start() + token.end(1)


def _to_end(text: str, armour: re.Match[str], done: int) -> Iterator[tuple[int, int]]:
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
    if _is_material(text[start : armour.start()]):
        yield start, armour.end()


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
