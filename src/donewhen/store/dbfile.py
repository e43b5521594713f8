"""The database file: how it is made and opened, so that no lock and no event is ever lost.

SQLite's locks belong to the process, and the system drops all of them when any descriptor of the file is
closed. So an existing database is never opened but by SQLite, and a process that was forked while a store
was open refuses that file: its locks would be an illusion.
"""

import os
import sqlite3
import stat
import threading
from pathlib import Path
from weakref import WeakSet

from donewhen.config.files import private_folder
from donewhen.core.errors import SetupError
from donewhen.store.faults import mapped
from donewhen.store.schema import migrate
from donewhen.store.transaction import refold

_open: dict[Path, int] = {}
_inherited: set[Path] = set()
_guard = threading.Lock()


def _remember_open_files() -> None:
    _inherited.update(_open)
    _open.clear()


os.register_at_fork(after_in_child=_remember_open_files)


class _Reader:
    """A connection that goes when its thread does."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def __del__(self) -> None:
        self.db.close()


class DbFile:
    def __init__(self, path: Path, busy_seconds: float) -> None:
        self.path = path
        self.busy = busy_seconds
        self._process = os.getpid()
        self._threads = threading.local()
        self._readers: WeakSet[_Reader] = WeakSet()
        self._closed = False
        with mapped(path):
            self.name = Path(os.path.realpath(path))
            if self.name in _inherited:
                raise SetupError("store.forked", path=path)
            self._uri = _read_only_uri(path)
            self.fresh = not self._uri and _make(path)
            self.id = self._prepare()
        with _guard:
            _open[self.name] = _open.get(self.name, 0) + 1

    def connect(self) -> sqlite3.Connection:
        self.check()
        name, uri = (self._uri, True) if self._uri else (self.path, False)
        db = sqlite3.connect(name, timeout=self.busy, isolation_level=None, uri=uri, check_same_thread=False)
        db.execute("PRAGMA synchronous = NORMAL")
        return db

    @property
    def reader(self) -> sqlite3.Connection:
        """A connection of the calling thread."""
        self.check()
        held: _Reader | None = getattr(self._threads, "reader", None)
        if held is None:
            held = self._threads.reader = _Reader(self.connect())
            with _guard:
                self._readers.add(held)
        return held.db

    @property
    def foreign(self) -> bool:
        """Whether this process was forked from the one that opened the file."""
        return self._process != os.getpid()

    def check(self) -> None:
        if self.foreign:
            raise SetupError("store.forked", path=self.path)
        if self._closed:
            raise SetupError("store.closed")

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for reader in list(self._readers):
            reader.db.close()
        with _guard:
            _open[self.name] -= 1
            if not _open[self.name]:
                del _open[self.name]

    def _prepare(self) -> str:
        """Bring the file to today's schema, close it to others, and return the store's own id.

        The connection stays, as this thread's reader: the last one that closes moves the whole log into the
        file, and waits for the disk.
        """
        db = self.connect()
        held = _Reader(db)  # closes with it if anything fails
        migrate(db, self.path, refold)
        if not self._uri:
            db.execute("PRAGMA journal_mode = WAL")  # in case somebody changed it
        mode = self.path.stat().st_mode
        if mode & 0o077 and not self._uri:
            self.path.chmod(stat.S_IMODE(mode) & 0o700)
        row = db.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
        self._threads.reader = held
        self._readers.add(held)
        if row is None or not str(row[0]).isalnum():
            raise SetupError("store.corrupt", path=self.path, why="it has lost its id")
        return str(row[0])


def _make(path: Path) -> bool:
    """Make an empty, private file where there is none; whether it was made."""
    private_folder(path.parent)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        if not stat.S_ISREG(path.stat().st_mode):
            raise SetupError("store.cannot_open", path=path, why="it is not a file") from None
        return False
    return True


def _read_only_uri(path: Path) -> str:
    """How to open a file on a read-only disk; empty for one that can be written.

    SQLite wants to write beside the file even to read it, unless it is told that nobody can change it. That
    is so when it was closed cleanly: then it has no write-ahead log.
    """
    if not path.exists() or os.access(path.parent, os.W_OK):
        return ""
    closed = not path.with_name(path.name + "-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if closed else ''}"
