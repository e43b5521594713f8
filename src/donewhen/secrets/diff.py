"""Reads a unified diff for the lines that it adds, with their numbers in the new file.

Hunks are read by the counts in their headers, never by how lines look: an added line whose text starts with
`++ b/` or `-- a/` must not pass for a header. What the diff takes away or only shows is not reported.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_HUNK = re.compile(r"(@@+) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? @@+")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_PREFIXES = ("b/", "w/", "i/", "c/", "o/", "a/", "1/", "2/")


class Added(NamedTuple):
    """The lines that a diff adds to one file: (number in the new file, text without its line end)."""

    path: str
    lines: tuple[tuple[int, str], ...]


def added_lines(diff: str) -> Iterator[Added]:
    """For each file of the diff that gains lines, those lines."""
    lines = diff.split("\n")
    path, bare, at = "", False, 0
    gained: list[tuple[int, str]] = []
    while at < len(lines):
        line = lines[at]
        hunk = _HUNK.match(line)
        if hunk:
            at = _read_hunk(lines, at + 1, hunk, gained)
            continue
        if line.startswith(("diff ", "+++ ", "--- ")) and gained:
            yield Added(path, tuple(gained))
            gained = []
        if line.startswith("diff --git "):
            bare = _is_bare(line.rstrip("\r")[11:])
        elif line.startswith("+++ "):
            path = _path(line[4:], bare)
        at += 1
    if gained:
        yield Added(path, tuple(gained))


def _is_bare(names: str) -> bool:
    """Whether a `diff --git` header names one path twice: then git was told to put no prefix before it."""
    half = len(names) // 2
    return names[:half] == names[half + 1 :]


def _read_hunk(lines: list[str], at: int, hunk: re.Match[str], gained: list[tuple[int, str]]) -> int:
    """Reads one hunk's added lines into `gained`; the position after it. Merges have a column per parent."""
    columns = len(hunk[1]) - 1
    old = [int(count or 1) for count in re.findall(r"-\d+(?:,(\d+))?", hunk[2])]
    number, new = int(hunk[3]), int(hunk[4] or 1)
    while at < len(lines) and (new > 0 or any(count > 0 for count in old)):
        line = lines[at]
        at += 1
        if line.startswith("\\"):
            continue
        signs = line[:columns].ljust(columns)
        old = [count - (sign != "+") for count, sign in zip(old, signs, strict=False)]
        if "-" in signs:
            continue
        if "+" in signs:
            gained.append((number, line[columns:].removesuffix("\r")))
        number, new = number + 1, new - 1
    return at


def _path(header: str, bare: bool) -> str:
    """The path of a `+++` header, without quotes, time stamp and the prefix git puts before it."""
    header = header.rstrip("\r")
    path = _unquote(header) if header.startswith('"') else header.partition("\t")[0]
    return path[2:] if not bare and path.startswith(_PREFIXES) else path


def _unquote(path: str) -> str:
    """A path that git quoted, C-style with octal bytes, as it is on disk."""
    if not path.startswith('"'):
        return path
    inner = path[1 : path.rfind('"')] if path.rfind('"') > 0 else path[1:]

    def plain(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return bytes([int(code, 8) & 255]) if code[:1].isdigit() else _ESCAPED.get(code, code)

    raw = _ESCAPE.sub(plain, inner.encode("utf-8", "surrogateescape"))
    return raw.decode("utf-8", "surrogateescape")
