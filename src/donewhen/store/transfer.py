"""A run as one JSONL file, out and in again.

First line: what it is. Then one line per event, one per artifact, and a last line that counts them, so
that a torn file shows. Import reads the whole file, proves the chain and every digest, and only then
writes; a file that is not whole, not proven or holds a credential changes nothing.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from donewhen.core.chain import GENESIS, Head, holds
from donewhen.core.codec import dumps
from donewhen.core.errors import UserError
from donewhen.core.events import Record, decode
from donewhen.core.ids import is_run_id
from donewhen.core.protocols import EventStore
from donewhen.core.texts import Phrase
from donewhen.secrets.redact import Redactor
from donewhen.store.artifacts import Artifacts
from donewhen.store.refs import digests_of

FORMAT = 1
MAX_LINE = 64 * 1024 * 1024


class Parcel(NamedTuple):
    """A file that was read whole and found in order."""

    run_id: str
    records: list[Record]
    artifacts: dict[str, bytes]


def export_lines(store: EventStore, artifacts: Artifacts, run_id: str) -> Iterator[str]:
    """The lines of an export; the ledger is proven while it is written."""
    for _ in store.read(run_id):
        pass
    records = store.records(run_id)
    head = records[-1]
    digests = sorted(digest for _, digest in store.artifact_refs(run_id) if artifacts.has(digest))
    yield dumps(
        {"donewhen": "run", "version": FORMAT, "run": run_id, "head": {"seq": head.seq, "hash": head.hash}}
    )
    for record in records:
        yield dumps({"event": {**record._asdict(), "payload": json.loads(record.payload)}})
    for digest in digests:
        yield dumps({"artifact": digest, "data": base64.b64encode(artifacts.get(digest)).decode()})
    yield dumps({"end": {"events": len(records), "artifacts": len(digests)}})


def read_parcel(lines: Iterable[bytes], name: str) -> Parcel:
    """Everything in the file, proven; UserError names the line that is wrong."""
    reader = _Reader(name)
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
    return reader.parcel()


def import_parcel(parcel: Parcel, store: EventStore, artifacts: Artifacts, redactor: Redactor) -> bool:
    """Take a run in; False when exactly this run is there already."""
    known = store.matching(parcel.run_id)
    if parcel.run_id in known:
        last = parcel.records[-1]
        if store.head(parcel.run_id) == Head(last.seq, last.hash):
            return False
        raise UserError("transfer.differs", run=parcel.run_id)
    _refuse_secrets(parcel, redactor)
    for data in parcel.artifacts.values():
        artifacts.put_clean(data)
    store.restore(parcel.records)
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


class _Reader:
    """Takes the lines one by one and knows what may come next."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._run_id = ""
        self._head = Head(0, GENESIS)
        self._promised = Head(0, GENESIS)
        self._records: list[Record] = []
        self._artifacts: dict[str, bytes] = {}
        self._wanted: set[str] = set()
        self._ended = False
        self._line = 0

    def take(self, number: int, line: bytes) -> None:
        self._line = number
        data = self._parse(line)
        if self._ended:
            raise self._wrong("after_end")
        if number == 1:
            self._begin(data)
        elif "event" in data:
            self._event(data["event"])
        elif "artifact" in data:
            self._artifact(data)
        elif "end" in data:
            self._end(data["end"])
        else:
            raise self._wrong("neither")

    def parcel(self) -> Parcel:
        if not self._line:
            raise UserError("transfer.empty", name=self._name)
        if not self._ended:
            raise UserError("transfer.torn", name=self._name, line=self._line)
        return Parcel(self._run_id, self._records, self._artifacts)

    def _parse(self, line: bytes) -> dict[str, Any]:
        if not line.endswith(b"\n"):
            raise UserError("transfer.torn", name=self._name, line=self._line)
        if len(line) > MAX_LINE:
            raise self._wrong("too_long", most=MAX_LINE)
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise self._wrong("not_json") from None
        if type(data) is not dict:
            raise self._wrong("not_object")
        return data

    def _begin(self, data: dict[str, Any]) -> None:
        head = data.get("head")
        if data.get("donewhen") != "run" or not isinstance(head, dict):
            raise self._wrong("not_export")
        if data.get("version") != FORMAT:
            raise UserError("transfer.newer", name=self._name, version=data.get("version"), newest=FORMAT)
        self._run_id = str(data.get("run"))
        if not is_run_id(self._run_id):
            raise self._wrong("bad_id")
        self._promised = Head(head.get("seq", 0), str(head.get("hash")))

    def _event(self, data: Any) -> None:
        try:
            record = Record(**{**data, "payload": dumps(data["payload"])})
            typed = all(type(record[i]) is kind for i, kind in enumerate(Record.__annotations__.values()))
            event = decode(record) if typed else None
        except (TypeError, KeyError, ValueError, RecursionError) as error:
            raise self._wrong("not_event", cause=error) from None
        if event is None or record.run_id != self._run_id or not holds(record, self._head):
            raise self._wrong("not_following")
        if (record.seq == 1) != (record.type == "run_started"):
            raise self._wrong("start")
        self._head = Head(record.seq, record.hash)
        self._records.append(record)
        self._wanted.update(digests_of(event))

    def _artifact(self, data: dict[str, Any]) -> None:
        try:
            content = base64.b64decode(data.get("data", ""), validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise self._wrong("not_base64") from None
        if sha256(content).hexdigest() != data["artifact"] or data["artifact"] not in self._wanted:
            raise self._wrong("bad_artifact")
        self._artifacts[data["artifact"]] = content

    def _end(self, data: Any) -> None:
        counts = {"events": len(self._records), "artifacts": len(self._artifacts)}
        if data != counts or self._head != self._promised:
            raise UserError("transfer.torn", name=self._name, line=self._line)
        self._ended = True

    def _wrong(self, why: str, **values: object) -> UserError:
        phrase = Phrase(f"transfer.why_{why}", values)
        return UserError("transfer.bad_line", name=self._name, line=self._line, why=phrase)
