"""Providers that we don't speak to ourselves: whatever the library pydantic-ai knows.

It takes more than a second to import, so nothing of it is loaded before the first call, and then in a thread.
Its own retries are off: whoever calls a model decides that.
"""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING

from donewhen.agents.models.library_failures import failure_of
from donewhen.agents.models.providers import PROVIDERS
from donewhen.agents.models.telling import Placed, Where, harmless
from donewhen.core.chat import Prompt, Reply
from donewhen.core.errors import SetupError

if TYPE_CHECKING:
    from donewhen.agents.models.library_asking import Asking
    from donewhen.config.schema import Llm

_INPUT_PERCENT = 150  # of our count that a provider may count which nobody looked at
_NEEDS = {
    "google": "google.genai",
    "google-cloud": "google.genai",
    "mistral": "mistralai",
    "bedrock": "boto3",
}


def library_model(
    provider: str, model: str, key: str, base_url: str | None, settings: "Llm", variable: str = ""
) -> "LibraryModel":
    """A model by the library, its key from `variable`; SetupError when the library is not installed."""
    if find_spec("pydantic_ai") is None:
        raise SetupError("prices.no_providers", provider=provider)
    needed = _NEEDS.get(provider, provider)
    parent = needed.partition(".")[0]
    if provider in _NEEDS and (find_spec(parent) is None or find_spec(needed) is None):
        raise SetupError("prices.needs_more", provider=provider)
    return LibraryModel(provider, model, key, base_url, settings, variable)


class LibraryModel:
    """One model at one endpoint; may be asked several times at once."""

    def __init__(
        self, provider: str, model: str, key: str, base_url: str | None, settings: "Llm", variable: str = ""
    ) -> None:
        known = PROVIDERS.get(provider)
        self.name = f"{provider}:{model}"
        self.input_percent = known.input_percent if known else _INPUT_PERCENT
        self.where = Where(self.name, base_url or "", variable)
        self._key = key
        self._given = (provider, model, key, base_url, settings.timeout, settings.stream)
        self._asking: Asking | None = None
        self._loading = asyncio.Lock()

    async def ask(self, prompt: Prompt) -> Reply:
        asking = await self._loaded()
        try:
            return await asking.ask(prompt)
        except Exception as error:
            failure = failure_of(error)
        raise Placed(failure, self.where, harmless(failure.detail, self._key))

    async def close(self) -> None:
        asking, self._asking = self._asking, None
        if asking is not None:
            await asking.close()

    async def _loaded(self) -> "Asking":
        async with self._loading:
            if self._asking is None:
                self._asking = await asyncio.to_thread(_load, *self._given)
            return self._asking


def _load(
    provider: str, model: str, key: str, base_url: str | None, silence: float, stream: bool
) -> "Asking":
    from donewhen.agents.models.library_asking import Asking
    from donewhen.agents.models.library_building import build

    built, client = build(provider, model, key, base_url, silence)
    return Asking(built, client, stream, silence)
