"""Finds the links of a file: which scenario is named at which test, and whether that test asserts anything.

By syntax tree in the languages that integrity reads. In others a comment is found by its form alone, and it
is left open whether its test asserts: only a report can tell.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from donewhen.core.integrity.model import Sheet, Test
from donewhen.core.integrity.roles import role_of
from donewhen.core.integrity.words import demanding
from donewhen.core.scenarios import Link
from donewhen.verify.integrity.reading import LANGUAGES, LARGEST, read_sheet
from donewhen.verify.integrity.syntax import parse
from donewhen.verify.scenarios.comments import Named, in_text, in_tree
from donewhen.verify.scenarios.extents import Extent, extents
from donewhen.verify.scenarios.markers import markers

_GRAMMARS = {"ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx"}
_WORD = re.compile(r"[^\W\d]\w*")
_MOST_FILES = 50_000
_MOST_LINKS = 20_000


def find_links(path: str, data: bytes) -> tuple[Link, ...]:
    """The links of one file; none where no scenario is named."""
    if b"scenario" not in data.lower() or len(data) > LARGEST or b"\0" in data:
        return ()
    suffix = PurePosixPath(path).suffix[1:].lower()
    room = LANGUAGES.get(suffix)
    if room is None:
        return tuple(_foreign(path, data))
    role = role_of(path)
    sheet = read_sheet(path, data, role)
    root = parse(_GRAMMARS.get(suffix, room), data).root_node
    known = extents(root, sheet)
    found = [_link(sheet, each, line, extent) for each, line, extent in _named(in_tree(root, data), known)]
    if room == "python":
        for marker in markers(root):
            inside = [one for one in known if marker.first <= one.first and one.last <= marker.last]
            found += [
                _link(sheet, each, marker.line, one) for each in marker.ids for one in inside or (None,)
            ]
    return tuple(dict.fromkeys(found))


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
    return PurePosixPath(path).suffix[1:].lower() in LANGUAGES and role_of(path) != "other"


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
        if comment.alone and one.first == comment.last + 1 and comment.column <= one.column
    ]
    around = [one for one in known if one.holds(comment.line)]
    if below:
        return _smallest(below)
    if around:
        return _smallest(around)
    before = [one for one in known if one.last < comment.line]
    nearest = max((one.last for one in before), default=0)
    ending = [one for one in before if one.last == nearest and comment.column > one.column]
    between = any(nearest < one.first <= comment.line for one in known)
    return [] if between or comment.line - nearest > 3 else _smallest(ending)


def _smallest(these: list[Extent]) -> list[Extent]:
    size = min((one.last - one.first for one in these), default=0)
    return [one for one in these if one.last - one.first == size]


def _link(sheet: Sheet, name: str, line: int, extent: Extent | None) -> Link:
    if extent is None:
        return Link(name, "", sheet.path, line, False, language=sheet.language)
    test = extent.test
    return Link(
        name,
        test.name,
        sheet.path,
        line,
        asserts(test),
        _switched_off(test),
        sheet.language,
        extent.first,
        extent.last,
    )


def asserts(test: Test) -> bool:
    """Something that can fail; a helper from elsewhere that is named like a check is believed, unless its
    name is that of an assertion here that can't."""
    if any(not each.hollow for each in test.asserts):
        return True
    hollow = {word for each in test.asserts for word in _WORD.findall(each.text)}
    return not demanding(test.calls) <= hollow


def _switched_off(test: Test) -> str:
    return test.swallows or (test.disabled if not test.conditional else "")


def _foreign(path: str, data: bytes) -> Iterator[Link]:
    if role_of(path) == "test":
        for named in in_text(data):
            yield from (Link(each, "", path, named.line, None) for each in named.ids)
