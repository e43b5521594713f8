"""Reading an exported run: every line is hostile until it is proven.

The reader knows what may come next and refuses everything else, naming the line. It keeps nothing that
could not have been written by a store of ours: bounded numbers and texts, moments as we write them, digests
that match, a chain that holds.
"""

import base64
import binascii
import json
from hashlib import sha256
from typing import Any

from donewhen.core.chain import GENESIS, Head, holds
from donewhen.core.codec import dumps
from donewhen.core.errors import UserError
from donewhen.core.events import Event, Record, decode, promise_of
from donewhen.core.ids import is_run_id, seconds, stamp
from donewhen.core.texts import Phrase
from donewhen.store.artifacts import is_digest
from donewhen.store.door import MAX_PAYLOAD, check_bounds, size_of
from donewhen.store.refs import digests_of

FORMAT = 1
MAX_LINE = 32 * 1024 * 1024


class ParcelReader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._run_id = self._promise = ""
        self._head = Head(0, GENESIS)
        self._promised = Head(0, GENESIS)
        self._records: list[Record] = []
        self._artifacts: dict[str, bytes] = {}
        self._parts: list[bytes] = []
        self._part_of: Any = None
        self._wanted: set[str] = set()
        self._ended = False
        self._line = 0

    def take(self, line: bytes) -> None:
        self._line += 1
        data = self._parse(line)
        if self._ended:
            raise self._wrong("after_end")
        if self._line == 1:
            self._begin(data)
        elif self._parts and "artifact" not in data:
            raise self._wrong("bad_artifact")
        elif "event" in data:
            self._event(data["event"])
        elif "artifact" in data:
            self._artifact(data)
        elif "end" in data:
            self._end(data["end"])
        else:
            raise self._wrong("neither")

    def whole(self) -> tuple[str, list[Record], dict[str, bytes]]:
        if not self._line:
            raise UserError("transfer.empty", name=self._name)
        if not self._ended:
            raise self._torn()
        return self._run_id, self._records, self._artifacts

    def _parse(self, line: bytes) -> dict[str, Any]:
        if len(line) > MAX_LINE:
            raise self._wrong("too_long", most=MAX_LINE)
        if not line.endswith(b"\n"):
            raise self._torn()
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
            event = self._checked(record, data["payload"])
            follows = record.run_id == self._run_id and holds(record, self._head)
        except (TypeError, KeyError, ValueError, RecursionError, OverflowError) as error:
            raise self._wrong("not_event", cause=error) from None
        if not follows:
            raise self._wrong("not_following")
        if (record.seq == 1) != (record.type == "run_started"):
            raise self._wrong("start")
        named = promise_of(event.body)
        self._promise = self._promise or named or ""
        if named not in (None, "", self._promise):
            raise self._wrong("other_promise", id=named, own=self._promise)
        self._head = Head(record.seq, record.hash)
        self._records.append(record)
        self._wanted.update(digests_of(event))

    @staticmethod
    def _checked(record: Record, payload: Any) -> Event:
        kinds = Record.__annotations__.values()
        if not all(type(value) is kind for value, kind in zip(record, kinds, strict=True)):
            raise ValueError("a field has a wrong type")
        if record.at != stamp(seconds(record.at)):
            raise ValueError("its moment is not one")
        if size_of(record.payload) > MAX_PAYLOAD:
            raise ValueError("it is too large")
        check_bounds(payload)
        event = decode(record)
        if not all(is_digest(digest) for digest in digests_of(event)):
            raise ValueError("it names an artifact by something else than a digest")
        return event

    def _artifact(self, data: dict[str, Any]) -> None:
        key = (data["artifact"], data.get("of"))
        if self._parts and key != self._part_of:
            raise self._wrong("bad_artifact")
        self._part_of = key
        digest, count = key
        try:
            self._parts.append(base64.b64decode(data.get("data", ""), validate=True))
        except (binascii.Error, TypeError, ValueError):
            raise self._wrong("not_base64") from None
        known = type(digest) is str and digest in self._wanted and digest not in self._artifacts
        number = len(self._parts)
        if not known or data.get("part") != number or type(count) is not int or count < number:
            raise self._wrong("bad_artifact")
        if number == count:
            content, self._parts = b"".join(self._parts), []
            if sha256(content).hexdigest() != digest:
                raise self._wrong("bad_artifact")
            self._artifacts[digest] = content

    def _end(self, data: Any) -> None:
        missing = len(self._wanted) - len(self._artifacts)
        counts = {"events": len(self._records), "artifacts": len(self._artifacts), "missing": missing}
        if data != counts or self._head != self._promised or not self._records:
            raise self._torn()
        self._ended = True

    def _torn(self) -> UserError:
        return UserError("transfer.torn", name=self._name, line=self._line)

    def _wrong(self, why: str, **values: object) -> UserError:
        phrase = Phrase(f"transfer.why_{why}", values)
        return UserError("transfer.bad_line", name=self._name, line=self._line, why=phrase)
