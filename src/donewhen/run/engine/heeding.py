"""Whoever wants something of a live run is heard within a second, also while a command takes its time.

An abort cuts what is under way; a changed promise and a confirmation are taken at once while the agent works,
and after the attempt while one is being judged: what is judged does not change under the judge.
"""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from donewhen.core.errors import DonewhenError
from donewhen.run.engine.alongside import alongside
from donewhen.run.engine.controls import aborting, take_requests
from donewhen.run.engine.live import Run

_EVERY = 0.1  # seconds
_AT_ONCE = frozenset({"executing", "planning", "paused"})


def heeding(live: Run) -> AbstractAsyncContextManager[None]:
    """Inside, requests of other processes reach the run."""
    return alongside(_heed(live, asyncio.current_task()))


async def _heed(live: Run, work: "asyncio.Task[Any] | None") -> None:
    store, seen = live.ledger.store, -1
    while True:
        await asyncio.sleep(_EVERY)
        with suppress(DonewhenError):  # the next append says what is wrong with the store
            now = await asyncio.to_thread(store.changes)
            if now == seen:
                continue
            seen = now
            who = await asyncio.to_thread(aborting, live)
            if who is not None and work is not None:
                live.aborted_by = who
                work.cancel()
                return
            if live.state.position.state in _AT_ONCE:
                take_requests(live)
