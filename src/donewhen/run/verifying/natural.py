"""Commands that are red by nature with the base's tests: they look at the tests that the change was to bring.

A count of tests, a rule about them or a threshold of coverage was red at the base and is red again without
the new tests, and so is a rule about where tests lie; that is no regression. Told apart purely, and narrowly:
tests may only have been added or moved as they are, no test is named as failed, and the base's own tests must
be seen to pass on the new code. What is not spared here is judged as ever.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.accept import Accept, Parse
from donewhen.core.counts import reports_failures
from donewhen.core.integrity.account import Account, Known
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.naming import file_meant, meant
from donewhen.core.integrity.roles import role_of
from donewhen.core.target import accept_target
from donewhen.core.view import Change as Kind
from donewhen.run.verifying.comparing import Identity, is_green, is_tried
from donewhen.run.verifying.composing import PutBack
from donewhen.run.verifying.verdict import Sitting

_ABOUT_TESTS = re.compile(r"test|coverage|covered|\bspecs?\b|测试|覆盖|用例", re.IGNORECASE)


class MoreTests(NamedTuple):
    """A change that brings tests and leaves those of the base as they are."""

    tests: tuple[Known, ...]  # of the changed files at the base
    touches: Callable[[Accept], bool]  # whether the change edited what a command itself runs


def asks_for_tests(goal: str) -> bool:
    """Whether nothing in the goal is against a change that only brings tests."""
    return not goal or _ABOUT_TESTS.search(goal) is not None


def only_added(
    back: PutBack,
    changed: Mapping[str, Kind],
    account: Account,
    findings: Sequence[Finding],
    is_blank: Callable[[str], bool],
    is_moved: Callable[[str], bool] = lambda path: False,
) -> bool:
    """Whether all that goes back is tests that were added, to new files or below the old ones, or moved.

    `is_moved`: of a path that is gone, whether another holds what it held.
    """
    if back.written or not back.paths or {each.file for each in findings if each.blocks} & set(back.paths):
        return False
    read = {test.path for test in account.tests}
    fits: Mapping[Kind | None, Callable[[str], bool]] = {
        "modified": lambda path: role_of(path) == "test" and path in read,
        "added": lambda path: role_of(path) == "test" or is_blank(path),
        "deleted": is_moved,
    }
    kept = all(test.state == "same" for test in account.tests)
    kinds = {path: changed.get(path) for path in back.paths}
    return kept and all(kind in fits and fits[kind](path) for path, kind in kinds.items())


def red_by_nature(
    again: Sequence[Sitting], start: Sequence[Sitting], more: MoreTests, parse: Parse
) -> frozenset[Identity]:
    """Which commands count as passed: `again` with the base's tests, `start` at the base."""
    seen_to_pass = any(is_green(sitting) and _executed(sitting) for sitting in again if is_tried(sitting))
    before = {sitting.entry.identity: sitting for sitting in start}
    return frozenset(
        sitting.entry.identity
        for sitting in again
        if (seen_to_pass or _executed(sitting))
        and _names_no_test(sitting, more, parse)
        and sitting.entry.identity in before
        and _names_no_test(before[sitting.entry.identity], more, parse)
        and not more.touches(sitting.entry)
    )


def _names_no_test(sitting: Sitting, more: MoreTests, parse: Parse) -> bool:
    """Red, and neither its counts nor its report speak of a test that failed."""
    ended, counts = sitting.ended, sitting.counts
    if not is_tried(sitting) or is_green(sitting) or ended is None or ended.state != "completed":
        return False
    names = [failure.name for failure in sitting.failures if failure.name]
    if counts is not None:
        return _executed(sitting) > 0 and not reports_failures(counts) and not names
    if accept_target(sitting.entry, parse).is_test:
        return False  # nobody knows what failed
    return not any(meant(name, more.tests) or file_meant(name, more.tests) for name in names)


def _executed(sitting: Sitting) -> int:
    return (sitting.counts.executed or 0) if sitting.counts is not None else 0
