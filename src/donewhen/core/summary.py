"""The row of a run in every list: a flat projection that each event moves in constant time.

The store keeps it beside the ledger and moves it in the transaction of the append, so a list never reads
events. It holds nothing that the events do not say: folding them again gives the same row.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from donewhen.core.events import Event
from donewhen.core.texts import LANGUAGES, say

ENDED = frozenset({"done", "fail"})
VERIFIES = "verify"  # the agent of a run that only judges a change which is there already
JUDGED = ("continue", "accepted")  # what a decision says of a claim; any other is about the run
LONGEST_PROMPT = 200  # characters of a prompt that a list shows
MOST = 2**62  # more money than there is; sums stop here instead of leaving their column


class Summary(NamedTuple):
    run_id: str
    state: str = "idle"
    status: str = ""  # of the last decision; empty while a claim is judged
    stop_reason: str = ""
    goal: str = ""
    repo: str = ""
    base: str = ""
    branch: str = ""
    workspace: str = ""
    agent: str = ""
    profile: str = "task_only"
    promise: str = ""
    parent: str = ""
    created: str = ""
    updated: str = ""
    events: int = 0
    turns: int = 0
    tool_calls: int = 0
    attempts: int = 0  # claims that were judged: those that were refused, and the one that was accepted
    logs: int = 0
    llm_micros: int = 0
    api_micros: int = 0
    other_micros: int = 0
    budget_micros: int | None = None

    @property
    def total_micros(self) -> int:
        return self.llm_micros + self.api_micros + self.other_micros

    @property
    def budget_used(self) -> float | None:
        """Percent of the budget that is spent; None where no budget was set."""
        return round(100 * self.total_micros / self.budget_micros, 1) if self.budget_micros else None

    @property
    def ended(self) -> bool:
        return self.state in ENDED


Fields = dict[str, Any]


def _started(row: Summary, event: Event) -> Fields:
    body = event.body
    return {
        "goal": body.goal,
        "repo": body.repo,
        "base": body.base,
        "agent": body.agent,
        "profile": body.profile or "task_only",
        "budget_micros": body.budget_micros,
        "parent": body.parent,
    }


def _workspace(row: Summary, event: Event) -> Fields:
    return {"workspace": event.body.path, "branch": event.body.branch, "base": event.body.base or row.base}


def _cost(row: Summary, event: Event) -> Fields:
    name = f"{event.body.kind}_micros"
    return {name: min(getattr(row, name) + event.body.micros, MOST)}


def _moved(row: Summary, event: Event) -> Fields:
    body = event.body
    begins = body.state == "validating" and body.was != "paused"
    return {"state": body.state} | ({"status": ""} if begins else {})


def _decided(row: Summary, event: Event) -> Fields:
    """A claim counts once: accepted, or refused for good (`_corrected` counts those that may try again).

    A refusal for good is written with the end that follows it, which is what counts it.
    """
    status = event.body.status
    if row.status == "accepted":  # it is no longer proven, or merely written down again
        counts = -1 if status == "continue" else 0
    else:
        judging = row.state in ("validating", "merging")
        proven = row.state == "merging" and not row.status  # and handed over where it was to go
        refused = judging and (row.status == "continue" or proven) and status != "continue"
        counts = int(status == "accepted" or refused)
    return {"status": status, "stop_reason": event.body.stop_reason, "attempts": row.attempts + counts}


def _corrected(row: Summary, event: Event) -> Fields:
    return {"attempts": row.attempts + (event.body.result == "retried")}


def _told(row: Summary, event: Event) -> Fields:
    """A session of a client begins without a goal of its own: the first prompt is what it is about."""
    nameless = {say("sessions.goal", language, client=row.agent) for language in LANGUAGES}
    if event.body.kind != "goal" or row.goal not in nameless:
        return {}
    prompt = " ".join(event.body.text[: 4 * LONGEST_PROMPT].split())
    short = prompt if len(prompt) <= LONGEST_PROMPT else f"{prompt[:LONGEST_PROMPT]}…"
    return {"goal": short or row.goal}


def _resumed(row: Summary, event: Event) -> Fields:
    """Calls and turns that were interrupted are made again, and count once."""
    return {"turns": event.body.turn, "tool_calls": event.body.tool_calls}


_MOVES: dict[str, Callable[[Summary, Event], Fields]] = {
    "run_started": _started,
    "promise_set": lambda row, event: {"promise": event.body.id},
    "promise_amended": lambda row, event: {"promise": event.body.id},
    "workspace_opened": _workspace,
    "state_changed": _moved,
    "turn_started": lambda row, event: {"turns": event.body.turn},
    "tool_called": lambda row, event: {"tool_calls": row.tool_calls + 1},
    "cost_booked": _cost,
    "noted": lambda row, event: {"logs": row.logs + 1},
    "correction_made": _corrected,
    "decided": _decided,
    "resumed": _resumed,
    "agent_told": _told,
}


class Wanted(NamedTuple):
    """Which rows of a list a person wants, beyond what the store itself selects by."""

    agent: str = ""
    reason: str = ""
    goal: str = ""  # a part of it, in any case
    failed: bool = False

    def takes(self, row: Summary) -> bool:
        return (
            (not self.agent or row.agent == self.agent)
            and (not self.reason or row.stop_reason == self.reason)
            and (not self.failed or row.state == "fail")
            and (not self.goal or self.goal.casefold() in row.goal.casefold())
        )


def is_verification(row: Summary) -> bool:
    """Whether the run is a call of `verify`: it judges a change, and nobody works in it."""
    return row.agent == VERIFIES


def move(row: Summary, event: Event) -> Summary:
    """The row after one more event."""
    change = _MOVES.get(event.type)
    fields = change(row, event) if change else {}
    texts = {name: storable(value) for name, value in fields.items() if type(value) is str}
    return row._replace(created=row.created or event.at, updated=event.at, events=event.seq, **fields | texts)


def storable(text: str) -> str:
    """Rows are kept in columns of UTF-8 text; an odd file name's stray bytes are spelled out there."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def summarise(run_id: str, events: Iterable[Event]) -> Summary:
    row = Summary(run_id)
    for event in events:
        row = move(row, event)
    return row
