"""The key figures: what each counts, what it should be, and whether it is.

Pure. A figure without data is neither met nor missed. One that misses its target and is taken of too few runs
is told, but decides nothing: a single bad run is no trend. Calls of `verify` are in none of them, and neither
are runs that still go on; runs of all repositories in the store count alike.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from donewhen.core.budget import MILLION
from donewhen.core.stats import LedgerFold
from donewhen.core.stats_rows import RowStats

LEAST_RUNS = 5
Verdict = Literal["met", "missed", "few", "unknown"]
Unit = Literal["share", "number", "seconds", "dollars", "ratio"]
Taken = tuple[float | None, int]  # the value, and of how many runs


class Target(NamedTuple):
    """What a figure is, and on which side of its limit it should be; the limit itself is not met."""

    name: str
    unit: Unit
    limit: float
    above: bool
    take: Callable[[RowStats, LedgerFold], Taken]


class Figure(NamedTuple):
    name: str
    unit: Unit
    value: float | None
    limit: float
    above: bool
    runs: int  # that it is taken of
    verdict: Verdict

    @property
    def met(self) -> bool | None:
        return {"met": True, "unknown": None}.get(self.verdict, False)


def _success(rows: RowStats, _: LedgerFold) -> Taken:
    """Accepted of all that ended, for whatever reason they did."""
    return rows.rate, rows.ended


def _corrections(rows: RowStats, _: LedgerFold) -> Taken:
    """Refused claims, mean of runs that ended."""
    return rows.corrections, rows.ended


def _handed_over(_: RowStats, ledgers: LedgerFold) -> Taken:
    """Of runs that ended or are paused, those that a human was called to, whatever became of them."""
    return _share(ledgers.handed_over, ledgers.rested), ledgers.rested


def _time(_: RowStats, ledgers: LedgerFold) -> Taken:
    """Median of the seconds that ended runs lived; while no process executed them they did not."""
    found = ledgers.duration
    return (found.median, found.number) if found else (None, 0)


def _cost(rows: RowStats, _: LedgerFold) -> Taken:
    """US dollars, mean of runs that ended."""
    return _share(rows.ended_micros / MILLION, rows.ended), rows.ended


def _compression(_: RowStats, ledgers: LedgerFold) -> Taken:
    """Tokens of all that was said to those sent for it, at the last compression of each run that had one."""
    return _share(ledgers.raw, ledgers.sent), ledgers.compressed


def _verification(_: RowStats, ledgers: LedgerFold) -> Taken:
    """Passed of passed and failed: verdicts of verifiers, and checks of the exam at each judged claim."""
    return ledgers.passes, ledgers.verified


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


TARGETS = (
    Target("success", "share", 0.8, True, _success),
    Target("corrections", "number", 2, False, _corrections),
    Target("handed_over", "share", 0.2, False, _handed_over),
    Target("time", "seconds", 600, False, _time),
    Target("cost", "dollars", 2, False, _cost),
    Target("compression", "ratio", 3, True, _compression),
    Target("verification", "share", 0.9, True, _verification),
)


def judge(value: float | None, limit: float, runs: int, *, above: bool, least: int = LEAST_RUNS) -> Verdict:
    if value is None:
        return "unknown"
    if value > limit if above else value < limit:
        return "met"
    return "missed" if runs >= least else "few"


def key_figures(
    rows: RowStats, ledgers: LedgerFold, limits: Mapping[str, float], least: int = LEAST_RUNS
) -> tuple[Figure, ...]:
    """Each figure, judged; `limits` replace those of the targets by name."""
    found = []
    for name, unit, usual, above, take in TARGETS:
        (value, runs), limit = take(rows, ledgers), limits.get(name, usual)
        verdict = judge(value, limit, runs, above=above, least=least)
        found.append(Figure(name, unit, value, limit, above, runs, verdict))
    return tuple(found)
