"""HTTP/1.1 to one address, with as little between us and the socket as is safe.

The library h11 reads and frames; connections are kept while both sides are at rest. A request is sent once:
one that got no answer may have been billed, so to send it again is not decided here.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from ssl import SSLCertVerificationError
from typing import Any

import h11

from donewhen.agents.models.endpoint_transport import Broken, NotReached, NotSent, Patience
from donewhen.agents.models.http1_address import checked_headers, read_address, target_of
from donewhen.agents.models.http1_tls import tls_context
from donewhen.agents.models.http1_wire import Wire

_LARGEST_HEAD = 100 * 1024
_MOST_HINTS = 32  # answers of 1xx before the answer
_MOST_KEPT = 20
_LONGEST_KEPT = 60.0  # seconds
_NEXT_FAMILY = 0.25  # seconds until another address of the host is tried as well
_PIECE = 64 * 1024


class Line:
    """All connections to one address; of one event loop at a time."""

    def __init__(self, url: str, headers: Mapping[str, str], patience: Patience) -> None:
        self._address = address = read_address(url)
        self._patience = patience
        own = {"host": address.authority, "connection": "keep-alive"}
        login = {"authorization": address.login} if address.login else {}
        given = {name.lower(): value for name, value in headers.items()}
        self._headers = checked_headers({**own, **given, **login})
        self._kept: list[_Connection] = []
        self._busy: set[_Connection] = set()

    @asynccontextmanager
    async def send(self, method: str, path: str, body: bytes = b"") -> AsyncIterator["_Connection"]:
        target = target_of(self._address.path, path)
        length = [("content-length", str(len(body)))] if body or method == "POST" else []
        try:
            request = h11.Request(method=method, target=target, headers=[*self._headers, *length])
        except h11.LocalProtocolError:
            raise NotSent("the request can't be written as HTTP") from None
        connection = self._rested() or await self._connect()
        self._busy.add(connection)
        try:
            await connection.ask(request, body)
            yield connection
        finally:
            self._busy.discard(connection)
            self._keep(connection)

    async def close(self) -> None:
        for connection in (*self._kept, *self._busy):
            connection.wire.stop()
        self._kept.clear()
        await asyncio.sleep(0)  # sockets are closed by the loop

    def _rested(self) -> "_Connection | None":
        """A kept connection that is still good; those that are not are closed."""
        loop = asyncio.get_running_loop()
        resting, self._kept = self._kept, []
        for connection in resting:
            fresh = connection.wire.loop is loop and loop.time() < connection.good_until
            if fresh and connection.wire.sound:
                self._kept.append(connection)
            else:
                connection.wire.stop()
        return self._kept.pop() if self._kept else None

    def _keep(self, connection: "_Connection") -> None:
        if not connection.rest():
            connection.wire.stop()
            return
        connection.good_until = connection.wire.loop.time() + _LONGEST_KEPT
        self._kept.append(connection)
        if len(self._kept) > _MOST_KEPT:
            self._kept.pop(0).wire.stop()

    async def _connect(self) -> "_Connection":
        address, loop = self._address, asyncio.get_running_loop()
        tls: dict[str, Any] = {}
        if address.tls:
            tls = {"ssl": await tls_context(), "server_hostname": address.host}
        try:
            async with asyncio.timeout(self._patience.connect):
                _, wire = await loop.create_connection(
                    lambda: Wire(self._patience.silence),
                    address.host,
                    address.port,
                    happy_eyeballs_delay=_NEXT_FAMILY,
                    **tls,
                )
        except SSLCertVerificationError as error:
            raise NotReached(f"its certificate is not trusted: {error.verify_message}") from None
        except TimeoutError:
            raise NotReached(f"no connection within {self._patience.connect:g} seconds") from None
        except OSError as error:
            raise NotReached(str(error) or type(error).__name__) from None
        except (UnicodeError, OverflowError):
            raise NotSent("the host or the port of the address can't be") from None
        return _Connection(wire)


class _Connection:
    """One connection, and the answer that is being read from it."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.good_until = 0.0
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LARGEST_HEAD)
        self._left: memoryview = memoryview(b"")

    async def ask(self, request: h11.Request, body: bytes) -> None:
        """Send a request, and read the answer up to its body."""
        self.wire.idle = False
        http = self._http
        parts = [http.send(request), http.send(h11.Data(data=body)), http.send(h11.EndOfMessage())]
        await self.wire.write(b"".join(parts))
        for _ in range(_MOST_HINTS):
            event = await self._event()
            if isinstance(event, h11.Response):
                self.status, self.headers = event.status_code, _headers(event)
                return
        raise Broken("no answer after all that was to come before it")

    async def chunks(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._event(), h11.Data):
            yield bytes(event.data)

    def rest(self) -> bool:
        """Make ready for the next request; False when there can be none."""
        http = self._http
        whole = http.our_state is h11.DONE and http.their_state is h11.DONE
        both = "content-length" in self.headers and "transfer-encoding" in self.headers
        if not whole or both or http.trailing_data[0] or self._left or not self.wire.sound:
            return False
        http.start_next_cycle()
        self.wire.idle = True
        return True

    async def _event(self) -> Any:
        try:
            while (event := self._http.next_event()) is h11.NEED_DATA:
                if not self._left:
                    self._left = memoryview(await self.wire.read())
                    if not self._left and self._http.their_state is h11.SEND_RESPONSE:
                        raise Broken("the connection ended before the answer")
                piece, self._left = self._left[:_PIECE], self._left[_PIECE:]
                self._http.receive_data(bytes(piece))
        except h11.RemoteProtocolError as error:
            raise Broken(str(error).partition(":")[0]) from None  # after it comes what the server said
        return event


def _headers(response: h11.Response) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in response.headers:
        key, said = name.decode("ascii"), value.decode("latin-1")
        found[key] = f"{found[key]}, {said}" if key in found else said
    return found
