"""Runs whose work is reviewed by a model: who is asked, what its word is worth, what it costs."""

import json
from typing import Any

import pytest

from donewhen.core.events import run
from donewhen.testing import Answer, Call, FakeModel, Fault
from tests.helpers import Cli
from tests.llm_support import (
    ANTHROPIC,
    CHAT,
    CLAIM,
    FIX,
    GOOGLE,
    KEY,
    PRICE,
    RESPONSES,
    Protocol,
    play,
)
from tests.review_support import (
    AGREES,
    JUDGE,
    MENDED,
    MET,
    OBJECTS,
    STILL_OPEN,
    TOUCH,
    finding,
    models,
    reply,
    reviews,
    semantic,
    told,
)
from tests.runs import CLAIM as DONE
from tests.runs import FIX as EDIT
from tests.runs import attempts, broken_cart, settings
from tests.runs import play as play_script

GATES = False


# -- who is asked ----------------------------------------------------------------------------------


def test_the_author_s_own_model_is_left_out_with_a_note(cli: Cli):
    played = play(cli, CHAT, [FIX, CLAIM, *AGREES], verification={"semantic": {"model": "fake-model"}})
    assert (played.why, played.fake.left) == ((0, "accepted", ""), 2), played.done
    assert "no model is configured but openai:fake-model, which wrote it" in json.dumps(
        played.done.json["notes"]
    )
    assert reviews(played) == []


@pytest.mark.runs
@pytest.mark.parametrize("protocol", [CHAT, RESPONSES, ANTHROPIC, GOOGLE], ids=lambda each: each.name)
def test_a_review_is_a_call_like_any_other(cli: Cli, protocol: Protocol):
    judge = {"semantic": {"model": "another-model"}}
    played = play(cli, protocol, [FIX, CLAIM, *AGREES], verification=judge)
    assert (played.why, played.fake.problems, played.fake.left) == ((0, "accepted", ""), [], 0), played.done
    (review,) = reviews(played)
    assert (review.model.partition(":")[2], review.overall, review.round) == ("another-model", "pass", 1)
    assert len(played.booked) == len(played.reserved) == 4
    assert review.micros == sum(each.micros for each in played.booked[2:]) > 0
    assert not any("tools" in each.body for each in played.asked[2:])


def test_another_model_is_preferred_and_paid_from_the_same_account(cli: Cli):
    played = play(cli, CHAT, [FIX, CLAIM, *AGREES], **JUDGE)
    assert (played.why[0], models(played)) == (0, ["fake-model", "fake-model", "judge", "judge"])
    rows = {row["model"]: row["calls"] for row in cli("cost", "--json").json["models"]}
    assert rows == {"openai:fake-model": 2, "openai:judge": 2}


@pytest.mark.runs
@pytest.mark.parametrize(
    ("llm", "semantic", "who"),
    [
        ({"roles": {"review": "openai:by-role"}}, {}, "by-role"),
        ({"roles": {"review": "openai:by-role"}}, {"model": "openai:nearest"}, "nearest"),
        ({"fallback": ["openai:spare"]}, {}, "spare"),
        ({"fallback": ["openai:fake-model", "openai:spare"]}, {"model": "openai:fake-model"}, "spare"),
    ],
    ids=["role", "nearest", "fallback", "not the author"],
)
def test_which_model_reviews(cli: Cli, llm: dict[str, Any], semantic: dict[str, Any], who: str):
    played = play(cli, CHAT, [FIX, CLAIM, *AGREES], llm=llm, verification={"semantic": semantic})
    assert (played.why[0], models(played)[2:]) == (0, [who, who]), played.done


@pytest.mark.runs
def test_a_scripted_run_is_reviewed_only_where_a_reviewer_is_named(cli: Cli):
    broken_cart(cli)
    with FakeModel(AGREES, key=KEY) as fake:
        llm = {"provider": "openai", "base_url": fake.openai_url, "protocol": "chat"}
        settings(cli, tools={"llm": llm}, budget={"unknown_price": PRICE}, evidence={"base_exam": "never"})
        cli.env["OPENAI_API_KEY"] = KEY
        assert play_script(cli, EDIT, DONE).exit == 0
        assert fake.requests == []
        named = play_script(cli, EDIT, DONE, more=("--set", "verification.semantic.model=judge"))
        assert (named.exit, len(fake.requests)) == (0, 2), named


# -- what it says ----------------------------------------------------------------------------------


@pytest.mark.runs
def test_a_reviewer_that_objects_once_and_then_agrees(cli: Cli):
    played = play(cli, CHAT, [FIX, CLAIM, *OBJECTS, TOUCH, CLAIM, *MENDED], **JUDGE)
    assert (played.why, played.fake.left) == ((0, "accepted", ""), 0), played.done
    assert attempts(cli, played.id) == ["continue", "accepted"]
    assert "- cart.py:2: an empty cart is not handled → return 0 for it" in told(played)
    assert [each.overall for each in reviews(played)] == ["fail", "pass"]
    second = json.dumps(played.asked[-1].body)
    assert "finding-1" in second and "The cart adds up now." not in second  # never the author's talk
    assert "openai:judge reviewed the change (review 2)" in json.dumps(played.done.json["notes"])


@pytest.mark.runs
def test_a_fix_turn_goes_to_the_model_for_fixes(cli: Cli):
    llm = {"roles": {"fix": "openai:mender"}}
    played = play(cli, CHAT, [FIX, CLAIM, *OBJECTS, TOUCH, CLAIM, *MENDED], llm=llm, **JUDGE)
    assert models(played) == ["fake-model"] * 2 + ["judge"] * 2 + ["mender"] * 2 + ["judge"] * 2


@pytest.mark.runs
def test_a_reviewer_that_never_agrees_ends_with_a_human(cli: Cli):
    turns: list[Answer | Call | str] = [
        FIX,
        CLAIM,
        *OBJECTS,
        TOUCH,
        CLAIM,
        *STILL_OPEN,
        Call("write_file", {"path": "notes.txt", "content": "tried\n"}),
        CLAIM,
    ]
    played = play(cli, CHAT, turns, **JUDGE)
    assert (played.why, played.fake.left) == ((4, "escalated", "no_auto_fix"), 0), played.done
    made = [each for each in played.bodies if isinstance(each, run.CorrectionMade)]
    assert [(each.result, each.cause) for each in made] == [
        ("retried", ""),
        ("retried", ""),
        ("escalated", "no_auto_fix"),
    ]
    assert [each.round for each in reviews(played)] == [1, 2]


@pytest.mark.runs
def test_fix_turns_beyond_the_limit_are_handed_over(cli: Cli):
    more = {**JUDGE, "correction": {"max_retries": 1}}
    played = play(cli, CHAT, [FIX, CLAIM, *OBJECTS, TOUCH, CLAIM, *STILL_OPEN], **more)
    assert played.why == (4, "escalated", "max_retries"), played.done


@pytest.mark.runs
def test_findings_below_the_confidence_that_is_asked_for_are_warnings(cli: Cli):
    played = play(cli, CHAT, [FIX, CLAIM, MET, reply(finding(confidence=0.4))], **JUDGE)
    assert played.why[0] == 0
    assert semantic(played).details["count"] == 1 and semantic(played).verdict == "passed"


@pytest.mark.runs
@pytest.mark.parametrize(
    "replies",
    [["no JSON"] * 3, ['{"findings": 3}'] * 3, [Answer("I won't.", finish="refusal")]],
    ids=["garbage", "wrong shape", "refusal"],
)
def test_a_reviewer_that_gives_no_review_could_not_run(cli: Cli, replies: list[Any]):
    played = play(cli, CHAT, [FIX, CLAIM, *replies], **JUDGE)
    assert played.why == (5, "verification_execution_error", "review"), played.done
    assert (played.fake.left, played.done.json["state"]) == (0, "paused")
    (review,) = reviews(played)
    assert (review.overall, review.rounds) == ("could_not_run", {})


@pytest.mark.runs
def test_a_broken_reply_is_sent_back_and_the_next_one_counts(cli: Cli):
    played = play(cli, CHAT, [FIX, CLAIM, "no JSON", *AGREES], **JUDGE)
    assert (played.why[0], len(played.booked)) == (0, 5)
    assert "Your last answer was refused" in json.dumps(played.asked[3].body)


@pytest.mark.runs
def test_when_the_reviewer_is_away_a_fallback_reviews(cli: Cli):
    away = Answer(fault=Fault("status", status=404))
    llm = {"retries": 0, "fallback": ["openai:spare"]}
    played = play(cli, CHAT, [FIX, CLAIM, away, *AGREES], llm=llm, **JUDGE)
    assert (played.why[0], models(played)[2:]) == (
        0,
        [
            "judge",
            "spare",
            "judge",
        ],
    ), played.done


@pytest.mark.runs
def test_a_budget_that_ends_in_a_review_ends_the_run(cli: Cli):
    more = {**JUDGE, "budget": {"total": 0.2, "prices": {"openai:judge": {"input": 900.0, "output": 900.0}}}}
    played = play(cli, CHAT, [FIX, CLAIM, *AGREES], **more)
    assert played.why[:2] == (3, "budget_exceeded"), played.done
    assert sum(each.micros for each in played.booked) <= 200_000
