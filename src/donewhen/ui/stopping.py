"""Being asked to end: SIGTERM and a lost terminal end work as Ctrl-C does, with everything put away.

The exception is raised wherever the work is, also in the middle of waiting for git: an event loop would hear
of the signal only when it is asked again.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stoppable() -> Iterator[None]:
    """KeyboardInterrupt from whatever runs inside when one of the signals comes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _stop) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
