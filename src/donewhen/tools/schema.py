"""The JSON schema of a tool's arguments, as models are shown it.

Pydantic makes it from the validator, and building the validators of all tools costs more than a tenth of the
time to the first request. So our own classes, which are plain, are read from their fields; pydantic is asked
about those of plugins and about what is not plain. Tests hold both answers against each other.
"""

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from donewhen.core.codec import freeze
from donewhen.tools.model import Arguments

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_CONFIG = frozenset({"extra", "strict", "frozen", "defer_build"})
_LIMITS = {"Ge": "minimum", "Gt": "exclusiveMinimum", "Le": "maximum", "Lt": "exclusiveMaximum"}
_SIZES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}


class _NotPlain(Exception):
    pass


@cache
def schema_of(arguments: type[Arguments]) -> Mapping[str, Any]:
    """Without the titles that only repeat names."""
    frozen: Mapping[str, Any] = freeze(_plain(arguments) or _untitled(arguments.model_json_schema()))
    return frozen


def _plain(arguments: type[Arguments]) -> dict[str, Any] | None:
    ours = arguments.__module__.startswith("donewhen.")
    if not ours or arguments.__doc__ or not _CONFIG.issuperset(arguments.model_config):
        return None
    fields = arguments.model_fields
    try:
        properties = {name: _property(field) for name, field in fields.items()}
    except _NotPlain:
        return None
    required = [name for name, field in fields.items() if field.is_required()]
    schema = {"additionalProperties": False, "properties": properties, "type": "object"}
    return dict(sorted({**schema, **({"required": required} if required else {})}.items()))


def _property(field: Any) -> dict[str, Any]:
    if field.default_factory or field.alias or field.title or field.json_schema_extra or field.deprecated:
        raise _NotPlain
    schema = _type(field.annotation, field.metadata)
    if not field.is_required():
        schema["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    if field.description:
        schema["description"] = field.description
    if field.examples:
        schema["examples"] = field.examples
    return dict(sorted(schema.items()))


def _type(kind: Any, limits: list[Any]) -> dict[str, Any]:
    """`limits`: what a field says beside its type; of an optional value it holds for the value."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type(inner[0], [*_said(inner[1:]), *limits])
    if origin in (Union, UnionType) and len(inner) == 2 and inner[1] is NoneType:
        return {"anyOf": [_type(inner[0], limits), {"type": "null"}]}
    if origin is list or (origin is tuple and inner[1:] == (...,)):
        schema: dict[str, Any] = {"items": _type(inner[0], []), "type": "array"}
    elif kind in _TYPES:
        schema = {"type": _TYPES[kind]}
    else:
        raise _NotPlain
    for limit in limits:
        schema |= _limit(limit, schema["type"])
    return dict(sorted(schema.items()))


def _said(notes: tuple[Any, ...]) -> list[Any]:
    """The limits of one `Field` in an annotation."""
    field = notes[0]
    if len(notes) > 1 or type(field).__name__ != "FieldInfo" or field.description or field.examples:
        raise _NotPlain
    limits: list[Any] = field.metadata
    return limits


def _limit(limit: Any, kind: str) -> dict[str, Any]:
    name = type(limit).__name__
    if name in _LIMITS and kind in ("integer", "number"):
        return {_LIMITS[name]: getattr(limit, name.lower())}
    if name == "MinLen" and kind in _SIZES:
        return {_SIZES[kind][0]: limit.min_length}
    if name == "MaxLen" and kind in _SIZES:
        return {_SIZES[kind][1]: limit.max_length}
    if name == "AllowInfNan":  # JSON has no such numbers
        return {}
    raise _NotPlain


def _untitled(schema: Any, named: bool = False) -> Any:
    """`named`: the keys are names of arguments or of types, not words of the schema."""
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _untitled(value, not named and key in ("properties", "$defs"))
        for key, value in schema.items()
        if named or key != "title" or not isinstance(value, str)
    }
