"""Killed once more while a run is taken up: what the ledger says then is what it said before."""

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.events import Body, Event, facts, run
from donewhen.core.left import Left
from donewhen.core.texts import Phrase
from donewhen.run.engine.passing import passes

STEP = facts.AgentStepped(
    1, calls=1, requests=({"id": "a", "tool": "run_command", "args": {"command": "x"}},)
)
CUT: tuple[Body, ...] = (
    run.StateChanged("planning", "executing"),
    STEP,
    facts.ToolCalled("c1.1", "run_command", {}, "a"),
    run.StateChanged("executing", "paused", "interrupted"),
)


def left_by(*bodies: Body) -> Left:
    return Left().take(
        Event(number, "r", "", type(body).__name__, body, "") for number, body in enumerate(bodies)
    )


def test_an_interrupted_call_is_taken_off_once_however_often_the_run_is_taken_up():
    once = left_by(*CUT)
    twice = left_by(*CUT, run.Resumed(0, "executing", "p", 0), run.StateChanged("paused", "executing"))
    assert (once.not_to_count, len(once.interrupted)) == (1, 1)
    assert (twice.not_to_count, len(twice.interrupted)) == (0, 1)


def test_effects_of_a_pause_are_of_that_pause_alone():
    ended = facts.EffectIntended("k", "hook", "run_end")
    left = left_by(*CUT, ended, facts.EffectDone("k", True))
    assert (list(left.effects), list(left.aside)) == ([], ["k"])
    assert not left_by(*CUT, ended, run.Resumed(0, "executing")).aside


@pytest.mark.parametrize(
    ("error", "waits"),
    [
        (SetupError("store.disk_full", path="p", why="w"), True),
        (SetupError("git.failed", command="add", why="fatal: x: No space left on device"), True),
        (SetupError("git.failed", command="add", why="write error. Out of diskspace"), True),
        (SetupError("git.failed", command="add", why="fatal: bad object"), False),
        (
            SetupError(
                "shipping.not_moved",
                branch="b",
                kept="k",
                why=Phrase("git.failed", {"command": "update-ref", "why": "Read-only file system"}),
            ),
            True,
        ),
        (SetupError("shipping.not_moved", branch="b", kept="k", why=Phrase("rooms.not_forward", {})), False),
    ],
)
def test_trouble_of_the_machine_waits_and_everything_else_ends(error: SetupError, waits: bool):
    assert passes(error) is waits
