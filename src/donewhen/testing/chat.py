"""OpenAI Chat Completions: its answers, whole and streamed, and its errors."""

from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.testing.model import Answer, Asked, Call, Event, Reported
from donewhen.testing.pieces import arguments, pieces

MADE = 1_700_000_000  # a fixed time: the same script gives the same bytes
_FINISH = {"stop": "stop", "length": "length", "refusal": "content_filter"}


def _finish(answer: Answer) -> str:
    return "tool_calls" if answer.calls and answer.finish == "stop" else _FINISH[answer.finish]


def _usage(used: Reported) -> dict[str, Any]:
    prompt = used.input + used.cache_read + used.cache_write
    return {
        "prompt_tokens": prompt,
        "completion_tokens": used.output,
        "total_tokens": prompt + used.output,
        "prompt_tokens_details": {"cached_tokens": used.cache_read, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def _call(call: Call) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.tool, "arguments": arguments(call)},
    }


def whole(asked: Asked, answer: Answer, used: Reported | None, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None, "refusal": None}
    if answer.finish == "refusal":
        message |= {"content": None, "refusal": answer.text or None}
    if answer.thinking:
        message["reasoning_content"] = answer.thinking
    if answer.calls:
        message["tool_calls"] = [_call(call) for call in answer.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(answer)}
    body = {**_frame(asked, number, "chat.completion"), "choices": [choice]}
    return body | ({"usage": _usage(used)} if used else {})


def stream(asked: Asked, answer: Answer, used: Reported | None, number: int) -> Iterator[Event]:
    frame = _frame(asked, number, "chat.completion.chunk")
    if asked.usage and used:
        frame["usage"] = None

    def chunk(delta: Mapping[str, Any], said: str = "", finish: str | None = None) -> Event:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return Event({**frame, "choices": [choice]}, said=said)

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    for piece in pieces(answer.thinking):
        yield chunk({"reasoning_content": piece}, piece)
    field = "refusal" if answer.finish == "refusal" else "content"
    for piece in pieces(answer.text):
        yield chunk({field: piece}, piece)
    for index, call in enumerate(answer.calls):
        head = _call(call)
        head["function"]["arguments"] = ""
        yield chunk({"tool_calls": [{"index": index, **head}]}, call.tool)
        for piece in pieces(arguments(call)):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, piece)
    yield chunk({}, finish=_finish(answer))
    if asked.usage and used:
        yield Event({**frame, "choices": [], "usage": _usage(used)})
    yield Event("[DONE]")


def _frame(asked: Asked, number: int, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-fake{number:06}",
        "object": kind,
        "created": MADE,
        "model": asked.model,
        "service_tier": "default",
        "system_fingerprint": "fp_fake",
    }


def models(names: tuple[str, ...]) -> dict[str, Any]:
    listed = [{"id": name, "object": "model", "created": MADE, "owned_by": "fake"} for name in names]
    return {"object": "list", "data": listed}
