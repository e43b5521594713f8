"""A run as one JSONL file, out and in again.

First line: what it is. Then one line per event, one per artifact, and a last line that counts them, so
that a torn file shows. Import reads the whole file, proves the chain and every digest, and only then
writes; a file that is not whole, not proven or holds a credential changes nothing.
"""

import base64
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from donewhen.core.chain import GENESIS, Head
from donewhen.core.codec import dumps
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Record
from donewhen.core.protocols import EventStore
from donewhen.secrets.redact import Redactor
from donewhen.store.artifacts import Artifacts
from donewhen.store.door import checked
from donewhen.store.parcel import FORMAT, ParcelReader
from donewhen.store.refs import digests_of

PART = 8 * 1024 * 1024  # bytes of an artifact in one line


class Parcel(NamedTuple):
    """A file that was read whole and found in order."""

    run_id: str
    records: list[Record]
    artifacts: dict[str, bytes]


def export_lines(store: EventStore, artifacts: Artifacts, run_id: str, part: int = PART) -> Iterator[str]:
    """The lines of an export; nothing is written before the ledger is proven."""
    outside = store.outside_head(run_id)
    found = store.snapshot(run_id)
    if found.unreadable:
        raise SetupError("store.broken_chain", run=run_id, seq=found.unreadable[0][0])
    kept = [head for head in (found.head, outside) if head]
    events = list(checked(run_id, found.records, Head(0, GENESIS), kept))
    named = sorted({digest for event in events for digest in digests_of(event)})
    digests = [digest for digest in named if artifacts.has(digest)]
    for digest in digests:
        artifacts.get(digest)  # one that was altered stops the export before it begins
    last = found.records[-1]
    head = {"seq": last.seq, "hash": last.hash}
    yield dumps({"donewhen": "run", "version": FORMAT, "run": run_id, "head": head})
    for record in found.records:
        yield dumps({"event": {**record._asdict(), "payload": json.loads(record.payload)}})
    for digest in digests:
        yield from _artifact_lines(digest, artifacts.get(digest), part)
    counts = {"events": len(events), "artifacts": len(digests), "missing": len(named) - len(digests)}
    yield dumps({"end": counts})


def _artifact_lines(digest: str, data: bytes, size: int) -> Iterator[str]:
    """An artifact in parts, so that no line is longer than a reader takes."""
    parts = [data[at : at + size] for at in range(0, len(data), size)] or [b""]
    for number, part in enumerate(parts, 1):
        encoded = base64.b64encode(part).decode()
        yield dumps({"artifact": digest, "part": number, "of": len(parts), "data": encoded})


def read_parcel(lines: Iterable[bytes], name: str) -> Parcel:
    """Everything in the file, proven; UserError names the line that is wrong."""
    reader = ParcelReader(name)
    for line in lines:
        reader.take(line)
    return Parcel(*reader.whole())


def import_parcel(parcel: Parcel, store: EventStore, artifacts: Artifacts, redactor: Redactor) -> bool:
    """Take a run in; False when exactly this run is there already."""
    there = parcel.run_id in store.matching(parcel.run_id)
    last = parcel.records[-1]
    if there and store.head(parcel.run_id) != Head(last.seq, last.hash):
        raise UserError("transfer.differs", run=parcel.run_id)
    _refuse_secrets(parcel, redactor)
    for data in parcel.artifacts.values():
        artifacts.put_clean(data)
    if there:
        return False
    try:
        store.restore(parcel.records)
    except SetupError as error:
        if error.key != "store.run_exists" or store.head(parcel.run_id) != Head(last.seq, last.hash):
            raise
        return False  # somebody else imported the same run at the same time
    return True


def _refuse_secrets(parcel: Parcel, redactor: Redactor) -> None:
    """Redacting would break the chain, so a ledger that holds a credential stays outside."""
    for record in parcel.records:
        data = json.loads(record.payload)
        if redactor.data(data) != data:
            raise UserError("transfer.secret", run=parcel.run_id, seq=record.seq)
    for digest, content in parcel.artifacts.items():
        text = content.decode(errors="surrogateescape")
        if redactor.text(text) != text:
            raise UserError("transfer.secret_artifact", run=parcel.run_id, digest=digest)
