"""Delta specs: what a change adds to, alters in, removes from or renames in one capability.

Reads everything that can be read and notes what the OpenSpec tools would silently pass over; it never
raises and never decides whether the delta is any good.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from donewhen.intake.openspec.blocks import clean_name, read_blocks, requirement_name
from donewhen.intake.openspec.model import (
    OPERATIONS,
    Delta,
    Half,
    Mark,
    Operation,
    Removal,
    Rename,
    Requirement,
    Section,
)
from donewhen.intake.openspec.page import Page, heading_of, read_page

_TITLES: dict[str, Operation] = {f"{operation.lower()} requirements": operation for operation in OPERATIONS}
_LISTED = re.compile(r"###\s*Requirement:")
_SIDE = re.compile(r"(FROM|TO):")


class _Part(NamedTuple):
    """A level-2 section: title, index of its heading, end of its body."""

    title: str
    at: int
    end: int

    @property
    def operation(self) -> Operation | None:
        return _TITLES.get(self.title.lower())


class _Read(NamedTuple):
    added: list[Requirement]
    modified: list[Requirement]
    removed: list[Removal]
    renamed: list[Rename]
    halves: list[Half]


def read_delta(text: str) -> Delta:
    page = read_page(text)
    parts = _parts(page)
    into = _Read([], [], [], [], [])
    sections = []
    for part in parts:
        operation = part.operation
        if operation is not None:
            entries = _READERS[operation](page, part, into)
            blank = not page.text(part.at + 1, part.end).strip()
            sections.append(Section(operation, part.at + 1, entries, blank))
    return Delta(
        tuple(into.added),
        tuple(into.modified),
        tuple(into.removed),
        tuple(into.renamed),
        tuple(sections),
        read_purpose(page),
        tuple(into.halves),
        tuple(_outside(page, parts)),
        tuple(_ignored(page, parts)),
        tuple(_hidden(page)),
        tuple(_near(page)),
    )


def has_delta_sections(text: str) -> bool:
    return any(part.operation for part in _parts(read_page(text)))


def read_purpose(page: Page) -> str:
    """The text of the Purpose section that a reader of the rendered page sees; empty when there is none."""
    seen = [(h.level, h.title, h.at) for h in page.headings() if not page.hidden[h.at]]
    starts = [at for level, title, at in seen if level == 2 and title.lower() == "purpose"]
    if not starts:
        return ""
    end = next((at for level, _, at in seen if level == 2 and at > starts[0]), len(page.lines))
    prose = (line for at, line in page.open_lines(starts[0] + 1, end) if not page.hidden[at])
    return page.text(starts[0] + 1, end).strip() if any(line.strip() for line in prose) else ""


def _parts(page: Page) -> list[_Part]:
    heads = [(h.title, h.at) for h in page.headings() if h.level == 2]
    ends = [at for _, at in heads[1:]] + [len(page.lines)]
    return [_Part(title, at, end) for (title, at), end in zip(heads, ends, strict=False)]


def _read_added(page: Page, part: _Part, into: _Read) -> int:
    found = read_blocks(page, part.at + 1, part.end)
    into.added.extend(found)
    return len(found)


def _read_modified(page: Page, part: _Part, into: _Read) -> int:
    found = read_blocks(page, part.at + 1, part.end)
    into.modified.extend(found)
    return len(found)


def _read_removed(page: Page, part: _Part, into: _Read) -> int:
    found = []
    for at, line in page.open_lines(part.at + 1, part.end):
        name = requirement_name(line) or _listed(line)
        if name:
            found.append(Removal(name, at + 1))
    into.removed.extend(found)
    return len(found)


def _read_renamed(page: Page, part: _Part, into: _Read) -> int:
    """Adjacent FROM and TO lines; a side without its other is kept apart."""
    before = len(into.renamed)
    waiting: Half | None = None
    for at, line in page.open_lines(part.at + 1, part.end):
        side = _side(line, at + 1)
        if side is None:
            continue
        if side.side == "TO" and waiting is not None:
            into.renamed.append(Rename(waiting.name, side.name, waiting.line, side.line))
            waiting = None
        elif side.side == "TO":
            into.halves.append(side)
        else:
            if waiting is not None:
                into.halves.append(waiting)
            waiting = side
    if waiting is not None:
        into.halves.append(waiting)
    return len(into.renamed) - before


_READERS: dict[Operation, Callable[[Page, _Part, _Read], int]] = {
    "ADDED": _read_added,
    "MODIFIED": _read_modified,
    "REMOVED": _read_removed,
    "RENAMED": _read_renamed,
}


def _listed(line: str) -> str | None:
    """The name in a bullet that holds a requirement heading."""
    bare = line.strip()
    return _quoted_name(bare[1:].lstrip()) if bare[:1] in ("-", "*", "+") else None


def _side(line: str, number: int) -> Half | None:
    bare = line.strip()
    bare = bare[1:].lstrip() if bare[:1] in ("-", "*", "+") else bare
    found = _SIDE.match(bare)
    if found is None:
        return None
    name = _quoted_name(bare[found.end() :].lstrip())
    return Half("FROM" if found[1] == "FROM" else "TO", name, number) if name else None


def _quoted_name(text: str) -> str | None:
    """The name in a heading that may stand in backticks."""
    bare = text.removeprefix("`")
    found = _LISTED.match(bare)
    return clean_name(bare[found.end() :].strip().removesuffix("`")) or None if found else None


def _outside(page: Page, parts: list[_Part]) -> list[Mark]:
    edges = [("", -1, parts[0].at if parts else len(page.lines))]
    edges += [(part.title, part.at, part.end) for part in parts if part.operation is None]
    return [
        Mark(name, title, at + 1)
        for title, start, end in edges
        for at, line in page.open_lines(start + 1, end)
        if (name := requirement_name(line))
    ]


def _ignored(page: Page, parts: list[_Part]) -> list[Mark]:
    return [
        Mark(found[1], part.title, at + 1)
        for part in parts
        if part.operation in ("ADDED", "MODIFIED")
        for at, line in page.open_lines(part.at + 1, part.end)
        if (found := heading_of(line)) and found[0] == 3 and not requirement_name(line)
    ]


def _hidden(page: Page) -> list[Mark]:
    """The first line of structure in every comment that hides some."""
    found: list[Mark] = []
    fresh = True
    for at, line in page.open_lines():
        if not page.hidden[at]:
            fresh = True
        elif fresh and _is_structure(line):
            found.append(Mark(line.strip(), "", at + 1))
            fresh = False
    return found


def _is_structure(line: str) -> bool:
    heading = heading_of(line)
    is_section = heading is not None and heading[0] == 2 and heading[1].lower() in _TITLES
    return is_section or requirement_name(line) is not None


def _near(page: Page) -> list[Mark]:
    return [
        Mark(line.strip(), operation, at + 1)
        for at, line in page.open_lines()
        if "#" in line and not _is_structure(line) and (operation := _meant(line))
    ]


def _meant(line: str) -> Operation | None:
    """The delta section that a heading was probably meant to open."""
    bare = line.strip()
    if not bare.startswith("#"):
        return None
    words = bare.strip("# \t:").lower().split()
    return _TITLES.get(" ".join(words)) or _TITLES.get(" ".join(words) + "s")
