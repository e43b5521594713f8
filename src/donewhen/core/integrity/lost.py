"""Tests of the base that no test of the change stands for: merged, left uncollected, replaced or deleted.

Honest rewrites cut tests in pieces and pour several into one table; then every demand is found again among
the tests of the change. A demand that is nowhere is lost, whatever else was added.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename
from typing import NamedTuple

from donewhen.core.integrity.demands import KEPT, Names, asked_by, judge, spread_over
from donewhen.core.integrity.differences import Around
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.matching import likeness
from donewhen.core.integrity.model import Assertion, Finding, Sheet
from donewhen.core.integrity.seen import Seen, collects
from donewhen.core.integrity.strength import demand
from donewhen.core.integrity.surroundings import outside
from donewhen.core.integrity.values import held, pieces, rows, scalars
from donewhen.core.integrity.words import core_of, last, leaf
from donewhen.core.texts import Phrase

_MOST_TOLD = 20  # deleted tests of one file that are named
_ALIKE = 0.34
_CONVENTION = re.compile(r"test.*[.]py$|.*_tests?[.]py$")


class Merged(NamedTuple):
    into: tuple[Seen, ...]
    exactly: bool  # every assertion found as it was, not only its values


def merged(before: Seen, around: Around) -> Merged | None:
    """The tests that ask all that this one asked, if there are such."""
    others = around.others(before)
    asserts = [assertion for assertion in before.test.asserts if not assertion.hollow]
    if not asserts:
        same = (
            [o for o in others if before.reach <= o.reach and before.pool <= o.pool] if before.reach else []
        )
        return Merged((same[0],), False) if same else None
    into: dict[Seen, None] = {}
    exactly = True
    for assertion in asserts:
        other = asked_by(assertion, before, others, around.names)
        if other is None and before.test.cases != 1 and spread_over(assertion, before, others, around.names):
            into.update(dict.fromkeys(others))
            exactly = False
            continue
        if other is None:
            return None
        into[other] = None
        verdicts = {judge(assertion, before, each, other, around.names) for each in other.test.asserts}
        exactly = exactly and "same" in verdicts
    if any(not a.given and not a.expected for a in asserts) or before.test.cases != 1:
        pool = frozenset(value for other in others for value in other.pool)
        if not held((v for v in before.test.literals if not around.incidental(v, before)), pool):
            return None
        exactly = False
    return Merged((*into,), exactly)


def rowless(before: Seen, into: Iterable[Seen], names: Names) -> Iterator[Finding]:
    """An assertion whose values are all in the table, but in no one row."""
    heirs = [(heir, _table(heir)) for heir in into]
    for assertion in before.test.asserts:
        for heir, table in heirs:
            kept = [a for a in heir.test.asserts if judge(assertion, before, a, heir, names) in KEPT]
            if table and kept and not any(_needed(assertion, a) <= row for a in kept for row in table):
                was = assertion.text
                message = Phrase("comparing.rowless", {"test": before.name, "now": heir.name, "before": was})
                place = (heir.path, heir.test.line)
                yield found("expected-changed", *place, before=was, test=before.name, message=message)
                return


def _needed(one: Assertion, other: Assertion) -> Counter[str]:
    """What a row must have: what `other` says itself, for all rows, it need not."""
    had, has = demand(one), demand(other)
    needed = scalars(had.given)
    return needed if set(had.expected) == set(has.expected) else needed + scalars(had.expected)


def _table(seen: Seen) -> tuple[Counter[str], ...]:
    """The rows of the table that the test goes through; none where it is not written as one."""
    if seen.test.cases == 1:
        return ()
    written = rows(sorted({*seen.test.literals, *seen.sheet.literals}))
    return tuple(row for row in written if seen.pool.issuperset(row))


def uncollected(before: Seen, sheets: Sequence[Sheet]) -> Sheet | None:
    """The file where the test is still written, though no runner takes it for one."""
    same = [s for s in sheets if before.sheet.digest and s.digest == before.sheet.digest and s.role != "test"]
    if same:
        return same[0]
    for sheet in sorted(sheets, key=lambda s: s.path != before.path):
        near = sheet.path == before.path or sheet.role != "source"
        running = {leaf(test.name) for test in sheet.tests} if collects(sheet) else set()
        names = {last(name) for name in sheet.defines} - running
        if before.leaf in names and (near or before.sheet.path not in {s.path for s in sheets}):
            return sheet
        fresh = {core_of(name) for name in names - {last(name) for name in before.sheet.defines}}
        if near and core_of(before.leaf) and core_of(before.leaf) in fresh:
            return sheet
    return None


def poured(before: Seen, had: frozenset[str], fresh: Sequence[Sheet], around: Around) -> bool:
    """Whether it may live on in another form: a rewritten test exercises the same, and all of its values lie
    where that test can take them from. Only the base's own tests on the new code can tell.

    `had`: digests of the base's tests; `fresh`: new files of the exam that hold no tests."""
    heirs = [seen for seen in around.others(before) if seen.test.digest not in had and _asking(seen)]
    if not heirs:
        return False
    written = " ".join(text for heir in heirs for text in heir.sheet.literals)
    if any(not sheet.language and basename(sheet.path) in written for sheet in fresh):
        return True
    pool = frozenset(value for sheet in fresh for value in pieces(sheet.literals))
    for heir in heirs:
        pool |= heir.pool | pieces(outside(heir.sheet))
    asked = (value for each in before.test.asserts for value in (*each.given, *each.expected))
    own = (value for value in before.test.literals if not around.incidental(value, before))
    return bool(before.test.asserts) and held((*asked, *own), pool)


def _asking(seen: Seen) -> bool:
    sound = not (seen.test.disabled or seen.test.swallows)
    return sound and any(not assertion.hollow for assertion in seen.test.asserts)


def leaves_collection(before: Seen, now: Seen) -> bool:
    """Whether it went from a file that every Python runner takes for tests to one that none does."""
    return (
        now.sheet.language == "python"
        and now.path != before.path
        and _CONVENTION.match(basename(before.path)) is not None
        and _CONVENTION.match(basename(now.path)) is None
    )


def replacement(before: Seen, around: Around) -> Seen | None:
    """The new test that most likely was meant in its place, though it does not ask the same."""
    best: tuple[float, Seen | None] = (0.0, None)
    asserts = [assertion for assertion in before.test.asserts if not assertion.hollow]
    for other in around.others(before):
        if other not in around.added:
            continue
        kept = sum(
            any(judge(a, before, c, other, around.names) in KEPT for c in other.test.asserts) for a in asserts
        )
        score = max(kept / len(asserts) if asserts else 0.0, likeness(before, other))
        if score > best[0]:
            best = (score, other)
    return best[1] if best[0] >= _ALIKE else None


def deleted(lost: Iterable[Seen]) -> Iterator[Finding]:
    """One finding per test, and from the twenty-first of a file on a count."""
    files: dict[str, list[Seen]] = {}
    for seen in lost:
        files.setdefault(seen.path, []).append(seen)
    for path, tests in files.items():
        for seen in tests[:_MOST_TOLD]:
            asserts = seen.test.asserts
            before = asserts[0].text if asserts else seen.name
            yield found("test-deleted", path, seen.test.line, before=before, test=seen.name)
        more = len(tests) - _MOST_TOLD
        if more > 0:
            message = Phrase("comparing.deleted_more", {"file": path, "count": more})
            yield found("test-deleted", path, tests[_MOST_TOLD].test.line, message=message)
