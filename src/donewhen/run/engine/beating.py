"""The lease of a live run is renewed while its process lives; when that fails, somebody else has the run."""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress

from donewhen.core.errors import DonewhenError
from donewhen.run.engine.alongside import alongside
from donewhen.run.engine.ledger import Ledger

TTL = 60.0
_EVERY = 15.0


def beating(ledger: Ledger) -> AbstractAsyncContextManager[None]:
    """Keep the lease; appends are refused by the store once another process has taken it."""
    return alongside(_beat(ledger))


async def _beat(ledger: Ledger) -> None:
    while ledger.lease is not None:
        await asyncio.sleep(_EVERY)
        with suppress(DonewhenError):  # the next append says what is wrong
            await asyncio.to_thread(ledger.store.renew, ledger.lease, TTL)
