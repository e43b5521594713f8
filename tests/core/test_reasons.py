"""The closed set of stop reasons: one per run, with exit code, decision and words."""

import itertools

import pytest

from donewhen.core.errors import InvariantBroken
from donewhen.core.reasons import (
    REASONS,
    STOP_REASONS,
    StopReason,
    exit_code,
    explain,
    first,
    next_step,
    status,
)
from donewhen.core.texts import LANGUAGES
from donewhen.core.texts.reasons import TEXTS
from tests.tables import table_test

EXITS = {
    0: {"accepted"},
    130: {"user_interrupt"},
    3: {"budget_exceeded", "time_exceeded", "max_turn_exceeded"},
    4: {"escalated", "todo_waiting_external"},
    5: {
        "fatal_error",
        "verification_config_missing",
        "verification_execution_denied",
        "verification_execution_error",
    },
}


def test_the_set_is_closed_and_ranked():
    assert set(REASONS) == STOP_REASONS
    assert len(REASONS) == 22


@table_test("reason", REASONS)
def test_the_exit_code_tells_scripts_what_happened(reason):
    expected = next((code for code, reasons in EXITS.items() if reason in reasons), 1)
    assert exit_code(reason) == expected


@table_test(
    ("reason", "expected"),
    [
        ("accepted", "accepted"),
        ("user_interrupt", "failed"),
        ("unsafe", "failed"),
        ("scope_drift", "failed"),
        ("required_todo_failed", "failed"),
        ("verification_execution_error", "failed"),
        ("accept_continue_exhausted", "stopped"),
        ("todo_not_converged", "stopped"),
        ("todo_waiting_external", "stopped"),
        ("missing_completion_signal", "stopped"),
        ("repeat_cycle", "stopped"),
        ("budget_exceeded", "stopped"),
        ("time_exceeded", "stopped"),
        ("max_turn_exceeded", "stopped"),
    ],
)
def test_harm_and_failure_are_failed_and_limits_are_stopped(reason, expected):
    assert status(reason) == expected


def test_only_accepted_is_accepted():
    assert [reason for reason in REASONS if status(reason) == "accepted"] == ["accepted"]
    assert [reason for reason in REASONS if exit_code(reason) == 0] == ["accepted"]


def test_precedence():
    order: list[StopReason] = [
        "user_interrupt",
        "fatal_error",
        "budget_exceeded",
        "max_turn_exceeded",
        "verification_failed",
        "accepted",
    ]
    for stronger, weaker in itertools.combinations(order, 2):
        assert first([weaker, stronger]) == first([stronger, weaker]) == stronger
    assert first(["max_turn_exceeded", "time_exceeded"]) == "time_exceeded"


def test_a_decision_that_stands_is_never_changed():
    assert first(["user_interrupt"], decided="accepted") == "accepted"
    assert first([], decided="escalated") == "escalated"


def test_an_end_without_reason_is_a_bug():
    with pytest.raises(InvariantBroken):
        first([])


@table_test("language", LANGUAGES)
@table_test("reason", REASONS)
def test_every_reason_has_its_own_sentence_and_next_step(reason, language):
    sentence = explain(reason, language)
    assert sentence and next_step(reason, language)
    assert sentence in explain(reason, language, detail="money")
    assert "money" in explain(reason, language, detail="money")


def test_no_text_is_left_over():
    used = {name for reason in REASONS for name in (reason, f"{reason}_next")}
    assert set(TEXTS) == used | {
        "none",
        "with_detail",
        "budget_exceeded_context_next",
        "fatal_error_model_next",
        "escalated_over_next",
        "escalated_word_next",
        "user_interrupt_plan_next",
        "verification_execution_error_review_next",
    }
    assert len({explain(reason) for reason in REASONS}) == len(REASONS)
