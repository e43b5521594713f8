"""Which lines of a file a change brought, and where the lines of the base are now, out of `git diff`.

Hunks are read by the counts in their headers, never by how lines look, so that no line of a file can pass for
a header; any amount of context will do. Nothing here reads a tree. A diff that is cut, or one of a merge,
which has several old sides, is refused: half of it would say that the other half did not change.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.core.gitnames import unquoted
from donewhen.core.quality.model import Unreadable

_HUNK = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@")
_PREFIX = re.compile(r"[abciow12]/")
_MERGES = ("diff --cc ", "diff --combined ")
_NOWHERE = "/dev/null"


class Edit(NamedTuple):
    """`removed` lines from `old` on gave way to `added` lines from `new` on; either may be none."""

    old: int
    removed: int
    new: int
    added: int


class Moved(NamedTuple):
    """Where a file of the base is now; "" is nowhere."""

    path: str
    edits: tuple[Edit, ...] = ()

    def line_now(self, line: int) -> int | None:
        """The line's number now; None when the change took it away."""
        shift = 0
        for edit in self.edits:
            if line < edit.old:
                break
            if line < edit.old + edit.removed:
                return None
            shift += edit.added - edit.removed
        return line + shift


class DiffFile(NamedTuple):
    """The text of a diff about one file; `added`: (number in the new file, text)."""

    file: str
    lines: tuple[str, ...]
    added: tuple[tuple[int, str], ...] = ()


class TouchedFile(NamedTuple):
    """One file of a diff: its path before and now, empty where there is none."""

    old: str
    new: str
    edits: tuple[Edit, ...]
    copied: bool = False


def changed_lines(diff: str) -> Mapping[str, frozenset[int]]:
    """For each file that gained lines, their numbers in it as it is now."""
    found: dict[str, frozenset[int]] = {}
    for file in files_in(diff):
        lines = {line for edit in file.edits for line in range(edit.new, edit.new + edit.added)}
        if lines and file.new:
            found[file.new] = found.get(file.new, frozenset()) | lines
    return found


def moved(diff: str) -> Mapping[str, Moved]:
    """For each file of the base that the change touched, where it and its lines are; all others stayed."""
    return {file.old: Moved(file.new, file.edits) for file in files_in(diff) if file.old and not file.copied}


def place_now(moves: Mapping[str, Moved], path: str, line: int) -> tuple[str, int] | None:
    """Where a line of the base is now, in any file; None when it is gone."""
    move = moves.get(path)
    if move is None:
        return path, line
    number = move.line_now(line) if move.path else None
    return None if number is None else (move.path, number)


def files_in(diff: str) -> Iterator[TouchedFile]:
    """Every file that a diff tells of, in its order."""
    lines = diff.split("\n")
    at = 0
    while at < len(lines):
        if lines[at].startswith(_MERGES):
            raise Unreadable("coverage.diff_unreadable", line=at + 1)
        if lines[at].startswith("diff --git "):
            file, at = _file(lines, at)
            if file is not None:
                yield file
        elif lines[at].startswith("@@ "):  # of no file
            raise Unreadable("coverage.diff_unreadable", line=at + 1)
        else:
            at += 1


def _file(lines: list[str], at: int) -> tuple[TouchedFile | None, int]:
    """One file's part of the diff and the position after it; None: no name is known and no line concerned."""
    bare = _is_bare(lines[at][len("diff --git ") :])
    names: dict[str, str] = {}
    at += 1
    while at < len(lines) and not lines[at].startswith(("diff ", "@@ ")):
        line = lines[at].removesuffix("\r")
        for word in ("rename from ", "rename to ", "copy from ", "copy to "):
            if line.startswith(word):
                names[word] = unquoted(line[len(word) :])
        if line.startswith("--- "):
            names["old"] = _path(line[4:], bare)
        elif line.startswith("+++ ") and "old" in names:
            names["new"] = _path(line[4:], bare)
            at += 1
            break
        at += 1
    edits: list[Edit] = []
    while "new" in names and at < len(lines) and lines[at].startswith(("@@ ", "\\")):
        at = _hunk(lines, at, edits) if lines[at].startswith("@@ ") else at + 1
    old = names.get("old", names.get("rename from ", ""))
    new = names.get("new", names.get("rename to ", ""))
    return (TouchedFile(old, new, tuple(edits), "copy from " in names) if old or new else None), at


def _hunk(lines: list[str], at: int, edits: list[Edit]) -> int:
    head = _HUNK.match(lines[at])
    if head is None:
        raise Unreadable("coverage.diff_unreadable", line=at + 1)
    removed, added = (int(head[group] or 1) if head[group] != "0" else 0 for group in (2, 4))
    old, new = int(head[1]) + (not removed), int(head[3]) + (not added)  # git names the line before
    last = old + removed, new + added
    at += 1
    gone = came = 0  # lines of the edit that is being read
    while (old, new) != last:
        text = lines[at] if at < len(lines) else None
        sign = "x" if text is None or (text == "" and at == len(lines) - 1) else text[:1]
        if gone + came and not (sign == "-" and not came) and sign not in ("+", "\\"):
            edits.append(Edit(old - gone, gone, new - came, came))
            gone = came = 0
        if sign == "-" and old < last[0]:
            old, gone = old + 1, gone + 1
        elif sign == "+" and new < last[1]:
            new, came = new + 1, came + 1
        elif sign in ("", " ", "\r") and old < last[0] and new < last[1]:
            old, new = old + 1, new + 1
        elif sign != "\\":  # also more lines of this sign than were announced
            raise Unreadable("coverage.diff_unreadable", line=at + 1)
        at += 1
    if gone + came:
        edits.append(Edit(old - gone, gone, new - came, came))
    return at


def _is_bare(names: str) -> bool:
    """Whether the header names one path twice: then git was told to put no prefix before it."""
    half = len(names) // 2
    return names[:half] == names[half + 1 :]


def _path(text: str, bare: bool) -> str:
    path = unquoted(text) if text.startswith('"') else text.partition("\t")[0]
    if path == _NOWHERE:
        return ""
    return path[2:] if not bare and _PREFIX.match(path) else path


def diff_files(diff: str) -> Iterator[DiffFile]:
    """The files as they are shown, in their order; what stands before the first one is left out.

    After the first `@@` every line of a file has a sign before it, so none can pass for a header.
    """
    section: list[str] = []
    for line in (*diff.split("\n"), "diff --git "):
        if line.startswith("diff --"):
            if section:
                yield _diff_file(section)
            section = [line]
        elif section:
            section.append(line)


def _diff_file(section: list[str]) -> DiffFile:
    lines = section if section[-1] else section[:-1]
    body = next((at for at, line in enumerate(lines) if line.startswith("@@")), len(lines))
    names = [
        line.partition(" to ")[2] for line in lines[:body] if line.startswith(("rename to ", "copy to "))
    ]
    header = lines[0].removeprefix("diff --git ")
    name = unquoted(names[0] if names else header[len(header) // 2 + 1 :])
    return DiffFile(name if names else name.removeprefix("b/"), tuple(lines), tuple(_added(lines[body:])))


def _added(lines: list[str]) -> Iterator[tuple[int, str]]:
    number = 0
    for line in lines:
        if head := _HUNK.match(line):
            number = int(head[3])
        elif line.startswith("+"):
            yield number, line[1:].removesuffix("\r")
            number += 1
        elif not line.startswith(("-", "\\")):
            number += 1
