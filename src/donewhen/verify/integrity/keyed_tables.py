"""Tables of the exam that stand beside its tests: `from tests.cases import GOOD`, `require("./cases.json")`.

A test that loops over such a table has no literals of its own; the rows say what it asks. Only those files
are read that a test speaks of, and only rows with a question and an answer count.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from donewhen.core.integrity.keyed_data import LARGEST, tables
from donewhen.core.integrity.keyed_values import is_compound
from donewhen.core.integrity.model import Assertion, Branch, Sheet, Test
from donewhen.verify.integrity.reading import LANGUAGES, read_sheet
from donewhen.verify.integrity.shellscript.deciding import literal

_DATA = ("json", "csv", "tsv")
_MOST_ROWS = 500
_MOST_LINES = 6
_LONGEST = 4000  # bytes of a file that is one case
_CASE = re.compile(r"(?:^|/)(?:tests?|spec|t)/(?:[^/]+/){0,4}[^/]+\.(?:case|test|tc)$")
_LEAST = 2  # rows


def may_hold_tables(path: str) -> bool:
    suffix = path.rpartition(".")[2].lower()
    return suffix in LANGUAGES or suffix in _DATA


def tables_beside(
    tests: Sequence[Sheet], texts: Mapping[str, bytes], files: Mapping[str, bytes]
) -> Iterator[Sheet]:
    """`texts`: the tests as they are written; `files`: what may hold their tables."""
    for path, data in files.items():
        stem = posixpath.basename(path).partition(".")[0].encode(errors="surrogateescape")
        asking = [sheet for sheet in tests if sheet.path != path and stem in texts.get(sheet.path, b"")]
        called = {
            name
            for sheet in asking
            for test in sheet.tests
            if takes_from_elsewhere(test)
            for name in test.calls
        }
        if not called or len(data) > LARGEST:
            continue
        rows = tuple(each for table in _tables(path, data) for each in _asked(table, tuple(sorted(called))))[
            :_MOST_ROWS
        ]
        if rows:
            yield Sheet(path, "test", tests=(Test(path, 1, rows),))


class Files(Protocol):
    """The files of one tree."""

    def paths(self) -> Collection[str]: ...

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]: ...


def rows_of_files(tree: Files) -> Iterator[Sheet]:
    """Cases that are files of their own, a few lines each, the answer last: tests/cases/long.case."""
    found = sorted(path for path in tree.paths() if _CASE.search(path))[:_MOST_ROWS]
    for path, data in tree.read(found).items():
        lines = data[:_LONGEST].decode(errors="replace").splitlines()
        if _LEAST <= len(lines) <= _MOST_LINES:
            given = (literal("".join(lines[:-1])), literal(" ".join(lines[:-1])), *map(literal, lines[:-1]))
            row = Assertion(path, 1, "equal", (), tuple(dict.fromkeys(given)), (literal(lines[-1]),))
            yield Sheet(path, "test", tests=(Test(path, 1, (row,)),))


def takes_from_elsewhere(test: Test) -> bool:
    """A test that has its values from elsewhere."""
    return test.cases == 0 or not any(one.given or one.expected for one in test.asserts)


def _tables(path: str, data: bytes) -> Iterator[Branch]:
    if path.rpartition(".")[2].lower() in _DATA:
        yield from tables(data.decode(errors="replace"))
        return
    for each in sorted(read_sheet(path, data, "support").literals):
        if is_compound(each):
            yield from tables(each)


def _asked(table: Branch, called: tuple[str, ...]) -> Iterator[Assertion]:
    if len(table.keys) != len(table.answers) or len(table.keys) < _LEAST:
        return
    for key, answer in zip(table.keys, table.answers, strict=True):
        yield Assertion(f"{key}: {answer}", 1, "equal", called, (key,), (answer,))
