"""Time for those who wait for a human: the machine's, or one that is moved by waiting."""

import asyncio
import time
from typing import Protocol

from donewhen.core.protocols import EventStore


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since 1970."""
        ...

    async def wait(self, store: EventStore, since: int, seconds: float) -> None:
        """Until the store's number of changes is not `since`, at most so many seconds."""
        ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    async def wait(self, store: EventStore, since: int, seconds: float) -> None:
        await asyncio.to_thread(store.wait_for_change, since, seconds)


class SteppedClock:
    """Waiting takes no time and moves the clock: what takes hours is over at once."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    async def wait(self, store: EventStore, since: int, seconds: float) -> None:
        self._now += seconds
        await asyncio.sleep(0)
