"""The table of all keys for the documentation, made from the models so that the page can't drift."""

import json
from collections.abc import Iterator
from typing import Any

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.rules import describe
from donewhen.config.schema import Config


def reference_table() -> str:
    """Every key with its default, meaning and trust rule, as a Markdown table."""
    lines = ["| key | default | meaning | until trusted |", "|---|---|---|---|"]
    for path, entry in every_key():
        mark = " *No effect yet.*" if entry.facts.idle else ""
        lines.append(f"| `{path}` | {_default(entry)} | {_cell(entry.about)}{mark} | {_cell(_rule(entry))} |")
    return "\n".join(lines) + "\n"


def every_key(model: type[Section] = Config, path: str = "") -> Iterator[tuple[str, Key]]:
    """All keys in documented order; `[]` stands for an entry of a list, `*` for a name."""
    for entry in keys_of(model):
        below = f"{path}.{entry.name}" if path else entry.name
        if entry.shape != "section":
            yield below, entry
        if entry.model is not None:
            mark = {"named": "[]", "map": ".*"}.get(entry.shape, "")
            yield from every_key(entry.model, below + mark)


def _rule(entry: Key) -> str:
    return "only a file inside the project" if entry.facts.file_only else describe(entry.facts.rule)


def _default(entry: Key) -> str:
    if entry.shape in ("map", "leafmap"):
        return "`{}`"
    value = entry.default
    if value is None:
        return "—"
    return f"`{_cell(_written(value))}`"


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
