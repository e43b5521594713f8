"""Closeness that got stricter, and closeness that did not."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity.model import Assertion
from donewhen.core.integrity.tolerance import answers_kept, as_near, without
from tests.tables import table_test


def close(more: str = "", *, kind: str = "assertAlmostEqual") -> Assertion:
    return Assertion(f"self.{kind}(f(), 0.3{more})", 1, "close", ("f",))


@table_test(
    ("before", "now", "fine"),
    [
        (", places = 1", "", True),
        (", places = 1", ", places = 3", True),
        (", places = 3", ", places = 1", False),
        ("", ", places = 1", False),
        (", delta = 0.5", ", delta = 0.1", True),
        (", delta = 0.1", ", delta = 0.5", False),
        (", delta = 0.1", "", True),
        (", places = 1", ", delta = 0.01", True),
        (", places = 9", "", False),
        (", rel_tol = 0.1", ", abs_tol = 0.01", False),
        (", rel_tol = 0.1, abs_tol = 1", ", rel_tol = 0.1", False),
    ],
)
def test_a_tolerance_is_left_out_only_where_it_lets_through_no_more(before: str, now: str, fine: bool):
    assert (as_near(close(before), close(now)) is not None) == fine


@given(st.integers(0, 15), st.integers(0, 15))
def test_more_places_are_stricter(before: int, now: int):
    found = as_near(close(f", places = {before}"), close(f", places = {now}"))
    assert (found is not None) == (now >= before)


def test_the_tolerance_is_told_last_among_the_expected_values():
    near = as_near(close(", places = 1"), close(", places = 2"))
    assert near is not None
    assert without(("1", "0.3", "1"), near[0]) == ("1", "0.3")


@table_test(
    ("before", "now", "kept"),
    [
        ("self.assertAlmostEqual(t(), 0.3, places = 1)", "self.assertAlmostEqual(t(), 0.3)", True),
        (
            "self.assertAlmostEqual(t(), 0.3, places = 1)",
            "self.assertAlmostEqual(t(), 0.3, places = 0)",
            False,
        ),
        ("self.assertEqual(f(1), 2)", "self.assertEqual(f(clock = 1), 2)", True),
        ("self.assertEqual(f(1), 2)", "self.assertEqual(f(1), 3)", False),
        ("1 → 5", "2 → 5", True),
        ("1 → 5", "1 → 6", False),
        ("self.assertTrue(ok)", "self.assertTrue(fine)", False),
    ],
)
def test_a_rewritten_assertion_keeps_its_answers(before: str, now: str, kept: bool):
    assert answers_kept(before, now) == kept
