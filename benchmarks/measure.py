"""How figures are taken: medians of interleaved repeats, so that a noisy machine is noisy for all alike."""

import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Figure(NamedTuple):
    """One line of the results: what was measured, the target it is held against, and how it came about."""

    name: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None
    ratio: str = ""


def interleaved(cases: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each case; every round runs each case once."""
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(repeats):
        for name, case in cases.items():
            start = time.perf_counter()
            case()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


def at_most(name: str, value: float, unit: str, limit: float, ratio: str = "") -> Figure:
    return Figure(name, value, unit, f"≤ {limit:g}", value <= limit, ratio)


def at_least(name: str, value: float, unit: str, limit: float, ratio: str = "") -> Figure:
    return Figure(name, value, unit, f"≥ {limit:g}", value >= limit, ratio)
