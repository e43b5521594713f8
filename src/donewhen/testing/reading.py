"""Small steps of reading a request the way a strict provider does: each complaint names the field."""

import json
from collections.abc import Mapping
from typing import Any

from donewhen.testing.model import Refusal

_KINDS: Mapping[type, str] = {
    str: "a string",
    int: "an integer",
    bool: "a boolean",
    list: "an array",
    dict: "an object",
}


def bad(why: str) -> Refusal:
    return Refusal("request", why)


def field(data: Mapping[str, Any], name: str, kind: type, where: str = "", default: Any = ...) -> Any:
    """A field of the right kind; null counts as absent."""
    place = f"{where}.{name}" if where else name
    value = data.get(name)
    if value is None:
        if default is ...:
            raise bad(f"{place}: field required")
        return default
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise bad(f"{place}: must be {_KINDS[kind]}")
    return value


def obj(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise bad(f"{place}: must be an object")
    return value


def positive(data: Mapping[str, Any], name: str, where: str = "") -> int | None:
    found: int | None = field(data, name, int, where, None)
    if found is not None and found < 1:
        raise bad(f"{where + '.' if where else ''}{name}: must be at least 1")
    return found


def schema(value: Any, place: str) -> None:
    """The parameters of a tool: an object schema whose parts hold together."""
    found = obj(value, place)
    if str(found.get("type")).lower() != "object":
        raise bad(f'{place}: a tool\'s schema must have the type "object"')
    properties = obj(found.get("properties", {}), f"{place}.properties")
    required = field(found, "required", list, place, [])
    for name in required:
        if name not in properties:
            raise bad(f"{place}.required: {name!r} is not among the properties")
    for name, about in properties.items():
        obj(about, f"{place}.properties.{name}")


def object_text(text: Any, place: str) -> None:
    """Arguments of a call, as text: a JSON object."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        raise bad(f"{place}: is not valid JSON") from None
    if not isinstance(found, dict):
        raise bad(f"{place}: must be a JSON object")


def compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
