"""A file is put in its place whole or not at all: written beside it, then renamed over it.

What had the name before is replaced and never written into, so a hard link to a file elsewhere is cut, not
followed.
"""

import os
import secrets
from contextlib import suppress

_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def put(folder: int, name: str, data: bytes, mode: int | None) -> None:
    """Make `data` the content of `name` in an open folder; without a mode, as new files have it."""
    fresh = f".donewhen-{secrets.token_hex(8)}.tmp"
    handle = os.open(fresh, _FRESH, 0o666, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if mode is not None:
                os.fchmod(file.fileno(), mode & 0o777)
        os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(fresh, dir_fd=folder)
        raise
