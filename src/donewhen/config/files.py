"""Reading the files of a layer: bounded, regular files only, never waiting.

A pipe, a device or an endless file in a repository must neither hang nor fill the harness.
"""

import errno
import os
import stat
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
