"""Names that the change gave to what it had: a function renamed in the product is renamed in its tests, too.

A rename needs an old name that the base defined and a fresh one on the same side (product or tests); every
test that shows it must show the same. What only looks like one, another function called instead, is none.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from donewhen.core.integrity.model import Sheet
from donewhen.core.integrity.seen import Change, Seen
from donewhen.core.integrity.words import last

_ALIKE = 0.75


def renames(change: Change, matched: Iterable[tuple[Seen, Seen]]) -> Mapping[str, str]:
    """Old name → new name, last parts only."""
    sides = [_moved(change, ("source",)), _moved(change, ("test", "support"))]
    if not any(old and fresh for old, fresh in sides):
        return {}
    votes: Counter[tuple[str, str]] = Counter()
    for before, now in matched:
        shown = [
            each
            for each in _shown(before, now)
            if any(each[0] in old and each[1] in new for old, new in sides)
        ]
        votes.update(dict.fromkeys(shown, 1))
    ranked = sorted(votes.items(), key=lambda each: (-each[1], each[0]))
    found: dict[str, str] = {}
    for (old, new), _ in ranked:
        if old not in found and new not in found.values():
            found[old] = new
    return found


def _moved(change: Change, roles: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Names that the base defined on this side, and names that are fresh there."""
    base = _defined(change.base_sheets, roles)
    return base, _defined(change.now_sheets, roles) - base


def _defined(sheets: Iterable[Sheet], roles: tuple[str, ...]) -> frozenset[str]:
    return frozenset(last(name) for sheet in sheets if sheet.role in roles for name in sheet.defines)


def _shown(before: Seen, now: Seen) -> Iterable[tuple[str, str]]:
    """Which names stand where others stood."""
    if before.test.digest == now.test.digest:
        return ()
    lost, fresh = before.reach - now.reach, now.reach - before.reach
    if len(lost) == 1 and len(fresh) == 1:
        return ((min(lost), min(fresh)),)
    if len(lost) == 1:
        old = min(lost)
        near = [name for name in sorted(fresh) if SequenceMatcher(None, old, name).ratio() >= _ALIKE]
        if len(near) == 1:
            return ((old, near[0]),)
    olds, news = list(map(last, before.test.calls)), list(map(last, now.test.calls))
    if len(olds) != len(news):
        return ()
    return [(old, new) for old, new in zip(olds, news, strict=True) if old in lost and new in fresh]


def mapped(names: Iterable[str], names_now: Mapping[str, str]) -> frozenset[str]:
    return frozenset(names_now.get(name, name) for name in names)
