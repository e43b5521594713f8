"""Being asked to end: SIGTERM and a lost terminal end work as Ctrl-C does, with everything put away.

Work that has safe points is asked to stop at the next one by a first Ctrl-C; the second one, and every other
signal, ends it now. Work that waits for git is interrupted where it stands: an event loop would hear of the
signal only when it is asked again. Inside the event loop's own code nothing is raised, because an exception
there can be lost or leave a waiter behind; there the work is cancelled.
"""

import asyncio
import signal
import threading
from collections.abc import Coroutine
from types import FrameType
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOOP = ("asyncio", "selectors", "weakref", "concurrent", "threading", "contextvars")


class SafePoint(Protocol):
    """Whether work can be asked to stop by itself."""

    def ask(self) -> bool:
        """Whether it will; False when it should be ended now."""


def run_stoppable(work: Coroutine[Any, Any, T], safe: SafePoint | None = None) -> T:
    """KeyboardInterrupt when one of the signals comes before the work ends, unless it stops by itself."""
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(work)
    stopping = _Stopping(safe)
    before = {number: signal.signal(number, stopping.asked) for number in _SIGNALS}
    try:
        return asyncio.run(stopping.watched(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        work.close()


class _Stopping:
    def __init__(self, safe: SafePoint | None) -> None:
        self._safe = safe
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._asked = False

    async def watched(self, work: Coroutine[Any, Any, T]) -> T:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        return await work

    def asked(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and self._safe is not None and self._safe.ask():
            return
        again, self._asked = self._asked, True
        if self._loop is None or self._task is None or self._loop.is_closed():
            raise KeyboardInterrupt
        self._loop.call_soon_threadsafe(self._task.cancel)
        if again or not _in_loop(frame):
            raise KeyboardInterrupt


def _in_loop(frame: FrameType | None) -> bool:
    return frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in _LOOP
