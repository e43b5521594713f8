"""The endpoint itself: connections, routes, keys, and the record of what was asked."""

import asyncio
import json
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from donewhen.testing import chat, gemini, http
from donewhen.testing.caching import Cache
from donewhen.testing.counting import count_all
from donewhen.testing.deck import Deck
from donewhen.testing.model import Answer, Aside, Asked, Refusal, Request, Watch
from donewhen.testing.sending import JSON, Line, respond
from donewhen.testing.troubles import Voice, refusal
from donewhen.testing.wires import ANTHROPIC, CHAT, GEMINI, Wire, wire_for

_KEYS = ("authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie")
_HIDDEN = "***"
_COUNTING = "/v1/messages/count_tokens"
_GEMINI_LISTS = ("/v1beta/models", "/v1alpha/models")


class Setting(NamedTuple):
    key: str = ""  # the only one that is taken; empty: any
    models: tuple[str, ...] = ("fake-model",)
    aside: Aside | None = None


class Server:
    """Lives in one event loop; `requests` may be read from other threads."""

    def __init__(self, deck: Deck, setting: Setting, watch: Watch | None = None) -> None:
        self.requests: list[Request] = []
        self.problems: list[str] = []
        self.gate = asyncio.Semaphore(0)
        self._deck = deck
        self._setting = setting
        self._watch = watch
        self._cache = Cache()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        self._server = await asyncio.start_server(self._connected, host, port)
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def stop(self) -> None:
        if self._server:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = Line(reader, writer, self.gate)
        try:
            while (incoming := await http.receive(reader, writer)) is not None:
                if not await self._handle(line, incoming) or not incoming.keeps:
                    break
        except http.Unreadable:
            writer.write(http.whole(400, {"connection": "close"}, b""))
        except (OSError, asyncio.IncompleteReadError):
            pass
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            with suppress(OSError):
                writer.close()

    async def _handle(self, line: Line, incoming: http.Incoming) -> bool:
        request = _recorded(incoming)
        self.requests.append(request)
        path = urlsplit(incoming.target).path
        found = wire_for(path) if incoming.method == "POST" else None
        try:
            if found is None:
                return await self._other(line, incoming, path, request)
            return await self._answer(line, incoming, *found, request)
        finally:
            if self._watch:
                self._watch(request)

    async def _answer(
        self, line: Line, incoming: http.Incoming, wire: Wire, named: Mapping[str, str], request: Request
    ) -> bool:
        number = len(self.requests)
        try:
            self._check_key(incoming, wire.key)
            if wire.needs and wire.needs not in incoming.headers:
                raise Refusal("request", f"{wire.needs}: header is required")
            if not isinstance(request.body, dict):
                raise Refusal("request", "the body is not a JSON object")
            request.asked = _read(wire, request.body, {**named, **_heeded(wire, incoming.headers)})
            request.answer = self._aside(request) or self._deck.deal(request.asked)
        except Refusal as error:
            model = request.asked.model if request.asked else ""
            return await self._refuse(line, wire.voice, error, request, model)
        return await respond(line, wire, request.asked, request.answer, request, number, self._cache)

    def _aside(self, request: Request) -> Answer | None:
        return self._setting.aside(request) if self._setting.aside else None

    async def _other(self, line: Line, incoming: http.Incoming, path: str, request: Request) -> bool:
        """Lists of models and counts of tokens, which need no script."""
        wire = ANTHROPIC if path == _COUNTING else GEMINI if path in _GEMINI_LISTS else CHAT
        try:
            if path != "/api/tags":
                self._check_key(incoming, wire.key)
            data = self._told(incoming.method, path, request.body, incoming.headers)
        except Refusal as error:
            return await self._refuse(line, wire.voice, error, request)
        request.status, request.complete = 200, True
        await line.send(http.whole(200, JSON, json.dumps(data).encode()))
        return True

    def _told(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> dict[str, Any]:
        if method == "POST" and path == _COUNTING and isinstance(body, dict):
            asked = _read(ANTHROPIC, {**body, "max_tokens": 1}, _heeded(ANTHROPIC, headers))
            return {"input_tokens": count_all(asked.texts)}
        lists: Mapping[str, Callable[[tuple[str, ...]], dict[str, Any]]] = {
            "/v1/models": chat.models,
            **dict.fromkeys(_GEMINI_LISTS, gemini.models),
            "/api/tags": _tags,
        }
        if method != "GET" or path not in lists:
            raise Refusal("route", f"{method} {path}")
        return lists[path](self._setting.models)

    async def _refuse(
        self, line: Line, voice: Voice, error: Refusal, request: Request, model: str = ""
    ) -> bool:
        request.refused = error.why or error.kind
        self.problems.append(request.refused)
        request.status, body = refusal(voice, error.kind, model, error.why, error.status)
        await line.send(http.whole(request.status, JSON, json.dumps(body).encode()))
        return True

    def _check_key(self, incoming: http.Incoming, header: str) -> None:
        if not self._setting.key:
            return
        query = dict(parse_qsl(urlsplit(incoming.target).query))
        given = [incoming.headers.get(name, "") for name in (header, "authorization")]
        given = [each.removeprefix("Bearer ") for each in given] + [query.get("key", "")]
        if self._setting.key not in given:
            raise Refusal("key")


def _read(wire: Wire, body: Mapping[str, Any], named: Mapping[str, str]) -> Asked:
    """Whatever a request holds, it is answered: what the checks did not foresee is refused like the rest."""
    try:
        return wire.read(body, **named)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refusal("request", f"the request could not be read: {type(error).__name__}") from None


def _heeded(wire: Wire, headers: Mapping[str, str]) -> dict[str, str]:
    """The header that changes what the protocol takes."""
    if wire.heeds is None:
        return {}
    header, name = wire.heeds
    return {name: headers.get(header, "")}


def _recorded(incoming: http.Incoming) -> Request:
    headers = {name: _HIDDEN if name in _KEYS else value for name, value in incoming.headers.items()}
    split = urlsplit(incoming.target)
    query = [(name, _HIDDEN if name == "key" else value) for name, value in parse_qsl(split.query)]
    shown = f"{split.path}?{urlencode(query, safe='*')}" if query else split.path
    request = Request(incoming.method, shown, headers, len(incoming.body))
    with suppress(ValueError, RecursionError):
        request.body = json.loads(incoming.body)
    return request


def _tags(names: tuple[str, ...]) -> dict[str, Any]:
    """As Ollama lists what is installed."""
    return {
        "models": [
            {
                "name": name,
                "model": name,
                "modified_at": "2026-01-01T00:00:00Z",
                "size": 4_000_000_000,
                "digest": "0" * 64,
                "details": {"format": "gguf", "family": "fake", "parameter_size": "7B"},
            }
            for name in names
        ]
    }
