"""Tables that are no code: in files of data, in texts of source, and in what such texts hide when decoded.

A table is one wherever it is kept, so what is found here is judged like a table in code. Nothing is decoded
that source would have to compute a key for, and nothing is ever executed.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence

from donewhen.core.integrity.keyed_values import value
from donewhen.core.integrity.model import Branch

LARGEST = 64 * 1024  # characters of data; what is larger was not copied from an exam
_SHORTEST = 8
_MOST_TABLES = 50
_MOST_ROWS = 2000
_DEEPEST = 200  # brackets
_ROUNDS = 3  # encodings one in another
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_LINES = re.compile(r"\r?\n")
_ROWS = (_LINES, re.compile(r"[;\n]"), re.compile(r"\|"), re.compile(r","), re.compile(r" "))
_CELLS = ("\t", "=>", "->", "=", ":", ";", "|", ",")
_PROSE = re.compile(r"^\s*(?:#|//|--\s|;)|^\s*$")


def tables(text: str) -> tuple[Branch, ...]:
    """The tables that a text holds: JSON, or rows with a key and an answer."""
    if len(text) > LARGEST:
        return ()
    what = _json(text)
    return tuple(_of_value(what) if isinstance(what, list | dict) else _of_rows(text))


def hidden_tables(literal: str) -> tuple[Branch, ...]:
    """Those that a text of source holds, plain or encoded."""
    text = value(literal) if literal[:1] == '"' else None
    if not isinstance(text, str) or not _SHORTEST <= len(text) <= LARGEST:
        return ()
    for _ in range(_ROUNDS):
        if text[:1] in "{[" or any(mark in text for mark in ("=", ":", "\t", "|", ",", "\n")):
            found = tables(text)
            if found:
                return found
        opened = _opened(text)
        if opened is None:
            return ()
        text = opened
    return ()


def _json(text: str) -> object:
    bare = text.strip()
    if bare[:1] not in ("{", "[") or bare.count("[") + bare.count("{") > LARGEST // 4:
        return None
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        return None


def _opened(text: str) -> str | None:
    """What base64 or hexadecimal digits stand for, unpacked if it was packed."""
    bare = "".join(text.split())
    ways: list[Callable[[str], bytes]] = []
    if _HEX.fullmatch(bare):
        ways.append(bytes.fromhex)
    if _BASE64.fullmatch(bare):
        ways.append(lambda each: base64.b64decode(each + "=" * (-len(each) % 4), altchars=b"-_"))
        ways.append(lambda each: base64.b64decode(each + "=" * (-len(each) % 4)))
    for way in ways:
        try:
            return _unpacked(way(bare)).decode()
        except (ValueError, binascii.Error):
            continue
    return None


def _unpacked(data: bytes) -> bytes:
    for start, kind in ((b"\x78", zlib.MAX_WBITS), (b"\x1f\x8b", zlib.MAX_WBITS | 16)):
        if data.startswith(start):
            try:
                return zlib.decompressobj(kind).decompress(data, LARGEST)
            except zlib.error:
                continue
    return data


def _of_value(what: list[object] | dict[str, object]) -> Iterator[Branch]:
    waiting: list[object] = [what]
    for _ in range(_MOST_TABLES):
        if not waiting:
            return
        here = waiting.pop(0)
        inner = list(here.values()) if isinstance(here, dict) else here if isinstance(here, list) else []
        rows = list(_rows(here))
        if len(rows) == len(inner) and rows:
            yield _table(rows)
        waiting += [each for each in inner[:_MOST_TABLES] if isinstance(each, list | dict)]


def _rows(what: object) -> Iterator[tuple[object, object]]:
    """`{"7": 13}`, `[[7, 13], …]`, `[{"in": 7, "out": 13}, …]`."""
    if isinstance(what, dict):
        yield from ((key, held) for key, held in what.items() if not isinstance(held, dict))
    elif isinstance(what, list):
        for each in what[:_MOST_ROWS]:
            cells = list(each.values()) if isinstance(each, dict) else each
            if isinstance(cells, list) and len(cells) > 1:
                yield (cells[0] if len(cells) == 2 else cells[:-1]), cells[-1]


def _of_rows(text: str) -> Iterator[Branch]:
    """`key=answer` lines, columns, and the like in one line."""
    for cut in _ROWS:
        lines = [line.strip() for line in cut.split(text) if not _PROSE.search(line)][: _MOST_ROWS + 1]
        if not 1 < len(lines) <= _MOST_ROWS:
            continue
        signs = (*_CELLS, " ") if cut is _LINES and all(len(line.split()) == 2 for line in lines) else _CELLS
        for sign in signs:
            if all(sign in line for line in lines):
                cells = [
                    [_cell(cell) for cell in line.split(None if sign == " " else sign)] for line in lines
                ]
                yield _table([(row[0] if len(row) == 2 else row[:-1], row[-1]) for row in cells])
                return


def _cell(text: str) -> object:
    bare = text.strip().rstrip(",")
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    return value(bare) if bare.count("[") + bare.count("{") < _DEEPEST else bare


def _table(rows: Sequence[tuple[object, object]]) -> Branch:
    keys = tuple(json.dumps(key) for key, _ in rows)
    return Branch(1, "", "table", keys, tuple(json.dumps(answer) for _, answer in rows), len(rows))
