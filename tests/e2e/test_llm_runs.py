"""Whole runs with a model behind a fake endpoint: every protocol, streamed and not, and who is asked for what."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from donewhen.core.budget import Price
from donewhen.testing import Answer, Call, FakeModel, Reported
from tests.helpers import Cli
from tests.llm_support import (
    ANTHROPIC,
    CHAT,
    CLAIM,
    FIX,
    GOOGLE,
    KEY,
    LIBRARY,
    LOOK,
    LOOK_AT_TESTS,
    RESPONSES,
    WIRES,
    WORK,
    Protocol,
    configured,
    heard,
    only_grows,
    play,
    run_words,
    traces,
)
from tests.runs import attempts, broken_cart

pytestmark = pytest.mark.models

GATES = False
TRUE_PRICE = Price(3_000_000, 15_000_000)
STREAMS = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
LONG = (CLAIM, Answer("Let me see.", (LOOK, LOOK_AT_TESTS), thinking="Where is the sum?"), FIX, CLAIM)


@pytest.mark.runs
@STREAMS
@pytest.mark.parametrize(
    "protocol", [CHAT, RESPONSES, ANTHROPIC, GOOGLE, LIBRARY], ids=lambda each: each.name
)
def test_a_run_over_each_protocol(cli: Cli, protocol: Protocol, stream: bool):
    if protocol is LIBRARY:
        pytest.importorskip("google.genai")
    played = play(cli, protocol, LONG, stream=stream)
    assert (played.why, played.fake.problems, played.fake.left) == ((0, "accepted", ""), [], 0)
    assert attempts(cli, played.id) == ["continue", "accepted"]
    assert [each.tool for each in played.results] == [
        "complete",
        "read_file",
        "read_file",
        "edit_file",
        "complete",
    ]
    assert {_streamed(each.body, each.path) for each in played.asked} == {stream}
    assert only_grows(played.asked)
    _booked_as_billed(played.cli, played.fake, protocol)
    assert traces(cli, KEY) == []
    assert KEY not in played.done.out + played.done.err


def _streamed(body: dict, path: str) -> bool:
    return bool(body.get("stream")) or "streamGenerateContent" in path


def _booked_as_billed(cli: Cli, fake: FakeModel, protocol: Protocol) -> None:
    """Every call is in the books, for no less than a provider would bill."""
    cost = cli("cost", "--json").json
    (row,) = cost["models"]
    assert (row["model"], row["calls"], cost["held"]) == (protocol.model, 4, 0.0)
    assert cost["unknown_price"] == [protocol.model]
    assert row["tokens_in"] >= fake.tokens.input and row["tokens_out"] >= fake.tokens.output
    billed = fake.billed(TRUE_PRICE) / 1e6
    assert billed <= cost["cost"]["llm"] < 1.3 * billed


@pytest.mark.runs
def test_a_report_below_the_truth_is_not_believed(cli: Cli):
    answers = [Answer(calls=(FIX,), factor=0.1), Answer(calls=(CLAIM,), usage=Reported(1, 0))]
    played = play(cli, CHAT, answers)
    assert played.why[0] == 0
    spent, billed = sum(each.micros for each in played.booked), played.fake.billed(TRUE_PRICE)
    assert billed <= spent < 1.3 * billed  # what we count ourselves, and its margin


@pytest.mark.runs
def test_where_nothing_is_reported_all_that_was_set_aside_is_spent(cli: Cli):
    played = play(cli, CHAT, [Answer(calls=(FIX,), usage="missing"), CLAIM])
    assert played.why[0] == 0
    assert played.booked[0].micros == played.reserved[0].micros > played.booked[1].micros


@pytest.mark.runs
def test_the_model_reads_all_of_a_long_goal(cli: Cli):
    goal = "Fix the cart.\n\n" + "It must add up. " * 60 + "\n\nRound to cents."
    broken_cart(cli)
    with FakeModel(WORK) as fake:
        configured(cli, CHAT, fake.openai_url)
        done = cli(*run_words(goal=goal))
    assert done.exit == 0, done
    assert [each.body["messages"][1]["content"] for each in fake.requests] == [goal, goal]


# -- who is asked ----------------------------------------------------------------------------------


def models(requests: Iterable) -> list[str]:
    return [each.body["model"] for each in requests]


@pytest.mark.runs
def test_another_model_mends_what_was_refused(cli: Cli):
    roles = {"roles": {"execute": "openai:worker", "fix": "openai:mender"}}
    played = play(cli, CHAT, [CLAIM, FIX, CLAIM], llm=roles)
    assert (played.why[0], models(played.asked)) == (0, ["worker", "mender", "mender"])
    assert only_grows(played.asked)
    rows = cli("cost", "--json").json["models"]
    assert {(row["model"], row["calls"]) for row in rows} == {("openai:worker", 1), ("openai:mender", 2)}


@pytest.mark.runs
def test_a_plan_is_made_by_the_model_for_plans(cli: Cli):
    plan = Call("plan_update", {"files": ["cart.py"]})
    played = play(cli, CHAT, [plan, *WORK], llm={"roles": {"plan": "openai:planner"}})
    assert played.why == (0, "accepted", ""), played.done
    assert models(played.asked) == ["planner", "fake-model", "fake-model"]
    assert only_grows(played.asked)


@pytest.mark.runs
def test_when_a_model_gives_up_the_next_one_does_the_work(cli: Cli):
    broken_cart(cli)
    with FakeModel(WORK) as fake:
        url = fake.openai_url
        configured(cli, ANTHROPIC, "http://127.0.0.1:1", llm={"retries": 0, "fallback": ["openai:second"]})
        done = cli(*run_words(), OPENAI_API_KEY="sk-other", OPENAI_BASE_URL=url)
        assert (done.exit, fake.problems) == (0, []), done
        assert models(fake.requests) == ["second", "second"]
    cost = cli("cost", "--json").json["models"]
    spent = {row["model"]: (row["calls"], row["cost"] > 0) for row in cost}
    assert spent == {"openai:second": (2, True), "anthropic:fake-model": (2, False)}


@pytest.mark.runs
@pytest.mark.parametrize("how", ["option", "agent", "profile"])
def test_a_model_can_be_named_in_several_ways(cli: Cli, how: str):
    settings: dict[str, Any] = {
        "option": {},
        "agent": {"agents": {"cheap": {"kind": "llm", "model": "named"}}},
        "profile": {"llm": {"by_profile": {"edit_code": "openai:named"}}},
    }[how]
    words = {"option": ["--model", "openai:named"], "agent": ["--agent", "cheap"], "profile": []}[how]
    played = play(cli, CHAT, WORK, *words, **settings)
    assert (played.why[0], models(played.asked)) == (0, ["named", "named"])


# -- answers that say little -----------------------------------------------------------------------


@pytest.mark.runs
@pytest.mark.parametrize("protocol", WIRES, ids=lambda each: each.name)
def test_an_answer_that_was_cut_goes_on(cli: Cli, protocol: Protocol):
    cut = Answer("First I look at the", finish="length")
    played = play(cli, protocol, [cut, FIX, CLAIM])
    assert played.why[0] == 0
    said = "\n".join(heard(played.asked[1]).said)
    assert "First I look at the" in said


@pytest.mark.runs
def test_calls_of_an_answer_that_was_cut_are_not_half_done(cli: Cli):
    half = Answer(calls=(Call("edit_file", '{"path": "cart.py", "edits": [{"old": "sum'),), finish="length")
    played = play(cli, CHAT, [half, FIX, CLAIM])
    assert played.why[0] == 0
    assert [each.ok for each in played.results] == [False, True, True]
    assert "send the call again with less at once" in played.results[0].output


@pytest.mark.runs
@pytest.mark.parametrize(
    "answer",
    [
        Answer("I can't help with that.", finish="refusal"),
        Answer(""),
        Answer("All is well."),
        Answer(thinking="Hm."),
    ],
    ids=["refusal", "empty", "only words", "only thinking"],
)
def test_answers_without_work_are_reminded_and_end_the_run(cli: Cli, answer: Answer):
    played = play(cli, ANTHROPIC, [FIX, answer], then="repeat-last")
    assert played.why == (1, "missing_completion_signal", "")
    assert played.fake.problems == []
    assert 5 <= len(played.asked) <= 8
    assert played.done.json["work"]


@pytest.mark.runs
def test_one_answer_without_work_only_costs_a_turn(cli: Cli):
    played = play(cli, RESPONSES, [Answer(""), "I look.", FIX, Answer(finish="refusal"), CLAIM])
    assert (played.why[0], played.fake.problems) == (0, [])


def test_a_claim_in_words_counts_as_one(cli: Cli):
    claim = json.dumps({"task_completion": {"completed": True, "summary": "The cart adds up."}})
    assert play(cli, CHAT, [FIX, claim]).why[0] == 0
