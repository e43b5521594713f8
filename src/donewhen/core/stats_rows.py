"""Figures over many runs that the index alone tells: how they ended and what they cost.

Pure. Calls of `verify` are runs in the store as well; they are counted apart, because nobody worked in them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from donewhen.core.summary import Summary, is_verification


class Spread(NamedTuple):
    """What is usual and what is not, of so many values."""

    number: int
    median: float
    p90: float
    most: float


class RowStats(NamedTuple):
    """What the index alone says."""

    runs: int
    verifications: int
    states: Mapping[str, int]
    reasons: Mapping[str, int]
    ended: int
    accepted: int
    attempts: Spread | None  # claims of accepted runs: 1 is the first
    corrections: float | None  # refused claims, mean of ended runs
    micros: Mapping[str, int]  # total, llm, api, other
    accepted_micros: int
    ended_micros: int = 0

    @property
    def rate(self) -> float | None:
        """Accepted of all that ended."""
        return self.accepted / self.ended if self.ended else None


def spread(values: Iterable[float]) -> Spread | None:
    """Nearest rank, so that every figure is one that occurred; None of no values."""
    ordered = sorted(values)
    if not ordered:
        return None
    return Spread(len(ordered), _rank(ordered, 0.5), _rank(ordered, 0.9), ordered[-1])


def _rank(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def of_rows(rows: Iterable[Summary]) -> RowStats:
    every = list(rows)
    runs = [row for row in every if not is_verification(row)]
    ended = [row for row in runs if row.ended]
    accepted = [row for row in ended if row.stop_reason == "accepted"]
    rests = [row for row in runs if row.ended or row.state == "paused"]  # else the reason is an earlier one's
    kinds = ("total", "llm", "api", "other")
    return RowStats(
        runs=len(runs),
        verifications=len(every) - len(runs),
        states=Counter(row.state for row in runs),
        reasons=Counter(row.stop_reason for row in rests if row.stop_reason),
        ended=len(ended),
        accepted=len(accepted),
        attempts=spread(row.attempts for row in accepted),
        corrections=(sum(row.attempts for row in ended) - len(accepted)) / len(ended) if ended else None,
        micros={kind: sum(getattr(row, f"{kind}_micros") for row in runs) for kind in kinds},
        accepted_micros=sum(row.total_micros for row in accepted),
        ended_micros=sum(row.total_micros for row in ended),
    )


def within(rows: Iterable[Summary], most_events: int) -> list[Summary]:
    """The first rows whose ledgers together have at most so many events; 0 takes all."""
    taken: list[Summary] = []
    left = most_events
    for row in rows:
        left -= row.events
        if most_events and left < 0:
            break
        taken.append(row)
    return taken
