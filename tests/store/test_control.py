"""Requests to a run and the watch on changes: one suite for both stores, then what only the file has."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import facts, run
from donewhen.core.protocols import Control, EventStore, Request
from donewhen.secrets.redact import Redactor
from donewhen.store.memory import MemoryStore
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
from donewhen.store.watching import POLL_SECONDS
from tests.helpers import RUN, small_run
from tests.tables import table_test

OTHER = "r-20261115043751-ffffff"
NOW = 1_794_717_470.0
AT = "2026-11-15T04:37:50.000Z"
ELSEWHERE = "another-host/b/n/1/1"
FOR_EVER = 60.0  # more than any test takes; a wait that ends then has failed

Make = Callable[..., EventStore]


@pytest.fixture(params=["memory", "sqlite"])
def make(request, tmp_path: Path) -> Iterator[Make]:
    made: list[EventStore] = []

    def open_one(**more) -> EventStore:
        store: EventStore = (
            MemoryStore(clock=lambda: NOW, **more)
            if request.param == "memory"
            else SqliteStore(tmp_path / "s.db", clock=lambda: NOW, **more)
        )
        made.append(store)
        return store

    yield open_one
    for store in made:
        store.close()


@pytest.fixture
def store(make: Make) -> EventStore:
    made = make()
    made.append(RUN, run.RunStarted("goal"))
    return made


def test_requests_come_back_in_order_with_who_and_when(store):
    first = store.request(RUN, Control("approve", "0a1b2c-1", {"scope": "run"}, "ada"))
    second = store.request(RUN, Control("abort", who="bob"))
    assert first == Request(1, RUN, AT, Control("approve", "0a1b2c-1", {"scope": "run"}, "ada"))
    assert store.requests(RUN) == [first, second]
    assert store.requests(RUN, after=1) == [second]
    assert store.requests(RUN, after=2) == []


def test_a_request_needs_no_lease_and_leaves_the_ledger_alone(store):
    lease = store.lease(RUN, ELSEWHERE, 60)
    head = store.head(RUN)
    store.request(RUN, Control("deny", "0a1b2c-1"))
    assert store.head(RUN) == head
    with pytest.raises(SetupError, match="in use by"):
        store.take(RUN, 1)
    assert store.take(RUN, 1, lease) is True


def test_a_request_is_taken_once(store):
    store.request(RUN, Control("approve", "0a1b2c-1"))
    assert store.take(RUN, 1) is True
    assert store.take(RUN, 1) is False
    assert store.take(RUN, 2) is False
    assert store.take(RUN, 0) is False
    assert [each.taken for each in store.requests(RUN)] == [AT]


def test_a_question_is_answered_once(store):
    store.request(RUN, Control("approve", "0a1b2c-1", who="ada"))
    with pytest.raises(UserError, match=f"0a1b2c-1 was already answered by ada at {AT}"):
        store.request(RUN, Control("deny", "0a1b2c-1", who="bob"))
    store.request(RUN, Control("deny", "0a1b2c-2", who="bob"))
    assert len(store.requests(RUN)) == 2


def test_two_that_answer_at_once_are_not_both_told_yes(store):
    told: list[str] = []

    def answer(name: str) -> None:
        try:
            store.request(RUN, Control("approve", "0a1b2c-1", who=name))
            told.append("yes")
        except UserError:
            told.append("no")

    threads = [threading.Thread(target=answer, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["no", "no", "no", "yes"]


def test_unknown_and_ended_runs_take_no_request(store):
    with pytest.raises(UserError, match="there is no run"):
        store.request(OTHER, Control("abort"))
    with pytest.raises(UserError, match="there is no run"):
        store.requests(OTHER)
    with pytest.raises(UserError, match="there is no run"):
        store.take(OTHER, 1)
    small_run(store, OTHER)
    with pytest.raises(UserError, match=r"has ended \(done\) and takes no request"):
        store.request(OTHER, Control("approve", "ffffff-1"))
    assert store.requests(OTHER) == []


@table_test(
    "control",
    [
        Control("nonsense", "x"),  # type: ignore[arg-type]
        Control("approve", "x" * 201),
        Control("approve", "x", who="y" * 201),
        Control("approve", "x", {"note": "n" * 70_000}),
        Control("approve", "x", {"note": float("nan")}),
        Control("approve", "x", {"number": 2**70}),
        Control("approve", "x", [1]),  # type: ignore[arg-type]
        Control("approve", 5),  # type: ignore[arg-type]
    ],
)
def test_what_is_too_large_or_no_request_is_refused(store, control):
    with pytest.raises(UserError, match="can't be written"):
        store.request(RUN, control)
    assert store.requests(RUN) == []


def test_only_so_many_requests_wait(store):
    for n in range(100):
        store.request(RUN, Control("amend", str(n)))
    with pytest.raises(UserError, match="100 requests to run .* wait already"):
        store.request(RUN, Control("amend"))
    store.take(RUN, 1)
    assert store.request(RUN, Control("amend")).number == 101


@pytest.mark.parametrize("kind", ["approve", "deny", "abort", "amend", "confirm"])
def test_every_kind_of_request_is_kept(store, kind):
    made = store.request(RUN, Control(kind, "x", {"text": "it looks right"}, "ada"))
    assert store.requests(RUN) == [made]
    assert made.control == Control(kind, "x", {"text": "it looks right"}, "ada")


def test_secrets_never_enter_a_request(make):
    secret = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    store = make(redactor=Redactor(["hunter2-declared-value"]))
    store.append(RUN, run.RunStarted("goal"))
    made = store.request(RUN, Control("approve", "x", {"note": [secret, "hunter2-declared-value"]}, secret))
    assert secret not in str(made)
    assert "hunter2" not in str(made)
    assert store.requests(RUN) == [made]


def test_odd_text_in_a_request_survives(store):
    odd = "caf\udce9 \u0000 \U0001f600 测试"
    store.request(RUN, Control("approve", odd, {"note": odd}, odd))
    (found,) = store.requests(RUN)
    assert found.control.payload["note"] == odd
    assert found.control.target == found.control.who == "caf\\udce9 \u0000 \U0001f600 测试"


def test_requests_go_with_their_run(store):
    store.request(RUN, Control("abort"))
    store.remove(RUN)
    store.append(RUN, run.RunStarted("new life"))
    assert store.requests(RUN) == []


def test_runs_that_asked_are_known(store):
    store.append(
        OTHER, run.RunStarted("goal"), facts.Asked("ffffff-1", "may I?"), facts.Asked("ffffff-2", "?")
    )
    assert store.asking() == [OTHER]
    store.append(RUN, facts.Asked("0a1b2c-1", "may I?"))
    assert store.asking() == [OTHER, RUN]


def test_who_executes_a_run_is_known(store):
    assert store.holder(RUN) == ""
    lease = store.lease(RUN, this_process(), 60)
    assert store.holder(RUN) == this_process()
    store.release(lease)
    assert store.holder(RUN) == ""
    host, boot, space, *_ = this_process().split("/")
    store.lease(RUN, f"{host}/{boot}/{space}/{2**22 + 1}/1", 3600)
    assert store.holder(RUN) == ""
    with pytest.raises(UserError):
        store.holder(OTHER)


def test_every_write_is_a_change(store):
    def changed(write: Callable[[], object]) -> bool:
        since = store.changes()
        write()
        return bool(store.wait_for_change(since, FOR_EVER) != since)

    assert changed(lambda: store.append(RUN, run.Noted("x")))
    assert changed(lambda: store.request(RUN, Control("abort")))
    assert changed(lambda: store.take(RUN, 1))
    assert changed(lambda: store.release(store.lease(RUN, this_process(), 5)))
    assert changed(lambda: store.remove(RUN))


def test_without_a_change_the_number_stays(store):
    since = store.changes()
    assert store.changes() == since
    assert store.wait_for_change(since, 0) == since
    list(store.read(RUN))
    assert store.changes() == since


def test_all_who_wait_are_woken(store):
    since = store.changes()
    seen: list[bool] = []
    threads = [
        threading.Thread(target=lambda: seen.append(store.wait_for_change(since, FOR_EVER) != since))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    store.request(RUN, Control("abort"))
    for thread in threads:
        thread.join()
    assert seen == [True] * 4


ANSWER = """
import sys
from pathlib import Path
from donewhen.core.protocols import Control
from donewhen.store.sqlite import SqliteStore
with SqliteStore(Path(sys.argv[1])) as store:
    store.request(sys.argv[2], Control("approve", "0a1b2c-1", who="another process"))
"""


def test_another_process_answers_while_this_one_holds_the_run_and_waits(tmp_path):
    assert POLL_SECONDS <= 0.25
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"))
        lease = store.lease(RUN, this_process(), 60)
        since = store.changes()
        child = subprocess.Popen([sys.executable, "-c", ANSWER, str(path), RUN])
        while not store.requests(RUN):
            now = store.wait_for_change(since, FOR_EVER)
            assert now != since
            since = now
        assert child.wait(FOR_EVER) == 0
        assert store.requests(RUN)[0].control.who == "another process"
        assert store.take(RUN, 1, lease)


def test_stores_of_one_file_share_one_look(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as first, SqliteStore(path) as second:
        first.append(RUN, run.RunStarted("goal"))
        assert first.changes() == second.changes()
        since = second.changes()
        first.append(RUN, run.Noted("x"))
        second.close()
        assert first.wait_for_change(since, FOR_EVER) != since
        with pytest.raises(SetupError, match="closed"):
            second.changes()


def test_a_store_that_is_closed_ends_its_waits(tmp_path):
    store = SqliteStore(tmp_path / "s.db")
    store.append(RUN, run.RunStarted("goal"))
    since = store.changes()
    waiting = threading.Event()
    ended: list[str] = []

    def wait() -> None:
        waiting.set()
        try:
            store.wait_for_change(since, FOR_EVER)
        except SetupError as error:
            ended.append(error.key)

    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait()
    store.close()
    thread.join()
    assert ended == ["store.closed"]


@table_test(
    "change",
    [
        "kind = 'explode'",
        "payload = '[]'",
        "payload = '{'",
        "target = x'00'",
        "number = 9223372036854775807",
    ],
)
def test_a_row_that_is_not_one_of_ours_is_no_answer(tmp_path, change):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"))
        store.request(RUN, Control("approve", "0a1b2c-1"))
    db = sqlite3.connect(path)
    db.execute(f"UPDATE control SET {change}")
    db.commit()
    db.close()
    with SqliteStore(path) as store:
        with pytest.raises(SetupError, match="is not one of ours and is not used"):
            store.requests(RUN)
        assert store.damage() == ["control"]


def test_a_request_that_belongs_to_no_run_is_damage(tmp_path):
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("goal"))
    db = sqlite3.connect(path)
    db.execute("INSERT INTO control VALUES (?, 1, '', 'abort', '', '{}', '', '')", (OTHER,))
    db.commit()
    db.close()
    with SqliteStore(path) as store:
        assert store.damage() == ["control"]
