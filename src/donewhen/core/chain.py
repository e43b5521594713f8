"""The hash chain: each event is bound to the one before it, so that a changed history shows.

Pure. `link` makes a record, `examine` reads a whole ledger and names every event that was edited,
reordered, replaced, removed or cut off. It can't see a history that was rewritten whole together with
every copy of its head: SECURITY.md says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from donewhen.core.events import Record

GENESIS = "0" * 64
Fault = Literal[
    "edited",
    "reordered",
    "replaced",
    "duplicate",
    "missing",
    "truncated",
    "head",
    "unreadable",
    "index",
    "artifact",
    "promise",
]


class Head(NamedTuple):
    seq: int
    hash: str


class Finding(NamedTuple):
    """What is wrong with which event (`seq` to `last`); `detail` names the other place where there is one."""

    fault: Fault
    seq: int
    last: int
    detail: str = ""


def digest(prev: str, run_id: str, seq: int, at: str, kind: str, version: int, payload: str) -> str:
    text = f"{prev}\n{run_id}\n{seq}\n{at}\n{kind}\n{version}\n{payload}"
    return sha256(text.encode(errors="backslashreplace")).hexdigest()


def link(head: Head, run_id: str, at: str, kind: str, version: int, payload: str) -> Record:
    """The record that follows `head`."""
    seq = head.seq + 1
    own = digest(head.hash, run_id, seq, at, kind, version, payload)
    return Record(seq, run_id, at, kind, version, payload, head.hash, own)


def holds(record: Record, head: Head) -> bool:
    """Whether `record` is the unaltered successor of `head`."""
    seq, run_id, at, kind, version, payload, prev, own = record
    return (
        seq == head.seq + 1
        and prev == head.hash
        and own == digest(prev, run_id, seq, at, kind, version, payload)
    )


def examine(records: Sequence[Record], store: Head | None, outside: Head | None) -> list[Finding]:
    """Every fault of a ledger: the chain itself, then the heads kept with it and outside the store."""
    kept = [head for head in (store, outside) if head]
    homes = _homes(records, kept)
    findings = []
    known: dict[int, Record] = {}
    for record, home in zip(records, homes, strict=True):
        if home is None:
            findings.append(Finding("edited", record.seq, record.seq))
        elif home != record.seq:
            findings.append(Finding("reordered", home, home, str(record.seq)))
        seq = home or record.seq
        if seq in known:
            findings.append(Finding("duplicate", seq, seq))
        known[seq] = record
    findings += _gaps(sorted(known))
    findings += _replaced(known, {r.seq for r, home in zip(records, homes, strict=True) if home is None})
    findings += _heads(known, store, outside)
    return sorted(findings, key=lambda finding: (finding.seq, finding.fault))


def _intact(record: Record) -> bool:
    seq, run_id, at, kind, version, payload, prev, own = record
    return own == digest(prev, run_id, seq, at, kind, version, payload)


def _homes(records: Sequence[Record], kept: Sequence[Head]) -> list[int | None]:
    """The place where each record was written: its own, another one, or None when it was edited."""
    after = {record.hash: record.seq + 1 for record in records} | {GENESIS: 1}
    shifts = [head.seq - records[-1].seq for head in kept] if records else []
    homes: list[int | None] = []
    for record in records:
        if _intact(record):
            homes.append(record.seq)
            continue
        near = (*shifts, *(sign * step for step in range(1, 9) for sign in (1, -1)))
        guesses = [after.get(record.prev, 0), *(record.seq + step for step in near)]
        home = next((seq for seq in guesses if seq > 0 and _intact(record._replace(seq=seq))), None)
        if home:
            after[record.hash] = home + 1
            shifts.append(home - record.seq)
            del shifts[:-4]
        homes.append(home)
    return homes


def _gaps(seqs: Sequence[int]) -> Iterable[Finding]:
    for before, seq in zip([0, *seqs], seqs, strict=False):
        if seq > before + 1:
            yield Finding("missing", before + 1, seq - 1)


def _replaced(known: Mapping[int, Record], edited: set[int]) -> Iterable[Finding]:
    """Intact neighbours that don't belong together: the first one was written anew, hash and all."""
    for seq, record in known.items():
        before = known.get(seq - 1)
        own = before.hash if before else GENESIS if seq == 1 else record.prev
        if record.prev != own and not {seq - 1, seq} & edited:
            yield Finding("replaced", max(seq - 1, 1), max(seq - 1, 1))


def _heads(known: Mapping[int, Record], store: Head | None, outside: Head | None) -> Iterable[Finding]:
    """The store's head is the last event; the one outside may lag behind, but never contradict."""
    last = max(known, default=0)
    longest = max([last, *(head.seq for head in (store, outside) if head)])
    if longest > last:
        yield Finding("truncated", last + 1, longest)
    if store and (store.seq < last or (store.seq == last and known and known[last].hash != store.hash)):
        yield Finding("head", store.seq, store.seq, "store")
    if outside and (outside.seq < 1 or (outside.seq in known and known[outside.seq].hash != outside.hash)):
        yield Finding("head", outside.seq, outside.seq, "head file")
