"""The ledger of a live run: one order for the store, the state and whoever watches, whoever writes."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from donewhen.commands import parse
from donewhen.config import config_from_mapping
from donewhen.core.errors import DonewhenError
from donewhen.core.events import Body, run
from donewhen.run.engine.ledger import Ledger, shared
from donewhen.run.engine.state import RunState
from donewhen.store import open_store
from tests.helpers import RUN


class Seen:
    def __init__(self) -> None:
        self.bodies: list[Body] = []


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def ledger(tmp_path: Path, seen: Seen) -> Iterator[Ledger]:
    with open_store("user", state=tmp_path / "state", folder=tmp_path) as opened:
        yield Ledger(opened, RUN, RunState(config_from_mapping({}), parse), seen.bodies.append)


def stored(ledger: Ledger) -> list[Body]:
    return [event.body for event in ledger.store.read(RUN, 0)]


def test_threads_that_write_at_once_leave_one_order_for_all(ledger: Ledger):
    ledger.append(run.RunStarted("goal"))
    order: list[Body] = []
    take = ledger.state.take

    def taken(body: Body) -> None:
        order.append(body)
        take(body)

    ledger.state.take = taken  # type: ignore[method-assign]

    def write(who: int) -> None:
        for number in range(40):
            ledger.post(run.Noted(f"{who}:{number}"), run.Noted(f"{who}:{number} again"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    ledger.settle()
    assert len(order) == 640
    assert stored(ledger)[1:] == order
    assert ledger.state.seq == 641
    texts = [body.text for body in order if isinstance(body, run.Noted)]
    assert all(after == f"{before} again" for before, after in zip(texts[::2], texts[1::2], strict=True))


def test_a_turn_is_never_counted_before_it_is_written(ledger: Ledger, seen: Seen):
    ledger.append(run.RunStarted("goal"), run.TurnStarted(1))
    ledger.post(run.TurnStarted(2))
    assert ledger.trace() == f"{RUN}:3"
    ledger.settle()
    assert seen.bodies == stored(ledger) == [run.RunStarted("goal"), run.TurnStarted(1), run.TurnStarted(2)]
    assert ledger.state.turns == 2


def test_what_others_append_is_folded_too(ledger: Ledger):
    events = shared(ledger).append(RUN, run.RunStarted("goal"), run.TurnStarted(7))
    assert [event.body for event in events] == stored(ledger)
    assert ledger.state.turns == 7


def test_nothing_is_written_after_the_store_has_failed(ledger: Ledger):
    ledger.append(run.RunStarted("goal"))
    ledger.lease = ledger.store.lease(RUN, "another-host/b/n/1/1", 3600)
    ledger.store.release(ledger.lease)
    ledger.store.lease(RUN, "a-third-host/b/n/1/1", 3600)
    with pytest.raises(DonewhenError):
        ledger.append(run.TurnStarted(1))
    with pytest.raises(DonewhenError):
        ledger.post(run.TurnStarted(2))
    assert stored(ledger) == [run.RunStarted("goal")]


def test_appending_from_an_event_loop_and_from_threads_does_not_lock_up(ledger: Ledger):
    async def both() -> None:
        ledger.append(run.RunStarted("goal"))
        await asyncio.gather(*(asyncio.to_thread(ledger.append, run.TurnStarted(n)) for n in range(1, 20)))

    asyncio.run(both())
    assert len(stored(ledger)) == 20
