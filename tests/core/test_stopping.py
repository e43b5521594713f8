"""When a stop is refused and when it is let go: bounded, and never early for who makes progress."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.stopping import MOST, ONCE, Limits, Stops, after, answer, counted

OPEN = st.lists(st.integers(min_value=0, max_value=50), max_size=60)
LIMITS = st.builds(Limits, st.integers(min_value=0, max_value=10), st.integers(min_value=0, max_value=MOST))


def answers(owed: list[int], limits: Limits) -> list[str]:
    return [answer(counted(owed[: at + 1]), limits) for at in range(len(owed))]


@given(OPEN, LIMITS)
def test_refusals_are_bounded_whatever_is_owed(owed: list[int], limits: Limits) -> None:
    assert answers(owed, limits).count("block") <= limits.most


@given(OPEN, LIMITS)
def test_a_row_without_progress_is_let_go_after_the_limit(owed: list[int], limits: Limits) -> None:
    told = answers([*owed, *[60] * (limits.continues + 1)], limits)
    assert told[-1] == "let_go"


@given(st.integers(min_value=0, max_value=MOST), LIMITS)
def test_who_owes_less_each_time_is_refused_up_to_the_absolute_bound(count: int, limits: Limits) -> None:
    told = answers(list(range(100, 100 - count, -1)), Limits(max(1, limits.continues)))
    assert told == ["block"] * count


@given(OPEN, st.integers(min_value=0, max_value=50))
def test_counting_is_the_same_one_by_one_and_at_once(owed: list[int], more: int) -> None:
    assert after(counted(owed), more) == counted([*owed, more])


def test_three_in_a_row_are_refused_and_the_fourth_is_let_go() -> None:
    assert answers([2, 2, 2, 2], Limits()) == ["block", "block", "block", "let_go"]


def test_progress_starts_the_row_anew() -> None:
    assert answers([2, 2, 2, 1, 2, 2, 2], Limits()) == ["block"] * 6 + ["let_go"]


def test_owing_as_little_as_before_is_no_progress() -> None:
    assert counted([1, 3, 1]) == Stops(3, 3, 1)


def test_what_nobody_can_repair_is_told_once() -> None:
    assert answers([1, 1], Limits(ONCE)) == ["block", "let_go"]
