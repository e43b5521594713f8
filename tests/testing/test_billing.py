"""What a provider would truly have charged, whatever its answers claim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.budget import Price
from donewhen.testing import Answer, Call, FakeModel, Fault, Reported
from donewhen.testing.counting import count, cut
from donewhen.testing.pieces import fitted, said
from tests.examples import many
from tests.tables import table_test
from tests.testing.asking import WIRES, ask, question

PRICE = Price(input=3_000_000, output=15_000_000)
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
EACH = pytest.mark.parametrize("wire", WIRES)
ANSWER = Answer("It is done.", calls=(Call("run_command", {"command": "ls"}),), thinking="hm")


@BOTH
@EACH
def test_lies_about_usage_change_nothing_about_the_bill(wire: str, stream: bool):
    answers = [
        ANSWER,
        ANSWER._replace(usage="missing"),
        ANSWER._replace(factor=0.1),
        ANSWER._replace(usage=Reported()),
    ]
    with FakeModel(answers) as fake:
        for _ in answers:
            ask(fake, question(wire, stream, text="What is left to do?"))
        assert len({request.tokens for request in fake.requests}) == 1
        spent = fake.requests[0].tokens
        assert spent.output == count(said(ANSWER))
        assert fake.billed(PRICE) == 4 * (spent.input * 3 + spent.output * 15)


@BOTH
@EACH
def test_an_answer_is_cut_at_the_requests_limit(wire: str, stream: bool):
    with FakeModel([Answer("word " * 500)]) as fake:
        response = ask(fake, question(wire, stream, most=20))
        (request,) = fake.requests
    assert request.tokens.output == 20
    assert any(
        word in response.text for word in ('"length"', "max_tokens", "max_output_tokens", "MAX_TOKENS")
    )


@EACH
def test_refusals_are_free_and_lost_answers_cost_their_input(wire: str):
    with FakeModel([Answer("x", fault=Fault("rate")), Answer("x", fault=Fault("cut", after=0))]) as fake:
        ask(fake, question(wire, stream=True))
        with pytest.raises(Exception):  # noqa: B017
            ask(fake, question(wire, stream=True))
        free, lost = (request.tokens for request in fake.requests)
    assert (free.input, free.output) == (0, 0)
    assert (lost.input > 0, lost.output) == (True, 0)


TEXTS = st.text(max_size=200)
CALLS = st.lists(st.builds(Call, st.just("tool"), st.dictionaries(TEXTS, TEXTS, max_size=2)), max_size=3)


@settings(max_examples=many(150), deadline=None)
@given(TEXTS, TEXTS, CALLS, st.integers(1, 80))
def test_an_answer_made_to_fit_fits(text: str, thinking: str, calls: list[Call], most: int):
    answer = Answer(text, tuple(calls), thinking)
    made = fitted(answer, most)
    assert made == answer or made.finish == "length"
    assert count(made.text) <= most
    assert said(answer).startswith(made.thinking)
    assert answer.text.startswith(made.text)


@settings(max_examples=many(150), deadline=None)
@given(TEXTS, st.integers(0, 60))
def test_a_text_is_cut_to_its_limit(text: str, most: int):
    assert count(cut(text, most)) <= most


@table_test("text", ["a" * 5000, " " * 5000, "中" * 5000, "<|endoftext|>", "\ud800"])
def test_odd_texts_are_counted_in_time(text: str):
    assert 0 < count(text) <= len(text.encode(errors="replace"))


LONG = "The quick brown fox jumps over the lazy dog. " * 150  # more than a cache needs


def test_a_beginning_that_came_before_is_read_from_the_cache():
    with FakeModel(["one"] * 3) as fake:
        bodies = [question("chat", text=text).body["messages"] for text in (LONG, LONG, "another")]
        for asked in (bodies[0], [*bodies[1], {"role": "user", "content": "more"}], bodies[2]):
            ask(fake, question("chat")._replace(body={"model": "m", "messages": asked}))
        first, second, third = (request.tokens for request in fake.requests)
    assert first.cache_read == third.cache_read == 0
    assert second.cache_read == first.input
    assert second.input == second.prompt - second.cache_read < 10


def test_what_anthropic_is_told_to_keep_is_written_once_and_read_then():
    system = [{"type": "text", "text": LONG, "cache_control": {"type": "ephemeral"}}]
    asked = question("anthropic")
    price = Price(1_000_000, 1_000_000, cache_write=2_000_000, cache_read=100_000)
    with FakeModel(["one"] * 2, then="repeat-last") as fake:
        for _ in range(2):
            used = ask(fake, asked._replace(body=asked.body | {"system": system})).json()["usage"]
        first, second = (request.tokens for request in fake.requests)
        bill = fake.billed(price)
    assert first.cache_write == second.cache_read == count(LONG)
    assert (first.cache_read, second.cache_write) == (0, 0)
    assert used["cache_read_input_tokens"] == second.cache_read
    rest = sum(each.input + each.output for each in (first, second))
    assert bill == rest + 2 * count(LONG) + -(-count(LONG) // 10)
