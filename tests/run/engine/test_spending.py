"""A thousand scripts at random prices and budgets, with reports that lie and processes that die: what is
truly billed never passes the budget."""

import asyncio
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from donewhen.agents.models.calling import Caller, Means, TooLong
from donewhen.agents.models.prices import Priced, cost_of
from donewhen.commands import parse
from donewhen.config import Config
from donewhen.core.agent import ToolRequest
from donewhen.core.budget import Price
from donewhen.core.chat import Fitted, ModelFailed, Prompt, Reply, Used
from donewhen.core.errors import LimitReached, SetupError
from donewhen.core.events import Body
from donewhen.run.engine.desk import RunDesk
from donewhen.run.engine.state import RunState
from tests.tables import table_test

SCRIPTS = 1000
STEPS = 25
FAILURES = ("busy", "server", "timeout", "cut", "answer", "huge", "unreachable", "quota", "too_long")


class Killed(BaseException):
    """What `kill -9` leaves: nothing of the process, all of the ledger."""


class Kept:
    """A ledger in memory; a process may die right after anything is written."""

    def __init__(self, bodies: list[Body], state: RunState, dies: Callable[[], bool]) -> None:
        self._bodies, self._state, self._dies = bodies, state, dies

    def append(self, *bodies: Body) -> None:
        for body in bodies:
            self._bodies.append(body)
            self._state.take(body)
        if self._dies():
            raise Killed

    post = append


class Billing:
    """A model that bills what it really did, and reports something else."""

    input_percent = 110

    def __init__(self, rng: random.Random, price: Price) -> None:
        self._rng, self._price = rng, price
        self.name = "fake:model"
        self.billed = 0
        self.size = 0  # tokens of the prompt, as we count them

    async def ask(self, prompt: Prompt) -> Reply:
        rng = self._rng
        taken = int(self.size * rng.uniform(0.8, 1.1))
        if rng.random() < 0.25:
            self._fail(taken, prompt.max_output)
        written = rng.randint(0, prompt.max_output)
        text = "x " * written  # a token each
        read = rng.randint(0, taken)
        truth = Used(taken - read, written, rng.choice((0, read)), 0)
        truth = truth._replace(input=taken - truth.cache_read)
        self.billed += cost_of(truth, self._price)
        calls = (ToolRequest("1", "read_file", {"path": text}),) if rng.random() < 0.5 else ()
        return Reply("" if calls else text, calls, used=self._reported(truth))

    def _fail(self, taken: int, most: int) -> None:
        kind: Any = self._rng.choice(FAILURES)
        free = kind in ("busy", "unreachable", "quota", "too_long")
        if not free:
            self.billed += cost_of(Used(taken, self._rng.randint(0, most)), self._price)
        raise ModelFailed(kind, free=free, retry_after=0 if self._rng.random() < 0.5 else None)

    def _reported(self, truth: Used) -> Used | None:
        lie = self._rng.choice((None, 1.0, 1.0, 0.5, 0.1, 0.0, -1.0))
        return None if lie is None else Used(*(int(part * lie) for part in truth))

    async def close(self) -> None: ...


def _process(
    rng: random.Random, bodies: list[Body], config: Config, model: Billing, price: Price, *, mortal: bool
) -> Caller:
    """Somebody who takes the run up from its ledger."""
    state = RunState(config, parse)
    for body in bodies:
        state.take(body)
    ledger = Kept(bodies, state, lambda: mortal and rng.random() < 0.05)
    live: Any = SimpleNamespace(
        state=state,
        ledger=ledger,
        terms=SimpleNamespace(config=config),
        elapsed=0.0,
        language="en",
        low=False,
    )
    desk = RunDesk(live, SimpleNamespace(), lambda text: len(text.split()))

    async def at_once(_: float) -> None: ...

    order = {"execute": ("fake:model", "fake:model")}
    means = Means(order, lambda _: model, lambda _: Priced(price, True, "config"), 2, rng.random, at_once)  # type: ignore[arg-type]
    return Caller(means, desk)


def _play(seed: int) -> tuple[int, int, int]:
    """The budget, what was billed, and how many calls were made."""
    rng = random.Random(seed)
    entry, result = rng.randint(0, 20_000_000), rng.randint(0, 80_000_000)
    price = Price(entry, result, rng.choice((entry, entry * 5 // 4)), rng.choice((0, entry // 10, entry)))
    dollars = round(rng.choice((0.0, 0.01, 0.2, 1.0, 3.0)) * rng.uniform(0.5, 1.5), 6)
    config = Config.model_validate({"budget": {"total": dollars, "floor": rng.choice((0.0, 0.1))}})
    bodies: list[Body] = []
    model = Billing(rng, price)
    for _ in range(STEPS):
        caller = _process(rng, bodies, config, model, price, mortal=True)
        size = model.size = rng.randint(0, 60_000)
        most = rng.choice((256, 1000, 8192))
        fitted = Fitted(Prompt((), (), (), max_output=most), lambda exact, n=size: (n if exact else 4 * n, 0))  # type: ignore[misc]
        try:
            asyncio.run(caller.ask("execute", fitted))
        except (Killed, SetupError, TooLong):
            continue
        except LimitReached:
            break
    return round(dollars * 1_000_000), model.billed, len(bodies)


@pytest.mark.runs
@table_test("first", range(0, SCRIPTS, 50))
def test_what_is_billed_never_passes_the_budget(first: int) -> None:
    played = [_play(seed) for seed in range(first, first + 50)]
    over = [(first + at, limit, billed) for at, (limit, billed, _) in enumerate(played) if billed > limit]
    assert over == []
    assert sum(billed > 0 for _, billed, _ in played) > 10  # money was there to be spent


def test_most_of_a_budget_can_be_spent() -> None:
    """Holding back everything would be no feat."""
    used = [billed / limit for limit, billed, _ in map(_play, range(200)) if limit >= 200_000 and billed]
    assert max(used) > 0.8
