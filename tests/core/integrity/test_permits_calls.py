"""Calls in tests that follow another signature."""

from donewhen.core.integrity.permits_calls import follows_signature
from donewhen.core.integrity.permits_reading import read
from tests.tables import table_test

BEFORE = 'self.assertEqual(subject("info", "disk", False), "info: disk")'
GOAL = (
    "Make `upper` a keyword-only argument of subject() with default False and adapt the calls in the tests."
)


def follows(now: str, goal: str = GOAL, before: str = BEFORE) -> bool:
    return follows_signature(before, now, read(goal).clauses) is not None


@table_test(
    "now",
    [
        'self.assertEqual(subject("info", "disk"), "info: disk")',
        'self.assertEqual(subject("info", "disk", upper=False), "info: disk")',
    ],
)
def test_a_default_may_be_left_out_and_a_value_named(now):
    assert follows(now)


@table_test(
    "now",
    [
        BEFORE,
        'self.assertEqual(subject("info", "disk"), "INFO: DISK")',
        'self.assertEqual(subject("info"), "info: disk")',
        'self.assertEqual(subject("info", "disc"), "info: disk")',
        'self.assertEqual(subject("info", "disk", lower=False), "info: disk")',
        'self.assertEqual(other("info", "disk"), "info: disk")',
        'self.assertIn(subject("info", "disk"), "info: disk")',
        'self.assertEqual(subject("info", "disk"))',
        "self.assertEqual(subject(",
    ],
)
def test_anything_else_is_another_demand(now):
    assert not follows(now)


@table_test(
    "goal",
    [
        "subject() should be faster",
        "Make `upper` an argument of title() with default False",
        "subject() gets a default True",
    ],
)
def test_the_goal_must_ask_for_that_form(goal):
    assert not follows('self.assertEqual(subject("info", "disk"), "info: disk")', goal)
