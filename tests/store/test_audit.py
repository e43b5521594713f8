"""Audit on a real file that somebody altered."""

import sqlite3
import threading
from pathlib import Path
from unittest.mock import ANY

import pytest

from donewhen.core.chain import Finding
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import run
from donewhen.store.artifacts import Artifacts
from donewhen.store.audit import audit
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN, small_run
from tests.tables import table_test


def findings(path: Path, *statements: str) -> list[Finding]:
    with SqliteStore(path) as store:
        small_run(store)
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    with SqliteStore(path) as store:
        return list(audit(store, RUN).findings)


HEAD = "UPDATE runs SET head_seq = 6, head_hash = (SELECT hash FROM events WHERE seq = 6)"

ALTERED = {
    "untouched": ([], []),
    "edited": (
        ["UPDATE events SET payload = replace(payload, '\"exit\":1', '\"exit\":0') WHERE seq = 4"],
        [Finding("edited", 4, 4)],
    ),
    "another moment": (["UPDATE events SET at = '2020' WHERE seq = 4"], [Finding("edited", 4, 4)]),
    "missing": (["DELETE FROM events WHERE seq IN (4, 5)"], [Finding("missing", 4, 5)]),
    "reordered": (
        [
            "UPDATE events SET seq = 99 WHERE seq = 4",
            "UPDATE events SET seq = 4 WHERE seq = 6",
            "UPDATE events SET seq = 6 WHERE seq = 99",
        ],
        [Finding("reordered", 4, 4, "6"), Finding("reordered", 6, 6, "4")],
    ),
    "truncated": (["DELETE FROM events WHERE seq > 6"], [Finding("truncated", 7, 8)]),
    "truncated with the store's head": (
        ["DELETE FROM events WHERE seq > 6", HEAD],
        [Finding("truncated", 7, 8)],
    ),
    "all events gone": (["DELETE FROM events"], [Finding("truncated", 1, 8)]),
    "run gone": (["DELETE FROM events", "DELETE FROM runs"], [Finding("truncated", 1, 8)]),
    "index row altered": (
        ["UPDATE runs SET state = 'fail', stop_reason = 'unsafe'"],
        [Finding("index", 0, 0, "state, stop_reason")],
    ),
    "row gone, events left": (["DELETE FROM runs"], [Finding("index", 0, 0, ANY)]),
    "head moved back": (
        ["UPDATE runs SET head_seq = 5, head_hash = (SELECT hash FROM events WHERE seq = 5)"],
        [Finding("head", 5, 5, "store")],
    ),
    "head nonsense": (
        ["UPDATE runs SET head_seq = -3, head_hash = 'zz'"],
        [Finding("head", -3, -3, "store")],
    ),
    "seq is no number": (
        ["UPDATE events SET seq = 'four' WHERE seq = 4"],
        [Finding("missing", 4, 4), Finding("unreadable", 8, 8, ANY)],
    ),
    "payload is bytes": (
        ["UPDATE events SET payload = x'ff' WHERE seq = 4"],
        [Finding("missing", 4, 4), Finding("unreadable", 4, 4, ANY)],
    ),
    "payload is not UTF-8": (
        ["UPDATE events SET payload = CAST(x'7bff7d' AS TEXT) WHERE seq = 4"],
        [Finding("edited", 4, 4), Finding("unreadable", 4, 4, ANY)],
    ),
    "events below one": (
        ["INSERT INTO events SELECT run_id, 0, at, type, v, payload, prev, hash FROM events WHERE seq = 4"],
        [Finding("unreadable", 1, 1, ANY)],
    ),
    "artifact rows gone": (
        ["INSERT INTO artifacts SELECT run_id, 'd' FROM runs"],
        [Finding("index", 0, 0, "artifacts")],
    ),
    "types of the row": (["UPDATE runs SET turns = 'many'"], [Finding("unreadable", 0, 0, ANY)]),
    "head is text": (["UPDATE runs SET head_seq = 'abc'"], [Finding("unreadable", 0, 0, ANY)]),
    "lease is text": (["UPDATE runs SET lease_until = 'x'"], [Finding("unreadable", 0, 0, ANY)]),
    "unknown type": (
        ["UPDATE events SET type = 'invented' WHERE seq = 4"],
        [Finding("edited", 4, 4), Finding("unreadable", 4, 4, "unknown event type 'invented'")],
    ),
}


@table_test("name", ALTERED)
def test_audit_names_what_was_done(name, tmp_path):
    statements, expected = ALTERED[name]
    found = findings(tmp_path / "s.db", *statements)
    assert sorted(found, key=lambda f: (f.seq, f.fault)) == expected


def test_a_head_file_that_is_nonsense_is_a_finding(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        (store.heads.folder / f"{RUN}.json").write_text("[]")
        found = audit(store, RUN).findings
    assert [finding.fault for finding in found] == ["unreadable"]


def test_a_run_that_never_was_is_said_so(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store, pytest.raises(UserError, match="there is no run"):
        audit(store, RUN)


def test_an_artifact_that_is_gone_or_altered_is_a_finding(tmp_path):
    artifacts = Artifacts(tmp_path / "artifacts")
    gone, altered, fine = (artifacts.put(text) for text in (b"gone", b"altered", b"fine"))
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        store.append(RUN, *[run.ArtifactKept(digest, "log", 1) for digest in (gone, altered, fine)])
        (artifacts.folder / gone[:2] / gone[2:]).unlink()
        (artifacts.folder / altered[:2] / altered[2:]).write_bytes(b"x")
        assert audit(store, RUN, artifacts).findings == (
            Finding("artifact", 9, 9, gone),
            Finding("artifact", 10, 10, altered),
        )


def test_a_missing_second_head_is_told(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        store.append("r-20261115043751-ffffff", run.RunStarted("undecided"))
        assert not audit(store, "r-20261115043751-ffffff").second_head
        small_run(store)
        assert audit(store, RUN).second_head
        (store.heads.folder / f"{RUN}.json").unlink()
        assert not audit(store, RUN).second_head
        assert audit(store, RUN).ok


def test_a_store_that_was_tampered_with_as_a_whole_says_so(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        assert store.damage() == []
        db = sqlite3.connect(tmp_path / "s.db")
        db.execute("CREATE TRIGGER quiet BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END")
        db.execute("DROP INDEX runs_by_state")
        db.commit()
        db.close()
        assert store.damage() == ["quiet", "runs_by_state"]


def test_auditing_a_run_that_is_being_written_finds_nothing(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        store.append(RUN, run.RunStarted("goal"))
        stop = threading.Event()

        def write() -> None:
            while not stop.is_set():
                store.append(RUN, run.Noted("x"), run.StateChanged("executing", "validating"))

        writer = threading.Thread(target=write)
        writer.start()
        try:
            assert [audit(store, RUN).findings for _ in range(60)] == [()] * 60
        finally:
            stop.set()
            writer.join()


def alter(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_another_store_in_the_place_of_ours_shows(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
    alter(tmp_path / "s.db", "UPDATE meta SET value = 'abcd'")
    with SqliteStore(tmp_path / "s.db") as store:
        assert store.damage() == ["its id is not the one recorded for its place"]
    (tmp_path / "s.db").unlink()
    with SqliteStore(tmp_path / "s.db") as store:
        assert store.damage() == []


def test_what_belongs_to_no_run_shows(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        alter(tmp_path / "s.db", "INSERT INTO artifacts VALUES ('r-20260101000000-000000', 'd')")
        assert store.damage() == ["artifacts"]
        alter(tmp_path / "s.db", "UPDATE events SET run_id = x'00' WHERE seq = 8")
        assert store.damage() == ["events", "artifacts"]


def test_one_bad_row_does_not_hide_the_others(tmp_path):
    other = "r-20261115043751-ffffff"
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        small_run(store, other)
        alter(
            tmp_path / "s.db",
            f"UPDATE runs SET goal = CAST(x'ff' AS TEXT), turns = 'x' WHERE run_id = '{RUN}'",
        )
        assert [(row.run_id, row.state) for row in store.runs()] == [(other, "done"), (RUN, "damaged")]
        assert store.run_ids() == [other, RUN]
        assert [audit(store, name).ok for name in (other, RUN)] == [True, False]


def test_evidence_is_not_written_over(tmp_path):
    """A cut ledger is not appended to, neither by the process that wrote it nor by another one."""
    first = SqliteStore(tmp_path / "s.db")
    first.append(RUN, run.RunStarted("goal"), run.Noted("x"), run.Noted("y"))
    before = sqlite3.connect(tmp_path / "s.db").execute("SELECT * FROM runs").fetchone()
    first.append(RUN, run.Decided("failed"))
    places = ", ".join("?" * len(before))
    db = sqlite3.connect(tmp_path / "s.db")
    db.execute("DELETE FROM events WHERE seq > 3")
    db.execute(f"INSERT OR REPLACE INTO runs VALUES ({places})", before)
    db.commit()
    db.close()
    with pytest.raises(SetupError, match="cut off before event 4"):
        first.append(RUN, run.Decided("accepted"))
    first.close()
    second = SqliteStore(tmp_path / "s.db")
    with pytest.raises(SetupError, match="cut off before event 4"):
        second.append(RUN, run.Decided("accepted"))
    assert not audit(second, RUN).ok
    second.close()
    (second.heads.folder / f"{RUN}.json").write_text("nonsense")
    third = SqliteStore(tmp_path / "s.db")
    with pytest.raises(SetupError, match="kept head"):
        third.append(RUN, run.Decided("accepted"))
    assert (third.heads.folder / f"{RUN}.json").read_text() == "nonsense"
    third.close()
