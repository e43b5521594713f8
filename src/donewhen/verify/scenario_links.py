"""Which scenario is named at which test, and whether that test asserts anything.

A link is a comment, `scenario: ID`, or a marker of a Python test: `@donewhen.scenario("ID")`,
`@pytest.mark.scenario("ID")`, `pytestmark = …`; only literal ids count. Links are found by syntax tree where
`test_functions` reads the language. In others a comment is found by its form alone, and it is left open
whether its test asserts: only a report can tell.
"""

import ast
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.scenarios import Link
from donewhen.project.roles import role_of
from donewhen.project.syntax import line, parse, text, walk
from donewhen.verify.test_functions import TestFunction, language_of, read_test_functions

if TYPE_CHECKING:
    from tree_sitter import Node

_LARGEST = 256 * 1024  # bytes
_CHECKS = re.compile(r"_?(assert|check|expect|verify|should|ensure|must|require|validate)", re.IGNORECASE)
_MOST_FILES = 50_000
_MOST_LINKS = 20_000
_NAMED = re.compile(r"[\s#/*!;%-]{0,40}@?scenarios?[ \t]{0,4}[:：](.*)$", re.IGNORECASE)
_DRESS = " \t\r\"'`*/<>"
_LONGEST = 1000
_SLASHES = 2  # <spec>/<requirement>/<scenario>
_MOST_IDS = 50
_MOST_NAMING = 2000  # comments of one file that name scenarios
_MOST_BELOW = 60  # lines of one run
# Comments of languages that nobody reads here: a whole line of them, or what follows code and a blank.
_FOREIGN = re.compile(r"^[ \t]{0,200}(?:#|//|--|;|%|\*|/\*|<!--|\(\*)")


class Extent(NamedTuple):
    """One test with the column where it begins."""

    test: TestFunction
    column: int


class Comment(NamedTuple):
    """A line of a comment; `alone`: nothing but the comment stands on it."""

    row: int
    column: int
    alone: bool
    text: str


class Naming(NamedTuple):
    """Scenarios that one run of comment lines names, and where that run stands."""

    ids: tuple[str, ...]
    first: Comment  # that names them
    last: int  # line of the run's end


def gather(paths: Iterable[str], read: Callable[[str], bytes]) -> tuple[Link, ...]:
    """The links of many files; `read` gives a file's bytes, empty where there are none to give."""
    found: list[Link] = []
    for number, path in enumerate(paths):
        if number >= _MOST_FILES or len(found) >= _MOST_LINKS:
            break
        # tests may stand beside source (Rust, doctests), so every file in a known language is looked at
        if role_of(path) == "test" or (_is_known(path) and role_of(path) != "other"):
            found += find_links(path, read(path))
    return tuple(found)


def find_links(path: str, data: bytes) -> tuple[Link, ...]:
    """The links of one file; none where no scenario is named."""
    if b"scenario" not in data.lower() or len(data) > _LARGEST or b"\0" in data:
        return ()
    if not _is_known(path):
        named = _runs(list(_foreign_comments(data))) if role_of(path) == "test" else ()
        return tuple(dict.fromkeys(Link(id, "", path, e.first.row, None) for e in named for id in e.ids))
    language, rows = language_of(path), data.split(b"\n")
    root = parse(language, data).root_node
    tests = read_test_functions(path, data)
    known = [Extent(test, _indent(rows[test.first - 1])) for test in tests]
    found: list[Link] = []
    for each in _runs(list(_comments(root, rows))):
        mine = _owners(each, known) or (None,)
        found += [_link(path, id, each.first.row, one) for id in each.ids for one in mine]
    for ids, number, place in _markers(root) if language == "python" else ():
        first, last = line(place), place.end_point[0] + 1
        inside = [test for test in tests if first <= test.first and test.last <= last]
        found += [_link(path, id, number, one) for id in ids for one in inside or (None,)]
    return tuple(dict.fromkeys(found))


def _is_known(path: str) -> bool:
    return language_of(path) not in ("", "shell")


def _indent(row: bytes) -> int:
    return len(row) - len(row.lstrip())


def _link(path: str, name: str, number: int, test: TestFunction | None) -> Link:
    language = language_of(path).replace("tsx", "typescript")
    if test is None:
        return Link(name, "", path, number, False, language=language)
    return Link(name, test.name, path, number, asserts(test), test.disabled, language, test.first, test.last)


def asserts(test: TestFunction) -> bool:
    """More than that something is there; a helper from elsewhere that is named like a check is believed."""
    if test.asserts:
        return test.strong + test.truths > 0
    return any(map(_CHECKS.match, test.names))


def _owners(naming: Naming, known: Sequence[Extent]) -> list[TestFunction]:
    """The test directly below a comment of its own line; else the innermost around it; else the one above
    whose body it ends, by its indent. Several where one function is the test of several classes."""
    comment, row = naming.first, naming.first.row
    below = [each for each in known if each.test.first == naming.last + 1 and comment.column <= each.column]
    around = [each for each in known if each.test.first <= row <= each.test.last]
    if (below and comment.alone) or around:
        return _smallest(below if below and comment.alone else around)
    before = [each for each in known if each.test.last < row]
    nearest = max((each.test.last for each in before), default=0)
    ending = [each for each in before if each.test.last == nearest and comment.column > each.column]
    return [] if row - nearest > 3 else _smallest(ending)


def _smallest(these: Sequence[Extent]) -> list[TestFunction]:
    size = min((each.test.last - each.test.first for each in these), default=0)
    return [each.test for each in these if each.test.last - each.test.first == size]


# Comments


def _comments(root: "Node", rows: Sequence[bytes]) -> Iterator[Comment]:
    """In the order of the text; some grammars have comments inside of comments."""
    last = -1
    for node in walk(root):
        if "comment" in node.type and node.start_byte >= last:
            last = node.end_byte
            row, column = node.start_point
            for at, part in enumerate(text(node).rstrip("\n").split("\n")):
                yield Comment(row + 1 + at, column, not rows[row][:column].strip(), part)


def _foreign_comments(data: bytes) -> Iterator[Comment]:
    """Of a language without a tree."""
    for row, each in enumerate(data.decode(errors="replace").split("\n"), 1):
        if _FOREIGN.match(each[:_LONGEST]):
            yield Comment(row, len(each) - len(each.lstrip()), True, each)


def _runs(comments: Sequence[Comment]) -> Iterator[Naming]:
    """Comment lines that follow each other are one run; each naming line of it takes those below."""
    naming = [(at, it) for at, each in enumerate(comments) if (it := _NAMED.match(each.text[:_LONGEST]))]
    for at, found in naming[:_MOST_NAMING]:
        ids, last, more = split_ids(found[1]), comments[at].row, True
        for below in comments[at + 1 : at + _MOST_BELOW]:
            if below.row != last + 1 or not below.alone:
                break
            last = below.row
            listed = split_ids(below.text[:_LONGEST].strip(_DRESS + "#!;%-")) if more else ()
            more = bool(listed) and all("/" in each and " " not in each for each in listed)
            ids += listed if more else ()
        yield Naming(tuple(dict.fromkeys(ids))[:_MOST_IDS], comments[at], last)


def split_ids(text: str) -> tuple[str, ...]:
    """Ids between commas and line ends, without what comments and quotes put round them."""
    pieces = unicodedata.normalize("NFC", text).replace("\n", ",").split(",")
    return tuple(clean for piece in pieces if (clean := _id(piece)))


def _id(piece: str) -> str:
    """What people write behind an id is left out: ids of specs have slashes and no blanks."""
    clean = piece.strip(_DRESS).rstrip(".;").strip(_DRESS)
    first = clean.partition(" ")[0]
    return first.rstrip(".;:").strip(_DRESS) if first.count("/") == _SLASHES else clean


# Markers of Python tests


def _markers(root: "Node") -> Iterator[tuple[tuple[str, ...], int, "Node"]]:
    """Ids, the line that names them, and what they are for: see `_place`."""
    for node in walk(root):
        function = node.child_by_field_name("function") if node.type == "call" else None
        if function is not None and text(function).rpartition(".")[2] == "scenario":
            ids, place = tuple(_literal_ids(node.child_by_field_name("arguments"))), _place(node)
            if ids and place is not None:
                yield ids, line(node), place


def _place(call: "Node") -> "Node | None":
    """The decorated function or class, or the class or file that a `pytestmark` stands in."""
    here = call.parent
    while here is not None and here.type not in ("block", "module", "function_definition"):
        if here.type == "decorator":
            return here.parent
        left = here.child_by_field_name("left") if here.type == "assignment" else None
        if left is not None:
            if text(left) != "pytestmark":
                return None
            while here is not None and here.type not in ("class_definition", "module", "function_definition"):
                here = here.parent
            return here if here is None or here.type != "function_definition" else None
        here = here.parent
    return None


def _literal_ids(arguments: "Node | None") -> Iterator[str]:
    for node in arguments.named_children if arguments is not None else ():
        if node.type in ("string", "concatenated_string") and len(text(node)) <= 4 * _LONGEST:
            try:
                value = ast.literal_eval(text(node))
            except (ValueError, SyntaxError):
                continue  # an f-string
            if isinstance(value, str):
                yield from split_ids(value)
