"""The words that runners put beside their numbers, and what each of them means.

One vocabulary serves all runners, because they agree on the words and differ only in the punctuation. A
list with a word that is not in it is no summary: prose about tests must not be read as counts.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from donewhen.core.counts import Counts

Role = Literal["passed", "failed", "errors", "skipped", "ran", "total", "aside"]
Pair = tuple[int, str]

# Phrases are separated by commas. `ran`: executed, but neither passed nor failed. `aside`: no count of tests,
# or of tests that are in no other number.
_WORDS: Mapping[Role, str] = {
    "passed": "passed, passing, pass, succeeded, success, successes, successful, ok, flaky",
    "failed": (
        "failed, failing, fail, failure, failures, cancelled, interrupted, timeout, timedout, xpass,"
        "unexpected pass, unexpected successes, subtests failed, subtest failed, undefined, ambiguous"
    ),
    "errors": (
        "error, errors, invalid, error occurred outside of examples, errors occurred outside of examples,"
        "uncaught exception, uncaught exceptions, unhandled rejection, unhandled rejections,"
        "error was not a part of any test, errors were not a part of any test"
    ),
    "skipped": (
        "skipped, skip, skips, pending, pendings, todo, todos, ignored, disabled, excluded, omissions,"
        "omission, incomplete, canceled, aborted, did not run, not run, pending spec,"
        "pending specs, inconclusive"
    ),
    "ran": (
        "xfailed, xpassed, measured, xfail, expected fail, expected failure, expected failures, "
        "known failure, known failures"
    ),
    "total": (
        "tests, test, total, examples, example, runs, specs, spec, doctests, doctest, properties, property,"
        "tests completed, test completed, total tests, found, test count"
    ),
    "aside": (
        "deselected, warning, warnings, rerun, reruns, retried, assertions, assertion, notifications, risky,"
        "deprecations, deprecation, notices, notice, filtered out, subtests passed, subtest passed,"
        "subtests skipped, warn, suites, slow, leaky, started"
    ),
}
_ROLES: Mapping[str, Role] = {
    phrase.strip(): role for role, phrases in _WORDS.items() for phrase in phrases.split(",")
}
_PAIR = re.compile(r"(\d{1,9}) ([a-z][a-z ]{0,60})")


def pairs_in(text: str, separator: str = ", ") -> list[Pair] | None:
    """`1 failed, 2 passed` as pairs; None when any part is something else."""
    pairs = []
    for part in text.split(separator):
        found = _PAIR.fullmatch(part.strip().lower())
        if not found or found[2].strip() not in _ROLES:
            return None
        pairs.append((int(found[1]), found[2].strip()))
    return pairs


def counted(
    runner: str, pairs: Iterable[Pair], files: int | None = None, seconds: str | None = None
) -> Counts:
    """Counts from pairs of number and word. A total includes what was skipped."""
    sums: dict[Role, int] = {}
    for number, word in pairs:
        role = _ROLES[word.lower()]
        sums[role] = sums.get(role, 0) + number
    failed, errors, skipped = sums.get("failed", 0), sums.get("errors", 0), sums.get("skipped", 0)
    ran = sums.get("passed", 0) + failed + sums.get("ran", 0)
    executed = max(0, sums["total"] - skipped) if "total" in sums else ran
    passed = sums.get("passed", max(0, executed - failed - errors - sums.get("ran", 0)))
    return Counts(executed, passed, failed, errors, skipped, files, seconds, runner=runner)
