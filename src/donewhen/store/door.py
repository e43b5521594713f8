"""The store's door: what enters is redacted and encoded here, what leaves is checked and decoded here."""

import json
from collections.abc import Iterable, Iterator

from donewhen.core.chain import GENESIS, Head, holds
from donewhen.core.codec import dumps, from_json, to_json
from donewhen.core.errors import InvariantBroken, SetupError
from donewhen.core.events import Body, Event, Record, body_class, decode, type_of
from donewhen.secrets.redact import Redactor
from donewhen.store.rules import Item

MAX_PAYLOAD = 4 * 1024 * 1024  # larger things are artifacts


def prepare(bodies: Iterable[Body], redactor: Redactor) -> list[Item]:
    """Bodies as they may be written: no secret, JSON only, of bounded size."""
    return [_prepare(body, redactor) for body in bodies]


def _prepare(body: Body, redactor: Redactor) -> Item:
    kind = type_of(body)
    data = to_json(body)
    clean = redactor.data(data)
    try:
        if clean is not data:
            body = from_json(body_class(kind), json.loads(dumps(clean)))
        payload = dumps(clean)
    except (TypeError, ValueError) as error:
        raise InvariantBroken("store.bad_body", type=kind, why=str(error)) from error
    if len(payload) > MAX_PAYLOAD:
        raise InvariantBroken("store.bad_body", type=kind, why=f"larger than {MAX_PAYLOAD} bytes")
    return Item(kind, payload, body)


def checked(run_id: str, records: Iterable[Record], after: int, before: str) -> Iterator[Event]:
    """Typed events, each one proven to follow the one before it."""
    head = Head(after, before if after else GENESIS)
    for record in records:
        if not holds(record, head):
            raise SetupError("store.broken_chain", run=run_id, seq=record.seq)
        try:
            yield decode(record)
        except ValueError as error:
            raise SetupError("store.bad_event", run=run_id, seq=record.seq, why=str(error)) from error
        head = Head(record.seq, record.hash)
