"""Being asked to end: SIGTERM and a lost terminal end work as Ctrl-C does, with everything put away."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")
_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


async def stoppable(work: Coroutine[Any, Any, _T]) -> _T:
    """The result of `work`; KeyboardInterrupt when a signal ended it."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    asked: list[int] = []

    def stop(number: int) -> None:
        asked.append(number)
        task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
