"""What happens to a run as a whole: its start, promise, states, todos, money and end."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.codec import EMPTY, Json

State = Literal["idle", "parsing", "planning", "executing", "validating", "merging", "done", "fail", "paused"]


class RunStarted(NamedTuple):
    goal: str
    repo: str = ""
    base: str = ""
    agent: str = ""
    profile: str = ""
    budget_micros: int | None = None
    config: Mapping[str, Json] = EMPTY
    donewhen: str = ""
    parent: str = ""
    metadata: Mapping[str, str] = EMPTY


class PromiseSet(NamedTuple):
    id: str
    promise: Mapping[str, Json]
    sources: Mapping[str, str] = EMPTY  # where its parts came from, by their names


class PromiseAmended(NamedTuple):
    id: str
    promise: Mapping[str, Json]
    by: str
    reason: str = ""
    sources: Mapping[str, str] = EMPTY


class WorkspaceOpened(NamedTuple):
    path: str
    branch: str
    base: str
    kind: Literal["clone", "worktree", "in_place"] = "clone"


class StateChanged(NamedTuple):
    was: State
    state: State
    reason: str = ""


class TurnStarted(NamedTuple):
    turn: int


class TodoChanged(NamedTuple):
    id: str
    todo: Mapping[str, Json]


class PlanRevised(NamedTuple):
    """The plan's checks after a revision by the agent, and what of it was refused."""

    checks: tuple[Mapping[str, Json], ...]
    refused: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # that the agent expects to touch
    promise_id: str = ""


class PlanWithdrawn(NamedTuple):
    """A human said no to the plan: all todos, checks and files are from here on as they were before it."""

    todos: tuple[Mapping[str, Json], ...]
    checks: tuple[Mapping[str, Json], ...] = ()
    files: tuple[str, ...] = ()
    promise_id: str = ""


class ModeChanged(NamedTuple):
    mode: Literal["free", "forced"]
    reason: str = ""


class CostReserved(NamedTuple):
    """The worst case of a call, booked before it is made; `CostBooked` with the same key replaces it."""

    key: str
    micros: int
    tokens: int = 0
    model: str = ""  # that is asked meanwhile


class CostBooked(NamedTuple):
    key: str
    kind: Literal["llm", "api", "other"]
    micros: int
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""


class CorrectionMade(NamedTuple):
    attempt: int
    result: Literal["retried", "escalated", "manual"]
    cause: str = ""
    promise_id: str = ""


class ArtifactKept(NamedTuple):
    digest: str
    name: str
    size: int
    media: str = "text/plain"


class Noted(NamedTuple):
    text: str
    level: Literal["debug", "info", "warning", "error"] = "info"
    commands: tuple[str, ...] = ()  # for a human to type because of it, one after the other


class Checkpointed(NamedTuple):
    """Where a run stands between two steps, as far as no other event tells it; a resume goes on from here."""

    turn: int  # that is over
    elapsed_ms: int = 0  # that the run has lived
    memory: Mapping[str, Json] = EMPTY  # what the loop counts
    agent: Mapping[str, Json] = EMPTY  # what the agent needs to go on


class Resumed(NamedTuple):
    """Another process took the run up."""

    turn: int  # the last one that is over: one that was interrupted keeps its number
    state: State
    by: str = ""
    tool_calls: int = 0  # that count: those that were interrupted are made again
    model: str = ""  # that it goes on with, where that is another one than before


class Closed(NamedTuple):
    """All that a process held for the run is put away; without it something may be left to do."""

    state: State


class Decided(NamedTuple):
    """The decision object that the API, `--json`, events and pages share."""

    status: Literal["accepted", "continue", "failed", "stopped"]
    stop_reason: str = ""
    cause: str = ""
    summary: str = ""
    fingerprint: str = ""
    details: tuple[str, ...] = ()
    results: tuple[Mapping[str, Json], ...] = ()
    pending: tuple[str, ...] = ()  # names of the proofs that were owed
    promise_id: str = ""


class ContextCompressed(NamedTuple):
    """Room was made in the conversation: all that was said so far, and what is sent for it now, in tokens."""

    raw: int
    sent: int
    exchanges: int = 0  # the oldest ones, which are a summary now


class AcceptanceAudited(NamedTuple):
    """What somebody told about an accepted change later; the decision itself stands."""

    found: Literal["ci_passed", "ci_failed"]
    commit: str = ""
    by: str = ""
    note: str = ""
