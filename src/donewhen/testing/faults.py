"""What each fault does to an answer: pure changes of answers, bodies and events."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from donewhen.testing import http
from donewhen.testing.counting import count
from donewhen.testing.model import Answer, Call, Event, Fault
from donewhen.testing.pieces import said
from donewhen.testing.troubles import refusal
from donewhen.testing.wires import Wire

REFUSALS = ("rate", "key", "forbidden", "model", "too_long", "no_tools", "quota", "payment", "status")
COMMENT = ":"  # the name of an event that is a comment
_MARK = "@huge@"
BLOCK = "all work and no play. " * 3000
_GATEWAY = (502, 504)  # what stands before a provider answers with a page


def refused(status: int, body: Mapping[str, Any], fault: Fault) -> bytes:
    headers = {"content-type": "application/json", **_retry(fault)}
    if status in _GATEWAY:
        page = f"<html><head><title>{status} Bad Gateway</title></head><body></body></html>"
        return http.whole(status, headers | {"content-type": "text/html"}, page.encode())
    return http.whole(status, headers, json.dumps(body).encode())


def _retry(fault: Fault) -> dict[str, str]:
    headers = {}
    if fault.retry_after is not None:
        headers["retry-after"] = str(fault.retry_after)
    if fault.retry_after_date is not None:
        then = datetime.now(UTC) + timedelta(seconds=fault.retry_after_date)
        headers["retry-after"] = format_datetime(then, usegmt=True)
    if fault.retry_after_ms is not None:
        headers["retry-after-ms"] = str(fault.retry_after_ms)
    return headers


def changed(answer: Answer) -> Answer:
    """The answer that is sent instead of the one in the script."""
    kind = answer.fault.kind if answer.fault else ""
    if kind == "empty":
        return answer._replace(text="", calls=(), thinking="")
    if kind == "huge":
        return answer._replace(text=_MARK)
    if kind == "bad_arguments":
        calls = answer.calls or (Call("run_command"),)
        return answer._replace(calls=tuple(call._replace(args='{"command": "echo') for call in calls))
    return answer


def body(data: dict[str, Any], fault: Fault) -> bytes:
    if fault.kind == "unknown":
        data = {**data, "x_unheard_of": {"deep": [1, None, "ü"]}}
    text = json.dumps(_WRONG.get(fault.kind, data), ensure_ascii=False)
    if fault.kind == "invalid_json":
        text = text[: len(text) // 2]
    return text.encode(errors="replace")


_WRONG: Mapping[str, Any] = {
    "wrong_schema": {"id": 7, "choices": "none", "content": 3, "output": {}, "candidates": 1}
}


def events(wire: Wire, found: list[Event], model: str, fault: Fault) -> list[Event]:
    change = _STREAMS.get(fault.kind)
    return change(wire, found, model, fault) if change else found


def _invalid(wire: Wire, found: list[Event], model: str, fault: Fault) -> list[Event]:
    place = min(fault.after, len(found) - 1)
    spoilt = json.dumps(found[place].data)
    return [*found[:place], Event(spoilt[: len(spoilt) // 2], found[place].name), *found[place + 1 :]]


def _wrong(wire: Wire, found: list[Event], model: str, fault: Fault) -> list[Event]:
    return [Event(_WRONG["wrong_schema"], found[0].name), found[-1]]


def _unheard(wire: Wire, found: list[Event], model: str, fault: Fault) -> list[Event]:
    known = [
        event._replace(data={**event.data, "x_unheard_of": {"deep": [1, None]}})
        if isinstance(event.data, dict)
        else event
        for event in found
    ]
    if not found[0].name:
        return known
    strange = Event({"type": "x_unheard_of", "sequence_number": 0}, "x_unheard_of")
    return [known[0], strange, *known[1:]]


def _pings(wire: Wire, found: list[Event], model: str, fault: Fault) -> list[Event]:
    mixed: list[Event] = []
    for event in found:
        mixed += [Event("keep-alive", COMMENT), event]
        if wire.name == "anthropic":
            mixed.append(Event({"type": "ping"}, "ping"))
    return mixed


def _failing(wire: Wire, found: list[Event], model: str, fault: Fault) -> list[Event]:
    _, told = refusal(wire.voice, "status", model, status=fault.status or 529)
    name = "error" if found[0].name else ""
    if wire.name == "responses":
        told = {**told["error"], "type": "error", "sequence_number": fault.after}
    return [*found[: fault.after], Event(told, name)]


_STREAMS: Mapping[str, Callable[[Wire, list[Event], str, Fault], list[Event]]] = {
    "invalid_json": _invalid,
    "wrong_schema": _wrong,
    "unknown": _unheard,
    "pings": _pings,
    "error_event": _failing,
}


def output(answer: Answer, fault: Fault) -> int:
    """The tokens of an answer, before any limit."""
    return _blocks(fault) * count(BLOCK) if fault.kind == "huge" else count(said(answer))


def inflated(event: Event, fault: Fault) -> Iterator[Event]:
    """An event with the mark becomes as many as make the size."""
    if fault.kind != "huge" or event.said != _MARK:
        yield event
        return
    text = json.dumps(event.data).replace(_MARK, BLOCK)
    for _ in range(_blocks(fault)):
        yield Event(text, event.name, BLOCK)


def inflated_bytes(data: bytes, fault: Fault) -> Iterator[bytes]:
    before, _, after = data.partition(_MARK.encode())
    yield before
    for _ in range(_blocks(fault)):
        yield BLOCK.encode()
    yield after


def _blocks(fault: Fault) -> int:
    return max(1, -(-fault.mb * 1_000_000 // len(BLOCK)))
