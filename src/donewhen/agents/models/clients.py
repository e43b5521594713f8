"""A model that is spoken to over HTTP in one of the protocols that we speak ourselves."""

import secrets
from importlib import import_module
from typing import cast

from donewhen.agents.models.adjusting import adjusted
from donewhen.agents.models.bounds import bounded, most_said
from donewhen.agents.models.endpoint import Endpoint, Heard, Take
from donewhen.agents.models.naming import Source
from donewhen.agents.models.providers import PROVIDERS
from donewhen.agents.models.sse import Events, TooLarge
from donewhen.agents.models.telling import Placed, Where, harmless
from donewhen.agents.models.wire import Asked, Kept, Reader, Wire, output_limit
from donewhen.core.chat import ModelFailed, Prompt, Reply

_EVENTS = (b"data:", b"event:", b":")  # no JSON begins so
_MOST_ADJUSTMENTS = 6


class Wired:
    """One model at one endpoint; may be asked several times at once."""

    def __init__(self, source: Source, *, stream: bool = True, silence: float = 600.0) -> None:
        provider = PROVIDERS[source.named.provider]
        self.name = str(source.named)
        self.input_percent = provider.input_percent
        self.where = Where(self.name, source.url, source.key_name)
        self._key = source.key
        self._wire = cast(Wire, import_module(f"donewhen.agents.models.wire_{source.speech}"))
        self._endpoint = Endpoint(source.url, _headers(source), silence=silence)
        self._kept = Kept()
        self._asked = Asked(
            source.named.model,
            stream,
            f"chat:{provider.name}" if source.speech == "chat" else source.speech,
            limit_name=provider.limit_name,
            cache_key=provider.name == "openai",
        )

    async def ask(self, prompt: Prompt) -> Reply:
        """One call; a part of the request that the endpoint does not know is left out, and so remembered."""
        try:
            for _ in range(_MOST_ADJUSTMENTS):
                asked = self._asked
                try:
                    return await self._once(prompt, asked)
                except ModelFailed as failure:
                    limit = output_limit(prompt, asked)
                    again = adjusted(asked, failure, limit) if failure.free else None
                    if again is None:
                        raise
                    self._asked = again
            return await self._once(prompt, self._asked)
        except ModelFailed as failure:
            raise Placed(failure, self.where, harmless(failure.detail, self._key)) from None

    async def close(self) -> None:
        await self._endpoint.close()

    async def _once(self, prompt: Prompt, asked: Asked) -> Reply:
        answer = _Answer(self._wire, asked.dialect, prompt.max_output)
        body = self._wire.body(prompt, asked, self._kept)
        await self._endpoint.post(self._wire.path(asked), body, answer.start)
        return answer.reply()


class _Answer:
    """An answer while it comes: a stream where the endpoint sends one, else one JSON text."""

    def __init__(self, wire: Wire, dialect: str, max_output: int) -> None:
        self._wire = wire
        self._dialect = dialect
        self._asked_for = max_output
        self._seed = secrets.token_hex(4)
        self._reader: Reader | None = None
        self._events = Events()
        self._whole: list[bytes] = []

    def start(self, content_type: str) -> Take:
        if "event-stream" in content_type:
            self._reader = self._wire.reader(self._dialect, self._seed)
        return self._take

    def _take(self, chunk: bytes) -> Heard:
        if self._reader is None and not self._whole and chunk.startswith(_EVENTS):
            self.start("text/event-stream")  # a stream under another name
        if self._reader is None:
            self._whole.append(chunk)
            return "nothing"  # before its end, a JSON text says nothing
        try:
            events = self._events.feed(chunk)
        except TooLarge:
            raise ModelFailed("huge", "an event of the stream") from None
        before = self._reader.size
        for event in events:
            self._reader.take(event.name, event.data)
        if self._reader.size > most_said(self._asked_for):
            raise ModelFailed("huge", f"though {self._asked_for} tokens were asked for")
        if self._reader.done:
            return "all"
        return "more" if self._reader.size > before else "nothing"

    def reply(self) -> Reply:
        return bounded(self._whole_reply(), self._asked_for)

    def _whole_reply(self) -> Reply:
        if self._reader is None:
            return self._wire.whole(b"".join(self._whole), self._dialect, self._seed)
        for event in self._events.end():
            self._reader.take(event.name, event.data)
        return self._reader.reply()


def _headers(source: Source) -> dict[str, str]:
    if source.speech == "anthropic":
        version = {"anthropic-version": "2023-06-01"}
        return {**version, "x-api-key": source.key} if source.key else version
    if not source.key:
        return {}
    if source.speech == "gemini":
        return {"x-goog-api-key": source.key}
    if source.named.provider == "azure-openai":
        return {"api-key": source.key}
    return {"authorization": f"Bearer {source.key}"}
