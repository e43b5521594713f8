"""Environment variables and flags as layers.

`DONEWHEN_BUDGET__TOTAL=5` and `budget.total=5` become the same tree as a file would give, so spelling,
types and old commands are treated alike. A variable with our prefix that names nothing is an error, not
silence.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.config.fields import Key, Section, keys_of, spellings_of
from donewhen.config.kinds import hint
from donewhen.config.layers import Layer, layer_of, leaves
from donewhen.config.legacy import apply, plan
from donewhen.config.places import LayerName, Path, Place, Remark, refuse
from donewhen.config.schema import Config
from donewhen.config.shape import shape
from donewhen.config.yamltext import Item, Pair, read_yaml

PREFIX = "DONEWHEN_"
RESERVED = frozenset({"DONEWHEN_STATE_DIR", "DONEWHEN_CONFIG_DIR", "DONEWHEN_DEBUG", "DONEWHEN_RUN"})


class Given(NamedTuple):
    """One variable or flag as a layer of its own, with what is to be said about it."""

    layer: Layer
    problems: tuple[Remark, ...]
    notes: tuple[Remark, ...]


def from_environment(env: Mapping[str, str]) -> Iterator[Given]:
    """One layer per variable; a leaf that two variables set is a problem of the second."""
    seen: dict[Path, str] = {}
    for name in sorted(env):
        if not name.startswith(PREFIX) or name in RESERVED or name.startswith("DONEWHEN_TEST_"):
            continue
        place = Place(name)
        path, unknown = _variable_path(name)
        if unknown is not None:
            yield Given(Layer({}, {}), (unknown,), ())
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
        place = Place(f"--set {dotted}")
        if not equals or not dotted.strip():
            raise refuse("config.bad_flag", Place("--set"), flag=dotted)
        yield _given(tuple(dotted.strip().split(".")), text, place, "flag")


def _given(path: tuple[str, ...], text: str, place: Place, layer: LayerName) -> Given:
    item = read_yaml(text, place.source, lines=False)
    if item is None:
        item = Item("scalar", None, "", place, 0, 0, False, 1)
    for name in reversed(path):
        key_item = Item("scalar", name, name, place, 0, 0, False, 1)
        item = Item("map", (Pair(name, key_item, item),), "", place, 0, 0, False, 1)
    planned = plan(item, Config)
    shaped = shape(apply(item, planned.edits))
    problems = (*planned.problems, *shaped.problems)
    if "extends" in shaped.data:
        problems = (*problems, Remark("config.file_only", place, {"path": "extends"}))
    settings = Layer({}, {}) if problems else layer_of(shaped, layer)
    return Given(settings, problems, planned.notes())


def _variable_path(name: str) -> tuple[tuple[str, ...], Remark | None]:
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
            known = _variable_names(path, model if shape_now == "section" else None)
            return (), Remark("config.unknown_variable", Place(name), {"hint": hint(name, known)})
        path.append(entry.name)
        model, shape_now = entry.model, entry.shape
        if shape_now == "leafmap":
            model, shape_now = None, "map"
    return tuple(path), None


def _matching(model: type[Section], part: str) -> Key | None:
    plain = part.replace("_", "").lower()
    known = spellings_of(model).items()
    return next((entry for spelling, entry in known if spelling.replace("_", "").lower() == plain), None)


def _variable_names(path: list[str], model: type[Section] | None) -> list[str]:
    start = PREFIX + "".join(f"{_upper(part)}__" for part in path)
    if model is None:
        return [start.removesuffix("__")]
    return [start + entry.attr.upper() for entry in keys_of(model)]


def _upper(name: str) -> str:
    return "".join(f"_{c}" if c.isupper() else c for c in name).upper()
