"""Files that could not be read, and what that means for the exam: said with the place, never passed over.

A new file in a language that nobody reads takes nothing away; one that was there and holds tests may have.
"""

from collections.abc import Iterator, Sequence
from posixpath import basename

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Pair, Sheet, Trouble
from donewhen.core.texts import Phrase


def not_compared(pairs: Sequence[Pair]) -> Iterator[Finding]:
    for pair in pairs:
        yield from _TELLERS.get(pair.role, _nothing)(pair, pairs)


def _nothing(pair: Pair, pairs: Sequence[Pair]) -> Iterator[Finding]:
    yield from ()


def _test(pair: Pair, pairs: Sequence[Pair]) -> Iterator[Finding]:
    base, now = pair
    if _equal(pair):
        return
    if now is None:
        if base is not None and base.troubles and not base.tests:
            yield from _gone(base, pairs)
    elif now.troubles and (now.language or base is not None):
        yield _said(now, now.troubles[0])
    elif base is not None and base.troubles:
        yield _said(now, base.troubles[0])


def _support(pair: Pair, pairs: Sequence[Pair]) -> Iterator[Finding]:
    base, now = pair
    if now is None or _equal(pair):
        return
    trouble = (now.troubles or (base.troubles if base else ()))[:1]
    known = now.language or (base.language if base else "")
    if trouble and known:
        yield _said(now, trouble[0])


def _source(pair: Pair, pairs: Sequence[Pair]) -> Iterator[Finding]:
    base, now = pair
    if base is not None and now is not None and now.language and now.troubles and not base.troubles:
        yield _said(now, now.troubles[0])._replace(policy="warn")


_TELLERS = {"test": _test, "support": _support, "source": _source}


def _equal(pair: Pair) -> bool:
    base, now = pair
    return base is not None and now is not None and bool(base.digest) and base.digest == now.digest


def _gone(base: Sheet, pairs: Sequence[Pair]) -> Iterator[Finding]:
    """A test file that nobody could read and that is not there any more, unless it was moved."""
    name = basename(base.path)
    moved = [
        pair.now
        for pair in pairs
        if pair.base is None and pair.now is not None and pair.now.role == "test"
        and basename(pair.now.path) == name
    ]  # fmt: skip
    if moved:
        yield _said(moved[0], base.troubles[0])
    else:
        yield found("test-deleted", base.path, 1, before=base.path, test=base.path)


def _said(sheet: Sheet, trouble: Trouble) -> Finding:
    message = Phrase("integrity.not_compared", {"file": sheet.path, "now": trouble.why})
    return found("not-compared", sheet.path, trouble.line, message=message)
