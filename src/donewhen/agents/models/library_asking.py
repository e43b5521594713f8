"""One call through the library: our prompt in its words, its response in ours."""

import asyncio

import httpx2
from pydantic_ai import direct
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from donewhen.agents.models.bounds import bounded
from donewhen.agents.models.library_messages import Messages
from donewhen.agents.models.library_replies import read_reply
from donewhen.core.chat import Prompt, Reply


class Asking:
    def __init__(self, model: Model, client: httpx2.AsyncClient, stream: bool, silence: float) -> None:
        self._model = model
        self._client = client
        self._stream = stream
        self._silence = silence
        self._messages = Messages()

    async def ask(self, prompt: Prompt) -> Reply:
        messages, parameters = self._messages.of(prompt)
        settings = ModelSettings(max_tokens=prompt.max_output, timeout=self._silence, max_retries=0)
        if prompt.temperature is not None:
            settings["temperature"] = prompt.temperature
        async with asyncio.timeout(self._silence) as limit:
            response = await self._answer(messages, settings, parameters, limit)
        return bounded(read_reply(response, self._stream), prompt.max_output)

    async def _answer(
        self,
        messages: list[ModelMessage],
        settings: ModelSettings,
        parameters: ModelRequestParameters,
        limit: asyncio.Timeout,
    ) -> ModelResponse:
        """Whole; every event of a stream moves the limit."""
        if not self._stream:
            return await direct.model_request(
                self._model,
                messages,
                model_settings=settings,
                model_request_parameters=parameters,
                instrument=False,
            )
        async with direct.model_request_stream(
            self._model,
            messages,
            model_settings=settings,
            model_request_parameters=parameters,
            instrument=False,
        ) as events:
            async for _ in events:
                limit.reschedule(asyncio.get_running_loop().time() + self._silence)
            return events.get()

    async def close(self) -> None:
        await self._client.aclose()
