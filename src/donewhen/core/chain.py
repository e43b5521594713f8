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
    "edited", "reordered", "replaced", "missing", "truncated", "foreign", "head", "unreadable", "index"
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
    return sha256(text.encode()).hexdigest()


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


def examine(run_id: str, records: Sequence[Record], heads: Iterable[tuple[str, Head]] = ()) -> list[Finding]:
    """Every fault of a ledger: the chain itself, then each head that was kept elsewhere (name, head)."""
    homes = _homes(records)
    findings = []
    for record, home in zip(records, homes, strict=True):
        if record.run_id != run_id:
            findings.append(Finding("foreign", record.seq, record.seq, record.run_id))
        elif home is None:
            findings.append(Finding("edited", record.seq, record.seq))
        elif home != record.seq:
            findings.append(Finding("reordered", home, home, str(record.seq)))
    known = {home or record.seq: record for record, home in zip(records, homes, strict=True)}
    findings += _gaps(sorted(known))
    findings += _replaced(known, {r.seq for r, home in zip(records, homes, strict=True) if home is None})
    findings += _lost_heads(known, heads)
    return sorted(findings, key=lambda finding: (finding.seq, finding.fault))


def _intact(record: Record) -> bool:
    seq, run_id, at, kind, version, payload, prev, own = record
    return own == digest(prev, run_id, seq, at, kind, version, payload)


def _homes(records: Sequence[Record]) -> list[int | None]:
    """The place where each record was written: its own, another one, or None when it was edited."""
    after = {record.hash: record.seq + 1 for record in records} | {GENESIS: 1}
    homes: list[int | None] = []
    shift = 0
    for record in records:
        if _intact(record):
            homes.append(record.seq)
            continue
        near = (shift, *(sign * step for step in range(1, 9) for sign in (1, -1)))
        guesses = [record.seq + step for step in near] + [after.get(record.prev, 0)]
        home = next((seq for seq in guesses if seq > 0 and _intact(record._replace(seq=seq))), None)
        shift = home - record.seq if home else shift
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


def _lost_heads(known: Mapping[int, Record], heads: Iterable[tuple[str, Head]]) -> Iterable[Finding]:
    last = max(known, default=0)
    longest = last
    for name, head in heads:
        longest = max(longest, head.seq)
        if head.seq in known and known[head.seq].hash != head.hash:
            yield Finding("head", head.seq, head.seq, name)
    if longest > last:
        yield Finding("truncated", last + 1, longest)
