"""A call on its way: the guard first, then hooks, then the tool; everything is in the ledger."""

from pathlib import Path
from typing import Any, NamedTuple, cast

from donewhen.core.agent import ToolRequest
from donewhen.core.codec import freeze
from donewhen.core.events import Body, facts
from donewhen.core.hooking import Occasion, Verdict
from donewhen.hooks.hooks import Hooks
from donewhen.hooks.testing import Recorded
from donewhen.run.engine.executor import Done, Executor
from donewhen.run.engine.live import Run
from tests.run.engine.support import ground, of, played
from tests.runs import BROKEN
from tests.tables import table_test

ECHO = {"command": "echo hello"}
WRITE = {"command": "echo x > x.txt"}
DENIED = {"command": "git push -f origin main"}


class Watching(Recorded):
    """Keeps what the ledger already had when a hook was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.live: Run | None = None
        self.traces: list[str] = []

    async def call(self, occasion: Occasion) -> Verdict:
        if self.live is not None:
            self.traces.append(f"{occasion.point} {self.live.state.tool_calls}")
        return await super().call(occasion)


def requests(*calls: tuple[str, dict[str, Any]]) -> list[ToolRequest]:
    return [ToolRequest(str(number), tool, freeze(args)) for number, (tool, args) in enumerate(calls, 1)]


class Acted(NamedTuple):
    done: list[Done]
    bodies: tuple[Body, ...]  # that the calls left in the ledger


def executed(tmp_path: Path, hooks: Recorded, *calls: tuple[str, dict[str, Any]]) -> Acted:
    """These calls in the workspace of a living run, with its own parts but for the hooks."""

    async def turn(live: Run) -> tuple[list[Done], int, int]:
        parts = live.room.executor._parts._replace(hooks=cast(Hooks, hooks))
        if isinstance(hooks, Watching):
            hooks.live = live
        began = live.state.seq
        done = await Executor(live.ledger, parts, live.terms.config).turn(requests(*calls))
        return done, began, live.state.seq

    story = played(ground(tmp_path, BROKEN), {"say": "nothing"}, look=turn)
    done, began, ended = story.looked
    return Acted(done, story.bodies[began:ended])


def points(hooks: Recorded) -> list[str]:
    return [occasion.point for occasion in hooks.asked]


def test_hooks_stand_round_the_tool_and_the_ledger_round_all(tmp_path: Path):
    hooks = Watching()
    (done,), left = executed(tmp_path, hooks, ("run_command", ECHO))
    assert (done.result.ok, done.result.output.strip()) == (True, "hello")
    assert hooks.traces == ["before_tool 1", "after_tool 1"]
    kinds = [type(body).__name__ for body in left]
    assert kinds == ["ToolCalled", "CheckpointJudged", "CommandStarted", "CommandEnded", "ToolReturned"]


def test_what_the_guard_denies_no_hook_hears_of_and_no_tool_runs(tmp_path: Path):
    hooks = Recorded()
    (done,), left = executed(tmp_path, hooks, ("run_command", DENIED))
    assert (done.result.ok, done.result.error_class, points(hooks)) == (False, "denied", [])
    assert not of(left, facts.CommandStarted)
    assert len(of(left, facts.Denied)) == 1
    assert [body.error_class for body in of(left, facts.ToolReturned)] == ["denied"]


def test_a_block_ends_the_call_before_the_tool(tmp_path: Path):
    hooks = Recorded(at={"before_tool": Verdict("not today", "mine", ("try tomorrow",))})
    (done,), left = executed(tmp_path, hooks, ("run_command", WRITE))
    assert (done.result.error_class, points(hooks)) == ("blocked", ["before_tool"])
    assert "not today" in done.result.error
    assert "try tomorrow" in done.result.error
    assert not of(left, facts.CommandStarted)


def test_changed_arguments_are_guarded_again(tmp_path: Path):
    hooks = Recorded([Verdict(args=freeze(DENIED))])
    (done,), left = executed(tmp_path, hooks, ("run_command", ECHO))
    assert (done.result.error_class, points(hooks)) == ("denied", ["before_tool"])
    assert not of(left, facts.CommandStarted)


def test_changed_arguments_are_what_runs(tmp_path: Path):
    hooks = Recorded([Verdict(args=freeze({"command": "echo changed"}))])
    (done,), left = executed(tmp_path, hooks, ("run_command", ECHO))
    assert done.result.output.strip() == "changed"
    assert [body.command for body in of(left, facts.CommandStarted)] == ["echo changed"]
    assert hooks.asked[1].data["args"] == {"command": "echo changed"}


def test_changed_arguments_that_the_tool_does_not_take_block(tmp_path: Path):
    hooks = Recorded([Verdict(args=freeze({"no": "such"}))])
    (done,), left = executed(tmp_path, hooks, ("run_command", ECHO))
    assert done.result.error_class == "blocked"
    assert not of(left, facts.CommandStarted)


def test_a_failure_is_told_to_the_hooks_of_failures(tmp_path: Path):
    hooks = Recorded(at={"on_tool_fail": Verdict(notes=("look at the log",))})
    (done,), _ = executed(tmp_path, hooks, ("run_command", {"command": "false"}))
    assert points(hooks) == ["before_tool", "on_tool_fail"]
    assert hooks.asked[1].data["error_class"] == "exit"
    assert "look at the log" in done.returned.output


def test_an_objection_after_the_call_is_told_and_undoes_nothing(tmp_path: Path):
    hooks = Recorded(at={"after_tool": Verdict("too long", "mine")})
    (done,), _ = executed(tmp_path, hooks, ("run_command", WRITE))
    assert (done.result.ok, done.written) == (False, ("x.txt",))
    assert "too long" in done.result.error
    assert hooks.asked[1].data["files"] == ["x.txt"]


@table_test(
    ("calls", "alone"),
    [
        ([("run_command", {"command": "sleep 0.3"})] * 3, False),
        ([("run_command", WRITE), ("run_command", {"command": "echo y >> x.txt; cat x.txt"})], True),
    ],
)
def test_results_come_in_the_order_of_the_calls_and_writers_run_alone(
    tmp_path: Path, calls: list, alone: bool
):
    hooks = Recorded()
    done, left = executed(tmp_path, hooks, *calls)
    assert [each.call.request.id for each in done] == [str(number) for number in range(1, len(calls) + 1)]
    kinds = [type(body).__name__ for body in of(left, facts.ToolCalled, facts.ToolReturned)]
    one_by_one = ["ToolCalled", "ToolReturned"] * len(calls)
    assert (kinds == one_by_one) is alone
    if alone:
        assert done[1].result.output.split() == ["x", "y"]


def test_a_call_that_reads_after_one_that_writes_sees_what_was_written(tmp_path: Path):
    calls: list[tuple[str, dict[str, Any]]] = [
        ("run_command", WRITE),
        ("read_file", {"path": "x.txt"}),
        ("nope", {}),
        ("read_file", {"path": 1}),
    ]
    done, _ = executed(tmp_path, Recorded(), *calls)
    assert [each.result.ok for each in done] == [True, True, False, False]
    assert "x" in done[1].result.output
