"""Manifests as plain data: TOML, JSON with comments, YAML; whatever is broken or hostile is simply empty.

A survey only looks around, so it never stops at a file that it can't read. It runs nothing and follows no
reference from one file to another.
"""

from typing import Any

from donewhen.core.errors import UserError
from donewhen.intake.reading import data_of, read_tree

_MOST_WORDS = 500
_LONGEST_WORD = 300


def yaml_of(text: str, name: str) -> dict[str, Any]:
    try:
        data = data_of(read_tree(text, name))
    except UserError:
        return {}
    return data if isinstance(data, dict) else {}


def at(data: Any, *keys: str) -> Any:
    """What stands below the keys; None where the way ends early."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def words(value: Any) -> tuple[str, ...]:
    """The texts of a list, of sensible number and length."""
    if not isinstance(value, list):
        return ()
    return tuple(each for each in value[:_MOST_WORDS] if isinstance(each, str) and len(each) <= _LONGEST_WORD)
