"""How many tests a runner says it ran, the two verdicts that follow from it, and how it is said to people.

A number that is not known is None, never 0: nobody is told that nothing ran because a form of output is
unknown to us. Nothing here looks at text; `commands.counts` reads what runners print.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from donewhen.core.texts import Language


class Counts(NamedTuple):
    """One or more summaries. Skipped, pending, ignored and filtered tests are not executed."""

    executed: int | None = None  # None: something ran, how much is not known
    passed: int | None = None
    failed: int = 0
    errors: int = 0  # what went wrong outside of a single test: set-up, import, a whole file
    skipped: int = 0
    files: int | None = None
    seconds: str | None = None  # as printed, e.g. `1.23s` or `30ms`
    failed_names: tuple[str, ...] = ()
    runner: str = ""


def nothing_ran(counts: Counts) -> bool:
    """No test was executed, for certain."""
    return counts.executed == 0 and not reports_failures(counts)


def reports_failures(counts: Counts) -> bool:
    """The runner itself says that something failed, whatever its exit status was."""
    return counts.failed > 0 or counts.errors > 0


def add_up(parts: Sequence[Counts]) -> Counts | None:
    """All summaries of one output as one; None for none."""
    if len(parts) < 2:
        return parts[0] if parts else None
    ran = [part for part in parts if part.executed != 0]
    return Counts(
        executed=_sum(part.executed for part in parts),
        passed=_sum(part.passed for part in parts),
        failed=sum(part.failed for part in parts),
        errors=sum(part.errors for part in parts),
        skipped=sum(part.skipped for part in parts),
        files=_sum(part.files for part in ran or parts),
        seconds=ran[0].seconds if len(ran) == 1 else None,
        failed_names=tuple(name for part in parts for name in part.failed_names),
        runner="+".join(dict.fromkeys(part.runner for part in ran or parts)),
    )


def _sum(numbers: Iterable[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total


def summary(counts: Counts, language: "Language" = "en") -> str:
    """What ran and how it went, then what was skipped and the time it took."""
    from donewhen.core.texts import say  # whoever only counts does not load the catalogue

    told = _results(counts, language)
    if counts.files:
        told = say(
            "counts.file" if counts.files == 1 else "counts.files", language, n=counts.files, rest=told
        )
    if counts.skipped and counts.executed != 0:
        told = say("counts.and_skipped", language, told=told, n=counts.skipped)
    if counts.seconds:
        told = say("counts.took", language, told=told, time=counts.seconds)
    return told


def _results(counts: Counts, language: "Language") -> str:
    from donewhen.core.texts import say

    if counts.failed or counts.errors:
        return _failures(counts, language)
    if counts.executed is None:
        return say("counts.unknown", language)
    if counts.executed == 0:
        return (
            say("counts.skipped", language, n=counts.skipped)
            if counts.skipped
            else say("counts.none", language)
        )
    if not counts.passed:
        return say("counts.as_expected", language, n=counts.executed)
    return say("counts.test" if counts.passed == 1 else "counts.tests", language, n=counts.passed)


def _failures(counts: Counts, language: "Language") -> str:
    from donewhen.core.texts import say

    told = []
    if counts.failed:
        told.append(
            say("counts.failed_of", language, n=counts.failed, all=counts.executed)
            if counts.executed
            else say("counts.failed", language, n=counts.failed)
        )
    if counts.errors:
        told.append(say("counts.error" if counts.errors == 1 else "counts.errors", language, n=counts.errors))
    return say("counts.comma", language).join(told)
