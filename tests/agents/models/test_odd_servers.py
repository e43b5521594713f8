"""The clients against servers of other kinds: what they keep, hide, refuse and leave out."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from donewhen.agents.models.clients import Wired
from donewhen.agents.models.naming import make_model
from donewhen.config.schema import Llm
from donewhen.core.chat import ModelFailed, Piece, Prompt, UserSaid
from donewhen.core.errors import SetupError
from tests.tables import table_test

pytest.importorskip("httpx2", reason="the extra `llm` is not installed")

KEY = "key-4f1c77aa90"
PROMPT = Prompt(("You work.",), (), [Piece(UserSaid("Do it"))], "now")


def model(url: str) -> Wired:
    settings = Llm(provider="custom", base_url=url, key_env="SOME_KEY")
    made = make_model("fake-model", settings, {"SOME_KEY": KEY})
    assert isinstance(made, Wired)
    return made


Serve = Callable[[bytes, bytes], bytes]  # headers and body of a request: the whole response


@asynccontextmanager
async def server(serve: Serve):
    """A server that answers as told; `connections` counts who came."""
    seen: list[tuple[bytes, dict[str, Any]]] = []
    connections: list[int] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                body = await reader.readexactly(length)
                seen.append((head, json.loads(body)))
                writer.write(serve(head, body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    running = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = running.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", seen, connections
    finally:
        running.close()


def response(status: int, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def error(message: str, status: int = 400) -> bytes:
    return response(status, json.dumps({"error": {"message": message}}).encode())


GOOD = response(
    200,
    b'{"model": "m", "choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}',
    "content-type: application/json",
)


def against(serve: Serve, use: Callable[[Wired, Any, Any], Awaitable[None]]) -> None:
    async def playing() -> None:
        async with server(serve) as (url, seen, connections):
            made = model(url)
            try:
                await use(made, seen, connections)
            finally:
                await made.close()

    asyncio.run(playing())


def test_connections_are_kept_and_the_key_is_in_its_header_only():
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        for _ in range(5):
            assert (await made.ask(PROMPT)).text == "Hi"
        assert len(connections) == 1
        assert all(f"authorization: Bearer {KEY}".lower().encode() in head.lower() for head, _ in seen)
        assert KEY not in json.dumps([body for _, body in seen])

    against(lambda head, body: GOOD, use)


@table_test("kind", [b"text/event-stream", b"text/plain"])
def test_streams_leave_their_connection_alive(kind):
    event = b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(event), event)
    head = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\ntransfer-encoding: chunked\r\n\r\n" % kind

    async def use(made: Wired, seen: Any, connections: Any) -> None:
        for _ in range(3):
            assert (await made.ask(PROMPT)).text == "Hi"
        assert len(connections) == 1

    against(lambda *_: head + chunked, use)


def test_the_key_is_taken_out_of_what_an_endpoint_says():
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        with pytest.raises(ModelFailed) as caught:
            await made.ask(PROMPT)
        assert caught.value.kind == "key"
        assert KEY not in caught.value.detail
        assert "\n" not in caught.value.detail
        assert len(caught.value.detail) <= 301

    against(lambda *_: error(f"Incorrect API key: {KEY}\n" + "and so on " * 100, 401), use)


def test_no_redirect_is_followed():
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        with pytest.raises(ModelFailed) as caught:
            await made.ask(PROMPT)
        assert (caught.value.kind, caught.value.status) == ("request", 307)
        assert len(seen) == 1

    against(lambda *_: response(307, b"", "location: /elsewhere"), use)


@table_test(
    ("answer", "kind"),
    [
        (response(200, b"\x1f\x8b", "content-encoding: gzip"), "answer"),
        (response(200, b"<html>", "content-type: text/html"), "answer"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n", "huge"),
        (b"not http at all\r\n\r\n", "cut"),
        (response(200, b'{"error": {"message": "no room", "code": 429}}'), "busy"),
        (response(204, b""), "request"),
    ],
)
def test_odd_answers(answer, kind):
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        with pytest.raises(ModelFailed) as caught:
            await made.ask(PROMPT)
        assert caught.value.kind == kind

    against(lambda *_: answer, use)


def test_what_an_endpoint_refuses_by_name_is_left_out_and_remembered():
    def serve(head: bytes, body: bytes) -> bytes:
        data = json.loads(body)
        if "temperature" in data:
            return error("Unsupported value: 'temperature' does not support 0.5 with this model.")
        if "max_tokens" in data:
            return error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return GOOD

    async def use(made: Wired, seen: Any, connections: Any) -> None:
        for _ in range(2):
            assert (await made.ask(PROMPT._replace(temperature=0.5))).text == "Hi"
        assert len(seen) == 4
        assert {"temperature", "max_tokens"}.isdisjoint(seen[-1][1])
        assert seen[-1][1]["max_completion_tokens"] == 8192

    against(serve, use)


def test_an_endpoint_that_refuses_everything_is_given_up_soon():
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        with pytest.raises(ModelFailed) as caught:
            await made.ask(PROMPT._replace(temperature=0.5))
        assert caught.value.kind == "request"
        assert len(seen) < 10

    against(
        lambda *_: error("temperature max_tokens max_completion_tokens stream_options are all wrong"), use
    )


def test_an_endpoint_that_does_not_stream_is_understood_all_the_same():
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        assert (await made.ask(PROMPT)).text == "Hi"
        assert seen[0][1]["stream"] is True

    against(lambda *_: GOOD, use)


def test_several_calls_at_once_share_a_model():
    async def use(made: Wired, seen: Any, connections: Any) -> None:
        replies = await asyncio.gather(*(made.ask(PROMPT) for _ in range(8)))
        assert [each.text for each in replies] == ["Hi"] * 8

    against(lambda *_: GOOD, use)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "h11", None)
    monkeypatch.delitem(sys.modules, "donewhen.agents.models.http1", raising=False)
    with pytest.raises(SetupError, match=r"pip install 'donewhen\[llm\]'"):
        asyncio.run(model("http://127.0.0.1:9").ask(PROMPT))
