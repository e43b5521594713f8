"""As much of HTTP/1.1 as a fake endpoint needs: requests in, whole and chunked responses out.

A response is one write: headers and body in two packets would cost every call a delayed acknowledgement.
"""

import asyncio
from collections.abc import Mapping
from typing import NamedTuple

LARGEST = 64 * 1024 * 1024  # bytes of a request
_LONGEST_HEAD = 64 * 1024
_WORDS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}
END = b"0\r\n\r\n"


class Unreadable(Exception):
    """No HTTP that we understand; the connection ends."""


class Incoming(NamedTuple):
    method: str
    target: str
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    @property
    def keeps(self) -> bool:
        return self.headers.get("connection", "").lower() != "close"


async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Incoming | None:
    """The next request; None when the client has gone."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise Unreadable from None
    try:
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        method, target, _ = first.split(" ")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        size = int(headers.get("content-length", "0"))
    except ValueError:
        raise Unreadable from None
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return Incoming(method, target, headers, await _chunks(reader))
    if not 0 <= size <= LARGEST:
        raise Unreadable
    return Incoming(method, target, headers, await reader.readexactly(size))


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    found = bytearray()
    while True:
        try:
            size = int((await reader.readline()).split(b";")[0], 16)
        except ValueError:
            raise Unreadable from None
        if not 0 <= size <= LARGEST - len(found):
            raise Unreadable
        found += await reader.readexactly(size)
        if size == 0:
            while (await reader.readline()).strip():  # trailers
                pass
            return bytes(found)
        await reader.readexactly(2)


def head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {_WORDS.get(status, 'Status')}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def whole(status: int, headers: Mapping[str, str], body: bytes, size: int | None = None) -> bytes:
    """A response of known length; `size` promises another one."""
    length = len(body) if size is None else size
    return head(status, {**headers, "content-length": str(length)}) + body


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)
