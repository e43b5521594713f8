"""Answers are read the same whole or cut anywhere; nothing in them brings the reader down."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models.sse import Events
from donewhen.core.chat import ModelFailed, Reply, Used
from tests.agents.models.samples import REPLIES, RESPONSE, STREAMS, WHOLES, WIRES, call, delta, sse
from tests.tables import table_test

PROTOCOLS = list(WIRES)


def read(protocol: str, chunks: list[bytes], seed: str = "s") -> Reply:
    reader, events = WIRES[protocol].reader(protocol, seed), Events()
    for chunk in chunks:
        for event in events.feed(chunk):
            reader.take(event.name, event.data)
    for event in events.end():
        reader.take(event.name, event.data)
    reply: Reply = reader.reply()
    return reply


@table_test("protocol", PROTOCOLS)
def test_a_stream_and_a_whole_answer_say_the_same(protocol):
    assert read(protocol, [STREAMS[protocol]]) == REPLIES[protocol]
    assert WIRES[protocol].whole(WHOLES[protocol], protocol, "s") == REPLIES[protocol]


@table_test("protocol", PROTOCOLS)
@given(data=st.data())
def test_any_chunking_gives_the_same_reply(protocol, data):
    stream = STREAMS[protocol]
    cuts = data.draw(st.lists(st.integers(1, len(stream) - 1), max_size=20, unique=True))
    places = [0, *sorted(cuts), len(stream)]
    chunks = [stream[a:b] for a, b in pairwise(places)]
    assert read(protocol, chunks) == REPLIES[protocol]


@table_test("protocol", PROTOCOLS)
def test_a_stream_that_ends_early_is_never_a_reply(protocol):
    stream = STREAMS[protocol]
    last = {
        "chat": b'"finish_reason": "tool_calls"',
        "responses": b"response.completed",
        "anthropic": b'"message_delta"',
    }
    end = stream.find(last[protocol])
    for at in range(0, end, 7):
        with pytest.raises(ModelFailed) as caught:
            read(protocol, [stream[:at]])
        assert caught.value.kind == "cut"
        assert not caught.value.free


def spoilt(value, path, new):
    """`value` with `new` at a place of it."""
    if not path:
        return new
    if isinstance(value, dict):
        return {**value, path[0]: spoilt(value[path[0]], path[1:], new)}
    return [spoilt(each, path[1:], new) if at == path[0] else each for at, each in enumerate(value)]


def places(value, path=()):
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield from places(each, (*path, key))


ODD: list[object] = [
    None,
    7,
    -1,
    1e99,
    True,
    "x",
    [],
    [1],
    {},
    {"a": [None]},
    [[]],
    10**30,
    "\ud800",
    [{}],
    [{"type": {}}],
]


@table_test("protocol", PROTOCOLS)
def test_whatever_stands_in_an_answer_it_is_a_reply_or_a_failure(protocol):
    answer = json.loads(WHOLES[protocol])
    tried = 0
    for path in places(answer):
        for odd in ODD:
            data = json.dumps(spoilt(answer, path, odd)).encode()
            try:
                reply = WIRES[protocol].whole(data, protocol, "s")
            except ModelFailed as failure:
                assert failure.kind in ("answer", "server", "request", "model", "key")
                assert not failure.free
            else:
                reply.text.encode()
                assert reply.used is None or min(reply.used) >= 0
                json.dumps([dict(each.args) for each in reply.calls], allow_nan=False)
            tried += 1
    assert tried > 300


@table_test("protocol", PROTOCOLS)
def test_whatever_stands_in_an_event_it_is_a_reply_or_a_failure(protocol):
    events = Events().feed(STREAMS[protocol])
    for number, event in enumerate(events):
        if event.data == b"[DONE]":
            continue
        value = json.loads(event.data)
        for path in places(value):
            for odd in ODD:
                reader = WIRES[protocol].reader(protocol, "s")
                changed = json.dumps(spoilt(value, path, odd)).encode()
                try:
                    for at, each in enumerate(events):
                        reader.take(each.name, changed if at == number else each.data)
                    reader.reply()
                except ModelFailed as failure:
                    assert not failure.free


@table_test("protocol", PROTOCOLS)
@table_test("data", [b"", b"<html>", b"[]", b"7", b'{"a":', b"{}", b"[" * 100_000, b"\xff\xfe"])
def test_what_is_no_answer_is_unreadable(protocol, data):
    with pytest.raises(ModelFailed) as caught:
        WIRES[protocol].whole(data, protocol, "")
    assert caught.value.kind == "answer"


def chat(*events: object) -> Reply:
    return read("chat", [sse(*events, "[DONE]")])


@table_test(
    "arguments",
    ["{", '{"a": }', "[]", "7", '"x"', '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}', '{"a":' * 900],
)
def test_arguments_that_are_no_object_are_told_as_broken(arguments):
    reply = chat(delta("tool_calls", tool_calls=[call(0, "a", "run", arguments), call(1, "b", "run", "{}")]))
    first, second = reply.calls
    assert first.args == {}
    assert "the arguments of run are not a JSON object" in first.broken
    assert (second.id, second.broken) == ("b", "")


def test_arguments_that_the_limit_cut_are_told_so():
    reply = chat(delta("length", tool_calls=[call(0, "a", "write", '{"text": "lo')]))
    assert reply.finish == "length"
    assert "reached its limit" in reply.calls[0].broken


def test_calls_without_ids_or_with_the_same_get_their_own():
    data = [call(0, None, "run", "{}"), call(1, "x", "run", "{}"), call(2, "x", "run", "{}")]
    assert [each.id for each in chat(delta("tool_calls", tool_calls=data)).calls] == [
        "call_s0",
        "x",
        "call_s2",
    ]


def test_endpoints_that_number_all_calls_zero_still_ask_for_several():
    events = [delta(tool_calls=[call(0, id, "run", '{"n": 1}')]) for id in "ab"]
    assert [each.id for each in chat(*events, delta("tool_calls")).calls] == ["a", "b"]


def test_more_calls_than_anybody_means_are_no_answer():
    with pytest.raises(ModelFailed, match="answer"):
        chat(*(delta(tool_calls=[call(n, f"i{n}", "run", "{}")]) for n in range(300)), delta("stop"))


@table_test(
    ("finish", "said", "expected"),
    [
        ("stop", {"content": "Hi"}, ("Hi", "stop")),
        ("length", {"content": "Hi"}, ("Hi", "length")),
        ("content_filter", {"content": "Hi"}, ("Hi", "refusal")),
        ("stop", {"content": None, "refusal": "No."}, ("No.", "refusal")),
        ("whatever", {"content": "Hi"}, ("Hi", "stop")),
        (
            "stop",
            {"content": [{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "Hi"}]},
            ("Hi", "stop"),
        ),
    ],
)
def test_how_a_chat_ends(finish, said, expected):
    reply = chat(delta(finish, **said))
    assert (reply.text, reply.finish) == expected


@table_test(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("refusal", "refusal"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "stop"),
    ],
)
def test_how_a_message_ends(reason, finish):
    data = {"content": [{"type": "text", "text": "Hi"}], "stop_reason": reason}
    assert WIRES["anthropic"].whole(json.dumps(data).encode(), "anthropic", "").finish == finish


@table_test(
    ("change", "finish"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "refusal"),
        ({"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}]}, "refusal"),
    ],
)
def test_how_a_response_ends(change, finish):
    data = json.dumps({**RESPONSE, **change}).encode()
    assert WIRES["responses"].whole(data, "responses", "").finish == finish


def usage(**numbers: object) -> Used | None:
    return chat(delta("stop", content="x"), {"choices": [], "usage": numbers}).used


@table_test(
    ("numbers", "used"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5}, Used(10, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4}, Used(6, 5, 4)),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 3},
            },
            Used(3, 5, 4, 3),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 19,
                "completion_tokens_details": {"reasoning_tokens": 4},
            },
            Used(10, 9, reasoning=4),
        ),
        ({"prompt_tokens": 10}, None),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({"prompt_tokens": -1, "completion_tokens": 5}, None),
        ({"prompt_tokens": 10, "completion_tokens": -5}, None),
        ({"prompt_tokens": 10**15, "completion_tokens": 5}, None),
        ({"prompt_tokens": True, "completion_tokens": 5}, None),
        ({"prompt_tokens": 1.5, "completion_tokens": 5}, None),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 11},
            },
            None,
        ),
    ],
)
def test_usage_that_can_be_true_counts(numbers, used):
    assert usage(**numbers) == used


def test_halves_of_a_character_meet_again():
    first, second = json.dumps(delta(content="\ud834")), json.dumps(delta("stop", content="\udd1e!"))
    assert chat(first, second).text == "𝄞!"
    assert chat(second).text == "\ufffd!"


@table_test("protocol", PROTOCOLS)
def test_an_error_in_a_stream_counts_as_that_error(protocol):
    error = {
        "chat": {"error": {"message": "Overloaded", "type": "overloaded_error", "code": 529}},
        "responses": {"type": "error", "code": "rate_limit_exceeded", "message": "Slow down"},
        "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    }[protocol]
    with pytest.raises(ModelFailed) as caught:
        read(protocol, [sse(error, named=protocol != "chat")])
    assert caught.value.kind == "busy"
    assert not caught.value.free


def test_a_response_that_failed_is_its_error():
    failed = {"status": "failed", "error": {"code": "server_error", "message": "Sorry"}, "output": []}
    with pytest.raises(ModelFailed) as caught:
        read("responses", [sse({"type": "response.failed", "response": failed})])
    assert (caught.value.kind, caught.value.detail) == ("server", "Sorry")
