"""Bytes of a Python file as UTF-8, by the rules of the language: byte order mark, cookie, else UTF-8.

Nothing here fails: what is no text in its declared encoding comes back with replacement characters and the
name of the encoding that it is not.
"""

import codecs
import re
from typing import NamedTuple

_COOKIE = re.compile(rb"^[ \t\f]*#[^\r\n]{0,200}?coding[:=][ \t]*([-\w.]{1,40})")
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_NO_TEXT = frozenset(("base64", "bz2", "hex", "quopri", "rot13", "uu", "zlib"))


class Decoded(NamedTuple):
    data: bytes  # UTF-8
    wrong: str = ""  # the encoding that it should have been, where it is not


def decode(data: bytes) -> Decoded:
    if data.startswith(codecs.BOM_UTF8):
        return _as(data[len(codecs.BOM_UTF8) :], "utf-8")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", errors="replace").encode(errors="replace"), "utf-8")
    return _as(data, cookie(data))


def cookie(data: bytes) -> str:
    """The declared encoding, from one of the first two lines; the first may be blank or a comment."""
    for line in re.split(rb"\r\n|\r|\n", data[:1000])[:2]:
        if found := _COOKIE.match(line):
            return found[1].decode("ascii", errors="replace")
        if not _BLANK.match(line):
            break
    return "utf-8"


def _as(data: bytes, encoding: str) -> Decoded:
    try:
        known = codecs.lookup(encoding)
        if known.name in _NO_TEXT:
            raise LookupError
        if known.name == "utf-8":
            data.decode()
            return Decoded(data)
        return Decoded(data.decode(encoding).encode(errors="replace"))
    except (LookupError, ValueError):
        return Decoded(data.decode("utf-8", errors="replace").encode(), encoding)
