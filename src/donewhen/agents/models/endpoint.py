"""One HTTP endpoint: posts bytes, hands on what comes back, and says what a failure means.

Connections are kept alive. No redirect is followed, for the key would go with it; no answer is taken without
bounds. A call that is cancelled closes its connection at once.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from donewhen.agents.models.endpoint_transport import (
    Answer,
    Broken,
    NotReached,
    NotSent,
    Patience,
    Silent,
    Transport,
    TransportFailed,
)
from donewhen.agents.models.failures import refused
from donewhen.core.chat import Failure, ModelFailed
from donewhen.core.errors import SetupError

LARGEST_ANSWER = 32 * 1024 * 1024
_LARGEST_ERROR = 64 * 1024
_CONNECT = 10.0
_GOODBYE = 0.5  # seconds for the end of a stream whose last word was said, so that its connection can be kept

Heard = Literal["nothing", "more", "all"]  # whether a chunk carried anything, or the last word
Take = Callable[[bytes], Heard]


class Endpoint:
    """`headers` hold the key; they are shown to nobody.

    `silence`: seconds in which something must be said; signs of life alone say nothing.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        *,
        silence: float = 600.0,
        largest: int = LARGEST_ANSWER,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._headers = dict(headers)
        self._silence = silence
        self._largest = largest
        self._transport: Transport | None = None

    async def post(self, path: str, body: bytes, start: Callable[[str], Take]) -> None:
        """Send a request and give its answer, chunk by chunk, to what `start` makes of its content type."""
        try:
            transport = self._transport = self._transport or self._open()
            async with (
                asyncio.timeout(_CONNECT + self._silence) as limit,
                transport.send("POST", path, body) as answer,
            ):
                if answer.status != 200:
                    raise await self._refusal(answer)
                take = start(answer.headers.get("content-type", "").lower())
                await self._take(answer, take, limit)
        except (TimeoutError, Silent):
            raise ModelFailed("timeout", f"nothing was said for {self._silence:g} seconds") from None
        except (TransportFailed, OSError) as error:
            raise _failure(error) from None

    async def close(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.close()

    async def _take(self, answer: Answer, take: Take, limit: asyncio.Timeout) -> None:
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            raise ModelFailed("answer", "compressed, though nobody asked for it")
        length = answer.headers.get("content-length", "")
        if length.isdecimal() and len(length) < 19 and int(length) > self._largest:
            raise ModelFailed("huge", f"{length} bytes")
        size = 0
        clock = asyncio.get_running_loop().time
        limit.reschedule(clock() + self._silence)
        chunks = answer.chunks()
        async for chunk in chunks:
            size += len(chunk)
            if size > self._largest:
                raise ModelFailed("huge", f"more than {self._largest} bytes")
            heard = take(chunk)
            if heard == "all":
                limit.reschedule(None)
                await _drain(chunks)
                return
            if heard == "more":
                limit.reschedule(clock() + self._silence)

    async def _refusal(self, answer: Answer) -> ModelFailed:
        """The failure, with as much of its words as came."""
        body = b""
        try:
            async with asyncio.timeout(_CONNECT):
                async for chunk in answer.chunks():
                    body += chunk
                    if len(body) > _LARGEST_ERROR:
                        break
        except Exception:
            body = body or b""  # the status says enough
        return refused(answer.status, answer.headers, body[:_LARGEST_ERROR], time.time())

    def _open(self) -> Transport:
        headers = {
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
            "accept-encoding": "identity",
            "user-agent": "donewhen",
            **self._headers,
        }
        return open_transport(self._base, headers, Patience(_CONNECT, self._silence))


def open_transport(url: str, headers: Mapping[str, str], patience: Patience) -> Transport:
    """Our own line, or the library where a proxy leads to the address; none leads to this very machine."""
    if not is_loopback(url):
        from donewhen.agents.models.endpoint_proxied import Proxied, uses_proxy

        if uses_proxy(url):
            return Proxied(url, headers, patience)
    try:
        from donewhen.agents.models.http1 import Line
    except ImportError:
        raise SetupError("models.no_library", package="h11") from None
    return Line(url, headers, patience)


def is_loopback(url: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """The rest of an answer whose last word was said: a few bytes, or the connection is not worth keeping."""
    try:
        async with asyncio.timeout(_GOODBYE):
            size = 0
            async for chunk in chunks:
                size += len(chunk)
                if size > _LARGEST_ERROR:
                    return
    except Exception:
        return


_MEANING: tuple[tuple[type[Exception], Failure, bool], ...] = (
    (NotReached, "unreachable", True),
    (NotSent, "request", True),
    (Broken, "cut", False),
    (OSError, "cut", False),
)


def _failure(error: Exception) -> ModelFailed:
    """What a failure of the transport means, and whether nothing can have been billed."""
    kind, free = next((kind, free) for each, kind, free in _MEANING if isinstance(error, each))
    return ModelFailed(kind, str(error) or type(error).__name__, free=free)
