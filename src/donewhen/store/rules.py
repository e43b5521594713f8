"""What a store may do, decided purely: who may append, what the next records are, who gets a lease.

Both stores obey these functions; they differ only in where the result is kept.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.chain import GENESIS, Head, link
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Body, Event, Record, version_of
from donewhen.core.protocols import Lease
from donewhen.core.summary import Summary, move


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
    state: RunState | None, run_id: str, items: Sequence[Item], epoch: int | None, now: float, at: str
) -> tuple[RunState, list[Record], list[Event]]:
    """The run after the append and what to write; an error says why it may not be written."""
    if state is None:
        if not items or items[0].type != "run_started":
            raise UserError("store.no_run", run=run_id)
        state = RunState(Summary(run_id))
    elif any(item.type == "run_started" for item in items):
        raise SetupError("store.run_exists", run=run_id)
    _check_epoch(state, run_id, epoch, now)
    records, events, head, summary = [], [], state.head, state.summary
    for item in items:
        record = link(head, run_id, at, item.type, version_of(item.type), item.payload)
        event = Event(record.seq, run_id, at, item.type, item.body, record.hash)
        head, summary = Head(record.seq, record.hash), move(summary, event)
        records.append(record)
        events.append(event)
    return state._replace(summary=summary, head=head), records, events


def _check_epoch(state: RunState, run_id: str, epoch: int | None, now: float) -> None:
    holder = state.holder
    if epoch is None:
        if holder.until > now:
            raise SetupError("store.leased", run=run_id, owner=holder.owner)
    elif epoch != holder.epoch:
        raise SetupError("store.stale_lease", run=run_id, epoch=epoch, current=holder.epoch)


def grant(state: RunState, owner: str, now: float, ttl: float, *, alive: bool) -> tuple[RunState, Lease]:
    """A lease for `owner`, unless another one's is in force and its process may be alive."""
    held, run_id = state.holder, state.summary.run_id
    if held.until > now and held.owner != owner and alive:
        raise SetupError("store.leased", run=run_id, owner=held.owner)
    lease = Lease(run_id, held.epoch + 1, owner)
    return state._replace(holder=Holder(lease.epoch, owner, now + ttl)), lease


def extend(state: RunState, lease: Lease, now: float, ttl: float) -> RunState:
    """The heartbeat: the same lease, for longer (`ttl` 0 gives it back)."""
    if lease.epoch != state.holder.epoch:
        raise SetupError("store.stale_lease", run=lease.run_id, epoch=lease.epoch, current=state.holder.epoch)
    return state._replace(holder=state.holder._replace(until=now + ttl if ttl else 0.0))
