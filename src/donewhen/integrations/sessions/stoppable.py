"""An exam that can be ended: SIGTERM cancels it, and with it all that it started."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def run_stoppable(work: Coroutine[Any, Any, T]) -> T:
    """KeyboardInterrupt when a signal ended it, with everything put away."""

    async def watched() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            for number in _SIGNALS:
                loop.add_signal_handler(number, task.cancel)
        return await work

    try:
        return asyncio.run(watched())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
