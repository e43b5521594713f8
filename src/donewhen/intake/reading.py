"""Texts that people hand in, read with care: regular files, UTF-8, bounded, never waiting for a pipe.

What can't be read is one sentence that names the file and the next step. Nothing is guessed: a text in
another encoding is refused, not repaired.
"""

import os
from pathlib import Path
from typing import IO

from donewhen.commands.goals.model import LARGEST_GOAL
from donewhen.config.files import LARGEST_FILE, read_regular
from donewhen.config.places import ConfigError, harmless
from donewhen.config.yamltext import Item, Odd, Pair, pairs_of, read_yaml
from donewhen.core.errors import UserError

# The configuration's sentences speak of settings; these are said in our own words.
_OURS = {
    "config.not_a_file": "intake.not_a_file",
    "config.too_large": "intake.too_large",
    "config.not_utf8": "intake.not_utf8",
}


def read_text(path: Path, *, largest: int = LARGEST_FILE, shown: str = "") -> str:
    """The text of a regular file; UserError when there is none, or it is no text, or too much of it."""
    name = shown or str(path)
    try:
        found = read_regular(path, name, largest=largest)
    except ConfigError as error:
        key = _OURS.get(error.key)
        if key is None:
            raise
        raise UserError(key, place=harmless(name), limit=largest // 1024) from None
    if found is None:
        raise UserError("intake.no_file", place=harmless(name))
    return decoded(found.data, name)


def read_stream(stream: IO[bytes], name: str, largest: int = LARGEST_GOAL) -> str:
    try:
        data = stream.read(largest + 1)
    except OSError as error:
        raise UserError("config.unreadable", place=name, cause=os.strerror(error.errno or 0)) from None
    if len(data) > largest:
        raise UserError("intake.too_large", place=name, limit=largest // 1024)
    return decoded(data, name)


def decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError("intake.not_utf8", place=f"{harmless(name)}:{line}") from None


def is_text(text: str) -> bool:
    """Whether UTF-8 can say it; arguments may carry bytes that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_tree(text: str, name: str) -> Item | None:
    """YAML or JSON as a tree with places; None when there is nothing in it."""
    return read_yaml(_pairs_joined(text) if text.lstrip()[:1] in ("{", "[") else text, name)


def data_of(item: Item | None) -> object:
    """The tree as plain data; what YAML would have made something else of is a number, never a text."""
    if item is None:
        return None
    if item.kind == "map":
        return {pair.key: data_of(pair.item) for pair in item.value}
    if item.kind == "list":
        return [data_of(inner) for inner in item.value]
    return 0 if isinstance(item.value, Odd) else item.value


def entry(item: Item | None, key: str) -> Pair | None:
    return next((pair for pair in pairs_of(item) if pair.key == key), None)


def _pairs_joined(text: str) -> str:
    """JSON writes characters beyond the first plane as two escapes, which YAML does not know."""
    import re

    def one(found: "re.Match[str]") -> str:
        high, low = int(found[2], 16), int(found[3], 16)
        return found[1] + chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))

    pair = r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    return re.sub(pair, one, text)
