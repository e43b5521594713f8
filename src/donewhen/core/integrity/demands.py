"""What became of each assertion of the base: kept, asked elsewhere, weaker, other, or gone.

Two assertions are the same when they ask the same of the same subject with the same input, however they are
written. One whose values stand in a table or a variable is open: then the test's values must hold them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from donewhen.core.integrity.model import Assertion
from donewhen.core.integrity.renames import mapped
from donewhen.core.integrity.seen import Seen, subjects_of
from donewhen.core.integrity.strength import Demand, broader, demand, mere_truth, stricter
from donewhen.core.integrity.tolerance import as_near, without
from donewhen.core.integrity.values import held, parts, pieces, pieces_alone

Verdict = Literal[
    "same", "open", "stricter", "hollow", "expected", "given", "weaker", "subject", "other", "gone"
]
KEPT: frozenset[Verdict] = frozenset(("same", "open", "stricter"))
_RANK: tuple[Verdict, ...] = (
    "same", "open", "stricter", "expected", "given", "weaker", "hollow", "subject", "other", "gone",
)  # fmt: skip

_NUMBER = re.compile(r"\b\d[\d.]*\b")


class Fate(NamedTuple):
    """One assertion of the base and what stands for it now."""

    before: Assertion
    now: Assertion | None
    verdict: Verdict


class Names(NamedTuple):
    """How names are read in this change."""

    product: frozenset[str]
    renamed: Mapping[str, str]


def fates(before: Seen, now: Seen, names: Names) -> tuple[Fate, ...]:
    """The fate of every assertion of `before` in the test that stands for it."""
    found: list[Fate | None] = []
    taken: Counter[Assertion] = Counter()
    for assertion in before.test.asserts:
        kept = _best(assertion, before, now, names, now.test.asserts)
        found.append(kept if kept.verdict in KEPT else None)
        if kept.verdict in KEPT and kept.now is not None:
            taken[kept.now] += 1
    left = [assertion for assertion in now.test.asserts if not taken[assertion]]
    done: list[Fate] = []
    for assertion, kept_one in zip(before.test.asserts, found, strict=True):
        fate = kept_one or _best(assertion, before, now, names, left)
        if not kept_one and fate.now in left:
            left.remove(fate.now)
        done.append(fate)
    return tuple(done)


def asked_by(assertion: Assertion, before: Seen, others: Iterable[Seen], names: Names) -> Seen | None:
    """The first of the other tests that asks at least the same."""
    given = demand(assertion).given
    for other in others:
        if held(given, other.pool) and (
            _best(assertion, before, other, names, other.test.asserts).verdict in KEPT
        ):
            return other
    return None


def spread_over(assertion: Assertion, before: Seen, others: Iterable[Seen], names: Names) -> bool:
    """Whether the rows of a table are found again, one here and one there."""
    had = demand(assertion)
    values: list[str] = []
    for other in others:
        for candidate in other.test.asserts:
            has = demand(candidate)
            if has.kind == had.kind and _subjects(assertion, before, candidate, other, names)[1]:
                values += (*has.given, *has.expected)
    return bool(values) and held((*had.given, *had.expected), pieces(values))


def _best(assertion: Assertion, before: Seen, now: Seen, names: Names, choice: Iterable[Assertion]) -> Fate:
    best = Fate(assertion, None, "gone")
    for candidate in choice:
        verdict = judge(assertion, before, candidate, now, names)
        if _RANK.index(verdict) < _RANK.index(best.verdict):
            best = Fate(assertion, candidate, verdict)
    return best


def judge(one: Assertion, before: Seen, other: Assertion, now: Seen, names: Names) -> Verdict:
    """What `other` in `now` is to `one` in `before`."""
    if one.text == other.text and one[2:] == other[2:]:
        return "same"
    if other.hollow and not one.hollow:
        return "hollow"
    strict, loose = _subjects(one, before, other, now, names)
    if not loose:
        same_values = Counter(one.expected) == Counter(other.expected) and one.kind == other.kind
        return "subject" if same_values and Counter(one.given) == Counter(other.given) else "gone"
    return _values(one, other, now, strict)


def _values(one: Assertion, other: Assertion, now: Seen, strict: bool) -> Verdict:
    had, has = _nearer(one, other)
    given = Counter(had.given) == Counter(has.given) or _taken_apart(had.given, has.given)
    expected = Counter(had.expected) == Counter(has.expected)
    if had.kind == has.kind:
        if given and expected:
            return "same" if strict and _in_order(one, other) else "open"
        if given and stricter(one, other):
            return "stricter"
        if now.test.cases != 1 and _within(had.given, has.given) and _within(had.expected, has.expected):
            return "open"  # one row of a table
        if _opened(had, has) and not broader(one, other) and _held_round(had, now):
            return "open"
        if given and (broader(one, other) or mere_truth(one, other)):
            return "weaker"
        if not had.given and not had.expected:
            return "open"
        return _changed(given, expected)
    if (given or _within(has.given, had.given)) and stricter(one, other):
        return "stricter"
    return "weaker" if given or _within(has.given, had.given) else "gone"


def _nearer(one: Assertion, other: Assertion) -> tuple[Demand, Demand]:
    """What both demand; a tolerance that lets through no more than before is left out."""
    had, has = demand(one), demand(other)
    near = as_near(one, other)
    if near is None:
        return had, has
    return (
        had._replace(expected=without(had.expected, near[0])),
        has._replace(expected=without(has.expected, near[1])),
    )


def _in_order(one: Assertion, other: Assertion) -> bool:
    """The same values in the same order, and each as often: readers tell a value once."""
    numbers = [sorted(_NUMBER.findall(each.text)) for each in (one, other)]
    return one.given == other.given and numbers[0] == numbers[1]


def _changed(given: bool, expected: bool) -> Verdict:
    if given:
        return "expected"
    return "given" if expected else "other"


def _taken_apart(some: Sequence[str], others: Sequence[str]) -> bool:
    """The same scalars, in lists on one side and one by one on the other."""
    plain = [all(len(parts(value)) == 1 for value in each) for each in (some, others)]
    return plain[0] != plain[1] and pieces_alone(some) == pieces_alone(others)


def _held_round(had: Demand, now: Seen) -> bool:
    """Whether the test, or what its file prepares for it, holds all values."""
    wanted = (*had.given, *had.expected)
    return held(wanted, now.pool) or held(wanted, now.pool | pieces(now.sheet.literals))


def _opened(had: Demand, has: Demand) -> bool:
    """Whether `has` says less of the same: the rest stands in a table or a variable."""
    if not (_within(has.given, had.given) and _within(has.expected, had.expected)):
        return False
    size = [sum(len(parts(value)) for value in (*each.given, *each.expected)) for each in (had, has)]
    return size[1] < size[0]


def _within(some: Iterable[str], others: Iterable[str]) -> bool:
    """No value that the others have not; values in parts count."""
    have = {part for each in others for part in parts(each)}
    return all(part in have for each in some for part in parts(each))


def _subjects(one: Assertion, before: Seen, other: Assertion, now: Seen, names: Names) -> tuple[bool, bool]:
    """Whether both ask the same subject: surely, and possibly (through a variable or a helper)."""
    had = mapped(subjects_of(one, before.called, names.product), names.renamed)
    has = subjects_of(other, now.called | had, names.product)
    if had == has:
        return bool(had) or one.subjects == other.subjects, True
    if not has:
        return False, had <= now.reach
    if not had:
        return False, not before.reach or bool(has & mapped(before.reach, names.renamed))
    return False, had <= has or has <= had
