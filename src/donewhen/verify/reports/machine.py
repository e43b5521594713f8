"""Which reader a machine report goes to: a file by its content, what was printed by the command that printed.

Printed output is a report only where the command itself, called directly, asks its runner for one on stdout.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from donewhen.core.scenarios import Case
from donewhen.verify.reports.cargo_json import read_cargo_json
from donewhen.verify.reports.go_json import read_go_json
from donewhen.verify.reports.jest_json import read_jest_json
from donewhen.verify.reports.junit import read_junit

_MOST_WORDS = 1000
Reader = Callable[[bytes, str], tuple[Case, ...]]


def _go(data: bytes, root: str) -> tuple[Case, ...]:
    return read_go_json(data)


def _cargo(data: bytes, root: str) -> tuple[Case, ...]:
    return read_cargo_json(data)


def _junit(data: bytes, root: str) -> tuple[Case, ...]:
    found = read_junit(data, root)
    return found.cases if found is not None else ()


class _Asked(NamedTuple):
    program: str
    words: tuple[str, ...]  # one of these after it asks for the report
    reader: Reader


_PRINTED = (
    _Asked("go", ("-json", "--json"), _go),
    _Asked("jest", ("--json",), read_jest_json),
    _Asked("vitest", ("--reporter=json", "--reporter json"), read_jest_json),
    _Asked("mocha", ("--reporter=json", "--reporter json", "-R json"), read_jest_json),
    _Asked(
        "cargo",
        ("--format=json", "--format json", "--message-format libtest-json", "--message-format=libtest-json"),
        _cargo,
    ),
)
_FILES: tuple[Reader, ...] = (_junit, read_jest_json, _go, _cargo)


def printed_reader(argv: Sequence[str]) -> Reader | None:
    """How the output of the command is read; None: what it prints is for people."""
    names = [word.rpartition("/")[2] for word in argv[:_MOST_WORDS]]
    for asked in _PRINTED:
        if asked.program in names:
            rest = argv[names.index(asked.program) + 1 : _MOST_WORDS]
            pairs = (f"{one} {two}" for one, two in pairwise(rest))
            if not {*rest, *pairs}.isdisjoint(asked.words):
                return asked.reader
    return None


def read_any(data: bytes, root: str = "") -> tuple[Case, ...]:
    """The tests of a report in a file, whatever wrote it; none where no reader knows it."""
    if not data:
        return ()
    return next((cases for reader in _FILES if (cases := reader(data, root))), ())
