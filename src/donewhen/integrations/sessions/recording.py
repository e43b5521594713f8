"""An exam in the ledger of a session: no run of its own, no lease, and no end unless it was accepted.

A refusal is written by who knows what follows it. An exam that was interrupted leaves the session where it
was: nothing of it decides anything.
"""

from collections.abc import Mapping
from typing import Any

from donewhen.core.codec import Json, freeze, thaw
from donewhen.core.events import Body, facts, run
from donewhen.core.promise import Promise
from donewhen.core.promise_data import write_promise
from donewhen.store import Opened
from donewhen.verify.change import Change
from donewhen.verify.record import Record
from donewhen.workspace.git.repository import Repository


def promise_event(before: Mapping[str, Json], promise: Promise, promise_id: str, by: str) -> Body | None:
    """The promise, where it is another one than before."""
    data = write_promise(promise._replace(id=promise_id or promise.id))
    if not before:
        return run.PromiseSet(data["id"], freeze(data))
    same: Any = thaw(before)
    return None if same == thaw(freeze(data)) else run.PromiseAmended(data["id"], freeze(data), by)


class SessionRecord(Record):
    def __init__(
        self, opened: Opened, run_id: str, state: run.State, promise_id: str, promise: Mapping[str, Json]
    ) -> None:
        super().__init__(opened, run_id)
        self._state = state
        self._promise_id = promise_id
        self._promise = promise

    def promise(self, promise: Promise, repository: Repository, change: Change) -> None:
        amended = promise_event(self._promise, promise, self._promise_id, "project")
        begins = () if self._state == "validating" else (run.StateChanged(self._state, "validating"),)
        self._post(*((amended,) if amended else ()), *begins)

    def _post(self, *bodies: Body) -> None:
        """What differs since the session began is the agent's work."""
        super()._post(
            *(each._replace(by="agent") if isinstance(each, facts.FileChanged) else each for each in bodies)
        )

    def decided(self, decided: run.Decided) -> None:
        """Only a pass is the end; what a refusal leads to depends on those before it."""
        if decided.status == "accepted":
            self._opened.store.append(self.run_id, decided, run.StateChanged("validating", "done"))
        self._close()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._open:
            self._opened.store.append(
                self.run_id, run.StateChanged("validating", "executing", "not finished")
            )
            self._close()
