"""A store in memory: for tests, dry runs and embedding. It keeps nothing when the process ends."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from threading import Condition, RLock

from donewhen.core.chain import GENESIS, Head
from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.events import Body, Event, Record, decode
from donewhen.core.ids import stamp
from donewhen.core.protocols import Control, Lease, Query, Request, Snapshot
from donewhen.core.summary import Summary, summarise
from donewhen.secrets.redact import Redactor
from donewhen.store import rules
from donewhen.store.controls import prepare_control
from donewhen.store.door import checked, prepare
from donewhen.store.owner import is_alive
from donewhen.store.refs import digests_of
from donewhen.store.rules import Item, RunState


class MemoryStore:
    def __init__(self, *, redactor: Redactor | None = None, clock: Callable[[], float] = time.time) -> None:
        self._redactor = redactor or Redactor()
        self._clock = clock
        self._lock = RLock()
        self._states: dict[str, RunState] = {}
        self._records: dict[str, list[Record]] = {}
        self._failed: dict[str, DonewhenError] = {}
        self._requests: dict[str, list[Request]] = {}
        self._changed = Condition(self._lock)
        self._changes = 0

    def append(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> tuple[Event, ...]:
        return self._append(run_id, prepare(bodies, self._redactor), lease)

    def post(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> Future[tuple[Event, ...]]:
        items = prepare(bodies, self._redactor)
        ticket: Future[tuple[Event, ...]] = Future()
        try:
            ticket.set_result(self._append(run_id, items, lease))
        except DonewhenError as error:
            self._failed.setdefault(run_id, error)
            ticket.set_exception(error)
        return ticket

    def hasten(self) -> None:
        """All is written at once here."""

    def _append(self, run_id: str, items: list[Item], lease: Lease | None) -> tuple[Event, ...]:
        with self._lock:
            if run_id in self._failed:
                raise self._failed[run_id].again()
            now = self._clock()
            state, records, events = rules.admit(
                self._states.get(run_id), run_id, items, lease, now, stamp(now)
            )
            self._states[run_id] = state
            self._records.setdefault(run_id, []).extend(records)
            self._change()
        return tuple(events)

    def read(self, run_id: str, after: int = 0) -> Iterator[Event]:
        records = self.snapshot(run_id).records
        if after > len(records):
            return iter(())
        start = Head(after, records[after - 1].hash if after else GENESIS)
        return checked(run_id, records[after:], start, [self.head(run_id)])

    def snapshot(self, run_id: str) -> Snapshot:
        with self._lock:
            state, records = self._state(run_id), list(self._records[run_id])
        refs = {digest for record in records for digest in digests_of(decode(record))}
        return Snapshot(records, [], state.head, state.summary, refs)

    def outside_head(self, run_id: str) -> Head | None:
        return None

    def head(self, run_id: str) -> Head:
        return self._state(run_id).head

    def summary(self, run_id: str) -> Summary:
        return self._state(run_id).summary

    def runs(self, query: Query = Query()) -> list[Summary]:  # noqa: B008 - frozen
        rows = [state.summary for state in self._states.values() if _wanted(state.summary, query)]
        rows.sort(key=lambda row: (row.created, row.run_id), reverse=True)
        return rows[: query.limit] if query.limit else rows

    def run_ids(self) -> list[str]:
        return [row.run_id for row in self.runs()]

    def matching(self, prefix: str) -> list[str]:
        return sorted(run_id for run_id in self._states if run_id.startswith(prefix))[:5]

    def asking(self) -> list[str]:
        with self._lock:
            asked = {run for run, records in self._records.items() if any(r.type == "asked" for r in records)}
        return sorted(asked, reverse=True)

    def lease(self, run_id: str, owner: str, ttl: float) -> Lease:
        with self._lock:
            state = self._state(run_id)
            alive = is_alive(state.holder.owner)
            self._states[run_id], lease = rules.grant(state, owner, self._clock(), ttl, alive=alive)
            self._change()
        self._failed.pop(run_id, None)
        return lease

    def renew(self, lease: Lease, ttl: float) -> None:
        with self._lock:
            state = self._state(lease.run_id)
            self._states[lease.run_id] = rules.extend(state, lease, self._clock(), ttl)
            self._change()

    def release(self, lease: Lease) -> None:
        with self._lock:
            self._states[lease.run_id] = rules.end(self._state(lease.run_id), lease)
            self._change()

    def holder(self, run_id: str) -> str:
        state = self._state(run_id)
        return rules.held_by(state, self._clock(), alive=is_alive(state.holder.owner))

    def request(self, run_id: str, control: Control) -> Request:
        clean = prepare_control(run_id, control, self._redactor)
        with self._lock:
            held = self._requests.setdefault(run_id, [])
            made = rules.requested(self._state(run_id), clean, held, stamp(self._clock()))
            held.append(made)
            self._change()
        return made

    def requests(self, run_id: str, after: int = 0) -> list[Request]:
        with self._lock:
            self._state(run_id)
            return self._requests.get(run_id, [])[after:]

    def take(self, run_id: str, number: int, lease: Lease | None = None) -> bool:
        with self._lock:
            now = self._clock()
            rules.check_lease(self._state(run_id), run_id, lease, now)
            held = self._requests.get(run_id, [])
            if not 0 < number <= len(held) or held[number - 1].taken:
                return False
            held[number - 1] = held[number - 1]._replace(taken=stamp(now))
            self._change()
        return True

    def changes(self) -> int:
        return self._changes

    def wait_for_change(self, since: int, timeout: float | None = None) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._changes != since, timeout)
            return self._changes

    def _change(self) -> None:
        self._changes += 1
        self._changed.notify_all()

    def restore(self, records: Iterable[Record]) -> Summary:
        taken = list(records)
        run_id = taken[0].run_id
        with self._lock:
            if run_id in self._states:
                raise SetupError("store.run_exists", run=run_id)
            summary = summarise(run_id, map(decode, taken))
            head = Head(taken[-1].seq, taken[-1].hash)
            self._states[run_id] = rules.fresh(summary, head, self._clock())
            self._records[run_id] = taken
            self._change()
        return summary

    def remove(self, run_id: str, head: Head | None = None) -> None:
        with self._lock:
            state = self._state(run_id)
            rules.check_removable(state, head, self._clock(), alive=is_alive(state.holder.owner))
            del self._states[run_id], self._records[run_id]
            self._requests.pop(run_id, None)
            self._change()

    def artifact_refs(self, run_id: str | None = None) -> set[tuple[str, str]]:
        chosen = [run_id] if run_id else list(self._states)
        return {(run, digest) for run in chosen for digest in self.snapshot(run).refs}

    def alone(self, action: Callable[[], None]) -> None:
        with self._lock:
            action()

    def sizes(self) -> dict[str, int]:
        return {run: sum(len(r.payload) for r in records) for run, records in self._records.items()}

    def damage(self) -> list[str]:
        return []

    def close(self) -> None:
        """Nothing is held."""

    def _state(self, run_id: str) -> RunState:
        if run_id not in self._states:
            raise UserError("store.no_run", run=run_id)
        return self._states[run_id]


def _wanted(row: Summary, query: Query) -> bool:
    return (
        (not query.states or row.state in query.states)
        and (not query.repo or row.repo == query.repo)
        and (not query.since or row.created >= query.since)
        and (not query.until or row.created < query.until)
    )
