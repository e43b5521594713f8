"""What a run waits for, and which commands help."""

from donewhen.core.events import Event, facts, run, type_of
from donewhen.core.session import Session, fold, standing
from donewhen.core.shipment import Shipment
from donewhen.core.summary import Summary, Wanted
from tests.tables import table_test

ASKED = (facts.Asked("0a1b2c-1", "push?"),)


@table_test(
    ("state", "more", "holder", "waits", "first"),
    [
        ("done", {"branch": "b"}, "", "waits_merge", "diff"),
        ("done", {}, "", "waits_nothing", "diff"),
        ("fail", {"stop_reason": "repeat_cycle"}, "", "waits_nothing", "diff"),
        ("done", {"agent": "verify"}, "", "waits_nothing", "report"),
        ("executing", {}, "host:1", "waits_live", "logs"),
        ("executing", {}, "", "waits_interrupted", "resume"),
        ("paused", {"stop_reason": "escalated"}, "", "waits_human", "resume"),
        ("executing", {"agent": "verify"}, "", "waits_verify", ""),
    ],
)
def test_the_state_tells_who_acts_next(state, more, holder, waits, first):
    found = standing(Session(Summary("r", state=state, **more)), holder)
    assert found.waits.key == f"seeing.{waits}"
    assert "".join(words[0] for words in found.commands[:1]) == first


@table_test("holder", ["", "host:1"])
def test_a_question_comes_before_all_else(holder):
    found = standing(Session(Summary("r", state="paused"), asked=ASKED), holder)
    assert found.commands[:2] == (("approve", "0a1b2c-1"), ("deny", "0a1b2c-1"))
    assert (("resume", "r") in found.commands) == (not holder)


def test_an_answered_question_is_not_open_and_an_ended_run_asks_nothing():
    bodies = [*ASKED, facts.Asked("0a1b2c-2", "really?"), facts.Answered("0a1b2c-1", True)]

    def asked(*more: object) -> list[str]:
        events = [Event(n, "r", "", type_of(b), b, "") for n, b in enumerate([*bodies, *more], 1)]
        return [body.ask for body in fold("r", events).asked]

    assert asked() == ["0a1b2c-2"]
    assert asked(run.StateChanged("paused", "fail")) == []


@table_test(
    ("wanted", "taken"),
    [
        (Wanted(), True),
        (Wanted(agent="scripted"), True),
        (Wanted(agent="llm"), False),
        (Wanted(reason="repeat_cycle"), True),
        (Wanted(reason="accepted"), False),
        (Wanted(goal="DISCOUNT"), True),
        (Wanted(goal="rebate"), False),
        (Wanted(failed=True), True),
        (Wanted(failed=True, goal="rebate"), False),
    ],
)
def test_rows_are_wanted_by_all_that_is_asked(wanted, taken):
    row = Summary("r", "fail", stop_reason="repeat_cycle", goal="fix the discount", agent="scripted")
    assert wanted.takes(row) is taken


def test_every_command_that_is_offered_can_be_typed():
    paused = standing(Session(Summary("r", state="paused", stop_reason="escalated")), "")
    assert ("amend", "r", "--accept", "CMD") in paused.commands
    assert ("abort", "r") in paused.commands
    accepted = Summary("r", state="done", stop_reason="accepted", branch="donewhen/r")
    assert standing(Session(accepted), "").shell == ("git merge donewhen/r",)


ACCEPTED = Summary("r", state="done", stop_reason="accepted", branch="donewhen/r")


@table_test(
    ("row", "shipment", "waits", "shell"),
    [
        (ACCEPTED, Shipment("c", "main", "c" * 40), "waits_merged", ()),
        (ACCEPTED, Shipment("c", pull="https://forge.example/1"), "waits_pull", ()),
        (ACCEPTED, Shipment("c", why="dirty", commands=("git merge x",)), "waits_by_hand", ("git merge x",)),
        (ACCEPTED._replace(state="fail"), Shipment("c", commands=("a", "b")), "waits_by_hand", ("a", "b")),
    ],
)
def test_where_the_work_went_tells_what_is_left_to_do(row, shipment, waits, shell):
    found = standing(Session(row, shipment=shipment), "")
    assert (found.waits.key, found.shell) == (f"seeing.{waits}", shell)
