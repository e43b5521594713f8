"""Names as git writes them in a diff: quoted like C where they hold anything odd. Reads names alone."""

import re

_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def unquoted(path: str) -> str:
    """A path that git quoted, C-style with octal bytes, as it is on disk; any other as it stands."""
    end = path.rfind('"')
    if not path.startswith('"') or end < 1:
        return path
    raw = _ESCAPE.sub(_meant, path[1:end].encode("utf-8", "surrogateescape"))
    return raw.decode("utf-8", "surrogateescape")


def _meant(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    return bytes([int(code, 8) & 255]) if code[:1].isdigit() else _ESCAPED.get(code, code)
