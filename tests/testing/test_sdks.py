"""The providers' own libraries understand every kind of answer, whole and streamed."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from donewhen.testing import Answer, Call, FakeModel, Reported
from tests.tables import table_test

CALLS = (Call("run_command", {"command": "ls -l"}), Call("read_file", {"path": "ü.py"}))
LONG = 'A text that is long enough for several pieces of a stream, with 中文 and "quotes".\n' * 3


class Heard(NamedTuple):
    text: str
    calls: list[tuple[str, Any]]
    finish: str | None
    input: int | None = None  # None: not reported
    output: int | None = None
    cached: int | None = None


def chat(fake: FakeModel, stream: bool) -> Heard:
    import json

    openai = pytest.importorskip("openai")
    client = openai.OpenAI(base_url=fake.openai_url, api_key="k", max_retries=0)
    asked: Any = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    if stream:
        with client.chat.completions.stream(**asked, stream_options={"include_usage": True}) as events:
            events.until_done()
            done = events.current_completion_snapshot  # the final one raises for `length`
    else:
        done = client.chat.completions.create(**asked)
    (choice,) = done.choices
    said = choice.message
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in said.tool_calls or ()]
    text = said.content or said.refusal or ""
    used = done.usage
    if used is None:
        return Heard(text, calls, choice.finish_reason)
    cached = used.prompt_tokens_details.cached_tokens
    return Heard(text, calls, choice.finish_reason, used.prompt_tokens, used.completion_tokens, cached)


def responses(fake: FakeModel, stream: bool) -> Heard:
    import json

    openai = pytest.importorskip("openai")
    client = openai.OpenAI(base_url=fake.openai_url, api_key="k", max_retries=0)
    if stream:
        with client.responses.stream(model="m", input="hi") as events:
            seen = list(events)
        assert [each.sequence_number for each in seen] == list(range(len(seen)))
        assert seen[0].type == "response.created"
        done = seen[-1].response
    else:
        done = client.responses.create(model="m", input="hi")
    calls = [(each.name, json.loads(each.arguments)) for each in done.output if each.type == "function_call"]
    refusals = [
        part.refusal
        for each in done.output
        if each.type == "message"
        for part in each.content
        if part.type == "refusal"
    ]
    finish = done.incomplete_details.reason if done.incomplete_details else done.status
    text = getattr(done, "output_text", "") or "".join(refusals)
    if done.usage is None:
        return Heard(text, calls, finish)
    cached = done.usage.input_tokens_details.cached_tokens
    return Heard(text, calls, finish, done.usage.input_tokens, done.usage.output_tokens, cached)


def anthropic(fake: FakeModel, stream: bool) -> Heard:
    library = pytest.importorskip("anthropic")
    client = library.Anthropic(base_url=fake.url, api_key="k", max_retries=0)
    asked: Any = {"model": "m", "max_tokens": 4096, "messages": [{"role": "user", "content": "hi"}]}
    if stream:
        with client.messages.stream(**asked) as events:
            done = events.get_final_message()
    else:
        done = client.messages.create(**asked)
    text = "".join(block.text for block in done.content if block.type == "text")
    calls = [(block.name, block.input) for block in done.content if block.type == "tool_use"]
    used = done.usage
    if used is None:
        return Heard(text, calls, done.stop_reason)
    whole = used.input_tokens + (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
    return Heard(text, calls, done.stop_reason, whole, used.output_tokens, used.cache_read_input_tokens)


def gemini(fake: FakeModel, stream: bool) -> Heard:
    genai = pytest.importorskip("google.genai")
    client = genai.Client(api_key="k", http_options=genai.types.HttpOptions(base_url=fake.url))
    if stream:
        chunks = list(client.models.generate_content_stream(model="m", contents="hi"))
    else:
        chunks = [client.models.generate_content(model="m", contents="hi")]
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts or ()]
    text = "".join(part.text for part in parts if part.text and not part.thought)
    calls = [(part.function_call.name, part.function_call.args) for part in parts if part.function_call]
    finish = chunks[-1].candidates[0].finish_reason.value
    used = chunks[-1].usage_metadata
    if used is None:
        return Heard(text, calls, finish)
    output = (used.candidates_token_count or 0) + (used.thoughts_token_count or 0)
    return Heard(text, calls, finish, used.prompt_token_count, output, used.cached_content_token_count or 0)


CLIENTS: dict[str, Callable[[FakeModel, bool], Heard]] = {
    "chat": chat,
    "responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
}
FINISHES = {
    "chat": {"stop": "stop", "calls": "tool_calls", "length": "length", "refusal": "content_filter"},
    "responses": {
        "stop": "completed",
        "calls": "completed",
        "length": "max_output_tokens",
        "refusal": "completed",
    },
    "anthropic": {"stop": "end_turn", "calls": "tool_use", "length": "max_tokens", "refusal": "refusal"},
    "gemini": {"stop": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"},
}
ANSWERS = {
    "text": (Answer(LONG), "stop"),
    "thinking": (Answer("so", thinking=LONG), "stop"),
    "one call": (Answer(calls=CALLS[:1]), "calls"),
    "text and calls": (Answer("Let me see.", calls=CALLS, thinking="hm"), "calls"),
    "length": (Answer("and then", finish="length"), "length"),
    "refusal": (Answer("I can't.", finish="refusal"), "refusal"),
    "empty": (Answer(), "stop"),
}


@pytest.mark.runs
@table_test("stream", [False, True], ids=["whole", "streamed"])
@table_test("wire", CLIENTS)
def test_the_library_reads_every_kind_of_answer(wire: str, stream: bool):
    with FakeModel([answer for answer, _ in ANSWERS.values()]) as fake:
        for answer, finish in ANSWERS.values():
            heard = CLIENTS[wire](fake, stream)
            assert heard.text == answer.text
            assert heard.calls == [(call.tool, call.args) for call in answer.calls]
            assert heard.finish == FINISHES[wire][finish]
            spent = fake.requests[-1].tokens
            assert (heard.input, heard.output, heard.cached) == (spent.prompt, spent.output, 0)
        assert (fake.problems, fake.left) == ([], 0)


@pytest.mark.runs
@table_test("stream", [False, True], ids=["whole", "streamed"])
@table_test("wire", CLIENTS)
def test_the_library_reads_reported_usage(wire: str, stream: bool):
    told = Reported(input=700, output=30, cache_read=200, cache_write=100)
    with FakeModel([Answer("yes", usage=told)]) as fake:
        heard = CLIENTS[wire](fake, stream)
    assert (heard.input, heard.output, heard.cached) == (1000, 30, 200)


@table_test("stream", [False, True], ids=["whole", "streamed"])
@table_test("wire", [wire for wire in CLIENTS if wire != "anthropic"])
def test_the_library_bears_missing_usage(wire: str, stream: bool):
    with FakeModel([Answer("yes", usage="missing")]) as fake:
        heard = CLIENTS[wire](fake, stream)
    assert heard == Heard("yes", [], FINISHES[wire]["stop"])
