"""Whether words are about a file of data."""

import pytest

from donewhen.verify.integrity.exam_goal import orders_data, speaks_of


@pytest.mark.parametrize(
    ("kind", "goal", "ordered"),
    [
        ("added", "settings.sh is sourced: create it", False),
        ("added", "add a case with digits to cases/", True),
        ("added", "cases/dash.case holds the new rule", True),
        ("added", "all cases must pass", False),
        ("modified", "dashes become blanks", False),
        ("modified", "update the cases", True),
        ("modified", "cases/dash.case must pass", False),
        ("deleted", "cases/dash.case is wrong", False),
        ("deleted", "remove cases/dash.case", True),
        ("deleted", "rename cases/ to samples/", True),
        ("deleted", "the old cases should be removed", True),
        ("deleted", "删除 cases/dash.case", True),
        ("modified", "更新 cases/dash.case", True),
    ],
)
def test_what_a_goal_orders(kind, goal, ordered):
    assert orders_data("cases/dash.case", kind, goal) is ordered


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ('open("limits.json")', False),
        ('open("locales/de.json")', True),
        ('Path("locales") / f"{lang}.json"', True),
        ("# de.json is German", True),
        ("locales are nice", False),
    ],
)
def test_code_that_reads_a_file(text, reads):
    assert speaks_of(text, "locales/de.json") is reads
