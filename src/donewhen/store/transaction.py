"""One SQLite transaction: the states of its runs are read once, moved in memory and written at the commit."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from donewhen.core.chain import Head
from donewhen.core.errors import SetupError
from donewhen.core.events import DECISIONS, Event, Record, decode
from donewhen.core.protocols import Request
from donewhen.core.summary import Summary, summarise
from donewhen.store.controls import ADD_REQUEST, TAKE_REQUEST, as_row, read_requests
from donewhen.store.heads import HeadFiles
from donewhen.store.refs import digests_of
from donewhen.store.rules import Holder, RunState

COLUMNS = (*Summary._fields, "head_seq", "head_hash", "epoch", "owner", "lease_until")
_NAMES = ", ".join(COLUMNS)
_SAVE = f"INSERT OR REPLACE INTO runs ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_FIND = f"SELECT {_NAMES} FROM runs WHERE run_id = ?"  # noqa: S608 - all names are ours
_ADD = "INSERT INTO events (seq, run_id, at, type, v, payload, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_EVENT = "SELECT 1 FROM events WHERE run_id = ? AND seq = ? AND hash = ?"
_LEDGER = f"SELECT {', '.join(Record._fields)} FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?"  # noqa: S608
PAGE = 1000


class SqliteTransaction:
    def __init__(self, db: sqlite3.Connection, heads: HeadFiles) -> None:
        self._db = db
        self._heads = heads
        self._level = ""
        self._states: dict[str, RunState | None] = {}
        self._changed: set[str] = set()
        self._decided: set[str] = set()
        self._removed: set[str] = set()
        self._owed: dict[str, Head] = {}  # heads that could not be written outside yet
        self._seen: dict[str, Head] = {}

    def begin(self, *, durable: bool) -> None:
        level = "FULL" if durable else "NORMAL"
        if level != self._level:
            self._db.execute(f"PRAGMA synchronous = {level}")
            self._level = level
        self._forget()
        self._db.execute("BEGIN IMMEDIATE")

    def state(self, run_id: str) -> RunState | None:
        """The run as it stands; a ledger whose end is gone is never built upon."""
        if run_id not in self._states:
            state = find_state(self._db, run_id)
            for head in (state.head, self._seen_head(run_id)) if state else ():
                if head.seq and not self._db.execute(_EVENT, (run_id, *head)).fetchone():
                    raise SetupError("store.cut_off", run=run_id, seq=head.seq)
            self._states[run_id] = state
        return self._states[run_id]

    def _seen_head(self, run_id: str) -> Head:
        """The furthest head of a run that this process knows of: kept outside, or written by itself."""
        if run_id not in self._seen:
            try:
                self._seen[run_id] = self._heads.read(run_id) or Head(0, "")
            except ValueError as error:
                raise SetupError("store.bad_head", run=run_id, why=error) from error
        return self._seen[run_id]

    def keep(self, state: RunState) -> None:
        run_id = state.summary.run_id
        self._states[run_id] = state
        self._changed.add(run_id)

    def write(self, state: RunState, records: Sequence[Record], events: Sequence[Event]) -> None:
        if records and records[0].seq == 1:
            self._heads.forget(state.summary.run_id)
        self._db.executemany(_ADD, records)
        for event in events:
            for digest in digests_of(event):
                self._db.execute("INSERT OR IGNORE INTO artifacts VALUES (?, ?)", (event.run_id, digest))
            if event.type in DECISIONS:
                self._decided.add(event.run_id)
        self.keep(state)

    def requests(self, run_id: str) -> list[Request]:
        return read_requests(self._db, run_id)

    def add_request(self, request: Request) -> None:
        self._db.execute(ADD_REQUEST, as_row(request))

    def take_request(self, run_id: str, number: int, at: str) -> bool:
        return self._db.execute(TAKE_REQUEST, (at, run_id, number)).rowcount == 1

    def remove(self, run_id: str) -> None:
        self._heads.set_aside(run_id)
        self._removed.add(run_id)
        for table in ("events", "artifacts", "control", "runs"):
            self._db.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - names are ours
        self._states[run_id] = None
        for known in (self._seen, self._owed):
            known.pop(run_id, None)
        self._changed.discard(run_id)
        self._decided.discard(run_id)

    def commit(self) -> None:
        for run_id in self._changed:
            state = self._states[run_id]
            if state:
                _save(self._db, state)
        self._db.execute("COMMIT")
        removed, self._removed = self._removed, set()
        for run_id in self._changed:
            state = self._states[run_id]
            if state:
                self._seen[run_id] = state.head
            if state and run_id in self._decided:
                self._owed[run_id] = state.head
        self._settle_heads(removed)

    def rollback(self) -> None:
        removed, self._removed = self._removed, set()
        self._forget()
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        for run_id in removed:
            self._heads.put_back(run_id)

    def close(self) -> None:
        self._settle_heads(())
        self._db.close()

    def _settle_heads(self, removed: Iterable[str]) -> None:
        """What is committed stays committed, so nothing here may fail: an unwritten head is written later."""
        for run_id in removed:
            with suppress(OSError):
                self._heads.forget(run_id)
        for run_id, head in list(self._owed.items()):
            with suppress(OSError, SetupError, sqlite3.Error):
                if find_state(self._db, run_id):  # else somebody removed it meanwhile
                    self._heads.write(run_id, head)
                del self._owed[run_id]

    def _forget(self) -> None:
        self._states.clear()
        self._changed.clear()
        self._decided.clear()


def refold(db: sqlite3.Connection) -> None:
    """Fold every index row from its ledger again. What can't be read keeps its row: `audit` tells."""
    for (run_id,) in db.execute("SELECT run_id FROM runs").fetchall():
        try:
            state = find_state(db, run_id)
            summary = summarise(run_id, map(decode, ledger(db, run_id)))
        except (SetupError, ValueError, TypeError, RecursionError):
            continue
        except sqlite3.OperationalError as error:
            if "Could not decode" not in str(error):  # else it is the text of this run alone
                raise
            continue
        if state:
            _save(db, state._replace(summary=summary))


def _save(db: sqlite3.Connection, state: RunState) -> None:
    db.execute(_SAVE, (*state.summary, *state.head, *state.holder))


def ledger(db: sqlite3.Connection, run_id: str, after: int = 0) -> Iterator[Record]:
    """The records in order, a page at a time: a reader that stops half way holds nothing open."""
    while page := db.execute(_LEDGER, (run_id, after, PAGE)).fetchall():
        yield from map(Record._make, page)
        after = page[-1][0]


def find_state(db: sqlite3.Connection, run_id: str) -> RunState | None:
    row = db.execute(_FIND, (run_id,)).fetchone()
    if row is None:
        return None
    state = state_of(row)
    if state is None:
        raise SetupError("store.bad_row", run=run_id)
    return state


def state_of(row: tuple[Any, ...]) -> RunState | None:
    """What a row says; None when a field has another type than we write."""
    size = len(Summary._fields)
    state = RunState(Summary(*row[:size]), Head(*row[size : size + 2]), Holder(*row[size + 2 :]))
    sound = all(
        isinstance(value, kind)
        for part in state
        for value, kind in zip(part, type(part).__annotations__.values(), strict=True)
    )
    return state if sound else None
