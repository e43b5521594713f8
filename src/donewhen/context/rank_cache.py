"""The tables of an encoding as they lie in memory, kept in the user's cache folder.

Making them takes a third of a second of processor time, reading them a few milliseconds. The file is only a
shortcut: whatever is odd about it, the tables are made again. Nobody but its owner may have been able to
write it, and a checksum tells whether it is whole.
"""

import contextlib
import struct
import sys
from pathlib import Path
from zlib import crc32

from donewhen.config.files import read_own, write_whole
from donewhen.context.ranks import Ranks, read_ranks

_HEAD = struct.Struct("=16sQQIIII")  # form, size and time of the source, checksum, lengths in bytes
_FORM = f"ranks 1 {sys.byteorder}".encode().ljust(16)
_LARGEST = 32 * 1024 * 1024


def kept_ranks(source: Path, bits: int, folder: Path | None) -> Ranks:
    """The ranks in a file, by way of the folder where there is one; OSError or ValueError as `read_ranks`."""
    if folder is None:
        return read_ranks(source, bits)
    facts = source.stat()
    place = folder / f"{source.name.partition('.')[0]}.ranks"
    key = (facts.st_size, facts.st_mtime_ns)
    found = _read(place, key, bits)
    if found is None:
        found = read_ranks(source, bits)
        with contextlib.suppress(OSError):
            write_whole(place, _written(found, key))
    return found


def _written(ranks: Ranks, key: tuple[int, int]) -> bytes:
    parts = [memoryview(part) for part in (ranks.table, ranks.starts, ranks.block)]
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    return b"".join((_HEAD.pack(_FORM, *key, checksum, *(part.nbytes for part in parts)), *parts))


def _read(place: Path, key: tuple[int, int], bits: int) -> Ranks | None:
    data = read_own(place, _LARGEST)
    if data is None or len(data) < _HEAD.size:
        return None
    form, size, time, checksum, *lengths = _HEAD.unpack_from(data)
    body = memoryview(data)[_HEAD.size :]
    if (form, (size, time), lengths[0]) != (_FORM, key, 4 << bits) or len(body) != sum(lengths):
        return None
    if lengths[1] % 4 or crc32(body) != checksum:
        return None
    middle = lengths[0] + lengths[1]
    return Ranks(body[: lengths[0]].cast("I"), body[lengths[0] : middle].cast("I"), bytes(body[middle:]))
