"""Audit: read a whole ledger as it is stored and name everything that does not hold."""

from typing import NamedTuple

from donewhen.core.chain import Finding, Head, examine
from donewhen.core.errors import UserError
from donewhen.core.events import Event, decode
from donewhen.core.protocols import EventStore
from donewhen.core.summary import summarise
from donewhen.store.heads import HeadFiles


class Audit(NamedTuple):
    run_id: str
    events: int
    head: Head
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not self.findings


def audit(store: EventStore, run_id: str, heads: HeadFiles) -> Audit:
    findings: list[Finding] = []
    kept: list[tuple[str, Head]] = []
    try:
        outside = heads.read(run_id)
        kept += [("head file", outside)] if outside else []
    except (OSError, ValueError) as error:
        findings.append(Finding("unreadable", 0, 0, str(error)))
    try:
        kept.append(("store", store.head(run_id)))
        indexed = True
    except UserError:
        indexed = False
    if not kept:
        raise UserError("store.no_run", run=run_id)
    records = store.records(run_id) if indexed else []
    findings += examine(run_id, records, kept)
    events = []
    for record in records:
        try:
            events.append(decode(record))
        except (ValueError, RecursionError) as error:
            findings.append(Finding("unreadable", record.seq, record.seq, str(error)))
    if indexed and not findings:
        findings += _index(store, run_id, events)
    last = records[-1] if records else None
    return Audit(run_id, len(records), Head(last.seq, last.hash) if last else Head(0, ""), tuple(findings))


def _index(store: EventStore, run_id: str, events: list[Event]) -> list[Finding]:
    """What lists show must be what the events say."""
    said, shown = summarise(run_id, events), store.summary(run_id)
    wrong = [name for name in said._fields if getattr(said, name) != getattr(shown, name)]
    return [Finding("index", 0, 0, ", ".join(wrong))] if wrong else []
