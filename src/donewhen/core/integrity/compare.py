"""Base and change compared: every way in which the tests of a change got easier than those of its base.

All pairs together, because tests move between files. Pure, and strict where only the second sitting of the
exam can tell an honest edit from a cheat: those findings it may vouch for. Nothing here decides about a run.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from donewhen.core.integrity import steps, surroundings
from donewhen.core.integrity.account import Account, Known
from donewhen.core.integrity.demands import Names
from donewhen.core.integrity.differences import Around, Compared, differences
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.lost import (
    deleted,
    leaves_collection,
    merged,
    poured,
    replacement,
    rowless,
    uncollected,
)
from donewhen.core.integrity.marks import new_marks
from donewhen.core.integrity.matching import Matching, match, paired
from donewhen.core.integrity.model import Finding, Pair, Sheet
from donewhen.core.integrity.near import Near
from donewhen.core.integrity.renames import renames
from donewhen.core.integrity.rewording import Wording, asks, reworded, wording
from donewhen.core.integrity.seen import Change, Seen, look
from donewhen.core.integrity.unread import not_compared
from donewhen.core.integrity.words import last


class Review(NamedTuple):
    findings: tuple[Finding, ...]
    account: Account


class _Told(NamedTuple):
    """What one test of the base came to."""

    seen: Seen
    compared: Compared
    into: tuple[Seen, ...] = ()


def compare(pairs: Sequence[Pair]) -> tuple[Finding, ...]:
    """What the change made easier, by file and line; the order of the pairs makes no difference."""
    return review(pairs).findings


def unharmed(pairs: Sequence[Pair]) -> frozenset[str]:
    """Names of base tests of the changed files that demand the same as before."""
    return review(pairs).account.unharmed


def review(pairs: Sequence[Pair]) -> Review:
    """The findings, and what `settle` needs to know about the base's tests."""
    change = look(pairs)
    first = match(change.base, change.now)
    said = wording(change, first.lost or change.base, first.added or change.now)
    matching = _followed(first, said)
    around = _around(change, matching)._replace(said=said)
    told = [_Told(before, _moved(before, now, around), (now,)) for before, now in matching.pairs]
    gone = [*_lost(matching.lost, change, around)]
    findings = (
        *(finding for each in (*told, *gone) for finding in each.compared.findings),
        *_deleted(gone, change, around),
        *_added(matching.added),
        *surroundings.constants(change),
        *surroundings.recorded(change),
        *surroundings.stand_ins(change),
        *surroundings.put_aside(change),
        *new_marks(change.pairs),
        *not_compared(change.pairs),
    )
    return Review(_ordered(findings), _account(change, matching, (*told, *gone)))


def _deleted(gone: Iterable[_Told], change: Change, around: Around) -> Iterator[Finding]:
    """Those that may live on in another form are asked about: see `settling`."""
    lost = [each.seen for each in gone if each.compared.state == "gone" and not each.compared.findings]
    had = frozenset(seen.test.digest for seen in change.base)
    added = [pair.now for pair in change.pairs if pair.now and not pair.base and not pair.now.tests]
    fresh = [sheet for sheet in added if sheet.role in ("test", "support")]
    open_ones = dict.fromkeys(seen for seen in lost if poured(seen, had, fresh, around))
    yield from deleted(seen for seen in lost if seen not in open_ones)
    yield from (finding._replace(policy="ask") for finding in deleted(open_ones))


def _followed(first: Matching, said: Wording) -> Matching:
    """Tests that were renamed together with what they test."""
    if not said or not first.lost or not first.added:
        return first
    asking = paired(first.lost, first.added, lambda seen: asks(seen, said))
    named = paired(
        asking.lost, asking.added, lambda seen: (said(seen.leaf), frozenset(map(said, seen.reach)))
    )
    return named._replace(pairs=(*first.pairs, *asking.pairs, *named.pairs))


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each once, by place."""
    found = {(f.file, f.line, f.rule, f.test, f.before, f.message.key): f for f in findings}
    return tuple(found[key] for key in sorted(found))


def _around(change: Change, matching: Matching) -> Around:
    exam = ("test", "support")
    had = {last(n) for s in change.base_sheets if s.role in exam for n in s.defines}
    has = {last(n) for s in change.now_sheets if s.role in exam for n in s.defines}
    return Around(
        Names(change.product, renames(change, matching.pairs)),
        Near(change.now, matching.added),
        matching.added,
        frozenset(has - had),
        surroundings.source_changed(change.pairs),
    )


def _moved(before: Seen, now: Seen, around: Around) -> Compared:
    if leaves_collection(before, now):
        finding = found("test-uncollected", now.path, now.test.line, before=before.path, test=before.name)
        return Compared((finding,), "gone")
    compared = differences(before, now, around)
    if not around.said or compared.state != "changed":
        return compared
    today = reworded(before, now, around.said, around.names.product)
    again = differences(today, now, around)
    better = (len(again.findings), again.state) < (len(compared.findings), compared.state)
    return again if again.state == "kept" or better else compared


def _lost(lost: Iterable[Seen], change: Change, around: Around) -> Iterator[_Told]:
    sheets = change.now_sheets
    unread = {s.path for s in sheets if s.troubles and not s.tests}
    for seen in lost:
        whole = merged(seen, around)
        if whole is not None and seen.sheet.language == "shell":
            yield _Told(seen, Compared((steps.unread(whole.into[0]),), "changed"), whole.into)
        elif whole is not None:
            findings = () if whole.exactly else tuple(rowless(seen, whole.into, around.names))
            yield _Told(seen, Compared(findings, "kept" if whole.exactly else "changed"), whole.into)
        elif seen.path in unread:
            yield _Told(seen, Compared((), "changed"))
        else:
            yield _weighed(seen, sheets, around)


def _weighed(seen: Seen, sheets: Sequence[Sheet], around: Around) -> _Told:
    sheet = uncollected(seen, sheets)
    if sheet is not None:
        finding = found("test-uncollected", sheet.path, seen.test.line, before=seen.name, test=seen.name)
        return _Told(seen, Compared((finding,), "gone"))
    other = replacement(seen, around)
    if other is not None:
        compared = differences(seen, other, around)
        if compared.findings:
            return _Told(seen, compared, (other,))
    return _Told(seen, Compared((), "gone"))


def _added(added: Iterable[Seen]) -> Iterator[Finding]:
    """What is wrong with a test from its first day."""
    for seen in added:
        test, place = seen.test, (seen.path, seen.test.line)
        if test.disabled:
            yield found("test-skipped", *place, now=test.disabled, test=test.name)._replace(policy="warn")
        if test.focused:
            yield found("test-focused", *place, now=test.focused, test=test.name)
        if test.swallows:
            yield found("test-swallowed", *place, now=test.swallows, test=test.name)
        asserts = [assertion for assertion in test.asserts if not steps.is_step(seen.sheet, assertion)]
        if asserts and all(assertion.hollow for assertion in asserts):
            first = asserts[0]
            yield found("test-hollow", seen.path, first.line, now=first.text, test=test.name)


def _account(change: Change, matching: Matching, told: Sequence[_Told]) -> Account:
    gone = surroundings.taken_away(change)
    tests = tuple(_known(each, gone | steps.scripts_gone(change.pairs)) for each in told)
    counts = [seen.test.cases for seen in matching.added]
    support = [pair for pair in change.pairs if pair.role == "support" and pair.base is not None]
    return Account(
        tuple(sorted(tests)),
        _fewer(told),
        sum(counts) if all(counts) else None,
        frozenset(pair.path for pair in change.pairs if _remade(pair)),
        tuple(pair.path for pair in support if not _language(pair)),
        tuple(pair.path for pair in support if _language(pair)),
        tuple(pair.path for pair in change.pairs if pair.role == "config"),
        frozenset(each.seen.name for each in told if each.compared.gutted),
        gone,
    )


def _known(told: _Told, gone: frozenset[str]) -> Known:
    seen, compared = told.seen, told.compared
    orphaned = bool(gone & (seen.reach | seen.called))
    reshaped = any(not seen.test.frame or heir.test.frame != seen.test.frame for heir in told.into)
    state, cases = compared.state, seen.test.cases
    asked = next((each.text for each in seen.test.asserts if not steps.is_step(seen.sheet, each)), "")
    return Known(
        seen.name, seen.path, state, cases, compared.snapshot, reshaped, orphaned, asked, _freed(told)
    )


def _freed(told: _Told) -> bool:
    """Whether a marker kept it from counting and is gone; one that only sometimes did so says less."""
    test = told.seen.test
    off = bool(test.disabled) and (not test.conditional or told.compared.state in ("same", "kept"))
    return off and bool(told.into) and not any(heir.test.disabled for heir in told.into)


def _fewer(told: Iterable[_Told]) -> int:
    """By how many the count may fall because tests that lost nothing were merged: a loop runs as one test."""
    rewritten = [e for e in told if e.into and e.compared.state != "same" and not e.compared.findings]
    heirs = {seen for each in rewritten for seen in each.into}
    return max(0, sum(each.seen.test.cases for each in rewritten) - len(heirs))


def _remade(pair: Pair) -> bool:
    """A test file whose values outside of its tests are those of the base."""
    base, now = pair
    if base is None or now is None or now.role != "test" or base.troubles or now.troubles:
        return False
    return set(surroundings.outside(base)) <= set(surroundings.outside(now))


def _language(pair: Pair) -> str:
    return (pair.now or pair.base or Sheet("", "other")).language
