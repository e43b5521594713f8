"""A runner's own summary among others that it printed: of suites inside its tests, or of what is under test.

Several summaries add up, because a command may start several runners. Where the command is unittest itself
and ended with 0, one of them is its own; which one is believed only as far as it agrees with what was noted
from inside. A summary that was printed to cover a red one does not agree, and then all of them count.
"""

from typing import NamedTuple

from donewhen.commands.counts.runners import Summary, summaries
from donewhen.commands.counts.text import readable
from donewhen.core.counts import Counts, reports_failures


class Noted(NamedTuple):
    """What unittest told about its tests while they ran, inner suites included."""

    told: int
    failed: int


def own_counts(output: str, noted: Noted) -> Counts | None:
    """What unittest itself ran, where it ended with 0; None where that can't be told for certain."""
    found = summaries(readable(output))
    ruled = [each for each in found if each.ruled]
    if len(found) < 2 or not ruled or not noted.told:
        return None
    if not noted.failed and not any(reports_failures(each.counts) for each in ruled):
        own = [each.counts for each in ruled if each.ran == noted.told]
        if own:  # whatever else was printed, unittest told of no other test
            return own[0]
    told = sum(each.ran for each in ruled), sum(each.counts.failed + each.counts.errors for each in ruled)
    return _last(ruled) if told == noted else None


def last_counts(output: str) -> Counts | None:
    """What unittest says at its end, where inner summaries came before; for runs that nobody watched.

    It only takes away a red of an inner suite: a green has to be proven by a run that is watched.
    """
    ruled = [each for each in summaries(readable(output)) if each.ruled]
    return _last(ruled) if len(ruled) > 1 or _has_unruled(output) else None


def _has_unruled(output: str) -> bool:
    return any(not each.ruled for each in summaries(readable(output)))


def _last(ruled: list[Summary]) -> Counts | None:
    """The last one, if it passed and no other one is larger: inner suites are parts."""
    if not ruled or reports_failures(ruled[-1].counts) or ruled[-1].ran < max(each.ran for each in ruled):
        return None
    return ruled[-1].counts
