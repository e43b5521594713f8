"""Whether words are about a file of data."""

from donewhen.verify.integrity.exam_goal import is_content, orders_data, speaks_of
from tests.tables import table_test


@table_test(
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
        ("modified", "read() crashes on dashes (see cases/dash.case)", False),
        ("modified", "dashes become blanks, as in cases/dash.case", False),
        ("modified", "read() fails on cases/dash.case", False),
        ("modified", "cases/dash.case has a wrong line (see cases/dash.case)", True),
        ("modified", "破折号变成空格（参见 cases/dash.case）", False),
    ],
)
def test_what_a_goal_orders(kind, goal, ordered):
    assert orders_data("cases/dash.case", kind, goal) is ordered


@table_test(
    ("goal", "ordered"),
    [
        ("dur() prints as README.md says", False),
        ("python3 -m doctest README.md must pass", False),
        ("update README.md", True),
        ("extend the README with an example", True),
    ],
)
def test_what_the_exam_consists_of_is_ordered_only_by_a_verb(goal, ordered):
    assert orders_data("README.md", "modified", goal, strictly=True) is ordered


@table_test(
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


@table_test(
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
