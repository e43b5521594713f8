"""Configuration formats as settings with lines: ini, TOML, YAML, XML and lists of variables.

Nothing is evaluated and no reference is followed. A text that its format refuses is said to be unread; sizes
and depths are bounded, because anybody may have written it.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache

from donewhen.config.places import ConfigError
from donewhen.config.yamltext import Item, Odd, pairs_of, read_yaml
from donewhen.verify.integrity.settings.model import Leaf, Unread, Value

DEEPEST = 40
MOST = 20_000
LARGEST = 512 * 1024
Leaves = tuple[Leaf, ...]

_SECTION = re.compile(r"\[(?P<name>[^\]\n]{1,200})\]\s*(?:[#;].*)?")
_OPTION = re.compile(r"(?P<key>[^\s=:#;\[][^=:\n]{0,200}?)\s*[=:]\s?(?P<value>.*)")
_TABLE = re.compile(r"\s*\[\[?\s*(?P<name>[^\]\n]{1,300}?)\s*\]\]?\s*(?:#.*)?")
_PAIR = re.compile(r"\s*(?P<key>[\w.\"' -]{1,200}?)\s*=")
_VARIABLE = re.compile(r"\s*(?:export\s+)?(?P<key>[A-Za-z_][\w.-]{0,120})\s*=\s*(?P<value>.*)")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[\w:.-]{1,80})(?P<rest>[^<>]{0,2000})>")


def text_of(data: bytes) -> str | None:
    """The file as text; None for what is none, or is too large to be written by people."""
    if len(data) > LARGEST or b"\0" in data:
        return None
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def read_ini(text: str) -> Leaves:
    """Sections with options; a line that is indented deeper goes on with the one before."""
    found: list[Leaf] = []
    section, key, lines, start = "", "", [""], 0
    for at, line in enumerate((*text.split("\n"), "[end]"), 1):
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        if key and line[0] in " \t":
            lines.append(bare)
            continue
        if key:
            found.append(Leaf((section, key), "\n".join(filter(None, lines)), start))
            key = ""
        head, option = _SECTION.fullmatch(bare), _OPTION.fullmatch(bare)
        if head and line[0] == "[":
            section = head["name"].strip()
        elif option:
            key, lines, start = option["key"].strip(), [option["value"].strip()], at
        else:
            found.append(Leaf((section, bare), "", at))
    return tuple(found[:MOST])


def read_variables(text: str) -> Leaves:
    """`NAME=value` lines, with or without `export`."""
    found = ((at, _VARIABLE.fullmatch(line)) for at, line in enumerate(text.split("\n"), 1))
    return tuple(
        Leaf((match["key"],), match["value"].strip().strip("\"'"), at) for at, match in found if match
    )[:MOST]


@lru_cache(maxsize=256)
def read_toml(text: str) -> Leaves | Unread:
    if any(line.count(".") > 200 for line in text.splitlines()):  # a key of many parts costs their square
        return Unread(0, "integrity.too_deep")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d{1,9})", str(error))
        return Unread(int(found[1]) if found else 0, "weakening.broken")
    except (RecursionError, ValueError):
        return Unread(0, "integrity.too_deep")
    lines = _toml_lines(text)
    return tuple(leaf._replace(line=_nearest(leaf.key, lines)) for leaf in flat(data))


def _toml_lines(text: str) -> Mapping[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for at, line in enumerate(text.split("\n"), 1):
        head, pair = _TABLE.fullmatch(line), _PAIR.match(line)
        if head and line.lstrip().startswith("["):
            table = _parts(head["name"])
            found.setdefault(table, at)
        elif pair:
            found.setdefault((*table, *_parts(pair["key"])), at)
    return found


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\"']+", name))


def _nearest(key: tuple[str, ...], lines: Mapping[tuple[str, ...], int]) -> int:
    plain = tuple(part for part in key if not part.isdigit())
    return next((lines[plain[:size]] for size in range(len(plain), 0, -1) if plain[:size] in lines), 1)


def read_yaml_text(text: str, source: str) -> Leaves | Unread:
    try:
        item = read_yaml(text, source)
    except ConfigError as error:
        place = error.problems[0].place
        return Unread(place.line, "weakening.broken")
    return tuple(_yaml(item))[:MOST] if item is not None else ()


def _yaml(root: Item) -> Iterator[Leaf]:
    waiting: list[tuple[tuple[str, ...], Item, int]] = [((), root, 1)]
    while waiting:
        key, item, line = waiting.pop()
        if item.kind == "map":
            inner = [((*key, pair.key), pair.item, pair.key_item.place.line) for pair in pairs_of(item)]
            waiting.extend(reversed(inner))
        elif item.kind == "list" and any(each.kind != "scalar" for each in item.value):
            each_line = [((*key, str(at)), each, each.place.line) for at, each in enumerate(item.value)]
            waiting.extend(reversed(each_line))
        elif item.kind == "list":
            yield Leaf(key, tuple(_scalar(each.value) for each in item.value), line)
        else:
            yield Leaf(key, _scalar(item.value), line)


def _scalar(value: object) -> str | int | float | bool | None:
    if isinstance(value, Odd):
        return value.text
    return value if isinstance(value, str | int | float | bool) else None


def flat(data: object) -> Iterator[Leaf]:
    """Plain data as settings; lines are not known here."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), data)]
    told = 0
    while waiting and told < MOST:
        key, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(((*key, str(name)), inner) for name, inner in reversed(value.items()))
        elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
            waiting.extend(((*key, str(at)), inner) for at, inner in reversed(list(enumerate(value))))
        else:
            told += 1
            plain: Value = tuple(map(_plain, value)) if isinstance(value, list) else _plain(value)
            yield Leaf(key, plain, 0)


def _plain(value: object) -> str | int | float | bool | None:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def read_xml(text: str) -> Leaves:
    """Elements that hold text only, by the names around them; attributes and entities say nothing here."""
    found: list[Leaf] = []
    stack: list[str] = []
    begun, at, line = 0, 0, 1
    text = _without(_without(text, "<!--", "-->"), "<![CDATA[", "]]>")
    for tag in _TAG.finditer(text):
        line += text.count("\n", at, tag.start())
        at = tag.start()
        if tag["close"]:
            inner = text[begun : tag.start()].strip()
            if begun and inner and "<" not in inner and len(found) < MOST:
                found.append(Leaf(tuple(stack), inner, line))
            if stack:
                stack.pop()
            begun = 0
        elif not tag["rest"].rstrip().endswith("/") and len(stack) < DEEPEST * 2:
            stack.append(tag["name"])
            begun = tag.end()
    return tuple(_gathered(found))


def _without(text: str, opening: str, closing: str) -> str:
    """The text without what stands between the two, its lines kept."""
    parts: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        end = len(text) if end < 0 else end + len(closing)
        parts += (text[at:start], "\n" * text.count("\n", start, end))
        at = end
    return "".join((*parts, text[at:]))


def _gathered(found: list[Leaf]) -> Iterator[Leaf]:
    """Elements that are repeated are one list."""
    grouped: dict[tuple[str, ...], list[Leaf]] = {}
    for leaf in found:
        grouped.setdefault(leaf.key, []).append(leaf)
    for key, leaves in grouped.items():
        values = tuple(str(leaf.value) for leaf in leaves)
        yield Leaf(key, values if len(values) > 1 else values[0], leaves[-1].line)
