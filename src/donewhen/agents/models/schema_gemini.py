"""The part of JSON Schema that Gemini takes: words that it refuses are left out or said otherwise."""

from collections.abc import Mapping
from typing import Any

_REFUSED = frozenset(
    {"$schema", "discriminator", "examples", "exclusiveMaximum", "exclusiveMinimum", "title"}
)
_NAMED = frozenset({"properties", "$defs"})  # hold schemas under names of somebody's choice
_DATA = frozenset({"default", "enum", "required"})  # hold values, not schemas


def gemini_schema(schema: Any) -> Any:
    """A schema without what would be refused; a call that breaks a dropped bound is told so by the tool."""
    if isinstance(schema, list | tuple):
        return [gemini_schema(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    made = {word: _inner(word, value) for word, value in schema.items() if word not in _REFUSED}
    if "const" in made:
        made["enum"] = [made.pop("const")]
    if made.get("type") == "string":
        made.pop("format", None)
    return made


def _inner(word: str, value: Any) -> Any:
    if word in _DATA:
        return value
    if word in _NAMED and isinstance(value, Mapping):
        return {name: gemini_schema(each) for name, each in value.items()}
    return gemini_schema(value)
