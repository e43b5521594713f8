"""Reads a unified diff for the lines that it adds, with their numbers in the new file.

Hunks are read by the counts in their headers, never by how lines look, and only under the header of a file:
neither an added line that starts with `++ b/` nor a commit message may pass for a header. What the diff
takes away or only shows is not reported; what can't be read is, for silence would look like innocence.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.core.lazy import lazy

GIT_DIFF_ARGUMENTS: tuple[str, ...] = (
    "--text",
    "--no-textconv",
    "--no-ext-diff",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-relative",
    "--submodule=short",
)
"""What to pass to `git diff`, `show` and `log -p`: attributes and settings of a repository may otherwise hide
a file as binary, have a program rewrite its text, or change the prefixes by which paths are read."""

_HUNK = lazy(r"(@@+) ((?:-[0-9]{1,15}(?:,[0-9]{1,15})? ){1,64})\+([0-9]{1,15})(?:,([0-9]{1,15}))? @@+")
_OLD = lazy(r"-[0-9]+(?:,([0-9]+))?")
_LAST_QUOTED = lazy(r'"(?:[^"\\]|\\.)*+"\Z')
_ESCAPE = lazy(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_PREFIXES = ("b/", "w/", "i/", "c/", "o/", "a/", "1/", "2/")
_MERGES = ("diff --cc ", "diff --combined ")
_RENAMES = ("rename to ", "copy to ")
_LONGEST_NAME = 20_000  # four bytes of escape for each of the longest path that systems allow


class Added(NamedTuple):
    """The lines that a diff adds to one file: (number in the new file, text without its line end)."""

    path: str
    lines: tuple[tuple[int, str], ...]
    unread: int | None = None  # where reading failed, 0 for the whole file


def added_lines(diff: str) -> Iterator[Added]:
    """For each file of the diff that gains lines or could not be read, those lines."""
    lines = diff.split("\n")
    file, at = _File(), 0
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        starts = line.startswith("diff ") or (line.startswith("--- ") and not file.header)
        if starts:
            yield from file.read()
            file = _File(header=True)
        at = file.take_hunk(lines, at) if file.hunks and line.startswith("@@") else file.take(lines, at)
    yield from file.read()


class _File:
    """What is known of one file while its part of a diff is read."""

    __slots__ = ("bare", "gained", "header", "hunks", "merge", "path", "taken_away", "unread")

    def __init__(self, header: bool = False) -> None:
        self.header = header  # between its first line and its `+++` line
        self.hunks = False  # its `+++` line was seen and nothing has ended its hunks
        self.path, self.bare, self.merge, self.taken_away = "", False, False, False
        self.gained: list[tuple[int, str]] = []
        self.unread: int | None = None

    def read(self) -> Iterator[Added]:
        if self.gained or self.unread is not None:
            yield Added(self.path, tuple(self.gained), self.unread)

    def take(self, lines: list[str], at: int) -> int:
        """Takes a line that is no hunk; the position after it."""
        line = lines[at].removesuffix("\r")
        if self.header:
            self._take_header(line, lines[at - 1] if at else "")
        elif self.hunks and not line.startswith("\\"):
            if line.startswith("+"):
                self._fail(self.gained[-1][0] if self.gained else 0)  # more lines than the hunk announced
            else:
                self.hunks = False
        return at + 1

    def _take_header(self, line: str, before: str) -> None:
        if line.startswith(_MERGES):
            self.merge, self.path = True, _unquote(line.partition(" ")[2].partition(" ")[2])
        elif line.startswith("diff --git "):
            self.bare = _is_bare(line[11:])
            self.path = _second(line[11:], self.bare)
        elif line.startswith(_RENAMES):
            self.path = _unquote(line.partition(" to ")[2])
        elif line.startswith("deleted file mode "):
            self.taken_away = True
        elif line.startswith("+++ ") and before.startswith("--- "):
            self.path, self.header, self.hunks = _path(line[4:], self.bare), False, True
        elif line == "GIT binary patch" or (line.startswith("Binary files ") and line.endswith("differ")):
            self.path = self.path or _path(line.rpartition(" and ")[2].removesuffix(" differ"), self.bare)
            self.header = False
            if not self.taken_away and not line.endswith(" and /dev/null differ"):
                self._fail(0)

    def take_hunk(self, lines: list[str], at: int) -> int:
        """Reads one hunk's added lines; the position after it. Merges have a column per parent."""
        hunk = _HUNK.match(lines[at])
        old = [int(count or 1) for count in _OLD.findall(hunk[2])] if hunk else []
        at, columns = at + 1, len(old)
        if not hunk or columns != len(hunk[1]) - 1 or (columns > 1) != self.merge:
            self._fail(0)
            return at
        number, new = int(hunk[3]), int(hunk[4] or 1)
        while new > 0 or any(count > 0 for count in old):
            line = lines[at] if at < len(lines) else ""
            signs = line[:columns].rstrip("\r").ljust(columns)
            if at >= len(lines) - (not line) or signs.strip(" +-\\"):
                self._fail(number)
                return at
            at += 1
            if line.startswith("\\"):
                continue
            old = [count - (sign != "+") for count, sign in zip(old, signs, strict=True)]
            if "-" in signs:
                continue
            if "+" in signs:
                self.gained.append((number, line[columns:].removesuffix("\r")))
            number, new = number + 1, new - 1
        return at

    def _fail(self, number: int) -> None:
        self.unread = number if self.unread is None else self.unread


def _is_bare(names: str) -> bool:
    """Whether a `diff --git` header names one path twice: then git was told to put no prefix before it."""
    half = len(names) // 2
    return names[:half] == names[half + 1 :]


def _second(names: str, bare: bool) -> str:
    """The new path of a `diff --git` header; a rename is named again by a line of its own."""
    quoted = _LAST_QUOTED.search(names[-_LONGEST_NAME:]) if names.endswith('"') else None
    return _path(quoted[0] if quoted else names[len(names) // 2 + 1 :], bare)


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
