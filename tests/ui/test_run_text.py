"""The end of a run as people read it: proofs, what changed, and the one command to type next."""

from pathlib import Path

import pytest

from donewhen.core.errors import HumanNeeded, SetupError
from donewhen.core.events import facts, run
from donewhen.core.findings import Feedback
from donewhen.run.board import Proof
from donewhen.run.engine.model import Outcome
from donewhen.ui.live_ending import Ending
from donewhen.ui.run_text import outcome_data, print_outcome
from tests.helpers import RUN
from tests.projects import git, repository


def outcome(status="accepted", reason="accepted", state="done", results=(), **more):
    decision = {
        "status": status,
        "stop_reason": reason,
        "cause": "",
        "summary": "all is proven",
        "details": () if status == "accepted" else ("pytest: it was not run",),
        "results": results,
    }
    return Outcome(RUN, state, decision, 0 if status == "accepted" else 1, budget_micros=10_000_000, **more)


def result(passed, kind="command_success", name="pytest"):
    return {"id": name, "kind": kind, "target": name, "passed": passed, "reason": "why", "evidence": ""}


ASKED = facts.Asked("0a1b2c-1", "may it?")
NEXT = [
    (outcome(branch="donewhen/x"), (), "git merge donewhen/x"),
    (outcome(), (), f"donewhen report {RUN} --html"),
    (outcome("continue", "", "paused"), (ASKED,), "donewhen approve 0a1b2c-1"),
    (
        outcome("continue", "", "paused"),
        (ASKED, facts.Answered("0a1b2c-1", True)),
        f"donewhen resume {RUN}",
    ),
    (outcome("stopped", "escalated", "paused"), (), f"donewhen resume {RUN}"),
    (outcome("failed", "user_interrupt", "paused"), (), f"donewhen resume {RUN}"),
    (outcome("failed", "scope_drift", "fail", changed=("a.py",)), (), f"donewhen diff {RUN}"),
    (outcome("stopped", "repeat_cycle", "fail"), (), f"donewhen show {RUN}"),
    (outcome("failed", "unsafe", "fail", changed=("a.py",)), (), f"donewhen report {RUN} --html"),
]


@pytest.mark.parametrize(("ended", "bodies", "expected"), NEXT)
def test_one_command_to_type_next(ended, bodies, expected, capsys):
    ending = Ending()
    for body in bodies:
        ending.take(body)
    assert ending.next_command(ended) == expected
    assert outcome_data(ended, ending)["next"] == expected
    print_outcome(ended._replace(changed=()), ending, verbose=False, quiet=False)
    assert "Next: " in capsys.readouterr().out


def test_the_form_of_json():
    data = outcome_data(outcome(results=(result(True),), cost_micros=2_500_000, duration=1.5), Ending())
    assert {"run", "state", "decision", "verification", "metrics", "branch", "record"} <= data.keys()
    assert data["metrics"]["budget_used"] == 25.0
    assert data["metrics"]["duration"] == 1.5
    assert data["decision"]["results"][0]["passed"] is True


def test_proofs_that_the_board_knows_better_are_told_so(capsys):
    ending = Ending()
    ending.proofs = (
        Proof("pytest", "command_success", "pytest", "pytest -q", "promise", "masked", "it hides"),
        Proof("a", "todo", "a", "write it down", "todo", "pending", "in_progress"),
    )
    refused = outcome("stopped", "accept_continue_exhausted", "fail", (result(False),))
    print_outcome(refused, ending, verbose=False, quiet=False)
    lines = capsys.readouterr().out.splitlines()
    assert "  ◐ pytest -q  masked: why" in lines
    assert "  · write it down  in_progress" in lines


def test_changed_files_come_with_their_lines(tmp_path: Path, capsys):
    user = repository(tmp_path / "repo", {"a.py": "one\n", "old.txt": "x\n"})
    base = git(user, "rev-parse", "HEAD")
    (user / "a.py").write_text("one\ntwo\nthree\n")
    (user / "old.txt").unlink()
    git(user, "add", "-A")
    git(user, "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "-m", "m")
    ending = Ending()
    ending.take(run.RunStarted("x", repo=str(user), base=base))
    made = outcome(commit=git(user, "rev-parse", "HEAD"), branch="main", changed=("a.py", "old.txt"))
    print_outcome(made, ending, verbose=False, quiet=False)
    out = capsys.readouterr().out
    assert "Changed: 2" in out
    assert [line.split()[:4] for line in out.splitlines() if "a.py" in line] == [["~", "a.py", "2", "++"]]


def test_names_alone_where_nothing_is_left_to_compare(capsys):
    print_outcome(outcome(changed=("a\x1b[2J.py",)), Ending(), verbose=False, quiet=False)
    assert "Changed: a.py" in capsys.readouterr().out


def test_quiet_is_one_line(capsys):
    print_outcome(outcome(branch="b", changed=("a",)), Ending(), verbose=False, quiet=True)
    assert capsys.readouterr().out.strip() == "✓ accepted · all is proven"


RESTS = [
    (outcome("continue", "", "paused")._replace(exit_code=130), "‖ paused · you stopped it"),
    (outcome("stopped", "escalated", "paused")._replace(exit_code=130), "‖ paused · you stopped it"),
    (
        outcome("continue", "", "paused", error=HumanNeeded("approvals.waiting", ask="q1")),
        "‖ paused · question q1 waits",
    ),
    (outcome("stopped", "escalated", "paused"), "‖ escalated · all is proven"),
]


@pytest.mark.parametrize(("ended", "expected"), RESTS)
def test_a_run_that_waits_says_for_what_and_says_it_once(ended, expected, capsys):
    print_outcome(ended, Ending(), verbose=False, quiet=False)
    out = capsys.readouterr().out
    assert out.splitlines()[1].startswith(expected)
    assert out.count("waits for an answer") <= 1


def test_what_was_not_looked_at_is_pending_and_findings_are_named(capsys):
    not_run = {**result(False), "reason": "it was not run"}
    found = Feedback("fail", "quality", "AssertionError: 50 != 90", "test_price.py", 6)
    refused = outcome("stopped", "escalated", "paused", (not_run,), feedback=(found,))
    print_outcome(refused, Ending(), verbose=False, quiet=True)
    assert capsys.readouterr().out.splitlines() == [
        "‖ escalated · all is proven",
        "  · pytest  it was not run",
        "  - test_price.py:6: AssertionError: 50 != 90",
    ]


def test_a_workspace_that_is_gone_is_ended_and_not_resumed():
    gone = SetupError("shipping.gone", folder="/w", run=RUN, kept="nothing")
    assert Ending().next_command(outcome("continue", "", "paused", error=gone)) == f"donewhen abort {RUN}"
