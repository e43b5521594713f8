"""The live part as rows: what fits, what comes first, and that nothing foreign moves a cursor."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.todos import Todo
from donewhen.run.board import Proof
from donewhen.run.panel import Doing, Note, Panel
from donewhen.ui.live_frame import Extra, cut, frame, painted, plain
from donewhen.ui.output import width
from tests.tables import table_test


def proof(status, label="pytest", reason="why"):
    return Proof(label, "command_success", label, label, "promise", status, reason, (7,))


FULL = Panel(
    goal="fix it",
    state="executing",
    turn=3,
    attempts=1,
    began=100.0,
    doing=(Doing("c1", "run_command", "make all", 150.0),),
    proofs=(
        proof("passed", "ruff check ."),
        proof("pending", "mypy"),
        proof("stale", "pytest", "passed at event 7; the tree changed since"),
        proof("masked", "make e2e", "the line can return 0 when it fails"),
        proof("failed", "integrity", "the change made its own exam easier"),
    ),
    todos=(Todo("a", "write the parser", "in_progress"), Todo("b", "test it"), Todo("c", "x", "completed")),
    spent_micros=1_230_000,
    budget_micros=10_000_000,
    notes=(Note("warning", "the sandbox has no overlays"), Note("said", "I look at it")),
    changed=2,
)


def test_a_whole_picture():
    assert plain(frame(FULL, 165.2, 80, 24)) == [
        "▸ working · turn 3 · 1/5 proven · refused 1× · files: 2 · $1.23/$10.00 · 1m05s",
        "  $ 15s make all",
        "  ✗ failed  integrity  the change made its own exam easier",
        "  ◐ masked  make e2e  the line can return 0 when it fails",
        "  ↻ stale   pytest  passed at event 7; the tree changed since",
        "  · pending mypy  why",
        "  ✓ passed  ruff check .",
        "  ☐ todos 1/3 · write the parser",
        "    test it",
        "  ! the sandbox has no overlays",
        "  “ I look at it",
    ]


def test_forty_columns_and_ten_lines():
    assert plain(frame(FULL, 165.2, 40, 10)) == [
        "▸ working · turn 3 · 1/5 proven · 1m05s",
        "  $ 15s make all",
        "  ✗ failed  integrity  the change made…",
        "  ◐ masked  make e2e  the line can ret…",
        "  … 1 stale, 1 pending, 1 passed more",
        "  ☐ todos 1/3 · write the parser",
    ]


def test_a_question_comes_before_everything_but_the_head():
    rows = plain(frame(FULL._replace(state="paused", asked=("push to main?",)), 165.0, 80, 24))
    assert rows[1] == "? waits for you: push to main?"


def test_what_the_harness_runs_is_told_once():
    running = FULL._replace(doing=(Doing("exam", "run_command", "pytest", 160.0, "harness"),))
    assert "  $ the harness 5s pytest" in plain(frame(running, 165.0, 80, 24))
    rows = plain(frame(running, 165.0, 80, 24, Extra("running pytest", 5.0, "42 passed")))
    assert "  ⚖ 5s running pytest  42 passed" in rows
    assert not any("the harness" in row for row in rows)


def test_waiting_for_a_model_is_seen():
    asking = FULL._replace(doing=(Doing("cost:k", "", "openai:x", 153.0, "model"),))
    assert "  … 12s asking openai:x" in plain(frame(asking, 165.0, 80, 24))


def test_statuses_are_told_without_colour_too():
    def mark(text, *styles):
        return f"<{'+'.join(styles)}>{text}" if styles else text

    rows = painted(frame(FULL, 165.0, 80, 24), mark)
    assert any(row.startswith("<red>  ✗ failed") for row in rows)
    assert [row for row in plain(frame(FULL, 165.0, 80, 24)) if "failed" in row]


EVIL = "\x1b[2J\x1b]0;title\x07\r\n\x1b[31mred\u202e\x00\x9b1A 你好" * 3


def test_nothing_of_an_agents_moves_the_cursor():
    panel = FULL._replace(
        doing=(Doing("c", EVIL, EVIL, 0.0),),
        proofs=(proof("failed", EVIL, EVIL),),
        todos=(Todo("a", EVIL, "in_progress"), Todo("b", EVIL)),
        notes=(Note("error", EVIL),),
        asked=(EVIL,),
    )
    for row in plain(frame(panel, 1.0, 200, 40, Extra(EVIL, 2.0, EVIL))):
        assert not any(unicodedata.category(char) in ("Cc", "Cf") for char in row), row


@settings(max_examples=300, deadline=None)
@given(
    st.integers(1, 200),
    st.integers(1, 60),
    st.text(max_size=60),
    st.integers(0, 30),
    st.floats(-10, 1e6),
)
def test_any_terminal_gets_rows_that_fit(columns, lines, text, many, now):
    panel = FULL._replace(
        proofs=tuple(proof(status, text, text) for status in ("passed", "stale", "failed")) * many,
        doing=(Doing("c", text, text, 0.0),) * min(many, 3),
        notes=(Note("said", text),) * min(many, 3),
        todos=tuple(Todo(str(number), text or "x") for number in range(many)),
        asked=(text,) * min(many, 1),
    )
    rows = plain(frame(panel, now, columns, lines, Extra(text, 3.0, text)))
    assert 1 <= len(rows) <= max(1, lines - 1)
    assert all(width(row) <= max(10, columns - 1) for row in rows)


@table_test(
    ("text", "columns", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("你好吗", 5, "你好…"),
        ("你好吗", 4, "你…"),
        ("ab", 1, "…"),
        ("ab", 0, ""),
    ],
)
def test_texts_are_cut_by_columns(text, columns, expected):
    assert cut(text, columns) == expected


def test_chinese_fits_as_well(monkeypatch):
    monkeypatch.setattr("donewhen.ui.words._chosen", ["zh"])
    rows = plain(frame(FULL, 165.2, 40, 10))
    assert rows[0].startswith("▸ 工作中 · 第 3 轮")
    assert "失败" in rows[2]
    assert all(width(row) < 40 for row in rows)
