"""The bytes of one connection, both ways.

What came before a connection broke can still be read: a server may refuse a request, and hang up, while the
request is being sent.
"""

import asyncio
import select
from collections import deque
from typing import cast

from donewhen.agents.models.endpoint_transport import Broken, Silent

_MOST_UNREAD = 256 * 1024


class Wire(asyncio.Protocol):
    """`idle`: nobody waits for an answer, so whatever comes ends it."""

    def __init__(self, silence: float) -> None:
        self.idle = False
        self.loop = asyncio.get_running_loop()
        self._silence = silence
        self._transport: asyncio.Transport | None = None
        self._came: deque[bytes] = deque()
        self._unread = 0
        self._reading = True
        self._full = False  # no more should be written for now
        self._over = False
        self._error = ""
        self._waiting: asyncio.Future[None] | None = None

    @property
    def sound(self) -> bool:
        """Nothing is left over, either way, and nobody hung up; also of what the loop has not seen yet."""
        transport = self._transport
        if transport is None or self._over or self._came or transport.is_closing():
            return False
        return not transport.get_write_buffer_size() and not _readable(transport)

    async def write(self, data: bytes) -> None:
        """Send; ends early when an answer begins to come or the connection is lost, which reading tells."""
        if self._transport is None or self._over:
            return
        self._transport.write(data)
        while self._full and not self._over and not self._came:
            await self._wait()

    async def read(self) -> bytes:
        """What came, empty at its end."""
        while not self._came:
            if self._over:
                if self._error:
                    raise Broken(self._error)
                return b""
            await self._wait()
        data = self._came.popleft()
        self._unread -= len(data)
        if not self._reading and self._transport is not None and self._unread < _MOST_UNREAD:
            self._reading = True
            self._transport.resume_reading()
        return data

    def stop(self) -> None:
        """End the connection at once, also where its loop has ended before."""
        transport, self._transport = self._transport, None
        self._error = self._error or "the connection was closed here"
        self._over = True
        self._wake()
        if transport is not None and self.loop is _running():
            transport.abort()
        elif transport is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(transport.abort)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self.idle:
            self.stop()
            return
        self._came.append(data)
        self._unread += len(data)
        if self._unread >= _MOST_UNREAD and self._reading and self._transport is not None:
            self._reading = False
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._over = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        if error is not None and not self._over:
            self._error = str(error) or type(error).__name__
        self._over = True
        self._transport = None
        self._wake()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        self._wake()

    async def _wait(self) -> None:
        self._waiting = self.loop.create_future()
        try:
            async with asyncio.timeout(self._silence):
                await self._waiting
        except TimeoutError:
            raise Silent from None
        finally:
            self._waiting = None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done() and not self.loop.is_closed():
            self._waiting.set_result(None)


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _readable(transport: asyncio.Transport) -> bool:
    """Whether something came: on a connection that rests, that is its end or an answer nobody asked for."""
    socket = transport.get_extra_info("socket")
    if socket is None or socket.fileno() < 0:
        return True
    asked = select.poll()
    asked.register(socket.fileno(), select.POLLIN)
    return bool(asked.poll(0))
