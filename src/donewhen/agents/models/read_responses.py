"""Answers of the Responses protocol.

A stream ends with the whole response, and each item comes whole when it is done; deltas say nothing new to
somebody who waits for the end, so they are passed over.
"""

from typing import Any

from donewhen.agents.models.failures import error_inside
from donewhen.agents.models.reading import (
    Asking,
    as_object,
    as_objects,
    is_deep,
    joined,
    load,
    requests,
    short,
    text_of,
    unreadable,
    used_of,
)
from donewhen.core.agent import Finish
from donewhen.core.chat import ModelFailed, Reply, Used
from donewhen.core.codec import freeze

_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_BEGINS = frozenset({"response.created", "response.in_progress", "response.queued"})
_MOST_ITEMS = 2000


class ResponsesReader:
    def __init__(self, dialect: str = "responses", seed: str = "") -> None:
        self._dialect = dialect
        self._seed = seed
        self._items: dict[int, Any] = {}
        self._response: dict[str, Any] | None = None
        self.size = 0

    @property
    def done(self) -> bool:
        return self._response is not None

    def take(self, event: str, data: bytes) -> None:
        if not data.strip() or data.strip() == b"[DONE]":
            return
        told = as_object(load(data), "an event")
        kind = text_of(told.get("type"), "the type of an event") or event
        if "error" in (kind, event) or (told.get("error") and "type" not in told):
            raise error_inside(told.get("error") or told)
        if kind.endswith(".delta"):
            self.size += len(told["delta"]) if type(told.get("delta")) is str else 0
        elif kind == "response.output_item.done":
            if len(self._items) >= _MOST_ITEMS:
                raise unreadable("too many items")
            index = told.get("output_index")
            self._items[index if type(index) is int else len(self._items)] = told.get("item")
        elif kind in _ENDS or kind in _BEGINS:
            response = as_object(told.get("response"), "the response")
            self._response = response if kind in _ENDS else None

    def reply(self) -> Reply:
        if self._response is None:
            raise ModelFailed("cut", "the stream ended early")
        response = self._response
        if not response.get("output"):
            response = {**response, "output": [item for _, item in sorted(self._items.items())]}
        return _reply(response, self._dialect, self._seed)


def whole(data: bytes, dialect: str = "responses", seed: str = "") -> Reply:
    return _reply(as_object(load(data), "the answer"), dialect, seed)


def _reply(response: dict[str, Any], dialect: str, seed: str) -> Reply:
    if response.get("error"):
        raise error_inside(response["error"])
    if response.get("status") in ("failed", "cancelled"):
        raise ModelFailed("server", f"the response is {response['status']}")
    reading = _Reading()
    for item in as_objects(response.get("output"), "output"):
        reading.item(item)
    finish = _finish(response, reading)
    return Reply(
        joined(reading.text) or joined(reading.refusal),
        requests(reading.calls, seed, cut=finish == "length"),
        joined(reading.thinking),
        finish,
        _used(response.get("usage")),
        freeze({dialect: reading.thoughts} if reading.thoughts else {}),
        short(response.get("model")),
    )


class _Reading:
    """The items of an answer, sorted by what they are."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.refusal: list[str] = []
        self.thinking: list[str] = []
        self.calls: list[Asking] = []
        self.thoughts: list[dict[str, Any]] = []

    def item(self, item: dict[str, Any]) -> None:
        kind = item.get("type")
        if kind == "message":
            for part in as_objects(item.get("content") or [], "content"):
                if part.get("type") == "output_text":
                    self.text.append(text_of(part.get("text"), "text"))
                elif part.get("type") == "refusal":
                    self.refusal.append(text_of(part.get("refusal"), "refusal"))
        elif kind == "function_call":
            name = text_of(item.get("name"), "the name of a tool")
            args = item.get("arguments")
            given = args if type(args) is dict else text_of(args, "arguments")
            self.calls.append(Asking(text_of(item.get("call_id"), "call_id"), name, given))
        elif kind == "reasoning":
            self._thought(item)

    def _thought(self, item: dict[str, Any]) -> None:
        if is_deep(item):
            raise unreadable("nested too deeply")
        for name in ("summary", "content"):
            for part in as_objects(item.get(name) or [], name):
                self.thinking.append(text_of(part.get("text"), "text"))
        if item.get("encrypted_content"):  # without it the endpoint would look for an item it never kept
            kept = {key: value for key, value in item.items() if value is not None and key != "status"}
            self.thoughts.append({"at": bool(self.text) + len(self.calls), "item": kept})


def _finish(response: dict[str, Any], reading: _Reading) -> Finish:
    if response.get("status") == "incomplete":
        details = response.get("incomplete_details")
        reason = details.get("reason") if type(details) is dict else ""
        return "refusal" if reason == "content_filter" else "length"
    return "refusal" if reading.refusal and not reading.calls else "stop"


def _used(usage: Any) -> Used | None:
    if type(usage) is not dict:
        return None
    inputs, outputs = usage.get("input_tokens_details"), usage.get("output_tokens_details")
    return used_of(
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        read=inputs.get("cached_tokens") if type(inputs) is dict else None,
        reasoning=outputs.get("reasoning_tokens") if type(outputs) is dict else None,
    )
