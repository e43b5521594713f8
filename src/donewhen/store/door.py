"""The store's door: what enters is redacted and encoded here, what leaves is checked and decoded here."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from donewhen.core.chain import Head, holds
from donewhen.core.codec import dumps, from_json, to_json
from donewhen.core.errors import InvariantBroken, SetupError
from donewhen.core.events import Body, Event, Record, body_class, decode, type_of
from donewhen.secrets.redact import Redactor
from donewhen.store.rules import Item

MAX_PAYLOAD = 4 * 1024 * 1024  # larger things are artifacts
MAX_DEPTH = 100
_PLAIN = frozenset({str, int, bool, type(None)})
MAX_NUMBER = 2**63 - 1


def prepare(bodies: Iterable[Body], redactor: Redactor) -> list[Item]:
    """Bodies as they may be written: no secret, JSON only, of bounded size."""
    return [_prepare(body, redactor) for body in bodies]


def _prepare(body: Body, redactor: Redactor) -> Item:
    """What is stored is decoded again before it is accepted: a ledger never holds what can't be read."""
    try:
        kind = type_of(body)
        data = redactor.data(to_json(body))
        payload = dumps(data)
        # ASCII without escapes reads back as it is; else e.g. halves of a surrogate pair, or odd keys
        simple = payload.isascii() and "\\u" not in payload and _is_plain(data)
        plain = data if simple else json.loads(payload)
        if plain is not data and plain != data:
            payload = dumps(plain)
        check_bounds(plain)
        clean = from_json(body_class(kind), plain)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InvariantBroken("store.bad_body", type=type(body).__name__, why=error) from error
    if size_of(payload) > MAX_PAYLOAD:
        raise InvariantBroken("store.bad_body", type=kind, why=f"larger than {MAX_PAYLOAD} bytes")
    return Item(kind, payload, clean)


def _is_plain(data: Any) -> bool:
    """Whether it is what JSON gives back: objects with keys of text, lists, and scalars of the very types."""
    kind = type(data)
    if kind is dict:
        return all(type(key) is str and _is_plain(value) for key, value in data.items())
    return all(map(_is_plain, data)) if kind is list else kind in _PLAIN


def size_of(payload: str) -> int:
    return len(payload) if payload.isascii() else len(payload.encode())


def check_bounds(data: Any, depth: int = 0) -> None:
    """Numbers that every column holds, and nesting that every reader follows; else a ValueError."""
    if depth > MAX_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(data, int) and abs(data) > MAX_NUMBER:
        raise ValueError("a number is too large")
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        if not isinstance(part, str):
            check_bounds(part, depth + 1)


def checked(run_id: str, records: Iterable[Record], start: Head, kept: Iterable[Head]) -> Iterator[Event]:
    """Typed events from `start` on, each proven to follow the one before it, up to every head that was kept.

    The kept heads must have been read before the records: what is appended meanwhile only adds to them.
    """
    head, expected = start, [each for each in kept if each.seq > start.seq]
    for record in records:
        due = [each for each in expected if each.seq == record.seq]
        if not holds(record, head) or any(each.hash != record.hash for each in due):
            raise SetupError("store.broken_chain", run=run_id, seq=record.seq)
        try:
            yield decode(record)
        except (ValueError, RecursionError) as error:
            raise SetupError("store.bad_event", run=run_id, seq=record.seq, why=str(error)) from error
        head = Head(record.seq, record.hash)
    if head.seq == 0 or any(each.seq > head.seq for each in expected):
        raise SetupError("store.cut_off", run=run_id, seq=head.seq + 1)
