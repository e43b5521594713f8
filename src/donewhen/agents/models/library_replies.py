"""A response of the library's in our words: hostile until it was read here."""

import secrets
from collections.abc import Sequence

from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.usage import RequestUsage

from donewhen.agents.models.library_details import Details, Part, opaque_of, plain_json
from donewhen.agents.models.reading import Asking, joined, requests, short, unreadable
from donewhen.core.agent import Finish
from donewhen.core.chat import ModelFailed, Reply, Used
from donewhen.core.codec import freeze

_MOST_TOKENS = 1_000_000_000
_SAYS_ITS_END = frozenset(
    {"google", "google-cloud"}
)  # their last event gives a reason, so without one it is cut
_Spoken = TextPart | ThinkingPart | ToolCallPart


def read_reply(response: ModelResponse, streamed: bool) -> Reply:
    """ModelFailed when the answer broke off or says that it is none."""
    told = (response.provider_details or {}).get("finish_reason")
    if response.state == "incomplete" or (
        streamed and response.provider_name in _SAYS_ITS_END and response.finish_reason is None and not told
    ):
        raise ModelFailed("cut", "the answer ended before its end")
    spoken = [part for part in response.parts if isinstance(part, _Spoken)]
    text = joined([part.content for part in spoken if isinstance(part, TextPart)])
    calls = [part for part in spoken if isinstance(part, ToolCallPart)]
    if response.finish_reason == "error" and not calls:
        raise unreadable(short(told) or "the endpoint says that its answer is none")
    finish = _finish(response)
    return Reply(
        text,
        requests([_asking(part) for part in calls], secrets.token_hex(4), cut=finish == "length"),
        joined([part.content for part in spoken if isinstance(part, ThinkingPart)]),
        finish,
        _used(response.usage),
        freeze(opaque_of(Details(response.provider_name or "", response.canonical_system, _parts(spoken)))),
        short(response.model_name),
    )


def _finish(response: ModelResponse) -> Finish:
    if response.finish_reason == "length":
        return "length"
    return "refusal" if response.finish_reason == "content_filter" else "stop"


def _asking(part: ToolCallPart) -> Asking:
    return Asking(part.tool_call_id, part.tool_name, part.args if part.args is not None else "")


def _parts(spoken: Sequence[ModelResponsePart]) -> tuple[Part, ...]:
    found = []
    for part in spoken:
        if isinstance(part, TextPart):
            found.append(Part("text", len(part.content), part.id, None, plain_json(part.provider_details)))
        elif isinstance(part, ThinkingPart):
            details = plain_json(part.provider_details)
            found.append(Part("thinking", len(part.content), part.id, part.signature, details))
        elif isinstance(part, ToolCallPart):
            found.append(Part("call", 0, part.id, None, plain_json(part.provider_details)))
    return tuple(found)


def _used(usage: RequestUsage) -> Used | None:
    if getattr(usage, "unmeasured_requests", 0) or not usage.has_values():
        return None
    read, write = _tokens(usage.cache_read_tokens), _tokens(usage.cache_write_tokens)
    reasoning = usage.details.get("thoughts_tokens") or usage.details.get("reasoning_tokens") or 0
    return Used(
        max(0, _tokens(usage.input_tokens) - read - write),
        _tokens(usage.output_tokens),
        read,
        write,
        _tokens(reasoning),
    )


def _tokens(number: object) -> int:
    return min(max(number, 0), _MOST_TOKENS) if type(number) is int else 0
