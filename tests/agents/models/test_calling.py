"""Calls within a budget: set aside before, booked after, in the order of the models, never for longer than allowed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from donewhen.agents.models.calling import Caller, Means, TooLong
from donewhen.agents.models.prices import Priced
from donewhen.core.agent import ToolRequest
from donewhen.core.budget import Account, Call, Exhausted, Granted, Price, Usage, booking, move, reserve
from donewhen.core.chat import Failure, Fitted, ModelFailed, Prompt, Reply, Role, Talk, Used
from donewhen.core.errors import LimitReached, SetupError
from donewhen.core.texts import Phrase
from tests.tables import table_test

PRICE = Price(1_000_000, 2_000_000)  # a micro-dollar for a token of input, two for one of output
PROMPT = Fitted(
    Prompt(("system",), (), (), max_output=1000), lambda exact: (400, 100) if exact else (900, 200)
)
WORST = 900 + 200 + 2 * 1000
GOOD = Reply("Done.", used=Used(500, 10))
Said = Reply | ModelFailed | Callable[[], Awaitable[Reply]]


class Desk:
    """An account and a diary."""

    def __init__(self, limit: int | None = None, seconds: float = 3600.0) -> None:
        self.account = Account(limit)
        self.diary: list[tuple[object, ...]] = []
        self.seconds = seconds
        self.spent: list[int] = []

    @property
    def talk(self) -> Talk:
        raise NotImplementedError

    def alone(self, instructions: str, request: str) -> Fitted:
        raise NotImplementedError

    @property
    def plans(self) -> bool:
        return False

    @property
    def seconds_left(self) -> float:
        return self.seconds

    @property
    def left(self) -> int | None:
        return self.account.left

    def count(self, text: str) -> int:
        return len(text.split())

    def reserve(
        self, call: Call, price: Price, *, whole: bool = False, model: str = ""
    ) -> Granted | Exhausted:
        answer = reserve(self.account, f"k{len(self.diary)}", call, price)
        if isinstance(answer, Exhausted) or (whole and answer.output < call.output):
            return Exhausted("money")
        self.account = move(self.account, answer.event)
        self.diary.append(("reserve", answer.event.micros))
        return answer

    def book(self, key: str, used: Usage | None, *, model: str, cut: bool = False) -> None:
        event = booking(self.account, key, "llm", used, cut=cut)
        self.account = move(self.account, event)
        self.diary.append(("book", event.micros, model))

    def note(self, phrase: Phrase, *, warning: bool = False) -> None:
        self.diary.append(("note", phrase.key))


class Scripted:
    """A model that says what it was told to, and asks nobody."""

    input_percent = 110

    def __init__(self, name: str, script: list[Said], desk: Desk) -> None:
        self.name = name
        self._script = script
        self._desk = desk
        self.closed = False

    async def ask(self, prompt: Prompt) -> Reply:
        self._desk.diary.append(("ask", self.name, prompt.max_output))
        said = self._script.pop(0)
        if isinstance(said, ModelFailed):
            raise said
        return said if isinstance(said, Reply) else await said()

    async def close(self) -> None:
        self.closed = True


class Play:
    """A caller with its models; `said` is what each of them says, in order."""

    def __init__(self, desk: Desk | None = None, retries: int = 2, **said: Sequence[Said]) -> None:
        self.desk = desk or Desk()
        self.models = {name: Scripted(name, list(script), self.desk) for name, script in said.items()}
        self.waited: list[float] = []
        names = tuple(said)
        roles: tuple[Role, ...] = ("plan", "execute", "review", "fix")
        order = dict.fromkeys(roles, names)
        priced = Priced(PRICE, True, "config")
        means = Means(order, self.models.__getitem__, lambda _: priced, retries, lambda: 1.0, self._wait)
        self.caller = Caller(means, self.desk)

    async def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)

    async def ask(self) -> tuple[Reply, str]:
        return await self.caller.ask("execute", PROMPT)

    def run(self) -> tuple[Reply, str]:
        return asyncio.run(self.ask())

    @property
    def deeds(self) -> list[tuple[object, ...]]:
        return [each for each in self.desk.diary if each[0] != "note"]


def failed(kind: Failure, *, free: bool = False, after: float | None = None) -> ModelFailed:
    return ModelFailed(kind, free=free, retry_after=after)


def test_the_worst_case_is_set_aside_before_and_the_cost_is_booked_after():
    play = Play(one=[GOOD])
    assert play.run() == (GOOD, "one")
    assert play.desk.diary == [("reserve", WORST), ("ask", "one", 1000), ("book", 520, "one")]


def test_what_may_have_been_billed_stays_booked_and_what_can_not_is_given_back():
    play = Play(one=[failed("server"), failed("busy", free=True), GOOD])
    assert play.run()[1] == "one"
    assert [each for each in play.deeds if each[0] == "book"] == [
        ("book", WORST, "one"),
        ("book", 0, "one"),
        ("book", 520, "one"),
    ]
    assert play.desk.account.held.micros == 0


@table_test(
    ("reply", "micros"),
    [
        (Reply("Done.", used=None), WORST),
        (Reply("Done.", used=Used(1, 0)), 550 + 2),  # as we count it: 400, 100 of tools, a margin, a word
        (Reply("", (ToolRequest("1", "look", {"a": "b c d"}),), used=Used(500, 0)), 500 + 6),
        (Reply("Done.", used=Used(5000, 5000)), 15_000),
    ],
    ids=["no report", "below our count", "calls are output", "above what was set aside"],
)
def test_a_report_is_believed_only_upwards(reply: Reply, micros: int):
    play = Play(one=[reply])
    play.run()
    assert play.desk.diary[-1] == ("book", micros, "one")


def test_an_answer_is_made_shorter_to_fit():
    play = Play(Desk(limit=1500), one=[GOOD])
    play.run()
    padded = 440 + 110
    assert play.desk.diary[:2] == [("reserve", 1500), ("ask", "one", (1500 - padded) // 2)]


def test_nothing_is_asked_that_can_not_be_paid():
    play = Play(Desk(limit=1000), one=[GOOD], two=[GOOD])
    with pytest.raises(LimitReached) as caught:
        play.run()
    assert (caught.value.key, caught.value.values["kind"], play.desk.diary) == (
        "models.no_money",
        "money",
        [],
    )


def test_tries_also_end_where_the_money_does():
    play = Play(Desk(limit=2 * WORST), retries=9, one=[failed("server")] * 9)
    with pytest.raises(LimitReached):
        play.run()
    assert play.desk.account.spent.micros <= 2 * WORST


def test_the_models_are_tried_in_their_order():
    play = Play(retries=1, one=[failed("busy", free=True)] * 2, two=[failed("key", free=True)], three=[GOOD])
    assert play.run() == (GOOD, "three")
    assert [each[1] for each in play.deeds if each[0] == "ask"] == ["one", "one", "two", "three"]
    notes = [each[1] for each in play.desk.diary if each[0] == "note"]
    assert notes == ["models.again", "models.falls_back", "models.falls_back"]


def test_the_failure_of_the_last_model_is_told():
    play = Play(one=[failed("key", free=True)], two=[failed("quota", free=True)])
    with pytest.raises(SetupError) as caught:
        play.run()
    assert (caught.value.key, caught.value.values["model"]) == ("models.failed_quota", "two")


def test_too_long_is_no_reason_for_another_model():
    play = Play(one=[failed("too_long", free=True)], two=[GOOD])
    with pytest.raises(TooLong):
        play.run()
    assert play.deeds[-1] == ("book", 0, "one")


def test_pauses_grow_and_follow_what_the_endpoint_asks():
    play = Play(
        retries=4, one=[failed("busy"), failed("busy", after=7.0), failed("server"), failed("cut"), GOOD]
    )
    play.run()
    assert play.waited == [0.5, 7.5, 2.0, 4.0]


def test_a_pause_longer_than_the_run_may_take_is_not_made():
    play = Play(Desk(seconds=5.0), one=[failed("busy", after=30.0), GOOD], two=[GOOD])
    assert play.run()[1] == "two"
    assert play.waited == []


def test_a_call_ends_with_the_time_of_the_run():
    async def never() -> Reply:
        await asyncio.Event().wait()
        return GOOD

    play = Play(Desk(seconds=0.01), one=[never], two=[GOOD])
    with pytest.raises(LimitReached) as caught:
        play.run()
    assert (caught.value.key, caught.value.values["kind"]) == ("models.no_time", "time")
    assert play.deeds[-1] == ("book", WORST, "one")


def test_a_call_that_is_cancelled_is_booked_in_full():
    asked = asyncio.Event()

    async def never() -> Reply:
        asked.set()
        await asyncio.Event().wait()
        return GOOD

    play = Play(one=[never], two=[GOOD])

    async def cancelled() -> None:
        task = asyncio.create_task(play.ask())
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert play.deeds == [("reserve", WORST), ("ask", "one", 1000), ("book", WORST, "one")]


def test_a_bug_in_a_client_is_booked_in_full_too():
    async def breaks() -> Reply:
        raise ZeroDivisionError

    play = Play(one=[breaks])
    with pytest.raises(ZeroDivisionError):
        play.run()
    assert play.deeds[-1] == ("book", WORST, "one")


def test_models_are_made_when_they_are_asked_and_closed_at_the_end():
    play = Play(one=[GOOD], two=[GOOD])

    async def whole() -> None:
        await play.ask()
        await play.caller.close()

    asyncio.run(whole())
    assert {name: model.closed for name, model in play.models.items()} == {"one": True, "two": False}
