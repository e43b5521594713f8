"""A run that goes in circles is told once, and then ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.core.repeat import Call, RepeatState, Turn, fingerprint, see
from tests.tables import table_test

READ = Turn((Call("read_file", {"path": "app.py"}, "def f(): pass"),))
GREP = Turn((Call("grep", {"pattern": "f"}, "app.py:1"),))
LIST = Turn((Call("list_dir", {"path": "."}, "app.py"),))


def outcomes(turns, limit=3):
    state, seen = RepeatState(), []
    for turn in turns:
        state, outcome = see(state, turn, limit)
        seen.append(outcome)
    return seen


@table_test(
    ("turns", "limit", "expected"),
    [
        ([READ] * 5, 3, ["go", "go", "go", "remind", "stop"]),
        ([READ] * 3, 2, ["go", "go", "remind"]),
        ([READ] * 4, 2, ["go", "go", "remind", "stop"]),
        ([READ] * 3, 1, ["go", "remind", "stop"]),
        ([READ, GREP] * 3, 3, ["go"] * 4 + ["remind", "stop"]),
        ([READ, GREP, LIST] * 3, 3, ["go"] * 5 + ["remind", "stop", "stop", "stop"]),
        ([READ] * 4 + [GREP] + [READ] * 3, 3, ["go", "go", "go", "remind", "go", "go", "go", "go"]),
        ([READ, READ, Turn(()), READ, READ, READ], 3, ["go", "go", "go", "go", "remind", "stop"]),
        ([Turn(())] * 9, 3, ["go"] * 9),
    ],
)  # fmt: skip
def test_equal_turns_bring_a_reminder_and_then_the_end(turns, limit, expected):
    assert outcomes(turns, limit) == expected


def test_a_longer_cycle_is_no_repeat():
    four = [READ, GREP, LIST, Turn((Call("glob", {"pattern": "*"}, "app.py"),))]
    assert set(outcomes(four * 6)) == {"go"}


@table_test("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit):
    with pytest.raises(UserError, match="max_repeat_cycle_streak"):
        see(RepeatState(), READ, limit)


def made(result="", tool="run_command", args=None, error=False, error_class="", subgoal=""):
    return Turn((Call(tool, args or {"command": "make"}, result, error, error_class),), subgoal)


@table_test(
    ("one", "other"),
    [
        ("<Widget object at 0x7f1c2a30> broke", "<Widget object at 0x55d0bb24> broke"),
        ("3 passed in 0.05s", "3 passed in 1.20s"), ("took 9 ms", "took 10 ms"), ("done in 1m 30s", "done in 1m 5s"),
        ("real\t0m1.234s", "real\t0m9.876s"), ("built in 59s", "built in 1m2s"),
        ("at 2026-11-15T07:53:17Z", "at 2026-11-16T08:00:00Z"), ("2026-11-15 07:53:17,123 no", "2026-11-15 07:54:18,456 no"),
        ("[10:00:01] fail", "[10:00:59] fail"), ("duration_ms 52.1", "duration_ms 7"), ('{"duration": 12}', '{"duration": 99}'),
        ("pid 123 died", "pid 4567 died"), ("x" * 256 + "a", "x" * 256 + "b"), ("at 1763193197", "at 1763193207"),
        ("ran 9.9s " + "x" * 300, "ran 10.1s " + "x" * 300),
    ],
)  # fmt: skip
def test_timings_addresses_and_what_comes_late_are_not_compared(one, other):
    assert fingerprint(made(one)) == fingerprint(made(other))


@table_test(
    ("one", "other"),
    [
        (made("3 passed in 1s"), made("4 passed in 1s")), (made("app.py:12:30 x"), made("app.py:13:30 x")),
        (made("line 12"), made("line 13")), (made("a" * 255 + "x"), made("a" * 255 + "y")),
        (made("busy", error=True), made("busy")), (made("x", error_class="A"), made("x", error_class="B")),
        (made(args={"command": "make"}), made(args={"command": "make "})), (made(tool="a"), made(tool="b")),
        (made(args={"n": 1}), made(args={"n": True})), (made(args={"n": 1}), made(args={"n": "1"})),
        (made(args={"a": ["b"]}), made(args={"a": [["b"]]})), (made(args={"a": {"b": 1}}), made(args={"a": "b", "c": 1})),
        (made(subgoal="step 1"), made(subgoal="step 2")), (made(subgoal="step 1"), made()),
        (Turn(READ.calls + GREP.calls), Turn(GREP.calls + READ.calls)), (READ, Turn(READ.calls * 2)),
        (made("version 1.2"), made("version 1.3")), (made("http://h:8080/a"), made("http://h:8081/a")),
    ],
)  # fmt: skip
def test_any_other_difference_counts(one, other):
    assert fingerprint(one) != fingerprint(other)


def test_the_order_of_keys_does_not_count():
    assert fingerprint(made(args={"a": 1, "b": {"c": 2, "d": 3}})) == fingerprint(
        made(args={"b": {"d": 3, "c": 2}, "a": 1})
    )


@table_test("tool", ["command_status", "BashOutput"])
def test_output_of_a_background_command_that_grows_is_no_repeat(tool):
    growing = [made("line of a log\n" * n, tool, {"id": 1}) for n in range(20, 30)]
    assert set(outcomes(growing)) == {"go"}
    assert outcomes([growing[0]] * 5)[-1] == "stop"


@table_test("tool", ["run_command", "git_status", "read_file", "poll_job"])
def test_of_any_other_result_only_the_first_bytes_count(tool):
    growing = [made("line of a log\n" * n, tool, {"id": 1}) for n in range(20, 30)]
    assert outcomes(growing)[-1] == "stop"


@table_test("size", [300, 5_000, 70_000, 200_000])
def test_growth_is_seen_however_long_the_output_is(size):
    looks = [made("=" * size + "\nrow" * n, "command_status") for n in range(5)]
    assert set(outcomes(looks)) == {"go"}


def test_a_poll_that_only_took_longer_is_a_repeat():
    polls = [
        made(f"waiting\n{'x' * 300}\nelapsed {n}s", "command_status", {"id": 1}) for n in (8, 9, 10, 11, 12)
    ]
    assert outcomes(polls)[-1] == "stop"


def test_a_tree_that_moves_on_is_no_repeat_and_one_that_comes_back_is():
    """The caller names the tree in the subgoal."""
    moving = [made("", args={"command": "bash next.sh"}, subgoal=f"step\ntree {n}") for n in range(9)]
    assert set(outcomes(moving)) == {"go"}
    to_and_fro = [made("", args={"command": f"edit {n % 2}"}, subgoal=f"tree {n % 2}") for n in range(6)]
    assert outcomes(to_and_fro)[-1] == "stop"


def test_deep_arguments_are_no_trouble():
    args: list = []
    for _ in range(50_000):
        args = [args]
    assert outcomes([made(args={"a": args})] * 5)[-1] == "stop"


@given(st.text(), st.text())
def test_any_text_has_a_fingerprint(result, tool):
    turn = Turn((Call(tool, {"a": result}, result),))
    assert fingerprint(turn) == fingerprint(turn)


@given(st.lists(st.sampled_from([READ, GREP, LIST]), max_size=40))
def test_memory_is_bounded_and_a_stop_follows_a_reminder(turns):
    state, before = RepeatState(), "go"
    for turn in turns:
        state, outcome = see(state, turn)
        assert len(state.recent) <= 3
        assert outcome != "stop" or before in ("remind", "stop")
        before = outcome


@given(st.text(max_size=400), st.integers(257, 2000), st.text(max_size=50))
def test_nothing_after_the_first_bytes_counts(head, size, more):
    padded = head + "=" * size
    assert fingerprint(made(padded + more)) == fingerprint(made(padded))
