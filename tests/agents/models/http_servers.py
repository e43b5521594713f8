"""Servers on this machine that answer with any bytes, and what a client makes of them."""

import asyncio
import gc
import os
import socket
import ssl
import stat
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from donewhen.agents.models.endpoint import Endpoint
from donewhen.core.chat import ModelFailed

KEY = "key-4f1c77aa90"
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"

Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Served(NamedTuple):
    url: str
    heads: list[bytes]  # of all requests
    connections: list[asyncio.StreamWriter]  # one for each that was opened
    ended: asyncio.Queue[int]  # one for each that the client closed


@asynccontextmanager
async def serving(answer: Answering, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"):
    """A server that reads requests whole and answers each so; `answer` closes what it wants to be closed."""
    heads: list[bytes] = []
    connections: list[asyncio.StreamWriter] = []
    ended: asyncio.Queue[int] = asyncio.Queue()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        try:
            while not writer.is_closing():
                head = await reader.readuntil(b"\r\n\r\n")
                heads.append(head)
                if b"content-length: " in head:
                    await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
                await answer(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            ended.put_nowait(1)
            writer.close()

    running = await asyncio.start_server(connected, host, 0, ssl=tls)
    port = running.sockets[0].getsockname()[1]
    try:
        place = f"[{host}]" if ":" in host else host
        yield Served(f"{'https' if tls else 'http'}://{place}:{port}", heads, connections, ended)
    finally:
        running.close()
        for each in connections:
            each.close()


def says(data: bytes, *, close: bool = False) -> Answering:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        if close:
            writer.close()

    return answer


def reset(writer: asyncio.StreamWriter) -> None:
    """End a connection so that the other side is told of an error."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    writer.transport.abort()


async def heard(endpoint: Endpoint, path: str = "/x", body: bytes = b"{}") -> bytes:
    """The body of an answer."""
    came: list[bytes] = []

    def take(chunk: bytes):
        came.append(chunk)
        return "more"

    await endpoint.post(path, body, lambda _: take)
    return b"".join(came)


async def outcome(endpoint: Endpoint, body: bytes = b"{}") -> bytes | tuple[str, bool]:
    """The body of an answer, or the kind of failure and whether it is free."""
    try:
        return await heard(endpoint, body=body)
    except ModelFailed as failed:
        assert KEY not in failed.detail
        return failed.kind, failed.free


def answered(answer: Answering, *, silence: float = 60.0) -> bytes | tuple[str, bool]:
    """What comes of one request that is answered so."""

    async def playing() -> bytes | tuple[str, bool]:
        async with serving(answer) as server:
            endpoint = Endpoint(server.url, {"authorization": f"Bearer {KEY}"}, silence=silence)
            try:
                return await outcome(endpoint)
            finally:
                await endpoint.close()

    return asyncio.run(playing())


async def cancelled(url: str, begun: Callable[[], bool], body: bytes = b"{}") -> None:
    """Ask an endpoint, and give up as soon as `begun`; the endpoint is not even closed."""
    asking = asyncio.ensure_future(heard(Endpoint(url, {}), body=body))
    while not begun():
        await asyncio.sleep(0)
    assert not asking.done()
    asking.cancel()
    await asyncio.wait([asking])
    assert asking.cancelled()


def settled_sockets() -> int:
    """The same, without those that other tests have dropped."""
    gc.collect()
    return sockets()


def sockets() -> int:
    """How many sockets this process holds."""
    found = 0
    for each in Path("/dev/fd").iterdir():
        try:
            found += stat.S_ISSOCK(os.fstat(int(each.name)).st_mode)
        except OSError:
            continue  # the folder itself
    return found
