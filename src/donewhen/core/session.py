"""A session: the stored record of a run, with everything that the ledger says about it.

A projection, never a source: it is folded from events and can't be written back.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.core.codec import EMPTY, Json
from donewhen.core.delivery import Deliverables, sort_out
from donewhen.core.events import Event
from donewhen.core.ids import seconds
from donewhen.core.paths import Exempt
from donewhen.core.summary import Summary, move
from donewhen.core.versions import Versions


class Session(NamedTuple):
    summary: Summary
    promise: Mapping[str, Json] = EMPTY
    todos: tuple[Mapping[str, Json], ...] = ()
    artifacts: tuple[Any, ...] = ()
    decision: Any = None
    metadata: Mapping[str, str] = EMPTY
    deliverables: Deliverables = Deliverables()  # by the built-in rules of what is exempt and source


class Metrics(NamedTuple):
    duration: float  # seconds between the first and the last event
    cost: Mapping[str, float]  # US dollars: total, llm, api, other
    attempts: int
    turns: int
    tool_calls: int
    budget: float | None
    budget_used: float | None
    logs: int


class SessionFold:
    """Takes events one by one; `session` is cheap at any time."""

    def __init__(self, run_id: str) -> None:
        self._row = Summary(run_id)
        self._promise: Mapping[str, Json] = EMPTY
        self._metadata: Mapping[str, str] = EMPTY
        self._todos: dict[str, Mapping[str, Json]] = {}
        self._artifacts: dict[str, Any] = {}
        self._decision: Any = None
        self._versions = Versions()
        self._deliverables: Deliverables | None = Deliverables()

    def take(self, event: Event) -> None:
        self._row = move(self._row, event)
        body = event.body
        match event.type:
            case "run_started":
                self._metadata = body.metadata
            case "promise_set" | "promise_amended":
                self._promise = body.promise
            case "todo_changed":
                self._todos[body.id] = MappingProxyType({"id": body.id, **body.todo})
            case "artifact_kept":
                self._artifacts[body.digest] = body
            case "decided":
                self._decision = body
            case "file_changed":
                self._versions.change(body)
                self._deliverables = None
            case "file_confirmed":
                self._versions.confirm(body)
                self._deliverables = None

    @property
    def session(self) -> Session:
        if self._deliverables is None:
            self._deliverables = sort_out(self._versions.touched(), self._versions.of, Exempt())
        return Session(
            self._row,
            self._promise,
            tuple(self._todos.values()),
            tuple(self._artifacts.values()),
            self._decision,
            self._metadata,
            self._deliverables,
        )


def fold(run_id: str, events: Iterable[Event]) -> Session:
    folding = SessionFold(run_id)
    for event in events:
        folding.take(event)
    return folding.session


def _duration(row: Summary) -> float:
    try:
        return max(0.0, round(seconds(row.updated) - seconds(row.created), 3))
    except ValueError:  # no events yet, or an altered row
        return 0.0


def metrics(row: Summary) -> Metrics:
    costs = {
        "total": row.total_micros,
        "llm": row.llm_micros,
        "api": row.api_micros,
        "other": row.other_micros,
    }
    return Metrics(
        duration=_duration(row),
        cost=MappingProxyType({name: micros / 1_000_000 for name, micros in costs.items()}),
        attempts=row.attempts,
        turns=row.turns,
        tool_calls=row.tool_calls,
        budget=None if row.budget_micros is None else row.budget_micros / 1_000_000,
        budget_used=row.budget_used,
        logs=row.logs,
    )
