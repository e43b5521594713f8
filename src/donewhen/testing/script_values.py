"""The values of a script: their shapes, faults and usage, each refused with its place when it is another."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from donewhen.core.errors import UserError
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase
from donewhen.testing.model import FAULTS, Fault, FaultKind, Reported

Path = tuple[str | int, ...]
Places = Callable[[Path], str]

_STATUSES: Mapping[int, FaultKind] = {401: "key", 402: "payment", 403: "forbidden", 404: "model", 429: "rate"}
_COUNTS = ("input", "output", "cache_read", "cache_write")
_RETRY = ("retry_after", "retry_after_date", "retry_after_ms")
_FIELDS: Mapping[str, tuple[str, ...]] = {  # beside `kind`
    **dict.fromkeys(
        ("rate", "key", "forbidden", "model", "too_long", "no_tools", "quota", "payment"), _RETRY
    ),
    "status": ("status", *_RETRY),
    "cut": ("after", "middle", "clean"),
    "error_event": ("after", "status"),
    "invalid_json": ("after",),
    "huge": ("mb",),
    "slow": ("ms", "gate"),
}


def plain_place(path: Path) -> str:
    shown = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return f"script{shown}"


def wrong(key: str, place: str, wanted: Phrase) -> UserError:
    return UserError("fakemodel.wrong_type", place=place, key=one_name(key), wanted=wanted)


def _name(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "answers")


def text(value: Any, at: Path, places: Places) -> str:
    if not isinstance(value, str):
        raise wrong(_name(at), places(at), Phrase("fakemodel.a_text"))
    return value


def whole(value: Any, at: Path, places: Places, *, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise wrong(_name(at), places(at), Phrase("fakemodel.a_whole", {"least": least}))
    return value


def mapping(value: Any, at: Path, places: Places) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise wrong(_name(at), places(at), Phrase("fakemodel.a_map"))
    return value


def items(value: Any, at: Path, places: Places) -> list[Any]:
    if not isinstance(value, list):
        raise wrong(_name(at), places(at), Phrase("fakemodel.a_list"))
    return value


def only(found: Mapping[str, Any], known: tuple[str, ...], at: Path, places: Places) -> None:
    """Refuses a key that is not known: misspelt, it would silently not be played."""
    for key in found:
        if key not in known:
            raise UserError(
                "fakemodel.unknown_key",
                place=places((*at, key)),
                key=one_name(str(key)),
                known=", ".join(known),
            )


def one_of(value: Any, known: tuple[Any, ...], at: Path, places: Places) -> Any:
    if value not in known:
        raise UserError(
            "fakemodel.unknown_value",
            place=places(at),
            key=_name(at),
            value=one_name(str(value)),
            known=", ".join(known),
        )
    return value


def read_fault(data: Any, at: Path, places: Places) -> Fault:
    """A name, a status, or a mapping with `kind` and its particulars."""
    if isinstance(data, int) and not isinstance(data, bool):
        return _status(whole(data, at, places, least=400), at, places)
    if isinstance(data, str):
        return Fault(one_of(data, FAULTS, at, places))
    found = mapping(data, at, places)
    if "kind" not in found:
        raise UserError("fakemodel.missing_key", place=places(at), key="kind")
    given = found["kind"]
    if isinstance(given, int) and not isinstance(given, bool):
        start = _status(whole(given, (*at, "kind"), places, least=400), at, places)
    else:
        start = Fault(one_of(given, FAULTS, (*at, "kind"), places))
    only(found, ("kind", *_FIELDS.get(start.kind, ())), at, places)
    values = {key: _detail(key, value, (*at, key), places) for key, value in found.items() if key != "kind"}
    return start._replace(**values)


def _status(status: int, at: Path, places: Places) -> Fault:
    if status > 599:
        raise wrong(_name(at), places(at), Phrase("fakemodel.a_whole", {"least": 400}))
    return Fault(_STATUSES[status]) if status in _STATUSES else Fault("status", status=status)


def _detail(key: str, value: Any, at: Path, places: Places) -> Any:
    if key in ("middle", "clean", "gate"):
        if not isinstance(value, bool):
            raise wrong(key, places(at), Phrase("fakemodel.a_bool"))
        return value
    if key == "retry_after" and isinstance(value, str) and value.isascii() and value.isprintable():
        return value
    return whole(value, at, places, least=400 if key == "status" else 0)


def read_usage(data: Any, at: Path, places: Places) -> tuple[Literal["true", "missing"] | Reported, float]:
    """What is reported, and which part of the true counts."""
    if data is True or data == "true":
        return "true", 1.0
    if data == "missing":
        return "missing", 1.0
    if not isinstance(data, dict):
        raise wrong(_name(at), places(at), Phrase("fakemodel.a_usage"))
    if "factor" in data:
        only(data, ("factor",), at, places)
        factor = data["factor"]
        if isinstance(factor, bool) or not isinstance(factor, int | float) or not 0 <= factor <= 1000:
            raise wrong("factor", places((*at, "factor")), Phrase("fakemodel.a_number"))
        return "true", float(factor)
    only(data, (*_COUNTS, "factor"), at, places)
    return Reported(**{key: whole(value, (*at, key), places) for key, value in data.items()}), 1.0
