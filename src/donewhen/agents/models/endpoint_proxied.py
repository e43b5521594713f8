"""The way through a proxy, which httpx2 knows; it is loaded only where the environment names one."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from donewhen.agents.models.endpoint_transport import Broken, NotReached, NotSent, Patience, Silent
from donewhen.agents.models.http1_address import checked_headers
from donewhen.core.errors import SetupError

if TYPE_CHECKING:
    import httpx2


def uses_proxy(url: str) -> bool:
    """Whether http_proxy, https_proxy or all_proxy is meant for an address, and no_proxy leaves it."""
    if not any(name.lower().endswith("_proxy") and value for name, value in os.environ.items()):
        return False
    import urllib.request

    proxies = urllib.request.getproxies_environment()
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if not (proxies.get(parts.scheme) or proxies.get("all")):
        return False
    bypass = urllib.request.proxy_bypass_environment  # type: ignore[attr-defined]
    return not bypass(parts.netloc.rpartition("@")[2], proxies)


class Proxied:
    def __init__(self, url: str, headers: Mapping[str, str], patience: Patience) -> None:
        library = _library()
        self._base = url
        try:
            self._client: httpx2.AsyncClient = library.AsyncClient(
                headers=checked_headers(headers),
                timeout=library.Timeout(patience.silence, connect=patience.connect, pool=None),
                limits=library.Limits(
                    max_connections=None, max_keepalive_connections=20, keepalive_expiry=60
                ),
                verify=_tls(),
                follow_redirects=False,
            )
        except (library.InvalidURL, ValueError, ImportError):
            raise NotReached("the proxy that the environment names can't be used") from None
        except OSError as error:
            raise NotReached(f"the certificate authorities can't be read: {error.strerror}") from None

    @asynccontextmanager
    async def send(self, method: str, path: str, body: bytes = b"") -> AsyncIterator["_Answer"]:
        library = _library()
        try:
            async with self._client.stream(method, self._base + path, content=body) as response:
                yield _Answer(response)
        except (library.ConnectTimeout, library.ConnectError, library.ProxyError) as error:
            raise NotReached(str(error) or type(error).__name__) from None
        except library.TimeoutException:
            raise Silent from None
        except (library.UnsupportedProtocol, library.InvalidURL, UnicodeError) as error:
            raise NotSent(str(error) or type(error).__name__) from None
        except library.LocalProtocolError:
            raise NotSent("the request can't be written as HTTP") from None  # the library shows the value
        except (library.TransportError, library.StreamError) as error:
            raise Broken(str(error) or type(error).__name__) from None

    async def close(self) -> None:
        await self._client.aclose()


class _Answer:
    def __init__(self, response: "httpx2.Response") -> None:
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._response = response

    def chunks(self) -> AsyncIterator[bytes]:
        return self._response.aiter_raw()


@cache
def _tls() -> Any:
    """Reading all authorities takes a tenth of a second: once for all endpoints."""
    return _library().create_ssl_context()


def _library() -> Any:
    try:
        import httpx2
    except ImportError:
        raise SetupError("models.no_library", package="httpx2") from None
    return httpx2
