"""An exam in the ledger of a session: no run of its own, no lease, and no end unless it was accepted.

A refusal is written by who knows what follows it. An exam that was interrupted leaves the session where it
was: nothing of it decides anything.
"""

from collections.abc import Collection, Mapping
from typing import Any

from donewhen.core.codec import Json, freeze, thaw
from donewhen.core.events import Body, facts, run
from donewhen.core.promise import Promise
from donewhen.core.promise_data import write_promise
from donewhen.integrations.sessions.past import Past
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
    """`mine`: the files that the agent changed; None where it may have been all."""

    def __init__(self, opened: Opened, run_id: str, past: Past, mine: Collection[str] | None) -> None:
        super().__init__(opened, run_id)
        self._past = past
        self._mine = mine

    def promise(self, promise: Promise, repository: Repository, change: Change) -> None:
        past = self._past
        amended = promise_event(past.promise, promise, past.promise_id, "project")
        begins = () if past.state == "validating" else (run.StateChanged(past.state, "validating"),)
        self._post(*((amended,) if amended else ()), *begins)

    def _post(self, *bodies: Body) -> None:
        super()._post(*(self._with_author(each) for each in bodies))

    def _with_author(self, body: Body) -> Body:
        if not isinstance(body, facts.FileChanged):
            return body
        return body._replace(by="agent" if self._mine is None or body.path in self._mine else "human")

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
