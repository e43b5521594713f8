"""The default store: one SQLite file, private to its user, written by one thread per process.

WAL with synchronous NORMAL: a killed process loses nothing. Events that must also survive a power cut are
committed with FULL. An append reads the head and writes in one IMMEDIATE transaction, so processes can
share the file; an append under an outdated lease is refused in that same transaction.
"""

import atexit
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from donewhen.config.files import private_file
from donewhen.core.chain import GENESIS, Head
from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.events import DURABLE, Body, Event, Record, decode
from donewhen.core.ids import stamp
from donewhen.core.protocols import Lease, Query
from donewhen.core.summary import Summary, summarise
from donewhen.secrets.redact import Redactor
from donewhen.store import rules
from donewhen.store.door import checked, prepare
from donewhen.store.faults import as_known, mapped
from donewhen.store.heads import HeadFiles
from donewhen.store.owner import is_alive
from donewhen.store.schema import migrate
from donewhen.store.transaction import SqliteTransaction, find_state, ledger, refold
from donewhen.store.writer import Writer

BUSY_SECONDS = 5.0


class SqliteStore:
    def __init__(
        self,
        path: Path,
        *,
        heads: HeadFiles | None = None,
        redactor: Redactor | None = None,
        clock: Callable[[], float] = time.time,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self.path = path
        self.heads = heads or HeadFiles(path.parent / "heads")
        self._redactor = redactor or Redactor()
        self._clock = clock
        self._busy = busy_seconds
        self._failed: dict[str, DonewhenError] = {}
        self._readers = threading.local()
        with mapped(path):
            self._uri = _uri(path)
            if not self._uri:
                private_file(path)
            db = self._connect()
            try:
                migrate(db, path, refold)
            finally:
                db.close()
        self._writer = Writer(self._open_transaction, lambda error: as_known(error, path))
        atexit.register(self.close)

    # -- writing ---------------------------------------------------------------------------------

    def append(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> tuple[Event, ...]:
        return self._append(run_id, bodies, lease, lambda error: None).result()

    def post(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> Future[tuple[Event, ...]]:
        def remember(error: DonewhenError) -> None:
            self._failed.setdefault(run_id, error)

        return self._append(run_id, bodies, lease, remember)

    def _append(
        self,
        run_id: str,
        bodies: tuple[Body, ...],
        lease: Lease | None,
        on_failure: Callable[[DonewhenError], None],
    ) -> Future[tuple[Event, ...]]:
        items = prepare(bodies, self._redactor)
        epoch = lease.epoch if lease else None

        def work(transaction: SqliteTransaction) -> tuple[Event, ...]:
            if run_id in self._failed:
                raise self._failed[run_id]
            now = self._clock()
            state, records, events = rules.admit(
                transaction.state(run_id), run_id, items, epoch, now, stamp(now)
            )
            transaction.write(state, records, events)
            return tuple(events)

        durable = any(item.type in DURABLE for item in items)
        return self._writer.submit(work, durable=durable, on_failure=on_failure)

    def lease(self, run_id: str, owner: str, ttl: float) -> Lease:
        def work(transaction: SqliteTransaction) -> Lease:
            state = self._known(transaction.state(run_id), run_id)
            alive = is_alive(state.holder.owner)
            state, lease = rules.grant(state, owner, self._clock(), ttl, alive=alive)
            transaction.keep(state)
            self._failed.pop(run_id, None)
            return lease

        result: Lease = self._writer.submit(work).result()
        return result

    def renew(self, lease: Lease, ttl: float) -> None:
        def work(transaction: SqliteTransaction) -> None:
            state = self._known(transaction.state(lease.run_id), lease.run_id)
            transaction.keep(rules.extend(state, lease, self._clock(), ttl))

        self._writer.submit(work, durable=False).result()

    def release(self, lease: Lease) -> None:
        self.renew(lease, 0)

    def restore(self, records: Iterable[Record]) -> Summary:
        taken = list(records)
        run_id = taken[0].run_id
        events = [decode(record) for record in taken]
        head = Head(taken[-1].seq, taken[-1].hash)

        def work(transaction: SqliteTransaction) -> Summary:
            if transaction.state(run_id):
                raise SetupError("store.run_exists", run=run_id)
            state = rules.RunState(summarise(run_id, events), head)
            transaction.write(state, taken, events)
            return state.summary

        result: Summary = self._writer.submit(work).result()
        return result

    def remove(self, run_id: str) -> None:
        def work(transaction: SqliteTransaction) -> None:
            state = self._known(transaction.state(run_id), run_id)
            if state.holder.until > self._clock() and is_alive(state.holder.owner):
                raise SetupError("store.leased", run=run_id, owner=state.holder.owner)
            self.heads.remove(run_id)  # first: a head without its run would look like tampering
            transaction.remove(run_id)

        self._writer.submit(work).result()

    def compact(self) -> None:
        """Give the space of removed runs back to the file system."""
        with mapped(self.path):
            # A script, because it steps to the end; a cursor would stop after the first page.
            self._reader.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")

    def close(self) -> None:
        atexit.unregister(self.close)
        self._writer.close()
        db = self._readers.__dict__.pop("db", None)
        if db:
            db.close()

    def __enter__(self) -> "SqliteStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading ---------------------------------------------------------------------------------

    def read(self, run_id: str, after: int = 0) -> Iterator[Event]:
        kept = [self.head(run_id), *self._outside_head(run_id)]
        start = Head(0, GENESIS)
        if after:
            row = self._one("SELECT seq, hash FROM events WHERE run_id = ? AND seq = ?", run_id, after)
            if row is None:
                return
            start = Head(*row)
        yield from checked(run_id, self._stream(run_id, after), start, kept)

    def records(self, run_id: str) -> list[Record]:
        self._require(run_id)
        return list(self._stream(run_id, 0))

    def head(self, run_id: str) -> Head:
        row = self._one("SELECT head_seq, head_hash FROM runs WHERE run_id = ?", run_id)
        if row is None:
            raise UserError("store.no_run", run=run_id)
        return Head(*row)

    def summary(self, run_id: str) -> Summary:
        with mapped(self.path):
            return self._known(find_state(self._reader, run_id), run_id).summary

    def runs(self, query: Query = Query()) -> list[Summary]:  # noqa: B008 - frozen
        where, values = _where(query)
        sql = (
            f"SELECT {', '.join(Summary._fields)} FROM runs {where} "  # noqa: S608 - names are ours
            "ORDER BY created DESC, run_id DESC LIMIT ?"
        )
        return [Summary(*row) for row in self._all(sql, *values, query.limit or -1)]

    def matching(self, prefix: str) -> list[str]:
        sql = "SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ? ORDER BY run_id LIMIT 5"
        return [row[0] for row in self._all(sql, prefix, prefix + "\U0010ffff")]

    def artifact_refs(self, run_id: str | None = None) -> set[tuple[str, str]]:
        if run_id:
            return set(self._all("SELECT run_id, digest FROM artifacts WHERE run_id = ?", run_id))
        return set(self._all("SELECT run_id, digest FROM artifacts"))

    def sizes(self) -> dict[str, int]:
        return dict(self._all("SELECT run_id, sum(length(payload)) FROM events GROUP BY run_id"))

    # -- the file --------------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        name, uri = (self._uri, True) if self._uri else (self.path, False)
        db = sqlite3.connect(name, timeout=self._busy, isolation_level=None, uri=uri)
        db.execute("PRAGMA synchronous = NORMAL")
        return db

    def _open_transaction(self) -> SqliteTransaction:
        return SqliteTransaction(self._connect(), self.heads)

    @property
    def _reader(self) -> sqlite3.Connection:
        """A connection of the calling thread; one opened before a fork is never used after it."""
        held = getattr(self._readers, "db", None)
        if held is None or self._readers.pid != os.getpid():
            held = self._readers.db = self._connect()
            self._readers.pid = os.getpid()
        return held

    def _outside_head(self, run_id: str) -> list[Head]:
        try:
            with mapped(self.path):
                head = self.heads.read(run_id)
        except ValueError as error:
            raise SetupError("store.bad_head", run=run_id, why=error) from error
        return [head] if head else []

    def _stream(self, run_id: str, after: int) -> Iterator[Record]:
        with mapped(self.path):
            yield from ledger(self._reader, run_id, after)

    def _all(self, sql: str, *values: Any) -> list[Any]:
        with mapped(self.path):
            return self._reader.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: Any) -> Any:
        with mapped(self.path):
            return self._reader.execute(sql, values).fetchone()

    def _require(self, run_id: str) -> None:
        if self._one("SELECT 1 FROM runs WHERE run_id = ?", run_id) is None:
            raise UserError("store.no_run", run=run_id)

    @staticmethod
    def _known(state: rules.RunState | None, run_id: str) -> rules.RunState:
        if state is None:
            raise UserError("store.no_run", run=run_id)
        return state


def _uri(path: Path) -> str:
    """How to open a file on a read-only disk; empty for one that can be written.

    SQLite wants to write beside the file even to read it, unless it is told that nobody can change it. That
    is so when it was closed cleanly: then it has no write-ahead log.
    """
    if not path.exists() or os.access(path.parent, os.W_OK):
        return ""
    closed = not path.with_name(path.name + "-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if closed else ''}"


def _where(query: Query) -> tuple[str, list[str]]:
    parts, values = [], list(query.states)
    if query.states:
        parts.append(f"state IN ({', '.join('?' * len(query.states))})")
    for clause, value in (
        ("repo = ?", query.repo),
        ("created >= ?", query.since),
        ("created < ?", query.until),
    ):
        if value:
            parts.append(clause)
            values.append(value)
    return ("WHERE " + " AND ".join(parts) if parts else ""), values
