"""NamedTuples to JSON and back, compiled once per class from its annotations.

Event bodies cross the disk tens of thousands of times a second, so this stays small and fast: it knows the
few kinds that bodies use and refuses everything else. It never guesses: a wrong type, a missing or an
unknown field is a ValueError that names the field.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Json = Any  # JSON data, frozen: mappings are read-only, lists are tuples
Convert = Callable[[Any], Any]

_SCALARS = (str, int, bool, NoneType)
_PLAIN = frozenset(_SCALARS)
EMPTY: Mapping[str, Any] = MappingProxyType({})


def dumps(data: object) -> str:
    """Compact JSON text, the same for equal data; readable unless a string holds what UTF-8 can't."""
    text = _compact(data)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(data, allow_nan=False, separators=(",", ":"), default=_plain)
    return text


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON data")


_compact = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
).encode  # made once: `json.dumps` with options makes one at each call


def freeze(data: Any) -> Json:
    """JSON data that nobody can change any more."""
    if type(data) in _PLAIN:
        return data
    if isinstance(data, dict | MappingProxyType):
        return MappingProxyType({key: freeze(value) for key, value in data.items()})
    if isinstance(data, list | tuple):
        return tuple(map(freeze, data))
    return data


def thaw(data: Any) -> Any:
    """Plain JSON data (dicts and lists) again, NamedTuples as objects."""
    kind = type(data)
    if kind in _PLAIN:
        return data
    if kind is MappingProxyType:  # asked first: the question for any mapping is slow
        return {key: thaw(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return to_json(data)
    if isinstance(data, Mapping):
        return {key: thaw(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [thaw(value) for value in data]
    if isinstance(data, frozenset):
        return sorted(data)
    return data


def to_json(body: Any) -> dict[str, Any]:
    """The fields that differ from their defaults, as plain JSON data."""
    defaults = body._field_defaults
    return {
        name: value if type(value) in _PLAIN else thaw(value)
        for name, value in zip(body._fields, body, strict=True)
        if name not in defaults or value != defaults[name]
    }


def from_json(cls: Callable[..., Any], data: object) -> Any:
    """An instance of the NamedTuple `cls`; ValueError with the field's name when `data` does not fit."""
    if type(data) is not dict:
        raise ValueError("not an object")
    converters = _converters(cls)
    fields = {}
    for name, value in data.items():
        if name not in converters:
            raise ValueError(f"unknown field {name!r}")
        kind, convert = converters[name]
        try:
            fields[name] = value if type(value) is kind else convert(value)
        except ValueError as error:
            raise ValueError(f"field {name!r}: {error}") from None
    try:
        return cls(**fields)
    except TypeError:
        missing = [n for n in converters if n not in fields and n not in cls._field_defaults]  # type: ignore[attr-defined]
        raise ValueError(f"missing field {missing[0]!r}") from None


@cache
def _converters(cls: Callable[..., Any]) -> dict[str, tuple[Any, Convert]]:
    """Per field the type that passes as it is, and the check for everything else."""
    return {name: (hint, _converter(hint)) for name, hint in get_type_hints(cls).items()}


def _converter(hint: Any) -> Convert:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return freeze
    if hint in _SCALARS or hint is float:
        return _exact(hint)
    if origin is Literal:
        return _one_of(args)
    if origin in (Union, UnionType):
        return _any_of([_converter(arg) for arg in args])
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return _tuple_of(_converter(args[0]))
    if origin is frozenset:
        items = _tuple_of(_converter(args[0]))
        return lambda value: frozenset(items(value))
    if origin is Mapping:
        return _mapping_of(_converter(args[1]))
    if hasattr(hint, "_fields"):
        return lambda value: from_json(hint, value)
    raise TypeError(f"the codec has no rule for {hint!r}")


def _exact(kind: type) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is kind:
            return value
        if kind is float and type(value) is int:
            return float(value)
        raise ValueError(f"{kind.__name__} expected")

    return convert


def _one_of(allowed: tuple[Any, ...]) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is str and value in allowed:
            return value
        raise ValueError(f"one of {', '.join(map(str, allowed))} expected")

    return convert


def _any_of(choices: list[Convert]) -> Convert:
    def convert(value: Any) -> Any:
        for choice in choices:
            try:
                return choice(value)
            except ValueError as error:
                last = error
        raise last

    return convert


def _tuple_of(item: Convert) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not list:
            raise ValueError("a list expected")
        return tuple(map(item, value))

    return convert


def _mapping_of(item: Convert) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not dict:
            raise ValueError("an object expected")
        return MappingProxyType({key: item(part) for key, part in value.items()})

    return convert
