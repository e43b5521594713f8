"""Manifests as plain data: TOML, JSON with comments, YAML; whatever is broken or hostile is simply empty.

A survey only looks around, so it never stops at a file that it can't read. It runs nothing and follows no
reference from one file to another.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from donewhen.config.files import read_regular
from donewhen.core.errors import UserError
from donewhen.intake.reading import data_of, read_tree
from donewhen.project.folder import LARGEST_MANIFEST

_MOST_DOTS = 500  # of one line: a key of many parts costs their square
_MOST_WORDS = 500
_LONGEST_WORD = 300


def text_at(folder: Path, path: str) -> str:
    """The text of a file below a folder; empty when there is none, it is large, or a link."""
    try:
        found = read_regular(folder / path, path, largest=LARGEST_MANIFEST, follow=False)
    except UserError:
        return ""
    return found.data.decode("utf-8", "replace") if found else ""


def toml_of(text: str) -> dict[str, Any]:
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def json_of(text: str) -> dict[str, Any]:
    """A JSON object; lines that are comments, as many tools allow them, are left out."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("//"))
    try:
        data = json.loads("\n".join(lines) or "null")
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


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
