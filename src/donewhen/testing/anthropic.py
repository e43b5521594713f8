"""Anthropic Messages: its answers, whole and streamed."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.testing.model import Answer, Asked, Call, Event, Reported
from donewhen.testing.pieces import arguments, pieces

_FINISH = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def _finish(answer: Answer) -> str:
    return "tool_use" if answer.calls and answer.finish == "stop" else _FINISH[answer.finish]


def _usage(used: Reported) -> dict[str, Any]:
    return {
        "input_tokens": used.input,
        "cache_creation_input_tokens": used.cache_write,
        "cache_read_input_tokens": used.cache_read,
        "output_tokens": used.output,
        "service_tier": "standard",
    }


def _input(call: Call) -> Any:
    """Arguments that can't be read stay the text that they are."""
    try:
        return json.loads(arguments(call))
    except ValueError:
        return arguments(call)


def whole(asked: Asked, answer: Answer, used: Reported | None, number: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if answer.thinking:
        content.append({"type": "thinking", "thinking": answer.thinking, "signature": _signature(number)})
    if answer.text:
        content.append({"type": "text", "text": answer.text})
    content += [
        {"type": "tool_use", "id": call.id, "name": call.tool, "input": _input(call)} for call in answer.calls
    ]
    body = {**_frame(asked, number), "content": content, "stop_reason": _finish(answer)}
    return body | ({"usage": _usage(used)} if used else {})


def stream(asked: Asked, answer: Answer, used: Reported | None, number: int) -> Iterator[Event]:
    started = {**_frame(asked, number), "content": [], "stop_reason": None}
    if used:
        started["usage"] = _usage(used._replace(output=min(used.output, 1)))
    yield _event("message_start", message=started)
    index = 0
    if answer.thinking:
        yield _event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""})
        for piece in pieces(answer.thinking):
            yield _delta(0, {"type": "thinking_delta", "thinking": piece}, piece)
        yield _delta(0, {"type": "signature_delta", "signature": _signature(number)})
        yield _event("content_block_stop", index=0)
        index += 1
    if answer.text:
        yield _event("content_block_start", index=index, content_block={"type": "text", "text": ""})
        for piece in pieces(answer.text):
            yield _delta(index, {"type": "text_delta", "text": piece}, piece)
        yield _event("content_block_stop", index=index)
        index += 1
    for place, call in enumerate(answer.calls, index):
        block = {"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}
        yield _event("content_block_start", call.tool, index=place, content_block=block)
        yield _delta(place, {"type": "input_json_delta", "partial_json": ""})
        for piece in pieces(arguments(call)):
            yield _delta(place, {"type": "input_json_delta", "partial_json": piece}, piece)
        yield _event("content_block_stop", index=place)
    ended: dict[str, Any] = {"delta": {"stop_reason": _finish(answer), "stop_sequence": None}}
    if used:
        ended["usage"] = {"output_tokens": used.output}
    yield _event("message_delta", **ended)
    yield _event("message_stop")


def _event(kind: str, said: str = "", /, **fields: Any) -> Event:
    return Event({"type": kind, **fields}, kind, said)


def _delta(index: int, delta: Mapping[str, Any], said: str = "") -> Event:
    return _event("content_block_delta", said, index=index, delta=delta)


def _signature(number: int) -> str:
    return f"c2lnbmF0dXJl{number:06}"


def _frame(asked: Asked, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_fake{number:06}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "stop_sequence": None,
    }
