"""The effective configuration for people and programs: every leaf with its origin, in documented spelling.

What is shown to people holds no password; what is written back for loading holds everything.
"""

from typing import Any, NamedTuple

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.hiding import hidden
from donewhen.config.layers import DEFAULT, by_name, leaves
from donewhen.config.load import Loaded
from donewhen.config.places import Origin, Path
from donewhen.config.schema import Config


class Shown(NamedTuple):
    path: str
    value: Any
    origin: Origin


def show(loaded: Loaded) -> tuple[Shown, ...]:
    """Every leaf in documented order; secrets are hidden, values are JSON-able."""
    data = by_name(loaded.config.model_dump(), Config)
    out = []
    for path, entry, value in leaves(data):
        written = hidden(_documented(value, entry), entry)
        out.append(Shown(documented_path(path), written, _origin(loaded, path)))
    return tuple(out)


def to_mapping(config: Config, *, hide: bool = False) -> dict[str, Any]:
    """The whole configuration with documented spellings; loading it gives an equal Config unless `hide`."""
    return _section(config.model_dump(), Config, hide)


def documented_path(path: Path) -> str:
    """The path in documented spelling, entries by their names."""
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


def _origin(loaded: Loaded, path: Path) -> Origin:
    return loaded.origins.get(path, DEFAULT)


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
            out[entry.name] = hidden(_plain(value), entry) if hide else _plain(value)
    return out


def _documented(value: Any, entry: Key) -> Any:
    if isinstance(value, dict) and value and entry.model is not None and entry.shape == "named":
        return _section(value, entry.model, hide=True)
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, dict) else value
