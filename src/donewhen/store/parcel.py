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
from donewhen.core.events import Event, Record, decode
from donewhen.core.ids import is_run_id, seconds, stamp
from donewhen.core.texts import Phrase
from donewhen.store.artifacts import is_digest
from donewhen.store.door import MAX_PAYLOAD
from donewhen.store.refs import digests_of

FORMAT = 1
MAX_LINE = 16 * 1024 * 1024
MAX_DEPTH = 100
_LARGEST = 2**63 - 1


class ParcelReader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._run_id = ""
        self._head = Head(0, GENESIS)
        self._promised = Head(0, GENESIS)
        self._records: list[Record] = []
        self._artifacts: dict[str, bytes] = {}
        self._parts: list[bytes] = []
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
        if len(record.payload) > MAX_PAYLOAD:
            raise ValueError("it is too large")
        _check_bounds(payload, 0)
        event = decode(record)
        if not all(is_digest(digest) for digest in digests_of(event)):
            raise ValueError("it names an artifact by something else than a digest")
        return event

    def _artifact(self, data: dict[str, Any]) -> None:
        digest, number, count = data["artifact"], data.get("part"), data.get("of")
        try:
            self._parts.append(base64.b64decode(data.get("data", ""), validate=True))
        except (binascii.Error, TypeError, ValueError):
            raise self._wrong("not_base64") from None
        if (
            digest not in self._wanted
            or number != len(self._parts)
            or type(count) is not int
            or count < number
        ):
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


def _check_bounds(data: Any, depth: int) -> None:
    """Numbers that a database column holds, and nesting that every reader follows."""
    if depth > MAX_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(data, int) and abs(data) > _LARGEST:
        raise ValueError("a number is too large")
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        _check_bounds(part, depth + 1)
