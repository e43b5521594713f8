"""What somebody who watches a run wants to see at a glance, folded from its events.

A terminal, a page and a text interface draw the same panel. Events and the moments at which they were heard
are all that comes in: no engine, no clock, no drawing. Everything kept is bounded.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from donewhen.commands import parse
from donewhen.core import budget
from donewhen.core.budget import Account
from donewhen.core.events import Body, facts, run
from donewhen.core.matches import Parse
from donewhen.core.texts import Language
from donewhen.core.todos import Todo
from donewhen.run.board import Board, Proof

_LONGEST = 500  # characters of one text
_NOTES = 3
_ARGUMENTS = ("command", "path", "pattern", "question", "summary")
_LEVELS: dict[str, "Level"] = {"warning": "warning", "error": "error"}

Level = Literal["said", "warning", "error"]


class Doing(NamedTuple):
    """Something that goes on: a tool of the agent's, a command of the harness, a model that is asked."""

    key: str
    tool: str
    text: str
    since: float  # on the clock of whoever hears the events
    by: Literal["agent", "harness", "model"] = "agent"


class Note(NamedTuple):
    level: Level
    text: str


class Panel(NamedTuple):
    goal: str = ""
    state: str = "idle"
    reason: str = ""  # of the state
    turn: int = 0
    calls: int = 0
    attempts: int = 0  # claims that were refused
    mode: str = ""
    began: float = 0.0
    doing: tuple[Doing, ...] = ()  # the newest last
    asked: tuple[str, ...] = ()  # questions that wait for a human
    proofs: tuple[Proof, ...] = ()
    todos: tuple[Todo, ...] = ()
    spent_micros: int = 0
    budget_micros: int | None = None
    notes: tuple[Note, ...] = ()  # the newest last
    status: str = ""  # of the last decision
    stop_reason: str = ""
    changed: int = 0  # files that were seen changing
    seq: int = 0

    def count(self, *statuses: str) -> int:
        return sum(proof.status in statuses for proof in self.proofs)


class PanelFold:
    """Takes events one by one; `panel` is made anew only when something came."""

    def __init__(self, parse: Parse = parse, language: Language = "en") -> None:
        self._board = Board(parse, language)
        self._now = Panel()
        self._doing: dict[str, Doing] = {}
        self._asked: dict[str, str] = {}
        self._notes: deque[Note] = deque(maxlen=_NOTES)
        self._account = Account()
        self._changed: set[str] = set()
        self._began: float | None = None
        self.seq = 0  # of the last event
        self._fresh = True

    def take(self, body: Body, seq: int, at: float) -> None:
        """One event, heard at `at`; kinds that are not known here change nothing."""
        self._board.take(body, seq)
        self.seq, self._fresh = seq, False
        if self._began is None:
            self._began = at
        fold = _FOLDS.get(type(body))
        if fold:
            fold(self, body, at)

    @property
    def panel(self) -> Panel:
        if not self._fresh:
            self._fresh = True
            self._now = self._now._replace(
                doing=tuple(self._doing.values()),
                asked=tuple(self._asked.values()),
                proofs=self._board.proofs(),
                todos=tuple(self._board.todos.entries.values()),
                spent_micros=self._account.spent.micros,
                notes=tuple(self._notes),
                changed=len(self._changed),
                began=self._began or 0.0,
                seq=self.seq,
            )
        return self._now

    # -- folds -------------------------------------------------------------------------------------

    def _set(self, **fields: Any) -> None:
        self._now = self._now._replace(**fields)

    def _started(self, body: run.RunStarted, at: float) -> None:
        self._began = at
        self._set(goal=body.goal[:_LONGEST], budget_micros=body.budget_micros)

    def _moved(self, body: run.StateChanged, at: float) -> None:
        self._set(state=body.state, reason=body.reason[:_LONGEST])
        if body.was != "paused" and body.state != "paused":
            self._doing.clear()  # what a state began it has ended, whether that was told or not

    def _resumed(self, body: run.Resumed, at: float) -> None:
        self._doing.clear()
        self._asked.clear()
        self._set(state=body.state, turn=body.turn, calls=body.tool_calls)

    def _lived(self, body: run.Checkpointed, at: float) -> None:
        self._began = min(at if self._began is None else self._began, at - body.elapsed_ms / 1000)

    def _turn(self, body: run.TurnStarted, at: float) -> None:
        self._set(turn=body.turn)

    def _mode(self, body: run.ModeChanged, at: float) -> None:
        self._set(mode=body.mode)

    def _cost(self, body: run.CostReserved | run.CostBooked, at: float) -> None:
        self._account = budget.move(self._account, body)
        key = f"cost:{body.key}"
        if isinstance(body, run.CostReserved) and body.model:
            self._doing[key] = Doing(key, "", body.model[:_LONGEST], at, "model")
        else:
            self._doing.pop(key, None)

    def _noted(self, body: run.Noted, at: float) -> None:
        if body.level in _LEVELS:
            self._notes.append(Note(_LEVELS[body.level], body.text[:_LONGEST]))

    def _said(self, body: facts.AgentStepped, at: float) -> None:
        if body.text.strip():
            self._notes.append(Note("said", body.text[:_LONGEST]))

    def _decided(self, body: run.Decided, at: float) -> None:
        refused = self._now.attempts + (body.status == "continue")
        self._set(status=body.status, stop_reason=body.stop_reason, attempts=refused)

    def _called(self, body: facts.ToolCalled, at: float) -> None:
        self._set(calls=self._now.calls + 1)
        self._doing[body.key] = Doing(body.key, body.tool, shown_argument(body), at)

    def _returned(self, body: facts.ToolReturned | facts.CallInterrupted, at: float) -> None:
        self._doing.pop(body.key, None)

    def _running(self, body: facts.CommandStarted, at: float) -> None:
        if body.by == "harness":
            self._doing[body.key] = Doing(body.key, "run_command", body.command[:_LONGEST], at, "harness")

    def _ended(self, body: facts.CommandEnded, at: float) -> None:
        if body.by == "harness":
            self._doing.pop(body.key, None)

    def _wrote(self, body: facts.FileChanged, at: float) -> None:
        self._changed.add(body.path)

    def _asks(self, body: facts.Asked, at: float) -> None:
        self._asked[body.ask] = body.question[:_LONGEST]

    def _answered(self, body: facts.Answered, at: float) -> None:
        self._asked.pop(body.ask, None)


def shown_argument(body: facts.ToolCalled) -> str:
    """What a call is about, in one text."""
    found = next((body.args[name] for name in _ARGUMENTS if body.args.get(name)), "")
    return str(found)[:_LONGEST]


_FOLDS: Mapping[type, Callable[[PanelFold, Any, float], None]] = {
    run.RunStarted: PanelFold._started,
    run.StateChanged: PanelFold._moved,
    run.Resumed: PanelFold._resumed,
    run.Checkpointed: PanelFold._lived,
    run.TurnStarted: PanelFold._turn,
    run.ModeChanged: PanelFold._mode,
    run.CostReserved: PanelFold._cost,
    run.CostBooked: PanelFold._cost,
    run.Noted: PanelFold._noted,
    run.Decided: PanelFold._decided,
    facts.AgentStepped: PanelFold._said,
    facts.ToolCalled: PanelFold._called,
    facts.ToolReturned: PanelFold._returned,
    facts.CallInterrupted: PanelFold._returned,
    facts.CommandStarted: PanelFold._running,
    facts.CommandEnded: PanelFold._ended,
    facts.FileChanged: PanelFold._wrote,
    facts.Asked: PanelFold._asks,
    facts.Answered: PanelFold._answered,
}
