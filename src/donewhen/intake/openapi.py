"""An OpenAPI document (3.x, or swagger 2): each documented operation is a criterion.

A description of answers is no exam, so these criteria only add up with commands that other sources give.
References are followed inside the document alone; nothing is fetched.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from donewhen.config.places import Place, harmless
from donewhen.config.yamltext import Item, pairs_of
from donewhen.core.errors import UserError
from donewhen.core.promise import Criterion
from donewhen.intake.parts import Parts, short, slug
from donewhen.intake.reading import entry, read_tree
from donewhen.intake.slugs import Unique

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_VERSION = {"openapi": re.compile(r"3\.\d{1,3}(\.|$)"), "swagger": re.compile(r"2\.0$")}
_STATUS = re.compile(r"[1-5](?:\d\d|XX)$|default$")
_MOST_JUMPS = 50


class Operation(NamedTuple):
    method: str
    path: str
    item: Item
    place: Place


def is_openapi(tree: Item | None) -> bool:
    return any(pair.key in _VERSION for pair in pairs_of(tree))


def openapi_spec(text: str, name: str) -> Parts:
    tree = read_tree(text, name)
    if tree is None or not is_openapi(tree):
        raise UserError("intake.not_openapi", place=f"{harmless(name)}:1")
    return openapi_parts(tree, name)


def openapi_parts(tree: Item, name: str) -> Parts:
    version = _version(tree)
    unique = Unique()
    criteria = tuple(_criterion(each, unique) for each in _operations(tree))
    if not criteria:
        paths = entry(tree, "paths")
        place = paths.key_item.place if paths else tree.place
        raise UserError("intake.no_operation", place=str(place))
    title = _text(entry_of(entry_of(tree, "info"), "title"))
    info = entry(tree, "info")
    return Parts(
        f"{name} (OpenAPI {version})",
        short(title) if title else "",
        criteria,
        places={"objective": str(info.item.place if info else tree.place)},
    )


def _version(tree: Item) -> str:
    pair = next(pair for pair in pairs_of(tree) if pair.key in _VERSION)
    text = pair.item.text.strip()
    if pair.item.kind != "scalar" or not _VERSION[pair.key].match(text):
        raise UserError("intake.openapi_version", place=str(pair.item.place), version=harmless(text, 40))
    return text


def _operations(tree: Item) -> Iterator[Operation]:
    paths = entry(tree, "paths")
    if paths is None:
        return
    if paths.item.kind != "map":
        raise UserError("intake.openapi_not_map", place=str(paths.item.place), what="paths")
    for pair in paths.item.value:
        if pair.key.startswith("x-"):
            continue
        if not pair.key.startswith("/"):
            raise UserError(
                "intake.openapi_path", place=str(pair.key_item.place), path=harmless(pair.key, 80)
            )
        yield from _of_path(tree, pair.key, pair.item, pair.key_item.place)


def _of_path(tree: Item, path: str, item: Item, place: Place) -> Iterator[Operation]:
    """The operations of a path, its own first, then those of what it refers to."""
    seen: set[str] = set()
    for target in _chain(tree, item, place):
        for pair in pairs_of(target):
            if pair.key in METHODS and pair.key not in seen:
                if pair.item.kind != "map":
                    raise UserError("intake.openapi_not_map", place=str(pair.item.place), what=pair.key)
                seen.add(pair.key)
                yield Operation(pair.key, path, pair.item, pair.key_item.place)


def _chain(tree: Item, item: Item, place: Place) -> Iterator[Item]:
    """A path item and what it refers to, each once; a circle ends where it began."""
    known: set[int] = set()
    while id(item) not in known and len(known) < _MOST_JUMPS:
        if item.kind != "map":
            raise UserError("intake.openapi_not_map", place=str(place), what="path item")
        known.add(id(item))
        yield item
        ref = entry(item, "$ref")
        if ref is None:
            return
        item, place = _resolved(tree, ref.item), ref.item.place


def _resolved(tree: Item, ref: Item) -> Item:
    text = ref.text if ref.kind == "scalar" else ""
    place = str(ref.place)
    if not text.startswith("#"):
        raise UserError("intake.remote_ref", place=place, ref=harmless(text, 120))
    found: Item | None = tree
    for step in text.lstrip("#").split("/")[1:41]:
        found = _step(found, unquote(step).replace("~1", "/").replace("~0", "~"))
    if found is None:
        raise UserError("intake.broken_ref", place=place, ref=harmless(text, 120))
    return found


def _step(item: Item | None, name: str) -> Item | None:
    if item is not None and item.kind == "list":
        at = int(name) if name.isascii() and name.isdigit() and len(name) < 6 else len(item.value)
        inner: Item | None = item.value[at] if at < len(item.value) else None
        return inner
    return entry_of(item, name)


def _criterion(operation: Operation, unique: Unique) -> Criterion:
    method, path = operation.method.upper(), operation.path
    given = short(_text(entry_of(operation.item, "operationId")), 80)
    answers = [
        pair.key for pair in pairs_of(entry_of(operation.item, "responses")) if _STATUS.match(pair.key)
    ]
    text = _text(entry_of(operation.item, "summary")) or _text(entry_of(operation.item, "description"))
    said = f"{method} {short(path, 300)}" + (f" answers {', '.join(answers)}" if answers else "")
    name = unique(given or slug(f"{method} {path}") or method.lower())
    return Criterion(name, f"{said}: {short(text, 200)}" if text else said, source=str(operation.place))


def entry_of(item: Item | None, key: str) -> Item | None:
    pair = entry(item, key)
    return pair.item if pair else None


def _text(item: Item | None) -> str:
    return item.value.strip() if item is not None and isinstance(item.value, str) else ""
