"""Summary and session are what the events say, however they are folded."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import Body, Event, facts, run, type_of
from donewhen.core.session import Session, SessionFold, fold, metrics
from donewhen.core.summary import Summary, move, summarise
from tests.tables import table_test

RUN = "r-20261115043750-0a1b2c"

BODIES = st.lists(
    st.one_of(
        st.builds(
            run.CostBooked, st.just("k"), st.sampled_from(["llm", "api", "other"]), st.integers(0, 10**9)
        ),
        st.builds(
            run.StateChanged, st.just("idle"), st.sampled_from(["executing", "paused", "done", "fail"])
        ),
        st.builds(run.TodoChanged, st.sampled_from("abc"), st.just({"status": "pending"})),
        st.builds(run.CorrectionMade, st.integers(1, 5), st.just("retried")),
        st.just(facts.ToolCalled("k", "grep")),
        st.builds(run.Noted, st.text()),
        st.builds(run.ArtifactKept, st.sampled_from(["d1", "d2"]), st.just("log"), st.just(1)),
    ),
    max_size=30,
)


def events(bodies: list) -> list[Event]:
    first = run.RunStarted("goal", budget_micros=1_000_000)
    return [
        Event(n, RUN, f"2026-11-15T04:37:{n % 60:02}.000Z", type_of(body), body, "h")
        for n, body in enumerate([first, *bodies], 1)
    ]


@given(BODIES)
def test_incremental_folding_equals_folding_at_once(bodies):
    story = events(bodies)
    folding, row = SessionFold(RUN), Summary(RUN)
    for event in story:
        folding.take(event)
        row = move(row, event)
    assert folding.session == fold(RUN, story)
    assert row == summarise(RUN, story) == folding.session.summary


@given(BODIES)
def test_costs_add_up_by_kind(bodies):
    row = summarise(RUN, events(bodies))
    spent = {
        kind: sum(b.micros for b in bodies if type_of(b) == "cost_booked" and b.kind == kind)
        for kind in ("llm", "api", "other")
    }
    assert (row.llm_micros, row.api_micros, row.other_micros) == tuple(spent.values())
    assert row.total_micros == sum(spent.values())


def test_a_session_holds_what_the_ledger_says():
    promise = {"objective": "x"}
    session = fold(
        RUN,
        events(
            [
                run.PromiseSet("cp-1", promise),
                run.WorkspaceOpened("/ws", "donewhen/r", "b1"),
                run.TodoChanged("a", {"status": "pending"}),
                run.TodoChanged("b", {"status": "pending"}),
                run.TodoChanged("a", {"status": "completed"}),
                run.CostBooked("1", "api", 250_000),
                run.Decided("stopped", "budget_exceeded"),
                run.StateChanged("executing", "fail"),
            ]
        ),
    )
    assert session == Session(
        summary=Summary(
            RUN,
            state="fail",
            status="stopped",
            stop_reason="budget_exceeded",
            goal="goal",
            base="b1",
            branch="donewhen/r",
            workspace="/ws",
            promise="cp-1",
            created="2026-11-15T04:37:01.000Z",
            updated="2026-11-15T04:37:09.000Z",
            events=9,
            api_micros=250_000,
            budget_micros=1_000_000,
        ),
        promise=promise,
        todos=({"id": "a", "status": "completed"}, {"id": "b", "status": "pending"}),
        decision=run.Decided("stopped", "budget_exceeded"),
        lived=8.0,
    )
    assert metrics(session.summary)._asdict() == {
        "duration": 8.0,
        "cost": {"total": 0.25, "llm": 0.0, "api": 0.25, "other": 0.0},
        "attempts": 0,
        "turns": 0,
        "tool_calls": 0,
        "budget": 1.0,
        "budget_used": 25.0,
        "logs": 0,
    }


def test_a_session_without_profile_gets_task_only():
    assert summarise(RUN, events([])).profile == "task_only"


ATTEMPTS = {
    "refused, then accepted": (
        (run.Decided("continue"), run.CorrectionMade(1, "retried"), run.Decided("accepted", "accepted")),
        2,
    ),
    "a hand-over is no attempt of its own": (
        (
            run.Decided("continue"),
            run.CorrectionMade(1, "escalated", "max_retries"),
            run.Decided("stopped", "escalated"),
        ),
        1,
    ),
    "a refusal whose end nobody wrote is judged again": (
        (
            run.Decided("continue"),
            run.Resumed(1, "validating"),
            run.Decided("continue"),
            run.Decided("stopped", "escalated"),
        ),
        1,
    ),
    "accepted twice by two processes": ((run.Decided("accepted"), run.Decided("accepted")), 1),
    "accepted, and then no longer proven": (
        (run.Decided("accepted"), run.Decided("continue"), run.CorrectionMade(1, "retried")),
        1,
    ),
    "an end while the agent works": (
        (run.StateChanged("validating", "executing"), run.Decided("failed", "time_exceeded")),
        0,
    ),
}


@table_test(("bodies", "expected"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_attempt_is_one_judged_claim(bodies, expected):
    assert summarise(RUN, events([run.StateChanged("executing", "validating"), *bodies])).attempts == expected


def test_calls_that_are_made_again_count_once():
    called = [run.TurnStarted(1), facts.ToolCalled("1", "read_file"), facts.ToolCalled("2", "run_command")]
    again = [*called, run.Resumed(0, "executing", "", 1), run.TurnStarted(1), facts.ToolCalled("3", "x")]
    row = summarise(RUN, events(again))
    assert (row.turns, row.tool_calls) == (1, 2)


def test_a_run_lives_while_a_process_works_on_it():
    def at(second: int, body: Body) -> Event:
        return Event(second, RUN, f"2026-11-15T04:37:{second:02}.000Z", type_of(body), body, "")

    ledger = [
        at(1, run.RunStarted("g")),
        at(3, run.Checkpointed(0, 2500)),
        at(5, run.Closed("paused")),
        at(20, run.Noted("written by another process")),
    ]
    assert fold(RUN, ledger).lived == 4.5
    resumed = [at(30, run.Resumed(0, "executing")), at(31, run.Checkpointed(1, 3600)), at(32, run.Noted("x"))]
    assert fold(RUN, [*ledger, *resumed]).lived == 4.6


def test_a_clock_that_jumps_back_gives_no_negative_duration():
    row = Summary(RUN, created="2026-11-15T04:37:09.000Z", updated="2026-11-15T04:37:01.000Z")
    assert metrics(row).duration == 0.0
