"""`.openspec.yaml` of a change and `config.yaml` of a project.

Neither is ever fatal: what can't be used is left out and named. A marker of the change (`skip_specs`,
`retire_capabilities`) counts only when the whole file is sound, because it waives a rule.
"""

import re
from collections.abc import Callable
from typing import Any

from donewhen.config.places import ConfigError
from donewhen.config.yamltext import Item, Odd, Pair, pairs_of, plain, read_yaml
from donewhen.core.texts import Phrase
from donewhen.intake.openspec.model import Config, Meta

BUILT_IN_SCHEMA = "spec-driven"
LARGEST_CONTEXT = 50 * 1024

_SKIP = re.compile(r"^[ \t]*(['\"]?)skip_specs\1[ \t]*:", re.MULTILINE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def is_kebab(text: str) -> bool:
    return _KEBAB.match(text) is not None


def read_meta(text: str, file: str, schemas: tuple[str, ...] = ()) -> Meta:
    """The change's own settings; `schemas` are the workflows that the project defines."""
    try:
        root = read_yaml(text, file)
    except ConfigError as error:
        line = error.problems[0].place.line
        broken = Phrase("openspec.meta_yaml")
        return Meta(trouble=broken, wants_skip=_SKIP.search(text) is not None, line=line)
    values = _values(root)
    if not isinstance(values, dict):
        return Meta(trouble=Phrase("openspec.meta_mapping"), line=1)
    lines = {pair.key: pair.key_item.place.line for pair in pairs_of(root)}
    wrong = next((name for name, fits in _META.items() if name in values and not fits(values[name])), None)
    skip = values.get("skip_specs", False)
    if wrong:
        trouble: Phrase | None = Phrase("openspec.meta_field", {"name": wrong})
    elif "schema" not in values:
        trouble = Phrase("openspec.meta_no_schema")
    elif values["schema"] not in (BUILT_IN_SCHEMA, *schemas):
        trouble, wrong = Phrase("openspec.meta_schema", {"name": str(values["schema"])}), "schema"
    else:
        trouble = None
    sound = trouble is None
    return Meta(
        _text(values.get("schema")),
        _text(values.get("created")),
        _text(values.get("goal")),
        tuple(_texts(values.get("affected_areas"))),
        sound and skip is True,
        sound and values.get("retire_capabilities") is True,
        trouble,
        skip is not False,
        0 if sound else lines.get(wrong or "skip_specs", 1),
    )


def read_config(text: str, file: str) -> Config:
    """The project's settings, field by field."""
    try:
        root = read_yaml(text, file)
    except ConfigError:
        return Config(trouble=Phrase("openspec.meta_yaml"), file=file)
    values = _values(root)
    if values is None:
        return Config(file=file)
    if not isinstance(values, dict):
        return Config(trouble=Phrase("openspec.meta_mapping"), file=file)
    dropped = [pair.key for pair in pairs_of(root) if not _fits_config(pair, values)]
    kept = {name: value for name, value in values.items() if name not in dropped}
    rules = kept.get("rules", {})
    operations = kept.get("operations", {})
    return Config(
        _text(kept.get("schema")),
        _text(kept.get("context")),
        {name: tuple(_texts(lines)) for name, lines in rules.items()},
        tuple(_texts(_inner(operations, "apply"))),
        tuple(_texts(_inner(operations, "archive"))),
        tuple(dropped),
        file=file,
    )


def _values(root: Item | None) -> Any:
    """Plain data; `yes` and `on` stay the words that they are to the OpenSpec tools."""
    values = plain(root)
    for pair in pairs_of(root):
        if isinstance(values[pair.key], bool) and pair.item.text.lower() not in ("true", "false"):
            values[pair.key] = pair.item.text
    return values


def _inner(operations: Any, name: str) -> object:
    part = operations.get(name)
    return part.get("guidance") if isinstance(part, dict) else None


def _text(value: object) -> str:
    return value.text if isinstance(value, Odd) else value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [_text(item) for item in value] if isinstance(value, list) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(item) for item in value)


def _is_rules(value: object) -> bool:
    return isinstance(value, dict) and all(_is_list(item) for item in value.values())


def _is_operations(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    parts = [part for part in value.values() if isinstance(part, dict)]
    return len(parts) == len(value) and all(_is_list(part.get("guidance", [])) for part in parts)


def _is_initiative(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"store", "id"} and all(map(_is_id, value.values()))


def _is_id(value: object) -> bool:
    return isinstance(value, str) and is_kebab(value)


_META: dict[str, Callable[[object], bool]] = {
    "schema": _is_text,
    "created": lambda value: _DAY.match(_text(value)) is not None,
    "goal": _is_text,
    "affected_areas": _is_list,
    "initiative": _is_initiative,
    "skip_specs": lambda value: isinstance(value, bool),
    "retire_capabilities": lambda value: isinstance(value, bool),
}

_CONFIG: dict[str, Callable[[object], bool]] = {
    "schema": _is_text,
    "context": lambda value: (
        isinstance(value, str) and len(value.encode(errors="replace")) <= LARGEST_CONTEXT
    ),
    "rules": _is_rules,
    "operations": _is_operations,
    "references": lambda value: isinstance(value, list),
    "store": _is_text,
    "githubCopilot": lambda value: isinstance(value, dict),
}


def _fits_config(pair: Pair, values: dict[str, Any]) -> bool:
    fits = _CONFIG.get(pair.key)
    return fits is None or fits(values[pair.key])
