"""The default store: one SQLite file, private to its user, written by one thread per process.

WAL with synchronous NORMAL: a killed process loses nothing. Events that must also survive a power cut are
committed with FULL. An append reads the head and writes in one IMMEDIATE transaction, so processes can
share the file; an append under an outdated lease is refused in that same transaction.
"""

import atexit
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from donewhen.core.chain import GENESIS, Head
from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.events import DURABLE, Body, Event, Record, decode
from donewhen.core.ids import is_run_id, stamp
from donewhen.core.protocols import Control, Lease, Query, Request, Snapshot
from donewhen.core.summary import Summary, summarise
from donewhen.secrets.redact import Redactor
from donewhen.store import rules, sqlite_reads
from donewhen.store.controls import prepare_control, read_requests
from donewhen.store.dbfile import DbFile
from donewhen.store.door import checked, prepare
from donewhen.store.faults import as_known, mapped
from donewhen.store.heads import HeadFiles
from donewhen.store.identity import Identity
from donewhen.store.owner import is_alive
from donewhen.store.schema import differences
from donewhen.store.transaction import SqliteTransaction, find_state, ledger
from donewhen.store.watching import Watch
from donewhen.store.writers import Seat

BUSY_SECONDS = 5.0


class SqliteStore:
    def __init__(
        self,
        path: Path,
        *,
        heads: Path | None = None,
        redactor: Redactor | None = None,
        clock: Callable[[], float] = time.time,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        """Open or make the store at `path`; `heads` is the folder for the second copies of heads."""
        self.path = path
        self._redactor = redactor or Redactor()
        self._clock = clock
        self._failed: dict[str, DonewhenError] = {}
        self._file = DbFile(path, busy_seconds)
        root = heads or path.parent / "heads"
        self.heads = HeadFiles(root / self._file.id)
        self._identity = Identity(root, self._file)
        self._watch = Watch(self._file)
        with mapped(path):
            self._writer = Seat(self._file, self.heads, lambda error: as_known(error, path))
        atexit.register(self.close)

    # -- writing ---------------------------------------------------------------------------------

    def append(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> tuple[Event, ...]:
        return self._append(run_id, bodies, lease, lambda error: None, patient=False).result()

    def post(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> Future[tuple[Event, ...]]:
        def remember(error: DonewhenError) -> None:
            self._failed.setdefault(run_id, error)

        return self._append(run_id, bodies, lease, remember, patient=True)

    def hasten(self) -> None:
        self._writer.hasten()

    def _append(
        self,
        run_id: str,
        bodies: tuple[Body, ...],
        lease: Lease | None,
        on_failure: Callable[[DonewhenError], None],
        *,
        patient: bool,
    ) -> Future[tuple[Event, ...]]:
        items = prepare(bodies, self._redactor)

        def work(transaction: SqliteTransaction) -> tuple[Event, ...]:
            if run_id in self._failed:
                raise self._failed[run_id].again()
            now = self._clock()
            state, records, events = rules.admit(
                transaction.state(run_id), run_id, items, lease, now, stamp(now)
            )
            transaction.write(state, records, events)
            return tuple(events)

        durable = any(item.type in DURABLE for item in items)
        return self._submit(work, durable=durable, on_failure=on_failure, patient=patient and not durable)

    def lease(self, run_id: str, owner: str, ttl: float) -> Lease:
        def work(transaction: SqliteTransaction) -> Lease:
            state = _known(transaction.state(run_id), run_id)
            alive = is_alive(state.holder.owner)
            state, lease = rules.grant(state, owner, self._clock(), ttl, alive=alive)
            transaction.keep(state)
            return lease

        lease: Lease = self._submit(work).result()
        self._failed.pop(run_id, None)
        return lease

    def renew(self, lease: Lease, ttl: float) -> None:
        def work(transaction: SqliteTransaction) -> None:
            state = _known(transaction.state(lease.run_id), lease.run_id)
            transaction.keep(rules.extend(state, lease, self._clock(), ttl))

        self._submit(work, durable=False).result()

    def release(self, lease: Lease) -> None:
        def work(transaction: SqliteTransaction) -> None:
            transaction.keep(rules.end(_known(transaction.state(lease.run_id), lease.run_id), lease))

        self._submit(work, durable=False).result()

    def request(self, run_id: str, control: Control) -> Request:
        clean = prepare_control(run_id, control, self._redactor)

        def work(transaction: SqliteTransaction) -> Request:
            state = _known(transaction.state(run_id), run_id)
            made = rules.requested(state, clean, transaction.requests(run_id), stamp(self._clock()))
            transaction.add_request(made)
            return made

        made: Request = self._submit(work).result()
        return made

    def take(self, run_id: str, number: int, lease: Lease | None = None) -> bool:
        def work(transaction: SqliteTransaction) -> bool:
            now = self._clock()
            rules.check_lease(_known(transaction.state(run_id), run_id), run_id, lease, now)
            return transaction.take_request(run_id, number, stamp(now))

        taken: bool = self._submit(work, durable=False).result()
        return taken

    def restore(self, records: Iterable[Record]) -> Summary:
        taken = list(records)
        run_id = taken[0].run_id
        events = [decode(record) for record in taken]
        head = Head(taken[-1].seq, taken[-1].hash)

        def work(transaction: SqliteTransaction) -> Summary:
            if transaction.state(run_id):
                raise SetupError("store.run_exists", run=run_id)
            state = rules.fresh(summarise(run_id, events), head, self._clock())
            transaction.write(state, taken, events)
            return state.summary

        result: Summary = self._submit(work).result()
        return result

    def remove(self, run_id: str, head: Head | None = None) -> None:
        def work(transaction: SqliteTransaction) -> None:
            state = _known(transaction.state(run_id), run_id)
            rules.check_removable(state, head, self._clock(), alive=is_alive(state.holder.owner))
            transaction.remove(run_id)

        self._submit(work).result()

    def alone(self, action: Callable[[], None]) -> None:
        self._submit(lambda _: action(), durable=False).result()

    def compact(self) -> None:
        """Give the space of removed runs back to the file system, and remove what killed processes left."""
        with mapped(self.path):
            self.heads.sweep()
            # A script, because it steps to the end; a cursor would stop after the first page.
            self._file.reader.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")

    def close(self) -> None:
        atexit.unregister(self.close)
        if not self._file.foreign:
            self._writer.close()
            self._file.close()
            self._watch.close()

    def __enter__(self) -> "SqliteStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _submit(self, work: Callable[[Any], Any], **more: Any) -> Future[Any]:
        self._file.check()
        return self._writer.submit(work, **more)

    # -- reading ---------------------------------------------------------------------------------

    def read(self, run_id: str, after: int = 0) -> Iterator[Event]:
        outside = self.outside_head(run_id)
        kept = [self.head(run_id), *([outside] if outside else [])]
        start = Head(0, GENESIS)
        if after:
            row = self._one("SELECT seq, hash FROM events WHERE run_id = ? AND seq = ?", run_id, after)
            if row is None and any(head.seq >= after for head in kept):
                raise SetupError("store.cut_off", run=run_id, seq=after)
            if row is None:
                return
            start = Head(*row)
        with mapped(self.path):
            yield from checked(run_id, ledger(self._file.reader, run_id, after), start, kept)

    def snapshot(self, run_id: str) -> Snapshot:
        with mapped(self.path):
            return sqlite_reads.snapshot(self._file.connect(), run_id)

    def head(self, run_id: str) -> Head:
        row = self._one("SELECT head_seq, head_hash FROM runs WHERE run_id = ?", run_id)
        if row is None:
            raise UserError("store.no_run", run=run_id)
        return Head(*row)

    def outside_head(self, run_id: str) -> Head | None:
        try:
            with mapped(self.path):
                return self.heads.read(run_id)
        except ValueError as error:
            raise SetupError("store.bad_head", run=run_id, why=error) from error

    def summary(self, run_id: str) -> Summary:
        with mapped(self.path):
            return _known(find_state(self._file.reader, run_id), run_id).summary

    def runs(self, query: Query = Query()) -> list[Summary]:  # noqa: B008 - frozen
        with mapped(self.path):
            return sqlite_reads.runs(self._file.connect(), query)

    def run_ids(self) -> list[str]:
        with mapped(self.path):
            stored = sqlite_reads.run_ids(self._file.connect())
        return stored + sorted(set(self.heads.run_ids()) - set(stored), reverse=True)

    def matching(self, prefix: str) -> list[str]:
        sql = "SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ? ORDER BY run_id LIMIT 5"
        return [row[0] for row in self._all(sql, prefix, prefix + "\U0010ffff")] if prefix.isascii() else []

    def asking(self) -> list[str]:
        found = self._all("SELECT DISTINCT run_id FROM events WHERE type = 'asked' ORDER BY run_id DESC")
        return [row[0] for row in found if is_run_id(str(row[0]))]

    def holder(self, run_id: str) -> str:
        with mapped(self.path):
            state = _known(find_state(self._file.reader, run_id), run_id)
        return rules.held_by(state, self._clock(), alive=is_alive(state.holder.owner))

    def requests(self, run_id: str, after: int = 0) -> list[Request]:
        with mapped(self.path):
            _known(find_state(self._file.reader, run_id), run_id)
            return read_requests(self._file.reader, run_id, after)

    def changes(self) -> int:
        with mapped(self.path):
            return self._watch.changes()

    def wait_for_change(self, since: int, timeout: float | None = None) -> int:
        with mapped(self.path):
            return self._watch.wait(since, timeout)

    def artifact_refs(self, run_id: str | None = None) -> set[tuple[str, str]]:
        if run_id:
            return set(self._all("SELECT run_id, digest FROM artifacts WHERE run_id = ?", run_id))
        return set(self._all("SELECT run_id, digest FROM artifacts"))

    def sizes(self) -> dict[str, int]:
        return dict(self._all("SELECT run_id, sum(length(payload)) FROM events GROUP BY run_id"))

    def damage(self) -> list[str]:
        with mapped(self.path):
            found = [row[0] for row in self._file.reader.execute("PRAGMA quick_check(3)")]
            wrong = [line for line in found if line != "ok"] + differences(self._file.reader)
            whole = {"runs", "events", "artifacts", "control"}.isdisjoint(wrong)
            strays = sqlite_reads.strays(self._file.connect()) if whole else []
            return wrong + strays + self._identity.damage()

    def _all(self, sql: str, *values: Any) -> list[Any]:
        with mapped(self.path):
            return self._file.reader.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: Any) -> Any:
        with mapped(self.path):
            return self._file.reader.execute(sql, values).fetchone()


def _known(state: rules.RunState | None, run_id: str) -> rules.RunState:
    if state is None:
        raise UserError("store.no_run", run=run_id)
    return state
