"""An answer on its way: what is charged for it, its bytes, and the trouble that the script wants with it."""

import asyncio
import json
import socket
import struct
from collections.abc import Coroutine, Iterator
from typing import Any, NamedTuple

from donewhen.testing import faults, http
from donewhen.testing.caching import Cache
from donewhen.testing.counting import count
from donewhen.testing.model import Answer, Asked, Event, Fault, Reported, Request, Tokens
from donewhen.testing.pieces import fitted
from donewhen.testing.troubles import refusal
from donewhen.testing.wires import Wire

JSON = {"content-type": "application/json"}
_SSE = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "transfer-encoding": "chunked",
}
_NO_FAULT = Fault("slow")


class Line(NamedTuple):
    """A connection, and the gate at which slow answers wait."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    gate: asyncio.Semaphore

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def pause(self, fault: Fault) -> None:
        """Until the gate opens or the time is over; ConnectionResetError when the client goes meanwhile."""
        if not fault.gate and not fault.ms:
            return
        waited: Coroutine[Any, Any, Any] = (
            self.gate.acquire() if fault.gate else asyncio.sleep(fault.ms / 1000)
        )
        opened, gone = asyncio.ensure_future(waited), asyncio.ensure_future(self.client_gone())
        try:
            await asyncio.wait({opened, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not opened.done():
                raise ConnectionResetError
        finally:
            opened.cancel()
            gone.cancel()
            await asyncio.gather(opened, gone, return_exceptions=True)  # nobody reads when this returns

    async def client_gone(self) -> None:
        while await self.reader.read(65536):
            pass

    def reset(self) -> None:
        """End the connection so that the other side sees a reset."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


async def respond(
    line: Line, wire: Wire, asked: Asked, answer: Answer, request: Request, number: int, cache: Cache
) -> bool:
    """Send the answer; whether the connection can be used for another one."""
    fault = answer.fault or _NO_FAULT
    if fault.kind in faults.REFUSALS:
        status, body = refusal(wire.voice, fault.kind, asked.model, status=fault.status)
        request.status = status
        await line.send(faults.refused(status, body, fault))
        return True
    made = fitted(faults.changed(answer), asked.most)
    made = made._replace(calls=tuple(_named(made, number)))
    output = faults.output(made, fault)
    spent = cache.charge(asked)._replace(output=output if asked.most is None else min(output, asked.most))
    request.tokens = spent._replace(output=0)
    if fault.kind == "timeout":
        await line.client_gone()
        return False
    if fault.kind == "reset":
        line.reset()
        return False
    used = _reported(made, spent)
    request.status = 200
    if asked.stream:
        events = faults.events(wire, list(wire.stream(asked, made, used, number)), asked.model, fault)
        return await _streamed(line, wire, events, fault, _Meter(request, asked.most))
    data = faults.body(wire.whole(asked, made, used, number), fault)
    request.tokens = spent
    return await _whole(line, data, fault, request)


def _named(answer: Answer, number: int) -> Iterator[Any]:
    for index, call in enumerate(answer.calls, start=1):
        yield call if call.id else call._replace(id=f"call_{number:04}_{index}")


def _reported(answer: Answer, spent: Tokens) -> Reported | None:
    if isinstance(answer.usage, Reported):
        return answer.usage
    if answer.usage == "missing":
        return None
    parts = (spent.input, spent.output, spent.cache_read, spent.cache_write)
    return Reported(*(int(part * answer.factor) for part in parts))


class _Meter:
    """Charges for what has been sent."""

    def __init__(self, request: Request, most: int | None) -> None:
        self.request = request
        self._most = most
        self._said: list[str] = []
        self._blocks = 0

    def sent(self, event: Event) -> None:
        if event.said is faults.BLOCK:  # megabytes are not joined only to be counted
            self._blocks += 1
        else:
            self._said.append(event.said)

    def charge(self) -> None:
        output = count("".join(self._said)) + self._blocks * count(faults.BLOCK)
        limit = output if self._most is None else min(output, self._most)
        self.request.tokens = self.request.tokens._replace(output=limit)


def encoded(wire: Wire, event: Event) -> bytes:
    if event.name == faults.COMMENT:
        return f": {event.data}{wire.newline * 2}".encode()
    data = event.data if isinstance(event.data, str) else json.dumps(event.data, ensure_ascii=False)
    name = f"event: {event.name}{wire.newline}" if event.name else ""
    return f"{name}data: {data}{wire.newline * 2}".encode(errors="replace")


async def _streamed(line: Line, wire: Wire, events: list[Event], fault: Fault, meter: _Meter) -> bool:
    """One write for all, unless something is to happen in between."""
    start = http.head(200, _SSE)
    cut = fault.kind == "cut"
    kept = events[: fault.after] if cut else events
    try:
        if fault.ms or fault.gate or fault.kind == "huge":
            await line.send(start)
            await _one_by_one(line, wire, kept, fault, meter)
            start = b""
        else:
            for event in kept:
                meter.sent(event)
            start += b"".join(http.chunk(encoded(wire, event)) for event in kept)
    finally:
        meter.charge()
    if not cut or fault.clean:
        meter.request.complete = True
        await line.send(start + http.END)
        return True
    if fault.middle and len(events) > fault.after:
        half = encoded(wire, events[fault.after])
        start += http.chunk(half[: len(half) // 2])
    await line.send(start)
    return False


async def _one_by_one(line: Line, wire: Wire, events: list[Event], fault: Fault, meter: _Meter) -> None:
    for event in events:
        await line.pause(fault)
        for part in faults.inflated(event, fault):
            await line.send(http.chunk(encoded(wire, part)))
            meter.sent(part)


async def _whole(line: Line, body: bytes, fault: Fault, request: Request) -> bool:
    await line.pause(fault)
    if fault.kind == "cut" and not fault.clean:
        await line.send(http.whole(200, JSON, body[: len(body) // 2], len(body)))
        return False
    request.complete = True
    if fault.kind == "huge":
        await line.send(http.head(200, {**JSON, "transfer-encoding": "chunked"}))
        for part in faults.inflated_bytes(body, fault):
            await line.send(http.chunk(part))
        await line.send(http.END)
        return True
    await line.send(http.whole(200, JSON, body))
    return True
