"""The states of a run, the moves between them as data, and the deadlock count.

An illegal move is a bug of ours, never something to repair on the way. A strategy may take moves away; it
can't add one, so `done` is reached from `merging` alone, and the way to `fail` stays open.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.errors import InvariantBroken
from donewhen.core.events.run import State

Table = Mapping[State, frozenset[State]]

TABLE: Table = MappingProxyType(
    {
        "idle": frozenset({"parsing"}),
        "parsing": frozenset({"planning", "fail"}),
        "planning": frozenset({"executing", "fail"}),
        "executing": frozenset({"executing", "validating", "fail"}),
        "validating": frozenset({"executing", "merging", "fail"}),
        "merging": frozenset({"done", "fail"}),
        "done": frozenset(),
        "fail": frozenset(),
    }
)


class Position(NamedTuple):
    """Where a run is; a paused one remembers the state that it returns to."""

    state: State = "idle"
    held: State | None = None


def moves(at: Position, table: Table = TABLE) -> frozenset[State]:
    """The states that may follow."""
    if at.state == "paused":
        return frozenset({at.held}) if at.held else frozenset()
    ways = table.get(at.state, frozenset())
    return ways | {"paused"} if TABLE[at.state] else ways


def step(at: Position, state: State, table: Table = TABLE) -> Position:
    """The next position; InvariantBroken when the table has no such move."""
    if state not in moves(at, table):
        raise InvariantBroken("states.illegal", was=at.state, state=state)
    return Position(state, at.state) if state == "paused" else Position(state)


def restrict(kept: Table) -> Table:
    """The table with only the `kept` moves of each state that `kept` names; others stay whole."""
    table: dict[State, frozenset[State]] = dict(TABLE)
    for state, ways in kept.items():
        extra = ways - TABLE.get(state, frozenset())
        if extra:
            raise InvariantBroken("states.added", was=state, state=min(extra))
        table[state] = ways | (TABLE.get(state, frozenset()) & {"fail"})
    return MappingProxyType(table)


class Cycles(NamedTuple):
    """How often each state was entered since the set of pending proofs last changed."""

    pending: frozenset[str] = frozenset()
    entered: Mapping[State, int] = MappingProxyType({})


def entered(cycles: Cycles, was: Position, now: Position, pending: frozenset[str]) -> Cycles:
    """The count after a move. Pausing and coming back enter nothing: waiting for a human is no cycle."""
    counts = cycles.entered if pending == cycles.pending else {}
    if "paused" not in (was.state, now.state):
        counts = {**counts, now.state: counts.get(now.state, 0) + 1}
    return Cycles(pending, MappingProxyType(dict(counts)))


def deadlocked(cycles: Cycles, max_state_cycles: int) -> bool:
    return any(count > max_state_cycles for count in cycles.entered.values())
