"""Where a run stands: folded from its events, one by one, so that the ledger alone can bring it back.

A projection that may mutate inside. It decides nothing: pure functions of the core are asked with what is
here, and what they say becomes an event before it counts.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from donewhen.config import Config
from donewhen.core import budget
from donewhen.core.budget import Account
from donewhen.core.checks import Check, read_checks
from donewhen.core.codec import thaw
from donewhen.core.correction import Corrections
from donewhen.core.course import Course, Limits
from donewhen.core.events import Body, facts, run
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.matches import Parse
from donewhen.core.paths import Exempt
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise, with_sources
from donewhen.core.revising import Plan
from donewhen.core.scope import outside
from donewhen.core.states import Cycles, Position
from donewhen.core.tally import Flaky
from donewhen.core.target import describe_line
from donewhen.core.task_state import ACTS, Activity, act
from donewhen.core.todos import NO_TODOS, TodoList, read_todo
from donewhen.core.todos.model import as_list
from donewhen.core.transcript import Transcript
from donewhen.core.view import View
from donewhen.verify.review_protocol import NO_ROUNDS, from_data

_NOTHING = Promise("", "", ())
_LARGEST_FLOOR = 10  # a tenth of the budget: a small one could not be used at all otherwise


class RunState:
    def __init__(self, config: Config, parse: Parse, transcript: Transcript | None = None) -> None:
        self._parse = parse
        self.transcript = transcript  # where somebody wants to read it
        self.exempt = Exempt(config.verification_exempt_dirs)
        self.extensions = config.verification.source_extensions
        flaky = config.evidence.flaky
        self.evidence = Evidence(parse, Flaky(flaky.passes, flaky.of), self._is_outside)
        self.promise = _NOTHING
        self._sources: dict[str, str] = {}
        self.checks: tuple[Check, ...] = ()  # of the agent's plan
        self.files: tuple[str, ...] = ()  # that the plan expects to touch
        self.refused: tuple[str, ...] = ()  # of the last revision, as it was told
        self.todos: TodoList = NO_TODOS
        self.before_plan = Plan()  # what held when planning began
        self.scenarios: dict[str, tuple[int, facts.Verified]] = {}  # the last word on each, and its event
        self.position = Position()
        self.cycles = Cycles()
        self.course = Course()
        self.corrections = Corrections()
        self.limits = Limits(
            config.runtime.max_accept_continues,
            config.runtime.max_missing_completion,
            config.runtime.max_thinking_only,
            config.runtime.max_repeat_cycle_streak,
        )
        self.account = Account(
            limit=budget.amount("money", config.budget.total),
            limit_tokens=config.budget.tokens,
            floor=_floor(config),
            warn_ppm=int(config.budget.warn_threshold * budget.MILLION),
        )
        self.low = False  # the budget ran low, and nobody was told yet
        self.turns = self.tool_calls = self.seq = self.reservations = 0
        self.commands = self.judged = 0  # ended, and verdicts of all kinds
        self.keys = 0  # calls that were ever made, also those that were interrupted
        self._activity = Activity()
        self._unread: list[Body] = []  # what was done since somebody asked for it
        self.answer = ""  # the agent's last claim
        self.decided: run.Decided | None = None
        self.rounds = NO_ROUNDS  # of reviews

    def _seeks(self, line: str) -> bool:
        """Whether a command looks for proof: any tests count, also a part of them."""
        return describe_line(line, self._parse).is_test

    def _is_outside(self, path: str) -> bool:
        return bool(outside(self.promise, [path], self.exempt))

    def take(self, body: Body) -> None:
        self.seq += 1
        self.evidence.take(body, self.seq)
        if type(body) in ACTS:
            self._unread.append(body)
        if self.transcript is not None:
            self.transcript.take(body)
        fold = _FOLDS.get(type(body))
        if fold:
            fold(self, body)

    @property
    def activity(self) -> Activity:
        """What was done so far; read when it is asked for, because a refused attempt alone does."""
        unread, self._unread = self._unread, []
        for body in unread:
            self._activity = act(self._activity, body, self._seeks)
        return self._activity

    def exam(self, view: View) -> Exam:
        """All that the gate looks at, with the workspace as `view` has it."""
        return Exam(
            self.promise,
            self.evidence,
            view,
            self._parse,
            self.checks,
            self.todos,
            self.answer,
            "harness",
            self.exempt,
            self.extensions,
        )

    # -- one fold for each kind of event that is more than evidence ------------------------------

    def _promised(self, body: run.PromiseSet | run.PromiseAmended) -> None:
        self._sources |= body.sources
        self.promise = with_sources(read_promise(thaw(body.promise), self._parse, stored=True), self._sources)
        self.judged += 1

    def _todo(self, body: run.TodoChanged) -> None:
        todo = read_todo({"id": body.id, **thaw(body.todo)})
        self.todos = TodoList(MappingProxyType({**self.todos.entries, body.id: todo}))
        self.judged += 1

    def _plan(self, body: run.PlanRevised) -> None:
        self.checks = read_checks(thaw(body.checks), self._parse, by="agent", stored=True).checks
        self.files = body.files
        self.refused = body.refused
        self.judged += 1

    def _withdrawn(self, body: run.PlanWithdrawn) -> None:
        self.todos = as_list(read_todo(thaw(each)) for each in body.todos)
        self._plan(run.PlanRevised(body.checks, files=body.files))

    @property
    def plan(self) -> Plan:
        return Plan(self.todos, self.checks, self.files)

    def _moved(self, body: run.StateChanged) -> None:
        held = body.was if body.state == "paused" else None
        self.position = Position(body.state, held)
        if body.state == "planning" and body.was != "paused":
            self.before_plan = self.plan

    def _turn(self, body: run.TurnStarted) -> None:
        self.turns = body.turn

    def _called(self, body: facts.ToolCalled) -> None:
        self.tool_calls += 1
        self.keys += 1

    def _ended(self, body: facts.CommandEnded) -> None:
        self.commands += 1

    def _verdict(self, body: Body) -> None:
        self.judged += 1

    def _verified(self, body: facts.Verified) -> None:
        self.judged += 1
        if body.verifier == "scenario":
            self.scenarios[body.scope] = (self.seq, body)

    def _resumed(self, body: run.Resumed) -> None:
        self.turns, self.tool_calls = body.turn, body.tool_calls

    def _cost(self, body: run.CostReserved | run.CostBooked) -> None:
        before, self.account = self.account, budget.move(self.account, body)
        self.low = self.low or budget.warning_due(before, self.account)
        self.reservations += isinstance(body, run.CostReserved)

    def _kept(self, body: facts.CandidateKept) -> None:
        if body.signal:
            self.answer = body.text

    def _decided(self, body: run.Decided) -> None:
        self.decided = body

    def _reviewed(self, body: facts.Reviewed) -> None:
        if body.rounds:
            self.rounds = from_data(body.rounds)


def _floor(config: Config) -> int:
    whole = budget.amount("money", config.budget.total)
    return min(budget.amount("money", config.budget.floor), whole // _LARGEST_FLOOR)


_FOLDS: Mapping[type, Callable[[RunState, Any], None]] = {
    run.PromiseSet: RunState._promised,
    run.PromiseAmended: RunState._promised,
    run.TodoChanged: RunState._todo,
    run.PlanRevised: RunState._plan,
    run.PlanWithdrawn: RunState._withdrawn,
    run.StateChanged: RunState._moved,
    run.TurnStarted: RunState._turn,
    run.CostReserved: RunState._cost,
    run.CostBooked: RunState._cost,
    run.Decided: RunState._decided,
    run.Resumed: RunState._resumed,
    facts.CommandEnded: RunState._ended,
    facts.Verified: RunState._verified,
    facts.Reviewed: RunState._reviewed,
    facts.FileConfirmed: RunState._verdict,
    facts.Answered: RunState._verdict,
    facts.ToolCalled: RunState._called,
    facts.CandidateKept: RunState._kept,
}
