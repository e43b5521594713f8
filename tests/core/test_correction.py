"""After a refused attempt: another turn, a hand-over or the end; and what a fix turn says."""

from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.config import config_from_mapping
from donewhen.core.accept import Accept
from donewhen.core.correction import (
    Corrections,
    End,
    HandOver,
    Limits,
    Refused,
    Retry,
    correct,
    looped,
    refused_by,
)
from donewhen.core.exam import Commanded, Findings, Result
from donewhen.core.findings import Category, Feedback, FeedbackStatus
from donewhen.core.reasons import STOP_REASONS
from donewhen.core.tally import Standing
from donewhen.core.texts import Phrase
from tests.examples import many
from tests.tables import table_test

RED = Refused(True, 3, frozenset({"tests"}))
LEDGER = Refused(False, 2)


def play(*attempts: Refused, limits: Limits = Limits()) -> list[Any]:  # noqa: B008
    state, steps = Corrections(), []
    for refused in attempts:
        state, step = correct(state, refused, limits)
        steps.append(step)
    return steps


def finding(category: Category = "quality", status: FeedbackStatus = "fail", **more: Any) -> Feedback:
    return Feedback(status, category, "it is wrong", **more)


def test_the_limits_are_those_of_the_configuration():
    section = config_from_mapping({}).correction
    assert Limits(section.max_retries, section.max_total_attempts, section.escalate_on) == Limits()


def test_three_fix_turns_are_given_and_then_a_human_is_asked():
    assert play(*[RED] * 4) == [Retry(1), Retry(2), Retry(3), HandOver("max_retries", 4)]


def test_progress_begins_the_fix_turns_anew():
    better = RED._replace(open_proofs=2)
    steps = play(RED, RED, RED, better, better, better, RED)
    assert steps[:6] == [Retry(n) for n in range(1, 7)]
    assert steps[6] == HandOver("max_retries", 7)


def test_less_than_before_is_no_progress_unless_it_is_the_fewest_so_far():
    owed = [3, 2, 4, 3, 3]
    steps = play(*(RED._replace(open_proofs=n) for n in owed))
    assert steps[-1] == HandOver("max_retries", 5)


def test_attempts_are_limited_in_all_also_with_progress():
    steps = play(*(RED._replace(open_proofs=40 - n) for n in range(10)))
    assert steps == [*(Retry(n) for n in range(1, 10)), HandOver("max_total_attempts", 10)]


def test_refusals_by_the_ledger_alone_use_up_no_fix_turn():
    steps = play(*[LEDGER] * 5, RED)
    assert steps == [Retry(n) for n in range(1, 7)]


def test_without_any_retry_the_first_failure_is_handed_over():
    assert play(RED, limits=Limits(retries=0)) == [HandOver("max_retries", 1)]


AT_THE_LIMIT: list[tuple[str, Refused, Any]] = [
    ("only todos", LEDGER._replace(course_end="todo_not_converged"), End("todo_not_converged")),
    (
        "only the ledger",
        LEDGER._replace(course_end="accept_continue_exhausted"),
        End("accept_continue_exhausted"),
    ),
    (
        "verification failed",
        RED._replace(course_end="accept_continue_exhausted"),
        HandOver("accept_continue_exhausted", 1),
    ),
    ("integrity", RED._replace(course_end="integrity_violation"), HandOver("integrity_violation", 1)),
    (
        "could not run",
        RED._replace(course_end="accept_continue_exhausted", could_not_run=True),
        End("verification_execution_error"),
    ),
    (
        "denied",
        RED._replace(course_end="accept_check_failed", denied=True, could_not_run=True),
        End("verification_execution_denied"),
    ),
    ("a decision", RED._replace(course_end="required_todo_failed"), End("required_todo_failed")),
    ("harm", RED._replace(course_end="unsafe"), End("unsafe")),
    ("waiting", LEDGER._replace(course_end="todo_waiting_external"), End("todo_waiting_external")),
    ("a loop", RED._replace(course_end="repeat_cycle"), HandOver("repeat_cycle", 1, trigger="infinite_loop")),
]


@table_test(("refused", "step"), [case[1:] for case in AT_THE_LIMIT], ids=[c[0] for c in AT_THE_LIMIT])
def test_where_the_course_ends_the_road_ends(refused, step):
    assert play(refused) == [step]


def test_a_loop_is_handed_over_only_where_the_policy_says_so():
    assert looped("deadlock", 2) == HandOver("deadlock", 2, trigger="infinite_loop")
    assert looped("deadlock", 2, Limits(escalate_on=())) == End("deadlock")
    assert looped("scope_drift", 2) == End("scope_drift")


TRIGGERS = [
    ("security finding", finding("security", fixable=True), "security"),
    ("integrity finding", finding("integrity", rule="test-deleted", fixable=True), "integrity"),
    ("a rule of ours", finding(rule="licence"), "licence"),
]


TRIGGERED = Limits(escalate_on=("security", "integrity", "no_auto_fix", "licence"))


@table_test(("feedback", "trigger"), [case[1:] for case in TRIGGERS], ids=[c[0] for c in TRIGGERS])
def test_a_trigger_hands_over_at_once_and_integrity_after_it_was_told(feedback, trigger):
    refused = RED._replace(feedback=(feedback,))
    told = [Retry(1)] if trigger == "integrity" else []
    assert play(*[refused] * (len(told) + 1), limits=TRIGGERED) == [
        *told,
        HandOver("policy_trigger", len(told) + 1, trigger=trigger),
    ]


def test_what_was_weakened_once_may_be_put_back_and_not_be_weakened_again():
    weak = RED._replace(feedback=(finding("integrity", fixable=True),))
    assert play(weak, RED, weak) == [Retry(1), Retry(2), HandOver("policy_trigger", 3, trigger="integrity")]
    both = weak._replace(feedback=(*weak.feedback, finding("security", fixable=True)))
    assert play(both) == [HandOver("policy_trigger", 1, trigger="security")]


def test_after_a_human_has_looked_a_trigger_only_names_the_end():
    refused = RED._replace(feedback=(finding("security", fixable=True),))
    state, steps = Corrections(looked=True), []
    for _ in range(4):
        state, step = correct(state, refused)
        steps.append(step)
    assert steps == [Retry(1), Retry(2), Retry(3), HandOver("policy_trigger", 4, "max_retries", "security")]


@table_test(
    "feedback",
    [
        finding("security", "warning", fixable=True),
        finding("security", "pass", fixable=True),
        finding(rule="insecurity", fixable=True),
        finding(rule="security-extra", fixable=True),
        finding(fixable=True, fix_suggestion="security"),
    ],
)
def test_warnings_and_names_that_only_resemble_trigger_nothing(feedback):
    assert play(*[RED._replace(feedback=(feedback,))] * 4)[-1] == HandOver("max_retries", 4)


@table_test(
    ("others_owed", "fixable", "cause"),
    [(False, False, "no_auto_fix"), (True, False, "max_retries"), (False, True, "max_retries")],
)
def test_what_nobody_can_fix_is_handed_over_as_such(others_owed, fixable, cause):
    refused = RED._replace(feedback=(finding(fixable=fixable),), others_owed=others_owed)
    first, *_, last = play(*[refused] * 4)
    assert (first.cause if cause == "no_auto_fix" else last.cause) == cause
    assert play(*[refused] * 4, limits=Limits(escalate_on=()))[-1].cause == cause


# -- a fix that makes things worse -----------------------------------------------------------------


def red(*names: str, unproven: tuple[str, ...] = (), owed: int = 5) -> Refused:
    return Refused(True, owed, frozenset(names), frozenset(unproven))


def test_a_fix_that_breaks_what_passed_is_taken_back():
    assert play(red("lint"), red("lint", "tests")) == [Retry(1), Retry(2, True, ("tests",))]


@table_test(
    ("before", "after"),
    [
        (red("lint"), red("tests")),  # one for one
        (red("lint", unproven=("tests",)), red("lint", "tests")),  # it was never seen to pass
        (red("lint"), red("lint", "integrity", "scope")),  # the agent has to undo these itself
        (red("lint"), red("lint", unproven=("tests",))),  # not red, only not run
        (red("lint", owed=9), red("lint", "tests", owed=8)),  # progress is never taken back
        (Refused(False, 5), red("tests", "lint")),  # nothing was verified before
        (red("lint"), Refused(False, 5)),
    ],
)
def test_anything_less_certain_is_left_alone(before, after):
    assert play(before, after)[-1] == Retry(2)


def told_apart(*red: str, passed: tuple[str, ...] = (), command: str = "command:pytest") -> Refused:
    found = Refused(True, 5, frozenset({command}) if red else frozenset(), passed=frozenset(passed))
    return found._replace(tests={command: frozenset(red)} if red else {})


@table_test(
    ("before", "after", "broken"),
    [
        (told_apart("a", passed=("b", "c")), told_apart("a", "b", "c"), ("b", "c")),
        (told_apart("a", passed=("b",)), told_apart("a", "b", "new"), ("b",)),
        (told_apart("a", passed=("b",)), told_apart("b"), ()),  # one for one
        (told_apart("a"), told_apart("a", "new", "newer"), ()),  # nobody saw them pass
        (red("lint"), told_apart("a")._replace(failed=frozenset({"lint", "command:pytest"})), ("a",)),
        (  # two commands of which one fails in a single test, after one that failed in many
            told_apart("a", "b", "c", passed=("d",)),
            Refused(
                True,
                5,
                frozenset({"command:pytest", "command:tox"}),
                tests={"command:pytest": frozenset({"a"}), "command:tox": frozenset({"d"})},
            ),
            (),
        ),
    ],
)
def test_worse_is_judged_by_tests_where_they_are_told_apart(before, after, broken):
    assert play(before, after)[-1] == Retry(2, bool(broken), broken)


def test_after_it_was_taken_back_a_fix_is_compared_with_what_stood_before():
    steps = play(red("lint"), red("lint", "tests"), red("lint", "tests"))
    assert steps[1:] == [Retry(2, True, ("tests",)), Retry(3, True, ("tests",))]


# -- for any row of attempts -----------------------------------------------------------------------

_names = st.frozensets(st.sampled_from(["tests", "lint", "types", "build", "integrity", "scope"]))
_feedback = st.builds(
    Feedback,
    st.sampled_from(get_args(FeedbackStatus)),
    st.sampled_from(get_args(Category)),
    st.text(max_size=5),
    rule=st.sampled_from(["", "security", "licence"]),
    fixable=st.booleans(),
)
_attempts = st.builds(
    Refused,
    st.booleans(),
    st.integers(1, 6),
    _names,
    _names,
    st.lists(_feedback, max_size=3).map(tuple),
    st.sampled_from([None, None, None, None, *sorted(STOP_REASONS - {"accepted"})]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
_limits = st.builds(Limits, st.integers(0, 4), st.integers(1, 8))


@given(st.lists(_attempts, min_size=1, max_size=30), _limits)
@settings(max_examples=many(300))
def test_it_always_ends_in_time_and_never_takes_progress_back(attempts, limits):
    state, since = Corrections(), 0
    for number, refused in enumerate(attempts, 1):
        before = state
        state, step = correct(before, refused, limits)
        assert correct(before, refused, limits) == (state, step)
        progress = before.fewest is not None and refused.open_proofs < before.fewest
        since = 0 if progress else since
        if not isinstance(step, Retry):
            assert state.attempts == number
            return
        since += refused.verification_failed
        assert (step.attempt, state.attempts, state.retries) == (number, number, since)
        assert not (progress and step.rollback)
        assert step.rollback == bool(step.broken)
        assert since <= limits.retries
        assert number < limits.attempts


@given(
    st.lists(_attempts.map(lambda each: each._replace(verification_failed=True)), min_size=9, max_size=9),
    _limits,
)
def test_no_row_of_attempts_goes_on_beyond_the_limit(attempts, limits):
    assert any(not isinstance(step, Retry) for step in play(*attempts, limits=limits))


# -- from the gate's findings, and the message -----------------------------------------------------


def findings(**more: Any) -> Findings:
    results = (
        Result("lint", "quality_gate", "lint", False, Phrase("gate.verifier_failed")),
        Result("types", "quality_gate", "types", False, Phrase("gate.stale")),
        Result(
            "docs", "file_exists", "docs", False, Phrase("gate.no_file", {"path": "docs"}), required=False
        ),
    )
    commands = (
        Commanded(
            Accept("npm test", "npm test", ("npm", "test")), Standing("failed", Phrase("gate.ended_failed"))
        ),
        Commanded(Accept("make", "make", ("make",)), Standing("pending", Phrase("gate.not_run"))),
        Commanded(Accept("tox", "tox", ("tox",)), Standing("passed", Phrase("gate.passed"))),
    )
    return Findings(results, commands, **more)


def test_red_and_unproven_are_told_apart():
    refused = refused_by(findings(), verification_failed=True)
    assert refused.failed == {"lint", "command:npm test"}
    assert refused.unproven == {"types", "command:make"}
    assert (refused.open_proofs, refused.others_owed) == (4, True)


@table_test(
    ("found", "others"),
    [
        (Findings((), (), todos_open=("t1",)), True),
        (Findings((), (), deliverables=(Phrase("gate.unconfirmed", {"path": "a"}),)), True),
        (Findings((), (), missing=("file:a",)), True),
        (Findings((), (), blockers=(Phrase("gate.unmet_acceptance_met", {"target": "*"}),)), False),
    ],
)
def test_what_no_feedback_speaks_of_is_known(found, others):
    assert refused_by(found, verification_failed=True).others_owed is others


def test_what_the_last_review_left_open_is_handed_over_at_once():
    used_up = finding("semantic", rule="reviews-used-up")
    refused = refused_by(Findings((), ()), (used_up,), verification_failed=True)
    assert play(RED, refused) == [Retry(1), HandOver("no_auto_fix", 2, "review_rounds")]
    triggers = Limits(escalate_on=("semantic",))
    assert play(refused, limits=triggers) == [HandOver("policy_trigger", 1, "review_rounds", "semantic")]
    warned = refused_by(Findings((), ()), (used_up._replace(status="warning"),), verification_failed=True)
    assert play(warned) == [Retry(1)]


def test_a_reviewer_who_was_not_asked_before_takes_nothing_back():
    before = Refused(True, 2, unproven=frozenset({"gate:types"}))
    assert play(before, Refused(True, 2, frozenset({"gate:semantic"}))) == [Retry(1), Retry(2)]
    both = Refused(True, 3, frozenset({"gate:semantic", "tests"}))
    assert play(Refused(True, 2, frozenset({"gate:semantic"})), both)[1] == Retry(2, True, ("tests",))
