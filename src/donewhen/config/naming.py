"""Paths of settings as the documentation spells them, entries by their names."""

from typing import Any

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.places import Path
from donewhen.config.schema import Config


def documented_path(path: Path) -> str:
    """The path in documented spelling."""
    model: type[Section] | None = Config
    out: list[str] = []
    entry: Key | None = None
    for part in path:
        if model is None or (entry is not None and entry.shape != "section"):
            out.append(str(part))
            entry = None
            continue
        entry = next((known for known in keys_of(model) if known.attr == part), None)
        out.append(entry.name if entry is not None else str(part))
        model = entry.model if entry is not None else None
    return ".".join(out)


def as_data(value: Any) -> Any:
    """Plain data for people and JSON: lists for tuples, whole numbers without a fraction."""
    if isinstance(value, tuple | list):
        return [as_data(item) for item in value]
    if isinstance(value, dict):
        return {name: as_data(item) for name, item in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value
