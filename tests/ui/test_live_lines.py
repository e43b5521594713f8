"""Lines of a log that only grows: each thing told once, by whom it was, and nothing that is not known."""

from donewhen.core.events import facts, run
from donewhen.ui.live_lines import Lines, Steps
from tests.tables import table_test

OLD = "r-20261115043750-0a1b2c"
RED = facts.CommandEnded("exam", "pytest", by="harness", exit=1)
BEGUN = facts.CommandStarted("exam", "pytest", by="harness")
USED = RED._replace(of_run=OLD)
NO = facts.Answered("q", allowed=False, text="not now")
DENIED = facts.Denied("run_command", "network")
RETURNED = facts.ToolReturned("c", "run_command", False, "denied by the guard: …", "denied")
CLAIM = facts.ToolCalled("c", "complete", {"summary": "all done"})

STORIES = {
    "old results are one line": (
        (USED, USED, facts.CommandStarted("exam", "pytest", by="harness"), RED),
        [f"  · pytest: result used again (run {OLD})", "  ✗ the harness ran pytest"],
    ),
    "an old result is one, also while its command runs": (
        (facts.CommandStarted("exam", "pytest", by="harness"), USED, RED),
        [f"  · pytest: result used again (run {OLD})", "  ✗ the harness ran pytest"],
    ),
    "after a decision they are told again": (
        (USED, run.Decided("accepted"), RED),
        [f"  · pytest: result used again (run {OLD})", "  · pytest: result used again"],
    ),
    "new tests that fail on the base are what was hoped for": (
        (BEGUN, RED._replace(before="old-code:b")),
        ["  ✓ the harness ran pytest on the base with the new tests: it fails there, as it should"],
    ),
    "new tests that pass on the base": (
        (BEGUN, RED._replace(before="new-tests-on-base:b", exit=0)),
        ["  ✓ the harness ran pytest on the base with the new tests: it passes there"],
    ),
    "a failure on another tree is none of the change": (
        (BEGUN, RED._replace(before="base:b"), BEGUN, RED._replace(before="later:b")),
        [
            "  · the harness ran pytest on the base: it fails there",
            "  · the harness ran pytest on another tree: it fails there",
        ],
    ),
    "an old result on another tree is told with it": (
        (USED, USED._replace(before="base:b")),
        [
            f"  · pytest: result used again (run {OLD})",
            f"  · pytest on the base: result used again (run {OLD})",
        ],
    ),
    "a human's no, with his words": ((NO, DENIED, RETURNED), ["    ✗ a human said no: not now"]),
    "a no of the guard is its own": ((DENIED, RETURNED), ["    ✗ denied by the guard: …"]),
    "a claim is told once": ((CLAIM, facts.CandidateKept("all done", signal=True)), ["  “all done”"]),
    "an answer without a claim is seen": (
        (facts.CandidateKept("let me think"),),
        ["  “let me think” (an answer, no claim)"],
    ),
    "a call that had nothing to undo": (
        (facts.CallInterrupted("c", "run_command"),),
        ["  ↩ run_command was interrupted; there was nothing to undo"],
    ),
    "keys of sentences are no reasons": (
        (run.StateChanged("executing", "paused", "approvals.waiting"),),
        ["▸ paused"],
    ),
    "a failure of a model is told in words": (
        (run.StateChanged("executing", "paused", "fatal_error: models.failed_busy_long"),),
        ["▸ paused  fatal_error: the model: too many requests or too much load"],
    ),
    "a cause without words of its own is left out": (
        (run.StateChanged("executing", "fail", "fatal_error: store.full"),),
        ["▸ failed  fatal_error"],
    ),
    "a warning is told whole": ((run.Noted("why " * 100, "warning"),), [f"  ! {'why ' * 99}why"]),
}


@table_test("kind", [Lines, Steps])
@table_test(("bodies", "expected"), STORIES.values(), ids=STORIES)
def test_what_is_told(kind, bodies, expected):
    lines = kind()
    told = [line for body in bodies for line in lines.line(body).split("\n") if line.strip()]
    calls = [line for line in told if line.startswith("  ✗ $")]  # a live view names the call as well
    assert [line for line in told if line not in calls] == expected
