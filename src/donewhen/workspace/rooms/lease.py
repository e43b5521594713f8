"""One process at a time owns a workspace or a room.

A lock of the system on a file beside the folder: it ends with its process, however that ends. What the file
says (process, since when) is for people alone; nothing is decided by it.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.disk import disk_told

_PAUSE = 0.02
_LONGEST_NOTE = 200


@contextlib.contextmanager
def lease(folder: Path, wait: float = 0.0) -> Iterator[None]:
    """Own `folder`; SetupError says who holds it when it isn't free within `wait` seconds."""
    path = lease_file(folder)
    handle = _wait_for(path, folder, wait)
    try:
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()} {since}\n".encode(), 0)
        yield
    finally:
        if not os.path.lexists(folder):
            path.unlink(missing_ok=True)
        fcntl.flock(handle, fcntl.LOCK_UN)  # closing is not enough: a forked child may hold the file open
        os.close(handle)


def lease_file(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lease")


def _wait_for(path: Path, folder: Path, wait: float) -> int:
    end = time.monotonic() + wait
    while True:
        with disk_told(path):
            handle = _take(path)
        if handle is not None:
            return handle
        if time.monotonic() >= end:
            raise _held(path, folder)
        time.sleep(_PAUSE)


def _take(path: Path) -> int | None:
    """The locked file, open; None when somebody else has it or has just thrown it away."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(handle), path.lstat()):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _held(path: Path, folder: Path) -> SetupError:
    try:
        with path.open("rb") as file:
            noted = file.read(_LONGEST_NOTE).decode(errors="replace").split()
    except OSError:
        noted = []
    pid = noted[0] if noted and noted[0].isdigit() else "?"
    return SetupError("rooms.held", folder=folder, pid=pid, since=" ".join(noted[1:4]) or "?")
