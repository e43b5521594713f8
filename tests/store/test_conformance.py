"""One suite for every store: what an EventStore must do, whatever it is made of."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from donewhen.core.chain import Head
from donewhen.core.errors import InvariantBroken, SetupError, UserError
from donewhen.core.events import facts, run
from donewhen.core.events.run import State
from donewhen.core.protocols import EventStore, Query
from donewhen.core.summary import summarise
from donewhen.secrets.redact import Redactor
from donewhen.store.memory import MemoryStore
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN, small_run

OTHER = "r-20261115043751-ffffff"
ELSEWHERE = "another-host/b/n/1/1"


class Clock:
    def __init__(self) -> None:
        self.now = 1_794_717_470.0

    def __call__(self) -> float:
        return self.now


Make = Callable[..., EventStore]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def make(request, tmp_path: Path, clock: Clock) -> Iterator[Make]:
    made: list[EventStore] = []

    def open_one(**more) -> EventStore:
        store: EventStore = (
            MemoryStore(clock=clock, **more)
            if request.param == "memory"
            else SqliteStore(tmp_path / "s.db", clock=clock, **more)
        )
        made.append(store)
        return store

    yield open_one
    for store in made:
        store.close()


@pytest.fixture
def store(make: Make) -> EventStore:
    return make()


def test_events_come_back_as_they_went_in_with_numbers_and_hashes(store):
    written = store.append(RUN, run.RunStarted("goal"), run.Noted("one"))
    more = store.append(RUN, run.Noted("two"))
    assert [event.seq for event in (*written, *more)] == [1, 2, 3]
    assert list(store.read(RUN)) == [*written, *more]
    assert list(store.read(RUN, after=1)) == [written[1], *more]
    assert list(store.read(RUN, after=3)) == []
    assert store.head(RUN) == Head(3, more[0].hash)


def test_a_run_begins_with_run_started_and_only_once(store):
    with pytest.raises(UserError, match="no run"):
        store.append(RUN, run.Noted("x"))
    store.append(RUN, run.RunStarted("goal"))
    with pytest.raises(SetupError, match="already in the store"):
        store.append(RUN, run.RunStarted("again"))
    assert store.head(RUN).seq == 1


def test_an_append_is_all_or_nothing(store):
    store.append(RUN, run.RunStarted("goal"))
    with pytest.raises(InvariantBroken, match="not JSON"):
        store.append(RUN, run.Noted("fine"), facts.ToolCalled("k", "t", {"x": float("nan")}))
    with pytest.raises(SetupError):
        store.append(RUN, run.Noted("fine"), run.RunStarted("again"))
    assert [event.type for event in store.read(RUN)] == ["run_started"]


def test_an_empty_append_writes_nothing(store):
    store.append(RUN, run.RunStarted("goal"))
    assert store.append(RUN) == ()
    assert store.head(RUN).seq == 1


def test_unknown_runs_are_said_so_by_every_reader(store):
    for ask in (store.snapshot, store.head, store.summary, store.remove, lambda r: list(store.read(r))):
        with pytest.raises(UserError, match="there is no run r-x"):
            ask("r-x")
    with pytest.raises(UserError):
        store.lease("r-x", this_process(), 10)


def test_the_index_is_the_fold_of_the_events(store):
    small_run(store)
    assert store.summary(RUN) == summarise(RUN, store.read(RUN))
    assert store.summary(RUN).state == "done"
    assert store.summary(RUN).llm_micros == 250_000


def test_posted_events_keep_their_order_with_appended_ones(store):
    store.append(RUN, run.RunStarted("goal"))
    tickets = [store.post(RUN, run.Noted(str(n))) for n in range(50)]
    store.append(RUN, run.Noted("last"))
    assert all(ticket.done() for ticket in tickets)
    assert [event.body.text for event in list(store.read(RUN))[1:]] == [*map(str, range(50)), "last"]


def test_after_a_failed_post_nothing_more_is_written_until_a_new_lease(store):
    store.append(RUN, run.RunStarted("goal"))
    old = store.lease(RUN, this_process(), 10)
    store.lease(RUN, this_process(), 10)
    ticket = store.post(RUN, run.Noted("lost"), lease=old)
    with pytest.raises(SetupError, match="taken over"):
        ticket.result()
    with pytest.raises(SetupError, match="taken over"):
        store.append(RUN, run.Noted("would leave a hole"))
    lease = store.lease(RUN, this_process(), 10)
    store.append(RUN, run.Noted("fresh"), lease=lease)
    assert [event.type for event in store.read(RUN)] == ["run_started", "noted"]


def test_a_lease_keeps_others_out_until_it_ends(store, clock):
    store.append(RUN, run.RunStarted("goal"))
    lease = store.lease(RUN, ELSEWHERE, 10)
    with pytest.raises(SetupError, match="in use by another-host"):
        store.lease(RUN, this_process(), 10)
    with pytest.raises(SetupError, match="in use by"):
        store.append(RUN, run.Noted("without a lease"))
    store.append(RUN, run.Noted("with it"), lease=lease)
    clock.now += 8
    store.renew(lease, 10)
    clock.now += 8
    with pytest.raises(SetupError):
        store.lease(RUN, this_process(), 10)
    clock.now += 3
    mine = store.lease(RUN, this_process(), 10)
    assert mine.epoch == lease.epoch + 1
    with pytest.raises(SetupError, match="taken over"):
        store.append(RUN, run.Noted("too late"), lease=lease)
    with pytest.raises(SetupError, match="taken over"):
        store.renew(lease, 10)
    store.release(mine)
    store.append(RUN, run.Noted("free again"))
    assert [event.body.text for event in list(store.read(RUN))[1:]] == ["with it", "free again"]


def test_the_lease_of_a_dead_process_is_taken_at_once(store):
    store.append(RUN, run.RunStarted("goal"))
    host, boot, space, *_ = this_process().split("/")
    dead = [f"{host}/{boot}/{space}/{2**22 + 1}/1", f"{host}/{boot}/{space}/1/1", f"{host}/other/{space}/1/1"]
    for owner in dead:
        store.lease(RUN, owner, 3600)
        lease = store.lease(RUN, this_process(), 10)
        assert lease.owner == this_process()
        store.release(lease)


def test_a_process_that_may_live_keeps_its_lease(store):
    store.append(RUN, run.RunStarted("goal"))
    host, boot, space, pid, _ = this_process().split("/")
    for owner in (f"{host}/{boot}/other/{pid}/1", ELSEWHERE, "nonsense", f"{host}/{boot}/{space}/²/1"):
        lease = store.lease(RUN, owner, 3600)
        with pytest.raises(SetupError, match="in use by"):
            store.lease(RUN, "somebody/else/x/1/1", 10)
        store.release(lease)


def test_a_lease_fits_only_its_run_its_owner_and_its_life(store, clock):
    for name in (RUN, OTHER):
        store.append(name, run.RunStarted("goal"))
    mine, theirs = store.lease(RUN, this_process(), 60), store.lease(OTHER, ELSEWHERE, 60)
    with pytest.raises(SetupError, match="taken over"):
        store.append(OTHER, run.Noted("x"), lease=mine)
    with pytest.raises(SetupError, match="taken over"):
        store.append(OTHER, run.Noted("x"), lease=theirs._replace(owner=this_process()))
    store.release(mine)
    with pytest.raises(SetupError, match="taken over"):
        store.append(RUN, run.Noted("x"), lease=mine)
    again = store.lease(RUN, this_process(), 0.0)
    clock.now += 1
    records = store.snapshot(RUN).records
    store.remove(RUN)
    clock.now += 10
    store.restore(records)
    store.lease(RUN, this_process(), 60)
    with pytest.raises(SetupError, match="taken over"):
        store.append(RUN, run.Noted("x"), lease=again)


def test_what_could_not_be_read_again_is_not_written(store):
    store.append(RUN, run.RunStarted("goal"))
    for body in (
        facts.CommandEnded("1", "x", duration_ms=12.5),  # type: ignore[arg-type]
        run.StateChanged("idle", "running"),  # type: ignore[arg-type]
        run.PromiseSet("x", {"deep": nested(2000)}),
        ("no", "body"),
    ):
        with pytest.raises(InvariantBroken, match="can't be written"):
            store.append(RUN, body)
    assert store.head(RUN).seq == 1


def nested(depth: int) -> object:
    data: object = 1
    for _ in range(depth):
        data = [data]
    return data


def test_text_is_stored_as_it_reads_back(store):
    (event,) = store.append(RUN, run.RunStarted("\ud83d\ude00"))
    assert event.body.goal == "\U0001f600"
    store.append(RUN, run.PromiseSet("x", {1: "a"}))  # type: ignore[dict-item]
    assert [dict(e.body.promise) for e in store.read(RUN) if e.type == "promise_set"] == [{"1": "a"}]


@pytest.mark.parametrize("name", ["../../escape", "r-1", "", "a\0b", "r-٢٠٢٦١١١٥٠٤٣٧٥٠-0a1b2c"])
def test_a_run_is_named_as_runs_are(store, name):
    with pytest.raises(UserError, match="is no id of a run"):
        store.append(name, run.RunStarted("goal"))


def test_a_run_that_moved_on_is_not_removed(store):
    store.append(RUN, run.RunStarted("goal"))
    head = store.head(RUN)
    store.append(RUN, run.Noted("more"))
    with pytest.raises(SetupError, match="appended to meanwhile"):
        store.remove(RUN, head)
    store.remove(RUN, store.head(RUN))


def test_a_run_in_use_is_not_removed(store):
    store.append(RUN, run.RunStarted("goal"))
    store.lease(RUN, ELSEWHERE, 60)
    with pytest.raises(SetupError, match="in use"):
        store.remove(RUN)
    assert store.run_ids() == [RUN]


def test_a_body_that_can_not_be_written_is_refused_at_once_also_when_posted(store):
    store.append(RUN, run.RunStarted("goal"))
    with pytest.raises(InvariantBroken):
        store.post(RUN, run.StateChanged("idle", "running"))  # type: ignore[arg-type]
    store.append(RUN, run.Noted("the run goes on"))


def test_a_posted_event_can_not_be_cancelled(store):
    store.append(RUN, run.RunStarted("goal"))
    ticket = store.post(RUN, run.Noted("x"))
    assert ticket.cancel() is False
    store.append(RUN, run.Noted("y"))
    assert store.head(RUN).seq == 3


def test_lists_are_newest_first_and_filtered(store, clock):
    kinds: list[tuple[State, str]] = [("done", "/a"), ("fail", "/a"), ("paused", "/b"), ("done", "/b")]
    for n, (state, repo) in enumerate(kinds):
        clock.now += 3600
        name = f"r-2026111504375{n}-000000"
        store.append(name, run.RunStarted(f"goal {n}", repo=repo), run.StateChanged("idle", state))

    def names(query: Query) -> list[str]:
        return [row.goal[-1] for row in store.runs(query)]

    created = [row.created for row in store.runs()]
    assert created == sorted(created, reverse=True)
    assert names(Query()) == ["3", "2", "1", "0"]
    assert names(Query(limit=2)) == ["3", "2"]
    assert names(Query(states=("done",))) == ["3", "0"]
    assert names(Query(states=("done", "fail"), repo="/a")) == ["1", "0"]
    assert names(Query(since=created[1])) == ["3", "2"]
    assert names(Query(until=created[1])) == ["1", "0"]
    assert names(Query(states=("idle",))) == []


def test_runs_are_found_by_prefix(store):
    for name in (RUN, OTHER):
        store.append(name, run.RunStarted("goal"))
    assert store.matching("r-20261115") == [RUN, OTHER]
    assert store.matching(RUN[:-1]) == [RUN]
    assert store.matching("r-%") == []


def test_a_ledger_can_be_restored_whole_but_not_twice(store, make, tmp_path):
    source = MemoryStore()
    small_run(source)
    assert store.restore(source.snapshot(RUN).records) == source.summary(RUN)
    assert list(store.read(RUN)) == list(source.read(RUN))
    assert store.head(RUN) == source.head(RUN)
    with pytest.raises(SetupError, match="already in the store"):
        store.restore(source.snapshot(RUN).records)


def test_a_removed_run_is_gone_and_others_stay(store):
    small_run(store)
    small_run(store, OTHER)
    store.remove(RUN)
    assert [row.run_id for row in store.runs()] == [OTHER]
    with pytest.raises(UserError):
        store.snapshot(RUN)
    store.append(RUN, run.RunStarted("new life"))


def test_references_to_artifacts_are_known_per_run(store):
    store.append(RUN, run.RunStarted("goal"), run.ArtifactKept("d1", "log", 3))
    store.append(OTHER, run.RunStarted("goal"), facts.CommandEnded("1", "x", output="d2"))
    assert store.artifact_refs() == {(RUN, "d1"), (OTHER, "d2")}
    assert store.artifact_refs(RUN) == {(RUN, "d1")}


def test_sizes_are_those_of_the_ledgers(store):
    small_run(store)
    store.append(OTHER, run.RunStarted("goal"))
    sizes = store.sizes()
    assert set(sizes) == {RUN, OTHER}
    assert sizes[RUN] > sizes[OTHER] == len('{"goal":"goal"}')


def test_secrets_never_enter(make):
    secret = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    store = make(redactor=Redactor(["hunter2-declared-value"]))
    written = store.append(
        RUN,
        run.RunStarted(f"use {secret}"),
        facts.ToolCalled("1", "run", {"env": {"X": "hunter2-declared-value"}, "list": [secret]}),
    )
    text = "".join(record.payload for record in store.snapshot(RUN).records)
    assert secret not in text
    assert "hunter2" not in text
    assert "[redacted:" in text
    assert tuple(store.read(RUN)) == written


def test_writers_in_many_threads_lose_nothing(store):
    store.append(RUN, run.RunStarted("goal"))

    def write(name: str) -> None:
        for n in range(40):
            store.append(RUN, run.Noted(f"{name}{n}"))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    texts = [event.body.text for event in list(store.read(RUN))[1:]]
    assert sorted(texts) == sorted(f"{name}{n}" for name in "abcd" for n in range(40))
    for name in "abcd":
        assert [t for t in texts if t[0] == name] == [f"{name}{n}" for n in range(40)]


def test_odd_text_survives(store):
    odd = "caf\udce9 \u0000 \U0001f600 测试 \u2028"
    store.append(RUN, run.RunStarted(odd), facts.FileChanged(odd, "write"))
    assert [event.body[0] for event in store.read(RUN)] == [odd, odd]
    assert store.summary(RUN).goal == "caf\\udce9 \u0000 \U0001f600 测试 \u2028"
    assert store.summary(RUN) == summarise(RUN, store.read(RUN))


def test_references_can_be_read_while_nobody_writes(store):
    store.append(RUN, run.RunStarted("goal"), run.ArtifactKept("a" * 64, "log", 3))
    seen: list[set[tuple[str, str]]] = []
    store.alone(lambda: seen.append(store.artifact_refs()))
    assert seen == [{(RUN, "a" * 64)}]


@pytest.mark.parametrize(("owner", "ttl"), [("", 10), ("x", -1), ("x", float("nan")), ("x", float("inf"))])
def test_a_lease_needs_an_owner_and_a_time(store, owner, ttl):
    store.append(RUN, run.RunStarted("goal"))
    with pytest.raises(UserError, match="needs an owner"):
        store.lease(RUN, owner, ttl)


def test_sums_stay_in_their_column(store):
    store.append(RUN, run.RunStarted("goal"), *[run.CostBooked("k", "llm", 2**62)] * 3)
    assert store.summary(RUN).llm_micros == 2**62
    with pytest.raises(InvariantBroken, match="too large"):
        store.append(RUN, run.CostBooked("k", "llm", 2**63))


def test_an_event_about_another_promise_is_not_written(store):
    small_run(store)
    own = store.summary(RUN).promise
    written = store.append(RUN, facts.Verified("lint", "", "passed"))
    assert written[0].body.promise_id == own
    with pytest.raises(InvariantBroken, match="names the promise cp-1-dead"):
        store.append(RUN, facts.Verified("lint", "", "passed", promise_id="cp-1-dead"))
    assert list(store.read(RUN))[-1] == written[0]
