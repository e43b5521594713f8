"""OpenAI Responses: its answers, whole and streamed."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count as numbers
from typing import Any

from donewhen.testing.chat import MADE
from donewhen.testing.model import Answer, Asked, Call, Event, Reported
from donewhen.testing.pieces import arguments, pieces

_Emit = Callable[..., Event]
_SUMMARY = {"summary_index": 0}


def whole(asked: Asked, answer: Answer, used: Reported | None, number: int) -> dict[str, Any]:
    items = [_item(each, number, index) for index, each in enumerate(_parts(answer))]
    return _response(asked, answer, used, number, items)


def stream(asked: Asked, answer: Answer, used: Reported | None, number: int) -> Iterator[Event]:
    counter = numbers()

    def emit(kind: str, said: str = "", /, **fields: Any) -> Event:
        return Event({"type": kind, "sequence_number": next(counter), **fields}, kind, said)

    begun = {
        **_response(asked, answer, None, number, []),
        "status": "in_progress",
        "incomplete_details": None,
    }
    yield emit("response.created", response=begun)
    yield emit("response.in_progress", response=begun)
    items = []
    for index, part in enumerate(_parts(answer)):
        item = _item(part, number, index)
        items.append(item)
        yield from _streamed(part, item, index, emit)
        yield emit("response.output_item.done", output_index=index, item=item)
    ended = _response(asked, answer, used, number, items)
    yield emit(f"response.{ended['status']}", response=ended)


_Part = tuple[str, str] | Call  # thinking, text or refusal with its words; or a call


def _parts(answer: Answer) -> Iterator[_Part]:
    if answer.thinking:
        yield "reasoning", answer.thinking
    if answer.text:
        yield "refusal" if answer.finish == "refusal" else "text", answer.text
    yield from answer.calls


def _item(part: _Part, number: int, index: int) -> dict[str, Any]:
    name = f"fake{number:06}{index:02}"
    if isinstance(part, Call):
        return {
            "id": f"fc_{name}",
            "type": "function_call",
            "status": "completed",
            "arguments": arguments(part),
            "call_id": part.id,
            "name": part.tool,
        }
    if part[0] == "reasoning":
        summary = [{"type": "summary_text", "text": part[1]}]
        return {
            "id": f"rs_{name}",
            "type": "reasoning",
            "summary": summary,
            "encrypted_content": f"enc{name}",
        }
    return {
        "id": f"msg_{name}",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [_content(*part)],
    }


def _content(kind: str, words: str) -> dict[str, Any]:
    if kind == "refusal":
        return {"type": "refusal", "refusal": words}
    return {"type": "output_text", "text": words, "annotations": [], "logprobs": []}


def _streamed(part: _Part, item: Mapping[str, Any], index: int, emit: _Emit) -> Iterator[Event]:
    at = {"output_index": index, "item_id": item["id"]}
    if isinstance(part, Call):
        started = {**item, "status": "in_progress", "arguments": ""}
        yield emit("response.output_item.added", part.tool, output_index=index, item=started)
        for piece in pieces(arguments(part)):
            yield emit("response.function_call_arguments.delta", piece, **at, delta=piece)
        yield emit("response.function_call_arguments.done", **at, arguments=arguments(part), name=part.tool)
    elif part[0] == "reasoning":
        yield emit("response.output_item.added", output_index=index, item={**item, "summary": []})
        yield from _reasoning(part[1], at, emit)
    else:
        started = {**item, "status": "in_progress", "content": []}
        yield emit("response.output_item.added", output_index=index, item=started)
        yield from _message(*part, at, emit)


def _reasoning(words: str, at: Mapping[str, Any], emit: _Emit) -> Iterator[Event]:
    empty, full = ({"type": "summary_text", "text": text} for text in ("", words))
    yield emit("response.reasoning_summary_part.added", **at, **_SUMMARY, part=empty)
    for piece in pieces(words):
        yield emit("response.reasoning_summary_text.delta", piece, **at, **_SUMMARY, delta=piece)
    yield emit("response.reasoning_summary_text.done", **at, **_SUMMARY, text=words)
    yield emit("response.reasoning_summary_part.done", **at, **_SUMMARY, part=full)


def _message(kind: str, words: str, at: Mapping[str, Any], emit: _Emit) -> Iterator[Event]:
    at = {**at, "content_index": 0}
    name = "refusal" if kind == "refusal" else "output_text"
    extra: dict[str, Any] = {} if kind == "refusal" else {"logprobs": []}
    yield emit("response.content_part.added", **at, part=_content(kind, ""))
    for piece in pieces(words):
        yield emit(f"response.{name}.delta", piece, **at, **extra, delta=piece)
    done = {"refusal" if kind == "refusal" else "text": words}
    yield emit(f"response.{name}.done", **at, **extra, **done)
    yield emit("response.content_part.done", **at, part=_content(kind, words))


def _response(
    asked: Asked, answer: Answer, used: Reported | None, number: int, items: list[dict[str, Any]]
) -> dict[str, Any]:
    cut = answer.finish == "length"
    return {
        "id": f"resp_fake{number:06}",
        "object": "response",
        "created_at": MADE,
        "status": "incomplete" if cut else "completed",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "instructions": None,
        "max_output_tokens": asked.most,
        "metadata": {},
        "model": asked.model,
        "output": items,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": False,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": _usage(used) if used else None,
    }


def _usage(used: Reported) -> dict[str, Any]:
    prompt = used.input + used.cache_read + used.cache_write
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": used.cache_read},
        "output_tokens": used.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": prompt + used.output,
    }
