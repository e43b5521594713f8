"""Which test functions a change alters, what each became, and whether it demands less by count. Pure.

A function that is renamed, moved, split or merged is found again: by name, by its tokens, then by the names
it uses. A new function counts for the one old function that it is most like.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.verify.test_functions import (
    TestFunction,
    language_of,
    read_definitions,
    read_script,
    read_test_functions,
)

_ALIKE = 0.6  # of the names of the smaller function that the larger one shares
_FEWEST = 3  # names that two functions share at least
Texts = Mapping[str, bytes]


class TestOf(NamedTuple):
    """A test function with its file."""

    path: str
    test: TestFunction

    @property
    def key(self) -> str:
        return f"{self.path}::{self.test.name}"

    @property
    def is_script(self) -> bool:
        """Whether it is a whole file that asserts by itself; its tests may be made in a loop."""
        return self.test.name == self.path.rpartition("/")[2]

    @property
    def strong(self) -> int:
        return self.test.strong * self.test.rows

    @property
    def demands(self) -> int:
        """Everything that can fail it for what something is."""
        return (self.test.strong + self.test.truths) * self.test.rows


class Altered(NamedTuple):
    """An old function and the new ones that stand for it; none where it is gone or switched off."""

    old: TestOf
    now: tuple[TestOf, ...] = ()

    @property
    def language(self) -> str:
        return language_of(self.old.path)


class Changes(NamedTuple):
    altered: tuple[Altered, ...] = ()
    added: tuple[TestOf, ...] = ()  # new functions that stand for no old one

    @property
    def removed(self) -> tuple[Altered, ...]:
        return tuple(each for each in self.altered if not each.now)

    @property
    def fewer_in_all(self) -> bool:
        """Whether what was removed demanded more than what was added."""
        gone = [each.old for each in self.removed]
        return sum(max(1, each.demands) for each in gone) > sum(max(1, each.demands) for each in self.added)


def altered_tests(before: Texts, now: Texts, others: Texts) -> Changes:
    """`before`, `now`: the changed files of the exam; `others`: test files that stay, for what they use."""
    old = _tests(before)
    new = _tests(now)
    touched = _touched(before, now)
    same = {key: new[key] for key in old if key in new}
    fresh = {key: each for key, each in new.items() if key not in old and not _is_off(each.test)}
    gone: list[TestOf] = []
    changed: list[tuple[TestOf, TestOf]] = []
    for key, each in old.items():
        match = same.get(key)
        if _is_off(each.test) and (match is None or _is_off(match.test)):
            continue
        if match is None or _is_off(match.test):
            gone.append(each)
        elif match.test.digest != each.test.digest or each.test.names & touched:
            changed.append((each, match))
    gone, fresh, moved = _moved(gone, fresh, touched)
    changed += moved
    claimed = _claimed([*(each for each, _ in changed), *gone], list(fresh.values()))
    found = [Altered(each, (match, *claimed.get(each.key, ()))) for each, match in changed]
    found += [Altered(each, tuple(claimed.get(each.key, ())) or _merged(each, new.values())) for each in gone]
    found += _dependents(others, touched)
    used = {one.key for each in found for one in each.now}
    return Changes(tuple(found), tuple(each for key, each in fresh.items() if key not in used))


def weaker_by_count(altered: Iterable[Altered]) -> tuple[Altered, ...]:
    """Functions that still exist and demand less; those that became one together are counted together."""
    groups: dict[tuple[str, ...], list[Altered]] = {}
    for each in altered:
        if each.now:
            groups.setdefault(tuple(sorted(one.key for one in each.now)), []).append(each)
    return tuple(each for group in groups.values() if _is_weaker(group) for each in group)


def _is_weaker(group: list[Altered]) -> bool:
    now = group[0].now
    strong = sum(each.old.strong for each in group)
    demands = sum(each.old.demands for each in group)
    if sum(each.strong for each in now) < strong or sum(each.demands for each in now) < demands:
        return True
    rows = sum(each.old.test.rows for each in group)
    return not strong and sum(each.test.rows for each in now) < rows and len(group) == 1


def _tests(texts: Texts) -> dict[str, TestOf]:
    found: dict[str, TestOf] = {}
    for path in sorted(texts):
        for test in read_test_functions(path, texts[path]) or read_script(path, texts[path]):
            one = TestOf(path, test)
            known = found.get(one.key)
            if known is not None:  # the same title twice: together they are one
                one = TestOf(path, _joined(known.test, test))
            found[one.key] = one
    return found


def _joined(one: TestFunction, other: TestFunction) -> TestFunction:
    return one._replace(
        digest=one.digest + other.digest,
        strong=one.strong + other.strong,
        asserts=one.asserts + other.asserts,
        truths=one.truths + other.truths,
        names=one.names | other.names,
        disabled=one.disabled and other.disabled,
    )


def _is_off(test: TestFunction) -> bool:
    """Whether it never runs, or its failures do not count; a condition is left to the runs."""
    mark = test.disabled.lower()
    return bool(mark) and not any(word in mark for word in ("skipif", "skipunless", "runif", "importorskip"))


def _touched(before: Texts, now: Texts) -> frozenset[str]:
    """Names of helpers, fixtures and data that changed in files without tests, and of data files that did."""
    found: set[str] = set()
    for path in {*before, *now}:
        old, new = before.get(path, b""), now.get(path, b"")
        if not language_of(path):
            found.add(path.rpartition("/")[2])
        elif not read_test_functions(path, old) and not read_test_functions(path, new):
            was, is_now = read_definitions(path, old), read_definitions(path, new)
            found |= {name for name in was if is_now.get(name) != was[name]}
    return frozenset(found)


def _moved(
    gone: list[TestOf], fresh: dict[str, TestOf], touched: frozenset[str]
) -> tuple[list[TestOf], dict[str, TestOf], list[tuple[TestOf, TestOf]]]:
    """What has the same tokens elsewhere stays what it is; what has the same name elsewhere is changed."""
    left: list[TestOf] = []
    moved: list[tuple[TestOf, TestOf]] = []
    fresh = dict(fresh)
    for each in gone:
        twins = [one for one in fresh.values() if one.test.digest == each.test.digest]
        named = [one for one in fresh.values() if one.test.name == each.test.name]
        twin = next(iter((*(one for one in twins if one in named), *twins)), None)
        if twin is not None:
            del fresh[twin.key]
            if each.test.names & touched:
                moved.append((each, twin))
        elif len(named) == 1:
            del fresh[named[0].key]
            moved.append((each, named[0]))
        else:
            left.append(each)
    return left, fresh, moved


def _claimed(old: list[TestOf], fresh: list[TestOf]) -> dict[str, list[TestOf]]:
    """For each old function the new ones that are most like it."""
    found: dict[str, list[TestOf]] = {}
    for each in fresh:
        likeness = [(_likeness(one, each), number) for number, one in enumerate(old)]
        best, number = max(likeness, default=(0.0, 0))
        if best >= _ALIKE:
            found.setdefault(old[number].key, []).append(each)
    return found


def _merged(each: TestOf, new: Iterable[TestOf]) -> tuple[TestOf, ...]:
    """The function that a removed one became a part of."""
    likeness = [(_likeness(each, one), one.key, one) for one in new if one.path == each.path]
    best = max(likeness, default=None)
    if best is None or best[0] < _ALIKE or best[2].test.rows == 1 or _is_off(best[2].test):
        return ()
    return (best[2],)


def _likeness(one: TestOf, other: TestOf) -> float:
    shared = len(one.test.names & other.test.names)
    if shared < _FEWEST or language_of(one.path) != language_of(other.path):
        return 0.0
    whole = shared / min(len(one.test.names), len(other.test.names))
    return whole + shared / max(len(one.test.names), len(other.test.names)) / 100  # a tie goes to the closer


def _dependents(others: Texts, touched: frozenset[str]) -> list[Altered]:
    if not touched:
        return []
    tests = _tests(others).values()
    return [Altered(each, (each,)) for each in tests if each.test.names & touched and not _is_off(each.test)]
