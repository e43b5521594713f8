"""Answers of Gemini's generateContent: parts, in one answer or in the chunks of a stream.

Parts may be signed, and a model of this family refuses its own calls without their signatures. So the order
of the parts is kept with the signatures; their words are not kept twice, only how long each part was.
"""

import re
from typing import Any

from donewhen.agents.models.failures import error_inside
from donewhen.agents.models.reading import (
    Asking,
    as_object,
    as_objects,
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
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    "SAFETY": "refusal",
    "RECITATION": "refusal",
    "BLOCKLIST": "refusal",
    "PROHIBITED_CONTENT": "refusal",
    "SPII": "refusal",
    "MODEL_ARMOR": "refusal",
}
_BLOCKED = "SAFETY"
_MALFORMED = "MALFORMED_FUNCTION_CALL"  # it may be missing, or half of it be there
_UNEXPECTED = "UNEXPECTED_TOOL_CALL"  # of a tool that nobody has
_CALLED = re.compile(r"\bdefault_api[.:]([A-Za-z_]\w{0,63})")  # how a call that went wrong is told
_MOST_PARTS = 10_000  # that are kept apart; words in a row are one
_COUNTS = (
    "promptTokenCount",
    "cachedContentTokenCount",
    "toolUsePromptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
)


class GeminiReader:
    """A stream has no last word: it is over when the connection says so, and complete with a reason."""

    done = False

    def __init__(self, dialect: str = "gemini", seed: str = "") -> None:
        self._dialect = dialect
        self._seed = seed
        self._parts = _Parts()
        self._usage: dict[str, Any] = {}
        self._model = ""
        self._reason = ""
        self._message = ""
        self.answered = False  # something of an answer was there

    @property
    def size(self) -> int:
        return self._parts.size

    def take(self, event: str, data: bytes) -> None:
        if data.strip():
            self.add(as_object(load(data), "an event"))

    def add(self, told: dict[str, Any]) -> None:
        """A chunk, or all of an answer."""
        if told.get("error"):
            raise error_inside(told["error"])
        self._model = short(told.get("modelVersion")) or self._model
        usage = told.get("usageMetadata")
        if type(usage) is dict:
            self._usage.update({name: usage[name] for name in _COUNTS if usage.get(name) is not None})
        candidates = told.get("candidates")
        for candidate in as_objects(candidates, "candidates")[:1] if candidates is not None else ():
            self._candidate(candidate)
        feedback = told.get("promptFeedback")
        if feedback is not None and as_object(feedback, "promptFeedback").get("blockReason"):
            self.answered, self._reason = True, _BLOCKED

    def reply(self) -> Reply:
        if not self._reason:
            raise ModelFailed("cut", "the stream ended early")
        return self.said()

    def said(self) -> Reply:
        parts = self._parts
        if self._reason == _MALFORMED or (self._reason == _UNEXPECTED and not parts.calls):
            parts.break_calls(self._message)
        finish = _FINISH.get(self._reason)
        if finish is None and not (parts.calls or joined(parts.text).strip()):
            raise unreadable(f"{short(self._reason)} {short(self._message)}".strip() or "nothing was said")
        finish = finish or "stop"
        return Reply(
            joined(parts.text),
            requests(parts.calls, self._seed, cut=finish == "length"),
            joined(parts.thinking),
            finish,
            _used(self._usage),
            freeze({self._dialect: parts.kept} if parts.signed else {}),
            self._model,
        )

    def _candidate(self, candidate: dict[str, Any]) -> None:
        self.answered = True
        self._reason = text_of(candidate.get("finishReason"), "finishReason") or self._reason
        self._message = text_of(candidate.get("finishMessage"), "finishMessage") or self._message
        content = candidate.get("content")
        parts = as_object(content, "content").get("parts") if content is not None else None
        for part in as_objects(parts, "parts") if parts is not None else ():
            self._parts.add(part)


class _Parts:
    """What was said so far, and how it was cut into parts."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.thinking: list[str] = []
        self.calls: list[Asking] = []
        self.kept: list[dict[str, Any]] = []
        self.signed = False
        self.size = 0

    def add(self, part: dict[str, Any]) -> None:
        signature = joined([text_of(part.get("thoughtSignature"), "thoughtSignature")])
        call = part.get("functionCall")
        if call is not None:
            self.calls.append(_call(as_object(call, "functionCall")))
            self.size += 1  # arguments come whole, so they are measured at the end
            self._keep("call", 0, signature)
        elif part.get("text") is not None or signature:
            words = text_of(part.get("text"), "text")
            is_thought = part.get("thought") is True
            (self.thinking if is_thought else self.text).append(words)
            self.size += len(words) + len(signature)
            self._keep("thought" if is_thought else "text", len(words), signature)

    def break_calls(self, message: str) -> None:
        """Nobody can tell which call is whole, so none is done; the model hears so in place of a result."""
        if not self.calls:
            named = _CALLED.search(message)
            self.calls.append(Asking("", named[1] if named else "unknown", ""))
            self._keep("call", 0, "")
        self.calls = [call._replace(args=f"not JSON: {short(message)}") for call in self.calls]

    def _keep(self, kind: str, size: int, signature: str) -> None:
        """Words without a signature join those before them; what is signed stays a part of its own."""
        if signature:
            self.signed = True
            self.kept.append({"kind": kind, "size": size, "signature": signature})
        elif kind != "call" and self.kept and self.kept[-1]["kind"] == kind and self._is_open():
            self.kept[-1]["size"] += size
        elif kind == "call" or size:
            self.kept.append({"kind": kind, "size": size})
        if len(self.kept) > _MOST_PARTS:
            raise unreadable(f"more than {_MOST_PARTS} parts")

    def _is_open(self) -> bool:
        return "signature" not in self.kept[-1]


def whole(data: bytes, dialect: str = "gemini", seed: str = "") -> Reply:
    reader = GeminiReader(dialect, seed)
    reader.add(as_object(load(data), "the answer"))
    if not reader.answered:
        raise unreadable("no candidates")
    return reader.said()


def _call(call: dict[str, Any]) -> Asking:
    given = call.get("args")
    args = given if type(given) is dict else text_of(given, "args")
    return Asking(text_of(call.get("id"), "the id of a call"), text_of(call.get("name"), "name"), args)


def _used(usage: dict[str, Any]) -> Used | None:
    """Thoughts and what tools brought in are counted apart here; a count of nothing is left out."""
    counts = [tokens(usage.get(name, 0)) for name in _COUNTS]
    known = [each for each in counts if each is not None]
    if len(known) < len(_COUNTS):
        return None
    prompt, cached, brought, said, thought = known
    return used_of(prompt + brought, said + thought, read=cached, reasoning=thought) if prompt else None
