"""Gemini's protocol: requests that its own types take, answers read the same however they come."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models import wire_gemini
from donewhen.agents.models.failures import error_inside, refused
from donewhen.agents.models.schema_gemini import gemini_schema
from donewhen.agents.models.sse import Events
from donewhen.agents.models.wire import Asked, Kept
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, ModelFailed, Piece, Prompt, Reply, Said, ToolSaid, Used, UserSaid
from donewhen.core.codec import dumps, freeze, thaw
from tests.agents.models.samples import sse
from tests.agents.models.test_wire_encoding import _CHANGES, _SAID, SAID, SYSTEM, TOOLS, unknown_fields
from tests.agents.models.test_wire_reading import ODD, places, spoilt
from tests.tables import table_test

ASKED = Asked("gemini-x", dialect="gemini")
SKIP = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
USAGE = {
    "promptTokenCount": 100,
    "cachedContentTokenCount": 60,
    "candidatesTokenCount": 10,
    "thoughtsTokenCount": 20,
    "totalTokenCount": 130,
}
CALLS = (ToolRequest("a1", "run", {"command": "ls ü"}), ToolRequest("call_s1", "read", {}))
FIRST_CALL = {
    "functionCall": {"id": "a1", "name": "run", "args": {"command": "ls ü"}},
    "thoughtSignature": "c2ln",
}
SECOND_CALL = {"functionCall": {"name": "read"}}


def chunk(*parts: dict[str, Any], finish: str = "", **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], "modelVersion": "m-1", "odd": [1], **more}


STREAM = sse(
    chunk({"text": "H", "thought": True}, usageMetadata={"promptTokenCount": 100, "totalTokenCount": 100}),
    chunk({"text": "m", "thought": True}),
    chunk({"text": "Let"}),
    {"usageMetadata": {"promptTokenCount": 100}},
    chunk({"text": " me 𝄞"}),
    chunk(FIRST_CALL),
    chunk(SECOND_CALL),
    chunk({"text": ""}, finish="STOP", usageMetadata=USAGE),
)
WHOLE = chunk(
    {"text": "Hm", "thought": True},
    {"text": "Let me 𝄞"},
    FIRST_CALL,
    SECOND_CALL,
    finish="STOP",
    usageMetadata=USAGE,
)
KEPT = [
    {"kind": "thought", "size": 2},
    {"kind": "text", "size": 8},
    {"kind": "call", "size": 0, "signature": "c2ln"},
    {"kind": "call", "size": 0},
]
REPLY = Reply("Let me 𝄞", CALLS, "Hm", "stop", Used(40, 30, 60, 0, 20), freeze({"gemini": KEPT}), "m-1")


def read(*chunks: bytes) -> Reply:
    reader, events = wire_gemini.reader("gemini", "s"), Events()
    for each in chunks:
        for event in events.feed(each):
            reader.take(event.name, event.data)
    for event in events.end():
        reader.take(event.name, event.data)
    return reader.reply()


def whole(answer: object) -> Reply:
    return wire_gemini.whole(json.dumps(answer).encode(), "gemini", "s")


def prompt(*said: Said, **more: Any) -> Prompt:
    return Prompt(SYSTEM, TOOLS, [Piece(each) for each in said], **more)


def body(given: Prompt, asked: Asked = ASKED) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(wire_gemini.body(given, asked, Kept()))
    return data


def said_again(reply: Reply) -> list[dict[str, Any]]:
    """The parts that go back, as the ledger kept them."""
    kept = json.loads(dumps(thaw(reply.opaque)))
    said = AgentSaid(reply.text, reply.calls, reply.thinking, kept)
    parts: list[dict[str, Any]] = body(prompt(UserSaid("Do"), said))["contents"][1]["parts"]
    return parts


# -- answers -----------------------------------------------------------------------------------------


def test_a_stream_and_a_whole_answer_say_the_same():
    assert read(STREAM) == REPLY
    assert whole(WHOLE) == REPLY


@given(data=st.data())
def test_any_chunking_gives_the_same_reply(data):
    cuts = data.draw(st.lists(st.integers(1, len(STREAM) - 1), max_size=20, unique=True))
    assert read(*(STREAM[a:b] for a, b in pairwise([0, *sorted(cuts), len(STREAM)]))) == REPLY
    assert read(STREAM.replace(b"\n", b"\r\n")) == REPLY


def test_a_stream_that_ends_early_is_never_a_reply():
    for at in range(0, STREAM.find(b"finishReason"), 7):
        with pytest.raises(ModelFailed) as caught:
            read(STREAM[:at])
        assert (caught.value.kind, caught.value.free) == ("cut", False)


def test_older_models_give_a_reason_with_every_chunk():
    stream = sse(
        chunk({"text": "a"}, finish="STOP"), chunk({"text": "b"}, finish="STOP", usageMetadata=USAGE)
    )
    assert (read(stream).text, read(stream).used) == ("ab", REPLY.used)


def test_whatever_stands_in_an_answer_it_is_a_reply_or_a_failure():
    tried = 0
    for path in places(WHOLE):
        for odd in ODD:
            try:
                reply = whole(spoilt(WHOLE, path, odd))
            except ModelFailed as failure:
                assert failure.kind in ("answer", "server", "request")
                assert not failure.free
            else:
                dumps(thaw(reply.opaque)).encode()
                reply.text.encode()
                assert reply.used is None or min(reply.used) >= 0
                json.dumps([dict(each.args) for each in reply.calls], allow_nan=False)
                body(prompt(UserSaid("Do"), AgentSaid(reply.text, reply.calls, reply.thinking, reply.opaque)))
            tried += 1
    assert tried > 300


def test_whatever_stands_in_an_event_it_is_a_reply_or_a_failure():
    events = [json.loads(event.data) for event in Events().feed(STREAM)]
    for number, value in enumerate(events):
        for path in places(value):
            for odd in ODD:
                changed = [*events[:number], spoilt(value, path, odd), *events[number + 1 :]]
                try:
                    read(sse(*(json.dumps(each) for each in changed)))
                except ModelFailed as failure:
                    assert not failure.free


@table_test("data", [b"", b"<html>", b"[]", b"7", b'{"a":', b"{}", b'{"candidates":[{}]}', b"[" * 100_000])
def test_what_is_no_answer_is_unreadable(data):
    with pytest.raises(ModelFailed) as caught:
        wire_gemini.whole(data)
    assert caught.value.kind == "answer"


@table_test(
    ("reason", "finish"),
    [
        ("STOP", "stop"),
        ("MAX_TOKENS", "length"),
        ("CONTINUATION", "length"),
        ("SAFETY", "refusal"),
        ("RECITATION", "refusal"),
        ("PROHIBITED_CONTENT", "refusal"),
        ("BLOCKLIST", "refusal"),
        ("SPII", "refusal"),
        ("OTHER", "stop"),
        ("NEW_REASON", "stop"),
    ],
)
def test_how_an_answer_ends(reason, finish):
    assert whole(chunk({"text": "Hi"}, finish=reason)).finish == finish
    assert read(sse(chunk({"text": "Hi"}), {"candidates": [{"finishReason": reason}]})).finish == finish


def test_a_prompt_that_is_blocked_is_a_refusal_that_may_have_cost_something():
    told = {"promptFeedback": {"blockReason": "OTHER"}, "usageMetadata": {"promptTokenCount": 9}}
    for reply in (whole(told), read(sse(told))):
        assert (reply.text, reply.finish, reply.used) == ("", "refusal", Used(9))


@table_test("reason", ["OTHER", "LANGUAGE", "MALFORMED_RESPONSE", "NEW_REASON"])
def test_nothing_said_for_an_odd_reason_is_no_answer(reason):
    with pytest.raises(ModelFailed) as caught:
        whole(chunk(finish=reason))
    assert (caught.value.kind, caught.value.detail) == ("answer", reason)
    assert whole(chunk(finish="STOP")).text == ""


@table_test(
    ("message", "tool"),
    [
        ("Malformed function call: print(default_api.run(command='x", "run"),
        ("Malformed function call: call:default_api:run{command:", "run"),
        ("", "unknown"),
        ("{}", "unknown"),
    ],
)
@table_test("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
def test_a_call_that_could_not_be_sent_is_told_as_broken(reason, message, tool):
    answer = chunk({"text": "I run."}, finish=reason, usageMetadata=USAGE)
    answer["candidates"][0]["finishMessage"] = message
    for reply in (whole(answer), read(sse(answer))):
        assert [(each.tool, bool(each.broken)) for each in reply.calls] == [(tool, True)]
        assert reply.used == REPLY.used
        made = said_again(reply)[1]
        assert (made["functionCall"]["name"], made["functionCall"]["args"]) == (tool, {})


def test_of_calls_of_which_one_is_malformed_none_is_done():
    reply = whole(chunk(FIRST_CALL, SECOND_CALL, finish="MALFORMED_FUNCTION_CALL"))
    assert [(each.id, bool(each.broken), each.args) for each in reply.calls] == [
        ("a1", True, {}),
        ("call_s1", True, {}),
    ]
    assert said_again(reply)[0]["thoughtSignature"] == "c2ln"


@table_test(
    ("numbers", "used"),
    [
        ({"promptTokenCount": 10, "candidatesTokenCount": 5}, Used(10, 5)),
        ({"promptTokenCount": 10}, Used(10, 0)),
        ({"promptTokenCount": 10, "thoughtsTokenCount": 5}, Used(10, 5, reasoning=5)),
        ({"promptTokenCount": 10, "toolUsePromptTokenCount": 3, "candidatesTokenCount": 5}, Used(13, 5)),
        ({"promptTokenCount": 10, "cachedContentTokenCount": 4, "candidatesTokenCount": 5}, Used(6, 5, 4)),
        ({"promptTokenCount": 10, "cachedContentTokenCount": 11, "candidatesTokenCount": 5}, None),
        ({"promptTokenCount": 10, "cachedContentTokenCount": "x", "candidatesTokenCount": 5}, None),
        ({"promptTokenCount": -1, "candidatesTokenCount": 5}, None),
        ({"promptTokenCount": 10, "candidatesTokenCount": -5}, None),
        ({"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": -5}, None),
        ({"promptTokenCount": 0, "candidatesTokenCount": 0}, None),
        ({"candidatesTokenCount": 5}, None),
        ({"promptTokenCount": True, "candidatesTokenCount": 5}, None),
        ({"promptTokenCount": 1.5, "candidatesTokenCount": 5}, None),
    ],
)
def test_usage_that_can_be_true_counts(numbers, used):
    assert whole(chunk({"text": "x"}, finish="STOP", usageMetadata=numbers)).used == used


def test_more_than_anybody_means_is_no_answer():
    for part in (SECOND_CALL, {"text": "x", "thoughtSignature": "c2ln"}):
        with pytest.raises(ModelFailed, match="answer"):
            whole(chunk(*[part] * 10_001, finish="STOP"))


# -- signatures --------------------------------------------------------------------------------------


def test_signatures_go_back_on_the_very_parts_they_came_on():
    assert said_again(REPLY) == [
        {"text": "Let me 𝄞"},
        {
            "functionCall": {"id": "a1", "name": "run", "args": {"command": "ls ü"}},
            "thoughtSignature": "c2ln",
        },
        {"functionCall": {"id": "call_s1", "name": "read", "args": {}}},
    ]


@table_test(
    "parts",
    [
        [{"text": "Hi"}, {"text": "", "thoughtSignature": "c2ln"}],
        [{"text": "Hi", "thoughtSignature": "YQ=="}, {"text": " there", "thoughtSignature": "Yg=="}],
        [{"text": "hm", "thought": True, "thoughtSignature": "YQ=="}, {"text": "Hi"}],
        [
            {"functionCall": {"id": "a", "name": "run", "args": {}}, "thoughtSignature": "YQ=="},
            {"text": "Hi"},
        ],
    ],
)
def test_signed_parts_go_back_as_they_came(parts):
    assert said_again(whole(chunk(*parts, finish="STOP"))) == parts
    assert said_again(read(sse(*(chunk(part) for part in parts), chunk(finish="STOP")))) == parts


def test_what_was_redacted_since_keeps_its_signatures():
    reply = whole(
        chunk({"text": "key", "thoughtSignature": "YQ=="}, {"text": "more"}, FIRST_CALL, finish="STOP")
    )
    texts = said_again(reply._replace(text="[redacted]"))
    assert texts[0] == {"text": "[redacted]", "thoughtSignature": "YQ=="}
    assert [each.get("thoughtSignature") for each in texts] == ["YQ==", "c2ln"]


@table_test(
    "kept",
    [
        None,
        "odd",
        [7],
        [{"kind": "call"}],
        [{"kind": "spell", "size": 0}],
        [{"kind": "text", "size": -1}, {"kind": "call", "size": 0}],
        [{"kind": "text", "size": 4}],
        [{"kind": "call", "size": 0, "signature": 7}],
        [{"kind": "call", "size": 0, "signature": "x"}],
    ],
)
def test_a_call_of_another_model_goes_back_with_the_word_for_it(kept):
    said = AgentSaid(
        "Text", (ToolRequest("c", "run"), ToolRequest("d", "run")), "hm", freeze({"gemini": kept})
    )
    text, first, second = body(prompt(UserSaid("Do"), said))["contents"][1]["parts"]
    assert text == {"text": "Text"}
    assert (first["thoughtSignature"], "thoughtSignature" in second) == (SKIP, False)


# -- requests ----------------------------------------------------------------------------------------


def test_requests_are_valid_by_the_types_of_the_provider():
    types = pytest.importorskip("google.genai.types", reason="the types of google-genai say what is valid")
    said = AgentSaid(REPLY.text, REPLY.calls, REPLY.thinking, REPLY.opaque)
    results = [ToolSaid(call.id, call.tool, True, "x") for call in REPLY.calls]
    data = body(prompt(*SAID, said, *results, standing="2 proofs open", temperature=0.5))

    def valid(kind: Any, value: Any) -> None:
        made = kind.model_validate_json(json.dumps(value))
        assert unknown_fields(value, made.model_dump(mode="json", by_alias=True, exclude_unset=True)) == []

    assert set(data) == {"contents", "systemInstruction", "tools", "generationConfig"}
    for content in (*data["contents"], data["systemInstruction"]):
        valid(types.Content, content)
    for tool in data["tools"]:
        valid(types.Tool, tool)
    valid(types.GenerateContentConfig, data["generationConfig"])


def test_contents_take_turns_and_results_stand_alone():
    data = body(prompt(*SAID, standing="now", max_output=300))
    kinds = [(each["role"], [next(iter(part)) for part in each["parts"]]) for each in data["contents"]]
    assert kinds == [
        ("user", ["text"]),
        ("model", ["text", "functionCall", "functionCall"]),
        ("user", ["functionResponse", "functionResponse"]),
        ("user", ["text"]),
        ("model", ["text"]),
        ("user", ["text", "text"]),
    ]
    assert data["contents"][2]["parts"] == [
        {"functionResponse": {"id": "a1", "name": "run", "response": {"output": "fine"}}},
        {"functionResponse": {"id": "a2", "name": "run", "response": {"error": ""}}},
    ]
    assert data["systemInstruction"] == {"parts": [{"text": "You work."}, {"text": "Promise: ü"}]}
    assert data["generationConfig"] == {"maxOutputTokens": 300}
    assert [each["name"] for each in data["tools"][0]["functionDeclarations"]] == ["run", "stop"]


def test_a_conversation_begins_with_the_user_and_is_never_empty():
    assert [each["role"] for each in body(prompt(AgentSaid("Hi")))["contents"]] == ["user", "model"]
    assert [each["role"] for each in body(prompt())["contents"]] == ["user"]
    bare = body(Prompt((), (), [], "now"))
    assert bare["contents"] == [{"role": "user", "parts": [{"text": "now"}]}]
    assert set(bare) == {"contents", "generationConfig"}


@table_test(
    ("model", "stream", "path"),
    [
        ("gemini-x", True, "/v1beta/models/gemini-x:streamGenerateContent?alt=sse"),
        ("gemini-x", False, "/v1beta/models/gemini-x:generateContent"),
        ("models/gemini-x", False, "/v1beta/models/gemini-x:generateContent"),
        ("tunedModels/mine", False, "/v1beta/tunedModels/mine:generateContent"),
        ("../../x?key=1#y", False, "/v1beta/models/..%2F..%2Fx%3Fkey%3D1%23y:generateContent"),
        ("models/../x", False, "/v1beta/models/..%2Fx:generateContent"),
        ("a:b/c", False, "/v1beta/models/a%3Ab%2Fc:generateContent"),
    ],
)
def test_the_path_names_the_model_and_nothing_else(model, stream, path):
    assert wire_gemini.path(Asked(model, stream)) == path


def test_names_that_gemini_would_not_take_are_made_to_fit():
    said = (AgentSaid("", (ToolRequest("i d", "7 wonders/ü"),)), ToolSaid("i d", "7 wonders/ü", False, "no"))
    _, call, result = body(prompt(*said))["contents"]
    made, response = call["parts"][0]["functionCall"], result["parts"][0]["functionResponse"]
    assert made["name"] == response["name"] == "_7_wonders__"
    assert made["id"] == response["id"] != "i d"


def test_schemas_lose_what_gemini_refuses_and_nothing_else():
    schema = {
        "$schema": "x",
        "title": "T",
        "type": "object",
        "additionalProperties": False,
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "title": "Title", "examples": ["x"], "format": "uri", "minLength": 1},
            "examples": {"anyOf": [{"const": 1}, {"type": "null"}], "default": {"title": "stays"}},
            "n": {"type": "integer", "exclusiveMinimum": 0, "format": "int64", "enum": ["title"]},
        },
        "$defs": {"const": {"$ref": "#/$defs/const"}},
    }
    made = gemini_schema(freeze(schema))
    assert json.loads(dumps(made)) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "minLength": 1},
            "examples": {"anyOf": [{"enum": [1]}, {"type": "null"}], "default": {"title": "stays"}},
            "n": {"type": "integer", "format": "int64", "enum": ["title"]},
        },
        "$defs": {"const": {"$ref": "#/$defs/const"}},
    }
    tool = ToolSpec("run", "Runs.", freeze({"title": "T"}))
    declared = body(Prompt((), (tool,), []))["tools"][0]["functionDeclarations"][0]
    assert declared["parametersJsonSchema"] == {"type": "object", "properties": {}}


@given(changes=_CHANGES)
def test_what_is_kept_from_earlier_calls_never_shows(changes):
    """However a conversation goes on or is cut, a request is as if it were the first."""
    kept, pieces = Kept(), [Piece(UserSaid("Do it"))]
    for how, said, at in changes:
        new = [Piece(each) for each in said]
        if how == "more":
            pieces = [*pieces, *new]
        elif how == "drop":
            pieces = pieces[at:]
        elif how == "last":
            pieces = [*pieces[:-1], *new]
        elif pieces:
            pieces = [*pieces[: at % len(pieces)], *new, *pieces[at % len(pieces) + 1 :]]
        given = Prompt(SYSTEM, TOOLS, pieces, how)
        request = wire_gemini.body(given, ASKED, kept)
        assert request == wire_gemini.body(given, ASKED, Kept())
        json.loads(request)


@given(said=st.lists(_SAID, max_size=6))
def test_whatever_was_said_is_valid_json_with_parts_in_every_content(said):
    contents = body(prompt(*said))["contents"]
    assert contents[0]["role"] == "user"
    assert all(each["parts"] for each in contents)


def test_what_was_said_is_a_prefix_of_the_next_request_and_standing_is_not():
    before = body(prompt(*SAID, standing="turn 1"))["contents"]
    after = body(prompt(*SAID, AgentSaid("More"), UserSaid("Yes"), standing="turn 2"))["contents"]
    assert after[: len(before) - 1] == before[:-1]
    assert after[len(before) - 1]["parts"] == before[-1]["parts"][:-1]
    assert "turn 1" not in json.dumps(after)
    assert after[-1]["parts"][-1] == {"text": "turn 2"}


def test_a_long_conversation_is_joined_once():
    kept, pieces = Kept(), [Piece(UserSaid("Do it"))]
    for turn in range(100):
        said = AgentSaid(f"Step {turn}", (ToolRequest(f"c{turn}", "run"),))
        pieces += [Piece(said), Piece(ToolSaid(f"c{turn}", "run", True, "x"))]
        wire_gemini.body(Prompt(SYSTEM, TOOLS, pieces, "now"), ASKED, kept)
    assert len(kept.settled.rest(pieces, "gemini")) <= 16


# -- errors ------------------------------------------------------------------------------------------


def error(code: int, status: str, message: str, *details: object) -> dict[str, Any]:
    return {"code": code, "status": status, "message": message, "details": list(details)}


QUOTA = "You exceeded your current quota, please check your plan and billing details."
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "38.5s"}


def violation(id: str) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": id}]}


@table_test(
    ("told", "kind", "wait"),
    [
        (error(429, "RESOURCE_EXHAUSTED", QUOTA, violation("RequestsPerMinute"), RETRY), "busy", 38.5),
        (error(429, "RESOURCE_EXHAUSTED", QUOTA, violation("GenerateRequestsPerDay"), RETRY), "quota", 38.5),
        (error(429, "RESOURCE_EXHAUSTED", QUOTA), "quota", None),
        (error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."), "busy", None),
        (error(429, "RESOURCE_EXHAUSTED", "Slow", {"retryDelay": "9999999s"}), "busy", 604800.0),
        (error(429, "RESOURCE_EXHAUSTED", "Slow", {"retryDelay": 7}, 7, {"violations": [7]}), "busy", None),
        (error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "key", None),
        (error(400, "INVALID_ARGUMENT", "API key expired.", {"reason": "API_KEY_INVALID"}), "key", None),
        (error(403, "PERMISSION_DENIED", "Your API key was reported as leaked."), "key", None),
        (error(404, "NOT_FOUND", "models/x is not found for API version v1beta"), "model", None),
        (error(404, "NOT_FOUND", "This model models/x is no longer available."), "model", None),
        (error(404, "NOT_FOUND", "Requested entity was not found."), "request", None),
        (error(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum"), "too_long", None),
        (
            error(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 2 bytes."),
            "too_long",
            None,
        ),
        (error(400, "INVALID_ARGUMENT", "Function calling is not enabled for models/x"), "tools", None),
        (error(400, "FAILED_PRECONDITION", "Please enable billing on project 7"), "quota", None),
        (error(400, "INVALID_ARGUMENT", 'Invalid JSON payload received. Unknown name "x"'), "request", None),
        (error(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), "busy", None),
        (error(504, "DEADLINE_EXCEEDED", "Deadline expired before operation"), "timeout", None),
        (error(500, "INTERNAL", "An internal error has occurred."), "server", None),
    ],
)
def test_what_google_s_refusals_mean(told, kind, wait):
    failures = [
        refused(told["code"], {}, json.dumps(body).encode(), 0.0)
        for body in ({"error": told}, [{"error": told}])
    ]
    for failure in (*failures, error_inside(told)):
        assert (failure.kind, failure.retry_after, failure.detail) == (kind, wait, told["message"])
    assert not error_inside(told).free


def test_a_header_says_more_than_the_body_about_waiting():
    told = json.dumps({"error": error(429, "RESOURCE_EXHAUSTED", "Slow", RETRY)}).encode()
    assert refused(429, {"retry-after": "3"}, told, 0.0).retry_after == 3


def test_an_error_in_a_stream_is_that_error():
    with pytest.raises(ModelFailed) as caught:
        read(sse(chunk({"text": "a"}), {"error": error(503, "UNAVAILABLE", "Overloaded")}))
    assert (caught.value.kind, caught.value.free) == ("busy", False)
