"""Endpoints that fail, over each protocol: trouble that passes costs a pause, trouble that stays ends the run.

What a failed call may have cost is booked in full, what it can't have cost is not; work is never lost.
"""

from typing import NamedTuple

import pytest

from donewhen.core.budget import Price
from donewhen.testing import Answer, Call, FakeModel, Fault
from tests.helpers import Cli
from tests.llm_support import (
    ANTHROPIC,
    CHAT,
    CLAIM,
    FIX,
    KEY,
    WIRES,
    Played,
    Protocol,
    at,
    configured,
    heard,
    only_grows,
    play,
    traces,
)
from tests.projects import git

pytestmark = pytest.mark.models

GATES = False
OVER = pytest.mark.parametrize("protocol", WIRES, ids=lambda each: each.name)
OVER_ONE = pytest.mark.parametrize(  # and over the others among the longer tests
    "protocol",
    [pytest.param(each, id=each.name, marks=[pytest.mark.runs] * (each is not ANTHROPIC)) for each in WIRES],
)
STREAMS = pytest.mark.parametrize(
    "stream", [pytest.param(True, id="stream"), pytest.param(False, id="whole", marks=pytest.mark.runs)]
)
PRICE = Price(3_000_000, 15_000_000)


def status(number: int) -> Fault:
    return Fault("status", number, retry_after_ms=1)


class Trouble(NamedTuple):
    fault: Fault
    free: bool  # whether it can't have cost anything


PASSING = (
    Trouble(Fault("rate", retry_after=0), True),
    Trouble(Fault("rate"), True),
    Trouble(Fault("rate", retry_after_date=0), True),
    Trouble(status(500), False),
    Trouble(status(502), False),
    Trouble(status(503), True),
    Trouble(status(529), True),
    Trouble(Fault("reset"), False),
    Trouble(Fault("cut"), False),
    Trouble(Fault("cut", middle=True), False),
    Trouble(Fault("invalid_json"), False),
    Trouble(Fault("wrong_schema"), False),
)
ONLY_STREAMS = (
    Trouble(Fault("cut", after=1, clean=True), False),
    Trouble(Fault("error_event"), False),
    Trouble(Fault("error_event", after=0), False),
)
ODD = (
    Fault("bad_arguments"),
    Fault("empty"),
    Fault("slow", ms=2),
    Fault("unknown"),
    Fault("pings"),
)


def echo(number: int) -> Call:
    return Call("run_command", {"command": f"echo {number}"})


@pytest.mark.runs
@STREAMS
@OVER
def test_trouble_that_passes_costs_a_pause(cli: Cli, protocol: Protocol, stream: bool):
    """All of it in one run: each trouble, then the answer that it kept away."""
    troubles = PASSING + (ONLY_STREAMS if stream else ())
    answers: list[Answer | Call] = [FIX]
    for number, trouble in enumerate(troubles):
        answers += [Answer(calls=(echo(number),), fault=trouble.fault), echo(number)]
    played = play(cli, protocol, [*answers, CLAIM], stream=stream)
    assert (played.why, played.fake.problems, played.fake.left) == ((0, "accepted", ""), [], 0)
    failed = list(zip(played.reserved, played.booked, strict=True))[1:-1:2]
    assert [each.key for each, _ in failed] == [each.key for _, each in failed]
    expected = [
        0 if trouble.free else held.micros for trouble, (held, _) in zip(troubles, failed, strict=True)
    ]
    assert [booked.micros for _, booked in failed] == expected
    assert sum(each.micros for each in played.booked) >= played.fake.billed(PRICE)
    assert played.notes.count("asked again") == len(troubles)
    assert only_grows(played.asked)


@pytest.mark.runs
@OVER
def test_odd_answers_are_taken_for_what_they_are(cli: Cli, protocol: Protocol):
    """None of them is asked for again: the endpoint has answered."""
    odd = [Answer("Well.", (echo(number),), fault=fault) for number, fault in enumerate(ODD)]
    played = play(cli, protocol, [FIX, *odd, CLAIM])
    assert (played.why, played.fake.problems) == ((0, "accepted", ""), [])
    assert len(played.asked) == len(ODD) + 2
    run = [each for each in played.results if each.tool == "run_command"]
    assert [each.ok for each in run] == [False, True, True, True]
    assert "no JSON" in run[0].output or "JSON" in run[0].output
    assert "asked again" not in played.notes


@pytest.mark.runs
@OVER_ONE
def test_silence_is_not_waited_for_longer_than_allowed(cli: Cli, protocol: Protocol):
    played = play(cli, protocol, [FIX, Answer(fault=Fault("timeout")), CLAIM], llm={"timeout": 3})
    assert played.why == (0, "accepted", "")
    assert played.booked[1].micros == played.reserved[1].micros > 0
    assert "it was silent for too long" in played.notes


@pytest.mark.runs
@OVER
def test_an_answer_larger_than_any_is_not_read_to_its_end(cli: Cli, protocol: Protocol):
    huge = Answer(fault=Fault("huge", mb=40))
    played = play(cli, protocol, [FIX, huge, CLAIM])
    assert played.why == (0, "accepted", "")
    assert played.booked[1].micros == played.reserved[1].micros
    assert "its answer is too large" in played.notes


# -- trouble that stays ----------------------------------------------------------------------------

LASTING = {
    "key": (Fault("key"), "models.failed_key", "check the key"),
    "forbidden": (Fault("forbidden"), "models.failed_", "check"),
    "model": (Fault("model"), "models.failed_model", "check its name"),
    "quota": (
        Fault("quota"),
        "models.failed_quota",
        "add credit and resume the run, or go on with another model",
    ),
    "payment": (
        Fault("payment"),
        "models.failed_quota",
        "add credit and resume the run, or go on with another model",
    ),
    "no tools": (Fault("no_tools"), "models.failed_tools", "go on with a model that does"),
}


@pytest.mark.runs
@OVER
@pytest.mark.parametrize("name", LASTING)
def test_trouble_that_stays_ends_the_run_and_keeps_its_work(cli: Cli, protocol: Protocol, name: str):
    fault, key, advice = LASTING[name]
    played = play(cli, protocol, [FIX, Answer(fault=fault), CLAIM])
    exit_code, reason, cause = played.why
    assert (exit_code, reason, cause.startswith(key)) == (5, "fatal_error", True), played.done
    assert played.fake.left == 1  # it is not asked again
    assert protocol.model in played.said and "http://127.0.0.1" in played.said and advice in played.said
    assert "\n" not in played.said
    assert played.booked[1].micros == 0
    assert _kept(played)
    assert traces(cli, KEY) == []


def _kept(played: Played) -> bool:
    """Whether the edit is in a commit of the user's repository."""
    work = played.done.json["work"]
    return "sum(prices) + 1" not in git(played.cli.folder, "show", f"{work}:cart.py")


WAITING = {
    "busy": (status(503), "models.failed_busy", 3),
    "asks for hours": (Fault("rate", retry_after=7200), "models.failed_busy_long", 1),
    "trouble": (status(500), "models.failed_server", 3),
    "cut": (Fault("cut", after=1), "models.failed_cut", 3),
    "no credit": (Fault("quota"), "models.failed_quota", 1),
}


@pytest.mark.runs
@pytest.mark.parametrize("name", WAITING)
def test_a_run_that_no_model_answers_waits_until_one_does(cli: Cli, name: str):
    fault, key, tries = WAITING[name]
    played = play(cli, CHAT, [FIX, Answer(fault=fault, times=9)])
    assert played.why == (5, "fatal_error", key)
    assert (len(played.asked), played.done.json["state"]) == (1 + tries, "paused")
    assert played.done.json["next"] == f"donewhen resume {played.id}"
    with FakeModel([CLAIM], key=KEY) as fake:
        configured(cli, CHAT, at(fake, CHAT))
        again = cli("resume", "last", "--json")
        assert (again.exit, fake.problems, len(fake.requests)) == (0, [], 1), again
        assert only_grows([*played.asked, *fake.requests])


@pytest.mark.runs
def test_answers_that_nobody_can_read_end_the_run(cli: Cli):
    played = play(cli, CHAT, [FIX, Answer(fault=Fault("wrong_schema"))], then="repeat-last")
    assert played.why == (5, "fatal_error", "models.failed_answer")
    assert "check `tools.llm.protocol`" in played.said
    assert len(played.asked) == 4
    assert _kept(played)


# -- too long --------------------------------------------------------------------------------------


@OVER_ONE
def test_a_conversation_that_is_too_long_is_made_smaller(cli: Cli, protocol: Protocol):
    many = [Call("run_command", {"command": f"seq {number} {number + 4000}"}) for number in range(5)]
    too_long = Answer(fault=Fault("too_long"))
    played = play(cli, protocol, [*many, FIX, too_long, CLAIM])
    assert (played.why, played.fake.problems) == ((0, "accepted", ""), [])
    refused, after = played.asked[-2:]
    assert after.size < refused.size * 3 // 4
    assert heard(after).system == heard(refused).system  # the promise is never cut
    assert [each.micros for each in played.booked][-2] == 0


@pytest.mark.runs
def test_what_is_too_long_for_ever_ends_the_run(cli: Cli):
    many = [Call("run_command", {"command": f"seq {number} {number + 4000}"}) for number in range(5)]
    played = play(cli, ANTHROPIC, [*many, FIX, Answer(fault=Fault("too_long"))], then="repeat-last")
    assert played.why == (3, "budget_exceeded", "context")
    sizes = [each.size for each in played.asked[6:]]
    assert 2 <= len(sizes) <= 4 and sizes == sorted(sizes, reverse=True)
    assert "\n" not in played.said
    assert _kept(played)
