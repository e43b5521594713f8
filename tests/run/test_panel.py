"""The panel: what a watcher sees at a glance, folded from events and the moments they were heard."""

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.codec import from_json
from donewhen.core.events import body_class, facts, run
from donewhen.run.panel import Doing, Note, PanelFold
from tests.run.test_board import PROMISE, Unknown, ended, stories
from tests.tables import table_test

BEGUN = run.RunStarted("fix it", budget_micros=5_000_000)


def fold(*bodies):
    made = PanelFold()
    for seq, body in enumerate((BEGUN, PROMISE, *bodies), 1):
        made.take(body, seq, 100.0 + seq)
    return made.panel


def test_the_head_of_a_run():
    refused = run.Decided("continue")
    panel = fold(run.StateChanged("idle", "executing"), run.TurnStarted(3), refused, refused)
    assert (panel.goal, panel.state, panel.turn, panel.attempts) == ("fix it", "executing", 3, 2)
    assert (panel.began, panel.budget_micros, panel.seq) == (101.0, 5_000_000, 6)
    assert [proof.label for proof in panel.proofs] == ["pytest", "a change of the workspace", "ruff check ."]


def test_a_tool_is_current_until_it_returns():
    call = facts.ToolCalled("c1", "run_command", {"command": "make all"})
    assert fold(call).doing == (Doing("c1", "run_command", "make all", 103.0),)
    assert fold(call, facts.ToolReturned("c1", "run_command", True)).doing == ()
    assert fold(call, facts.CallInterrupted("c1", "run_command")).doing == ()
    assert fold(call).calls == 1


def test_calls_of_one_turn_go_on_together():
    calls = [facts.ToolCalled(key, "read_file", {"path": key}) for key in ("a", "b")]
    assert [each.key for each in fold(*calls).doing] == ["a", "b"]


def test_the_harness_is_told_from_the_agent():
    began = facts.CommandStarted("exam", "pytest", by="harness")
    assert fold(began).doing[0].by == "harness"
    assert fold(began, ended()._replace(key="exam")).doing == ()


def test_a_model_is_asked_until_its_call_is_booked():
    asked = run.CostReserved("k", 90, model="openai:x")
    assert fold(asked).doing == (Doing("cost:k", "", "openai:x", 103.0, "model"),)
    assert fold(asked, run.CostBooked("k", "llm", 10)).doing == ()
    assert fold(run.CostReserved("k", 90)).doing == ()  # nobody said who


def test_a_pause_leaves_what_is_going_on():
    call = facts.ToolCalled("c1", "git_push")
    assert fold(call, run.StateChanged("executing", "paused")).doing
    assert fold(call, run.StateChanged("executing", "validating")).doing == ()


def test_questions_wait_until_they_are_answered():
    asked = facts.Asked("ask-1", "may I push?")
    assert fold(asked).asked == ("may I push?",)
    assert fold(asked, facts.Answered("ask-1", False)).asked == ()


def test_money_is_what_was_booked():
    booked = run.CostBooked("k", "llm", 1_200_000)
    assert fold(run.CostReserved("k", 2_000_000), booked).spent_micros == 1_200_000


def test_only_the_last_notes_are_kept_and_none_for_machines():
    notes = [run.Noted(f"n{number}", "warning") for number in range(5)]
    assert fold(*notes, run.Noted("quiet", "debug")).notes == tuple(
        Note("warning", f"n{number}") for number in (2, 3, 4)
    )
    assert fold(facts.AgentStepped(1, "I look at it")).notes == (Note("said", "I look at it"),)


def test_texts_of_an_agent_are_bounded():
    panel = fold(
        facts.ToolCalled("c", "run_command", {"command": "x" * 10_000}),
        facts.AgentStepped(1, "y" * 10_000),
        facts.Asked("a", "z" * 10_000),
    )
    assert max(len(panel.doing[0].text), len(panel.notes[0].text), len(panel.asked[0])) == 500


def test_a_resumed_run_goes_on_where_it_was():
    call = facts.ToolCalled("c1", "run_command", {"command": "x"})
    panel = fold(call, run.Resumed(4, "executing", tool_calls=7))
    assert (panel.doing, panel.turn, panel.calls, panel.state) == ((), 4, 7, "executing")


def test_time_that_a_run_lived_before_counts():
    assert fold(run.Checkpointed(1, elapsed_ms=60_000)).began == 43.0


def test_changed_files_are_counted_once():
    change = facts.FileChanged("a.py", "edit")
    assert fold(change, change, facts.FileChanged("b.py", "write")).changed == 2


@table_test("name", ["ledger-v1.jsonl", "ledger-v1-run.jsonl"])
def test_ledgers_of_every_version_fold(name):
    lines = (Path(__file__).parents[1] / "golden" / name).read_text().splitlines()
    events = [json.loads(line)["event"] for line in lines if '"event"' in line]
    made = PanelFold()
    for number, event in enumerate(events, 1):
        made.take(from_json(body_class(event["type"]), event["payload"]), event["seq"], float(number))
    assert made.panel.seq == len(events) >= 10
    assert made.panel.state != "idle"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(stories.map(tuple), st.just((Unknown(),))), max_size=3))
def test_any_events_fold_and_asking_twice_says_the_same(parts):
    bodies = [body for part in parts for body in part]
    made = PanelFold()
    for seq, body in enumerate(bodies, 1):
        made.take(body, seq, float(seq))
    assert made.panel == made.panel
    assert made.seq == len(bodies)
