"""A run that leaves itself to a human: decided once, told once, and gone on with, wherever it is killed."""

from pathlib import Path

import pytest

from donewhen.core.events import run
from tests.faults.killing import Case, disturbed, undisturbed
from tests.faults.plays import BY_NAME, CLAIM, FIX, LATER, Play
from tests.faults.stage import Stage

pytestmark = pytest.mark.faults
LATE = "99999"  # a point that the process which hands over does not reach: the next one gets the next kill
PLAY = BY_NAME["handed over, and gone on with"]


@pytest.mark.parametrize(
    "kills",
    [
        ("before:Decided@2",),
        ("committed:Decided@2",),
        ("committed:Decided@2", "furnished again", "notice sent"),
        ("hooked:on_escalate",),
        (LATE, "committed:Resumed"),
        (LATE, "committed:StateChanged", "undone"),
    ],
    ids=" then ".join,
)
def test_a_hand_over_is_judged_once_and_its_new_tries_are_not_lost(tmp_path: Path, kills: tuple[str, ...]):
    want = undisturbed(Stage(tmp_path / "calm", PLAY))
    told = disturbed(Case(PLAY, kills), tmp_path / "storm", want)
    assert told.problems == ()
    assert len(told.kinds) == len(kills) - kills.count(LATE)


def test_a_refusal_for_good_and_its_end_are_one_transaction(tmp_path: Path):
    stage = Stage(tmp_path / "calm", PLAY)
    stage.call(*stage.run_words)
    bodies = [event.body for event in stage.events()]
    end = next(n for n, body in enumerate(bodies) if getattr(body, "stop_reason", "") == "escalated")
    before = [type(body) for body in bodies[end - 2 : end]]
    assert before == [run.Decided, run.CorrectionMade]
    assert len({event.at for event in stage.events()[end - 2 : end + 1]}) == 1
    assert stage.row.attempts == 2


def test_a_run_that_waits_for_more_goes_on_once_it_is_given(tmp_path: Path):
    settings = {"loop": {"max_tool_calls": 2}, "budget": {"stop_on_exhausted": False}}
    play = Play("a limit", [LATER, {"bash": "echo a > a.txt"}, FIX, CLAIM], settings=settings)
    stage = Stage(tmp_path / "calm", play)
    assert stage.call(*stage.run_words).exit == 4
    assert (stage.row.state, stage.row.stop_reason) == ("paused", "budget_exceeded")
    still = stage.call("resume", "last")
    assert (still.exit, stage.row.stop_reason) == (4, "budget_exceeded")
    given = stage.call("resume", "last", "--set", "loop.max_tool_calls=20")
    assert (given.exit, stage.row.state) == (0, "done"), given


def test_an_abort_that_is_typed_again_does_what_the_killed_one_owed(tmp_path: Path):
    play = BY_NAME["ended by a human"]
    want = undisturbed(Stage(tmp_path / "calm", play))
    told = disturbed(Case(play, ("committed:StateChanged@2",)), tmp_path / "storm", want)
    assert (told.kinds, told.problems) == (("named point",), ())
