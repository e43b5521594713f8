"""What a goal orders in plain words: only enough to know what to run."""

from donewhen.verify.order_words import orders_tests, read_orders
from donewhen.verify.permits import read_permit
from tests.tables import table_test


@table_test(
    ("goal", "renames"),
    [
        ("Rename total() to sum_all()", [("total", "sum_all")]),
        ("The function `total` is renamed to `sum_all`.", [("total", "sum_all")]),
        ("Move `total` from cart.py to pkg/sums.py.", [("total", "pkg/sums.py")]),
        ("把 total 重命名为 sum_all", [("total", "sum_all")]),
        ("Don't rename total() to sum_all()", []),
        ("Remove total()", []),
    ],
)
def test_new_names(goal, renames):
    assert list(read_orders(goal).renames) == renames


@table_test(
    ("goal", "results"),
    [
        ("total([1, 2]) must be 4 instead of 3", {("4", "3", "[1,2]")}),
        ("slug() raises ValueError, not KeyError", {("ValueError", "KeyError", "")}),
        ("Change the default limit from 10 to 20", {("20", "10", "")}),
        ("total([]) 返回 None", {("None", "", "[]")}),
        ("超时由 30 改为 60", {("60", "30", ""), ("60", "", "")}),
        ("total() becomes 2 times faster", set()),
        ("total() should be able to handle 4 items", set()),
        ("total() must not return 4", set()),
        ("total() 应快 2 倍", set()),
    ],
)
def test_stated_results(goal, results):
    found = read_orders(goal).results
    assert {(next(iter(each.new)), each.old, each.given) for each in found} == results


@table_test(
    ("goal", "ordered"),
    [
        ("Add tests for total()", True),
        ("Fix slug() and add a regression test", True),
        ("Please write unit tests in tests/test_slug.py", True),
        ("为 total 添加单元测试", True),
        ("Add a test command to the Makefile", False),
        ("Don't add tests", False),
        ("Refactor the tests", False),
        ("添加测试脚本", False),
    ],
)
def test_orders_of_tests(goal, ordered):
    assert orders_tests(goal) is ordered


@table_test(
    ("permit", "test", "covered"),
    [
        ("tests/test_a.py::test_b", "tests/test_a.py::test_b", True),
        ("tests/test_a.py::test_b", "tests/test_a.py::test_b[1::2]", True),
        ("tests/test_a.py::test_b[1]", "tests/test_a.py::test_b[2]", False),
        ("tests/test_a.py::Case", "tests/test_a.py::Case > test_b", True),
        ("tests/test_a.py::Case::test_b", "tests/test_a.py::test_b", True),
        ("**::test_b", "tests/test_a.py::test_b", True),
        ("tests/test_a.py::test_b", "tests/test_c.py::test_b", False),
        ("tests/test_a.py", "tests/test_a.py::test_b", False),
    ],
)
def test_a_permit_of_a_test(permit, test, covered):
    assert read_permit(permit).covers_test(test) is covered
