"""Summary and session are what the events say, however they are folded."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import Event, facts, run, type_of
from donewhen.core.session import Session, SessionFold, fold, metrics
from donewhen.core.summary import Summary, move, summarise

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


def test_a_clock_that_jumps_back_gives_no_negative_duration():
    row = Summary(RUN, created="2026-11-15T04:37:09.000Z", updated="2026-11-15T04:37:01.000Z")
    assert metrics(row).duration == 0.0
