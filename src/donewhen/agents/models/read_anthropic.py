"""Answers of the Messages protocol: blocks, whole or grown from deltas.

Thinking blocks are signed; they are kept as they came, with the place where they stood.
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
    tokens,
    unreadable,
    used_of,
)
from donewhen.core.agent import Finish
from donewhen.core.chat import ModelFailed, Reply, Used
from donewhen.core.codec import freeze

_FINISH: dict[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_GROWS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_MOST_BLOCKS = 2000
_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
    "output_tokens_details",
)


class _Block:
    """A content block while it grows."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._start = start
        self._grown: dict[str, list[str]] = {}
        self._args: list[str] = []

    def grow(self, delta: dict[str, Any]) -> int:
        """By so many characters."""
        kind = text_of(delta.get("type"), "the type of a delta")
        if kind == "input_json_delta":
            more = text_of(delta.get("partial_json"), "partial_json")
            self._args.append(more)
            return len(more)
        if kind not in _GROWS:
            return 0
        name = _GROWS[kind]
        more = text_of(delta.get(name), name)
        self._grown.setdefault(name, [text_of(self._start.get(name), name)]).append(more)
        return len(more)

    def block(self) -> dict[str, Any]:
        block = {**self._start, **{name: joined(parts) for name, parts in self._grown.items()}}
        if "".join(self._args).strip():
            block["input"] = joined(self._args)
        return block


class AnthropicReader:
    def __init__(self, dialect: str = "anthropic", seed: str = "") -> None:
        self._dialect = dialect
        self._seed = seed
        self._message: dict[str, Any] | None = None
        self._blocks: dict[int, _Block] = {}
        self._usage: dict[str, Any] = {}
        self._stop: Any = None
        self.done = False
        self.size = 0

    def take(self, event: str, data: bytes) -> None:
        if not data.strip():
            return
        told = as_object(load(data), "an event")
        kind = text_of(told.get("type"), "the type of an event") or event
        if "error" in (kind, event) or (told.get("error") and "type" not in told):
            raise error_inside(told.get("error") or told)
        if kind == "message_start":
            self._message = as_object(told.get("message"), "message")
            self._count(self._message.get("usage"))
        elif kind == "content_block_start":
            self._begin(told)
        elif kind == "content_block_delta":
            self._grow(told)
        elif kind == "message_delta":
            self._stop = as_object(told.get("delta"), "delta").get("stop_reason") or self._stop
            self._count(told.get("usage"))
        elif kind == "message_stop":
            self.done = True

    def reply(self) -> Reply:
        if self._message is None or not (self.done or self._stop):
            raise ModelFailed("cut", "the stream ended early")
        blocks = [block.block() for _, block in sorted(self._blocks.items())]
        answer = {"content": blocks, "stop_reason": self._stop, "usage": self._usage}
        return _reply({**self._message, **answer}, self._dialect, self._seed)

    def _begin(self, told: dict[str, Any]) -> None:
        index = told.get("index")
        if type(index) is not int or len(self._blocks) >= _MOST_BLOCKS:
            raise unreadable("a block without an index, or too many")
        self._blocks[index] = _Block(as_object(told.get("content_block"), "content_block"))

    def _grow(self, told: dict[str, Any]) -> None:
        block = self._blocks.get(told["index"]) if type(told.get("index")) is int else None
        if block is None:
            raise unreadable("a delta of no block")
        self.size += block.grow(as_object(told.get("delta"), "delta"))

    def _count(self, usage: Any) -> None:
        """Counts are told twice and grow: the last one that is there counts."""
        if type(usage) is dict:
            self._usage.update({name: usage[name] for name in _COUNTS if usage.get(name) is not None})


def whole(data: bytes, dialect: str = "anthropic", seed: str = "") -> Reply:
    answer = as_object(load(data), "the answer")
    if answer.get("error"):
        raise error_inside(answer["error"])
    return _reply(answer, dialect, seed)


def _reply(answer: dict[str, Any], dialect: str, seed: str) -> Reply:
    text: list[str] = []
    thinking: list[str] = []
    calls: list[Asking] = []
    thoughts: list[dict[str, Any]] = []
    for block in as_objects(answer.get("content"), "content"):
        kind = block.get("type")
        if kind == "text":
            text.append(text_of(block.get("text"), "text"))
        elif kind == "tool_use":
            calls.append(_call(block))
        elif kind in ("thinking", "redacted_thinking"):
            if is_deep(block):
                raise unreadable("nested too deeply")
            thinking.append(text_of(block.get("thinking"), "thinking"))
            thoughts.append({"at": bool("".join(text).strip()) + len(calls), "block": block})
    finish = _FINISH.get(text_of(answer.get("stop_reason"), "stop_reason"), "stop")
    return Reply(
        joined(text),
        requests(calls, seed, cut=finish == "length"),
        joined(thinking),
        finish,
        _used(answer.get("usage")),
        freeze({dialect: thoughts} if thoughts else {}),
        short(answer.get("model")),
    )


def _call(block: dict[str, Any]) -> Asking:
    given = block.get("input")
    args = given if type(given) is dict else text_of(given, "input")
    return Asking(text_of(block.get("id"), "the id of a call"), text_of(block.get("name"), "name"), args)


def _used(usage: Any) -> Used | None:
    """Here the input does not count the cache."""
    if type(usage) is not dict:
        return None
    read = usage.get("cache_read_input_tokens")
    write = usage.get("cache_creation_input_tokens")
    counts = [tokens(each or 0) for each in (usage.get("input_tokens"), read, write)]
    if None in counts or usage.get("input_tokens") is None:
        return None
    total = sum(each for each in counts if each is not None)
    details = usage.get("output_tokens_details")
    thought = details.get("thinking_tokens") if type(details) is dict else None
    return used_of(total, usage.get("output_tokens"), read=read, write=write, reasoning=thought)
