"""The effective configuration for people and programs: every leaf with its origin, in documented spelling.

What is shown to people holds no password, and of an entry only what was set; what is written back for
loading holds everything.
"""

from typing import Any, NamedTuple

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.hiding import hidden
from donewhen.config.layers import DEFAULT, by_name, leaves
from donewhen.config.load import Loaded
from donewhen.config.naming import as_data, documented_path
from donewhen.config.places import Origin, Path
from donewhen.config.schema import Config


class Shown(NamedTuple):
    path: str
    value: Any
    origin: Origin


def show(loaded: Loaded) -> tuple[Shown, ...]:
    """Every leaf in documented order; secrets are hidden, values are JSON-able."""
    data = _set_only(by_name(loaded.config.model_dump(), Config), Config, (), loaded)
    return tuple(
        Shown(documented_path(path), _shown(value, entry), loaded.origins.get(path, DEFAULT))
        for path, entry, value in leaves(data)
    )


def to_mapping(config: Config, *, hide: bool = False) -> dict[str, Any]:
    """The whole configuration with documented spellings; loading it gives an equal Config unless `hide`."""
    return _section(config.model_dump(), Config, hide)


def _set_only(data: dict[str, Any], model: type[Section], path: Path, loaded: Loaded) -> dict[str, Any]:
    """The data without the keys that nobody set in entries of a mapping of names."""
    out = dict(data)
    for entry in keys_of(model):
        below = (*path, entry.attr)
        if entry.attr not in data or entry.model is None:
            continue
        if entry.shape == "section":
            out[entry.attr] = _set_only(data[entry.attr], entry.model, below, loaded)
        elif entry.shape == "map":
            out[entry.attr] = {
                name: {attr: value for attr, value in item.items() if (*below, name, attr) in loaded.origins}
                for name, item in data[entry.attr].items()
            }
    return out


def _shown(value: Any, entry: Key) -> Any:
    if entry.shape == "named" and entry.model is not None:
        return _entry(value, entry.model) if value else []
    return hidden(as_data(value), entry)


def _entry(value: dict[str, Any], model: type[Section]) -> Any:
    """An entry of a list without its defaults; its name alone when that is all it holds."""
    known = {entry.attr: entry for entry in keys_of(model)}
    told = {attr: item for attr, item in value.items() if attr == "name" or item != known[attr].default}
    if model.short == ("name",) and set(told) == {"name"}:
        return told["name"]
    return {known[attr].name: hidden(as_data(item), known[attr]) for attr, item in told.items()}


def _section(data: dict[str, Any], model: type[Section], hide: bool) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for entry in keys_of(model):
        if entry.facts.file_only:
            continue
        value = data[entry.attr]
        if entry.shape == "section" and entry.model is not None:
            out[entry.name] = _section(value, entry.model, hide)
        elif entry.shape == "named" and entry.model is not None:
            out[entry.name] = [_section(item, entry.model, hide) for item in value]
        elif entry.shape == "map" and entry.model is not None:
            out[entry.name] = {name: _section(item, entry.model, hide) for name, item in value.items()}
        else:
            out[entry.name] = hidden(as_data(value), entry) if hide else as_data(value)
    return out
