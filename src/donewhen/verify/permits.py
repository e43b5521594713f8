"""What a person permits beforehand: files whose exam is taken as it is now, and single tests. Pure.

From `--permit GLOB|TEST` and the promise. What the goal's words permit is `goal_permits`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.base_tests import Broken
from donewhen.core.errors import UserError
from donewhen.core.paths import Patterns
from donewhen.core.texts import Phrase
from donewhen.verify.test_functions import read_test_functions

_RULE = re.compile(r"(?:\*|[a-z]+(?:-[a-z]+)+)\s*=")  # as permits were written once
_LONGEST = 120
_SHOWN = 20  # names in one sentence


class Permit(NamedTuple):
    """One text: a glob as in gitignore files, or a test as `verify` shows it (`tests/test_a.py::test_b`)."""

    text: str
    glob: str
    titles: tuple[str, ...] = ()  # of a test, its suites first; none: everything in these files

    def covers_file(self, path: str) -> bool:
        return not self.titles and self._has(path)

    def covers_test(self, name: str) -> bool:
        """`name` as it is shown: a permit for a group covers all of it, one for a test all its rows."""
        path, titles = _split(name)
        if not self.titles or not self._has(path):
            return False
        return any(_is_within(one, self.titles) for one in (titles, tuple(map(_without_row, titles))))

    def _has(self, path: str) -> bool:
        return self.glob in ("*", "**", "**/*") or path == self.glob or Patterns((self.glob,)).match(path)


def read_permit(text: str) -> Permit:
    """UserError for a text that names neither files nor a test."""
    stripped = text.strip()
    if _RULE.match(stripped):
        raise UserError("permits.rule", text=text[:_LONGEST], glob=stripped.partition("=")[2].strip())
    glob, titles = _split(stripped)
    if not glob or glob.startswith("#"):
        raise UserError("permits.empty", text=text[:_LONGEST])
    if glob.startswith("!"):
        raise UserError("permits.takes_away", text=text[:_LONGEST])
    Patterns((glob,))
    return Permit(stripped, glob, titles)


def permitted_files(permits: Sequence[Permit], paths: Iterable[str]) -> frozenset[str]:
    return frozenset(path for path in paths if permit_for(permits, path))


def permit_for(permits: Iterable[Permit], file: str, test: str = "") -> Permit | None:
    """The first that covers a file, or a test as it is shown."""
    found = (each for each in permits if each.covers_file(file) or (test and each.covers_test(test)))
    return next(found, None)


def notes_of_files(
    permits: Sequence[Permit], base: Mapping[str, bytes], now: Mapping[str, bytes], paths: Iterable[str]
) -> tuple[Phrase, ...]:
    """What is taken as it is now because a person said so: the tests that changed, or the file."""
    found = []
    for path in sorted(paths):
        permit = permit_for(permits, path)
        if permit is None:
            continue
        kept = {(each.name, each.digest) for each in read_test_functions(path, now.get(path, b""))}
        was = read_test_functions(path, base.get(path, b""))
        tests = [each.name for each in was if (each.name, each.digest) not in kept]
        names = [f"{path}::{name}" for name in tests[:_SHOWN]] or [path]
        more = f", … ({len(tests)})" if len(tests) > _SHOWN else ""
        found.append(Phrase("permits.by_person", {"permit": permit.text, "tests": ", ".join(names) + more}))
    return tuple(found)


def permitted_by_person(broken: Iterable[Broken], permits: Sequence[Permit]) -> dict[Broken, Phrase]:
    """The broken tests that a person permits by name, with a sentence for each."""
    return {
        each: Phrase("permits.by_person", {"permit": permit.text, "tests": each.name})
        for each in broken
        if (permit := next((one for one in permits if one.covers_test(each.name)), None))
    }


def plain_name(name: str) -> str:
    """A test without the row of its table."""
    path, titles = _split(name)
    return "::".join((path, *map(_without_row, titles)))


def last_name(name: str) -> str:
    """A test's own name, without file, suites and row."""
    return plain_name(name).rpartition("::")[2].rpartition(" > ")[2].rpartition(".")[2]


def _is_within(titles: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """A group comes first; runners that don't tell the group show less than what was asked for."""
    return titles[: len(wanted)] == wanted or titles[-1:] == wanted or wanted[-len(titles) :] == titles


def _split(name: str) -> tuple[str, tuple[str, ...]]:
    """File and titles of a test; `>` and `::` stand between titles, the row of a table stays with its own."""
    path, _, rest = name.strip().partition("::")
    head, bracket, row = rest.partition("[")
    titles = [title.strip() for title in re.split(r"::| > ", head)]
    titles[-1] += bracket + row
    return path.strip().removeprefix("./"), tuple(title for title in titles if title)


def _without_row(title: str) -> str:
    return re.sub(r"(?<=.)\[.*\]$", "", title)
