"""What a run is made of: the user's wish, the terms that are frozen when it starts, and its living parts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.config import Config
from donewhen.core.agent import Agent, Message, Returned
from donewhen.core.codec import Json
from donewhen.core.errors import DonewhenError
from donewhen.core.events import Body, Event
from donewhen.core.events.run import Decided
from donewhen.core.findings import Feedback
from donewhen.core.gate import Decision
from donewhen.core.reasons import StopReason
from donewhen.core.texts import Phrase
from donewhen.intake.planning import Planned
from donewhen.intake.request import Request
from donewhen.verify.change import Means, Rules
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.places import Places

if TYPE_CHECKING:
    from donewhen.run.approvals_askers import Asker

OnAsk = Literal["wait", "deny", "pause"]


class Wish(NamedTuple):
    """What somebody wants of `donewhen run`."""

    request: Request
    agent: Callable[[Config], Agent]
    in_place: bool = False
    with_changes: bool = False
    branch: str = ""
    everything: bool = False  # all stages of a validation, also after one that failed
    yes: bool = False  # soft denials of the promise are accepted
    approve_plan: bool = False  # a human says yes to the agent's plan first
    on_ask: OnAsk = "wait"
    keep: bool = False  # the workspace stays, whatever became of it
    record: str = ""  # where the acceptance record is copied to
    change: str = ""  # the folder of an OpenSpec change, from the repository's root
    script: str = ""  # the file that a scripted agent plays, absolute
    model: Callable[[], str] = str  # that was named or chosen for the agent, once it is made


class Terms(NamedTuple):
    """What holds for the whole run."""

    run_id: str
    wish: Wish
    means: Means
    rules: Rules
    planned: Planned
    user: Repository
    places: Places
    began: float  # by the monotonic clock
    target: str = ""  # the branch that accepted work is merged into, where it is

    @property
    def config(self) -> Config:
        return self.rules.config


class Stop:
    """Somebody may want the run put aside: the first time at the next safe point, the second time now."""

    def __init__(self, told: Callable[[], None] = lambda: None) -> None:
        self.asked = False
        self.waits = False  # nothing is under way that would be cut: any moment is safe
        self._told = told

    def ask(self) -> bool:
        """Whether it can wait for the next safe point."""
        first, self.asked = not self.asked, True
        if first and not self.waits:
            self._told()
        return first and not self.waits


class People(NamedTuple):
    """Who can be asked, who hears of events, and whether somebody wants it to stop."""

    asker: "Asker"
    watch: Callable[[Body], None] = lambda _: None
    stop: Stop | None = None
    heard: Callable[[Event], None] | None = None  # events as they are committed, in the writer's thread


class PutAside(Exception):
    """Somebody wants the run to wait; raised at a safe point."""


class Stopped(Exception):
    """Something ends the run; raised inside of a state, caught by the driver alone.

    `refused` is the refusal that led to it: both are written in one, so that no attempt is judged twice.
    """

    def __init__(
        self, reason: StopReason, cause: str = "", detail: str = "", refused: Decided | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.cause = cause
        self.detail = detail
        self.refused = refused


class Attempt(NamedTuple):
    """One validation: what the gate said, and what the stages found."""

    decision: Decision
    verification_failed: bool = False  # a stage beyond the ledger did not pass
    could_not_run: StopReason | None = None
    feedback: tuple[Feedback, ...] = ()
    owed: tuple[Phrase, ...] = ()
    tail: str = ""
    tools: Mapping[str, str] = {}  # what the exam ran with
    whys: Mapping[object, Phrase] = {}  # why commands of the exam prove nothing, by their identity
    notes: tuple[Phrase, ...] = ()
    tests: Mapping[str, frozenset[str]] = {}  # red ones by the line of their command
    passed: frozenset[str] = frozenset()  # tests that did


class Told(NamedTuple):
    """What the agent hears at its next turn."""

    results: tuple[Returned, ...] = ()
    messages: tuple[Message, ...] = ()


class Linked(NamedTuple):
    """A scenario of the promise, what was found of it, and the tests that name it."""

    id: str
    verdict: str
    tests: tuple[str, ...]
    seq: int  # of the event that says so


class Outcome(NamedTuple):
    """A run as it ended, for whoever asked for it."""

    run_id: str
    state: str
    decision: Mapping[str, Json]
    exit_code: int
    branch: str = ""
    commit: str = ""
    target: str = ""  # the branch that it was merged into
    merged: str = ""  # the commit there
    pull: str = ""  # where its pull request is
    workspace: Path | None = None  # where it still lies
    record: Path | None = None
    feedback: tuple[Feedback, ...] = ()
    changed: tuple[str, ...] = ()
    scenarios: tuple[Linked, ...] = ()
    warnings: tuple[Phrase, ...] = ()  # that are shown whatever else is
    notes: tuple[Phrase | str, ...] = ()
    turns: int = 0
    tool_calls: int = 0
    attempts: int = 0
    work: str = ""  # the commit that keeps work which was not accepted
    cost_micros: int = 0
    budget_micros: int | None = None
    duration: float = 0.0
    sandbox: str = ""
    error: DonewhenError | None = None
