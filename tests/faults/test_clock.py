"""A wall clock that jumps: order, elapsed time and leases do not hang on it, and lists stay whole."""

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.events import run
from donewhen.core.session import LivedFold
from donewhen.store.audit import audit
from donewhen.store.memory import MemoryStore
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
from tests.faults.clocks import jumping
from tests.faults.scenes import Scene, ended
from tests.faults.stage import Stage
from tests.helpers import RUN

DAY = 86_400
JUMPS = (0, DAY, -DAY, 3_600, -7_200, 30 * DAY)
GONE = "/".join((*this_process().split("/")[:3], "4194305", "1"))  # a process of this system that can't be
Store = SqliteStore | MemoryStore


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore(clock=clock)
        return
    with SqliteStore(tmp_path / "s.db", clock=clock) as opened:
        yield opened


@contextmanager
def refused(key: str) -> Iterator[None]:
    with pytest.raises(SetupError) as caught:
        yield
    assert caught.value.key == key


def test_events_keep_the_order_in_which_they_were_written(store: Store, clock: Clock):
    store.append(RUN, run.RunStarted("jumps"))
    for number, jump in enumerate(JUMPS * 3):
        clock.now += jump
        store.append(RUN, run.Noted(str(number)))
    noted = [event.body.text for event in store.read(RUN) if event.type == "noted"]
    assert noted == [str(number) for number in range(len(JUMPS) * 3)]
    assert [event.seq for event in store.read(RUN)] == list(range(1, len(noted) + 2))
    assert audit(store, RUN).ok
    (row,) = store.runs()
    assert (row.goal, row.logs, row.events) == ("jumps", len(noted), len(noted) + 1)


def test_whoever_holds_a_run_writes_on_however_the_clock_jumps(store: Store, clock: Clock):
    store.append(RUN, run.RunStarted("held"))
    lease = store.lease(RUN, this_process(), ttl=60)
    for jump in JUMPS:
        clock.now += jump
        store.append(RUN, run.Noted("here"), lease=lease)
        store.renew(lease, ttl=60)
        with refused("store.leased"):
            store.lease(RUN, "another/host", ttl=60)


def test_a_clock_that_goes_back_keeps_nobody_out_of_a_run_whose_process_is_gone(store: Store, clock: Clock):
    store.append(RUN, run.RunStarted("left"))
    store.lease(RUN, GONE, ttl=60)
    clock.now -= DAY
    assert store.holder(RUN) == ""
    store.append(RUN, run.Noted("mine"), lease=store.lease(RUN, this_process(), ttl=60))


def test_when_a_jump_ends_a_lease_only_one_of_two_can_write(store: Store, clock: Clock):
    store.append(RUN, run.RunStarted("taken"))
    slow = store.lease(RUN, this_process(), ttl=60)
    clock.now += DAY
    quick = store.lease(RUN, "another/host", ttl=60)
    clock.now -= DAY
    with refused("store.stale_lease"):
        store.append(RUN, run.Noted("late"), lease=slow)
    with refused("store.stale_lease"):
        store.renew(slow, ttl=60)
    store.append(RUN, run.Noted("in time"), lease=quick)


def test_a_run_that_has_ended_lived_as_long_as_it_counted_itself(store: Store, clock: Clock):
    bodies = (
        run.RunStarted("lives"),
        run.Checkpointed(0, 1_000),
        run.Decided("accepted", "accepted"),
        run.StateChanged("merging", "done"),
        run.Checkpointed(1, 5_000),
        run.Closed("done"),
    )
    for body, jump in zip(bodies, itertools.cycle((DAY, -3 * DAY)), strict=False):
        store.append(RUN, body)
        clock.now += jump
    lived = LivedFold()
    for event in store.read(RUN):
        lived.take(event)
    assert lived.seconds == 5.0


def told(stage: Stage, *words: str) -> dict[str, object]:
    done = stage.call(*words, "--json")
    assert done.exit == 0, done
    data: dict[str, object] = json.loads(done.out)
    return data


def sane(stage: Stage) -> None:
    """What people read afterwards: one run, ended, that lived for less than the smallest jump."""
    (row,) = cast(list[Any], told(stage, "list")["runs"])
    assert row["state"] == "done"
    assert row["metrics"]["duration"] >= 0
    shown = told(stage, "show", "last")
    assert 0 < shown["metrics"]["duration"] < 3_600  # type: ignore[index]
    figures = told(stage, "stats")
    assert figures["runs"] == 1
    assert [event.seq for event in stage.events()] == list(range(1, stage.row.events + 1))


@pytest.mark.faults
def test_a_run_under_a_clock_that_jumps_ends_as_it_would(tmp_path: Path):
    scene = Scene(tmp_path)
    scene.let_go()
    stage = scene.stage
    assert scene.same(stage.call(*stage.run_words, **jumping(stage, *JUMPS)))
    sane(stage)


@pytest.mark.faults
@pytest.mark.parametrize(("first", "then"), [(DAY, -DAY), (-DAY, DAY), (0, -30 * DAY)])
def test_a_killed_run_goes_on_under_another_clock(tmp_path: Path, first: int, then: int):
    scene = Scene(tmp_path)
    process = scene.under_way(**jumping(scene.stage, first))
    process.kill()
    process.communicate()
    assert scene.same(scene.resumed(**jumping(scene.stage, then)))
    sane(scene.stage)


@pytest.mark.faults
def test_a_live_run_is_not_taken_by_somebody_whose_clock_went_back(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    second = scene.stage.call("resume", "last", "-q", **jumping(scene.stage, -DAY))
    assert second.exit in (4, 5), second
    assert str(process.pid) in second.err
    scene.let_go()
    assert scene.same(ended(process))
