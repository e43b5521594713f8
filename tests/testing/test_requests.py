"""Requests are recorded, and refused where a provider would refuse them."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.testing import Answer, FakeModel
from tests.examples import many
from tests.tables import table_test
from tests.testing.asking import TOOL_SCHEMA, WIRES, Question, ask, client, question


def user(text: Any = "hi") -> dict[str, Any]:
    return {"role": "user", "content": text}


def call(name: str = "c1", args: Any = '{"path": "a"}') -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": "read_file", "arguments": args}}


def called(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(name: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "content": "x"}


def tool(schema: Any = TOOL_SCHEMA) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "read_file", "parameters": schema}}


CHAT: list[tuple[dict[str, Any], str]] = [
    ({}, "messages: field required"),
    ({"messages": []}, "messages: too short"),
    ({"messages": [user(None)]}, "messages[0].content"),
    ({"messages": [user([])]}, "messages[0].content"),
    ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role: 'robot'"),
    ({"messages": [user(), result()]}, "must be a response to a preceding message"),
    ({"messages": [user(), called(call()), result("c2")]}, "'c2' not found"),
    ({"messages": [user(), called(call()), result(), result()]}, "'c1' not found"),
    ({"messages": [user(), called(call()), user()]}, "these have none: c1"),
    ({"messages": [user(), called(call("a"), call("b")), result("a")]}, "these have none: b"),
    ({"messages": [user(), called(call(), call()), result()]}, "'c1' is there twice"),
    ({"messages": [user(), called()]}, "tool_calls: too short"),
    ({"messages": [user(), called(call(args="{")), result()]}, "is not valid JSON"),
    ({"messages": [user(), called(call(args="[1]")), result()]}, "must be a JSON object"),
    ({"messages": [user(), called(call(args={"path": "a"})), result()]}, "must be a JSON object"),
    ({"messages": [user(), {"role": "assistant", "content": ""}]}, "needs content"),
    ({"messages": [user()], "tools": []}, "tools: too short"),
    ({"messages": [user()], "tools": [tool(), tool()]}, "is there twice"),
    ({"messages": [user()], "tools": [tool({"type": "string"})]}, 'must have the type "object"'),
    ({"messages": [user()], "tools": [tool({"type": "object", "required": ["x"]})]}, "'x' is not among"),
    ({"messages": [user()], "stream_options": {"include_usage": True}}, "only allowed when `stream`"),
    ({"messages": [user()], "max_tokens": 0}, "max_tokens: must be at least 1"),
    ({"messages": [user()], "max_tokens": "9"}, "max_tokens: must be an integer"),
    ({"messages": [user()], "max_tokens": 9, "max_completion_tokens": 9}, "can't be set together"),
    ({"messages": [user()], "stream": "yes"}, "stream: must be a boolean"),
    ({"messages": [user()], "model": 7}, "model: must be a string"),
]


def use(name: str = "c1", args: Any = None) -> dict[str, Any]:
    block = {
        "type": "tool_use",
        "id": name,
        "name": "read_file",
        "input": {"path": "a"} if args is None else args,
    }
    return {"role": "assistant", "content": [block]}


def used(*names: str, first: Any = None) -> dict[str, Any]:
    blocks = [{"type": "tool_result", "tool_use_id": name, "content": "x"} for name in names]
    return user([*([first] if first else []), *blocks])


TEXT = {"type": "text", "text": "x"}
ANTHROPIC: list[tuple[dict[str, Any], str]] = [
    ({"messages": [user()], "max_tokens": None}, "max_tokens: Field required"),
    ({"messages": [user()], "max_tokens": 0}, "max_tokens: must be at least 1"),
    ({"messages": []}, "at least one message"),
    ({"messages": [{"role": "system", "content": "x"}]}, "use the top-level `system` parameter"),
    ({"messages": [{"role": "assistant", "content": "x"}]}, "first message must use the user role"),
    ({"messages": [user("")]}, "non-empty content"),
    ({"messages": [user([{"type": "text", "text": ""}])]}, "text content blocks must be non-empty"),
    ({"messages": [user()], "system": [{"type": "text", "text": ""}]}, "system.0"),
    ({"messages": [user(), use()]}, "without `tool_result` blocks immediately after: c1"),
    ({"messages": [user(), use(), user("go on")]}, "without `tool_result` blocks immediately after: c1"),
    ({"messages": [used("c1")]}, "unexpected `tool_use_id`"),
    ({"messages": [user(), use(), used("c2")]}, "unexpected `tool_use_id` found in `tool_result` blocks: c2"),
    ({"messages": [user(), use(), used("c1", "c1")]}, "unexpected `tool_use_id`"),
    ({"messages": [user(), use(), used("c1", first=TEXT)]}, "must come first"),
    ({"messages": [user(), use(args="{}"), used("c1")]}, "input: must be an object"),
    ({"messages": [user([{"type": "tool_use", "id": "a", "name": "b", "input": {}}])]}, "is not allowed"),
    ({"messages": [user()], "tools": [{"name": "a"}]}, "tools.0.input_schema: field required"),
    ({"messages": [user()], "tools": [{"name": "a", "input_schema": {"type": "array"}}]}, '"object"'),
]


def asks(name: str = "c1", args: str = "{}") -> dict[str, Any]:
    return {"type": "function_call", "call_id": name, "name": "read_file", "arguments": args}


def gave(name: str = "c1") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": name, "output": "x"}


RESPONSES: list[tuple[dict[str, Any], str]] = [
    ({}, "input: must be a string or a list"),
    ({"input": []}, "input: must be a string or a list"),
    ({"input": "hi", "max_output_tokens": 4}, "Expected a value >= 16"),
    ({"input": "hi", "previous_response_id": "r"}, "Previous response with id 'r' not found."),
    ({"input": [user([{"type": "text", "text": "x"}])]}, "Invalid value: 'text'"),
    ({"input": [{"role": "tool", "content": "x"}]}, "'tool' is not one of"),
    ({"input": [user(), gave()]}, "No tool call found for function call output with call_id c1."),
    ({"input": [user(), asks()]}, "No tool output found for function call c1."),
    ({"input": [user(), asks(), asks(), gave()]}, "'c1' is there twice"),
    ({"input": [user(), asks(args="nope"), gave()]}, "is not valid JSON"),
    ({"input": "hi", "tools": [tool()]}, "tools[0].name: field required"),
]


def parts(role: str, *found: Any) -> dict[str, Any]:
    return {"role": role, "parts": list(found)}


FC, FR = {"functionCall": {"name": "f", "args": {}}}, {"functionResponse": {"name": "f", "response": {}}}
HI = parts("user", {"text": "hi"})
GEMINI: list[tuple[dict[str, Any], str]] = [
    ({"contents": []}, "contents is not specified"),
    ({"contents": [parts("user")]}, "must not be empty"),
    ({"contents": [parts("user", {})]}, "required oneof field 'data'"),
    ({"contents": [parts("assistant", {"text": "x"})]}, "Please use a valid role"),
    ({"contents": [HI, parts("model", FC)]}, "followed by a function response turn"),
    ({"contents": [HI, parts("model", FC), HI]}, "number of function response parts"),
    ({"contents": [HI, parts("user", FR)]}, "number of function response parts"),
    ({"contents": [HI, parts("model", FC, FC), parts("user", FR)]}, "number of function response parts"),
    ({"contents": [parts("model", {"functionCall": {"name": "f", "args": "{}"}})]}, "must be an object"),
    ({"contents": [HI], "generationConfig": {"maxOutputTokens": 0}}, "at least 1"),
    ({"contents": [HI], "tools": [{"functionDeclarations": [{}]}]}, "name: field required"),
]


@table_test(
    ("wire", "cases"),
    [("chat", CHAT), ("anthropic", ANTHROPIC), ("responses", RESPONSES), ("gemini", GEMINI)],
    ids=["chat", "anthropic", "responses", "gemini"],
)
def test_bad_requests_are_refused_with_the_reason_and_use_up_no_answer(wire: str, cases: Any):
    start = question(wire)
    kept = {name: start.body[name] for name in ("model", "max_tokens") if name in start.body}
    with FakeModel(["fine"]) as fake:
        for body, why in cases:
            response = ask(fake, Question(start.path, kept | body))
            assert response.status_code == 400, body
            assert why in response.json()["error"]["message"], body
        assert len(fake.problems) == len(cases)
        assert fake.left == 1


SPOKEN: dict[str, dict[str, Any]] = {
    "chat": {
        "messages": [
            {"role": "system", "content": "s"},
            user([{"type": "text", "text": "x"}]),
            called(call("a"), call("b")),
            result("b"),
            result("a"),
            {"role": "assistant", "content": "so"},
            user(""),
        ],
        "tools": [tool()],
    },
    "responses": {
        "instructions": "s",
        "input": [
            user([{"type": "input_text", "text": "x"}]),
            {"type": "reasoning", "id": "r", "summary": []},
            asks("a"),
            asks("b"),
            gave("b"),
            gave("a"),
            {"role": "assistant", "content": [{"type": "output_text", "text": "so"}]},
        ],
        "tools": [
            {"type": "function", "name": "read_file", "parameters": TOOL_SCHEMA},
            {"type": "web_search"},
        ],
    },
    "anthropic": {
        "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
        "messages": [user(), use("a"), used("a"), {"role": "assistant", "content": "so"}, user("x")],
        "tools": [{"name": "read_file", "input_schema": TOOL_SCHEMA}],
    },
    "gemini": {
        "system_instruction": {"parts": [{"text": "s"}]},
        "contents": [HI, parts("model", FC, FC), parts("user", FR, FR), parts("model", {"text": "so"}), HI],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": TOOL_SCHEMA}]}],
    },
}


@table_test("wire", WIRES)
def test_a_long_conversation_is_taken(wire: str):
    start = question(wire)
    kept = {name: start.body[name] for name in ("model", "max_tokens") if name in start.body}
    with FakeModel(["fine"]) as fake:
        assert ask(fake, Question(start.path, kept | SPOKEN[wire])).status_code == 200
        assert fake.problems == []


@table_test("wire", WIRES)
def test_another_key_is_refused_and_no_key_is_recorded(wire: str):
    with FakeModel(["fine"], key="sk-right") as fake:
        assert ask(fake, question(wire), key="sk-wrong").status_code == (400 if wire == "gemini" else 401)
        assert ask(fake, question(wire), key="sk-right").status_code == 200
        asked = question(wire)
        assert client().post(f"{fake.url}{asked.path}?key=sk-right", json=asked.body).status_code in (
            200,
            400,
        )
        shown = json.dumps([[each.path, dict(each.headers), each.body] for each in fake.requests])
    assert "sk-" not in shown


def test_what_a_request_held_is_recorded():
    with FakeModel(["fine"]) as fake:
        asked = question("chat", text="a question")
        ask(fake, asked)
        (request,) = fake.requests
    assert (request.method, request.path, request.body) == ("POST", asked.path, asked.body)
    assert (request.status, request.complete, request.refused) == (200, True, "")
    assert request.size == int(request.headers["content-length"])
    assert request.answer == Answer("fine")


def test_an_answer_waits_for_the_request_that_it_expects():
    with FakeModel([Answer("fine", when=r"error \d+"), Answer("yes", when="a(b")]) as fake:
        refused = ask(fake, question("chat", text="all is well"))
        assert refused.status_code == 400
        assert "answer 1 of the script expects 'error \\\\d+'" in refused.json()["error"]["message"]
        assert "fine" in ask(fake, question("chat", text="there was error 7")).text
        assert "yes" in ask(fake, question("anthropic", text="not a regular expression: a(b")).text
        assert len(fake.problems) == 1


def test_what_comes_after_the_last_answer():
    with FakeModel(["one"]) as fake:
        texts = [ask(fake, question("chat")).json()["choices"][0]["message"]["content"] for _ in range(2)]
    assert texts == ["one", "I have nothing to add."]
    with FakeModel(["one", "two"], then="repeat-last") as fake:
        assert "two" in [ask(fake, question("chat")).text for _ in range(4)][-1]
    with FakeModel(["one"], then="error") as fake:
        assert [ask(fake, question("chat")).status_code for _ in range(3)] == [200, 500, 500]


def test_lists_of_models_and_unknown_paths():
    with FakeModel(["fine"], models=("qwen", "llama")) as fake:
        listed = client().get(f"{fake.openai_url}/models").json()
        tags = client().get(f"{fake.url}/api/tags").json()
        google = client().get(f"{fake.url}/v1beta/models").json()
        lost = client().get(f"{fake.url}/v2/models")
    assert [each["id"] for each in listed["data"]] == ["qwen", "llama"]
    assert [each["name"] for each in tags["models"]] == ["qwen", "llama"]
    assert [each["name"] for each in google["models"]] == ["models/qwen", "models/llama"]
    assert (lost.status_code, fake.left) == (404, 1)


def test_tokens_are_counted_for_anthropic():
    asked = question("anthropic")
    with FakeModel(["fine"]) as fake:
        counted = client().post(f"{fake.url}{asked.path}/count_tokens", json=asked.body)
        ask(fake, asked)
        assert counted.json() == {"input_tokens": fake.requests[1].tokens.input}
        wrong = client().post(f"{fake.url}{asked.path}/count_tokens", json={"messages": []})
    assert (wrong.status_code, wrong.json()["error"]["type"]) == (400, "invalid_request_error")


def test_a_body_may_come_in_chunks_and_a_connection_is_used_again():
    asked = question("chat")
    body = json.dumps(asked.body).encode()
    head = f"POST {asked.path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    chunks = b"%x\r\n%b\r\n%x;x=y\r\n%b\r\n0\r\n\r\n" % (5, body[:5], len(body) - 5, body[5:])
    with FakeModel(["one", "two"]) as fake, socket.create_connection(("127.0.0.1", fake.port)) as connection:
        connection.sendall((head + chunks) * 2)
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while part := connection.recv(65536):
            found += part
    assert found.count(b"HTTP/1.1 200 OK") == 2
    assert b'"content": "two"' in found


@table_test(
    "noise",
    [b"\x00\x01\x02\r\n\r\n", b"POST /v1/responses\r\n\r\n", b"GET / HTTP/1.1\r\ncontent-length: -4\r\n\r\n"],
)
def test_noise_is_answered_with_a_400(noise: bytes):
    with FakeModel(["fine"]) as fake, socket.create_connection(("127.0.0.1", fake.port)) as connection:
        connection.sendall(noise)
        assert connection.recv(65536).startswith(b"HTTP/1.1 400")
        assert connection.recv(65536) == b""
        assert fake.requests == []


def test_a_body_that_is_no_json_object_is_refused():
    with FakeModel(["fine"]) as fake:
        for body in (b"", b"[]", b"{", b"\xff"):
            response = client().post(f"{fake.openai_url}/responses", content=body)
            assert response.status_code == 400
    assert [request.asked for request in fake.requests] == [None] * 4


async def _asked_async() -> tuple[int, int]:
    import httpx2

    async with FakeModel(["fine"]) as fake, httpx2.AsyncClient(trust_env=False) as client:
        asked = question("chat")
        response = await client.post(fake.url + asked.path, json=asked.body)
        return response.status_code, fake.left


def test_it_can_be_used_from_async_code():
    import asyncio

    assert asyncio.run(_asked_async()) == (200, 0)


def test_a_port_that_is_taken_is_told():
    with FakeModel(["fine"]) as fake, pytest.raises(OSError):
        FakeModel(["fine"], port=fake.port).start()


def test_the_same_script_gives_the_same_bytes():
    def played() -> list[bytes]:
        with FakeModel(["one", Answer("two", thinking="hm")]) as fake:
            return [
                ask(fake, question(wire, stream)).content
                for wire, stream in (("chat", True), ("responses", False))
            ]

    assert played() == played()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "text", "user", "tool_use", "function"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "role content type text tool_calls function name arguments id input tools system parts contents "
                "functionCall functionResponse args response call_id output summary parameters tool_use_id".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
PLACES = ("messages", "tools", "system", "input", "contents", "generationConfig", "systemInstruction")


@settings(max_examples=many(300), deadline=None)
@given(wire=st.sampled_from(WIRES), stream=st.booleans(), name=st.sampled_from(PLACES), value=JSON)
def test_any_json_is_answered(endless: FakeModel, wire: str, stream: bool, name: str, value: Any):
    asked = question(wire, stream)
    response = ask(endless, asked._replace(body={**asked.body, name: value}))
    assert response.status_code in (200, 400)
    if response.status_code == 400:
        assert "could not be read" not in response.text


@pytest.fixture(scope="module")
def endless() -> Iterator[FakeModel]:
    with FakeModel(["fine"], then="repeat-last") as fake:
        yield fake
