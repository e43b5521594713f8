"""Files of schema 1, which knew no requests: migrated once, whole or not at all, whatever they hold."""

import sqlite3
import subprocess
import sys
from pathlib import Path

from donewhen.core.events import facts, run
from donewhen.core.protocols import Control
from donewhen.store import schema
from donewhen.store.sqlite import SqliteStore
from donewhen.store.transaction import refold
from tests.helpers import RUN, small_run
from tests.tables import table_test

OTHER = "r-20261115043751-ffffff"


def test_a_file_of_version_1_is_migrated_and_takes_requests(tmp_path):
    path = tmp_path / "s.db"
    db = sqlite3.connect(path, isolation_level=None)
    schema.migrate(db, path, refold, schema.STEPS[:1])
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"))
        assert store.request(RUN, Control("abort")).number == 1
        assert store.damage() == []
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(schema.STEPS),)
    db.close()


def as_version_1(path: Path, *changes: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for change in changes:
        db.execute(change)
    db.executescript("DROP TABLE control; DROP INDEX events_asked; PRAGMA user_version = 1")
    db.close()


def test_runs_of_version_1_are_there_after_the_migration(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        store.append(OTHER, run.RunStarted("goal"), facts.Asked("ffffff-1", "may I?"))
        before = [list(store.read(name)) for name in (RUN, OTHER)]
    as_version_1(path)
    with SqliteStore(path) as store:
        assert [list(store.read(name)) for name in (RUN, OTHER)] == before
        assert store.asking() == [OTHER]
        assert store.request(OTHER, Control("approve", "ffffff-1")).number == 1
        assert store.damage() == []


@table_test(
    "damage",
    [
        "events SET payload = CAST(x'7bff7d' AS TEXT)",
        "events SET payload = '{\"text\":' || replace(hex(zeroblob(100000)), '00', '[')",
        "events SET v = 'x'",
        "runs SET goal = CAST(x'ff' AS TEXT)",
        "runs SET epoch = 'x'",
    ],
)
def test_one_damaged_run_of_version_1_keeps_no_other_from_migrating(tmp_path, damage):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        store.append(OTHER, run.RunStarted("goal"), facts.Asked("ffffff-1", "may I?"))
    as_version_1(path, f"UPDATE {damage} WHERE run_id = '{RUN}'")
    with SqliteStore(path) as store:
        assert store.asking() == [OTHER]
        assert store.request(OTHER, Control("approve", "ffffff-1")).number == 1


MIGRATE = """
import sqlite3, sys
from pathlib import Path
from donewhen.store import schema
path = Path(sys.argv[1])
def refold(db):
    print("in between", flush=True)
    sys.stdin.read()
schema.migrate(sqlite3.connect(path, isolation_level=None), path, refold)
"""


def test_a_migration_that_is_killed_in_between_has_not_begun(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        before = list(store.read(RUN))
    as_version_1(path)
    child = subprocess.Popen(
        [sys.executable, "-c", MIGRATE, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin
    assert child.stdout
    try:
        assert child.stdout.readline() == b"in between\n"
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    with SqliteStore(path) as store:
        assert list(store.read(RUN)) == before
        assert store.damage() == []


OPEN = """
import sys
from pathlib import Path
from donewhen.store.sqlite import SqliteStore
sys.stdin.read()
with SqliteStore(Path(sys.argv[1])) as store:
    print(store.asking(), store.damage())
"""


def test_processes_that_open_an_old_file_at_once_migrate_it_once(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(OTHER, run.RunStarted("goal"), facts.Asked("ffffff-1", "may I?"))
    as_version_1(path)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for child in children:
        assert child.stdin
        child.stdin.close()
        child.stdin = None
    said = [child.communicate()[0].decode() for child in children]
    assert said == [f"['{OTHER}'] []\n"] * 3
