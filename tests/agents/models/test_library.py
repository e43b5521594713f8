"""Providers through the library, over real HTTP: Gemini as the fake endpoint speaks it, and hostile endpoints."""

import asyncio
import gzip
import json
import socket
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from donewhen.agents.models import library
from donewhen.agents.models.library import library_model
from donewhen.config.schema import Llm
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, ModelFailed, Piece, Prompt, ToolSaid, Used, UserSaid
from donewhen.core.codec import dumps, thaw
from donewhen.core.errors import SetupError, UserError
from donewhen.testing import Answer, Call, FakeModel, Fault, Reported
from tests.tables import table_test

KEY = "AIzaSyD-fake-key-of-nobody-0123456789abc"
MODEL = "gemini-3-flash-preview"
TOOLS = (
    ToolSpec("run", "Runs a command.", {"type": "object", "properties": {"command": {"type": "string"}}}),
    ToolSpec("read", "Reads a file."),
)
BOTH = pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])


def prompt(*said, **more):
    return Prompt(
        ("You work.", "The promise."), TOOLS, [Piece(each) for each in said or (UserSaid("go"),)], **more
    )


@asynccontextmanager
async def asked(answers, stream=True, key=KEY, timeout=60.0):
    with FakeModel(answers, key=KEY) as fake:
        model = library_model("google", MODEL, key, fake.url, Llm(stream=stream, timeout=timeout))
        try:
            yield model, fake
        finally:
            await model.close()


def run(coroutine):
    return asyncio.run(coroutine)


async def one(answer, stream, ask=None, **options):
    async with asked([answer], stream, **options) as (model, _):
        return await model.ask(ask or prompt())


@pytest.mark.runs
@BOTH
def test_a_text_with_its_usage(stream):
    reply = run(one(Answer("Hello ü", usage=Reported(10, 7, 30)), stream))
    assert (reply.text, reply.calls, reply.finish, reply.model) == ("Hello ü", (), "stop", MODEL)
    assert reply.used == Used(10, 7, 30)
    assert reply.opaque == {}


@BOTH
def test_a_report_that_is_missing_is_none(stream):
    assert run(one(Answer("x", usage="missing"), stream)).used is None


@BOTH
def test_what_was_thought_and_called_goes_back_with_its_signatures(stream):
    async def play():
        calls = (Call("run", {"command": "ls ü"}, "a1"), Call("read", {"path": "x"}, "a2"))
        async with asked([Answer("Let me see.", calls, "Hm."), "Done."], stream) as (model, fake):
            first = await model.ask(prompt())
            kept = json.loads(dumps(thaw(first.opaque)))  # as the ledger keeps it
            said = AgentSaid(first.text, first.calls, first.thinking, kept)
            results = (ToolSaid("a1", "run", True, "a.py"), ToolSaid("a2", "read", False, "no such file"))
            last = await model.ask(prompt(UserSaid("go"), said, *results, standing="1 proof open"))
            return first, last, fake

    first, last, fake = run(play())
    assert first.calls == (
        ToolRequest("a1", "run", {"command": "ls ü"}),
        ToolRequest("a2", "read", {"path": "x"}),
    )
    assert (first.text, first.thinking, last.text) == ("Let me see.", "Hm.", "Done.")
    assert first.used.reasoning > 0
    assert fake.problems == []
    body = fake.requests[-1].body
    assert [part["text"] for part in body["systemInstruction"]["parts"]] == ["You work.", "The promise."]
    goal, said, returned, standing = body["contents"]
    assert goal == {"role": "user", "parts": [{"text": "go"}]}
    assert [part.get("thoughtSignature") for part in said["parts"]][-2:] == ["c2lnbmF0dXJl"] * 2
    assert [part["functionCall"]["id"] for part in said["parts"][-2:]] == ["a1", "a2"]
    assert [part["functionResponse"]["id"] for part in returned["parts"]] == ["a1", "a2"]
    assert "error" in returned["parts"][1]["functionResponse"]["response"]
    assert standing["parts"] == [{"text": "1 proof open"}]


@pytest.mark.runs
@table_test(
    "opaque",
    [
        {},
        {"library": "odd"},
        {"library": {"provider": "google", "parts": [{"kind": "call"}, {"kind": "call"}]}},
        {"library": {"provider": "google", "parts": [{"kind": "spell"}]}},
        {"library": {"provider": "google", "parts": [{"kind": "call", "details": "x"}]}},
        {"library": {"provider": "google", "parts": [{"kind": "text", "size": -1}, {"kind": "call"}]}},
        {"library": {"provider": "google", "parts": [{"kind": "call", "signature": 7}]}},
        {"library": {"provider": "mistral", "parts": [{"kind": "text", "size": 2}, {"kind": "call"}]}},
        {"chat": {"reasoning_details": []}},
    ],
)
def test_a_step_without_what_was_kept_or_of_another_provider_is_said_all_the_same(opaque):
    async def play():
        said = AgentSaid("Text", (ToolRequest("c1", "run", {"command": "ls"}),), "secret thought", opaque)
        async with asked(["ok"]) as (model, fake):
            await model.ask(prompt(UserSaid("go"), said, ToolSaid("c1", "run", True, "out")))
            return fake

    fake = run(play())
    assert fake.problems == []
    parts = fake.requests[0].body["contents"][1]["parts"]
    assert [part["text"] for part in parts if "text" in part] == ["Text"]
    assert [part["functionCall"]["name"] for part in parts if "functionCall" in part] == ["run"]


def test_text_that_was_redacted_since_keeps_its_signatures():
    async def play():
        parts = [
            {"kind": "text", "size": 40, "details": {"thought_signature": "c2ln"}},
            {"kind": "text", "size": 3},
        ]
        said = AgentSaid(
            "[redacted]", (), "", {"library": {"provider": "google", "system": "google", "parts": parts}}
        )
        async with asked(["ok"]) as (model, fake):
            await model.ask(prompt(UserSaid("go"), said, UserSaid("more")))
            return fake.requests[0].body["contents"][1]["parts"]

    assert run(play())[0] == {"text": "[redacted]", "thoughtSignature": "c2ln"}


def test_pieces_are_put_into_the_library_s_words_once():
    async def play():
        pieces = [Piece(UserSaid("one"))]
        async with asked(["a", "b"]) as (model, _):
            await model.ask(Prompt((), TOOLS, pieces))
            made = model._asking._messages
            first = made._piece(pieces[0])
            pieces += [Piece(AgentSaid("a")), Piece(UserSaid("two"))]
            await model.ask(Prompt((), TOOLS, pieces))
            assert made._piece(pieces[0]) is first
            made._made.update({number: made._made[id(pieces[0])] for number in range(100)})
            made.of(Prompt((), TOOLS, pieces))
            assert len(made._made) == 3

    run(play())


@BOTH
@table_test("finish", ["stop", "length", "refusal"])
def test_how_a_reply_ended(stream, finish):
    assert run(one(Answer("some", finish=finish), stream)).finish == finish


@BOTH
def test_limits_and_temperature_are_sent(stream):
    async def play():
        async with asked(["ok"], stream) as (model, fake):
            await model.ask(prompt(max_output=300, temperature=0.25))
            return fake.requests

    (request,) = run(play())
    settings = request.body["generationConfig"]
    assert (settings["maxOutputTokens"], settings["temperature"]) == (300, 0.25)
    assert ("stream" in request.path) == stream


def test_half_characters_and_strange_names_do_not_stop_a_call():
    async def play():
        odd = AgentSaid("\ud800", (ToolRequest("i d", "no such\ntool", {}),))
        async with asked(["ok"]) as (model, fake):
            reply = await model.ask(
                prompt(UserSaid("a\udfff"), odd, ToolSaid("i d", "no such\ntool", False, "\ud83d"))
            )
            return reply, fake.problems

    reply, problems = run(play())
    assert (reply.text, problems) == ("ok", [])


@pytest.mark.runs
@BOTH
@pytest.mark.parametrize(
    ("provider", "package"), [("openai-chat", "openai"), ("openai", "openai"), ("anthropic", "anthropic")]
)
def test_another_provider_of_the_library_s_is_spoken_to_in_the_same_way(stream, provider, package):
    pytest.importorskip(package)

    async def play():
        step = Answer("Look.", (Call("run", {"command": "ls"}, "a1"),), "Hm.", usage=Reported(5, 6, 7))
        with FakeModel([step, "Done.", Answer("x", fault=Fault("rate", retry_after=3))], key=KEY) as fake:
            url = fake.url if provider == "anthropic" else fake.openai_url
            model = library_model(provider, "some-model", KEY, url, Llm(stream=stream))
            first = await model.ask(prompt())
            said = AgentSaid(first.text, first.calls, first.thinking, first.opaque)
            last = await model.ask(prompt(UserSaid("go"), said, ToolSaid("a1", "run", True, "a.py")))
            with pytest.raises(ModelFailed) as caught:
                await model.ask(prompt())
            await model.close()
            return first, last, caught.value, fake

    first, last, failure, fake = run(play())
    assert first.calls == (ToolRequest("a1", "run", {"command": "ls"}),)
    assert (first.text, first.thinking, first.used) == ("Look.", "Hm.", Used(5, 6, 7))
    assert (last.text, fake.problems, len(fake.requests)) == ("Done.", [], 3)
    assert (failure.kind, failure.retry_after, failure.free) == ("busy", 3.0, True)


# -- trouble --------------------------------------------------------------------------------------------


async def failed(fault, stream, **options):
    async with asked([Answer("some words to be said here", fault=fault, times=9)], stream, **options) as (
        model,
        fake,
    ):
        with pytest.raises(ModelFailed) as caught:
            await model.ask(prompt())
        assert len(fake.requests) == 1, "the library tried again by itself"
        return caught.value


@pytest.mark.runs
@BOTH
@table_test(
    ("fault", "kind", "free", "wait"),
    [
        (Fault("rate", retry_after=7), "busy", True, 7.0),
        (Fault("rate", retry_after_ms=1500), "busy", True, 1.5),
        (Fault("rate"), "busy", True, None),
        (Fault("key"), "key", True, None),
        (Fault("forbidden"), "key", True, None),
        (Fault("model"), "model", True, None),
        (Fault("too_long"), "too_long", True, None),
        (Fault("no_tools"), "tools", True, None),
        (Fault("payment"), "quota", True, None),
        (Fault("status", 400), "request", True, None),
        (Fault("status", 500), "server", False, None),
        (Fault("status", 502), "server", False, None),
        (Fault("status", 503), "busy", True, None),
        (Fault("reset"), "cut", False, None),
        (Fault("cut"), "cut", False, None),
        (Fault("invalid_json"), "answer", False, None),
        (Fault("wrong_schema"), "answer", False, None),
        (Fault("bad_arguments"), "answer", False, None),
        (Fault("huge", mb=20), "huge", False, None),
    ],
    ids=lambda value: "-".join(str(part) for part in value[:2]) if isinstance(value, Fault) else str(value),
)
def test_every_fault_is_told_by_who_must_act(stream, fault, kind, free, wait):
    failure = run(failed(fault, stream))
    assert (failure.kind, failure.free) == (kind, free), failure.detail
    assert failure.retry_after is None or wait is not None
    assert wait is None or failure.retry_after == pytest.approx(wait)
    assert KEY not in failure.detail and len(failure.detail) <= 301


def test_a_stream_that_ends_as_if_all_had_been_said_was_cut():
    assert run(failed(Fault("cut", clean=True), True)).kind == "cut"


def test_an_error_in_the_middle_of_a_stream_may_have_cost_something():
    failure = run(failed(Fault("error_event", 503), True))
    assert (failure.kind, failure.free) == ("busy", False)


@BOTH
def test_silence_is_a_timeout(stream):
    failure = run(failed(Fault("timeout"), stream, timeout=0.3))
    assert (failure.kind, failure.free) == ("timeout", False)


@BOTH
@table_test("kind", ["unknown", "pings", "slow"])
def test_what_is_new_or_slow_is_no_trouble(stream, kind):
    assert run(one(Answer("fine", fault=Fault(kind)), stream)).text == "fine"


@BOTH
def test_an_empty_answer_is_a_reply(stream):
    reply = run(one(Answer("x", fault=Fault("empty")), stream))
    assert (reply.text, reply.calls) == ("", ())


def test_no_connection_costs_nothing():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        model = library_model("google", MODEL, KEY, url, Llm())

        async def play():
            with pytest.raises(ModelFailed) as caught:
                await model.ask(prompt())
            await model.close()
            return caught.value

        failure = run(play())
    assert (failure.kind, failure.free) == ("unreachable", True)


@BOTH
def test_a_call_can_be_cancelled(stream):
    async def play():
        async with asked([Answer("slow", fault=Fault("timeout")), "again"], stream) as (model, fake):
            task = asyncio.create_task(model.ask(prompt()))
            while not fake.requests:
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return (await model.ask(prompt())).text

    assert run(play()) == "again"


# -- hostile endpoints ----------------------------------------------------------------------------------


@asynccontextmanager
async def raw(answer):
    """An endpoint that sends the same bytes to everybody; yields its address and what it was sent."""
    got = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        got.append(head.decode())
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", got


def http(status, body=b"", **headers):
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body)}", "content-type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def refused_by(answer, stream, key=KEY):
    async with raw(answer) as (url, got):
        model = library_model("google", MODEL, key, url, Llm(stream=stream))
        with pytest.raises(ModelFailed) as caught:
            await model.ask(prompt())
        await model.close()
        return caught.value, got


@BOTH
def test_no_redirect_is_followed(stream):
    async def play():
        async with raw(http(200, b"{}")) as (other, got):
            failure, _ = await refused_by(http(307, location=other + "/steal"), stream)
            return failure, got

    failure, got = run(play())
    assert got == []
    assert failure.kind in ("request", "answer", "server", "cut")


@BOTH
def test_an_answer_that_would_unfold_is_refused(stream):
    body = gzip.compress(b" " * 10_000_000 + b"{}", mtime=0)
    assert run(refused_by(http(200, body, content_encoding="gzip"), stream))[0].kind == "answer"


@BOTH
def test_a_key_that_an_endpoint_repeats_is_not_told(stream):
    body = json.dumps(
        {"error": {"code": 400, "status": "INVALID", "message": f"bad key {KEY}, or AIza****abc\n\x1b[1m"}}
    )
    failure, _ = run(refused_by(http(400, body.encode()), stream))
    assert KEY not in failure.detail and "****" not in failure.detail and "\x1b" not in failure.detail
    assert failure.__cause__ is None and (failure.__suppress_context__ or failure.__context__ is None)


@BOTH
def test_a_limit_of_the_minute_is_waited_for(stream):
    error = {
        "code": 429,
        "status": "RESOURCE_EXHAUSTED",
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "38s"}],
    }
    failure, _ = run(refused_by(http(429, json.dumps({"error": error}).encode()), stream))
    assert (failure.kind, failure.retry_after, failure.free) == ("busy", 38.0, True)
    del error["details"]
    assert run(refused_by(http(429, json.dumps({"error": error}).encode()), stream))[0].kind == "quota"


def test_no_key_of_the_environment_is_sent_to_another_address(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    _, got = run(refused_by(http(400, b"{}"), False, key=""))
    assert got and KEY not in got[0]


# -- set-up ---------------------------------------------------------------------------------------------


def test_nothing_heavy_is_loaded_before_the_first_call():
    script = (
        "import sys; from donewhen.agents.models.library import library_model; from donewhen.config.schema import Llm;"
        "model = library_model('google', 'gemini-3-flash-preview', 'k', None, Llm());"
        "print(model.name, model.input_percent, sorted({'pydantic_ai', 'google.genai', 'httpx2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "google:gemini-3-flash-preview 130 []"


def test_a_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setattr(library, "find_spec", lambda _: None)
    with pytest.raises(SetupError) as caught:
        library_model("google", MODEL, KEY, None, Llm())
    assert "pip install 'donewhen[providers]'" in str(caught.value)
    monkeypatch.setattr(library, "find_spec", lambda name: name == "pydantic_ai" or None)
    with pytest.raises(SetupError) as caught:
        library_model("mistral", "codestral", KEY, None, Llm())
    assert "pydantic-ai-slim[mistral]" in str(caught.value)


@table_test(
    ("provider", "key", "url", "words"),
    [
        ("nobody", KEY, None, "nobody"),
        ("google", "", None, "llm.key_env"),
    ],
)
def test_what_can_not_be_set_up_is_said_in_one_sentence(provider, key, url, words):
    model = library_model(provider, "m", key, url, Llm())
    with pytest.raises(UserError) as caught:
        run(model.ask(prompt()))
    assert words in str(caught.value)
    assert caught.value.say("zh") != str(caught.value)
