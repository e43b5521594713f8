"""Events: the closed set of things that can stand in a ledger, and how each is written.

A `Record` is an event as the store keeps it: its payload is the exact text that was hashed. An `Event` is
the same, decoded into a typed, frozen body. Every type has a version; an older payload is lifted step by
step by `LIFTS`, a newer one is refused. Bodies live in two small modules that load when first needed.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from donewhen.core.codec import dumps, from_json, to_json

Body = Any  # one of the NamedTuples named in TYPES


class Record(NamedTuple):
    seq: int
    run_id: str
    at: str
    type: str
    v: int
    payload: str
    prev: str
    hash: str


class Event(NamedTuple):
    seq: int
    run_id: str
    at: str
    type: str
    body: Body
    hash: str


TYPES: dict[str, tuple[str, str, int]] = {  # type: module, class, version
    "run_started": ("run", "RunStarted", 1),
    "promise_set": ("run", "PromiseSet", 1),
    "promise_amended": ("run", "PromiseAmended", 1),
    "workspace_opened": ("run", "WorkspaceOpened", 1),
    "state_changed": ("run", "StateChanged", 1),
    "turn_started": ("run", "TurnStarted", 1),
    "todo_changed": ("run", "TodoChanged", 1),
    "plan_revised": ("run", "PlanRevised", 1),
    "plan_withdrawn": ("run", "PlanWithdrawn", 1),
    "mode_changed": ("run", "ModeChanged", 1),
    "cost_reserved": ("run", "CostReserved", 1),
    "cost_booked": ("run", "CostBooked", 1),
    "correction_made": ("run", "CorrectionMade", 1),
    "artifact_kept": ("run", "ArtifactKept", 1),
    "noted": ("run", "Noted", 1),
    "checkpointed": ("run", "Checkpointed", 1),
    "resumed": ("run", "Resumed", 1),
    "closed": ("run", "Closed", 1),
    "decided": ("run", "Decided", 1),
    "context_compressed": ("run", "ContextCompressed", 1),
    "acceptance_audited": ("run", "AcceptanceAudited", 1),
    "command_started": ("facts", "CommandStarted", 1),
    "command_ended": ("facts", "CommandEnded", 1),
    "file_changed": ("facts", "FileChanged", 1),
    "file_confirmed": ("facts", "FileConfirmed", 1),
    "content_matched": ("facts", "ContentMatched", 1),
    "tool_called": ("facts", "ToolCalled", 1),
    "call_begun": ("facts", "CallBegun", 1),
    "call_interrupted": ("facts", "CallInterrupted", 1),
    "tool_returned": ("facts", "ToolReturned", 1),
    "denied": ("facts", "Denied", 1),
    "verified": ("facts", "Verified", 1),
    "reviewed": ("facts", "Reviewed", 1),
    "checkpoint_judged": ("facts", "CheckpointJudged", 1),
    "asked": ("facts", "Asked", 1),
    "answered": ("facts", "Answered", 2),
    "effect_intended": ("facts", "EffectIntended", 1),
    "effect_done": ("facts", "EffectDone", 1),
    "candidate_kept": ("facts", "CandidateKept", 1),
    "agent_stepped": ("facts", "AgentStepped", 1),
    "agent_told": ("facts", "AgentTold", 1),
    "hook_called": ("facts", "HookCalled", 1),
    "rolled_back": ("facts", "RolledBack", 1),
}

# What must survive a power cut, not only a killed process: decisions, answers, money and outside effects.
DURABLE = frozenset(
    {
        "run_started",
        "promise_set",
        "promise_amended",
        "state_changed",
        "cost_reserved",
        "cost_booked",
        "decided",
        "reviewed",
        "asked",
        "answered",
        "checkpoint_judged",
        "effect_intended",
        "effect_done",
    }
)
# After these the head is also written outside the store, so that a cut tail shows.
DECISIONS = frozenset({"state_changed", "decided", "promise_set", "promise_amended", "answered"})

PROMISES = frozenset({"promise_set", "promise_amended"})

Lift = Callable[[dict[str, Any]], dict[str, Any]]
LIFTS: dict[tuple[str, int], Lift] = {  # (type, version) → payload of the next version
    ("answered", 1): lambda payload: {**payload, "who": "", "given": ""},
}

_NAMES = {name: kind for kind, (_, name, _) in TYPES.items()}


def type_of(body: Body) -> str:
    return _NAMES[type(body).__name__]


def version_of(kind: str) -> int:
    return TYPES[kind][2]


@cache
def body_class(kind: str) -> Callable[..., Any]:
    module, name, _ = TYPES[kind]
    cls: Callable[..., Any] = getattr(import_module(f"{__name__}.{module}"), name)
    return cls


def promise_of(body: Body) -> str | None:
    """The id of the promise that an event is about, empty before it is bound; None: it is about none."""
    named: str | None = body.id if type_of(body) in PROMISES else getattr(body, "promise_id", None)
    return named


def bound(body: Body, promise: str) -> Body:
    """The event with the id of its run's promise, where it is about one and names none."""
    return body._replace(promise_id=promise) if promise and promise_of(body) == "" else body


def encode(body: Body) -> str:
    """The payload text of a body: what is stored and hashed."""
    return dumps(to_json(body))


def decode(record: Record) -> Event:
    """The typed event; ValueError says what is wrong with it."""
    seq, run_id, at, kind, version, payload, _, digest = record
    if kind not in TYPES:
        raise ValueError(f"unknown event type {kind!r}")
    data = json.loads(payload)
    if version != TYPES[kind][2]:
        data = lift(kind, version, data)
    return Event(seq, run_id, at, kind, from_json(body_class(kind), data), digest)


def lift(kind: str, version: int, data: dict[str, Any]) -> dict[str, Any]:
    """A payload of an older version, brought to today's."""
    if version > TYPES[kind][2]:
        raise ValueError(f"version {version} of {kind!r} is newer than this donewhen knows")
    while version < TYPES[kind][2]:
        if (kind, version) not in LIFTS:
            raise ValueError(f"version {version} of {kind!r} is unknown")
        data = LIFTS[kind, version](data)
        version += 1
    return data
