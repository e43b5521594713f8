"""The lease of a live run is renewed while its process lives; when that fails, somebody else has the run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from donewhen.core.errors import DonewhenError
from donewhen.run.engine.ledger import Ledger

TTL = 60.0
_EVERY = 15.0


@asynccontextmanager
async def beating(ledger: Ledger) -> AsyncIterator[None]:
    """Keep the lease; appends are refused by the store once another process has taken it."""
    task = asyncio.create_task(_beat(ledger))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _beat(ledger: Ledger) -> None:
    while ledger.lease is not None:
        await asyncio.sleep(_EVERY)
        with suppress(DonewhenError):  # the next append says what is wrong
            await asyncio.to_thread(ledger.store.renew, ledger.lease, TTL)
