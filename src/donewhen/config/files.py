"""Files, read and written with care.

Reading: bounded, regular files only, never waiting; a pipe, a device or an endless file in a repository must
neither hang nor fill the harness. Writing: readable by the owner alone, whole or not at all.
"""

import errno
import os
import stat
import tempfile
from pathlib import Path

from donewhen.config.places import Place, refuse
from donewhen.config.yamltext import LARGEST_FILE


def read_bytes(path: Path, source: str) -> bytes | None:
    """The content of a regular file; None when there is none."""
    try:
        # O_NONBLOCK: opening a pipe without a writer would wait for ever
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return None
        if error.errno in (errno.ENXIO, errno.ENODEV):
            raise refuse("config.not_a_file", Place(source)) from None
        raise refuse("config.unreadable", Place(source), cause=os.strerror(error.errno or 0)) from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise refuse("config.not_a_file", Place(source))
        with os.fdopen(os.dup(handle), "rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    finally:
        os.close(handle)
    if len(data) > LARGEST_FILE:
        raise refuse("config.too_large", Place(source), limit=LARGEST_FILE // 1024)
    return data


def private_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def private_file(path: Path) -> None:
    """Make sure that `path` exists and is the owner's alone, before anything is written to it."""
    private_folder(path.parent)
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        if os.fstat(handle).st_mode & 0o077:
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace `path` by `data` so that a crash leaves the old content or the new, on disk."""
    private_folder(path.parent)
    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
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
