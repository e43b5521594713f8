"""Finds the links of a file: which scenario is named at which test, and whether that test asserts anything.

By syntax tree where `test_functions` reads the language. In others a comment is found by its form alone, and
it is left open whether its test asserts: only a report can tell.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from donewhen.core.integrity.roles import role_of
from donewhen.core.scenarios import Link
from donewhen.verify.scenarios.comments import Named, in_text, in_tree
from donewhen.verify.scenarios.markers import markers
from donewhen.verify.syntax import parse
from donewhen.verify.test_functions import TestFunction, language_of, read_test_functions

_LARGEST = 256 * 1024  # bytes
_CHECKS = re.compile(r"_?(assert|check|expect|verify|should|ensure|must|require|validate)", re.IGNORECASE)
_MOST_FILES = 50_000
_MOST_LINKS = 20_000


class Extent(NamedTuple):
    """One test with the column where it begins."""

    test: TestFunction
    column: int

    @property
    def lines(self) -> int:
        return self.test.last - self.test.first


def find_links(path: str, data: bytes) -> tuple[Link, ...]:
    """The links of one file; none where no scenario is named."""
    if b"scenario" not in data.lower() or len(data) > _LARGEST or b"\0" in data:
        return ()
    language = language_of(path)
    if language in ("", "shell"):
        return tuple(_foreign(path, data))
    root = parse(language, data).root_node
    rows = data.split(b"\n")
    known = tuple(Extent(test, _indent(rows[test.first - 1])) for test in read_test_functions(path, data))
    found = [_link(path, each, line, extent) for each, line, extent in _named(in_tree(root, data), known)]
    if language == "python":
        for marker in markers(root):
            inside = [each for each in known if _is_inside(each.test, marker.first, marker.last)]
            found += [_link(path, each, marker.line, one) for each in marker.ids for one in inside or (None,)]
    return tuple(dict.fromkeys(found))


def _indent(row: bytes) -> int:
    return len(row) - len(row.lstrip())


def _is_inside(test: TestFunction, first: int, last: int) -> bool:
    return first <= test.first and test.last <= last


def gather(paths: Iterable[str], read: Callable[[str], bytes]) -> tuple[Link, ...]:
    """The links of many files; `read` gives a file's bytes, empty where there are none to give."""
    found: list[Link] = []
    for number, path in enumerate(paths):
        if number >= _MOST_FILES or len(found) >= _MOST_LINKS:
            break
        if _may_link(path):
            found += find_links(path, read(path))
    return tuple(found)


def _may_link(path: str) -> bool:
    """Tests may stand beside source (Rust, doctests), so every file in a known language is looked at."""
    if role_of(path) == "test":
        return True
    return language_of(path) not in ("", "shell") and role_of(path) != "other"


def _named(comments: Iterable[Named], known: tuple[Extent, ...]) -> Iterator[tuple[str, int, Extent | None]]:
    for comment in comments:
        mine = _owners(comment, known)
        for each in comment.ids:
            yield from ((each, comment.line, one) for one in mine or (None,))


def _owners(comment: Named, known: tuple[Extent, ...]) -> list[Extent]:
    """The test directly below a comment of its own line; else the innermost around it; else the one above
    whose body it ends, by its indent. Several where one function is the test of several classes."""
    below = [
        one
        for one in known
        if comment.alone and one.test.first == comment.last + 1 and comment.column <= one.column
    ]
    around = [one for one in known if one.test.first <= comment.line <= one.test.last]
    if below:
        return _smallest(below)
    if around:
        return _smallest(around)
    before = [one for one in known if one.test.last < comment.line]
    nearest = max((one.test.last for one in before), default=0)
    ending = [one for one in before if one.test.last == nearest and comment.column > one.column]
    between = any(nearest < one.test.first <= comment.line for one in known)
    return [] if between or comment.line - nearest > 3 else _smallest(ending)


def _smallest(these: list[Extent]) -> list[Extent]:
    size = min((one.lines for one in these), default=0)
    return [one for one in these if one.lines == size]


def _link(path: str, name: str, line: int, extent: Extent | None) -> Link:
    language = language_of(path).replace("tsx", "typescript")
    if extent is None:
        return Link(name, "", path, line, False, language=language)
    test = extent.test
    return Link(name, test.name, path, line, asserts(test), test.disabled, language, test.first, test.last)


def asserts(test: TestFunction) -> bool:
    """More than that something is there; a helper from elsewhere that is named like a check is believed."""
    if test.asserts:
        return test.strong + test.truths > 0
    return any(map(_CHECKS.match, test.names))


def _foreign(path: str, data: bytes) -> Iterator[Link]:
    if role_of(path) == "test":
        for named in in_text(data):
            yield from (Link(each, "", path, named.line, None) for each in named.ids)
