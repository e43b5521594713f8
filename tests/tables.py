"""Tables of cases: one test for all rows of a kind. A row costs less than a test around it, and a failure names it."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import pytest

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


def table_test(
    names: str | Sequence[str], rows: Iterable[Any], ids: Any = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, as one test: for those whose rows can share their fixtures.

    A `tmp_path` is not shared: each row has one of its own. Every row is tried. The failure tells how many are
    wrong and each wrong row with its error; the first one's traceback is shown.
    """
    keys = [key.strip() for key in names.split(",")] if isinstance(names, str) else list(names)
    given = [row if len(keys) > 1 else (row,) for row in map(_values, rows)]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def tried(**fixtures: Any) -> None:
            failed: list[tuple[Any, BaseException]] = []
            for number, row in enumerate(given):
                own = _own_folder(fixtures, number)
                try:
                    test(**dict(zip(keys, row, strict=True)), **{**fixtures, **own})
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((row, error))
            if failed:
                told = "\n".join(f"  {row!r}: {type(error).__name__}: {error}" for row, error in failed)
                raise AssertionError(f"{len(failed)} of {len(given)} rows are wrong:\n{told}") from failed[0][
                    1
                ]

        signature = inspect.signature(test)
        kept = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        tried.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return tried

    return decorate


def _own_folder(fixtures: dict[str, Any], number: int) -> dict[str, Path]:
    """A folder for one row below the test's own, where it has one."""
    if "tmp_path" not in fixtures:
        return {}
    folder = Path(fixtures["tmp_path"]) / str(number)
    folder.mkdir()
    return {"tmp_path": folder}


def _values(row: Any) -> Any:
    """A row as it is; of a `pytest.param` what it holds."""
    if type(row).__name__ != "ParameterSet":
        return row
    return row.values if len(row.values) > 1 else row.values[0]
