"""The ledger of a live run: what is written is folded in the same moment, in the same order.

Everything goes through here, also what others (approvals) write to the same run, so that state and ledger
can't drift apart. Most events are handed over without waiting; a decision waits until it is committed. When
the store fails, nothing more is written, and whoever writes next hears of it.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, cast

from donewhen.core.events import Body, Event, bound, facts
from donewhen.core.protocols import EventStore, Lease
from donewhen.run.engine.eras import Eras
from donewhen.run.engine.state import RunState
from donewhen.store import Opened
from donewhen.store.crashing import crash_point

if TYPE_CHECKING:
    from donewhen.store.results import Stored
    from donewhen.verify.exam_run import ExamCommand
    from donewhen.workspace.processes.command import Output

Watcher = Callable[[Body], None]
Heard = Callable[[Event], None]


class Ledger:
    def __init__(
        self, opened: Opened, run_id: str, state: RunState, watch: Watcher, heard: Heard | None = None
    ) -> None:
        self.run_id = run_id
        self.opened = opened
        self.state = state
        self.lease: Lease | None = None
        self._watch = watch
        self._heard = heard
        self._lock = threading.RLock()
        self._last: Future[tuple[Event, ...]] | None = None
        self._recorded: tuple[Stored, ...] = ()
        self.eras = Eras()
        self._had: list[tuple[str, str]] = []  # outside effects of the state that was interrupted

    @property
    def store(self) -> EventStore:
        return self.opened.store

    def post(self, *bodies: Body) -> None:
        """Write in order, without waiting."""
        if bodies:
            self._hand_over(bodies)

    def hasten(self) -> None:
        """Once the loop is idle, what was posted is written, and not while work goes on."""
        asyncio.get_running_loop().call_soon(self.store.hasten)

    def append(self, *bodies: Body) -> tuple[Event, ...]:
        """Write, and return when it is committed; so is everything before it."""
        events = self._hand_over(bodies).result()
        crash_point(f"committed:{type(bodies[0]).__name__}")
        return events

    def settle(self) -> None:
        """Return when all is committed; raises what went wrong with it."""
        if self._last is not None:
            self.store.hasten()
            self._last.result()

    def recall_effects(self, effects: Iterable[facts.EffectIntended]) -> None:
        """What another process began in the state that is gone through once more."""
        self._had = [(each.effect, each.target) for each in effects]

    def had(self, effect: str, target: str) -> bool:
        """Whether this was begun before the run was interrupted: nobody can tell that it did not happen."""
        if (effect, target) not in self._had:
            return False
        self._had.remove((effect, target))
        return True

    def trace(self) -> str:
        """How people and checkpoints name the event written last."""
        return f"{self.run_id}:{self.state.seq}"

    def _hand_over(self, given: tuple[Body, ...]) -> "Future[tuple[Event, ...]]":
        with self._lock:
            bodies = tuple(bound(body, self.state.promise.id) for body in given)
            failed = self._last is not None and self._last.done() and self._last.exception()
            if failed:
                raise failed
            crash_point(f"before:{type(bodies[0]).__name__}")
            ticket = self.store.post(self.run_id, *bodies, lease=self.lease)
            self._last = ticket
            if self._heard is not None:
                ticket.add_done_callback(self._tell)
            for body in bodies:
                self.state.take(body)
        for body in bodies:
            self._watch(body)
        return ticket

    def _tell(self, done: "Future[tuple[Event, ...]]") -> None:
        if self._heard is not None and not done.exception():
            for event in done.result():
                self._heard(event)

    # -- as the recorder of an exam ----------------------------------------------------------------

    def started(self, command: Body) -> None:
        self.post(command)

    def output(self, output: "Output") -> str:
        from donewhen.verify.record import keep_output

        return keep_output(output, self.opened.artifacts)

    def _placed(self, stored: "Stored") -> facts.CommandEnded:
        return stored.ended._replace(environment=self.eras.now)

    def command_ended(self, command: "ExamCommand") -> None:
        """Results that were not told before, each in its era: a red of the agent's own counts among them."""
        from donewhen.verify.record import not_recorded, results_of

        fresh = not_recorded(command, self._recorded)
        self._recorded += fresh.worth
        here = tuple(each._replace(ended=self._placed(each)) for each in fresh.worth)
        result = fresh.result
        if any(each.ended is result.ended for each in fresh.worth):
            result = result._replace(ended=None)
        self.post(*results_of(fresh._replace(result=result, worth=here), self.run_id))


def shared(ledger: Ledger) -> EventStore:
    """The store of a ledger for others who append to the same run."""
    store: Any = _Shared(ledger)
    return cast(EventStore, store)


class _Shared:
    """The store as approvals see it: what they append is folded too."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def append(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> tuple[Event, ...]:
        return self._ledger.append(*bodies)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger.store, name)
