"""Marks that are new: what no exam should meet and the base did not have, counted file by file.

A mark that went from one file to another is not new. Ignores of linters and type checkers are told once per
file, because one alone says nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Mark, Pair, Sheet
from donewhen.core.texts import Phrase

_SPREAD = "ignores-spread"
_Key = tuple[str, str]


def new_marks(pairs: Sequence[Pair]) -> Iterator[Finding]:
    moved: Counter[_Key] = Counter()
    for pair in pairs:
        moved += _keys(pair.base) - _keys(pair.now)
    for pair in pairs:
        if pair.now is None:
            continue
        fresh = list(_fresh(pair, moved))
        yield from (found(m.rule, pair.path, m.line, now=m.text) for m in fresh if m.rule != _SPREAD)
        yield from _spread(pair.path, [mark for mark in fresh if mark.rule == _SPREAD])


def _keys(sheet: Sheet | None) -> Counter[_Key]:
    return Counter((mark.rule, mark.text) for mark in sheet.marks) if sheet else Counter()


def _fresh(pair: Pair, moved: Counter[_Key]) -> Iterator[Mark]:
    had = _keys(pair.base)
    for mark in pair.now.marks if pair.now else ():
        key = (mark.rule, mark.text)
        for known in (had, moved):
            if known[key] > 0:
                known[key] -= 1
                break
        else:
            yield mark


def _spread(path: str, marks: Sequence[Mark]) -> Iterator[Finding]:
    if marks:
        first = marks[0]
        many = Phrase("comparing.ignores", {"now": first.text, "count": len(marks)})
        finding = found(_SPREAD, path, first.line, now=first.text, message=many if len(marks) > 1 else None)
        yield finding._replace(policy="warn")
