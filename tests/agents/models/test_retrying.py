"""What follows a failed call, for every failure, try and lot."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models.retrying import (
    FIRST_WAIT,
    LONGEST_ASKED,
    LONGEST_WAIT,
    GiveUp,
    NextModel,
    TighterContext,
    Wait,
    following,
)
from donewhen.core.chat import FAILURES, ModelFailed

_CHANCE = st.floats(0, 1)
_KINDS = st.sampled_from(FAILURES)
_AGAIN = st.sampled_from(["unreachable", "busy", "timeout", "server", "cut", "answer"])
_NEVER = st.sampled_from(["key", "quota", "model", "tools", "request"])


@given(_NEVER, st.integers(1, 9), st.integers(0, 9), _CHANCE, st.booleans())
def test_what_waiting_can_not_mend_is_not_tried_again(kind, attempt, retries, chance, more):
    after = following(ModelFailed(kind, retry_after=1), attempt, retries, chance, more=more)
    assert after == (NextModel() if more else GiveUp())


@given(_AGAIN, st.integers(1, 50), st.integers(0, 50), _CHANCE)
def test_tries_are_bounded_and_waits_grow_to_a_bound(kind, attempt, retries, chance):
    after = following(ModelFailed(kind), attempt, retries, chance)
    if attempt > retries:
        assert after == GiveUp()
    else:
        full = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1))
        assert isinstance(after, Wait)
        assert full / 2 <= after.seconds <= full


@given(_AGAIN, st.floats(0, 10**6), _CHANCE, st.booleans())
def test_what_the_endpoint_asks_for_is_honoured_up_to_a_minute(kind, asked, chance, more):
    after = following(ModelFailed(kind, retry_after=asked), 1, 4, chance, more=more)
    if asked > LONGEST_ASKED:
        assert after == (NextModel(asked) if more else GiveUp(asked))
    else:
        assert isinstance(after, Wait)
        assert max(asked, FIRST_WAIT / 2 if not asked else 0) <= after.seconds <= asked + FIRST_WAIT


@given(st.integers(1, 9), st.integers(0, 9), _CHANCE, st.booleans())
def test_a_prompt_that_is_too_long_must_become_shorter(attempt, retries, chance, more):
    assert following(ModelFailed("too_long"), attempt, retries, chance, more=more) == TighterContext()


def test_a_huge_answer_is_asked_for_once_more():
    assert isinstance(following(ModelFailed("huge"), 1, 4, 0.5), Wait)
    assert following(ModelFailed("huge"), 2, 4, 0.5) == GiveUp()


@given(_KINDS, st.integers(1, 10), st.integers(0, 10), _CHANCE, st.none() | st.floats(0, 100))
def test_every_failure_has_something_that_follows(kind, attempt, retries, chance, asked):
    after = following(ModelFailed(kind, retry_after=asked), attempt, retries, chance)
    assert isinstance(after, Wait | TighterContext | GiveUp)
