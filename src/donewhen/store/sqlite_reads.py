"""Reading what may have been tampered with: nothing in a row is taken for granted."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from donewhen.core.chain import Head
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Record
from donewhen.core.protocols import Query, Snapshot
from donewhen.core.summary import Summary

_KINDS = tuple(Summary.__annotations__.values())


def listing(query: Query) -> tuple[Any, ...]:
    """The statement and its values for a list of runs, newest first."""
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
    where = "WHERE " + " AND ".join(parts) if parts else ""
    columns = ", ".join(Summary._fields)
    sql = f"SELECT {columns} FROM runs {where} ORDER BY created DESC, run_id DESC LIMIT ?"  # noqa: S608
    return (sql, *values, query.limit or -1)


def summaries(rows: Iterable[Any]) -> list[Summary]:
    found = [Summary._make(row) for row in rows]
    for row in found:
        if not _is_summary(row):
            raise SetupError("store.bad_row", run=row.run_id)
    return found


def snapshot(db: sqlite3.Connection, run_id: str) -> Snapshot:
    """Everything about a run at one moment; `db` is closed afterwards."""
    db.text_factory = lambda data: data.decode(errors="surrogateescape")
    try:
        db.execute("BEGIN")
        row = db.execute(_ROW, (run_id,)).fetchone()
        events = db.execute(_EVENTS, (run_id,)).fetchall()
        refs = db.execute("SELECT digest FROM artifacts WHERE run_id = ?", (run_id,)).fetchall()
    finally:
        db.close()
    if row is None and not events:
        raise UserError("store.no_run", run=run_id)
    good = [Record._make(event) for event in events if _is_record(event)]
    bad = [(n, "its fields have wrong types") for n, event in enumerate(events, 1) if not _is_record(event)]
    summary = Summary._make(row[:-2]) if row else None
    head = Head(*row[-2:]) if row and type(row[-2]) is int and type(row[-1]) is str else None
    return Snapshot(
        good, bad, head, summary if summary and _is_summary(summary) else None, {str(ref[0]) for ref in refs}
    )


_ROW = f"SELECT {', '.join(Summary._fields)}, head_seq, head_hash FROM runs WHERE run_id = ?"  # noqa: S608
_EVENTS = f"SELECT {', '.join(Record._fields)} FROM events WHERE run_id = ? ORDER BY seq"  # noqa: S608


def _is_record(event: tuple[Any, ...]) -> bool:
    kinds = tuple(Record.__annotations__.values())
    typed = all(type(value) is kind for value, kind in zip(event, kinds, strict=True))
    return typed and event[0] >= 1


def _is_summary(row: Summary) -> bool:
    return all(isinstance(value, kind) for value, kind in zip(row, _KINDS, strict=True))
