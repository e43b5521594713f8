"""Finding and reading the files of a layer: `.donewhen/` or `.gsd/`, a context.yml, one extended file.

Files are read once; what is parsed is what the digest is made of. A file outside the project that an
untrusted project names is never parsed.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import is_there, read_bytes
from donewhen.config.layers import Layer, lay, layer_of
from donewhen.config.legacy import apply, plan
from donewhen.config.places import ConfigError, LayerName, Place, Remark, refuse
from donewhen.config.schema import Config
from donewhen.config.shape import Shaped, shape
from donewhen.config.yamltext import Item, Pair, decode, pairs_of, read_yaml, utf8

OURS = ".donewhen/config.yml"
OTHER = ".gsd/config.yml"
OTHER_CONTEXT = ".gsd/context.yml"
ProjectText = str | Mapping[str, str]


class Source(NamedTuple):
    """One file: how it is named to people, and its content."""

    role: str
    source: str
    data: bytes


class Extended(NamedTuple):
    """The file that another one builds on."""

    wanted: str
    place: Place
    inside: bool
    file: Source | None


class ProjectFiles(NamedTuple):
    """Everything that the project layer is made of, read once."""

    folder: Path
    config: Source
    context: Source | None
    extended: Extended | None
    unread: str | None = None  # a second configuration that lies there too

    def sources(self) -> tuple[Source, ...]:
        below = self.extended.file if self.extended is not None else None
        return tuple(source for source in (self.config, self.context, below) if source is not None)

    def texts(self) -> dict[str, str]:
        """The content of the files by their path in the project; empty where one lies elsewhere."""
        if self.extended is not None:
            return {}
        home = f"{self.folder}/"
        known = {source.source.removeprefix(home): source.data for source in self.sources()}
        return {name: data.decode() for name, data in known.items() if not name.startswith("/")}

    def digest(self) -> str:
        """One digest over all files of the layer; any edit changes it."""
        parts = [[source.role, hashlib.sha256(source.data).hexdigest()] for source in self.sources()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class ReadLayer(NamedTuple):
    """A layer with the problems and notes of its files."""

    layer: Layer
    problems: tuple[Remark, ...]
    notes: tuple[Remark, ...]


def find_project(folder: Path) -> Path | None:
    """The configuration file of the nearest folder upward that has one."""
    start = folder.absolute()
    for candidate in (start, *start.parents):
        for name in (OURS, OTHER):
            if is_there(candidate / name):
                return candidate / name
    return None


def misnamed(folder: Path) -> Path | None:
    """A configuration that is not read because of its name's ending, in the nearest folder that has one."""
    start = folder.absolute()
    for candidate in (start, *start.parents):
        for name in (OURS, OTHER):
            other = (candidate / name).with_suffix(".yaml")
            if other.is_file() and not (candidate / name).exists():
                return other
    return None


def read_project(folder: Path, text: ProjectText | None = None) -> ProjectFiles | None:
    """The project's files from disk, or from `text` (a config, or files by their path in the project)."""
    if text is not None:
        return _from_text(folder, {OURS: text} if isinstance(text, str) else text)
    path = find_project(folder)
    if path is None:
        return None
    home = path.parent.parent
    data = read_bytes(path, str(path))
    if data is None:
        raise refuse("config.not_a_file", Place(str(path)))
    config = Source("config", str(path), data)
    context = None
    if path.parent.name == ".gsd":
        beside = home / OTHER_CONTEXT
        found = read_bytes(beside, str(beside))
        context = Source("context", str(beside), found) if found is not None else None
    second = home / OTHER
    unread = str(second) if path != second and is_there(second) else None
    return ProjectFiles(home, config, context, extended_by(config, path, home), unread)


def extended_by(
    config: Source, path: Path, home: Path, texts: Mapping[str, str] | None = None
) -> Extended | None:
    """The file that `extends` names, relative to the file that names it."""
    pair = _extends(parse(config))
    if pair is None or not isinstance(pair.item.value, str):
        return None
    if not pair.item.value or "\0" in pair.item.value:  # shaping says what is wrong with it
        return None
    wanted, place = pair.item.value, pair.key_item.place
    target = path.parent / wanted
    if texts is not None:
        name = os.path.relpath(os.path.normpath(target), home)
        if not Path(wanted).is_absolute() and name.split("/")[0] != "..":
            content = texts.get(name)
            file = _source_of("extends", home / name, content) if content is not None else None
            return Extended(wanted, place, True, file)
    inside = texts is None and not Path(wanted).is_absolute() and _is_inside(target, home)
    return Extended(wanted, place, inside, _read_extended(target, inside))


def extends_any(source: Source) -> bool:
    """Whether a file builds on another one."""
    return _extends(parse(source)) is not None


def _read_extended(target: Path, inside: bool) -> Source | None:
    shown = os.path.normpath(target)
    try:
        data = read_bytes(target, shown)
    except ConfigError:
        if inside:
            raise
        return None  # what can't be read can't have been trusted either
    return Source("extends", shown, data) if data is not None else None


def read_sources(
    sources: tuple[Source, ...], name: LayerName, *, extends_missing: Remark | None = None
) -> ReadLayer:
    """Files of one layer, lowest first, laid over each other."""
    layer = Layer({}, {})
    problems: list[Remark] = [extends_missing] if extends_missing is not None else []
    notes: list[Remark] = []
    for source in sources:
        shaped, found = shaped_file(source)
        problems += shaped.problems
        notes += found
        upper = layer_of(shaped, name) if not shaped.problems else Layer({}, {})
        layer = _over(layer, upper)
    return ReadLayer(layer, tuple(problems), tuple(notes))


def shaped_file(source: Source) -> tuple[Shaped, tuple[Remark, ...]]:
    """One file in canonical form, and notes about old settings in it."""
    root = parse(source)
    if root is not None and root.kind == "scalar" and root.value is None:
        root = None
    if root is not None and root.kind != "map":
        return Shaped({}, {}, (Remark("config.top_not_mapping", root.place),)), ()
    bare = source.role == "context" and not any(pair.key == "context" for pair in pairs_of(root))
    planned = plan(root, Config, ("context",) if source.role == "context" else ())
    tree = apply(root, planned.edits)
    if tree is not None and bare:
        tree = _under("context", tree)
    shaped = shape(tree)
    problems = [*planned.problems, *shaped.problems]
    if source.role == "context":
        problems += _strangers(tree)
    if source.role == "extends" and _extends(root) is not None:
        pair = _extends(root)
        problems.append(Remark("config.extends_again", pair.key_item.place if pair else Place(source.source)))
    problems.sort(key=lambda remark: (remark.place.line, remark.place.column))
    return shaped._replace(problems=tuple(problems)), planned.notes()


def parse(source: Source) -> Item | None:
    return read_yaml(decode(source.data, source.source), source.source)


def missing_extended(extended: Extended) -> Remark:
    return Remark("config.extends_missing", extended.place, {"file": extended.wanted})


def _from_text(folder: Path, texts: Mapping[str, str]) -> ProjectFiles | None:
    name = next((candidate for candidate in (OURS, OTHER) if texts.get(candidate) is not None), None)
    if name is None:
        return None
    config = _source_of("config", folder / name, texts[name])
    beside = texts.get(OTHER_CONTEXT) if name == OTHER else None
    context = _source_of("context", folder / OTHER_CONTEXT, beside) if beside is not None else None
    unread = str(folder / OTHER) if name == OURS and OTHER in texts else None
    return ProjectFiles(folder, config, context, extended_by(config, folder / name, folder, texts), unread)


def _source_of(role: str, path: Path, text: str) -> Source:
    return Source(role, str(path), utf8(text, str(path)).encode())


def _extends(root: Item | None) -> Pair | None:
    return next((pair for pair in pairs_of(root) if pair.key == "extends"), None)


def _strangers(tree: Item | None) -> list[Remark]:
    return [
        Remark("config.unknown_key", pair.key_item.place, {"path": pair.key, "hint": "context"})
        for pair in pairs_of(tree)
        if pair.key != "context"
    ]


def _under(name: str, tree: Item) -> Item:
    return tree._replace(
        kind="map", value=(Pair(name, tree._replace(kind="scalar", value=name, text=name), tree),)
    )


def _is_inside(target: Path, home: Path) -> bool:
    try:
        return target.resolve().is_relative_to(home.resolve())
    except (OSError, RuntimeError):  # a loop of links leads nowhere
        return False


def _over(lower: Layer, upper: Layer) -> Layer:
    merged = lay(lower, upper)
    known = {**lower.origins, **upper.origins}
    return Layer(merged.data, {path: origin for path, origin in known.items() if path in merged.origins})
