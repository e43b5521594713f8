"""Which test of the change stands for which test of the base: by name, by text, by what it exercises.

From the surest sign to the weakest; each test is used once. What finds no partner here may still have been
merged into another test or cut in several: that is looked for elsewhere.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from donewhen.core.integrity.seen import Seen
from donewhen.core.integrity.words import core_of, tokens

_MOST_CANDIDATES = 60  # tests that one is compared with by likeness
_ALIKE = 0.5  # share of values or of words of the name that makes two tests one


class Matching(NamedTuple):
    pairs: tuple[tuple[Seen, Seen], ...]
    lost: tuple[Seen, ...]  # of the base, without partner
    added: tuple[Seen, ...]  # of the change, without partner


_Key = Callable[[Seen], Hashable]


def _digest(seen: Seen) -> Hashable:
    return seen.test.digest or None


_STAGES: tuple[tuple[_Key, bool], ...] = (
    (lambda s: (s.path, s.name, s.test.digest), False),
    (lambda s: (s.path, s.name), False),
    (lambda s: (s.path, s.leaf, _digest(s)) if s.test.digest else None, False),
    (lambda s: (s.path, _digest(s)) if s.test.digest else None, False),
    (lambda s: (s.name, _digest(s)) if s.test.digest else None, False),
    (lambda s: (s.leaf, _digest(s)) if s.test.digest else None, False),
    (_digest, False),
    (lambda s: (s.path, s.leaf), True),
    (lambda s: (s.leaf, s.demands) if s.demands else None, False),
    (lambda s: (s.test.cases, s.demands) if s.demands else None, False),
    (lambda s: s.name, True),
    (lambda s: s.leaf, True),
    (lambda s: (s.path, core_of(s.leaf)) if core_of(s.leaf) else None, True),
)  # key, and whether the two must exercise something in common


def match(base: Sequence[Seen], now: Sequence[Seen]) -> Matching:
    pairs: list[tuple[Seen, Seen]] = []
    lost, added = list(base), list(now)
    for key, related in _STAGES:
        lost, added = _stage(lost, added, key, related, pairs)
        if not lost or not added:
            break
    lost, added = _alike(lost, added, pairs)
    return Matching(tuple(pairs), tuple(lost), tuple(added))


def paired(lost: Sequence[Seen], added: Sequence[Seen], key: Callable[[Seen], Hashable]) -> Matching:
    """Pairs of those with the same key, in the order of their places."""
    pairs: list[tuple[Seen, Seen]] = []
    left, fresh = _stage(lost, added, key, False, pairs)
    return Matching(tuple(pairs), tuple(left), tuple(fresh))


def _stage(
    lost: Iterable[Seen], added: Iterable[Seen], key: _Key, related: bool, pairs: list[tuple[Seen, Seen]]
) -> tuple[list[Seen], list[Seen]]:
    waiting: dict[Hashable, list[Seen]] = defaultdict(list)
    rest: list[Seen] = []
    for seen in added:
        waiting[key(seen)].append(seen)
    for seen in lost:
        own = key(seen)
        found = None if own is None else next((c for c in waiting[own] if not related or akin(seen, c)), None)
        if found is None:
            rest.append(seen)
        else:
            waiting[own].remove(found)
            pairs.append((seen, found))
    return rest, sorted((seen for left in waiting.values() for seen in left), key=lambda seen: seen.place)


def akin(before: Seen, now: Seen) -> bool:
    """They exercise something in common, or nobody can tell what they exercise."""
    return bool(before.reach & now.reach) or not (before.reach and now.reach)


def _alike(
    lost: Sequence[Seen], added: Sequence[Seen], pairs: list[tuple[Seen, Seen]]
) -> tuple[list[Seen], list[Seen]]:
    """Partners by likeness, the best ones first."""
    places = _places(added)
    scored = []
    for index, seen in enumerate(lost):
        for other in _candidates(seen, added, places):
            score = likeness(seen, added[other])
            if score >= _ALIKE:
                scored.append((-score, index, other))
    gone: set[int] = set()
    used: set[int] = set()
    for _, index, other in sorted(scored):
        if index not in gone and other not in used:
            gone.add(index)
            used.add(other)
            pairs.append((lost[index], added[other]))
    return (
        [seen for index, seen in enumerate(lost) if index not in gone],
        [seen for index, seen in enumerate(added) if index not in used],
    )


def _places(added: Sequence[Seen]) -> dict[str, list[int]]:
    """Where which value, name and path is found."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, seen in enumerate(added):
        for word in (*seen.reach, *seen.pool, seen.path):
            places[word].append(index)
    return places


def _candidates(seen: Seen, added: Sequence[Seen], places: dict[str, list[int]]) -> list[int]:
    """Tests that exercise the same, those first that share what few have."""
    words = sorted((len(places[w]), w) for w in (*seen.reach, *seen.pool, seen.path) if w in places)
    near: dict[int, None] = {}
    for _, word in words:
        near.update(dict.fromkeys(islice(places[word], _MOST_CANDIDATES)))
        if len(near) >= _MOST_CANDIDATES:
            break
    return [other for other in near if seen.reach & added[other].reach]


def likeness(before: Seen, now: Seen) -> float:
    """From 0 to 2: values in common count more than words of the name; the same form counts half."""
    if before.test.cases != now.test.cases:
        return 0.0  # a table that took over single tests is no one test's partner
    values = _share(before.pool, now.pool)
    words = _share(tokens(before.leaf), tokens(now.leaf))
    form = 0.5 if before.test.frame and before.test.frame == now.test.frame else 0.0
    return max(values, words if values else words / 2) + (form if values or words else 0.0)


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / len(some | others) if some and others else 0.0
