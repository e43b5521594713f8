"""Files, read and written with care.

Reading: bounded, regular files only, never waiting; a pipe, a device or an endless file in a repository must
neither hang nor fill the harness. Writing: readable by the owner alone, whole or not at all. Locks are
waited for only so long.
"""

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from donewhen.config.places import ConfigError, Place, refuse
from donewhen.core.errors import DonewhenError, SetupError

LARGEST_FILE = 1024 * 1024

_ABSENT = (errno.ENOENT, errno.ENOTDIR)


class Read(NamedTuple):
    """The content of a regular file, and the facts of the very file that was read."""

    data: bytes
    facts: os.stat_result


def read_bytes(path: Path, source: str) -> bytes | None:
    """The content of a regular file; None when there is none."""
    found = read_regular(path, source)
    return found.data if found is not None else None


def read_regular(path: Path, source: str, *, largest: int = LARGEST_FILE, follow: bool = True) -> Read | None:
    """A regular file of at most `largest` bytes; None when there is none."""
    handle = _open(path, source, follow)
    if handle is None:
        return None
    try:
        with os.fdopen(handle, "rb") as stream:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise refuse("config.not_a_file", Place(source))
            data = stream.read(largest + 1)
    except OSError as error:
        raise _unreadable(source, error) from None
    if len(data) > largest:
        raise refuse("config.too_large", Place(source), limit=largest // 1024)
    return Read(data, facts)


def is_file(path: Path) -> bool:
    """Whether a file is there, for who may look: a folder of PATH may be closed to this user."""
    try:
        return path.is_file()
    except OSError:
        return False


def read_own(path: Path, largest: int) -> bytes | None:
    """A file that nobody but this user can have written; None for whatever else is there."""
    try:
        found = read_regular(path, path.name, largest=largest, follow=False)
    except (DonewhenError, ValueError):
        return None
    if found is None or found.facts.st_uid != os.geteuid() or found.facts.st_mode & 0o022:
        return None
    return found.data


def is_there(path: Path) -> bool:
    """Whether something has this name; what can't be looked at is refused, not taken for absent."""
    try:
        path.lstat()
    except OSError as error:
        if error.errno in _ABSENT:
            return False
        raise _unreadable(str(path), error) from None
    return True


def _open(path: Path, source: str, follow: bool) -> int | None:
    if "\0" in str(path):
        raise refuse("config.not_a_file", Place(source))
    # O_NONBLOCK: opening a pipe without a writer would wait for ever
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if error.errno in _ABSENT:
            return None
        if error.errno in (errno.ENXIO, errno.ENODEV) or (error.errno == errno.ELOOP and not follow):
            raise refuse("config.not_a_file", Place(source)) from None
        raise _unreadable(source, error) from None
    if stat.S_ISDIR(os.fstat(handle).st_mode):  # a stream of a folder can't even be made
        os.close(handle)
        raise refuse("config.not_a_file", Place(source))
    return handle


def _unreadable(source: str, error: OSError) -> ConfigError:
    return refuse("config.unreadable", Place(source), cause=os.strerror(error.errno or 0))


def private_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace `path` by `data` so that a crash leaves the old content or the new, on disk."""
    from tempfile import mkstemp

    private_folder(path.parent)
    handle, name = mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """A new name is durable only when its folder is."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(path: Path, wait: float = 5.0) -> Iterator[None]:
    """Hold the lock file `path`; after `wait` seconds it is said who must act instead of waiting for ever."""
    private_folder(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        end = time.monotonic() + wait
        while not _got(handle):
            if time.monotonic() >= end:
                raise SetupError("config.locked", place=str(Place(str(path))))
            time.sleep(0.02)
        yield
        fcntl.flock(handle, fcntl.LOCK_UN)  # closing is not enough: a forked child may hold the file open
    finally:
        os.close(handle)


def _got(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
