"""git's index as bytes: which entries it trusts too early, and which are repositories.

git compares whole seconds, so a file that is written again in the second in which it was read, at the same
size and with its old time set back, looks unchanged to it. Entries of that second are made to look unread.
Nothing is read from or written to disk here.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

_HEADER = 12
STAT = 40  # bytes of an entry before its object id: two times of 8 bytes, six numbers of 4
_TIMES = 16
_MODE = 26  # the byte of an entry that holds its type
_GITLINK = 0xE0
_FOLDER = 0o040000
_LONG_NAME = 0xFFF
_EXTENDED = 0x4000
_FLAGGED = 0xF0  # in the first byte of the flags: unchanged by order, more flags, of a merge
_ID_BYTES = {"sha1": 20, "sha256": 32}
_UNREAD = bytes(_TIMES)


class BadIndex(Exception):
    """The bytes are no index that can be relied on."""


class Seen(NamedTuple):
    recent: tuple[int, ...]  # where the entries begin that were changed at `since` or later
    links: tuple[bytes, ...]  # paths of repositories inside
    end: int  # where the last entry ends


class Entry(NamedTuple):
    path: bytes
    mode: int
    id: str


def look(data: bytes, format: str, since: int) -> Seen:
    """Walk through the entries of an index; `since` is in seconds, by the inode's change time."""
    size = _ID_BYTES[format]
    if data[:4] != b"DIRC" or data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        raise BadIndex
    limit = max(0, min(since, 0xFFFFFFFF)).to_bytes(4, "big")
    flags, name = STAT + size, STAT + size + 2
    at = _HEADER
    recent, links = [], []
    try:
        for _ in range(int.from_bytes(data[8:12], "big")):
            if data[at : at + 4] >= limit:
                recent.append(at)
            word = data[at + flags] << 8 | data[at + flags + 1]
            start = at + name + (2 if word & _EXTENDED else 0)
            length = word & _LONG_NAME
            if length == _LONG_NAME:
                length = data.index(0, start + length) - start
            if data[at + _MODE] == _GITLINK:
                links.append(data[start : start + length])
            at = at + ((start + length - at + 8) & ~7)
    except (IndexError, ValueError):
        raise BadIndex from None
    if at > len(data) - size:
        raise BadIndex
    return Seen(tuple(recent), tuple(links), at)


def whole(data: bytes, format: str) -> list[Entry]:
    """Every entry of an index that holds files and nothing else; BadIndex when there may be more to it.

    Refused are entries with a flag or of a merge, folders that stand for their files, and an index whose
    other half lies elsewhere.
    """
    if not is_sound(data, format):
        raise BadIndex
    size = _ID_BYTES[format]
    at, end = _HEADER, look(data, format, 0xFFFFFFFF).end
    found = []
    while at < end:
        entry = entry_at(data, format, at)
        word = data[at + STAT + size] << 8 | data[at + STAT + size + 1]
        if word != min(len(entry.path), _LONG_NAME) or entry.mode == _FOLDER:
            raise BadIndex
        found.append(entry)
        at += (STAT + size + 2 + len(entry.path) + 8) & ~7
    if not _known_extensions(data[end:-size]):
        raise BadIndex
    return found


def _known_extensions(rest: bytes) -> bool:
    """Whether all that follows the entries only repeats what they say: a capital letter makes it optional."""
    while rest:
        length = int.from_bytes(rest[4:8], "big")
        if not rest[:1].isupper() or len(rest) < 8 + length:
            return False
        rest = rest[8 + length :]
    return True


def entry_at(data: bytes, format: str, at: int) -> Entry:
    """The entry that begins there, in an index that was looked through."""
    size = _ID_BYTES[format]
    flags = at + STAT + size
    start = flags + (4 if data[flags] << 8 & _EXTENDED else 2)
    mode = int.from_bytes(data[at + _MODE - 2 : at + _MODE + 2], "big")
    return Entry(data[start : data.index(0, start)], mode, data[at + STAT : flags].hex())


def blank(entries: Sequence[Entry], format: str) -> bytes:
    """An index with these entries, in this order, as if no file had ever been looked at."""
    parts = [b"DIRC", (2).to_bytes(4, "big"), len(entries).to_bytes(4, "big")]
    for entry in entries:
        stat = bytes(_MODE - 2) + entry.mode.to_bytes(4, "big") + bytes(STAT - _MODE - 2)
        named = min(len(entry.path), _LONG_NAME).to_bytes(2, "big") + entry.path
        length = STAT + _ID_BYTES[format] + len(named)
        parts += [stat, bytes.fromhex(entry.id), named, bytes(8 - length % 8)]
    data = b"".join(parts)
    return data + _digest(data, format)


def unread_in(data: bytes, format: str, entries: tuple[int, ...]) -> list[int]:
    """Those of the entries that look as if their files had never been looked at, and have no flag."""
    flags = STAT + _ID_BYTES[format]
    return [at for at in entries if data[at : at + _TIMES] == _UNREAD and not data[at + flags] & _FLAGGED]


def sealed(data: bytes, format: str) -> bytes:
    """The same bytes with the digest at their end that belongs to them."""
    content = data[: -_ID_BYTES[format]]
    return content + _digest(content, format)


def bare(data: bytes, format: str, end: int) -> bytes:
    """The same index without what git remembers beside the entries, such as the ids of its folders."""
    return data[:end] + _digest(data[:end], format)


def unread(data: bytes, format: str, entries: tuple[int, ...]) -> bytes:
    """The same index with these entries as if their files had never been looked at."""
    changed = bytearray(data[: -_ID_BYTES[format]])
    for at in entries:
        changed[at : at + _TIMES] = _UNREAD
    return bytes(changed) + _digest(bytes(changed), format)


def is_sound(data: bytes, format: str) -> bool:
    """Whether the index is as it was written; git itself doesn't look."""
    size = _ID_BYTES[format]
    return len(data) > _HEADER + size and data[-size:] == _digest(data[:-size], format)


def _digest(data: bytes, format: str) -> bytes:
    return hashlib.new(format, data, usedforsecurity=False).digest()
