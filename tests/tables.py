"""Tables of cases: one test for all rows of a kind. A row costs less than a test around it, and a failure names it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

Case = Mapping[str, Any]
Row = TypeVar("Row")


def by_kind(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Cases by their id without its number: `m-push-12` is one of `m-push`."""
    kinds: dict[str, list[Case]] = {}
    for case in cases:
        kinds.setdefault(str(case["id"]).rpartition("-")[0], []).append(case)
    return kinds


def wrong(rows: Iterable[Row], holds: Callable[[Row], object]) -> list[Row]:
    """The rows that do not hold."""
    return [row for row in rows if not holds(row)]
