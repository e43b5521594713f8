"""Entries of an index that look unread are compared with their files here, so that git need not write them.

git takes an entry that it can't trust for a new file and stores its content again. Where a file is, byte for
byte, what its entry says, the entry gets the times of that file, and git has nothing to do. That is said only
where content and file are the same thing: no filter, no line ends, no attribute of anybody. Whatever is in
doubt stays unread, and git decides as ever.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from donewhen.workspace.fingerprint.indexfile import STAT, Entry, entry_at, look, sealed, unread_in
from donewhen.workspace.fingerprint.own import Own

MOST = 5000  # entries; with more, git is quicker
_LARGEST = 16 * 1024 * 1024  # bytes of one file
_TOGETHER = 64 * 1024 * 1024
_ATTRIBUTES = b".gitattributes"
_FILES, _LINK = (0o100644, 0o100755), 0o120000
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def reread(own: Own, root: Path, data: bytes, lent: frozenset[str]) -> bytes | None:
    """The same index with the entries read that are as their files; None when nothing can be said.

    `lent`: objects that the user keeps for us. Of all others there has to be one of our own, else git is to
    store the file again: a crash may have taken it.
    """
    places = unread_in(data, own.format, look(data, own.format, 0).recent)
    if not 0 < len(places) <= MOST or _ATTRIBUTES in data or converts(own):
        return None
    found = [(at, entry_at(data, own.format, at)) for at in places]
    if not _no_attributes(os.fsencode(root), [entry for _, entry in found]):
        return None
    changed, said, left = bytearray(data), 0, _TOGETHER
    real: dict[bytes, bool] = {b"": True}
    for at, entry in found:
        if entry.id not in lent and not _is_stored(own, entry.id):
            continue
        facts = _facts(os.fsencode(root), entry, own.format, real, left)
        if facts is not None:
            left -= facts.st_size
            changed[at : at + STAT] = _packed(facts, entry.mode)
            said += 1
    return sealed(bytes(changed), own.format) if said else None


def converts(own: Own) -> bool:
    """Whether content may be another thing than the file: by line ends or attributes of the user's."""
    try:
        settings = (own.directory / "config").read_bytes()
        named = (own.home / "attributes").read_bytes()
    except OSError:
        return True
    more = os.path.lexists(own.directory / "info/attributes")
    return more or bool(named) or b"autocrlf" in settings or b"eol" in settings


def _is_stored(own: Own, id: str) -> bool:
    try:
        return (own.made / id[:2] / id[2:]).stat().st_size > 0
    except OSError:
        return False


def _no_attributes(root: bytes, entries: Sequence[Entry]) -> bool:
    """Whether no folder on the way to one of these says anything about its files."""
    folders = {folder for entry in entries for folder in _above(entry.path)}
    return not any(os.path.lexists(root + b"/" + folder + _ATTRIBUTES) for folder in folders)


def _above(path: bytes) -> Iterator[bytes]:
    """The folders that a path lies in, each with a slash at its end; the root is empty."""
    yield b""
    at = path.find(b"/")
    while at >= 0:
        yield path[: at + 1]
        at = path.find(b"/", at + 1)


def _facts(
    root: bytes, entry: Entry, format: str, real: dict[bytes, bool], left: int
) -> os.stat_result | None:
    """What the disk says of a file that is as its entry says; None for any other."""
    folder = entry.path.rpartition(b"/")[0]
    if not _is_real(root, folder, real):
        return None
    name = root + b"/" + entry.path
    try:
        if entry.mode == _LINK:
            before = os.lstat(name)
            content = os.readlink(name)  # noqa: PTH115 - bytes
            after = os.lstat(name)
        elif entry.mode in _FILES:
            handle = os.open(name, _FLAGS)
            try:
                before = os.fstat(handle)
                if not stat.S_ISREG(before.st_mode) or before.st_size > min(_LARGEST, left):
                    return None
                content = _read(handle, before.st_size)
                after = os.fstat(handle)
            finally:
                os.close(handle)
        else:
            return None
    except OSError:
        return None
    digest = hashlib.new(format, b"blob %d\0" % len(content) + content, usedforsecurity=False)
    return after if digest.hexdigest() == entry.id and _same(before, after, len(content)) else None


def _read(handle: int, size: int) -> bytes:
    parts = []
    while size >= 0:  # one byte more than there should be, to see the end
        part = os.read(handle, size + 1)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _same(before: os.stat_result, after: os.stat_result, size: int) -> bool:
    moments = (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)
    return moments and os.path.samestat(before, after) and before.st_size == after.st_size == size


def _is_real(root: bytes, folder: bytes, real: dict[bytes, bool]) -> bool:
    """Whether a folder is reached through folders alone: to git nothing lies behind a link."""
    if folder not in real:
        try:
            here = stat.S_ISDIR(os.lstat(root + b"/" + folder).st_mode)
        except OSError:
            here = False
        real[folder] = here and _is_real(root, folder.rpartition(b"/")[0], real)
    return real[folder]


def _packed(facts: os.stat_result, mode: int) -> bytes:
    """As git keeps it: ten numbers of four bytes."""
    times = [part for time in (facts.st_ctime_ns, facts.st_mtime_ns) for part in divmod(time, 10**9)]
    numbers = (*times, facts.st_dev, facts.st_ino, mode, facts.st_uid, facts.st_gid, facts.st_size)
    return b"".join((number & 0xFFFFFFFF).to_bytes(4, "big") for number in numbers)
