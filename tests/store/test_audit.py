"""Audit on a real file that somebody altered."""

import sqlite3
from pathlib import Path

import pytest

from donewhen.core.chain import Finding
from donewhen.core.errors import UserError
from donewhen.store.audit import audit
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN, small_run


def findings(path: Path, *statements: str) -> list[Finding]:
    with SqliteStore(path) as store:
        small_run(store)
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    with SqliteStore(path) as store:
        return list(audit(store, RUN, store.heads).findings)


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
    "unknown type": (
        ["UPDATE events SET type = 'invented' WHERE seq = 4"],
        [Finding("edited", 4, 4), Finding("unreadable", 4, 4, "unknown event type 'invented'")],
    ),
}


@pytest.mark.parametrize("name", ALTERED)
def test_audit_names_what_was_done(name, tmp_path):
    statements, expected = ALTERED[name]
    assert findings(tmp_path / "s.db", *statements) == expected


def test_a_head_file_that_is_nonsense_is_a_finding(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        (tmp_path / "heads" / f"{RUN}.json").write_text("[]")
        found = audit(store, RUN, store.heads).findings
    assert [finding.fault for finding in found] == ["unreadable"]


def test_a_run_that_never_was_is_said_so(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store, pytest.raises(UserError, match="there is no run"):
        audit(store, RUN, store.heads)
