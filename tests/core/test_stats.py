"""Figures over runs: what rows say for all, what ledgers say for those that were read."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import Body, Event, facts, run, type_of
from donewhen.core.stats import LONGEST, Command, Group, LedgerFold, Spent, short
from donewhen.core.stats_rows import Spread, of_rows, spread, within
from donewhen.core.summary import Summary
from tests.tables import table_test

DAY = "2026-11-15T00:00:{:02}.000Z"


def row(name: str, state: str = "done", reason: str = "accepted", **more: object) -> Summary:
    fields = {"created": DAY.format(0), "updated": DAY.format(10), "agent": "scripted", **more}
    return Summary(name, state=state, stop_reason=reason, **fields)  # type: ignore[arg-type]


def events(*bodies: Body) -> list[Event]:
    return [Event(n, "r", DAY.format(0), type_of(body), body, "") for n, body in enumerate(bodies, 1)]


@given(st.lists(st.floats(0, 1e6), max_size=50))
def test_a_spread_holds_values_that_occurred_in_order(values):
    found = spread(values)
    if not values:
        assert found is None
        return
    assert found is not None
    assert {found.median, found.p90, found.most} <= set(values)
    assert found.median <= found.p90 <= found.most == max(values)
    assert sum(value <= found.median for value in values) * 2 >= len(values)
    assert sum(value <= found.p90 for value in values) * 10 >= 9 * len(values)


def test_rows_alone_tell_how_runs_ended_and_what_they_cost():
    found = of_rows(
        [
            row("a", attempts=3, llm_micros=3_000_000),
            row("b", attempts=1, llm_micros=1_000_000, api_micros=500_000),
            row("c", "fail", "repeat_cycle", attempts=1),
            row("d", "paused", "escalated"),
            row("e", "executing", "escalated"),  # it was, and somebody let it go on
            row("f", "fail", "verification_failed", agent="verify"),
        ]
    )
    assert (found.runs, found.verifications, found.ended, found.accepted) == (5, 1, 3, 2)
    assert found.rate == 2 / 3
    assert dict(found.reasons) == {"accepted": 2, "repeat_cycle": 1, "escalated": 1}
    assert found.attempts == Spread(2, 1, 3, 3)
    assert found.corrections == 1
    assert found.micros == {"total": 4_500_000, "llm": 4_000_000, "api": 500_000, "other": 0}
    assert found.accepted_micros == 4_500_000


def test_of_no_runs_nothing_is_claimed():
    found = of_rows([])
    assert (found.rate, found.attempts, found.corrections) == (None, None, None)
    assert LedgerFold().duration is None


@given(st.lists(st.integers(0, 100), max_size=20), st.integers(1, 300))
def test_ledgers_are_read_newest_first_up_to_the_bound(sizes, most):
    rows = [row(str(n), events=size) for n, size in enumerate(sizes)]
    taken = within(rows, most)
    assert taken == rows[: len(taken)]
    assert sum(each.events for each in taken) <= most
    assert taken == rows or sum(each.events for each in rows[: len(taken) + 1]) > most
    assert within(rows, 0) == rows


def test_ledgers_tell_refused_claims_rules_commands_and_tokens():
    failing = {"id": "x", "kind": "command_success", "target": "pytest", "passed": False}
    passing = {"id": "y", "kind": "file_exists", "target": "a.py", "passed": True}
    fold = LedgerFold()
    fold.take(
        row("new", "fail", "repeat_cycle", repo="/srv/shop"),
        events(
            facts.Denied("run_command", "force-push"),
            facts.CommandEnded("1", "pytest", exit=1, duration_ms=300),
            facts.CommandEnded("2", "pytest", exit=0, duration_ms=200),
            facts.CommandEnded("3", "npm start", state="running"),
            run.CostBooked("k", "llm", 10, 5, 2, "m"),
            facts.Verified("lint", "change", "failed"),
            run.Decided("continue", results=(failing, passing)),
            run.Decided("stopped", "repeat_cycle", "loop"),
        ),
    )
    fold.take(
        row("old"), events(run.Decided("continue", results=(failing,)), run.Decided("accepted", "accepted"))
    )
    assert (fold.runs, fold.claims_refused, fold.runs_refused, fold.tokens) == (2, 2, 2, (5, 2))
    assert fold.spent == {("llm", "m"): Spent(1, 10, 5, 2)}
    assert fold.slowest(5) == [("pytest", Command(2, 1, 500))]
    assert fold.groups() == [
        Group("reason", "repeat_cycle: loop", 1, 1, "new", "repeat_cycle"),
        Group("check", "command_success pytest", 2, 2, "new"),
        Group("verifier", "lint", 1, 1, "new"),
        Group("rule", "force-push", 1, 1, "new"),
        Group("model", "m", 1, 1, "new"),
        Group("repo", "/srv/shop", 1, 1, "new"),
    ]


def test_a_hand_over_counts_whatever_became_of_the_run():
    fold = LedgerFold()
    fold.take(row("a"), events(run.Decided("stopped", "escalated"), run.Decided("accepted", "accepted")))
    fold.take(row("b", "fail", "user_interrupt"), events(run.Decided("stopped", "escalated")))
    fold.take(row("c"), events(run.Decided("accepted", "accepted")))
    assert (fold.runs, fold.handed_over) == (3, 2)


def test_a_claim_refused_for_open_todos_alone_is_no_false_one():
    not_run = {"id": "x", "kind": "command_success", "target": "pytest", "passed": False}
    early = run.Decided("continue", results=(not_run,), pending=("pytest", "t1"))
    fold = LedgerFold()
    ran = facts.CommandEnded("1", "pytest", by="harness", exit=1)
    fold.take(row("a"), events(run.TodoChanged("t1", {"content": "do it"}), early, ran, early))
    assert (fold.claims_early, fold.claims_refused) == (1, 1)
    assert [(each.kind, each.name) for each in fold.groups()] == [
        ("check", "command_success pytest"),
        ("todo", "t1"),
    ]


def test_commands_are_counted_where_they_were_executed_and_on_the_project_alone():
    begun = facts.CommandStarted("exam", "pytest", by="harness", before="t")
    green = facts.CommandEnded("exam", "pytest", by="harness", exit=0, duration_ms=5, before="t")
    on_base = green._replace(exit=1, before="old-code:b")
    fold = LedgerFold()
    fold.take(
        row("a"),
        events(
            green._replace(exit=1, of_run="older"),
            begun,
            green,
            begun._replace(before="old-code:b"),
            on_base,
            on_base._replace(of_run="older"),
            green,  # told once more after the run was resumed
            begun,
            green,  # and run once more, with the same end
        ),
    )
    assert fold.commands == {"pytest": Command(2, 0, 10)}


def test_results_that_each_exam_tells_again_before_its_own_are_counted_once():
    begun = facts.CommandStarted("exam", "pytest", by="harness", before="t")
    red = facts.CommandEnded("exam", "pytest", by="harness", exit=1, duration_ms=5, before="t")
    ends = [red, red._replace(duration_ms=6), red._replace(duration_ms=7), red]  # the last one as the first
    refused = run.Decided("continue")
    stops = [body for at in range(4) for body in (begun, *ends[: at + 1], refused)]
    fold = LedgerFold()
    fold.take(row("a"), events(*stops))
    assert fold.commands == {"pytest": Command(4, 4, 23)}


COMMAND = {"id": "pytest", "kind": "command_success", "target": "pytest", "passed": False}
SCENARIO = {"id": "shop/discount", "kind": "scenario", "target": "shop/discount", "passed": False}
REVIEW = {"id": "gate:semantic", "kind": "quality_gate", "target": "semantic", "passed": False}
ABSENT = {"id": "f", "kind": "file_exists", "target": "a.py", "passed": False}
TODO = run.TodoChanged("t1", {"content": "do it"})
RAN = facts.CommandEnded("exam", "pytest", by="harness", exit=127)
CAN_NOT = facts.Verified("exam", "pytest", "could_not_run", details={"reason": "exam.no_program"})
NO_REVIEW = facts.Verified("semantic", "change", "could_not_run")
UNLINKED = facts.Verified("scenario", "shop/discount/twenty", "failed")


@table_test(
    ("before", "failed", "became"),
    [
        ((RAN, NO_REVIEW), (REVIEW,), "unjudged"),
        ((RAN, CAN_NOT), (COMMAND,), "unjudged"),
        ((RAN, CAN_NOT), (COMMAND, SCENARIO), "unjudged"),
        ((RAN, CAN_NOT, UNLINKED), (COMMAND, SCENARIO), "refused"),
        ((RAN, NO_REVIEW), (REVIEW, COMMAND), "refused"),
        ((RAN, NO_REVIEW, facts.Verified("semantic", "change", "failed")), (REVIEW,), "refused"),
        ((RAN, CAN_NOT._replace(details={"reason": "exam.made_up"})), (COMMAND,), "refused"),
        ((TODO,), (COMMAND, SCENARIO, REVIEW), "early"),
        ((TODO,), (COMMAND, ABSENT), "refused"),
        ((TODO, RAN), (), "early"),
        ((RAN,), (COMMAND,), "refused"),
    ],
)
def test_only_what_evidence_refused_is_a_false_claim(before, failed, became):
    fold = LedgerFold()
    pending = tuple(str(each["id"]) for each in failed) + ("t1",) * (TODO in before)
    fold.take(row("a"), events(*before, run.Decided("continue", results=failed, pending=pending)))
    counted = {"refused": fold.claims_refused, "early": fold.claims_early, "unjudged": fold.claims_unjudged}
    assert counted == {**dict.fromkeys(counted, 0), became: 1}
    assert fold.runs_refused == (became == "refused")
    assert bool(fold.exam["failed"]) == (became == "refused")


def test_what_a_human_refused_is_no_rule_that_denied():
    fold = LedgerFold()
    no = facts.Answered("q1", allowed=False, text="not now")
    fold.take(
        row("a"), events(no, facts.Denied("run_command", "network"), facts.Denied("run_command", "network"))
    )
    assert (dict(fold.people), dict(fold.rules)) == ({"network": 1}, {"network": 1})


def test_a_verifier_that_passed_in_the_end_is_no_reason():
    fold = LedgerFold()
    bodies = (facts.Verified("lint", "change", "failed"), facts.Verified("lint", "change", "passed"))
    fold.take(row("a", "fail", "time_exceeded"), events(*bodies))
    assert [group.kind for group in fold.groups()] == ["reason"]
    assert fold.passes == 0.5


@given(st.text(max_size=2000))
def test_a_name_is_one_line_of_bounded_length(text):
    assert len(short(text)) <= LONGEST
    assert short(text).splitlines() in ([], [short(text)])


def test_a_claim_that_is_blocked_again_on_the_same_tree_is_one_claim():
    red = {"id": "x", "kind": "command_success", "target": "pytest", "passed": False}
    ran = facts.CommandEnded("1", "pytest", by="harness", exit=1)
    first = run.Decided("continue", fingerprint="tree-1", results=(red,), pending=("pytest",))
    other_tree, other_proof = first._replace(fingerprint="tree-2"), first._replace(pending=("pytest", "lint"))
    fold = LedgerFold()
    fold.take(row("a"), events(ran, first, ran, first, ran, first))
    assert (fold.claims_refused, fold.exam["failed"], fold.groups()[0].times) == (1, 1, 1)
    fold.take(row("b"), events(ran, first, ran, other_tree, ran, other_proof))
    assert (fold.claims_refused, fold.runs_refused) == (4, 2)
