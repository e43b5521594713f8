"""Runs that are interrupted while a model is asked: no word is lost or said twice, no money is forgotten."""

import signal
from collections.abc import Iterator

import pytest

from donewhen.core.budget import Price
from donewhen.core.events import run
from donewhen.testing import Answer, Call, FakeModel, Fault
from donewhen.ui.runs_text import money
from tests.faults.scenes import ended, stop_now
from tests.helpers import Cli, Result
from tests.llm_support import (
    ANTHROPIC,
    CHAT,
    CLAIM,
    FIX,
    KEY,
    LOOK,
    LOOK_AT_TESTS,
    WIRES,
    WORK,
    Protocol,
    at,
    configured,
    heard,
    only_grows,
    run_words,
    start,
    until_asked,
)
from tests.runs import bodies, broken_cart

pytestmark = pytest.mark.models

GATES = False
PRICE = Price(3_000_000, 15_000_000)
OPENING = Answer(calls=(LOOK, LOOK_AT_TESTS))
ANEW = (FIX._replace(id="anew_1"), CLAIM._replace(id="anew_2"))  # another endpoint makes up other ids
WAITS = Fault("slow", gate=True)  # until the test lets it go


@pytest.fixture
def slow(cli: Cli) -> Iterator[FakeModel]:
    """An endpoint whose second answer waits."""
    broken_cart(cli)
    with FakeModel([OPENING, Answer(calls=(FIX,), fault=WAITS), *WORK], key=KEY) as fake:
        configured(cli, CHAT, at(fake, CHAT))
        yield fake


def resumed(cli: Cli, fake: FakeModel) -> Result:
    done = cli("resume", "last", "--json")
    assert (done.exit, fake.problems) == (0, []), done
    return done


def counted(cli: Cli) -> int:
    """Micro-dollars that count as spent."""
    cost = cli("cost", "--json").json
    dollars: float = cost["cost"]["total"] + cost["held"]
    return round(dollars * 1e6)


@pytest.mark.runs
def test_killed_while_a_model_answers(cli: Cli, slow: FakeModel):
    process = start(cli, *run_words())
    until_asked(slow, 2, process)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    resumed(cli, slow)
    before, after = map(heard, slow.requests[1:3])
    assert (after.system, after.said[:-1]) == (before.system, before.said[:-1])
    assert only_grows(slow.requests)
    kept = cli("cost", "--json").json["held"]
    assert kept > 0
    assert cli("show", "last", "--json").json["held"] == kept
    assert all(
        f"{money(round(kept * 1e6))} held" in cli(*words).out
        for words in (("show", "last"), ("report", "last"))
    )
    assert counted(cli) >= slow.billed(PRICE)


@pytest.mark.runs
def test_a_first_ctrl_c_waits_for_the_answer(cli: Cli, slow: FakeModel):
    process = start(cli, *run_words())
    until_asked(slow, 2, process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert "when openai:fake-model has answered; press Ctrl-C again" in process.stderr.readline()
    slow.release(1000)
    done = ended(process)
    assert (done.exit, "Traceback" in done.err, len(slow.requests)) == (130, False, 2), done
    again = resumed(cli, slow)
    assert again.json["state"] == "done"
    assert only_grows(slow.requests)
    assert cli("cost", "--json").json["held"] == 0.0


@pytest.mark.runs
def test_a_second_ctrl_c_ends_the_call(cli: Cli, slow: FakeModel):
    process = start(cli, *run_words())
    until_asked(slow, 2, process)
    stop_now(process)
    done = ended(process)
    assert (done.exit, "Traceback" in done.err) == (130, False), done
    assert " spent; `donewhen resume r-" in done.err
    resumed(cli, slow)
    before, after = map(heard, slow.requests[1:3])
    assert after.said[:-1] == before.said[:-1]
    assert counted(cli) >= slow.billed(PRICE)


def test_an_abort_ends_the_call(cli: Cli, slow: FakeModel):
    process = start(cli, *run_words())
    until_asked(slow, 2, process)
    told = cli("abort", "last")
    done = ended(process)
    assert (told.exit, done.exit, "Traceback" in done.err) == (0, 130, False), (told, done)
    (row,) = cli("list", "--json").json["runs"]
    events = bodies(cli, row["run"])
    held = [each for each in events if isinstance(each, run.CostReserved)]
    booked = [each for each in events if isinstance(each, run.CostBooked)]
    assert [each.micros for each in booked][1] == held[1].micros
    assert next(each for each in events if isinstance(each, run.Decided)).stop_reason == "user_interrupt"


KILLED = {
    "set aside, not asked": ("committed:CostReserved@2", 1, ""),
    "answered, not booked": ("before:CostBooked@2", 2, ""),
    "booked, not heard": ("before:AgentStepped@2", 2, ""),
    "done, not told": ("before:FileChanged", 2, "interrupted"),
}


@pytest.mark.runs
@pytest.mark.parametrize("name", KILLED)
def test_killed_between_two_words(cli: Cli, name: str):
    point, asked, told = KILLED[name]
    broken_cart(cli)
    with FakeModel([OPENING, FIX, CLAIM], key=KEY) as first:
        configured(cli, ANTHROPIC, at(first, ANTHROPIC))
        killed = cli.cold(*run_words(), DONEWHEN_TEST_CRASH=point)
        assert (killed.exit, len(first.requests)) == (-signal.SIGKILL, asked), killed
    with FakeModel(ANEW, key=KEY) as second:
        configured(cli, ANTHROPIC, at(second, ANTHROPIC))
        resumed(cli, second)
        requests = [*first.requests, *second.requests]
        assert only_grows(requests)
        assert told in heard(second.requests[0]).said[-2]
        calls = [each for each in heard(requests[-1]).said if "tool_use_id" in each or '"tool_use"' in each]
        assert len(calls) == len(set(calls))
        assert counted(cli) >= first.billed(PRICE) + second.billed(PRICE)


@pytest.mark.runs
@pytest.mark.parametrize("protocol", WIRES, ids=lambda each: each.name)
def test_killed_after_one_of_two_calls(cli: Cli, protocol: Protocol):
    """The results that there are stay; the call that was cut is told as such."""
    broken_cart(cli)
    both = Answer(calls=(Call("run_command", {"command": "echo zebra"}), FIX))
    with FakeModel([both], key=KEY) as first:
        configured(cli, protocol, at(first, protocol))
        killed = cli.cold(*run_words(), DONEWHEN_TEST_CRASH="before:FileChanged")
        assert killed.exit == -signal.SIGKILL, killed
    with FakeModel(ANEW, key=KEY) as second:
        configured(cli, protocol, at(second, protocol))
        resumed(cli, second)
        said = heard(second.requests[0]).said
        assert sum("zebra" in each and "echo zebra" not in each for each in said) == 1
        assert "interrupted" in said[-2] or "interrupted" in said[-3]
