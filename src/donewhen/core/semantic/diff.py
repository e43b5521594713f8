"""A diff of git, file by file: its text as it stands and the lines that it adds.

After the first `@@` every line of a file has a sign before it, so nothing in a file can pass for a header.
Lenient, for its readers look for what is there and decide nothing about what is not: a line whose number
can't be told has 0.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.core.gitnames import unquoted

_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,[0-9]{1,9})? \+([0-9]{1,9})(?:,[0-9]{1,9})? @@")
_STARTS = ("diff --git ", "diff --cc ", "diff --combined ")
_NAMES = ("rename to ", "copy to ")


class Part(NamedTuple):
    """What a diff says about one file; `added`: (number in the new file, text)."""

    file: str
    lines: tuple[str, ...]
    added: tuple[tuple[int, str], ...] = ()


def parts(diff: str) -> Iterator[Part]:
    """The files in their order; what stands before the first one belongs to none and is left out."""
    section: list[str] = []
    for line in diff.split("\n"):
        if line.startswith(_STARTS):
            if section:
                yield _part(section)
            section = [line]
        elif section:
            section.append(line)
    if section:
        yield _part(section)


def _part(section: list[str]) -> Part:
    if not section[-1]:
        section = section[:-1]
    body = next((at for at, line in enumerate(section) if line.startswith("@@")), len(section))
    return Part(_name(section[:body]), tuple(section), tuple(_added(section[body:])))


def _added(lines: list[str]) -> Iterator[tuple[int, str]]:
    number = step = 0
    columns = 1
    for line in lines:
        if line.startswith("@@"):
            head = _HUNK.match(line)
            number, step = (int(head[1]), 1) if head else (0, 0)
            columns = 1 if head else max(1, len(line) - len(line.lstrip("@")) - 1)
        elif "+" in line[:columns]:
            yield number, line[columns:].removesuffix("\r")
            number += step
        elif not line.startswith(("-", "\\")):
            number += step


def _name(header: list[str]) -> str:
    """The file's path now; that of before where it is gone."""
    found = ""
    for line in header:
        if line.startswith(_NAMES):
            found = unquoted(line.partition(" to ")[2])
        elif line.startswith(("--- ", "+++ ")):
            path = unquoted(line[4:]) if line.startswith('"', 4) else line[4:].partition("\t")[0]
            found = path[2:] if path[:2] in ("a/", "b/") else (found if path == "/dev/null" else path)
    return found or _from_first(header[0])


def _from_first(line: str) -> str:
    """`diff --git a/x b/x`, where nothing else names the file: an empty or a binary one."""
    names = line[len("diff --git ") :] if line.startswith("diff --git ") else line.partition(" ")[2]
    second = names[len(names) // 2 + 1 :]
    path = unquoted(second)
    return path[2:] if path[:2] in ("a/", "b/") else path
