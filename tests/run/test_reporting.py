"""What a report gathers: from the ledger, the kept outputs and the repository; and what it does without them."""

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any, Literal

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.events import Body, facts, run
from donewhen.run.reporting import gather
from donewhen.run.reporting_model import Dossier
from donewhen.store import Opened, open_store
from tests.helpers import RUN, small_run
from tests.projects import TESTS, git, repository, write

PROMISE = {
    "id": "cp-1794717600000-0a1b",
    "objective": "fix the cart",
    "acceptance": [{"id": "c1", "description": "it adds up"}],
    "accept": [TESTS],
}
TREE = "a" * 40


class Place:
    """A store, a repository and a run that is written by hand."""

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state"
        self.shop = repository(folder / "shop")
        self.base = git(self.shop, "rev-parse", "HEAD")
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "DONEWHEN_STATE_DIR": str(self.state),
            "DONEWHEN_CACHE_DIR": str(folder / "cache"),
        }
        self.opened: Opened = open_store("user", state=self.state, folder=folder)
        self.add(
            run.RunStarted("fix the cart", str(self.shop), self.base, "scripted", budget_micros=2_000_000)
        )
        self.add(run.PromiseSet("cp-1794717600000-0a1b", PROMISE))

    def add(self, *bodies: Body) -> None:
        self.opened.store.append(RUN, *bodies)

    def works_in(self, folder: Path, kind: Literal["clone", "in_place"] = "clone") -> None:
        self.add(run.WorkspaceOpened(str(folder), "donewhen/x", self.base, kind))

    def report(self) -> Dossier:
        return gather(self.opened, RUN, self.env)


@pytest.fixture
def place(tmp_path: Path):
    made = Place(tmp_path)
    yield made
    made.opened.store.close()


def exam(**more: Any) -> facts.CommandEnded:
    plain = facts.CommandEnded(
        "exam", TESTS, tuple(TESTS.split()), by="harness", exit=0, before=TREE, after=TREE
    )
    return plain._replace(**more)


def refused(*details: str) -> run.Decided:
    return run.Decided("continue", summary="1 proof is missing", fingerprint=TREE, details=details)


def test_attempts_are_told_as_a_story(place):
    place.add(run.TurnStarted(1), facts.ToolCalled("c1", "edit_file"), facts.FileChanged("cart.py", "edit"))
    place.add(facts.CandidateKept("done, trust me", signal=True), refused("nothing was run"))
    place.add(run.TurnStarted(2), facts.CandidateKept("now really", signal=True))
    place.add(run.Decided("accepted", "accepted", summary="proven", fingerprint=TREE))
    first, second = place.report().attempts
    assert (first.number, first.claim, first.status, first.why) == (
        1,
        "done, trust me",
        "continue",
        ("nothing was run",),
    )
    assert (first.turns, first.calls, first.files) == (1, 1, ("cart.py",))
    assert (second.claim, second.status, second.turns, second.files) == ("now really", "accepted", 1, ())


def test_what_was_tried_is_caught_in_the_order_in_which_it_happened(place):
    finding = {"rule": "test-skipped", "file": "test_cart.py", "line": 3, "message": "switched off"}
    place.add(facts.CommandEnded("c1", f"{TESTS} | tail -3", exit=0, tail="ok", before=TREE, after=TREE))
    place.add(facts.Denied("run_command", "force-push", "it would force main", "git push -f"))
    place.add(facts.Verified("integrity", "change", "failed", TREE, {"findings": [finding]}), refused())
    place.add(facts.RolledBack(TREE, "worse than before", ("cart.py",)))
    place.add(facts.HookCalled("no-friday", "before_commit", "blocked", "it is friday"))
    told = [(each.kind, each.what, each.rule) for each in place.report().caught]
    assert told == [
        ("masked", f"{TESTS} | tail -3", ""),
        ("denied", "git push -f", "force-push"),
        ("integrity", "test_cart.py:3", "test-skipped"),
        ("rolled_back", "cart.py", ""),
        ("blocked", "before_commit", "no-friday"),
    ]


def test_costs_hooks_questions_notes_and_resumptions_are_told(place):
    place.add(run.CostBooked("1", "llm", 100_000, 10, 5, "m"), run.CostBooked("2", "llm", 50_000, 1, 1, "m"))
    place.add(*[facts.HookCalled("log", "after_tool", "passed", duration_ms=2)] * 3)
    place.add(
        facts.Asked("a1", "may I?"),
        facts.Answered("a1", allowed=False, text="no"),
        facts.Asked("a2", "and now?"),
    )
    place.add(
        run.Noted("no reviewer", "warning"), run.Noted("detail", "debug"), run.Resumed(1, "executing", "ann")
    )
    told = place.report()
    assert told.spent == (("llm", "m", 150_000, 11, 6, 2),)
    assert (told.total_micros, told.budget_used) == (150_000, 7.5)
    assert [(hook.times, hook.duration_ms) for hook in told.hooks] == [(3, 6)]
    assert [(each.ask, each.answer, each.by) for each in told.questions] == [
        ("a1", "denied", "human"),
        ("a2", "", ""),
    ]
    assert [each.text for each in told.notes] == ["no reviewer"]
    assert [each.text for each in told.resumed] == ["executing: ann"]


def test_a_proof_has_the_whole_output_behind_it(place):
    digest = place.opened.artifacts.put(b"line\n" * 500)
    place.add(exam(output=digest, tail="line\n", counts={"executed": 2, "passed": 2}, duration_ms=900))
    place.add(run.Decided("accepted", "accepted", fingerprint=TREE))
    proof = place.report().proofs[0]
    (evidence,) = proof.evidence
    assert (proof.label, proof.status) == (TESTS, "passed")
    assert (evidence.what, evidence.by, evidence.exit, evidence.before) == (TESTS, "harness", 0, TREE)
    assert (evidence.output, evidence.size, evidence.note) == ("line\n" * 500, 2500, None)


def test_a_huge_output_is_shown_with_its_beginning_and_its_end(place):
    digest = place.opened.artifacts.put(b"first\n" + b"x" * 50_000_000 + b"\nlast")
    place.add(exam(exit=1, output=digest, counts={"executed": 1, "failed": 1}))
    evidence = place.report().proofs[0].evidence[-1]
    assert evidence.output.startswith("first")
    assert evidence.output.endswith("last")
    assert len(evidence.output) < 70_000
    assert (evidence.size, evidence.note.key) == (50_000_011, "reporting.output_cut")


@pytest.mark.parametrize(
    ("harm", "note", "altered"),
    [(Path.unlink, "output_gone", 0), (lambda path: path.write_bytes(b"forged"), "output_altered", 1)],
)
def test_an_output_that_is_gone_or_altered_is_said_and_its_end_is_shown(place, harm, note, altered):
    digest = place.opened.artifacts.put(b"all of it")
    place.add(exam(exit=1, output=digest, tail="the end"))
    harm(place.opened.artifacts.folder / digest[:2] / digest[2:])
    told = place.report()
    evidence = told.proofs[0].evidence[-1]
    assert (evidence.output, evidence.note.key) == ("the end", f"reporting.{note}")
    assert len(told.altered) == altered


def test_a_ledger_that_was_edited_has_no_report(place):
    place.add(run.Noted("as it was"))
    with sqlite3.connect(place.state / "donewhen.db") as db:
        db.execute("UPDATE events SET payload = replace(payload, 'as it was', 'as I like')")
    db.close()
    with pytest.raises(SetupError):
        place.report()


def test_a_promise_that_is_no_longer_read_is_said(place):
    place.add(run.PromiseAmended("cp-1794717600000-0a1b", {"objective": "x", "from_the_future": 1}, "ann"))
    told = place.report()
    assert [each.key for each in told.left_out] == ["reporting.odd_event"]
    assert told.amended == 1


def test_long_lists_keep_the_newest_and_count_the_rest(place):
    place.add(*(run.Noted(f"note {n}", "warning") for n in range(250)))
    told = place.report()
    assert (len(told.notes), told.notes[-1].text) == (200, "note 249")
    assert [(each.key, each.values["count"]) for each in told.left_out] == [("reporting.older", 50)]


# -- what changed ----------------------------------------------------------------------------------


def shipped(place: Place) -> None:
    write(
        place.shop, {"cart.py": "def total(prices):\n    return sum(prices) + 0\n", "new file.txt": "a\nb\n"}
    )
    git(place.shop, "add", "-A")
    git(place.shop, "commit", "-q", "-m", "fix")
    place.add(facts.EffectIntended("e1", "branch", "donewhen/x"))
    place.add(facts.EffectDone("e1", ok=True, reference=git(place.shop, "rev-parse", "HEAD")))


def test_a_shipped_run_shows_what_its_branch_has(place):
    shipped(place)
    change = place.report().change
    assert (change.where, change.base, change.cut) == ("branch", place.base, False)
    assert change.files == (("cart.py", "modified", 1, 1), ("new file.txt", "added", 2, 0))
    assert "+    return sum(prices) + 0" in change.diff


def test_an_ended_run_that_changed_nothing_says_so(place, tmp_path):
    place.works_in(tmp_path / "removed")
    tree = git(place.shop, "rev-parse", "HEAD^{tree}")
    place.add(run.Decided("stopped", "repeat_cycle", fingerprint=tree), run.StateChanged("executing", "fail"))
    change = place.report().change
    assert (change.where, change.files, change.note) == ("judged", (), None)


def test_a_run_that_goes_on_shows_its_workspace_and_not_what_was_kept_before(place, tmp_path):
    shipped(place)
    git(place.shop, "update-ref", f"refs/donewhen/{RUN}/work", "HEAD")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(place.shop), str(clone))
    write(clone, {"later.txt": "x\n"})
    place.works_in(clone)
    change = place.report().change
    assert change.where == "workspace"
    assert "later.txt" in [file.path for file in change.files]


def test_rescued_work_is_shown(place):
    shipped(place)
    commit = git(place.shop, "rev-parse", "HEAD")
    git(place.shop, "update-ref", f"refs/donewhen/{RUN}/work", commit)
    git(place.shop, "reset", "-q", "--hard", place.base)
    place.add(
        facts.EffectIntended("e2", "branch", "donewhen/x"),
        facts.EffectDone("e2", ok=True, reference="0" * 40),
    )
    change = place.report().change
    assert (change.where, change.result, len(change.files)) == ("work", commit, 2)


def test_a_living_workspace_is_shown_as_it_is_and_left_as_it_is(place, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(place.shop), str(clone))
    write(clone, {"cart.py": "", "new\nname \x07.txt": "x\n", "-dash": "y\n"})
    place.works_in(clone)
    before = git(clone, "status", "--porcelain")
    change = place.report().change
    assert change.where == "workspace"
    assert {file.path for file in change.files} == {"cart.py", "new\nname \x07.txt", "-dash"}
    assert git(clone, "status", "--porcelain") == before


def test_a_secret_in_the_workspace_does_not_reach_the_report(place, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(place.shop), str(clone))
    key = "AKIA" + "IOSFODNN7ABCDEFG"
    write(clone, {"settings.py": f'AWS = "{key}"\n'})
    place.works_in(clone)
    change = place.report().change
    assert [file.path for file in change.files] == ["settings.py"]
    assert key not in change.diff


def test_a_large_diff_is_cut(place):
    write(place.shop, {"big.txt": "a line that is new\n" * 100_000})
    shipped(place)
    change = place.report().change
    assert change.cut
    assert len(change.diff) <= 400_000
    assert ("big.txt", "added", 100_000, 0) in change.files


def test_what_a_repository_names_is_not_started(place, tmp_path):
    trace = tmp_path / "started"
    script = tmp_path / "driver.sh"
    script.write_text(f"#!/bin/sh\ntouch {trace}\n")
    script.chmod(0o755)
    for name in (
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
        "filter.evil.clean",
    ):
        git(place.shop, "config", name, str(script))
    write(place.shop, {".git/info/attributes": "* diff=evil\n"})
    shipped(place)
    assert place.report().change.files
    trace.unlink(missing_ok=True)  # git itself may have run it when the test committed
    assert place.report().change.diff
    assert not trace.exists()


@pytest.mark.parametrize(
    ("harm", "note"),
    [
        (lambda place: shutil.rmtree(place.shop), "reporting.no_repository"),
        (lambda place: shutil.rmtree(place.shop / ".git"), "reporting.no_repository"),
        (lambda place: place.works_in(place.shop / "gone"), "reporting.no_workspace"),
        (lambda place: judged_and_ended(place), "reporting.no_tree"),
    ],
)
def test_what_is_gone_is_said(place, harm, note):
    harm(place)
    change = place.report().change
    assert (change.note.key, change.files, change.diff) == (note, (), "")


def judged_and_ended(place: Place) -> None:
    place.works_in(place.shop, "in_place")
    place.add(
        run.Decided("failed", "verification_failed", fingerprint=TREE), run.StateChanged("validating", "fail")
    )


def test_a_base_that_is_gone_is_said(tmp_path):
    with open_store("user", state=tmp_path / "state", folder=tmp_path) as opened:
        small_run(opened.store)
        started = run.RunStarted("x", repo=str(repository(tmp_path / "shop")), base="b" * 40)
        opened.store.append("r-20261115043751-0a1b2c", started)
        told = gather(opened, "r-20261115043751-0a1b2c", {**os.environ, "DONEWHEN_STATE_DIR": str(tmp_path)})
    assert told.change.note and told.change.note.key == "reporting.no_base"


def test_the_timeline_says_what_an_interrupted_call_left(place):
    place.add(
        facts.CallInterrupted("c1", "read_file"),
        facts.CallInterrupted("c2", "edit_file", undone=True),
        facts.CallInterrupted("c3", "run_command", undone=True, outside=True),
    )
    told = [(each.what, each.text) for each in place.report().timeline]
    assert told[-3:] == [
        ("interrupted", "read_file"),
        ("undone", "edit_file"),
        ("undone_inside", "run_command"),
    ]


# -- the verdict -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bodies", "verdict", "exit_code"),
    [
        ((), "running", None),
        ((refused(),), "running", None),
        ((run.Decided("stopped", "escalated"), run.StateChanged("validating", "paused")), "waiting", 4),
        ((run.StateChanged("executing", "paused"),), "waiting", None),
        ((run.Decided("failed", "unsafe"), run.StateChanged("validating", "fail")), "not_accepted", 1),
        ((run.Decided("accepted", "accepted"), run.StateChanged("merging", "done")), "accepted", 0),
        ((run.Decided("accepted", "accepted"), run.StateChanged("merging", "fail")), "not_accepted", None),
    ],
)
def test_the_verdict_is_that_of_state_and_decision(place, bodies, verdict, exit_code):
    if bodies:
        place.add(*bodies)
    told = place.report()
    assert (told.verdict, told.exit_code) == (verdict, exit_code)
