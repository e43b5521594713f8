"""What a store may do, decided purely: who may append, what the next records are, who gets a lease.

Both stores obey these functions; they differ only in where the result is kept.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.chain import GENESIS, Head, link
from donewhen.core.errors import InvariantBroken, SetupError, UserError
from donewhen.core.events import PROMISES, Body, Event, Record, bound, encode, promise_of, version_of
from donewhen.core.ids import is_run_id
from donewhen.core.protocols import Control, Lease, Request
from donewhen.core.summary import Summary, move

MOST_WAITING = 100  # requests to one run that it has not taken yet
_ANSWERS = ("approve", "deny")


class Holder(NamedTuple):
    """Who may append: the epoch in force, its owner and until when (seconds since 1970)."""

    epoch: int = 0
    owner: str = ""
    until: float = 0.0


class RunState(NamedTuple):
    summary: Summary
    head: Head = Head(0, GENESIS)
    holder: Holder = Holder()


class Item(NamedTuple):
    """An event ready to be linked: redacted and encoded."""

    type: str
    payload: str
    body: Body


def admit(
    state: RunState | None, run_id: str, items: Sequence[Item], lease: Lease | None, now: float, at: str
) -> tuple[RunState, list[Record], list[Event]]:
    """The run after the append and what to write; an error says why it may not be written."""
    if state is None:
        if not items or items[0].type != "run_started":
            raise UserError("store.no_run", run=run_id)
        if not is_run_id(run_id):
            raise UserError("store.bad_run_id", run=run_id)
        state = fresh(Summary(run_id), Head(0, GENESIS), now)
    elif items and items[0].type == "run_started":
        raise SetupError("store.run_exists", run=run_id)
    if any(item.type == "run_started" for item in items[1:]):
        raise SetupError("store.run_exists", run=run_id)
    check_lease(state, run_id, lease, now)
    records, events, head, summary = [], [], state.head, state.summary
    for given in items:
        item = _bound(given, run_id, summary.promise)
        record = link(head, run_id, at, item.type, version_of(item.type), item.payload)
        event = Event(record.seq, run_id, at, item.type, item.body, record.hash)
        head, summary = Head(record.seq, record.hash), move(summary, event)
        records.append(record)
        events.append(event)
    return state._replace(summary=summary, head=head), records, events


def _bound(item: Item, run_id: str, promise: str) -> Item:
    """The event with the id of its run's one promise; that of another promise is refused."""
    named = promise_of(item.body)
    if named in (None, promise) or (not promise and item.type in PROMISES):
        return item
    if named:
        raise InvariantBroken("store.other_promise", run=run_id, type=item.type, id=named, own=promise)
    body = bound(item.body, promise)
    return Item(item.type, encode(body), body)


def fresh(summary: Summary, head: Head, now: float) -> RunState:
    """A run that is new to this store. Epochs start at the time, so that no lease of an earlier life fits."""
    return RunState(summary, head, Holder(epoch=int(now)))


def check_lease(state: RunState, run_id: str, lease: Lease | None, now: float) -> None:
    if lease is None:
        if state.holder.until > now:
            raise SetupError("store.leased", run=run_id, owner=state.holder.owner)
        return
    _check_held(state, lease)
    if lease.run_id != run_id:
        raise SetupError("store.stale_lease", run=run_id, epoch=lease.epoch, current=state.holder.epoch)


def _check_held(state: RunState, lease: Lease) -> None:
    held = state.holder
    if not lease.owner or (lease.epoch, lease.owner) != (held.epoch, held.owner):
        raise SetupError("store.stale_lease", run=lease.run_id, epoch=lease.epoch, current=held.epoch)


def requested(state: RunState, control: Control, held: Sequence[Request], at: str) -> Request:
    """The request as it will stand; an ended run takes none, and a question only one answer."""
    run_id = state.summary.run_id
    if state.summary.ended:
        raise UserError("store.run_ended", run=run_id, state=state.summary.state)
    waiting = [each for each in held if not each.taken]
    if len(waiting) >= MOST_WAITING:
        raise UserError("store.too_many_requests", run=run_id, most=MOST_WAITING)
    if control.kind in _ANSWERS:
        same = (each for each in waiting if each.control.kind in _ANSWERS)
        for each in (each for each in same if each.control.target == control.target):
            raise UserError("store.answer_waits", ask=control.target, who=each.control.who, at=each.at)
    return Request(held[-1].number + 1 if held else 1, run_id, at, control)


def held_by(state: RunState, now: float, *, alive: bool) -> str:
    """Who executes the run: the owner of a lease in force whose process may be alive."""
    return state.holder.owner if state.holder.until > now and alive else ""


def check_removable(state: RunState, head: Head | None, now: float, *, alive: bool) -> None:
    run_id = state.summary.run_id
    if state.holder.until > now and alive:
        raise SetupError("store.leased", run=run_id, owner=state.holder.owner)
    if head and head != state.head:
        raise SetupError("store.moved_on", run=run_id)


def grant(state: RunState, owner: str, now: float, ttl: float, *, alive: bool) -> tuple[RunState, Lease]:
    """A lease for `owner`, unless another one's is in force and its process may be alive."""
    held, run_id = state.holder, state.summary.run_id
    if not owner or not 0 <= ttl < float("inf"):
        raise UserError("store.bad_lease", run=run_id)
    if held.until > now and held.owner != owner and alive:
        raise SetupError("store.leased", run=run_id, owner=held.owner)
    lease = Lease(run_id, held.epoch + 1, owner)
    return state._replace(holder=Holder(lease.epoch, owner, now + ttl)), lease


def extend(state: RunState, lease: Lease, now: float, ttl: float) -> RunState:
    """The heartbeat: the same lease, for longer."""
    _check_held(state, lease)
    if not 0 <= ttl < float("inf"):
        raise UserError("store.bad_lease", run=lease.run_id)
    return state._replace(holder=state.holder._replace(until=now + ttl))


def end(state: RunState, lease: Lease) -> RunState:
    """The lease given back; its epoch is used up."""
    _check_held(state, lease)
    return state._replace(holder=Holder(epoch=lease.epoch + 1))
