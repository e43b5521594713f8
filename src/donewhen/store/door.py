"""The store's door: what enters is redacted and encoded here, what leaves is checked and decoded here."""

import json
from collections.abc import Iterable, Iterator

from donewhen.core.chain import Head, holds
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
    """What is stored is decoded again before it is accepted: a ledger never holds what can't be read."""
    try:
        kind = type_of(body)
        data = redactor.data(to_json(body))
        payload = dumps(data)
        plain = json.loads(payload)
        if plain != data:  # e.g. halves of a surrogate pair, or keys that are no text
            payload = dumps(plain)
        clean = from_json(body_class(kind), plain)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InvariantBroken("store.bad_body", type=type(body).__name__, why=error) from error
    if len(payload) > MAX_PAYLOAD:
        raise InvariantBroken("store.bad_body", type=kind, why=f"larger than {MAX_PAYLOAD} bytes")
    return Item(kind, payload, clean)


def checked(run_id: str, records: Iterable[Record], start: Head, kept: Iterable[Head]) -> Iterator[Event]:
    """Typed events from `start` on, each proven to follow the one before it, up to every head that was kept.

    The kept heads must have been read before the records: what is appended meanwhile only adds to them.
    """
    head, expected = start, {each.seq: each.hash for each in kept if each.seq > start.seq}
    for record in records:
        if not holds(record, head) or expected.pop(record.seq, record.hash) != record.hash:
            raise SetupError("store.broken_chain", run=run_id, seq=record.seq)
        try:
            yield decode(record)
        except (ValueError, RecursionError) as error:
            raise SetupError("store.bad_event", run=run_id, seq=record.seq, why=str(error)) from error
        head = Head(record.seq, record.hash)
    if expected:
        raise SetupError("store.cut_off", run=run_id, seq=head.seq + 1)
