"""YAML text as a tree in which every value knows where it stands and how it was written.

Configuration is hostile input, so the tree is built from parser events with limits on size, depth and
aliases, and nothing is converted silently: numbers in octal, base 60 or with underscores, dates, tags,
merge keys and duplicate keys are refused or marked. It refuses to construct any object but plain data.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from donewhen.config.files import LARGEST_FILE
from donewhen.config.places import ConfigError, Place, refuse
from donewhen.core.lazy import lazy

DEEPEST = 40
MOST_ITEMS = 20_000

_INTEGER = lazy(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
_EXPONENT = lazy(r"[-+]?[0-9]{1,18}[eE][-+]?[0-9]{1,18}\Z")
_DECIMAL = lazy(r"[-+]?([0-9]{1,18}\.[0-9]*|\.[0-9]+)([eE][-+][0-9]{1,3})?\Z")
_TAG = "tag:yaml.org,2002:"


class Odd(NamedTuple):
    """A scalar that YAML would turn into something else than what is written."""

    text: str
    sort: Literal["number", "date"]


class Item(NamedTuple):
    """One value. `value` is a scalar, a tuple of items or a tuple of pairs, as `kind` says."""

    kind: Literal["scalar", "list", "map"]
    value: Any
    text: str  # a scalar as written, without quotes
    place: Place
    start: int
    end: int  # just after the last character that belongs to it
    flow: bool
    size: int
    height: int = 0


class Pair(NamedTuple):
    """One entry of a mapping."""

    key: str
    key_item: Item
    item: Item


def decode(data: bytes, source: str) -> str:
    """The bytes of a file as text; anything but UTF-8 and anything too large is refused."""
    if len(data) > LARGEST_FILE:
        raise refuse("config.too_large", Place(source), limit=LARGEST_FILE // 1024)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refuse("config.not_utf8", Place(source, line)) from None


def read_yaml(text: str, source: str, *, lines: bool = True) -> Item | None:
    """The tree of the one document in `text`; None when there is nothing in it."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    shifted = text.startswith("\ufeff") and loader is not yaml.SafeLoader
    try:
        parser = loader(utf8(text, source))
        try:
            return _Builder(parser, source, lines, shifted).document()
        finally:
            parser.dispose()
    except yaml.YAMLError as error:
        raise _broken(error, source, lines) from None


def utf8(text: str, source: str) -> str:
    """The text itself, when UTF-8 can say it; a lone surrogate stands for bytes that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise refuse("config.not_utf8", Place(source, text.count("\n", 0, error.start) + 1)) from None
    return text


def plain(item: Item | None) -> Any:
    """The tree as plain Python data; odd scalars stay marked."""
    if item is None:
        return None
    if item.kind == "map":
        return {pair.key: plain(pair.item) for pair in item.value}
    if item.kind == "list":
        return [plain(inner) for inner in item.value]
    return item.value


def pairs_of(item: Item | None) -> tuple[Pair, ...]:
    """The entries of a mapping; none for anything else."""
    return item.value if item is not None and item.kind == "map" else ()


def name_in(item: Item) -> str | None:
    """The name of an entry of a list: its `name`, or the entry itself when it is a lone word."""
    if item.kind == "scalar":
        return item.value if isinstance(item.value, str) else None
    found = (pair.item.value for pair in pairs_of(item) if pair.key == "name")
    name = next(found, None)
    return name if isinstance(name, str) else None


def walk(item: Item | None) -> Iterator[Item]:
    """The item and all items below it, keys included."""
    if item is None:
        return
    yield item
    for pair in pairs_of(item):
        yield pair.key_item
        yield from walk(pair.item)
    if item.kind == "list":
        for inner in item.value:
            yield from walk(inner)


class _Open(NamedTuple):
    """A collection whose end has not been seen."""

    event: Any
    items: list[Item]


class _Builder:
    """Folds parser events into a tree, iteratively, within the limits."""

    def __init__(self, parser: Any, source: str, lines: bool, marked: bool) -> None:
        self._parser = parser
        self._source = source
        self._lines = lines
        self._shift = 1 if marked else 0  # libyaml does not count a byte order mark
        self._open: list[_Open] = []
        self._anchors: dict[str, Item] = {}
        self._total = 0
        self._root: Item | None = None

    def document(self) -> Item | None:
        import yaml

        documents = 0
        while self._parser.check_event():
            event = self._parser.get_event()
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise refuse("config.two_documents", self._place(event))
            elif isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
                self._node(event)
        return self._root

    def _node(self, event: Any) -> None:
        import yaml

        if getattr(event, "tag", None):
            raise refuse("config.tag", self._place(event), tag=str(event.tag))
        if isinstance(event, yaml.AliasEvent):
            known = self._anchors.get(event.anchor or "")
            if known is None:
                raise refuse("config.unknown_alias", self._place(event), alias=event.anchor)
            self._add(known, None)
        elif isinstance(event, yaml.ScalarEvent):
            self._add(self._scalar(event), event.anchor)
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(self._open) >= DEEPEST:
                raise refuse("config.too_deep", self._place(event), limit=DEEPEST)
            self._open.append(_Open(event, []))
        else:
            started = self._open.pop()
            self._add(self._collection(started, event), started.event.anchor)

    def _add(self, item: Item, anchor: str | None) -> None:
        self._total += 1
        if self._total > MOST_ITEMS:
            raise refuse("config.too_many", item.place, limit=MOST_ITEMS)
        if anchor:
            self._anchors[anchor] = item
        if self._open:
            self._open[-1].items.append(item)
        else:
            self._root = item

    def _scalar(self, event: Any) -> Item:
        import yaml

        text = event.value
        tag = self._parser.resolve(yaml.ScalarNode, text, event.implicit).removeprefix(_TAG)
        start, end = event.start_mark.index + self._shift, event.end_mark.index + self._shift
        value = _value(tag, text)
        if isinstance(value, str):
            utf8(value, self._source)
            if event.implicit[0] and _EXPONENT.match(text):  # a number to most people, a text to YAML
                value = Odd(text, "number")
        return Item("scalar", value, text, self._place(event), start, end, event.style in ("|", ">"), 1)

    def _collection(self, started: _Open, end: Any) -> Item:
        import yaml

        event, items = started
        flow = bool(event.flow_style)
        start = event.start_mark.index + self._shift
        last = end.end_mark.index + self._shift if flow else max((i.end for i in items), default=start)
        size = 1 + sum(item.size for item in items)
        height = 1 + max((item.height for item in items), default=0)
        place = self._place(event)
        # an alias counts as often as it is used, so nested aliases can't explode
        if size > MOST_ITEMS or height > DEEPEST:
            raise refuse("config.too_many", place, limit=MOST_ITEMS)
        if isinstance(event, yaml.SequenceStartEvent):
            return Item("list", tuple(items), "", place, start, last, flow, size, height)
        return Item("map", self._pairs(items), "", place, start, last, flow, size, height)

    def _pairs(self, items: list[Item]) -> tuple[Pair, ...]:
        seen: dict[str, Place] = {}
        pairs = []
        for key, item in zip(items[::2], items[1::2], strict=True):
            if key.kind != "scalar":
                raise refuse("config.key_not_text", key.place)
            if key.text == "<<":
                raise refuse("config.merge_key", key.place)
            if key.text in seen:
                raise refuse("config.duplicate_key", key.place, name=key.text, first=seen[key.text].line or 1)
            seen[key.text] = key.place
            pairs.append(Pair(key.text, key, item))
        return tuple(pairs)

    def _place(self, event: Any) -> Place:
        mark = event.start_mark
        return Place(self._source, mark.line + 1, mark.column + 1) if self._lines else Place(self._source)


def _value(tag: str, text: str) -> Any:
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() in ("yes", "true", "on")
    if tag == "int":
        return int(text) if _INTEGER.match(text) else Odd(text, "number")
    if tag == "float":
        return float(text) if _DECIMAL.match(text) else Odd(text, "number")
    return Odd(text, "date") if tag == "timestamp" else text


def _broken(error: Any, source: str, lines: bool) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    cause = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    if mark is None or not lines:
        return refuse("config.broken_yaml", Place(source), at=str(Place(source)), cause=str(cause))
    place = Place(source, mark.line + 1, mark.column + 1)
    return refuse("config.broken_yaml", place, at=f"{place}:{place.column}", cause=str(cause))
