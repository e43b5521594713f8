"""An agent that is a program: what it asks for, what it makes of the results, and what it remembers."""

import asyncio
import json
from pathlib import Path

import pytest

from donewhen.agents.clients.choosing import named_client
from donewhen.agents.clients.known import KNOWN
from donewhen.agents.clients.model import Ask, Client
from donewhen.agents.command import CommandAgent, Seat, Session, read_result, todos_of, write_result
from donewhen.core.agent import AgentView, Message, Phase, Returned, Step, Stepped
from donewhen.core.errors import LimitReached, SetupError, UserError
from donewhen.core.left import INTERRUPTED
from donewhen.core.promise import Promise
from tests.tables import table_test

PROMISE = Promise("p", "add", ())
KNOWN_SESSION = Session("s-1", 10, 20, 30)


class Waits(list[float]):
    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def agent(name: str = "claude", waits: Waits | None = None) -> CommandAgent:
    made = CommandAgent(Client(KNOWN[name], (f"/bin/{name}",)), name, waits if waits is not None else Waits())
    made.sit(Seat("en", lambda: "THE TASK"))
    return made


def view(*results: Returned, say: str = "", phase: Phase = "execute") -> AgentView:
    messages = (Message("feedback", say),) if say else ()
    return AgentView(3, phase, PROMISE, results, messages)


def result(text: str, error: str = "", session: Session = KNOWN_SESSION) -> Returned:
    return Returned("client-1", "client", not error, write_result(session, text), error)


def taken(of: CommandAgent, seen: AgentView) -> Step:
    return asyncio.run(of.step(seen))


def prompt(step: Step) -> str:
    return str(step.calls[0].args["prompt"])


def test_it_has_no_plan_and_begins_with_the_whole_task():
    made = agent()
    assert taken(made, view(phase="plan")) == Step()
    step = taken(made, view(say="Fix it."))
    assert [(call.tool, dict(call.args)) for call in step.calls] == [
        ("client", {"prompt": "THE TASK\n\nFix it."})
    ]


def test_an_end_is_a_claim_and_a_refusal_goes_to_the_same_session():
    made = agent()
    taken(made, view(say="Fix it."))
    claim = taken(made, view(result("All done.")))
    assert [(call.tool, dict(call.args)) for call in claim.calls] == [("complete", {"summary": "All done."})]
    again = taken(made, view(Returned("claim-3", "complete", True, "noted"), say="tests are red"))
    assert again.calls[0].args == {"prompt": "tests are red", "session": KNOWN_SESSION._asdict()}


def test_failures_are_waited_out_a_few_times_and_then_told():
    waits = Waits()
    made = agent(waits=waits)
    taken(made, view(say="Fix it."))
    for _ in range(2):
        step = taken(made, view(result("overloaded", "exit")))
        assert prompt(step) == "THE TASK\n\nFix it."
    with pytest.raises(SetupError, match="overloaded"):
        taken(made, view(result("overloaded", "exit")))
    assert waits == [1.0, 5.0]


def test_a_success_in_between_forgives():
    made = agent()
    taken(made, view(result("overloaded", "exit")))
    taken(made, view(result("fine")))
    assert made.memory()["failures"] == 0


def test_a_call_that_never_came_to_the_client_keeps_its_session():
    made = agent()
    taken(made, view(result("fine")))
    step = taken(made, view(Returned("client-2", "client", False, "denied: no", "denied")))
    assert step.calls[0].args["session"] == KNOWN_SESSION._asdict()
    assert "denied: no" in prompt(step)


def test_its_own_limit_of_money_ends_the_run():
    with pytest.raises(LimitReached) as reached:
        taken(agent(), view(result("", "budget")))
    assert reached.value.values["kind"] == "money"


def test_an_interrupted_call_is_made_again_in_another_process():
    first = agent()
    taken(first, view(result("fine")))
    asked = taken(first, view(say="tests are red"))
    kept = json.loads(json.dumps(first.memory()))
    other = agent()
    other.recall(kept, [Stepped(asked)])
    again = taken(other, view(Returned("client-3", "client", False, "", INTERRUPTED), say="was undone"))
    assert again.calls[0].args == {
        "prompt": "tests are red\n\nwas undone",
        "session": KNOWN_SESSION._asdict(),
    }


@table_test("memory", [{}, {"session": 3, "failures": "x"}, {"session": {"id": "--evil"}}])
def test_memory_that_is_none_is_a_new_session(memory: dict[str, object]):
    made = agent()
    made.recall(memory, [])
    assert dict(taken(made, view()).calls[0].args) == {"prompt": "THE TASK"}


def test_words_of_a_client_are_no_header_of_ours():
    text = write_result(Session(), '{"id": "other", "micros": 1}\nhello')
    assert read_result(text) == (Session(), '{"id": "other", "micros": 1}\nhello')
    assert read_result("blocked by a hook") == (None, "blocked by a hook")


def test_todos_are_read_from_a_line_of_their_own():
    done = '{"todos": [{"id": "t1", "status": "completed"}, 3]}'
    expected = [{"id": "t1", "status": "in_progress"}, {"id": "t1", "status": "completed"}]
    assert todos_of(f"Mended.\n`{done}`\n") == expected
    assert todos_of(f"I would say {done}") == []
    assert todos_of('{"todos": ' + "[" * 100_000) == []


def executable(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_prompt_stays_inside_its_word(tmp_path: Path):
    program = executable(tmp_path, "worker")
    client = named_client("command:worker 'a b' --say={prompt} {session}", tmp_path, {"PATH": str(tmp_path)})
    hostile = "x'; rm -rf / #\n{prompt} {session} --flag"
    started = client.kind.start(client, Ask(hostile, run="r-1"))
    assert started == ((str(program), "a b", f"--say={hostile}", "r-1"), b"")


def test_only_whole_search_paths_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    executable(tmp_path, "worker")
    monkeypatch.chdir(tmp_path)
    for path in (".", "", ":bin"):
        with pytest.raises(SetupError):
            named_client("command:worker", Path("/"), {"PATH": path})
    own = named_client("command:./worker", tmp_path, {"PATH": "/bin"})
    assert own.argv == (str(tmp_path / "worker"),)


@table_test("name", ["command:", "command:  ", "command:'", "command:a\nb", "command:" + "a" * 3000])
def test_what_is_no_command_is_told(tmp_path: Path, name: str):
    with pytest.raises(UserError, match="command:"):
        named_client(name, tmp_path, {"PATH": "/bin"})
