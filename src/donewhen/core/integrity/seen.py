"""Tests of a change as they are compared: each with its file, what it exercises and the values that it holds.

Made once per change, so that the comparisons only look things up. Tests that no runner would collect where
they lie are left out, and of two Python functions with one name only the last one counts.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, Pair, Sheet, Test
from donewhen.core.integrity.values import pieces
from donewhen.core.integrity.words import last, leaf, of_runner


class Seen(NamedTuple):
    """One test at its place; equal only to itself, so that looking it up costs nothing."""

    sheet: Sheet
    test: Test
    leaf: str
    called: frozenset[str]  # last parts of all that it calls
    reach: frozenset[str]  # of these and of what its assertions read, what is not the runner's
    pool: frozenset[str]  # its literals, whole and in parts
    demands: frozenset[tuple[object, ...]]  # what it asserts, however it is laid out

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def path(self) -> str:
        return self.sheet.path

    @property
    def name(self) -> str:
        return self.test.name

    @property
    def place(self) -> tuple[str, int, str]:
        return (self.sheet.path, self.test.line, self.test.name)


class Change(NamedTuple):
    """All that the pairs of a change say, in an order that does not depend on theirs."""

    pairs: tuple[Pair, ...]
    base: tuple[Seen, ...]
    now: tuple[Seen, ...]
    product: frozenset[str]  # names that the product's changed files define, at the base or now

    @property
    def base_sheets(self) -> tuple[Sheet, ...]:
        return tuple(pair.base for pair in self.pairs if pair.base is not None)

    @property
    def now_sheets(self) -> tuple[Sheet, ...]:
        return tuple(pair.now for pair in self.pairs if pair.now is not None)


def look(pairs: Sequence[Pair]) -> Change:
    ordered = tuple(sorted(pairs, key=lambda pair: (pair.path, pair.base is None)))
    product = frozenset(
        last(name)
        for pair in ordered
        for sheet in pair
        if sheet is not None and sheet.role == "source"
        for name in sheet.defines
    )
    base = (pair.base for pair in ordered if pair.base is not None and _collected(pair.base, pair.base))
    now = (pair.now for pair in ordered if pair.now is not None and _collected(pair.now, pair.base))
    return Change(ordered, _all_seen(base, product), _all_seen(now, product), product)


def _collected(sheet: Sheet, base: Sheet | None) -> bool:
    """Tests of a file that is no test file count only where they did so before, and always in Rust."""
    return collects(sheet) or (base is not None and bool(base.tests))


def collects(sheet: Sheet) -> bool:
    """Whether runners look for tests in such a file."""
    return sheet.role == "test" or sheet.language == "rust"


def _all_seen(sheets: Iterable[Sheet], product: frozenset[str]) -> tuple[Seen, ...]:
    return tuple(seen_as(sheet, test, product) for sheet in sheets for test in _effective(sheet))


def _effective(sheet: Sheet) -> Iterable[Test]:
    if sheet.language != "python":
        return sheet.tests
    return {
        test.name: test for test in sheet.tests
    }.values()  # a later definition takes an earlier one's place


def seen_as(sheet: Sheet, test: Test, product: frozenset[str]) -> Seen:
    called = frozenset(map(last, test.calls))
    read = {each for assertion in test.asserts for each in subjects_of(assertion, called, product)}
    reach = frozenset(name for name in called | read if name in product or not of_runner(name))
    values = [*test.literals]
    for assertion in test.asserts:
        values += (*assertion.given, *assertion.expected)
    demands = frozenset((a.kind, frozenset(map(last, a.subjects)), a.given, a.expected) for a in test.asserts)
    return Seen(sheet, test, leaf(test.name), called, reach, pieces(values), demands)


def subjects_of(assertion: Assertion, called: frozenset[str], product: frozenset[str]) -> frozenset[str]:
    """Its subjects by their last parts, without local variables: those have whatever name one likes."""
    found = ((last(subject), subject) for subject in assertion.subjects)
    surely = assertion.kind == "raises"  # names what it calls, also without calling it
    return frozenset(
        name
        for name, subject in found
        if name in product
        or ((surely or not subject.isidentifier() or name in called) and not of_runner(name))
    )
