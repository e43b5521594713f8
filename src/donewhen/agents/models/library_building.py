"""Models of the library with our key, our address and our HTTP client.

A key goes only where it was meant to go: no redirect is followed, and where we have none the library is not
left to find one in the environment.
"""

import inspect
from collections.abc import AsyncIterator
from typing import Any

import httpx2
from pydantic_ai.exceptions import UserError as LibraryError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class

from donewhen.agents.models.endpoint import is_loopback
from donewhen.core.chat import ModelFailed
from donewhen.core.errors import SetupError, UserError

_CONNECT = 10.0
_LARGEST = 16 * 1024 * 1024  # of an answer; the library takes ever longer for larger ones
_NO_KEY = "none"


def build(
    provider: str, model: str, key: str, base_url: str | None, silence: float
) -> tuple[Model, httpx2.AsyncClient]:
    """The library's model and the client it sends with, to be closed."""
    client = http_client(base_url, silence)
    try:
        kind = infer_provider_class(provider)
        made = infer_model(f"{provider}:{model}", lambda _: _made(kind, provider, key, base_url, client))
    except ImportError:
        raise SetupError("prices.needs_more", provider=provider) from None
    except (ValueError, LibraryError):
        raise UserError("prices.unknown_provider", provider=provider) from None
    return made, client


def _made(
    kind: type[Provider[Any]], provider: str, key: str, base_url: str | None, client: httpx2.AsyncClient
) -> Provider[Any]:
    takes = inspect.signature(kind).parameters
    if base_url and "base_url" not in takes:
        raise UserError("prices.no_base_url", provider=provider)
    if not key and not base_url:
        raise UserError("prices.no_key", provider=provider)
    given = {"api_key": key or _NO_KEY, "base_url": base_url or None, "http_client": client}
    return kind(**{name: value for name, value in given.items() if name in takes and value is not None})


def http_client(base_url: str | None, silence: float) -> httpx2.AsyncClient:
    return _NoRedirects(
        headers={"accept-encoding": "identity"},  # a small answer could become a huge one
        timeout=httpx2.Timeout(silence, connect=_CONNECT, pool=None),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=60),
        trust_env=not is_loopback(base_url or ""),  # no proxy leads to this very machine
        event_hooks={"request": [_connect_soon], "response": [_bound]},
    )


class _NoRedirects(httpx2.AsyncClient):
    """The library asks for redirects; the key would go with them."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        return await super().send(request, **{**options, "follow_redirects": False})


async def _connect_soon(request: httpx2.Request) -> None:
    """The library sets one time limit for everything; to connect takes seconds."""
    limits = request.extensions.get("timeout")
    if isinstance(limits, dict):
        request.extensions["timeout"] = {**limits, "connect": _CONNECT}


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ModelFailed("answer", "compressed, though nobody asked for it")
    length = response.headers.get("content-length", "")
    if length.isdecimal() and len(length) < 19 and int(length) > _LARGEST:
        raise ModelFailed("huge", f"{length} bytes")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        is_stream = "event-stream" in response.headers.get("content-type", "")
        response.stream = _Bounded(response.stream, is_stream)


class _Bounded(httpx2.AsyncByteStream):
    """An answer that ends with an error where it grows beyond all we take.

    Comments, which proxies send to keep a stream alive, are left out: not every client knows them.
    """

    def __init__(self, inner: httpx2.AsyncByteStream, is_stream: bool) -> None:
        self._inner = inner
        self._is_stream = is_stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size, rest = 0, b""
        async for chunk in self._inner:
            size += len(chunk)
            if size > _LARGEST:
                raise ModelFailed("huge", f"more than {_LARGEST} bytes")
            if not self._is_stream:
                yield chunk
                continue
            *lines, rest = (rest + chunk).split(b"\n")
            said = [line for line in lines if not line.startswith(b":")]
            if said:
                yield b"\n".join((*said, b""))
        if rest:
            yield rest

    async def aclose(self) -> None:
        await self._inner.aclose()
