"""Layers of settings and how a higher one lies over a lower one.

Mappings merge key by key, scalars and plain lists are replaced, lists of named entries add up with the same
name replaced. Every leaf keeps its origin. Pure data in, pure data out; no file is read here.

Inside a layer a list of named entries is a mapping from name to entry.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.places import LayerName, Origin, Path, Place
from donewhen.config.schema import Config
from donewhen.config.shape import Shaped

DEFAULT = Origin("default")


class Layer(NamedTuple):
    data: dict[str, Any]
    origins: dict[Path, Origin]


@cache
def defaults() -> Layer:
    """The settings that hold when nothing is configured."""
    data = _defaults_of(Config)
    return Layer(data, dict.fromkeys((path for path, _, _ in leaves(data)), DEFAULT))


def layer_of(shaped: Shaped, name: LayerName) -> Layer:
    """The settings of one file, variable or flag as a layer."""
    data = by_name(shaped.data, Config)
    origins: dict[Path, Origin] = {}
    positions = _positions(shaped.data, Config, ())
    for path, _, _ in leaves(data, complete=False):
        wanted = positions.get(path, path)
        while wanted and wanted not in shaped.places:
            wanted = wanted[:-1]
        origins[path] = Origin(name, shaped.places.get(wanted, Place("")))
    return Layer(data, origins)


def lay(lower: Layer, upper: Layer) -> Layer:
    """`upper` over `lower`."""
    data = _lay(lower.data, upper.data, Config)
    known = {**lower.origins, **upper.origins}
    return Layer(data, {path: known.get(path, DEFAULT) for path, _, _ in leaves(data)})


def leaves(data: dict[str, Any], *, complete: bool = True) -> Iterator[tuple[Path, Key, Any]]:
    """Path, key and value of every leaf in documented order; empty lists and mappings are leaves too."""
    return _leaves(data, Config, (), complete)


def to_lists(data: dict[str, Any], model: type[Section] = Config) -> dict[str, Any]:
    """A layer's data in the shape of the models."""
    return _reshaped(data, model, lambda entries: tuple(entries.values()))


def by_name(data: dict[str, Any], model: type[Section]) -> dict[str, Any]:
    """Model data in the shape of a layer."""
    return _reshaped(data, model, lambda entries: {item.get("name", ""): item for item in entries})


def _reshaped(data: dict[str, Any], model: type[Section], named: Callable[[Any], Any]) -> dict[str, Any]:
    """The data with every list of named entries, at any depth, as `named` makes it."""
    out = dict(data)
    for entry in keys_of(model):
        if entry.attr not in data or entry.model is None:
            continue
        value = data[entry.attr]
        if entry.shape == "section":
            out[entry.attr] = _reshaped(value, entry.model, named)
        elif entry.shape == "named":
            out[entry.attr] = named(value)
    return out


def _positions(data: dict[str, Any], model: type[Section], path: Path) -> dict[Path, Path]:
    """From the path of a named entry to its path by position."""
    out: dict[Path, Path] = {}
    for entry in keys_of(model):
        below = (*path, entry.attr)
        if entry.attr not in data or entry.model is None:
            continue
        if entry.shape == "section":
            out.update(_positions(data[entry.attr], entry.model, below))
        elif entry.shape == "named":
            out.update({(*below, e.get("name", "")): (*below, n) for n, e in enumerate(data[entry.attr])})
    return out


def _defaults_of(model: type[Section]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for entry in keys_of(model):
        if entry.facts.file_only:
            continue
        if entry.shape == "section" and entry.model is not None:
            out[entry.attr] = _defaults_of(entry.model)
        else:
            out[entry.attr] = {} if entry.shape != "leaf" else entry.default
    return out


def _lay(lower: dict[str, Any], upper: dict[str, Any], model: type[Section]) -> dict[str, Any]:
    out = dict(lower)
    for entry in keys_of(model):
        if entry.attr not in upper or entry.facts.file_only:
            continue
        old, new = lower.get(entry.attr), upper[entry.attr]
        out[entry.attr] = new if old is None else _lay_one(old, new, entry)
    return out


def _lay_one(old: Any, new: Any, entry: Key) -> Any:
    if entry.shape == "section" and entry.model is not None:
        return _lay(old, new, entry.model)
    if entry.shape == "map" and entry.model is not None:
        merged = {name: _lay(old.get(name, {}), value, entry.model) for name, value in new.items()}
        return {**old, **merged}
    if entry.shape in ("named", "leafmap"):
        return {**old, **new}
    if entry.facts.adds:
        return tuple(dict.fromkeys((*old, *new)))
    return new


def _leaves(
    data: dict[str, Any], model: type[Section], path: Path, complete: bool
) -> Iterator[tuple[Path, Key, Any]]:
    for entry in keys_of(model):
        if entry.attr not in data or entry.facts.file_only:
            continue
        below, value = (*path, entry.attr), data[entry.attr]
        if entry.shape == "section" and entry.model is not None:
            yield from _leaves(value, entry.model, below, complete)
        elif entry.shape == "leaf" or (not value and complete):
            yield below, entry, value
        elif entry.shape == "map" and entry.model is not None:
            for name, inner in value.items():
                if inner:
                    yield from _leaves(inner, entry.model, (*below, name), complete)
                else:
                    yield (*below, name), entry, inner
        else:
            yield from (((*below, name), entry, inner) for name, inner in value.items())
