"""Whether words are about a file of data."""

import pytest

from donewhen.verify.integrity.exam_goal import is_content, orders_data, speaks_of


@pytest.mark.parametrize(
    ("kind", "goal", "ordered"),
    [
        ("added", "settings.sh is sourced: create it", False),
        ("added", "add a case with digits to cases/", True),
        ("added", "cases/dash.case holds the new rule", True),
        ("added", "all cases must pass", False),
        ("modified", "correct the rounding so that the cases pass", False),
        ("modified", "add support for umlauts in all cases", False),
        ("modified", "adapt the cases to the new rule", True),
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


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("index.html", True),
        ("README", True),
        ("VERSION", True),
        ("deploy/app.yml", True),
        ("expected.html", False),
        ("samples/a.md", False),
        ("numbers.txt", False),
        ("data.json", False),
    ],
)
def test_pages_and_settings_are_what_a_product_consists_of(path, content):
    assert is_content(path) is content
