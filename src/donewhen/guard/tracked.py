"""Does git track a path? Read from the bytes of an index, without git and without reading all of it.

Paths stand in the index as they are, each behind two bytes that hold its length. Version 4, which shortens
them, is not read: the answer is None, never a guess. A split index is for the caller to rule out.
"""

import struct

_HEAD = struct.Struct(">4sII")
_LENGTH = 0x0FFF
_FIXED = 62  # bytes before the path in an entry whose ids have 20; more only for longer ids


def in_index(index: bytes, path: bytes) -> bool | None:
    """Is the path, or something below it, in this index?"""
    if len(index) < _HEAD.size:
        return None
    magic, version, count = _HEAD.unpack_from(index)
    if magic != b"DIRC" or version not in (2, 3):
        return None
    return bool(count) and (_found(index, path, b"\0") or _found(index, path, b"/"))


def _found(index: bytes, path: bytes, behind: bytes) -> bool:
    at = index.find(path + behind, _HEAD.size + _FIXED)
    while at >= 0:
        end = index.find(b"\0", at)
        length = int.from_bytes(index[at - 2 : at], "big") & _LENGTH
        if length == min(end - at, _LENGTH):
            return True
        at = index.find(path + behind, at + 1)
    return False
