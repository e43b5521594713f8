"""Audit: read a whole run as it is stored at one moment, and name everything that does not hold."""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.core.chain import Finding, Head, examine
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Event, decode, promise_of
from donewhen.core.protocols import EventStore, Snapshot
from donewhen.core.summary import summarise
from donewhen.store.artifacts import Artifacts
from donewhen.store.refs import digests_of

_NOTHING = Snapshot([], [], None, None, set())


class Audit(NamedTuple):
    run_id: str
    events: int
    head: Head
    findings: tuple[Finding, ...]
    second_head: bool  # without one outside the store, a cut tail would not show
    promise: str = ""  # that the run is about
    bound: int = 0  # events that name it

    @property
    def ok(self) -> bool:
        return not self.findings


def audit(store: EventStore, run_id: str, artifacts: Artifacts | None = None) -> Audit:
    """Everything that is wrong with a run; without `artifacts` their content is not looked at."""
    findings: list[Finding] = []
    outside = None
    try:
        outside = store.outside_head(run_id)  # before the snapshot: what is appended between only adds
    except SetupError as error:
        findings.append(Finding("unreadable", 0, 0, str(error)))
    try:
        found = store.snapshot(run_id)
    except UserError:
        if not findings and (outside is None or store.outside_head(run_id) is None):
            raise  # there is none, or it was removed between the two looks
        found = _NOTHING
    findings += [Finding("unreadable", place, place, why) for place, why in found.unreadable]
    findings += examine(found.records, found.head, outside)
    events = []
    for record in found.records:
        try:
            events.append(decode(record))
        except (ValueError, RecursionError) as error:
            findings.append(Finding("unreadable", record.seq, record.seq, str(error)))
    if not findings:
        findings += _index(run_id, found, events)
    if artifacts:
        findings += _artifacts(events, artifacts)
    named = [(event.seq, name) for event in events if (name := promise_of(event.body))]
    promise = named[0][1] if named else ""
    findings += [Finding("promise", seq, seq, name) for seq, name in named if name != promise]
    last = found.records[-1] if found.records else None
    head = Head(last.seq, last.hash) if last else Head(0, "")
    return Audit(run_id, len(found.records), head, tuple(findings), outside is not None, promise, len(named))


def _index(run_id: str, found: Snapshot, events: list[Event]) -> Iterator[Finding]:
    """What lists show and gc goes by must be what the events say."""
    said = summarise(run_id, events)
    wrong = [name for name in said._fields if getattr(said, name) != getattr(found.summary, name, None)]
    if {digest for event in events for digest in digests_of(event)} != found.refs:
        wrong.append("artifacts")
    if wrong:
        yield Finding("index", 0, 0, ", ".join(wrong))


def _artifacts(events: list[Event], artifacts: Artifacts) -> Iterator[Finding]:
    for event in events:
        for digest in digests_of(event):
            try:
                artifacts.get(digest)
            except SetupError:
                yield Finding("artifact", event.seq, event.seq, digest)
