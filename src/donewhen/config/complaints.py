"""Pydantic's errors in the words and lines of a file.

A value that was already refused while walking the file gets no second complaint, and neither does the entry
that lacks it.
"""

from collections.abc import Callable, Mapping, Set
from typing import Any

from donewhen.config.places import Path, Place, Remark
from donewhen.config.schema import Config

_PLAIN = {
    "int_type": "not_integer",
    "int_from_float": "not_integer",
    "float_type": "not_number",
    "finite_number": "not_number",
    "string_type": "not_text",
    "bool_type": "not_boolean",
    "tuple_type": "not_list",
    "list_type": "not_list",
    "dict_type": "not_mapping",
    "mapping_type": "not_mapping",
    "model_type": "not_mapping",
    "string_too_short": "empty_text",
    "string_too_long": "long_text",
    "too_short": "empty_list",
    "string_pattern_mismatch": "bad_name",
    "missing": "missing_key",
}
_BOUNDS = {
    "greater_than_equal": ("too_low", "ge"),
    "greater_than": ("not_above", "gt"),
    "less_than_equal": ("too_high", "le"),
    "less_than": ("too_high", "lt"),
}


def type_problems(
    data: dict[str, Any],
    places: Mapping[Path, Place],
    refused: Set[Path],
    shown: Callable[[Path], str],
) -> list[Remark]:
    """What the schema finds wrong with data under canonical names."""
    from pydantic import ValidationError

    try:
        Config.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        above = {path[:length] for path in refused for length in range(1, len(path) + 1)}
        return [_remark(one, places, shown) for one in found if not _said(_path(one), above, refused)]
    return []


def _path(error: Any) -> Path:
    return tuple(part for part in error["loc"] if part != "[key]")


def _said(path: Path, above: Set[Path], refused: Set[Path]) -> bool:
    return path in above or any(path[:length] in refused for length in range(1, len(path)))


def _remark(error: Any, places: Mapping[Path, Place], shown: Callable[[Path], str]) -> Remark:
    sort, context = error["type"], error.get("ctx", {})
    path = known = _path(error)
    while known and known not in places:
        known = known[:-1]
    place = places.get(known, Place("", 0))
    values: dict[str, object] = {"path": shown(path)}
    if sort.startswith("config."):
        return Remark(sort, place, {**values, **{k: v for k, v in context.items() if k != "name"}})
    if sort in _BOUNDS:
        name, bound = _BOUNDS[sort]
        return Remark(f"config.{name}", place, {**values, "bound": _number(context[bound])})
    if sort == "literal_error":
        choices = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return Remark("config.not_choice", place, {**values, "choices": choices})
    return Remark(f"config.{_PLAIN.get(sort, 'wrong_value')}", place, values)


def _number(bound: Any) -> str:
    return f"{bound:g}" if isinstance(bound, float) and bound < 1e6 else str(int(bound))
