"""The scripted agent: one step a turn, deaf to what it is told, resumable by a number."""

import asyncio
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.script_model import Script, Turn
from donewhen.agents.script_reading import read_script
from donewhen.agents.scripted import Scripted, load_script
from donewhen.core.agent import Agent, AgentView, Message, Phase, Returned, Step, Stepped, ToolRequest
from donewhen.core.completion import read_reply
from donewhen.core.promise import Promise

PROMISE = Promise("", "fix the discount", ())


def view(turn: int = 1, phase: Phase = "execute", *said: str) -> AgentView:
    return AgentView(turn, phase, PROMISE, messages=tuple(Message("feedback", text) for text in said))


def played(agent: Agent, turns: int) -> list[Step]:
    return [asyncio.run(agent.step(view(turn))) for turn in range(1, turns + 1)]


def call(tool: str, **args: object) -> Step:
    return Step(calls=(ToolRequest("call-1", tool, args),))


def bash(text: str) -> Step:
    return call("run_command", command=text)


def done(text: str) -> Step:
    return call("complete", summary=text)


def test_each_kind_of_step_is_one_turn(tmp_path: Path):
    path = tmp_path / "script.yml"
    path.write_text("""\
steps:
  - {bash: make test, note: first look}
  - {tool: grep, args: {pattern: total, limit: 3}}
  - calls:
      - {tool: read_file, args: {path: a.py}}
      - {tool: git_status}
  - say: I will look at it.
  - think: what could it be
  - edit: {path: a.py, old: x, new: y}
  - write: {path: b.py, content: ''}
  - plan: {todos: [{title: fix it}], checks: [], files: [a.py]}
  - {say: now the proof, think: hm, bash: pytest}
  - done: fixed
""")
    assert played(Scripted(load_script(path)), 11) == [
        bash("make test"),
        call("grep", pattern="total", limit=3),
        Step(
            calls=(ToolRequest("call-1", "read_file", {"path": "a.py"}), ToolRequest("call-2", "git_status"))
        ),
        Step("I will look at it."),
        Step(thinking="what could it be"),
        call("edit_file", path="a.py", edits=({"old": "x", "new": "y"},)),
        call("write_file", path="b.py", content=""),
        call("plan_update", todos=({"title": "fix it"},), checks=(), files=("a.py",)),
        Step("now the proof", (ToolRequest("call-1", "run_command", {"command": "pytest"}),), "hm"),
        done("fixed"),
        Step("I have nothing to add."),
    ]


def test_a_signal_is_a_text_with_the_completion_object_in_it():
    own = 'all done {"task_completion": {"completed": false}}'
    script = read_script(f"steps: [{{signal: it works}}, {{signal: '{own}'}}]")
    first, second = played(Scripted(script), 2)
    assert read_reply(first.text)[:2] == (True, "it works")
    assert (first.calls, second.text) == ((), own)


def test_a_scenario_of_the_benchmark_is_played_and_its_other_fields_are_left_alone():
    script = read_script("""\
id: some-case
title: a title
class: loop
files: {a.py: ""}
goal: fix it
accept: [make test]
steps: [{bash: ls}, {done: ready}]
after_last: stop
stop_text: I am done.
truth: {commands: [make test]}
expect: rejected
why: because
refused_steps: [1]
""")
    assert played(Scripted(script), 4) == [bash("ls"), done("ready"), Step("I am done."), Step("I am done.")]


def test_what_follows_the_last_step():
    table = [
        ("[{bash: a}, {done: b}]", "repeat_done", done("b")),
        ("[{done: a}, {bash: b}]", "repeat_done", done("a")),
        ("[{bash: a}]", "repeat_done", done("done")),
        ("[{bash: a}, {bash: b}]", "repeat_last", bash("b")),
        ("[{bash: a}, {done: b}]", "repeat_last", bash("a")),
        ("[{say: a}]", "repeat_last", Step("a")),
        ("[{bash: a}]", "stop", Step("I have nothing to add.")),
    ]
    for steps, after, ending in table:
        script = read_script(f"steps: {steps}\nafter_last: {after}")
        count = len(script.turns)
        assert played(Scripted(script), count + 3)[count:] == [ending] * 3, (steps, after)


def test_planning_gets_the_plan_that_the_script_begins_with_and_else_nothing():
    planned = Scripted(read_script("steps: [{plan: {files: [a]}}, {bash: ls}]"))
    plan = call("plan_update", files=("a",))
    assert [asyncio.run(planned.step(view(phase="plan"))) for _ in range(3)] == [plan, Step(), Step()]
    assert played(planned, 1) == [bash("ls")]
    unplanned = Scripted(read_script("steps: [{bash: ls}, {plan: {files: [a]}}]"))
    assert asyncio.run(unplanned.step(view(phase="plan"))) == Step()
    assert played(unplanned, 2) == [bash("ls"), plan]
    assert asyncio.run(unplanned.step(view(phase="plan"))) == Step()


def test_it_does_not_react_to_what_it_is_told():
    script = read_script("steps: [{bash: a}, {done: b}]\nafter_last: repeat_done")
    told = Scripted(script)
    heard = AgentView(
        2, "fix", PROMISE, (Returned("call-1", "run_command", False, "refused", "denied"),), view(1).messages
    )
    first = asyncio.run(told.step(view(1, "execute", "stop at once")))
    assert [first, asyncio.run(told.step(heard))] == played(Scripted(script), 2)


def test_it_has_a_name_and_advice_does_not_bind_it():
    agent: Agent = Scripted(read_script("steps: [{bash: a}]"), "demo")
    assert (agent.name, agent.follows_mode) == ("demo", False)
    assert asyncio.run(agent.close()) is None


@given(st.integers(1, 9), st.integers(0, 15), st.sampled_from(["repeat_done", "repeat_last", "stop"]))
def test_a_resumed_agent_goes_on_where_it_was(length: int, cut: int, after: str):
    steps = ", ".join(f"{{bash: 'step {number}'}}" for number in range(length))
    script = read_script(f"steps: [{steps}]\nafter_last: {after}")
    whole = played(Scripted(script), cut + 5)
    first = Scripted(script)
    before = played(first, cut)
    assert first.at == min(cut, length)
    assert before + played(Scripted(script, at=first.at), 5) == whole


@given(st.integers())
def test_any_number_is_a_position(at: int):
    script = read_script("steps: [{bash: a}, {bash: b}]")
    assert 0 <= Scripted(script, at=at).at <= 2


def test_a_step_made_again_after_an_interruption_is_no_progress_in_the_script():
    script = Script(tuple(Turn(Step(str(number)), "words") for number in range(3)), "stop", Step("over"))
    agent = Scripted(script)
    agent.recall({"at": 1}, [Stepped(Step("0"), again=True)])
    assert agent.at == 1
    agent.recall({"at": 1}, [Stepped(Step("0"), again=True), Stepped(Step("1"))])
    assert agent.at == 2
