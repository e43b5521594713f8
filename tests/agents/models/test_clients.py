"""The clients over real HTTP: against the fake endpoint in every protocol, and against odd servers."""

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
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, ModelFailed, Piece, Prompt, Reply, ToolSaid, UserSaid
from donewhen.core.errors import SetupError
from donewhen.testing import Answer, Call, FakeModel, Fault, Reported

pytest.importorskip("httpx2", reason="the extra `llm` is not installed")

PROTOCOLS = ("chat", "responses", "anthropic")
KEY = "key-4f1c77aa90"
TOOLS = (ToolSpec("run_command", "Runs a command.", {"type": "object", "properties": {}}),)
PROMPT = Prompt(("You work.",), TOOLS, [Piece(UserSaid("Do it"))], "now")
BOTH = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
EACH = pytest.mark.parametrize("protocol", PROTOCOLS)


def model(url: str, protocol: Any = "chat", stream: bool = True, **more: Any) -> Wired:
    settings = Llm(
        provider="custom", base_url=url, protocol=protocol, stream=stream, key_env="SOME_KEY", **more
    )
    made = make_model("fake-model", settings, {"SOME_KEY": KEY})
    assert isinstance(made, Wired)
    return made


def ask(url: str, *prompts: Prompt, **more: Any) -> list[Reply]:
    async def asking() -> list[Reply]:
        made = model(url, **more)
        try:
            return [await made.ask(each) for each in prompts or (PROMPT,)]
        finally:
            await made.close()

    return asyncio.run(asking())


def failure(url: str, prompt: Prompt = PROMPT, **more: Any) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        ask(url, prompt, **more)
    assert KEY not in caught.value.detail
    return caught.value


@BOTH
@EACH
def test_words_and_several_calls(protocol, stream):
    answer = Answer("I look.", (Call("run_command", {"command": "ls ü"}), Call("run_command", {"n": 1})))
    with FakeModel([answer, "Done."], key=KEY) as fake:
        (reply,) = ask(fake.url, protocol=protocol, stream=stream)
        assert reply.text == "I look."
        assert [(each.tool, each.args) for each in reply.calls] == [
            ("run_command", {"command": "ls ü"}),
            ("run_command", {"n": 1}),
        ]
        assert len({each.id for each in reply.calls}) == 2
        assert reply.used is not None
        assert reply.used.output > 0
        said = AgentSaid(reply.text, reply.calls, reply.thinking, reply.opaque)
        results = [Piece(ToolSaid(each.id, each.tool, True, "fine")) for each in reply.calls]
        longer = PROMPT._replace(pieces=[*PROMPT.pieces, Piece(said), *results])
        (last,) = ask(fake.url, longer, protocol=protocol, stream=stream)
        assert (last.text, last.calls, last.finish) == ("Done.", (), "stop")
        assert fake.problems == []


@BOTH
@EACH
def test_thinking_goes_back_as_it_came(protocol, stream):
    with FakeModel([Answer("Hm.", (Call("run_command"),), thinking="Let me see"), "Done."]) as fake:
        (reply,) = ask(fake.url, protocol=protocol, stream=stream)
        assert reply.thinking == "Let me see"
        said = AgentSaid(reply.text, reply.calls, reply.thinking, reply.opaque)
        result = Piece(ToolSaid(reply.calls[0].id, "run_command", True, "x"))
        ask(fake.url, PROMPT._replace(pieces=[*PROMPT.pieces, Piece(said), result]), protocol=protocol)
        assert fake.problems == []


@BOTH
@EACH
@pytest.mark.parametrize("finish", ["length", "refusal"])
def test_how_answers_end(protocol, stream, finish):
    with FakeModel([Answer("Well", finish=finish)]) as fake:
        assert ask(fake.url, protocol=protocol, stream=stream)[0].finish == finish


@BOTH
@EACH
def test_usage_is_taken_as_reported_or_not_at_all(protocol, stream):
    answers = [
        Answer("a", usage=Reported(7, 5, 3, 0)),
        Answer("b", usage="missing"),
        Answer("c", usage=Reported(-7, 5)),
    ]
    with FakeModel(answers) as fake:
        told, missing, absurd = ask(fake.url, *[PROMPT] * 3, protocol=protocol, stream=stream)
    assert told.used is not None
    assert (told.used.input, told.used.output, told.used.cache_read) == (7, 5, 3)
    assert (missing.used, absurd.used) == (None, None)


REFUSALS = {
    "rate": "busy",
    "key": "key",
    "model": "model",
    "too_long": "too_long",
    "no_tools": "tools",
    "quota": "quota",
    "payment": "quota",
}


@BOTH
@EACH
@pytest.mark.parametrize("fault", REFUSALS)
def test_refusals_are_known_and_free(protocol, stream, fault):
    with FakeModel([Answer("x", fault=Fault(fault))]) as fake:
        failed = failure(fake.url, protocol=protocol, stream=stream)
    assert (failed.kind, failed.free) == (REFUSALS[fault], True)
    assert failed.detail


@EACH
@pytest.mark.parametrize(
    ("status", "kind", "free"),
    [
        (500, "server", False),
        (502, "server", False),
        (503, "busy", True),
        (529, "busy", True),
        (504, "timeout", False),
    ],
)
def test_trouble_at_the_endpoint(protocol, status, kind, free):
    with FakeModel([Answer("x", fault=Fault("status", status=status))]) as fake:
        failed = failure(fake.url, protocol=protocol)
    assert (failed.kind, failed.free, failed.status) == (kind, free, status)


@EACH
def test_when_to_come_again_is_taken_from_the_headers(protocol):
    faults = [Fault("rate", retry_after=3), Fault("rate", retry_after_ms=250), Fault("rate")]
    with FakeModel([Answer("x", fault=each) for each in faults]) as fake:
        waits = [failure(fake.url, protocol=protocol).retry_after for _ in faults]
    assert waits == [3, 0.25, None]


BROKEN = [
    (Fault("cut"), True, "cut"),
    (Fault("cut", middle=True), True, "cut"),
    (Fault("cut", clean=True), True, "cut"),
    (Fault("cut"), False, "cut"),
    (Fault("reset"), True, "cut"),
    (Fault("invalid_json"), True, "answer"),
    (Fault("invalid_json"), False, "answer"),
    (Fault("wrong_schema"), True, "answer"),
    (Fault("wrong_schema"), False, "answer"),
    (Fault("error_event", status=529), True, "busy"),
    (Fault("error_event", status=500), True, "server"),
]


@EACH
@pytest.mark.parametrize(
    ("fault", "stream", "kind"), BROKEN, ids=lambda each: str(getattr(each, "kind", each))
)
def test_answers_that_are_none_may_have_been_billed(protocol, fault, stream, kind):
    with FakeModel([Answer("I have much to say about this.", fault=fault)]) as fake:
        failed = failure(fake.url, protocol=protocol, stream=stream)
    assert (failed.kind, failed.free) == (kind, False)


@BOTH
@EACH
@pytest.mark.parametrize("fault", ["unknown", "pings"])
def test_what_nobody_knows_is_passed_over(protocol, stream, fault):
    with FakeModel([Answer("Hi there", fault=Fault(fault))]) as fake:
        assert ask(fake.url, protocol=protocol, stream=stream)[0].text == "Hi there"


@BOTH
@EACH
def test_arguments_that_can_not_be_read_are_told(protocol, stream):
    with FakeModel([Answer(calls=(Call("run_command"),), fault=Fault("bad_arguments"))]) as fake:
        (reply,) = ask(fake.url, protocol=protocol, stream=stream)
    assert [bool(each.broken) for each in reply.calls] == [True]


@BOTH
@EACH
def test_an_answer_beyond_all_bounds_is_given_up(protocol, stream):
    with FakeModel([Answer("x", fault=Fault("huge", mb=40))]) as fake:
        failed = failure(fake.url, protocol=protocol, stream=stream)
    assert (failed.kind, failed.free) == ("huge", False)


@EACH
def test_a_silent_endpoint_times_out(protocol):
    with FakeModel([Answer("x", fault=Fault("timeout"))]) as fake:
        failed = failure(fake.url, protocol=protocol, timeout=0.2)
    assert (failed.kind, failed.free) == ("timeout", False)


@EACH
def test_a_cancelled_call_leaves_the_endpoint_at_once(protocol):
    async def cancelled(url: str) -> None:
        made = model(url, protocol)
        asking = asyncio.ensure_future(made.ask(PROMPT))
        while not fake.requests:
            await asyncio.sleep(0)
        fake.release(1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await made.close()

    with FakeModel([Answer("one two three four", fault=Fault("slow", gate=True)), "Fine."]) as fake:
        asyncio.run(cancelled(fake.url))
        assert fake.wait(1)
        assert not fake.requests[0].complete
        assert ask(fake.url, protocol=protocol)[0].text == "Fine."


def test_nobody_at_the_address_costs_nothing():
    with FakeModel(["x"]) as fake:
        url = fake.url
    failed = failure(url)
    assert (failed.kind, failed.free) == ("unreachable", True)


# -- odd servers -----------------------------------------------------------------------------------

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


def against(serve: Serve, use: Callable[[Wired, Any, Any], Awaitable[None]], **more: Any) -> None:
    async def playing() -> None:
        async with server(serve) as (url, seen, connections):
            made = model(url, **more)
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


def test_streams_leave_their_connection_alive():
    event = b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(event), event)
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"

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


@pytest.mark.parametrize(
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
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(SetupError, match=r"pip install 'donewhen\[llm\]'"):
        ask("http://127.0.0.1:9")


def test_a_call_goes_back_with_its_result_also_when_it_was_broken():
    said = AgentSaid("", (ToolRequest("a", "run_command", broken="no JSON"),))
    pieces = [*PROMPT.pieces, Piece(said), Piece(ToolSaid("a", "run_command", False, "no JSON"))]
    for protocol in PROTOCOLS:
        with FakeModel(["Sorry."]) as fake:
            assert ask(fake.url, PROMPT._replace(pieces=pieces), protocol=protocol)[0].text == "Sorry."
