"""Commands in a block of data (JSON, YAML, TOML): texts of a list, bare or under a key that means acceptance.

Lines only, no parser: what stands under any other key is content of some file and is not looked at.
"""

import re
from collections.abc import Iterator

from donewhen.commands.goals.blocks import Block
from donewhen.commands.goals.model import Mention
from donewhen.commands.goals.recognise import is_known
from donewhen.commands.goals.splitting import split_chain
from donewhen.core.lazy import lazy

_KEY = lazy(r"[\s{\[-]*[\"']?([A-Za-z][\w .-]{0,40}?)[\"']?\s*[:=](?:\s|[\[{]|$)")
_MEANT = lazy(
    r"(?:accept\w*|done[_ -]?when|gates?|must[_ -]?pass|verify|verification|exit[_ -]?criteria)(?:[_ -]\w+)?",
    re.IGNORECASE,
)
_TEXT = lazy(r"\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|^\s*-\s+([^\"'\s][^\n]{0,300})")
_MAX_LINE = 2000


def data_mentions(text: str, block: Block) -> list[Mention]:
    found: list[Mention] = []
    for start, line, key in _lines(text, block):
        if key is not None and not _MEANT.fullmatch(key):
            continue
        for item in _TEXT.finditer(line):
            parts, _ = split_chain(next(group for group in item.groups() if group is not None))
            if parts and all(is_known(part.label) for part in parts):
                found.append(
                    Mention(start + item.start(), start + item.end(), parts, known=True, quoted=True)
                )
    return found


def names_acceptance(text: str, block: Block) -> bool:
    """One of its keys says that what follows is the exam."""
    return any(key is not None and _MEANT.fullmatch(key) for _, _, key in _lines(text, block))


def _lines(text: str, block: Block) -> Iterator[tuple[int, str, str | None]]:
    """Each line with its offset and the last key at or above it."""
    at, key = block.start, None
    for line in text[block.start : block.end].split("\n"):
        named = _KEY.match(line[:_MAX_LINE])
        key = named[1] if named else key
        if len(line) <= _MAX_LINE:
            yield at, line, key
        at += len(line) + 1
