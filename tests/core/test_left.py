"""What a gone process left, read from events alone."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import freeze
from donewhen.core.events import Body, Event, facts, run
from donewhen.core.left import INTERRUPTED, Left
from tests.tables import table_test

RUN = "r-20260101000000-abcdef"


def left_by(*bodies: Body) -> Left:
    return Left().take(Event(number, RUN, "", "", body, "") for number, body in enumerate(bodies, 1))


def step(*calls: tuple[str, str, dict[str, Any]]) -> facts.AgentStepped:
    requests = freeze([{"id": name, "tool": tool, "args": args} for name, tool, args in calls])
    return facts.AgentStepped(1, calls=len(calls), requests=requests)


STARTED = (
    run.RunStarted("goal", metadata={"folder": "/x"}),
    run.StateChanged("idle", "parsing"),
    run.StateChanged("parsing", "planning"),
    run.StateChanged("planning", "executing"),
    run.Checkpointed(0),
    run.TurnStarted(1),
)
TWO = step(("a", "read_file", {"path": "x"}), ("b", "run_command", {"command": "make"}))


def test_a_call_without_a_result_is_interrupted_and_one_that_was_never_made_is_told_so():
    left = left_by(*STARTED, TWO, facts.ToolCalled("c1.1", "read_file", id="a"))
    assert [made.key for made in left.interrupted] == ["c1.1"]
    assert [request.id for request in left.unmade] == ["b"]
    assert [(each.id, each.error_class) for each in left.results] == [("a", INTERRUPTED), ("b", INTERRUPTED)]
    assert not left.turn_over


def test_a_writing_call_names_the_tree_to_come_back_to():
    left = left_by(
        *STARTED,
        TWO,
        facts.ToolCalled("c1.1", "read_file", id="a"),
        facts.ToolReturned("c1.1", "read_file", True, "text"),
        facts.ToolCalled("c1.2", "run_command", id="b"),
        facts.CallBegun("c1.2", "tree", "ref: refs/heads/x", "commit"),
        facts.CommandStarted("c1.2", "make"),
    )
    (cut,) = left.interrupted
    assert cut.begun == facts.CallBegun("c1.2", "tree", "ref: refs/heads/x", "commit")
    assert [each.output for each in left.results] == ["text", ""]
    assert list(left.running) == ["c1.2"]


def test_a_command_whose_end_is_known_is_not_made_again_though_nobody_told_the_agent():
    left = left_by(
        *STARTED,
        step(("b", "run_command", {"command": "make"})),
        facts.ToolCalled("c1.1", "run_command", id="b"),
        facts.CallBegun("c1.1", "tree"),
        facts.CommandStarted("c1.1", "make"),
        facts.CommandEnded("c1.1", "make", exit=2, tail="no rule"),
        facts.FileChanged("out", "write"),
    )
    assert left.interrupted == ()
    assert left.turn_over
    assert left.results[0][2:] == (False, "no rule", "exit")
    assert [each.path for each in left.calls["c1.1"].changed] == ["out"]


def test_after_a_checkpoint_the_step_is_heard_and_its_results_are_still_told():
    left = left_by(
        *STARTED,
        step(("a", "read_file", {"path": "x"})),
        facts.ToolCalled("c1.1", "read_file", id="a"),
        facts.ToolReturned("c1.1", "read_file", True, "text"),
        run.Checkpointed(1, agent={"at": 1}),
        facts.AgentTold("note", "read more"),
    )
    assert not left.unheard
    assert left.results[0].output == "text"
    assert [message.text for message in left.messages] == ["read more"]


def test_a_background_command_is_running_once_its_call_has_returned():
    left = left_by(
        *STARTED,
        step(("b", "run_command", {"command": "serve"})),
        facts.ToolCalled("c1.1", "run_command", id="b"),
        facts.CommandStarted("c1.1", "serve", background=True),
        facts.ToolReturned("c1.1", "run_command", True, "moved"),
    )
    assert left.interrupted == ()
    assert list(left.running) == ["c1.1"]


def test_a_hand_over_forgets_its_effects_when_a_human_lets_the_run_go_on():
    paused = (
        *STARTED,
        facts.EffectIntended("k", "notify", "mail"),
        run.StateChanged("executing", "paused", "escalated: loop"),
    )
    assert left_by(*paused).handed_over
    assert left_by(*paused).effects
    again = left_by(*paused, run.Resumed(0, "executing"))
    assert not again.effects
    assert again.to_go_on == "executing"


def test_an_effect_that_was_begun_is_known_until_the_next_checkpoint():
    begun = (*STARTED, facts.EffectIntended("k", "branch", "b"), facts.EffectDone("k", True, "c0ffee"))
    left = left_by(*begun)
    assert (left.branch, list(left.effects)) == ("c0ffee", ["k"])
    assert left_by(*begun, run.Checkpointed(1)).effects == {}


EVENTS = st.lists(
    st.sampled_from(
        [
            TWO,
            facts.ToolCalled("c1.1", "read_file", id="a"),
            facts.ToolCalled("c1.2", "run_command", id="b"),
            facts.CallBegun("c1.2", "tree"),
            facts.CommandStarted("c1.2", "make"),
            facts.CommandEnded("c1.2", "make", exit=0),
            facts.ToolReturned("c1.1", "read_file", True),
            facts.ToolReturned("c1.2", "run_command", True),
            facts.CallInterrupted("c1.2", "run_command"),
            run.Checkpointed(1),
            run.StateChanged("executing", "validating"),
            run.Resumed(0, "executing"),
        ]
    ),
    max_size=25,
)


@given(EVENTS)
def test_whatever_was_cut_every_wish_of_the_last_step_has_exactly_one_result(bodies: list[Body]):
    left = left_by(*STARTED, *bodies)
    wished = left.last.calls if left.last else ()
    assert [each.id for each in left.results] == [each.id for each in wished]
    over = {made.request.id for made in left.calls.values() if made.over}
    assert {each.id for each in left.results if each.error_class != INTERRUPTED} == over & {
        c.id for c in wished
    }
    assert left.turn_over <= left.unheard


def test_a_step_that_answers_to_an_interruption_is_told_from_the_next_one():
    cut = (*STARTED, TWO, facts.ToolCalled("c1.1", "read_file", id="a"), run.Resumed(0, "executing"))
    gone = (facts.CallInterrupted("c1.1", "read_file"), run.Checkpointed(0, agent={"at": 1}))
    assert [each.again for each in left_by(*cut, *gone, TWO).steps] == [True]
    done = (
        facts.ToolCalled("c1.2", "read_file", id="a"),
        facts.ToolReturned("c1.2", "read_file", True),
        facts.ToolCalled("c1.3", "run_command", id="b"),
        facts.ToolReturned("c1.3", "run_command", True),
    )
    assert [each.again for each in left_by(*cut, *gone, TWO, *done, TWO).steps] == [True, False]


REFUSED = (
    run.StateChanged("executing", "validating"),
    run.Checkpointed(1),
    run.Decided("continue"),
    run.CorrectionMade(2, "escalated", "max_retries"),
    run.Decided("stopped", "escalated", "max_retries"),
)


def test_a_hand_over_that_nobody_has_heard_of_is_carried_out_and_not_judged_again():
    left = left_by(*STARTED, *REFUSED, run.StateChanged("validating", "paused", INTERRUPTED))
    assert left.ending == REFUSED[-1]
    assert not (left.handed_over or left.afresh)


@table_test("reason", ["escalated: max_retries", "budget_exceeded: turns", "todo_waiting_external"])
def test_what_a_human_answered_holds_until_the_next_checkpoint(reason: str):
    waits = (*STARTED, *REFUSED, run.StateChanged("validating", "paused", reason))
    answered = (*waits, run.Resumed(1, "validating"), run.StateChanged("paused", "validating", "resumed"))
    for bodies in (waits, answered, (*answered, run.StateChanged("validating", "paused", INTERRUPTED))):
        left = left_by(*bodies)
        assert (left.afresh, left.ending) == (True, None)
        assert left.supplied == reason.startswith("todo")
    gone_on = left_by(*answered, run.StateChanged("validating", "executing"), run.Checkpointed(1))
    assert not (gone_on.afresh or gone_on.supplied)
