"""What a runner says about the tests it ran; and the two verdicts that follow from it.

A number that is not known is None, never 0: nobody is told that nothing ran because a form of output is
unknown to us. Nothing here looks at text.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


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


def collect(
    lines: Iterable[str], read: Callable[[str], Counts | None], cumulative: Sequence[str]
) -> list[Counts]:
    """The summaries that `read` finds; a cumulative runner's last one replaces those before it."""
    parts: list[Counts] = []
    for line in lines:
        counts = read(line)
        if counts and counts.runner in cumulative:
            parts = [part for part in parts if part.runner != counts.runner]
        if counts:
            parts.append(counts)
    return parts


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
