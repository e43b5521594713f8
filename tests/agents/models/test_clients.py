"""The clients over real HTTP, against the fake endpoint in every protocol and with every fault."""

import asyncio
from typing import Any

import pytest

from donewhen.agents.models.clients import Wired
from donewhen.agents.models.naming import make_model
from donewhen.config.schema import Llm
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, ModelFailed, Piece, Prompt, Reply, ToolSaid, UserSaid
from donewhen.testing import Answer, Call, FakeModel, Fault, Reported
from tests.tables import table_test

pytest.importorskip("httpx2", reason="the extra `llm` is not installed")

PROTOCOLS = ("chat", "responses", "anthropic", "gemini")
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
@table_test("finish", ["length", "refusal"])
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
@table_test("fault", REFUSALS)
def test_refusals_are_known_and_free(protocol, stream, fault):
    with FakeModel([Answer("x", fault=Fault(fault))]) as fake:
        failed = failure(fake.url, protocol=protocol, stream=stream)
    assert (failed.kind, failed.free) == (REFUSALS[fault], True)
    assert failed.detail


@EACH
@table_test(
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
@table_test(("fault", "stream", "kind"), BROKEN, ids=lambda each: str(getattr(each, "kind", each)))
def test_answers_that_are_none_may_have_been_billed(protocol, fault, stream, kind):
    with FakeModel([Answer("I have much to say about this.", fault=fault)]) as fake:
        failed = failure(fake.url, protocol=protocol, stream=stream)
    assert (failed.kind, failed.free) == (kind, False)


@BOTH
@EACH
@table_test("fault", ["unknown", "pings"])
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


def test_a_call_goes_back_with_its_result_also_when_it_was_broken():
    said = AgentSaid("", (ToolRequest("a", "run_command", broken="no JSON"),))
    pieces = [*PROMPT.pieces, Piece(said), Piece(ToolSaid("a", "run_command", False, "no JSON"))]
    for protocol in PROTOCOLS:
        with FakeModel(["Sorry."]) as fake:
            assert ask(fake.url, PROMPT._replace(pieces=pieces), protocol=protocol)[0].text == "Sorry."
