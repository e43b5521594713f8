"""One HTTP endpoint: posts bytes, hands on what comes back, and says what a failure means.

Connections are kept alive. No redirect is followed, for the key would go with it; no answer is taken without
bounds. A call that is cancelled closes its connection at once.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from donewhen.agents.models.failures import refused
from donewhen.core.chat import ModelFailed
from donewhen.core.errors import SetupError

if TYPE_CHECKING:
    import httpx2

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
        self._client: httpx2.AsyncClient | None = None

    async def post(self, path: str, body: bytes, start: Callable[[str], Take]) -> None:
        """Send a request and give its answer, chunk by chunk, to what `start` makes of its content type."""
        client = self._client = self._client or self._open()
        with_errors = _errors()
        try:
            async with (
                asyncio.timeout(_CONNECT + self._silence) as limit,
                client.stream("POST", self._base + path, content=body) as response,
            ):
                if response.status_code != 200:
                    raise await self._refusal(response)
                take = start(response.headers.get("content-type", "").lower())
                await self._take(response, take, limit)
        except ModelFailed:
            raise
        except TimeoutError:
            raise ModelFailed("timeout", f"nothing was said for {self._silence:g} seconds") from None
        except Exception as error:
            raise _failure(error, with_errors) from None

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _take(self, response: "httpx2.Response", take: Take, limit: asyncio.Timeout) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ModelFailed("answer", "compressed, though nobody asked for it")
        length = response.headers.get("content-length", "")
        if length.isdecimal() and len(length) < 19 and int(length) > self._largest:
            raise ModelFailed("huge", f"{length} bytes")
        size = 0
        clock = asyncio.get_running_loop().time
        limit.reschedule(clock() + self._silence)
        chunks = response.aiter_raw()
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

    async def _refusal(self, response: "httpx2.Response") -> ModelFailed:
        """The failure, with as much of its words as came."""
        body = b""
        try:
            async with asyncio.timeout(_CONNECT):
                async for chunk in response.aiter_raw():
                    body += chunk
                    if len(body) > _LARGEST_ERROR:
                        break
        except Exception:
            body = body or b""  # the status says enough
        return refused(response.status_code, response.headers, body[:_LARGEST_ERROR], time.time())

    def _open(self) -> "httpx2.AsyncClient":
        library = _library()
        at_home = is_loopback(self._base)
        client: httpx2.AsyncClient = library.AsyncClient(
            headers={
                "content-type": "application/json",
                "accept": "text/event-stream, application/json",
                "accept-encoding": "identity",
                "user-agent": "donewhen",
                **self._headers,
            },
            timeout=library.Timeout(self._silence, connect=_CONNECT, pool=None),
            limits=library.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=60),
            verify=False if at_home and self._base.startswith("http:") else _tls(),
            trust_env=not at_home,  # no proxy leads to this very machine
            follow_redirects=False,
        )
        return client


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


@cache
def _tls() -> Any:
    """Reading all authorities takes a tenth of a second: once for all endpoints."""
    return _library().create_ssl_context()


def _library() -> Any:
    try:
        import httpx2
    except ImportError:
        raise SetupError("models.no_library") from None
    return httpx2


@cache
def _errors() -> tuple[tuple[Any, str, bool], ...]:
    """Exceptions of the library, what they mean, and whether nothing can have been billed."""
    library = _library()
    return (
        (library.ConnectTimeout, "unreachable", True),
        (library.ConnectError, "unreachable", True),
        (library.ProxyError, "unreachable", True),
        (library.PoolTimeout, "busy", True),
        (library.TimeoutException, "timeout", False),
        (library.UnsupportedProtocol, "request", True),
        (library.LocalProtocolError, "request", True),
        (library.InvalidURL, "request", True),
        (library.TransportError, "cut", False),
        (library.StreamError, "cut", False),
        (OSError, "cut", False),
        (UnicodeError, "request", True),  # of a host's name
    )


def _failure(error: Exception, known: tuple[tuple[Any, Any, bool], ...]) -> Exception:
    for kind, failure, free in known:
        if isinstance(error, kind):
            return ModelFailed(failure, str(error) or type(error).__name__, free=free)
    return error
