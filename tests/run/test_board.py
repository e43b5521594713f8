"""The proof board: what is owed and where it stands, folded from events alone."""

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.events import facts, run
from donewhen.run.board import Board

GREEN = "3 passed in 0.05s\n"
RED = "1 failed, 2 passed in 0.06s\n"
PROMISE = run.PromiseSet(
    "cp-1760000000000-0000",
    {
        "objective": "x",
        "acceptance": [{"id": "c1", "description": "all pass"}],
        "accept": ["pytest"],
        "checks": [{"kind": "workspace_change"}, {"kind": "command_success", "target": "ruff check ."}],
    },
)


def ended(command="pytest", by="harness", exit=0, tree="T", tail=GREEN, output="", **more):
    argv = tuple(command.split()) if by == "harness" else ()
    return facts.CommandEnded(
        "k",
        command,
        argv=argv,
        by=by,
        exit=exit,
        tail=tail,
        before=tree,
        after=tree,
        output=output,
        environment="run#0",
        **more,
    )


def result(kind, name, target, passed, reason="why"):
    return {"id": name, "kind": kind, "target": target, "passed": passed, "reason": reason, "evidence": ""}


def board(*bodies):
    made = Board()
    for seq, body in enumerate((PROMISE, *bodies), 1):
        made.take(body, seq)
    return made


def proof(target, *bodies):
    (found,) = (each for each in board(*bodies).proofs() if target in (each.target, each.id, each.kind))
    return found


def test_everything_the_promise_owes_is_pending_before_anything_happened():
    proofs = board().proofs()
    assert [(p.kind, p.label, p.status, p.source) for p in proofs] == [
        ("command_success", "pytest", "pending", "promise"),
        ("workspace_change", "a change of the workspace", "pending", "promise"),
        ("command_success", "ruff check .", "pending", "promise"),
    ]


class Case(NamedTuple):
    name: str
    bodies: tuple
    status: str
    evidence: tuple[int, ...]
    reason: str


CHANGE = facts.FileChanged("app.py", "edit")
CASES = (
    Case("the harness ran it", (ended(),), "passed", (2,), "proven"),
    Case("the agent ran it", (ended(by="agent"),), "pending", (2,), "seen passing by the agent"),
    Case("it failed", (ended(exit=1, tail=RED),), "failed", (2,), "1 of 3 tests failed"),
    Case("changed since it passed", (ended(), CHANGE), "stale", (2,), "passed at event 2"),
    Case("another tree since", (ended(), ended("ls", "agent", tree="U")), "stale", (2,), "event 2"),
    Case("put back as it was", (ended(), CHANGE, ended("ls", "agent")), "passed", (2,), "proven"),
    Case("passed again", (ended(), CHANGE, ended(tree="U")), "passed", (4,), "proven"),
    Case("changed since it failed", (ended(exit=1, tail=RED), CHANGE), "pending", (2,), "did not pass"),
    Case("masked by || true", (ended("pytest || true", "agent"),), "masked", (2,), "return 0"),
    Case("masked by a pipe", (ended("pytest | tail -3", "agent"),), "masked", (2,), "return 0"),
    Case("masked, then run", (ended("pytest || true", "agent"), ended()), "passed", (3,), "proven"),
    Case("a masked run takes no proof away", (ended(), ended("pytest || true", "agent")), "passed", (2,), ""),
    Case("red and green", (ended(), ended(exit=1, tail=RED)), "failed", (3,), "flaky"),
    Case("another command", (ended("echo pytest", "agent"),), "pending", (), "not run"),
    Case("still running", (ended(state="running", exit=None),), "pending", (2,), "running"),
)


def test_a_command_stands_where_its_runs_put_it():
    for case in CASES:
        found = proof("pytest", *case.bodies)
        assert (found.status, found.evidence) == (case.status, case.evidence), case.name
        assert case.reason in found.reason, (case.name, found.reason)


def test_the_output_of_the_run_that_decided_is_named():
    assert proof("pytest", ended(output="d1"), ended(exit=1, tail=RED, output="d2")).output == "d2"


def test_the_last_decision_holds_until_something_changes():
    said = result("workspace_change", "workspace_change:", "", True)
    decided = run.Decided("continue", fingerprint="T", results=(said,))
    assert proof("workspace_change", decided).status == "passed"
    assert proof("workspace_change", decided, CHANGE).status == "stale"
    against = run.Decided("continue", results=(said | {"passed": False},))
    assert proof("workspace_change", against)[5:8] == ("failed", "why", (2,))
    assert proof("workspace_change", against, CHANGE).status == "pending"


def test_a_decision_against_a_green_run_wins():
    no = run.Decided(
        "continue", fingerprint="T", results=(result("command_success", "pytest", "pytest", False),)
    )
    assert proof("pytest", ended(), no)[5:8] == ("failed", "why", (2, 3))


def test_a_run_after_a_decision_knows_more_than_it():
    no = run.Decided(
        "continue", fingerprint="T", results=(result("command_success", "pytest", "pytest", False),)
    )
    assert proof("pytest", no, ended()).status == "passed"
    yes = run.Decided(
        "continue", fingerprint="T", results=(result("command_success", "pytest", "pytest", True),)
    )
    assert proof("pytest", yes, ended(exit=1, tail=RED)).status == "failed"


def test_a_run_that_the_exam_could_not_count_proves_nothing():
    void = facts.Verified("exam", "pytest", "could_not_run", details={"reason": "exam.luck"})
    found = proof("pytest", ended(), void)
    assert found.status == "pending" and "exam.luck" in found.reason


def test_gates_of_the_change_come_with_their_verdicts_and_go_stale():
    required = {"required": True}
    passed = facts.Verified("secrets", "change", "passed", "T", required)
    assert proof("secrets", ended(), passed)[5:8] == ("passed", "proven on the current tree", (3,))
    assert proof("secrets", ended(), passed, CHANGE).status == "stale"
    failed = facts.Verified("secrets", "change", "failed", "T", required)
    assert proof("secrets", failed).status == "failed"
    optional = facts.Verified("types", "change", "failed", "T", {"required": False})
    assert all(each.target != "types" for each in board(optional).proofs())


def test_a_finding_of_integrity_stands_until_a_later_look_finds_none():
    found = facts.Verified("integrity", "change", "failed", "T")
    assert proof("integrity", found, CHANGE).status == "failed"
    clean = facts.Verified("integrity", "change", "passed", "U")
    assert proof("integrity", found, CHANGE, clean).status == "passed"
    assert proof("integrity", clean, CHANGE).status == "stale"


def test_todos_that_are_required_are_owed():
    def todo(status, **more):
        return run.TodoChanged("a", {"content": "write it", "status": status, **more})

    assert proof("a", todo("pending"))[5:8] == ("pending", "pending", (2,))
    assert proof("a", todo("completed")).status == "passed"
    assert proof("a", todo("failed", failure_reason="no")).status == "failed"
    assert all(each.id != "a" for each in board(todo("pending", required=False)).proofs())


def test_checks_of_the_plan_are_owed_too():
    plan = run.PlanRevised(({"kind": "file_exists", "target": "guide.md"},))
    found = proof("guide.md", plan)
    assert (found.status, found.source) == ("pending", "plan")
    written = proof("guide.md", plan, facts.FileChanged("guide.md", "write"))
    assert (written.status, written.evidence) == ("pending", (3,))


def test_files_that_a_decision_calls_unconfirmed_are_listed():
    decided = run.Decided("continue", pending=("gate.unconfirmed",))
    found = proof("notes.md", facts.FileChanged("notes.md", "write"), decided)
    assert (found.kind, found.status) == ("deliverable", "pending")
    confirmed = facts.FileConfirmed("notes.md", 1, "harness")
    shown = board(facts.FileChanged("notes.md", "write"), decided, confirmed).proofs()
    assert all(each.target != "notes.md" for each in shown)


def test_what_a_human_must_confirm_is_owed_until_it_is():
    promise = PROMISE._replace(
        promise={**PROMISE.promise, "done_when": [{"type": "user-confirmed", "target": "the colour"}]}
    )
    assert proof("the colour", promise).status == "pending"
    yes = facts.Answered("", True, "human", "the colour")
    assert proof("the colour", promise, yes)[5:8][::2] == ("passed", (3,))


class Unknown(NamedTuple):
    anything: str = ""


# -- properties ---------------------------------------------------------------------------------

trees = st.sampled_from(("T", "U", "V"))
lines = st.sampled_from(("pytest", "ruff check .", "pytest || true", "pytest -k one", "ls", "pytest; echo"))
runs = st.builds(
    lambda line, by, red, tree: ended(line, by, int(red), tree, RED if red else GREEN),
    lines,
    st.sampled_from(("agent", "harness")),
    st.booleans(),
    trees,
)
changes = st.builds(
    facts.FileChanged,
    st.sampled_from(("app.py", "README.md", "tmp/x")),
    st.sampled_from(("write", "edit", "delete")),
)
verdicts = st.builds(
    lambda name, verdict, tree: facts.Verified(name, "change", verdict, tree, {"required": True}),
    st.sampled_from(("secrets", "integrity", "exam")),
    st.sampled_from(("passed", "failed", "could_not_run")),
    trees,
)
others = st.one_of(
    st.builds(run.TurnStarted, st.integers(1, 9)),
    st.just(Unknown("x")),
    st.builds(facts.CommandStarted, st.just("k"), lines, before=trees),
    st.builds(facts.RolledBack, trees),
    st.builds(
        lambda status: run.TodoChanged("a", {"content": "c", "status": status}),
        st.sampled_from(("pending", "in_progress", "completed")),
    ),
)
decisions = st.builds(
    lambda status, passed, tree: run.Decided(
        status,
        fingerprint=tree,
        results=(
            result("command_success", "pytest", "pytest", passed),
            result("workspace_change", "workspace_change:", "", passed),
        ),
    ),
    st.sampled_from(("accepted", "continue", "stopped")),
    st.booleans(),
    trees,
)
stories = st.lists(st.one_of(runs, runs, changes, verdicts, others, decisions), max_size=12)


def shows_a_pass(body):
    match body:
        case facts.CommandEnded():
            return body.by == "harness" and body.exit == 0
        case facts.Verified():
            return body.verdict == "passed"
        case run.TodoChanged():
            return body.todo["status"] == "completed"
    return isinstance(body, run.Decided) and any(each["passed"] for each in body.results)


@settings(max_examples=300, deadline=None)
@given(stories)
def test_nothing_is_passed_without_an_event_that_shows_it(story):
    bodies = dict(enumerate((PROMISE, *story), 1))
    for found in board(*story).proofs():
        if found.status == "passed":
            assert found.evidence
            assert any(shows_a_pass(bodies[seq]) for seq in found.evidence), found


@settings(max_examples=300, deadline=None)
@given(stories, changes)
def test_what_had_passed_is_stale_after_any_change(story, change):
    before, after = board(*story).proofs(), board(*story, change).proofs()
    now = {(each.kind, each.id, each.target): each.status for each in after}
    for each in before:
        if each.status == "passed" and each.kind != "todo":
            assert now[each.kind, each.id, each.target] == "stale", each
    assert all(each.kind == "todo" for each in after if each.status == "passed")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(runs, changes, others), max_size=10))
def test_a_promise_that_comes_late_finds_the_same_facts(story):
    late = Board()
    for seq, body in enumerate(story, 2):
        late.take(body, seq)
    late.take(PROMISE, 1)
    assert late.proofs() == board(*story).proofs()


@settings(max_examples=100, deadline=None)
@given(stories)
def test_looking_changes_nothing(story):
    looked = Board()
    for seq, body in enumerate((PROMISE, *story), 1):
        looked.take(body, seq)
        looked.proofs()
    assert looked.proofs() == board(*story).proofs()
