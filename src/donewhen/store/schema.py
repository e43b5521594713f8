"""The tables of the SQLite store, and how an older file is brought to today's.

`STEPS[n]` takes a file from version n to n+1; a step, once released, is never edited. All steps, the index
rows folded anew from their ledgers (so that old sessions get what is new in a row) and the new version
number are one transaction: a file is never half migrated. A file of a newer version is refused, untouched.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from donewhen.core.errors import SetupError

APPLICATION = 0x646F6E65  # "done", so that `file` and we know whose database it is

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE runs (
  run_id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  status TEXT NOT NULL,
  stop_reason TEXT NOT NULL,
  goal TEXT NOT NULL,
  repo TEXT NOT NULL,
  base TEXT NOT NULL,
  branch TEXT NOT NULL,
  workspace TEXT NOT NULL,
  agent TEXT NOT NULL,
  profile TEXT NOT NULL,
  promise TEXT NOT NULL,
  parent TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  events INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  logs INTEGER NOT NULL,
  llm_micros INTEGER NOT NULL,
  api_micros INTEGER NOT NULL,
  other_micros INTEGER NOT NULL,
  budget_micros INTEGER,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  owner TEXT NOT NULL,
  lease_until REAL NOT NULL
) WITHOUT ROWID""",
        "CREATE INDEX runs_by_created ON runs (created)",
        "CREATE INDEX runs_by_state ON runs (state, created)",
        "CREATE INDEX runs_by_repo ON runs (repo, created)",
        """CREATE TABLE events (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  type TEXT NOT NULL,
  v INTEGER NOT NULL,
  payload TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
)""",
        """CREATE TABLE artifacts (
  run_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (run_id, digest)
) WITHOUT ROWID""",
        "CREATE INDEX artifacts_by_digest ON artifacts (digest)",
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        "INSERT INTO meta VALUES ('id', lower(hex(randomblob(8))))",
    ),
    (
        """CREATE TABLE control (
  run_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  payload TEXT NOT NULL,
  who TEXT NOT NULL,
  taken TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) WITHOUT ROWID""",
        "CREATE INDEX events_asked ON events (run_id) WHERE type = 'asked'",
    ),
    # attempts and calls of a row are counted anew
    ("INSERT OR REPLACE INTO meta VALUES ('row', '2')",),
    # so are the attempts of runs that were handed over when they were to be merged
    ("INSERT OR REPLACE INTO meta VALUES ('row', '3')",),
)


def migrate(
    db: sqlite3.Connection,
    path: Path,
    refold: Callable[[sqlite3.Connection], None],
    steps: Sequence[Sequence[str]] = STEPS,
) -> None:
    """Bring the file to version len(steps); `refold` rebuilds the index rows of an older one."""
    version = _version(db, path, len(steps))
    if version == len(steps):
        return
    if version == 0:  # both stay with the file, and neither can be set inside the transaction
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        db.execute("PRAGMA journal_mode = WAL")
    db.execute("BEGIN IMMEDIATE")
    try:
        version = _version(db, path, len(steps))  # another process may have been faster
        for step in steps[version:]:
            for statement in step:
                db.execute(statement)
        if 0 < version < len(steps):
            refold(db)
        db.execute(f"PRAGMA user_version = {len(steps)}")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _version(db: sqlite3.Connection, path: Path, newest: int) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    owner: int = db.execute("PRAGMA application_id").fetchone()[0]
    tables: int = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if owner not in (0, APPLICATION) or (owner == 0 and tables):
        raise SetupError("store.foreign_file", path=path)
    if version < 0 or (version == 0 and tables):
        raise SetupError("store.corrupt", path=path, why="its version is gone")
    if version > newest:
        raise SetupError("store.newer_schema", path=path, version=version, newest=newest)
    return version


def differences(db: sqlite3.Connection, steps: Sequence[Sequence[str]] = STEPS) -> list[str]:
    """Tables, indexes, triggers and views that were added, altered or lost."""
    model = sqlite3.connect(":memory:")
    for step in steps:
        for statement in step:
            model.execute(statement)
    expected, found = _objects(model), _objects(db)
    model.close()
    return sorted({name for name, _ in expected ^ found})


def _objects(db: sqlite3.Connection) -> set[tuple[str, str]]:
    rows = db.execute("SELECT name, type, tbl_name, sql FROM sqlite_master")
    return {(str(name), f"{kind} {table} {sql}") for name, kind, table, sql in rows}
