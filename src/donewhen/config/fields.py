"""What a key of the schema carries besides its type: documented spelling, trust rule, how layers merge.

One table per model is derived from the model itself, so names, rules, docs and JSON Schema can't drift
apart. Nothing here knows a particular key.
"""

import re
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field

from donewhen.config.rules import Rule

Shape = Literal["leaf", "section", "named", "map", "leafmap"]


class Section(BaseModel):
    """A mapping of the configuration: frozen, strict, no unknown keys."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        defer_build=True,
        allow_inf_nan=False,
        protected_namespaces=(),
    )
    short: typing.ClassVar[tuple[str, ...]] = ()  # the keys that a lone scalar in place of the mapping sets


class Facts(NamedTuple):
    rule: Rule
    name: str | None = None  # documented spelling where it isn't the attribute's
    also: tuple[str, ...] = ()  # other accepted names
    adds: bool = False  # lists of all layers add up instead of replacing each other
    hides: Literal["", "address", "all"] = ""
    argv: Literal["", "one", "many"] = ""
    regex: bool = False  # a pattern, or a list of them
    file_only: bool = False
    words: Mapping[str, str] = {}  # accepted spellings of a value
    idle: bool = False  # read, checked and shown; nothing goes by it yet

    def __call__(self, schema: dict[str, Any]) -> None:
        """Nothing to add to Pydantic's own JSON Schema: editor.py writes ours."""


class Key(NamedTuple):
    """One key of one section."""

    attr: str
    name: str
    shape: Shape
    model: type[Section] | None
    facts: Facts
    default: Any
    about: str
    choices: frozenset[str]
    spellings: tuple[str, ...]


def key(default: Any, rule: Rule, about: str, **more: Any) -> Any:
    """A field of a section; `more` holds Facts and Pydantic's limits (ge, le, …)."""
    facts = {name: more.pop(name) for name in Facts._fields if name in more}
    return Field(default, description=about, json_schema_extra=cast(Any, Facts(rule, **facts)), **more)


def needed(rule: Rule, about: str, **more: Any) -> Any:
    """A field that every entry must have."""
    return key(..., rule, about, **more)


def section(rule: Rule, about: str, **more: Any) -> Any:
    """A nested section; its defaults are filled in by the one validator of the whole configuration."""
    return key({}, rule, about, validate_default=True, **more)


def camel(snake: str) -> str:
    head, *rest = snake.split("_")
    return head + "".join(part.capitalize() for part in rest)


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


@cache
def keys_of(model: type[Section]) -> tuple[Key, ...]:
    """The keys of a section in documented order."""
    return tuple(_key_of(attr, field) for attr, field in model.model_fields.items())


@cache
def spellings_of(model: type[Section]) -> dict[str, Key]:
    """Every accepted spelling of every key."""
    return {spelling: entry for entry in keys_of(model) for spelling in entry.spellings}


def _key_of(attr: str, field: Any) -> Key:
    facts = field.json_schema_extra
    if not isinstance(facts, Facts):
        raise TypeError(f"the key {attr} has no trust rule")
    shape, model = _shape_of(field.annotation)
    name = facts.name or attr
    spelled = [name, attr, camel(attr)]
    for other in facts.also:
        spelled += [other, snake(other), camel(other)]
    choices = frozenset(_choices(field.annotation))
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    return Key(
        attr,
        name,
        shape,
        model,
        facts,
        default,
        field.description or "",
        choices,
        tuple(dict.fromkeys(spelled)),
    )


def _shape_of(annotation: Any) -> tuple[Shape, type[Section] | None]:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return "section", annotation
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    inner = args[-1] if origin is Mapping else args[0] if origin is tuple and args else None
    is_section = isinstance(inner, type) and issubclass(inner, Section)
    if origin is Mapping:
        return ("map", inner) if is_section else ("leafmap", None)
    return ("named", inner) if is_section else ("leaf", None)


def _choices(annotation: Any) -> typing.Iterator[str]:
    if typing.get_origin(annotation) is Literal:
        yield from (value for value in typing.get_args(annotation) if isinstance(value, str))
        return
    for inner in typing.get_args(annotation):
        yield from _choices(inner)
