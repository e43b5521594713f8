"""Stdout of a program apart from its stderr: a pipe with a name, read as it fills, kept up to a bound.

A file would do as well, but a program that never stops printing would fill the disk with it.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_READ = 64 * 1024
_MOST_READS = 64  # a pipe holds less


class Stdout:
    """What a program prints to a pipe of ours: read as it comes, kept up to a bound, apart from stderr."""

    def __init__(self, path: Path, handle: int, most: int) -> None:
        self.path = path
        self._handle = handle
        self._most = most
        self._kept = bytearray()

    def take(self) -> None:
        with suppress(BlockingIOError):
            self._keep(os.read(self._handle, _READ))

    def whole(self) -> bytes:
        """All that there is now that the program has ended."""
        with suppress(BlockingIOError):
            for _ in range(_MOST_READS):
                self._keep(os.read(self._handle, _READ))
        return bytes(self._kept)

    def _keep(self, data: bytes) -> None:
        self._kept += data[: max(0, self._most - len(self._kept))]


@contextmanager
def stdout_in(desk: Path, most: int) -> Iterator[Stdout]:
    path = desk / "stdout"
    os.mkfifo(path, 0o600)
    # open for both: with a writer of its own it never seems to have ended, and opening never waits
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    loop = asyncio.get_running_loop()
    try:
        stdout = Stdout(path, handle, most)
        loop.add_reader(handle, stdout.take)
        yield stdout
    finally:
        loop.remove_reader(handle)
        os.close(handle)
