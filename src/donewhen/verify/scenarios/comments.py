"""Comments that name scenarios: `scenario: ID`, several after commas or on lines of their own below."""

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMED = re.compile(r"[\s#/*!;%-]{0,40}@?scenarios?[ \t]{0,4}[:：](.*)$", re.IGNORECASE)
_DRESS = " \t\r\"'`*/<>"
_LONGEST = 1000
_SLASHES = 2  # <spec>/<requirement>/<scenario>
_MOST_IDS = 50
_MOST_NAMING = 2000  # comments of one file that name scenarios
_MOST_BELOW = 60  # lines of one run
# Comments of languages that nobody reads here: a whole line of them, or what follows code and a blank.
_FOREIGN = re.compile(r"^[ \t]{0,200}(?:#|//|--|;|%|\*|/\*|<!--|\(\*)")


class Named(NamedTuple):
    """Scenarios that one run of comment lines names, and where that run stands."""

    ids: tuple[str, ...]
    line: int  # that names them
    last: int  # line of the run's end
    column: int
    alone: bool  # nothing but the comment on its lines


class _Line(NamedTuple):
    number: int
    column: int
    alone: bool
    text: str


def in_tree(root: "Node", data: bytes) -> tuple[Named, ...]:
    lines: list[_Line] = []
    rows = data.split(b"\n")
    for node in _comments(root):
        row, column = node.start_point
        alone = not rows[row][:column].strip()
        text = (node.text or b"").decode(errors="replace").rstrip("\n")
        for at, part in enumerate(text.split("\n")):
            lines.append(_Line(row + 1 + at, column, alone, part))
    return tuple(_runs(lines))


def _comments(root: "Node") -> Iterator["Node"]:
    """In the order of the text; some grammars have comments inside of comments."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if "comment" in node.type:
            yield node
        else:
            waiting.extend(reversed(node.children))


def in_text(data: bytes) -> tuple[Named, ...]:
    """For a language without a tree."""
    text = data.decode(errors="replace").split("\n")
    lines = [
        _Line(number, len(line) - len(line.lstrip()), True, line)
        for number, line in enumerate(text, 1)
        if _FOREIGN.match(line[:_LONGEST])
    ]
    return tuple(_runs(lines))


def _runs(lines: list[_Line]) -> Iterator[Named]:
    """Comment lines that follow each other are one run; each naming line of it takes those below."""
    naming = [(at, found) for at, line in enumerate(lines) if (found := _NAMED.match(line.text[:_LONGEST]))]
    for at, found in naming[:_MOST_NAMING]:
        line = lines[at]
        ids = split_ids(found[1])
        last, more = line.number, True
        for below in lines[at + 1 : at + _MOST_BELOW]:
            if below.number != last + 1 or not below.alone:
                break
            last = below.number
            listed = split_ids(below.text[:_LONGEST].strip(_DRESS + "#!;%-")) if more else ()
            more = bool(listed) and all("/" in each and " " not in each for each in listed)
            ids += listed if more else ()
        yield Named(tuple(dict.fromkeys(ids))[:_MOST_IDS], line.number, last, line.column, line.alone)


def split_ids(text: str) -> tuple[str, ...]:
    """Ids between commas and line ends, without what comments and quotes put round them."""
    pieces = unicodedata.normalize("NFC", text).replace("\n", ",").split(",")
    return tuple(clean for piece in pieces if (clean := _id(piece)))


def _id(piece: str) -> str:
    """What people write behind an id is left out: ids of specs have slashes and no blanks."""
    clean = piece.strip(_DRESS).rstrip(".;").strip(_DRESS)
    first = clean.partition(" ")[0]
    return first.rstrip(".;:").strip(_DRESS) if first.count("/") == _SLASHES else clean
