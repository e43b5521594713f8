"""Answers of Chat Completions, whole or as a stream of deltas.

Endpoints differ in the small: some number calls anew, some leave ids or indexes out, some think aloud under
other names. All of it is read; what nobody knows is passed over.
"""

from typing import Any

from donewhen.agents.models.failures import error_inside
from donewhen.agents.models.reading import (
    MOST_CALLS,
    Asking,
    args_text,
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

_FINISH: dict[str, Finish] = {"length": "length", "content_filter": "refusal", "refusal": "refusal"}
_MOST_DETAILS = 10_000


class _Call:
    __slots__ = ("args", "id", "tool")

    def __init__(self) -> None:
        self.id = ""
        self.tool = ""
        self.args: list[str] = []


class ChatReader:
    def __init__(self, dialect: str = "chat", seed: str = "") -> None:
        self._dialect = dialect
        self._seed = seed
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._thinking: list[str] = []
        self._content_thinking = False  # thought aloud as `reasoning_content`
        self._details: list[Any] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._finish = ""
        self._used: Used | None = None
        self._model = ""
        self._said = False
        self.done = False
        self.size = 0

    def take(self, event: str, data: bytes) -> None:
        if data.strip() == b"[DONE]":
            self.done = True
        elif data.strip():
            self.chunk(as_object(load(data), "an event"), "delta")

    def chunk(self, data: dict[str, Any], message: str) -> None:
        """A part of the answer, or all of it: `message` is the name under which its words stand."""
        if data.get("error"):
            raise error_inside(data["error"])
        self._model = short(data.get("model")) or self._model
        self._usage(data)
        for choice in as_objects(data.get("choices") or [], "choices")[:1]:
            self._said = True
            self._delta(as_object(choice.get(message) or {}, message))
            finish = text_of(choice.get("finish_reason"), "finish_reason")
            self._finish = finish or self._finish

    def reply(self) -> Reply:
        if not self._said:
            raise ModelFailed("cut", "the stream ended early") if not self.done else unreadable("no choices")
        if not self._finish and not self.done:
            raise ModelFailed("cut", "the stream ended early")
        finish = _FINISH.get(self._finish, "stop")
        if self._refusal and not self._calls:
            finish = "refusal"
        calls = [Asking(call.id, call.tool, joined(call.args)) for call in self._calls]
        thinking = joined(self._thinking)
        return Reply(
            joined(self._text) or joined(self._refusal),
            requests(calls, self._seed, cut=finish == "length"),
            thinking,
            finish,
            self._used,
            self._opaque(thinking),
            self._model,
        )

    def _opaque(self, thinking: str) -> Any:
        back: dict[str, Any] = {}
        if self._details:
            back["reasoning_details"] = self._details
        elif self._content_thinking and thinking:
            back["reasoning_content"] = thinking
        return freeze({self._dialect: back} if back and self._calls else {})

    def _delta(self, delta: dict[str, Any]) -> None:
        content = delta.get("content")
        if type(content) is list:
            self._parts(as_objects(content, "content"))
        else:
            self._add(self._text, text_of(content, "content"))
        if refusal := text_of(delta.get("refusal"), "refusal"):
            self._add(self._refusal, refusal)
        if aloud := delta.get("reasoning_content"):
            self._content_thinking = True
            self._add(self._thinking, text_of(aloud, "reasoning_content"))
        elif type(delta.get("reasoning")) is str:
            self._add(self._thinking, delta["reasoning"])
        details = delta.get("reasoning_details")
        if type(details) is list and not is_deep(details):
            self._details += details[: _MOST_DETAILS - len(self._details)]
        for call in as_objects(delta.get("tool_calls") or [], "tool_calls"):
            self._call(call)

    def _parts(self, parts: list[dict[str, Any]]) -> None:
        """Content in pieces, as Mistral's reasoning models send it."""
        for part in parts:
            if part.get("type") == "text":
                self._add(self._text, text_of(part.get("text"), "text"))
            elif part.get("type") == "thinking" and type(part.get("thinking")) is list:
                for inner in as_objects(part["thinking"], "thinking"):
                    self._add(self._thinking, text_of(inner.get("text"), "text"))

    def _add(self, words: list[str], more: str) -> None:
        words.append(more)
        self.size += len(more)

    def _call(self, data: dict[str, Any]) -> None:
        id = text_of(data.get("id"), "the id of a call")
        index = data.get("index")
        call = self._at(index if type(index) is int else None, id)
        call.id = call.id or id
        function = as_object(data.get("function") or {}, "function")
        call.tool = call.tool or text_of(function.get("name"), "the name of a tool")
        args = function.get("arguments")
        self._add(call.args, args_text(args) if type(args) is dict else text_of(args, "arguments"))

    def _at(self, index: int | None, id: str) -> _Call:
        """The call that a delta goes on with: the last of its index, unless an id says that it is new."""
        last = self._calls[-1] if index is None and self._calls else self._by_index.get(index or 0)
        if last is not None and not (id and last.id and last.id != id):
            return last
        if len(self._calls) >= MOST_CALLS:
            raise unreadable(f"more than {MOST_CALLS} calls at once")
        call = _Call()
        self._calls.append(call)
        if index is not None:
            self._by_index[index] = call
        return call

    def _usage(self, data: dict[str, Any]) -> None:
        usage = data.get("usage")
        if type(usage) is not dict and type(data.get("x_groq")) is dict:
            usage = data["x_groq"].get("usage")
        if type(usage) is dict:
            self._used = _used(usage)


def whole(data: bytes, dialect: str = "chat", seed: str = "") -> Reply:
    """An answer that came in one piece."""
    answer = as_object(load(data), "the answer")
    if not answer.get("error") and not answer.get("choices"):
        raise unreadable("no choices")
    reading = ChatReader(dialect, seed)
    reading.done = True
    reading.chunk(_numbered(answer), "message")
    return reading.reply()


def _numbered(answer: dict[str, Any]) -> dict[str, Any]:
    """Calls of a whole answer are all different ones, whatever their ids."""
    for choice in as_objects(answer.get("choices") or [], "choices")[:1]:
        message = as_object(choice.get("message"), "message")
        for index, call in enumerate(as_objects(message.get("tool_calls") or [], "tool_calls")):
            call["index"] = index
    return answer


def _used(usage: dict[str, Any]) -> Used | None:
    inputs, outputs = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    read, write = usage.get("prompt_cache_hit_tokens"), None
    if type(inputs) is dict:
        read, write = inputs.get("cached_tokens"), inputs.get("cache_write_tokens")
    reasoning = outputs.get("reasoning_tokens") if type(outputs) is dict else None
    return used_of(
        usage.get("prompt_tokens"),
        usage.get("completion_tokens"),
        read=read,
        write=write,
        reasoning=reasoning,
        told=usage.get("total_tokens"),
    )
