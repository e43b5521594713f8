"""What lies round the tests and belongs to the exam: constants, recorded outputs, stand-ins for the product.

Only what can be told from names and values; what a helper does is for the second sitting of the exam.
"""

from collections.abc import Iterable, Iterator
from posixpath import basename

from donewhen.core.integrity.differences import incidental
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Pair, Sheet, Test
from donewhen.core.integrity.seen import Change
from donewhen.core.integrity.skips import without_markers
from donewhen.core.integrity.values import canonical, held, pieces
from donewhen.core.integrity.words import last, leaf
from donewhen.core.texts import Phrase

_EXAM = ("test", "support")


def source_changed(pairs: tuple[Pair, ...]) -> bool:
    """Whether any product code is other than it was; formatting is no change."""
    return any(pair.role == "source" and not _alike(pair) for pair in pairs)


def _alike(pair: Pair) -> bool:
    base, now = pair
    return base is not None and now is not None and bool(now.digest) and base.digest == now.digest


def constants(change: Change) -> Iterator[Finding]:
    """Values of a test file that lie outside of its tests and are others now."""
    pool = frozenset(v for sheet in change.now_sheets if sheet.role in _EXAM for v in pieces(sheet.literals))
    for pair in change.pairs:
        base, now = pair
        if base is None or now is None or now.role != "test" or now.troubles or base.troubles:
            continue
        if _alike(pair):
            continue
        gone = [v for v in outside(base) if not held((v,), pool)]
        gone = without_markers(gone, base.tests, now.tests)
        had = pieces(base.literals)
        fresh = [v for v in outside(now) if not held((v,), had)]
        if gone and (fresh or not all(v.startswith('"') for v in gone)):
            was, text = ", ".join(gone), ", ".join(fresh)
            message = None if text else Phrase("comparing.prepared", {"file": now.path, "before": was})
            yield found("expected-changed", now.path, 1, now=text, before=was, test=now.path, message=message)


def outside(sheet: Sheet) -> tuple[str, ...]:
    """Its values that are in none of its tests."""
    inside = pieces(value for test in sheet.tests for value in _values(test))
    titles = " ".join(test.name for test in sheet.tests)
    values = (canonical(value) for value in sorted(sheet.literals) if not incidental(value))
    return tuple(v for v in values if not held((v,), inside) and v.strip('"') not in titles)


def _values(test: Test) -> Iterator[str]:
    yield from test.literals
    for assertion in test.asserts:
        yield from (*assertion.given, *assertion.expected)


def recorded(change: Change) -> Iterator[Finding]:
    """Recorded outputs and helpers that changed though no product code did."""
    if source_changed(change.pairs):
        return
    arrived = {(s.digest, basename(s.path)) for s in (p.now for p in change.pairs if not p.base) if s}
    digests = {digest for digest, _ in arrived if digest}
    names = {name for _, name in arrived}
    for pair in change.pairs:
        base, now = pair
        if base is None or base.role != "support" or _alike(pair) or base.tests:
            continue
        if now is None and (base.digest in digests or basename(base.path) in names):
            continue
        message = Phrase("comparing.recorded", {"file": base.path})
        if now is None:
            message = Phrase("comparing.recorded_gone", {"file": base.path})
        yield found("expected-changed", base.path, 1, before=base.path, test="", message=message)


def put_aside(change: Change) -> Iterator[Finding]:
    """Texts outside of the tests, in a decorator for one, that newly name what the tests are there to ask."""
    asserted = _asserted(change)
    for pair in change.pairs:
        base, now = pair
        if base is None or now is None or now.role != "test" or _alike(pair) or not asserted:
            continue
        had = pieces(base.literals)
        for text in outside(now):
            target = text.strip('"')
            if text not in had and "." in target and " " not in target and last(target) in asserted:
                values = {"test": now.path, "now": target, "before": last(target)}
                message = Phrase("comparing.patched", values)
                yield found("test-emptied", now.path, 1, before=target, test=now.path, message=message)


def _asserted(change: Change) -> frozenset[str]:
    """Functions that the base's assertions call."""
    return frozenset(
        last(subject)
        for seen in change.base
        for assertion in seen.test.asserts
        for subject in assertion.subjects
        if subject.isidentifier() and last(subject) in seen.called
    )


def taken_away(change: Change) -> frozenset[str]:
    """Names that the product's changed files defined and define no more."""
    return _product(change.base_sheets) - _product(change.now_sheets)


def _product(sheets: Iterable[Sheet]) -> frozenset[str]:
    found = [sheet for sheet in sheets if sheet.role == "source"]
    tests = {leaf(test.name) for sheet in found for test in sheet.tests}
    return frozenset(last(name) for sheet in found for name in sheet.defines) - tests


def stand_ins(change: Change) -> Iterator[Finding]:
    """Names of the product that a test file defines for itself all at once."""
    had = {last(n) for sheet in change.base_sheets if sheet.role in _EXAM for n in sheet.defines}
    asserted = _asserted(change)
    for sheet in change.now_sheets:
        if sheet.role not in _EXAM:
            continue
        for name in sorted({last(n) for n in sheet.defines} & (asserted - had)):
            message = Phrase("comparing.stand_in", {"file": sheet.path, "now": name})
            yield found("test-emptied", sheet.path, 1, before=name, test=sheet.path, message=message)
