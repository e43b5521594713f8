"""Requests to a run: what enters is bounded and redacted here, what leaves is checked here.

A request is no event and proves nothing; it only waits until the process that executes the run takes it and
writes what follows from it to the ledger. A row that is not one of ours is an error, never an answer.
"""

import json
import sqlite3
from typing import Any, get_args

from donewhen.core.codec import dumps, freeze, thaw
from donewhen.core.errors import SetupError, UserError
from donewhen.core.protocols import Control, Request
from donewhen.core.summary import storable
from donewhen.secrets.redact import Redactor
from donewhen.store.door import check_bounds, size_of

MAX_PAYLOAD = 64 * 1024
LONGEST = 200  # characters of a target and of a name
LARGEST = 2**53  # no run has so many requests; a number after it must still fit
KINDS = frozenset(get_args(Control.__annotations__["kind"]))

_COLUMNS = "run_id, number, at, kind, target, payload, who, taken"
ADD_REQUEST = f"INSERT INTO control ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
TAKE_REQUEST = "UPDATE control SET taken = ? WHERE run_id = ? AND number = ? AND taken = ''"
_FIND = f"SELECT {_COLUMNS} FROM control WHERE run_id = ? AND number > ? ORDER BY number"  # noqa: S608


def prepare_control(run_id: str, control: Control, redactor: Redactor) -> Control:
    """The control as it may be written: no secret, JSON only, of bounded size."""
    try:
        if control.kind not in KINDS:
            raise ValueError("unknown kind")
        said = {"target": control.target, "who": control.who, "payload": thaw(control.payload)}
        data = redactor.data(said)
        text = dumps(data["payload"])
        plain = json.loads(text)
        check_bounds(plain)
        names = [storable(data[name]) for name in ("target", "who")]
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise UserError("store.bad_request", run=run_id, why=error) from None
    if not isinstance(plain, dict):
        raise UserError("store.bad_request", run=run_id, why="its payload is no object")
    if any(len(name) > LONGEST for name in names) or size_of(text) > MAX_PAYLOAD:
        raise UserError("store.bad_request", run=run_id, why=f"larger than {MAX_PAYLOAD} bytes")
    return Control(control.kind, names[0], freeze(plain), names[1])


def as_row(request: Request) -> tuple[Any, ...]:
    kind, target, payload, who = request.control
    text = dumps(thaw(payload))
    return request.run_id, request.number, request.at, kind, target, text, who, request.taken


def read_requests(db: sqlite3.Connection, run_id: str, after: int = 0) -> list[Request]:
    return [_request(row) for row in db.execute(_FIND, (run_id, after)).fetchall()]


def _request(row: tuple[Any, ...]) -> Request:
    run_id, number, at, kind, target, payload, who, taken = row
    texts = (run_id, at, kind, target, payload, who, taken)
    try:
        data = json.loads(payload) if all(type(text) is str for text in texts) else None
    except (ValueError, RecursionError):
        data = None
    known = type(number) is int and 0 < number < LARGEST
    if not known or kind not in KINDS or not isinstance(data, dict):
        raise SetupError("store.odd_request", run=run_id, number=number)
    return Request(number, run_id, at, Control(kind, target, freeze(data), who), taken)
