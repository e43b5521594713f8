"""What only the file has: modes, versions, other processes, and every way a file can be bad."""

import gc
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from donewhen.core.chain import Head
from donewhen.core.errors import InvariantBroken, SetupError
from donewhen.core.events import facts, run
from donewhen.core.summary import Summary
from donewhen.store import schema
from donewhen.store.artifacts import Artifacts
from donewhen.store.audit import audit
from donewhen.store.heads import HeadFiles
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
from donewhen.store.transaction import refold
from tests.helpers import RUN, small_run

OTHER = "r-20261115043751-ffffff"


def tables(path: Path) -> dict[str, list[str]]:
    db = sqlite3.connect(path)
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")] for name in names}
    db.close()
    return found


def test_the_file_and_its_companions_are_private(tmp_path):
    old = os.umask(0)
    try:
        with SqliteStore(tmp_path / "state" / "s.db") as store:
            small_run(store)
            files = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
            modes = {
                "id" if path.suffix == ".id" else path.name: stat.S_IMODE(path.stat().st_mode)
                for path in files
            }
    finally:
        os.umask(old)
    assert modes == {
        "s.db": 0o600,
        "s.db-wal": 0o600,
        "s.db-shm": 0o600,
        f"{RUN}.json": 0o600,
        ".lock": 0o600,
        "id": 0o600,
    }


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path):
    (tmp_path / "s.db").touch(mode=0o644)
    with SqliteStore(tmp_path / "s.db"):
        assert stat.S_IMODE((tmp_path / "s.db").stat().st_mode) == 0o600


def test_the_row_has_the_columns_that_a_summary_has(tmp_path):
    SqliteStore(tmp_path / "s.db").close()
    assert tables(tmp_path / "s.db")["runs"][: len(Summary._fields)] == list(Summary._fields)


def test_the_head_file_is_written_at_decisions(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        store.append(RUN, run.RunStarted("goal"))
        assert store.heads.read(RUN) is None
        (decided,) = store.append(RUN, run.Decided("accepted"))
        store.append(RUN, run.Noted("after"))
        assert store.heads.read(RUN) == (2, decided.hash)
        store.remove(RUN)
        assert store.heads.read(RUN) is None


def test_a_newer_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()
    with pytest.raises(
        SetupError, match=rf"has version 99, this donewhen knows up to {len(schema.STEPS)}; upgrade"
    ):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_an_older_file_is_migrated_in_one_step_and_rows_folded_anew(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE runs SET profile = '', llm_micros = 0")
    steps = (*schema.STEPS, ("ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'",))
    schema.migrate(db, path, refold, steps)
    assert db.execute("SELECT profile, llm_micros, colour FROM runs").fetchall() == [
        ("fix_bug", 250_000, "grey")
    ]
    assert db.execute("PRAGMA user_version").fetchone() == (len(schema.STEPS) + 1,)
    db.close()


def test_a_damaged_row_does_not_keep_a_file_from_being_migrated(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        small_run(store, OTHER)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"UPDATE runs SET turns = 'many' WHERE run_id = '{RUN}'")
    db.execute(f"UPDATE runs SET profile = '' WHERE run_id = '{OTHER}'")
    schema.migrate(db, path, refold, (*schema.STEPS, ("CREATE TABLE more (x)",)))
    found = dict(db.execute("SELECT run_id, profile || turns FROM runs"))
    assert found == {RUN: "fix_bugmany", OTHER: "fix_bug0"}
    db.close()


def test_a_migration_that_fails_changes_nothing(tmp_path):
    path = tmp_path / "s.db"
    SqliteStore(path).close()
    db = sqlite3.connect(path, isolation_level=None)
    steps = (*schema.STEPS, ("ALTER TABLE runs ADD COLUMN colour TEXT", "THIS IS NOT SQL"))
    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(db, path, refold, steps)
    assert db.execute("PRAGMA user_version").fetchone() == (len(schema.STEPS),)
    db.close()
    assert "colour" not in tables(path)["runs"]


def test_another_programs_database_is_refused(tmp_path):
    path = tmp_path / "s.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name)")
    db.commit()
    db.close()
    with pytest.raises(SetupError, match="database of another program"):
        SqliteStore(path)
    assert list(tables(path)) == ["recipes"]


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path):
    path = tmp_path / "s.db"
    path.write_bytes(b"# a text file\n" * 500)
    with pytest.raises(SetupError, match=r"is damaged \(file is not a database\)"):
        SqliteStore(path)
    assert path.read_bytes() == b"# a text file\n" * 500


def test_a_damaged_page_is_an_error_and_never_an_answer(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"), *[run.Noted("x" * 500)] * 200)
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(data)
    with pytest.raises(SetupError, match="damaged"), SqliteStore(path) as store:
        list(store.read(RUN))


def test_a_changed_payload_is_found_when_it_is_read(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
    db = sqlite3.connect(path)
    db.execute("UPDATE events SET payload = replace(payload, '\"exit\":1', '\"exit\":0')")
    db.commit()
    db.close()
    with SqliteStore(path) as store, pytest.raises(SetupError, match=r"broken at event 4 .*`donewhen audit"):
        list(store.read(RUN))


def test_a_cut_tail_is_found_when_it_is_read(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
    db = sqlite3.connect(path)
    db.execute("DELETE FROM events WHERE seq > 6")
    db.execute("UPDATE runs SET head_seq = 6, head_hash = (SELECT hash FROM events WHERE seq = 6)")
    db.commit()
    db.close()
    with SqliteStore(path) as store:
        for after in (0, 3):
            with pytest.raises(SetupError, match=r"cut off before event 7 .*`donewhen audit"):
                list(store.read(RUN, after))


def test_a_head_that_says_otherwise_stops_reading(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        small_run(store)
        (store.heads.folder / f"{RUN}.json").write_text(json.dumps({"seq": 3, "hash": "a" * 64}))
        with pytest.raises(SetupError, match="broken at event 3"):
            list(store.read(RUN))
        (store.heads.folder / f"{RUN}.json").write_text("{}")
        with pytest.raises(SetupError, match="kept head .* is not one"):
            list(store.read(RUN))


def test_a_second_store_in_the_process_does_not_lose_the_locks_of_the_first(tmp_path):
    """The system drops a process's locks on a file when any descriptor of it is closed."""
    path = tmp_path / "s.db"
    script = "import sys; from pathlib import Path; from donewhen.store.sqlite import SqliteStore; SqliteStore(Path(sys.argv[1])).close()"
    first = SqliteStore(path)
    first.append(RUN, run.RunStarted("goal"))
    second = SqliteStore(path)
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    second.close()
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    for _ in range(5):
        first.append(RUN, run.StateChanged("idle", "executing"))
    first.close()
    with SqliteStore(path) as store:
        assert len(list(store.read(RUN))) == 6


def test_a_forked_process_refuses_the_open_store_and_its_file(tmp_path):
    script = """
import os, sys
from pathlib import Path
from donewhen.core.chain import Head
from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError
from donewhen.core.events import run
from donewhen.store.sqlite import SqliteStore
path, name = Path(sys.argv[1]), sys.argv[2]
store = SqliteStore(path)
store.append(name, run.RunStarted("goal"))
child = os.fork()
if child == 0:
    refused = 0
    for use in (lambda: store.append(name, run.Noted("x")), lambda: list(store.read(name)), lambda: SqliteStore(path)):
        try:
            use()
        except SetupError as error:
            refused += "fork" in str(error)
    store.close()
    SqliteStore(path.with_name("other.db")).close()
    os._exit(refused)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
store.append(name, run.Noted("still fine"))
store.close()
sys.exit(0 if code == 3 else 1)
"""
    path = tmp_path / "s.db"
    subprocess.run([sys.executable, "-c", script, str(path), RUN], check=True)
    with SqliteStore(path) as store:
        assert [event.type for event in store.read(RUN)] == ["run_started", "noted"]


def test_one_bad_job_does_not_spoil_others_in_its_commit(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        store.append(RUN, run.RunStarted("goal"))
        gate = threading.Event()
        hold = store._submit(lambda _: gate.wait(), durable=False)
        before = store.post(RUN, run.Noted("before"))
        bad = store._submit(lambda _: 1 / 0, durable=False)
        after = store.post(OTHER, run.RunStarted("innocent"))
        gate.set()
        hold.result()
        assert before.result()[0].seq == 2
        assert isinstance(bad.exception(), InvariantBroken)
        assert after.result()[0].seq == 1


def test_posts_after_a_failed_one_fail_too_so_that_there_is_no_hole(tmp_path):
    with SqliteStore(tmp_path / "s.db", busy_seconds=0.05) as store:
        store.append(RUN, run.RunStarted("goal"))
        other = sqlite3.connect(tmp_path / "s.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        tickets = [store.post(RUN, run.Noted(str(n))) for n in range(4)]
        assert tickets[0].exception() is not None
        other.execute("ROLLBACK")
        other.close()
        tickets += [store.post(RUN, run.Noted(str(n))) for n in range(4, 8)]
        assert all(ticket.exception() is not None for ticket in tickets)
        store.lease(RUN, this_process(), 1)
        assert store.head(RUN).seq == 1


def test_whatever_a_callback_or_an_action_raises_the_writer_lives(tmp_path):
    def leave(_: object) -> None:
        raise SystemExit(1)

    def interrupt() -> None:
        raise KeyboardInterrupt

    with SqliteStore(tmp_path / "s.db") as store:
        store.append(RUN, run.RunStarted("goal"))
        gate = threading.Event()
        hold = store._submit(lambda _: gate.wait(), durable=False)
        store.post(RUN, run.Noted("x")).add_done_callback(leave)
        gate.set()
        hold.result()
        with pytest.raises(InvariantBroken):
            store.alone(interrupt)
        assert store.append(RUN, run.Noted("y"))[0].seq == 3


def test_threads_that_end_leave_no_descriptor(tmp_path):
    folder = Path("/proc/self/fd")
    if not folder.exists():
        folder = Path("/dev/fd")
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        store.summary(RUN)
        before = len(list(folder.iterdir()))
        for _ in range(30):
            thread = threading.Thread(target=store.summary, args=(RUN,))
            thread.start()
            thread.join()
        gc.collect()
        assert len(list(folder.iterdir())) <= before + 3


def test_reading_on_from_an_event_that_is_gone_is_no_silence(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        db = sqlite3.connect(tmp_path / "s.db")
        db.execute("DELETE FROM events WHERE seq >= 5")
        db.commit()
        db.close()
        with pytest.raises(SetupError, match="cut off"):
            list(store.read(RUN, after=5))
        assert list(store.read(RUN, after=99)) == []


def test_a_pipe_as_a_head_or_artifact_keeps_nobody_waiting(tmp_path):
    artifacts = Artifacts(tmp_path / "artifacts")
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        digest = artifacts.put(b"x")
        store.append(RUN, run.ArtifactKept(digest, "x", 1))
        path = artifacts.folder / digest[:2] / digest[2:]
        path.unlink()
        os.mkfifo(path)
        assert [finding.fault for finding in audit(store, RUN, artifacts).findings] == ["artifact"]
        head = store.heads.folder / f"{RUN}.json"
        head.unlink()
        os.mkfifo(head)
        with pytest.raises(SetupError, match="kept head"):
            list(store.read(RUN))


def test_a_callback_that_writes_is_told_instead_of_hanging(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        store.append(RUN, run.RunStarted("goal"))
        told: list[str] = []
        gate = threading.Event()
        hold = store._submit(lambda _: gate.wait(), durable=False)

        def write(_: object) -> None:
            try:
                store.append(RUN, run.Noted("from the callback"))
            except InvariantBroken as error:
                told.append(error.key)

        store.post(RUN, run.Noted("x")).add_done_callback(write)
        gate.set()
        hold.result()
        store.append(RUN, run.Noted("y"))
        assert told == ["store.reentrant"]


def test_a_head_that_can_not_be_written_is_owed_not_lost(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        store.append(RUN, run.RunStarted("goal"))
        store.heads.folder.parent.mkdir(exist_ok=True)
        store.heads.folder.touch()  # a file in the place of the folder
        (decided,) = store.append(RUN, run.Decided("accepted"))
        store.heads.folder.unlink()
        store.append(RUN, run.Noted("later"))
        assert store.heads.read(RUN) == (2, decided.hash)


def test_a_head_never_goes_back(tmp_path):
    heads = HeadFiles(tmp_path)
    heads.write(RUN, Head(5, "five"))
    heads.write(RUN, Head(3, "three"))
    assert heads.read(RUN) == (5, "five")


def test_a_removal_that_fails_keeps_the_head(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        db = sqlite3.connect(tmp_path / "s.db")
        db.execute("CREATE TRIGGER no BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'no'); END")
        db.commit()
        db.close()
        with pytest.raises(SetupError):
            store.remove(RUN)
        assert store.heads.read(RUN) is not None
        assert audit(store, RUN).ok


def test_a_ledger_whose_end_is_gone_is_not_built_upon(tmp_path):
    with SqliteStore(tmp_path / "s.db") as store:
        small_run(store)
        db = sqlite3.connect(tmp_path / "s.db")
        db.execute("DELETE FROM events WHERE seq > 6")
        db.commit()
        db.close()
        with pytest.raises(SetupError, match="cut off before event 8"):
            store.append(RUN, run.Noted("x"))


def test_somebody_elses_file_is_not_touched(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n" * 200)
    path.chmod(0o644)
    with pytest.raises(SetupError):
        SqliteStore(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_reader_that_stops_half_way_holds_nothing(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"), *[run.Noted("x")] * 10)
        events = store.read(RUN)
        next(events)
        store.append(RUN, *[run.Noted("y" * 2000)] * 500)
        store.compact()
        assert path.with_name("s.db-wal").stat().st_size == 0
        assert len(list(events)) == 510


def test_a_lock_that_stays_is_an_error_after_the_busy_time(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path, busy_seconds=0.05) as store:
        store.append(RUN, run.RunStarted("goal"))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SetupError, match="locked by another process"):
            store.append(RUN, run.Noted("x"))
        other.execute("ROLLBACK")
        other.close()
        store.append(RUN, run.Noted("y"))
        assert [event.seq for event in store.read(RUN)] == [1, 2]


def test_a_full_database_is_an_error_and_nothing_is_half_written(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"))
        head = store.head(RUN)
    script = """
import resource, sys
from pathlib import Path
from donewhen.core.chain import Head
from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError
from donewhen.core.events import run
from donewhen.store.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    store.append(sys.argv[2], *[run.Noted("x" * 4000)] * 500)
except SetupError as error:
    print(error)
    sys.exit(error.exit_code)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), RUN], capture_output=True, text=True, check=False
    )
    assert done.returncode == 5, done.stderr
    assert str(path) in done.stdout
    with SqliteStore(path) as store:
        assert store.head(RUN) == head
        store.append(RUN, run.Noted("space again"))


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path):
    (tmp_path / "s.db").mkdir()
    with pytest.raises(SetupError):
        SqliteStore(tmp_path / "s.db")


def test_two_processes_share_the_file_and_lose_nothing(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"))
    script = """
import sys
from pathlib import Path
from donewhen.core.events import run
from donewhen.store.sqlite import SqliteStore
with SqliteStore(Path(sys.argv[1])) as store:
    for n in range(60):
        store.append(sys.argv[2], run.Noted(f"{sys.argv[3]}{n}"))
"""
    words = [sys.executable, "-c", script, str(path), RUN]
    processes = [subprocess.Popen([*words, name]) for name in "ab"]
    assert [process.wait() for process in processes] == [0, 0]
    with SqliteStore(path) as store:
        texts = [event.body.text for event in list(store.read(RUN))[1:]]
    assert sorted(texts) == sorted(f"{name}{n}" for name in "ab" for n in range(60))


def test_events_posted_before_the_end_of_the_program_are_written(tmp_path):
    script = """
import sys
from pathlib import Path
from donewhen.core.events import run
from donewhen.store.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.append(sys.argv[2], run.RunStarted("goal"))
for n in range(500):
    store.post(sys.argv[2], run.Noted(str(n)))
"""
    path = tmp_path / "s.db"
    subprocess.run([sys.executable, "-c", script, str(path), RUN], check=True)
    with SqliteStore(path) as store:
        assert store.head(RUN).seq == 501


def test_a_closed_store_refuses_to_write(tmp_path):
    store = SqliteStore(tmp_path / "s.db")
    store.close()
    store.close()
    for use in (lambda: store.append(RUN, run.RunStarted("goal")), store.runs, lambda: store.snapshot(RUN)):
        with pytest.raises(SetupError, match="closed"):
            use()


def test_removed_runs_give_their_space_back(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"), *[facts.CommandEnded("k", "x", tail="y" * 3000)] * 300)
        store.compact()
        full = path.stat().st_size
        store.remove(RUN)
        store.compact()
        assert path.stat().st_size < full / 5


def test_a_copy_of_the_file_can_be_opened_elsewhere(tmp_path):
    with SqliteStore(tmp_path / "a" / "s.db") as store:
        small_run(store)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    with SqliteStore(tmp_path / "b" / "s.db") as store:
        assert store.summary(RUN).state == "done"
