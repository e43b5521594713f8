"""A call to a model within the budget: set the worst case aside, ask, book what it cost; and again.

Every try is a call of its own, also one that fails: what may have been billed stays booked in full, what
can't have been is given back. The models of a role are tried in their order.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from itertools import count, pairwise
from typing import NamedTuple

from donewhen.agents.models.prices import Priced, usage_of
from donewhen.agents.models.retrying import Wait, following
from donewhen.agents.models.telling import gave_up
from donewhen.core.budget import LEAST_OUTPUT, MILLION, Call, Granted, Usage, worst_case
from donewhen.core.chat import CallAccount, Fitted, Model, ModelFailed, Reply, Role
from donewhen.core.codec import dumps, thaw
from donewhen.core.errors import LimitReached
from donewhen.core.texts import Phrase

_NOTHING = Usage(0)
_CREDIBLE = 75  # percent of our count: tokenizers differ by that much, reports below it are no reports


class Means(NamedTuple):
    """How models are had, paid and waited for."""

    order: Mapping[Role, tuple[str, ...]]  # names of models, the first one first
    make: Callable[[str], Model]
    price: Callable[[str], Priced]
    retries: int
    chance: Callable[[], float]
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep


class TooLong(Exception):
    """No model of the role takes a prompt of this size."""


class Caller:
    def __init__(self, means: Means, desk: CallAccount) -> None:
        self._means = means
        self._desk = desk
        self._models: dict[str, Model] = {}
        self._priced: dict[str, Priced] = {}

    async def ask(self, role: Role, fitted: Fitted) -> tuple[Reply, str]:
        """The reply, and the model that gave it; LimitReached, SetupError or TooLong when there is none."""
        for name, following_one in pairwise((*self._means.order[role], "")):
            try:
                return await self._with(name, fitted), name
            except ModelFailed as failure:
                if failure.kind == "too_long":
                    raise TooLong from None
                if not following_one:
                    raise gave_up(name, failure) from None
                values = {"model": name, "why": _why(failure), "next": following_one}
                self._desk.note(Phrase("models.falls_back", values), warning=True)
        raise RuntimeError("a role without a model")  # a bug: every role has one

    async def _with(self, name: str, fitted: Fitted) -> Reply:
        """One model, as often as it is worth it; else its last failure."""
        for attempt in count(1):
            try:
                return await self._once(self._model(name), name, fitted)
            except ModelFailed as failure:
                after = following(failure, attempt, self._means.retries, self._means.chance())
                if not isinstance(after, Wait) or after.seconds >= self._desk.seconds_left:
                    raise
                values = {"model": name, "why": _why(failure), "seconds": round(after.seconds, 1)}
                self._desk.note(Phrase("models.again", values), warning=True)
                await self._means.wait(after.seconds)
        raise AssertionError  # tries are counted for ever

    async def _once(self, model: Model, name: str, fitted: Fitted) -> Reply:
        priced = self._price(name)
        granted = self._reserve(model, name, fitted, priced)
        key = granted.event.key
        try:
            async with asyncio.timeout(max(0.0, self._desk.seconds_left)) as limit:
                reply = await model.ask(fitted.prompt._replace(max_output=granted.output))
        except ModelFailed as failure:
            self._desk.book(key, _NOTHING if failure.free else None, model=name)
            raise
        except BaseException as error:
            self._desk.book(key, None, model=name)
            if isinstance(error, TimeoutError) and limit.expired():
                raise LimitReached("models.no_time", kind="time", model=name) from None
            raise
        self._desk.book(key, self._used(fitted, reply, priced, model), model=name)
        return reply

    def _used(self, fitted: Fitted, reply: Reply, priced: Priced, model: Model) -> Usage | None:
        """A report below our own count is not believed: that holds then; far below, its margin too."""
        used = reply.used
        if used is None:
            return None
        counted = sum(fitted.tokens(True))
        if (used.input + used.cache_read + used.cache_write) * 100 < counted * _CREDIBLE:
            counted = -(-counted * model.input_percent // 100)
        return usage_of(used, priced.price, counted, self._desk.count(_written(reply)), model.name)

    def _reserve(self, model: Model, name: str, fitted: Fitted, priced: Priced) -> Granted:
        """The whole answer by the bound that costs nothing, else as much as fits by the count."""
        wanted = fitted.prompt.max_output
        said, tools = fitted.tokens(False)
        bound = Call(said, wanted, tools, 100)
        answer = self._desk.reserve(bound, priced.price, whole=True, model=name)
        if isinstance(answer, Granted):
            return answer
        said, tools = fitted.tokens(True)
        percent = model.input_percent
        counted = Call(said, wanted, -(-tools * percent // 100), percent)
        answer = self._desk.reserve(counted, priced.price, model=name)
        if isinstance(answer, Granted):
            return answer
        least = worst_case(counted._replace(output=min(wanted, LEAST_OUTPUT)), priced.price)
        raise LimitReached(
            f"models.no_{answer.kind}",
            kind=answer.kind,
            model=model.name,
            needed=_dollars(least.micros),
            left=_dollars(max(0, self._desk.left or 0)),
        )

    def _model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = self._means.make(name)
        return self._models[name]

    def _price(self, name: str) -> Priced:
        if name not in self._priced:
            priced = self._priced[name] = self._means.price(name)
            if not priced.known:
                values = {
                    "model": name,
                    "input": priced.price.input / 1e6,
                    "output": priced.price.output / 1e6,
                }
                self._desk.note(Phrase("models.price_unknown", values), warning=True)
        return self._priced[name]

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()


def _written(reply: Reply) -> str:
    """What can be seen of an answer; of a call that could not be read only the reason is left to count."""
    calls = (call.broken or dumps(thaw(call.args)) for call in reply.calls)
    return "\n".join((reply.text, reply.thinking, *calls))


def _dollars(micros: int) -> str:
    return f"{micros / MILLION:.4f}"


def _why(failure: ModelFailed) -> Phrase:
    return Phrase(f"models.why_{failure.kind}")
