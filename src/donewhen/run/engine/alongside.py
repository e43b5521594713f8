"""Something that goes on beside the work, and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any


@asynccontextmanager
async def alongside(beside: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(beside)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
