"""One writer for a database file in a process, however many stores stand for it.

Twenty runs in one process would else have twenty threads that wait for one another's locks; together their
events share commits. A file that was put in the place of another has a writer of its own.
"""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple

from donewhen.core.errors import DonewhenError
from donewhen.store.dbfile import DbFile
from donewhen.store.heads import HeadFiles
from donewhen.store.transaction import SqliteTransaction
from donewhen.store.writer import Writer

AsError = Callable[[BaseException], DonewhenError]
Key = tuple[object, ...]


class _Shared(NamedTuple):
    writer: Writer
    files: list[DbFile]  # of the stores that use it; any of them can be connected to


_shared: dict[Key, _Shared] = {}
_guard = threading.Lock()


def _begin_anew() -> None:
    """In a forked process there is no thread behind any of them."""
    global _guard
    _guard = threading.Lock()
    _shared.clear()


os.register_at_fork(after_in_child=_begin_anew)


class Seat:
    """What one store has of a writer."""

    def __init__(self, file: DbFile, heads: HeadFiles, as_error: AsError) -> None:
        self._file = file
        self._key = _key(file, heads)
        with _guard:
            known = _shared.get(self._key)
            if known is None:
                files: list[DbFile] = []
                opener = lambda: SqliteTransaction(files[0].connect(), heads)  # noqa: E731 - `files` is the list
                known = _shared[self._key] = _Shared(Writer(opener, as_error), files)
            known.files.append(file)
        self._writer, self._files = known

    def submit(self, work: Callable[[Any], Any], **more: Any) -> Future[Any]:
        return self._writer.submit(work, **more)

    def hasten(self) -> None:
        self._writer.hasten()

    def close(self) -> None:
        """Everything handed over so far is written before this returns; the last one closes the writer."""
        with _guard:
            if self._file not in self._files:
                return
            last = len(self._files) == 1
            if not last:
                self._files.remove(self._file)
            elif _shared.get(self._key, (None,))[0] is self._writer:
                del _shared[self._key]
        if last:
            self._writer.close()
        else:
            self._writer.drain()


def _key(file: DbFile, heads: HeadFiles) -> Key:
    facts = file.name.stat()
    return (file.name, file.id, file.busy, facts.st_dev, facts.st_ino, heads.folder)
