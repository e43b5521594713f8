"""The states of a run: which moves exist, pausing, strategies, deadlock."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import InvariantBroken
from donewhen.core.events.run import State
from donewhen.core.states import TABLE, Cycles, Position, deadlocked, entered, moves, restrict, step
from tests.tables import table_test

STATES = get_args(State)
EDGES = {
    ("idle", "parsing"),
    ("parsing", "planning"),
    ("planning", "executing"),
    ("executing", "executing"),
    ("executing", "validating"),
    ("validating", "executing"),
    ("validating", "merging"),
    ("merging", "done"),
    *((state, "fail") for state in ("parsing", "planning", "executing", "validating", "merging")),
    *((state, "paused") for state in ("idle", "parsing", "planning", "executing", "validating", "merging")),
}


@table_test("state", STATES)
@table_test("was", [state for state in STATES if state != "paused"])
def test_exactly_the_moves_of_the_table_exist(was, state):
    if (was, state) in EDGES:
        assert step(Position(was), state) == Position(state, was if state == "paused" else None)
    else:
        with pytest.raises(InvariantBroken, match=f"from {was} to {state}"):
            step(Position(was), state)


def test_a_paused_run_returns_to_where_it_was_and_nowhere_else():
    paused = step(Position("validating"), "paused")
    assert moves(paused) == {"validating"}
    assert step(paused, "validating") == Position("validating")
    for state in set(STATES) - {"validating"}:
        with pytest.raises(InvariantBroken):
            step(paused, state)


def test_a_paused_run_that_forgot_its_state_goes_nowhere():
    assert moves(Position("paused")) == frozenset()


def test_a_strategy_may_take_moves_away():
    table = restrict({"validating": frozenset({"merging"}), "executing": frozenset({"validating"})})
    assert moves(Position("validating"), table) == {"merging", "fail", "paused"}
    assert moves(Position("executing"), table) == {"validating", "fail", "paused"}
    assert moves(Position("planning"), table) == moves(Position("planning"))


@given(st.sampled_from(STATES), st.frozensets(st.sampled_from(STATES)))
def test_a_strategy_never_adds_a_move(state, ways):
    try:
        table = restrict({state: ways})
    except InvariantBroken:
        assert ways - TABLE.get(state, frozenset())
        return
    for name, kept in table.items():
        whole = TABLE.get(name, frozenset())
        assert kept <= whole
        assert ("fail" in kept) == ("fail" in whole)


@given(st.lists(st.sampled_from(STATES)))
def test_done_is_reached_from_merging_alone_and_nothing_leaves_an_end(path):
    at = Position()
    for state in path:
        try:
            after = step(at, state)
        except InvariantBroken:
            continue
        assert at.state not in ("done", "fail")
        assert after.state != "done" or at.state == "merging"
        at = after


def walk(cycles, times, pending=frozenset({"npm test"})):
    for _ in range(times):
        cycles = entered(cycles, Position("executing"), Position("validating"), pending)
        cycles = entered(cycles, Position("validating"), Position("executing"), pending)
    return cycles


def test_the_same_state_too_often_with_the_same_proofs_pending_is_a_deadlock():
    assert not deadlocked(walk(Cycles(), 10), 10)
    assert deadlocked(walk(Cycles(), 11), 10)


def test_a_change_of_the_pending_proofs_begins_the_count_anew():
    assert not deadlocked(walk(walk(Cycles(), 10), 10, frozenset({"npm test", "lint"})), 10)
    assert not deadlocked(walk(walk(Cycles(), 10), 10, frozenset()), 10)


def test_pausing_is_no_cycle():
    cycles, busy = Cycles(), Position("executing")
    paused = step(busy, "paused")
    for _ in range(50):
        cycles = entered(entered(cycles, busy, paused, frozenset()), paused, busy, frozenset())
    assert cycles == Cycles()
