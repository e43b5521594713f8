"""Reading what may have been tampered with: nothing in a row is taken for granted.

Each function closes the connection it is given; text that is not UTF-8 is read all the same.
"""

import sqlite3
from contextlib import closing
from typing import Any

from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Record
from donewhen.core.ids import is_run_id
from donewhen.core.protocols import Query, Snapshot
from donewhen.core.summary import Summary
from donewhen.store.controls import read_requests
from donewhen.store.transaction import COLUMNS, state_of

_ROW = f"SELECT {', '.join(COLUMNS)} FROM runs WHERE run_id = ?"  # noqa: S608
_EVENTS = f"SELECT {', '.join(Record._fields)} FROM events WHERE run_id = ? ORDER BY seq"  # noqa: S608
_KINDS = tuple(int if kind == int | None else kind for kind in Summary.__annotations__.values())
_SHAPES = {_KINDS, (*_KINDS[:-1], type(None))}  # the last field is the budget, which may be open
_TYPES = "wrong types"


def runs(db: sqlite3.Connection, query: Query) -> list[Summary]:
    """Rows for a list, newest first; a row that is not one of ours is shown as damaged."""
    with closing(db):
        try:
            rows = db.execute(*_listing(query)).fetchall()
        except sqlite3.OperationalError:  # text that is not UTF-8, perhaps
            _tolerate(db)
            rows = db.execute(*_listing(query)).fetchall()
    return [row if _is_summary(row) else _damaged(row) for row in map(Summary._make, rows)]


def _damaged(row: Summary) -> Summary:
    return Summary(str(row.run_id).encode(errors="replace").decode(), state="damaged")


def _listing(query: Query) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = list(query.states)
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
    where = "WHERE " + " AND ".join(parts) if parts else ""
    columns = ", ".join(Summary._fields)
    sql = f"SELECT {columns} FROM runs {where} ORDER BY created DESC, run_id DESC LIMIT ?"  # noqa: S608
    return sql, [*values, query.limit or -1]


def run_ids(db: sqlite3.Connection) -> list[str]:
    """Runs of which there is a row or an event, newest first."""
    with closing(_tolerate(db)):
        rows = db.execute("SELECT run_id FROM runs UNION SELECT DISTINCT run_id FROM events").fetchall()
    return sorted((row[0] for row in rows if _is_id(row[0])), reverse=True)


def strays(db: sqlite3.Connection) -> list[str]:
    """What belongs to no run."""
    with closing(_tolerate(db)):
        tables = {
            table: db.execute(f"SELECT DISTINCT run_id FROM {table}").fetchall()  # noqa: S608
            for table in ("runs", "events", "artifacts", "control")
        }
        asked = _are_requests(db, [row[0] for row in tables["control"]])
    known = {row[0] for table in ("runs", "events") for row in tables[table]}
    odd = [table for table in ("runs", "events") if not all(_is_id(row[0]) for row in tables[table])]
    loose = {name for name in ("artifacts", "control") if {row[0] for row in tables[name]} - known}
    return odd + sorted(loose | (set() if asked else {"control"}))


def _are_requests(db: sqlite3.Connection, runs: list[Any]) -> bool:
    try:
        for run_id in runs:
            read_requests(db, run_id)
    except SetupError:
        return False
    return True


def snapshot(db: sqlite3.Connection, run_id: str) -> Snapshot:
    """Everything about a run at one moment."""
    with closing(_tolerate(db)):
        db.execute("BEGIN")
        row = db.execute(_ROW, (run_id,)).fetchone()
        events = db.execute(_EVENTS, (run_id,)).fetchall()
        refs = db.execute("SELECT digest FROM artifacts WHERE run_id = ?", (run_id,)).fetchall()
    if row is None and not events:
        raise UserError("store.no_run", run=run_id)
    good = [Record._make(event) for event in events if _is_record(event)]
    bad = [(n, _TYPES) for n, event in enumerate(events, 1) if not _is_record(event)]
    state = state_of(row) if row else None
    if row and not state:
        bad.append((0, f"{_TYPES} in its row"))
    digests = {str(ref[0]) for ref in refs}
    return Snapshot(good, bad, state.head if state else None, state.summary if state else None, digests)


def _tolerate(db: sqlite3.Connection) -> sqlite3.Connection:
    db.text_factory = lambda data: data.decode(errors="surrogateescape")
    return db


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and is_run_id(value)


def _is_record(event: tuple[Any, ...]) -> bool:
    kinds = Record.__annotations__.values()
    typed = all(type(value) is kind for value, kind in zip(event, kinds, strict=True))
    return typed and event[0] >= 1


def _is_summary(row: Summary) -> bool:
    return tuple(map(type, row)) in _SHAPES
