"""Environment variables and flags as layers.

`DONEWHEN_BUDGET__TOTAL=5` and `budget.total=5` become the same tree as a file would give, so spelling,
types and old commands are treated alike. A variable with our prefix that names nothing is an error, not
silence. What was given is never repeated to people: it may hold a password.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.config.fields import Key, Section, keys_of, spellings_of
from donewhen.config.kinds import nearest
from donewhen.config.layers import Layer, layer_of, leaves
from donewhen.config.legacy import apply, plan
from donewhen.config.places import ConfigError, LayerName, Path, Place, Remark, refuse
from donewhen.config.schema import Config
from donewhen.config.shape import shape
from donewhen.config.yamltext import Item, Pair, read_yaml
from donewhen.core.lazy import lazy

PREFIX = "DONEWHEN_"
RESERVED = frozenset(
    (
        "DONEWHEN_STATE_DIR",
        "DONEWHEN_CACHE_DIR",
        "DONEWHEN_CONFIG_DIR",
        "DONEWHEN_DEBUG",
        "DONEWHEN_RUN",
        "DONEWHEN_POINT",
        "DONEWHEN_CLIENT_PROCESS",
        "DONEWHEN_LAUNCHED",
    )
)

_DOTTED = lazy(r"[\w/+-]+(?:\.[\w/+-]+)*", re.ASCII)
_EMPTY = Layer({}, {})


class Given(NamedTuple):
    """One variable or flag as a layer of its own, with what is to be said about it."""

    layer: Layer
    problems: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()


def from_environment(env: Mapping[str, str]) -> Iterator[Given]:
    """One layer per variable; a leaf that two variables set is a problem of the second."""
    seen: dict[Path, str] = {}
    for name in sorted(env):
        if not name.startswith(PREFIX) or name in RESERVED or name.startswith("DONEWHEN_TEST_"):
            continue
        place = Place(name)
        path = _variable_path(name)
        if path is None:
            yield Given(_EMPTY, (_unknown(name),))
            continue
        given = _given(path, env[name], place, "environment")
        clashes = [seen[leaf] for leaf, _, _ in leaves(given.layer.data, complete=False) if leaf in seen]
        if clashes:
            problem = Remark("config.two_variables", place, {"other": clashes[0]})
            given = given._replace(problems=(*given.problems, problem))
        seen.update(dict.fromkeys((leaf for leaf, _, _ in leaves(given.layer.data, complete=False)), name))
        yield given


def from_flags(flags: Sequence[str]) -> Iterator[Given]:
    """One layer per flag, in the given order."""
    for flag in flags:
        dotted, equals, text = flag.partition("=")
        dotted = dotted.strip()
        if not equals or not _DOTTED.fullmatch(dotted):
            raise refuse("config.bad_flag", Place("--set"))
        yield _given(tuple(dotted.split(".")), text, Place(f"--set {dotted}"), "flag")


def _given(path: tuple[str, ...], text: str, place: Place, layer: LayerName) -> Given:
    try:
        item = _value(text, place)
    except ConfigError as error:
        return Given(_EMPTY, error.problems)
    for name in reversed(path):
        key_item = Item("scalar", name, name, place, 0, 0, False, 1)
        item = Item("map", (Pair(name, key_item, item),), "", place, 0, 0, False, 1)
    planned = plan(item, Config)
    shaped = shape(apply(item, planned.edits))
    problems = (*planned.problems, *shaped.problems)
    if "extends" in shaped.data:
        problems = (*problems, Remark("config.file_only", place, {"path": "extends"}))
    settings = _EMPTY if problems else layer_of(shaped, layer)
    return Given(settings, problems, planned.old_keys())


def _value(text: str, place: Place) -> Item:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise refuse("config.value_not_utf8", place) from None
    item = read_yaml(text, place.source, lines=False)
    if item is None or (item.kind == "scalar" and item.value is None):
        raise refuse("config.nothing_given", place)
    return item


def _variable_path(name: str) -> tuple[str, ...] | None:
    model: type[Section] | None = Config
    shape_now = "section"
    path: list[str] = []
    for part in name.removeprefix(PREFIX).split("__"):
        if shape_now == "map":
            path.append(part.lower())
            shape_now = "section"
            continue
        entry = _matching(model, part) if model is not None else None
        if entry is None or shape_now != "section":
            return None
        path.append(entry.name)
        model, shape_now = entry.model, entry.shape
        if shape_now == "leafmap":
            model, shape_now = None, "map"
    return tuple(path)


def _matching(model: type[Section], part: str) -> Key | None:
    plain = part.replace("_", "").lower()
    known = spellings_of(model).items()
    return next((entry for spelling, entry in known if spelling.replace("_", "").lower() == plain), None)


def _unknown(name: str) -> Remark:
    near = nearest(name.removeprefix(PREFIX), _variables(Config), cutoff=0.75)
    if near is None:
        return Remark("config.unknown_variable_here", Place(name))
    return Remark("config.unknown_variable", Place(name), {"hint": PREFIX + near})


def _variables(model: type[Section], start: str = "") -> Iterator[str]:
    """The names of all variables, without the prefix."""
    for entry in keys_of(model):
        name = start + entry.attr.upper()
        yield name
        if entry.shape == "section" and entry.model is not None:
            yield from _variables(entry.model, f"{name}__")
