"""`FakeForge`: a GitHub and a GitLab on this machine, as far as pull requests go, over real HTTP.

It lives in a thread of its own and holds what was opened. `faults` are played one for each request that
they fit, in order; then it answers as a forge does. Whether a branch is there it asks of `remote`, a bare
repository, so that a pull request for a branch that was never pushed is refused as it would be.
"""

import asyncio
import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from donewhen.testing import http
from donewhen.testing.forge_model import Fault, Kind, Request
from donewhen.testing.forge_state import Forge

_JSON = {"content-type": "application/json"}
_HIDDEN = "***"
_KEYS = ("authorization", "private-token", "cookie")


class FakeForge:
    """One repository at one forge; `token` is the only one that is taken."""

    def __init__(
        self,
        kind: Kind = "github",
        path: str = "acme/shop",
        *,
        token: str = "",
        remote: Path | None = None,
        faults: Iterable[Fault] = (),
    ) -> None:
        self.kind = kind
        self._token = token
        self._forge = Forge(kind, path, remote)
        self._faults = list(faults)
        self.requests: list[Request] = []
        self.port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """What `ship.api_url` is set to."""
        return f"http://127.0.0.1:{self.port}/api/{'v3' if self.kind == 'github' else 'v4'}"

    @property
    def pulls(self) -> list[dict[str, Any]]:
        """All that were ever opened, as they are now."""
        return [dict(pull) for pull in self._forge.pulls]

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=self._live, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join()

    def _live(self, ready: threading.Event) -> None:
        async def live() -> None:
            self._loop = asyncio.get_running_loop()
            self._over = asyncio.Event()
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await self._over.wait()
            server.close()

        asyncio.run(live())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            incoming = await http.receive(reader, writer)
            if incoming is not None:
                writer.write(await self._answer(incoming))
                await writer.drain()
        except (http.Unreadable, OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, incoming: http.Incoming) -> bytes:
        request = _recorded(incoming)
        self.requests.append(request)
        fault = next((each for each in self._faults if each.fits(request)), None)
        if fault is not None:
            self._faults.remove(fault)
            if fault.after:  # it is done, and nobody hears of it
                self._told(request, incoming)
            if fault.hangs:
                await self._over.wait()
            return http.whole(fault.status, {**_JSON, **fault.headers}, fault.body)
        status, data = self._told(request, incoming)
        return http.whole(status, _JSON, json.dumps(data).encode())

    def _told(self, request: Request, incoming: http.Incoming) -> tuple[int, Any]:
        if self._token and self._given(incoming) != self._token:
            return 401, {"message": "Bad credentials"}
        parts = urlsplit(incoming.target)
        path = unquote(parts.path).removeprefix("/api/v3").removeprefix("/api/v4").removeprefix("/api")
        return self._forge.told(request.method, path, dict(parse_qsl(parts.query)), request.body)

    def _given(self, incoming: http.Incoming) -> str:
        if self.kind == "gitlab":
            return incoming.headers.get("private-token", "")
        return incoming.headers.get("authorization", "").removeprefix("Bearer ")


def _recorded(incoming: http.Incoming) -> Request:
    headers = {name: _HIDDEN if name in _KEYS else value for name, value in incoming.headers.items()}
    try:
        body = json.loads(incoming.body) if incoming.body else None
    except (ValueError, RecursionError):
        body = None
    return Request(incoming.method, incoming.target, headers, body)
