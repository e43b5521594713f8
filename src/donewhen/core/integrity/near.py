"""Tests of a change that may ask what another one no longer asks; found without going through all of them.

Those of the same file, new ones, tables, and whoever holds the same rare values. Bounded: a change of
thousands of tests that all call one function is looked at in part, never for minutes.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from donewhen.core.integrity.renames import mapped
from donewhen.core.integrity.seen import Seen

_K = TypeVar("_K", bound=Hashable)
_MOST = 60  # tests of one kind


class Near:
    def __init__(self, now: Sequence[Seen], added: Iterable[Seen]) -> None:
        running = [seen for seen in now if not seen.test.disabled]
        fresh = frozenset(added)
        self._here = _by(running, lambda seen: [(seen.path, name) for name in seen.reach])
        self._wide = _by((s for s in running if _wide(s)), lambda seen: list(seen.reach))
        self._fresh = _by((s for s in running if s in fresh), lambda seen: list(seen.reach))
        self._values = _by(running, lambda seen: [*seen.pool])
        self._known: dict[Seen, tuple[Seen, ...]] = {}

    def to(self, before: Seen, renamed: Mapping[str, str]) -> tuple[Seen, ...]:
        """Running tests that exercise something of what `before` did."""
        if before not in self._known:
            names = mapped(before.reach, renamed)
            found = dict.fromkeys(seen for seen in self._all(before, sorted(names)) if seen.reach & names)
            self._known[before] = tuple(found)
        return self._known[before]

    def _all(self, before: Seen, names: Sequence[str]) -> Iterator[Seen]:
        for name in names:
            yield from islice(self._here.get((before.path, name), ()), _MOST)
            yield from islice(self._fresh.get(name, ()), _MOST)
            yield from islice(self._wide.get(name, ()), _MOST)
        rare = sorted((len(self._values[v]), v) for v in before.pool if v in self._values)
        for _, value in rare[:3]:
            yield from islice(self._values[value], _MOST)


def _wide(seen: Seen) -> bool:
    """A table, or a test whose values stand outside of its assertions."""
    return seen.test.cases != 1 or any(not a.given and not a.expected for a in seen.test.asserts)


def _by(tests: Iterable[Seen], keys: Callable[[Seen], Iterable[_K]]) -> dict[_K, list[Seen]]:
    found: dict[_K, list[Seen]] = defaultdict(list)
    for seen in tests:
        for key in keys(seen):
            found[key].append(seen)
    return dict(found)
