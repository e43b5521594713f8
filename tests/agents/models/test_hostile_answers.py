"""Answers that no ledger holds, that nobody asked for, that never end, or that try to show a key."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from donewhen.agents.models import read_anthropic, read_chat, read_gemini, read_responses
from donewhen.agents.models.bounds import bounded, shortened
from donewhen.agents.models.clients import Wired
from donewhen.agents.models.endpoint import Endpoint
from donewhen.core.chat import ModelFailed, Reply
from donewhen.core.codec import EMPTY
from donewhen.core.events import facts
from donewhen.secrets.redact import Redactor
from donewhen.store.door import prepare
from tests.agents.models.test_odd_servers import KEY, PROMPT, against, error, response
from tests.tables import table_test

pytest.importorskip("httpx2", reason="the extra `llm` is not installed")

MIB = 1024 * 1024


def kept(reply: Reply, *secrets: str) -> None:
    """As a run writes it; the store refuses what it can't hold."""
    requests = tuple({"id": call.id, "tool": call.tool, "args": call.args} for call in reply.calls)
    step = facts.AgentStepped(1, reply.text, reply.thinking, requests=requests, opaque=reply.opaque)
    prepare([step], Redactor(secrets))


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


BAD_ARGS = [
    '{"a":NaN}',
    '{"a":-Infinity}',
    '{"a":1e999}',
    '{"a":9223372036854775808}',
    '{"a":[-99999999999999999999]}',
    f'{{"a":{nested(98)}}}',
    f'{{"a":{nested(400)}}}',
    '{"a":"%s"}' % ("x" * (5 * MIB)),
    '{"a":"\\ud800"}',
]


def _chat(args: str) -> Reply:
    call = f'{{"id":"i","function":{{"name":"x","arguments":{args}}}}}'
    return read_chat.whole(b'{"choices":[{"message":{"tool_calls":[%s]}}]}' % call.encode())


def _anthropic(args: str) -> Reply:
    block = f'{{"type":"tool_use","id":"i","name":"x","input":{args}}}'
    return read_anthropic.whole(b'{"content":[%s]}' % block.encode())


def _responses(args: str) -> Reply:
    item = f'{{"type":"function_call","call_id":"i","name":"x","arguments":{args}}}'
    return read_responses.whole(b'{"output":[%s]}' % item.encode())


def _gemini(args: str) -> Reply:
    part = f'{{"functionCall":{{"name":"x","args":{args}}}}}'
    return read_gemini.whole(
        b'{"candidates":[{"content":{"parts":[%s]},"finishReason":"STOP"}]}' % part.encode()
    )


@table_test("read", [_chat, _anthropic, _responses, _gemini])
@table_test("form", ["object", "text"])
@table_test("args", BAD_ARGS, ids=[each[:24] for each in BAD_ARGS])
def test_arguments_that_no_ledger_holds_are_a_broken_call(read, form, args):
    reply = bounded(read(args if form == "object" else json.dumps(args)), 8192)
    assert [bool(call.broken) for call in reply.calls] == [True]
    assert reply.calls[0].args == {}
    kept(reply)


DETAILS = ['[{"a":NaN}]', '[{"a":1e999}]', '[{"a":9223372036854775808}]', nested(98)]


@table_test("details", [*DETAILS, json.dumps(["x" * (5 * MIB)])], ids=[*DETAILS, "5 MB"])
def test_what_only_a_provider_understands_is_dropped_where_no_ledger_holds_it(details):
    call = '"tool_calls":[{"id":"i","function":{"name":"x","arguments":"{}"}}]'
    message = f'{{"content":"a",{call},"reasoning_details":{details}}}'
    reply = bounded(read_chat.whole(b'{"choices":[{"message":%s}]}' % message.encode()), 8192)
    assert (reply.text, reply.opaque, len(reply.calls)) == ("a", EMPTY, 1)
    kept(reply)


def test_signed_thoughts_with_numbers_that_can_not_be_are_dropped():
    data = b'{"content":[{"type":"thinking","thinking":"x","z":NaN},{"type":"text","text":"a"}]}'
    reply = bounded(read_anthropic.whole(data), 8192)
    assert (reply.text, reply.thinking, reply.opaque) == ("a", "x", EMPTY)
    kept(reply)


@table_test("reply", [Reply("x" * 2 * MIB), Reply(thinking="x" * 2 * MIB)])
def test_an_answer_far_beyond_what_was_asked_for_is_none(reply):
    with pytest.raises(ModelFailed) as caught:
        bounded(reply, 100)
    assert caught.value.kind == "huge"


def test_the_largest_answer_that_is_taken_can_be_kept():
    kept(bounded(Reply("x" * (MIB - 100)), 100))
    kept(bounded(Reply("ab12cd34 " * 186_000), 10**6), "ab12cd34")  # marks are longer


def stream(*events: object) -> bytes:
    body = b"".join(b"data: %s\n\n" % json.dumps(each).encode() for each in events)
    return response(200, body, "content-type: text/event-stream")


def failure(answer: bytes) -> tuple[ModelFailed, int]:
    """How a call ends that is answered so, and how often the endpoint was asked."""
    found: list[tuple[ModelFailed, int]] = []

    async def use(made: Wired, seen: Any, connections: Any) -> None:
        with pytest.raises(ModelFailed) as caught:
            await made.ask(PROMPT._replace(temperature=0.5))
        found.append((caught.value, len(seen)))

    against(lambda *_: answer, use)
    return found[0]


def test_a_stream_that_says_far_too_much_is_not_read_to_its_end():
    events = [{"choices": [{"delta": {"content": "word " * 50_000}}]}] * 6
    assert failure(stream(*events))[0].kind == "huge"


def test_only_a_refusal_that_costs_nothing_is_answered_by_asking_otherwise():
    refusal = {"error": {"code": 400, "message": "temperature is not supported"}}
    failed, asked = failure(response(200, json.dumps(refusal).encode()))
    assert (failed.kind, failed.free, asked) == ("request", False, 1)
    assert failure(error("temperature is not supported"))[1] > 1


@table_test("before", [" " * 1990, "x" * (100 - len(KEY) + 1), "x " * 990])
@table_test("status", [200, 400])
def test_no_cut_leaves_most_of_a_key(before, status):
    for missing in range(1, 6):
        said = before[missing:] + KEY + " tail" * 2000
        assert KEY[:6] not in failure(response(status, said.encode()))[0].detail


def test_a_text_is_cut_between_words():
    assert shortened("one two three", 9) == "one two "
    assert shortened("one two", 9) == "one two"
    assert shortened("x" * 99, 9) == ""


async def _dripping(drip: bytes, start: bytes) -> AsyncIterator[str]:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(start)
            while True:
                writer.write(drip)
                await writer.drain()
                await asyncio.sleep(0.01)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    running = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}"
    finally:
        running.close()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\n\r\n"


@table_test(
    ("start", "drip"),
    [
        (HEAD % b"text/event-stream", b": ping\n\n"),
        (HEAD % b"text/event-stream", b'event: ping\ndata: {"type": "ping"}\n\n'),
        (HEAD % b"text/event-stream", b"x"),
        (HEAD % b"application/json", b" "),
    ],
)
def test_signs_of_life_that_say_nothing_end_as_silence(start, drip):
    async def playing() -> str:
        async for url in _dripping(drip, start):
            made = Wired(_source(url), silence=0.3)
            try:
                await made.ask(PROMPT)
            except ModelFailed as failed:
                return failed.kind
            finally:
                await made.close()
        return "answered"

    assert asyncio.run(playing()) == "timeout"


def test_headers_that_never_end_are_silence(monkeypatch):
    monkeypatch.setattr("donewhen.agents.models.endpoint._CONNECT", 0.3)

    async def playing() -> str:
        async for url in _dripping(b"x", b"HTTP/1.1 200 OK\r\nx-long: "):
            endpoint = Endpoint(url, {}, silence=0.3)
            try:
                await endpoint.post("/x", b"{}", lambda _: lambda _: "nothing")
            except ModelFailed as failed:
                return failed.kind
            finally:
                await endpoint.close()
        return "answered"

    assert asyncio.run(playing()) == "timeout"


def _source(url: str) -> Any:
    from donewhen.agents.models.naming import find_source
    from donewhen.config.schema import Llm

    return find_source("custom:x", Llm(provider="custom", base_url=url), {})
