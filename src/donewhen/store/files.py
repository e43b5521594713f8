"""Private files: only the owner may read them, and they are whole or not there."""

import os
import tempfile
from pathlib import Path


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
