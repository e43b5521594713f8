"""Has anything been written? One look per file and process, however many ask and wait.

SQLite's `data_version` of a connection changes when another connection, of any process, has committed. All
stores of a process share one connection for that look. Nothing runs in the background: whoever waits looks,
and one look in a quarter of a second serves all who wait.
"""

import os
import sqlite3
import threading
import time
from pathlib import Path

from donewhen.store.dbfile import DbFile

POLL_SECONDS = 0.25


class _Shared:
    """What the stores of one file share; used under its condition alone."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.changed = threading.Condition()
        self.users = 0
        self.changes = 0
        self._version = self._read()
        self._looked = time.monotonic()

    def look(self, *, now: bool) -> int:
        """How often a change was seen; without `now` somebody's look of a moment ago is good enough."""
        if now or self.due <= 0:
            version = self._read()
            self._looked = time.monotonic()
            if version != self._version:
                self._version = version
                self.changes += 1
                self.changed.notify_all()
        return self.changes

    @property
    def due(self) -> float:
        """Seconds until the next look."""
        return self._looked + POLL_SECONDS - time.monotonic()

    def _read(self) -> int:
        version: int = self.db.execute("PRAGMA data_version").fetchone()[0]
        return version


_shared: dict[Path, _Shared] = {}
_inherited: list[_Shared] = []  # of the process that forked us: never used, never closed
_guard = threading.Lock()


def _begin_anew() -> None:
    global _guard
    _guard = threading.Lock()
    _inherited.extend(_shared.values())
    _shared.clear()


os.register_at_fork(after_in_child=_begin_anew)


class Watch:
    """One store's part in the look; it costs nothing until it is first used."""

    def __init__(self, file: DbFile) -> None:
        self._file = file
        self._joined: _Shared | None = None

    def changes(self) -> int:
        shared = self._join()
        with shared.changed:
            self._file.check()
            return shared.look(now=True)

    def wait(self, since: int, timeout: float | None) -> int:
        """Until the number is not `since`; a store that is closed meanwhile is an error."""
        shared = self._join()
        end = None if timeout is None else time.monotonic() + timeout
        with shared.changed:
            first = True
            while True:
                self._file.check()
                found = shared.look(now=first)
                left = POLL_SECONDS if end is None else end - time.monotonic()
                if found != since or left <= 0:
                    return found
                shared.changed.wait(max(0.0, min(left, shared.due)))
                first = False

    def close(self) -> None:
        with _guard:
            shared, self._joined = self._joined, None
            if shared is None:
                return
            with shared.changed:
                shared.users -= 1
                if not shared.users:
                    _shared.pop(self._file.name, None)
                    shared.db.close()
                shared.changed.notify_all()

    def _join(self) -> _Shared:
        with _guard:
            self._file.check()
            if self._joined is None:
                shared = _shared.get(self._file.name)
                if shared is None:
                    shared = _shared[self._file.name] = _Shared(self._file.connect())
                shared.users += 1
                self._joined = shared
            return self._joined
