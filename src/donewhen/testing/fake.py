"""`FakeModel`: the endpoint in a thread of its own, for tests and for the command.

One implementation for `with` and `async with`: the loop of a test is never the loop of the endpoint, so a
test that blocks can't block what it waits for.
"""

import asyncio
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Self

from donewhen.core.budget import MILLION, Price
from donewhen.testing.deck import Deck
from donewhen.testing.model import Answer, Aside, Call, Request, Then, Tokens, Watch
from donewhen.testing.script import read_script
from donewhen.testing.server import Server, Setting

Given = Answer | Call | str | Mapping[str, Any]


class FakeModel:
    """A model endpoint on this machine that plays `answers` in order."""

    def __init__(
        self,
        answers: Iterable[Given],
        *,
        then: Then = "stop",
        key: str = "",
        models: tuple[str, ...] = ("fake-model",),
        host: str = "127.0.0.1",
        port: int = 0,
        watch: Watch | None = None,
        aside: Aside | None = None,
    ) -> None:
        self._deck = Deck(map(as_answer, answers), then)
        self._setting = Setting(key, models, aside)
        self._host = host
        self.port = port
        self._watch = watch
        self._server: Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._done = 0

    def start(self) -> Self:
        ready = threading.Event()
        trouble: list[BaseException] = []
        self._thread = threading.Thread(target=self._live, args=(ready, trouble), daemon=True)
        self._thread.start()
        ready.wait()
        if trouble:
            self._thread.join()
            raise trouble[0]
        return self

    def stop(self) -> None:
        if self._loop is None or self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
        self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.stop)

    def _live(self, ready: threading.Event, trouble: list[BaseException]) -> None:
        async def live() -> None:
            self._loop = asyncio.get_running_loop()
            self._over = asyncio.Event()
            self._server = Server(self._deck, self._setting, self._seen)
            try:
                self.port = await self._server.start(self._host, self.port)
            except Exception as error:  # told to whoever starts it, in the other thread
                trouble.append(error)
                return
            finally:
                ready.set()
            await self._over.wait()
            await self._server.stop()

        asyncio.run(live())

    def _seen(self, request: Request) -> None:
        if self._watch:
            self._watch(request)
        with self._changed:
            self._done += 1
            self._changed.notify_all()

    # -- what tests look at ------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The root: Anthropic's base URL and Gemini's."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}"

    @property
    def openai_url(self) -> str:
        """The base URL of both OpenAI protocols."""
        return f"{self.url}/v1"

    @property
    def requests(self) -> list[Request]:
        """All requests so far, the lists of models included."""
        return list(self._server.requests) if self._server else []

    @property
    def problems(self) -> list[str]:
        """Why requests were refused that the script did not want refused."""
        return list(self._server.problems) if self._server else []

    @property
    def left(self) -> int:
        """How many answers of the script have not been played."""
        return self._deck.left

    def wait(self, requests: int = 1, timeout: float = 60) -> bool:
        """Until so many requests are over; False when they are not by then."""
        with self._changed:
            return self._changed.wait_for(lambda: self._done >= requests, timeout)

    def release(self, events: int = 1) -> None:
        """Let so many events pass the gate of slow answers."""
        if self._loop and self._server:
            for _ in range(events):
                self._loop.call_soon_threadsafe(self._server.gate.release)

    @property
    def tokens(self) -> Tokens:
        """What all requests together would be charged for."""
        spent = [request.tokens for request in self.requests]
        return Tokens(*map(sum, zip(*spent, strict=True))) if spent else Tokens()

    def billed(self, price: Price) -> int:
        """Micro-dollars that a provider would truly have charged, each request rounded up."""
        return sum(charge(request.tokens, price) for request in self.requests)


def charge(spent: Tokens, price: Price) -> int:
    """Micro-dollars, rounded up; a cache price of 0 means that there is none of its own."""
    parts = (
        (spent.input, price.input),
        (spent.output, price.output),
        (spent.cache_read, price.cache_read or price.input),
        (spent.cache_write, price.cache_write or price.input),
    )
    return -(-sum(tokens * each for tokens, each in parts) // MILLION)


def as_answer(given: Given) -> Answer:
    """A text, a call and an entry of a script are answers too."""
    if isinstance(given, str):
        return Answer(given)
    if isinstance(given, Call):
        return Answer(calls=(given,))
    return given if isinstance(given, Answer) else read_script([given]).answers[0]
