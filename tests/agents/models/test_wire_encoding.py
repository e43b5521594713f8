"""Requests: valid by the providers' own types, encoded once, stable from turn to turn."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models.wire import Asked, Kept
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, Piece, Prompt, Said, ToolSaid, UserSaid
from donewhen.core.codec import freeze
from tests.agents.models.samples import REPLIES, WIRES
from tests.tables import table_test

PROTOCOLS = list(WIRES)
TOOLS = (
    ToolSpec("run", "Runs a command.", freeze({"type": "object", "properties": {"c": {"type": "string"}}})),
    ToolSpec("stop", "Stops."),
)
SYSTEM = ("You work.", "", "Promise: ü")
SAID: tuple[Said, ...] = (
    UserSaid("Do it"),
    AgentSaid("Well", (ToolRequest("a1", "run", {"c": "ls"}), ToolRequest("a2", "run", broken="no JSON"))),
    ToolSaid("a1", "run", True, "fine"),
    ToolSaid("a2", "run", False, ""),
    UserSaid("And then?"),
    AgentSaid(""),
    AgentSaid("Done."),
    UserSaid("No."),
)


def prompt(*said: Said, **more: Any) -> Prompt:
    return Prompt(SYSTEM, TOOLS, [Piece(each) for each in said], **more)


def body(protocol: str, given: Prompt, **more: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(WIRES[protocol].body(given, asked(protocol, **more), Kept()))
    return data


def asked(protocol: str, **more: Any) -> Asked:
    return Asked(**{"model": "m", "dialect": protocol, **more})


def sdk(protocol: str, stream: bool) -> Any:
    pydantic = pytest.importorskip("pydantic")
    package = "anthropic" if protocol == "anthropic" else "openai"
    pytest.importorskip(package, reason=f"the types of the package {package} say what is valid")
    if protocol == "anthropic":
        from anthropic.types import message_create_params as params

        kind: Any = params.MessageCreateParamsStreaming if stream else params.MessageCreateParamsNonStreaming
    elif protocol == "chat":
        from openai.types.chat import completion_create_params as chats

        kind = chats.CompletionCreateParamsStreaming if stream else chats.CompletionCreateParamsNonStreaming
    else:
        from openai.types.responses import response_create_params as responses

        kind = (
            responses.ResponseCreateParamsStreaming if stream else responses.ResponseCreateParamsNonStreaming
        )
    return pydantic.TypeAdapter(kind)


def unknown_fields(given: Any, valid: Any) -> list[str]:
    """What the types have no name for."""
    if isinstance(given, dict) and isinstance(valid, dict):
        return [
            *(name for name in given if name not in valid),
            *(each for name in given if name in valid for each in unknown_fields(given[name], valid[name])),
        ]
    if isinstance(given, list) and isinstance(valid, list):
        return [each for a, b in zip(given, valid, strict=True) for each in unknown_fields(a, b)]
    return []


def plain(value: Any) -> Any:
    """Validated data with its lazy lists read."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, str | bytes | int | float | type(None)):
        return value
    return [plain(each) for each in value]


@table_test("stream", [True, False])
@table_test("protocol", PROTOCOLS)
def test_requests_are_valid_by_the_types_of_the_providers(protocol, stream):
    adapter = sdk(protocol, stream)
    replies = REPLIES[protocol]
    thinking = AgentSaid(replies.text, replies.calls, replies.thinking, replies.opaque)
    results = [ToolSaid(call.id, call.tool, True, "x") for call in replies.calls]
    data = body(
        protocol,
        prompt(*SAID, thinking, *results, standing="2 proofs open")._replace(
            temperature=None if protocol == "anthropic" else 0.5  # newer Claude models take none
        ),
        stream=stream,
        cache_key=protocol != "anthropic",
    )
    valid = plain(adapter.validate_python(data))
    assert [each for each in unknown_fields(data, valid) if each != "reasoning_content"] == []


@table_test("protocol", PROTOCOLS)
def test_a_piece_is_encoded_once_for_a_protocol(protocol):
    given = prompt(*SAID)
    first = WIRES[protocol].body(given, asked(protocol), Kept())
    words = [piece.wire for piece in given.pieces]
    assert all(wire is not None and wire[0] == protocol for wire in words)
    assert WIRES[protocol].body(given, asked(protocol), Kept()) == first
    assert all(piece.wire is wire for piece, wire in zip(given.pieces, words, strict=True))


@table_test("protocol", PROTOCOLS)
def test_system_and_tools_are_encoded_again_only_when_they_changed(protocol):
    kept, given = Kept(), prompt(*SAID)
    first = WIRES[protocol].body(given, asked(protocol), kept)
    again = given._replace(system=(*SYSTEM,), tools=(*TOOLS,))
    assert WIRES[protocol].body(again, asked(protocol), kept) == first
    changed = json.loads(WIRES[protocol].body(given._replace(tools=TOOLS[:1]), asked(protocol), kept))
    assert len(changed["tools"]) == 1
    other = WIRES[protocol].body(given._replace(system=("Else.",)), asked(protocol), kept)
    assert b"Else." in other and b"Promise" not in other


@table_test("protocol", PROTOCOLS)
def test_what_was_said_is_a_prefix_of_the_next_request_and_standing_is_not(protocol):
    """Apart from marks, all that a provider's cache can hold stays byte for byte."""
    first = prompt(*SAID, standing="turn 1 of 90")
    longer = prompt(*SAID, AgentSaid("More"), UserSaid("Yes"), standing="turn 2 of 90")
    before, after = (
        json.dumps(
            body(protocol, each, cache_marks=False)["input" if protocol == "responses" else "messages"]
        )
        for each in (first, longer)
    )
    stable = before[: before.index("turn 1") - 40]
    assert after.startswith(stable)
    assert "turn 1" not in after
    assert after.rindex("turn 2") > after.rindex("Yes")


def test_standing_follows_tool_results():
    said = (UserSaid("Do"), AgentSaid("", (ToolRequest("a", "run"),)), ToolSaid("a", "run", True, "x"))
    given = prompt(*said, standing="now")
    assert [each["role"] for each in body("chat", given)["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "user",
    ]
    assert body("responses", given)["input"][-1] == {"role": "user", "content": "now"}
    blocks = body("anthropic", given)["messages"][-1]["content"]
    assert [each["type"] for each in blocks] == ["tool_result", "text"]


def marked(data: Any) -> list[Any]:
    if isinstance(data, dict):
        own = [data] if "cache_control" in data else []
        return own + [each for value in data.values() for each in marked(value)]
    return [each for value in data for each in marked(value)] if isinstance(data, list) else []


def test_the_cache_is_marked_at_tools_system_and_the_last_two_things_said_to_the_model():
    data = body("anthropic", prompt(*SAID, standing="now"))
    assert [each.get("name") for each in marked(data["tools"])] == ["stop"]
    assert [each["text"] for each in marked(data["system"])] == ["Promise: ü"]
    assert [each.get("text") for each in marked(data["messages"])] == ["And then?", "No."]
    assert marked(body("anthropic", prompt(*SAID), cache_marks=False)) == []


def test_anthropic_turns_alternate_and_begin_with_the_user():
    roles = [each["role"] for each in body("anthropic", prompt(*SAID[1:], standing="now"))["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert body("anthropic", prompt(standing="now"))["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "now"}]}
    ]
    assert body("anthropic", prompt())["messages"][0]["role"] == "user"


@table_test("protocol", ["responses", "anthropic"])
def test_thoughts_go_back_unchanged_and_where_they_stood(protocol):
    name = {"responses": "item", "anthropic": "block"}[protocol]
    thoughts = [{"type": "thinking", "thinking": str(n), "signature": "s"} for n in range(4)]
    opaque = freeze(
        {protocol: [{"at": at, name: each} for at, each in zip((0, 1, 1, 9), thoughts, strict=True)]}
    )
    said = AgentSaid("Hm", (ToolRequest("a", "run"), ToolRequest("b", "run")), opaque=opaque)
    data = body(protocol, prompt(UserSaid("Do"), said))
    parts = data["input"][1:] if protocol == "responses" else data["messages"][1]["content"]
    kinds = [each.get("thinking", "") for each in parts]
    assert kinds == ["0", "", "1", "2", "", "3", ""]
    assert [each for each in parts if each.get("type") == "thinking"] == thoughts


@table_test("protocol", PROTOCOLS)
def test_thoughts_of_another_protocol_stay_away(protocol):
    said = AgentSaid("Hm", opaque=freeze({"x": [{"at": 0, "block": {"secret": 1}, "item": {"secret": 1}}]}))
    assert "secret" not in json.dumps(body(protocol, prompt(UserSaid("Do"), said)))


def test_names_and_ids_that_an_endpoint_would_not_take_are_made_to_fit():
    id = "functions.run:0 ü"
    said = (UserSaid("Do"), AgentSaid("", (ToolRequest(id, "no such/töol"),)), ToolSaid(id, "x", False, "no"))
    for protocol, dialect, length in (("chat", "chat:mistral", 9), ("chat", "chat", 24)):
        messages = body(protocol, prompt(*said), dialect=dialect)["messages"]
        made = messages[2]["tool_calls"][0]
        assert made["function"]["name"] == "no_such_t_ol"
        assert made["id"] == messages[3]["tool_call_id"]
        assert len(made["id"]) == length
    content = [each["content"] for each in body("anthropic", prompt(*said))["messages"]]
    assert content[1][0]["id"] == content[2][0]["tool_use_id"] != id


def test_mistral_hears_no_user_right_after_a_tool():
    said = (UserSaid("Do"), AgentSaid("", (ToolRequest("a", "run"),)), ToolSaid("a", "run", True, "x"))
    messages = body("chat", prompt(*said, standing="now"), dialect="chat:mistral")["messages"]
    assert [each["role"] for each in messages[-3:]] == ["tool", "assistant", "user"]


def test_reasoning_goes_back_to_the_dialect_it_came_from_only():
    reply = REPLIES["chat"]
    said = AgentSaid(reply.text, reply.calls, reply.thinking, reply.opaque)
    assert body("chat", prompt(said))["messages"][1]["reasoning_content"] == "Hm"
    assert "reasoning_content" not in body("chat", prompt(said), dialect="chat:groq")["messages"][1]


def test_what_an_endpoint_refused_is_left_out():
    given = prompt(*SAID, temperature=1.5, max_output=9000)
    data = body("chat", given, limit_name="max_completion_tokens", most_output=4096, temperature=False)
    assert (data["max_completion_tokens"], "temperature" in data, "max_tokens" in data) == (
        4096,
        False,
        False,
    )
    assert "stream_options" not in body("chat", given, usage=False)
    assert "include" not in body("responses", given, encrypted=False)
    assert body("anthropic", given)["temperature"] == 1


def test_the_key_of_the_cache_goes_with_the_system():
    keys = [body("chat", given, cache_key=True)["prompt_cache_key"] for given in (prompt(), prompt(*SAID))]
    assert keys[0] == keys[1]
    other = body("chat", prompt()._replace(system=("x",)), cache_key=True)["prompt_cache_key"]
    assert other != keys[0]
    assert "prompt_cache_key" not in body("chat", prompt())


_WORDS = st.text(max_size=20)
_JSON = st.recursive(
    st.none() | st.integers() | _WORDS, lambda inner: st.lists(inner, max_size=2), max_leaves=4
)
_CALL = st.builds(ToolRequest, _WORDS, _WORDS, st.dictionaries(_WORDS, _JSON, max_size=2).map(freeze))
_SAID = st.one_of(
    st.builds(UserSaid, _WORDS),
    st.builds(lambda text, calls: AgentSaid(text, tuple(calls)), _WORDS, st.lists(_CALL, max_size=2)),
    st.builds(ToolSaid, _WORDS, _WORDS, st.booleans(), _WORDS),
)


@table_test("protocol", PROTOCOLS)
@given(said=st.lists(_SAID, max_size=6), standing=_WORDS)
def test_whatever_was_said_is_valid_json_in_the_protocols_form(protocol, said, standing):
    data = body(protocol, prompt(*said, standing=standing))
    messages = data["input"] if protocol == "responses" else data["messages"]
    if protocol == "anthropic":
        roles = [each["role"] for each in messages]
        assert roles[0] == "user"
        assert all(a != b for a, b in pairwise(roles))
        assert all(each["content"] for each in messages)


_CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["more", "drop", "change", "last"]), st.lists(_SAID, max_size=8), st.integers(0, 30)
    ),
    max_size=12,
)


@pytest.mark.runs
@table_test("dialect", [*PROTOCOLS, "chat:mistral"])
@given(changes=_CHANGES)
def test_what_is_kept_from_earlier_calls_never_shows(dialect, changes):
    """However a conversation goes on or is cut, a request is as if it were the first."""
    protocol = dialect.partition(":")[0]
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
        how_asked = asked(protocol, dialect=dialect)
        assert WIRES[protocol].body(given, how_asked, kept) == WIRES[protocol].body(given, how_asked, Kept())
        json.loads(WIRES[protocol].body(given, how_asked, kept))


@table_test("protocol", PROTOCOLS)
def test_another_dialect_begins_anew(protocol):
    kept, given = Kept(), prompt(*SAID * 5)
    for dialect in (protocol, f"{protocol}:other", protocol):
        how = asked(protocol, dialect=dialect)
        assert WIRES[protocol].body(given, how, kept) == WIRES[protocol].body(given, how, Kept())


@table_test("protocol", PROTOCOLS)
def test_a_long_conversation_is_joined_once(protocol):
    kept, pieces = Kept(), [Piece(UserSaid("Do it"))]
    for turn in range(100):
        said = AgentSaid(f"Step {turn}", (ToolRequest(f"c{turn}", "run"),))
        pieces += [Piece(said), Piece(ToolSaid(f"c{turn}", "run", True, "x"))]
        WIRES[protocol].body(Prompt(SYSTEM, TOOLS, pieces, "now"), asked(protocol), kept)
    assert len(kept.settled.rest(pieces, protocol)) <= 16
