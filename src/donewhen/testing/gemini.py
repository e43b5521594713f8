"""Gemini's generateContent: its answers, whole and streamed."""

import json
from collections.abc import Iterator
from typing import Any

from donewhen.testing.counting import count
from donewhen.testing.model import Answer, Asked, Call, Event, Reported
from donewhen.testing.pieces import arguments, pieces

_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}
_MALFORMED = "MALFORMED_FUNCTION_CALL"  # arguments that are no JSON never reach the client


def whole(asked: Asked, answer: Answer, used: Reported | None, number: int) -> dict[str, Any]:
    parts = [part for part, _ in _parts(answer, split=False)]
    return _chunk(asked, answer, used, number, parts, _finish(answer))


def stream(asked: Asked, answer: Answer, used: Reported | None, number: int) -> Iterator[Event]:
    so_far = used._replace(output=0) if used else None
    for part, said in _parts(answer, split=True):
        yield Event(_chunk(asked, answer, so_far, number, [part]), said=said)
    last: list[dict[str, Any]] = [{"text": ""}]
    yield Event(_chunk(asked, answer, used, number, last, _finish(answer)))


def _object(call: Call) -> dict[str, Any] | None:
    try:
        found = json.loads(arguments(call))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _finish(answer: Answer) -> str:
    broken = any(_object(call) is None for call in answer.calls)
    return _MALFORMED if broken and answer.finish == "stop" else _FINISH[answer.finish]


def _parts(answer: Answer, *, split: bool) -> Iterator[tuple[dict[str, Any], str]]:
    def texts(text: str) -> Iterator[str]:
        return pieces(text) if split else iter((text,) if text else ())

    for piece in texts(answer.thinking):
        yield {"text": piece, "thought": True}, piece
    for piece in texts(answer.text):
        yield {"text": piece}, piece
    for call in answer.calls:
        args = _object(call)
        if args is not None:
            made = {"name": call.tool, "args": args, "id": call.id}
            yield {"functionCall": made, "thoughtSignature": "c2lnbmF0dXJl"}, call.tool + arguments(call)


def _chunk(
    asked: Asked,
    answer: Answer,
    used: Reported | None,
    number: int,
    parts: list[dict[str, Any]],
    finish: str = "",
) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if not parts:
        candidate["content"] = {"role": "model"}
    if finish:
        candidate["finishReason"] = finish
    if finish == _MALFORMED:
        tool = next(call.tool for call in answer.calls if _object(call) is None)
        candidate["finishMessage"] = f"Malformed function call: call:default_api:{tool}{{"
    body = {
        "candidates": [candidate],
        "modelVersion": asked.model,
        "responseId": f"fake{number:06}",
    }
    return body | ({"usageMetadata": _usage(used, answer)} if used else {})


def _usage(used: Reported, answer: Answer) -> dict[str, Any]:
    """Thoughts are counted apart from what is said."""
    prompt = used.input + used.cache_read + used.cache_write
    thoughts = min(count(answer.thinking), used.output)
    counted = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": used.output - thoughts,
        "totalTokenCount": prompt + used.output,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
    }
    if thoughts:
        counted["thoughtsTokenCount"] = thoughts
    if used.cache_read:
        counted["cachedContentTokenCount"] = used.cache_read
    return counted


def models(names: tuple[str, ...]) -> dict[str, Any]:
    methods = ["generateContent", "countTokens"]
    return {
        "models": [
            {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": methods}
            for name in names
        ]
    }
