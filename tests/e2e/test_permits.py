"""What permits a broken base test: a person, or words of the goal that running bears out; and new tests as proof."""

from pathlib import Path

import pytest

from tests.helpers import Cli, Result
from tests.projects import BUG, repository, write
from tests.runs import CLAIM, FIX, attempts, play, told

GATES = False  # they have tests of their own
SOURCE = """\
def total(prices):
    return sum(prices)


def discount(price):
    return price * 0.9


def greet(name):
    return f"Hello, {name}"
"""
BROKEN = SOURCE.replace("sum(prices)", "sum(prices) + 1")
TEST = """\
import unittest

from cart import discount, greet, total


class Cart(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)

    def test_empty(self):
        self.assertEqual(total([]), 0)

    def test_discount(self):
        self.assertEqual(discount(10), 9)

    def test_greet(self):
        self.assertEqual(greet("Bob"), "Hello, Bob")
"""
BENT = TEST.replace("3)", "4)").replace("0)", "1)", 1).replace("[]), 0", "[]), 1")
FILES = {"cart.py": SOURCE, "test_cart.py": TEST}
ASKED = ("--accept", "python3 -m unittest -q")
NO_DISCOUNT = {
    "cart.py": SOURCE.replace("def discount(price):\n    return price * 0.9\n\n\n", ""),
    "test_cart.py": TEST.replace("discount, ", "").replace(
        "    def test_discount(self):\n        self.assertEqual(discount(10), 9)\n\n", ""
    ),
}


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder, FILES)


def asked(done: Result) -> list[str]:
    return [each["test"].rpartition("::")[2] for each in done.json["questions"]]


def permitted(done: Result) -> list[str]:
    return [note for note in done.json["notes"] if "permitted" in note]


def renamed(text: str) -> str:
    return text.replace("total(", "sum_all(").replace(
        "import discount, greet, total", "import discount, greet, sum_all"
    )


def judged(cli: Cli, goal: str, files: dict[str, str]) -> Result:
    write(cli.folder, files)
    return cli("verify", *ASKED, "--goal", goal, "--json")


@pytest.mark.parametrize("goal", ["Remove the discount() function", "删除 discount 函数"])
def test_a_removal_that_the_goal_orders_is_permitted_test_by_test(cli: Cli, project, goal: str):
    done = judged(cli, goal, NO_DISCOUNT)
    assert (done.exit, asked(done)) == (0, []), done.out
    assert [note for note in permitted(done) if "test_discount" in note and "discount, which is gone" in note]


@pytest.mark.runs
def test_a_removal_permits_no_other_expectation(cli: Cli, project):
    files = {name: text.replace("sum(prices)", "sum(prices) + 1") for name, text in NO_DISCOUNT.items()}
    files["test_cart.py"] = files["test_cart.py"].replace("3)", "4)").replace("[]), 0", "[]), 1")
    done = judged(cli, "Remove the discount() function", files)
    assert (done.exit, asked(done)) == (4, ["test_adds_up", "test_empty"]), done.out


@pytest.mark.parametrize("goal", ["Rename total() to sum_all()", "把 total 重命名为 sum_all"])
def test_a_new_name_is_permitted_where_the_tests_pass_with_it(cli: Cli, project, goal: str):
    done = judged(cli, goal, {"cart.py": renamed(SOURCE), "test_cart.py": renamed(TEST)})
    assert (done.exit, asked(done)) == (0, []), done.out
    assert len(permitted(done)) == 4


@pytest.mark.runs
def test_a_new_name_permits_no_other_expectation(cli: Cli, project):
    done = judged(
        cli, "Rename total() to sum_all()", {"cart.py": renamed(BROKEN), "test_cart.py": renamed(BENT)}
    )
    assert (done.exit, asked(done)) == (4, ["test_adds_up", "test_empty"]), done.out


@pytest.mark.runs
def test_a_function_that_moves_to_another_file(cli: Cli, project):
    files = {**NO_DISCOUNT, "prices.py": "def discount(price):\n    return price * 0.9\n"}
    files["test_cart.py"] = TEST.replace(
        "from cart import discount, greet, total",
        "from cart import greet, total\nfrom prices import discount",
    )
    done = judged(cli, "Move `discount` from cart.py to prices.py", files)
    assert (done.exit, asked(done)) == (0, []), done.out


@pytest.mark.parametrize(
    "goal",
    [
        'greet("Bob") returns "Hi, Bob" instead of "Hello, Bob"',
        "greet 应返回 `Hi, Bob`",
        'greet must be "Hi, Bob"',
    ],
)
def test_a_stated_result_is_permitted_where_the_test_passes_with_it(cli: Cli, project, goal: str):
    files = {"cart.py": SOURCE.replace("Hello", "Hi"), "test_cart.py": TEST.replace("Hello", "Hi")}
    done = judged(cli, goal, files)
    assert (done.exit, asked(done)) == (0, []), done.out
    assert len(permitted(done)) == 1
    assert "test_greet passes once it is edited as the goal says" in permitted(done)[0]


@pytest.mark.runs
@pytest.mark.parametrize(
    "goal",
    ['greet("Ann") returns "Hi, Ann"', "total([]) must be 1", 'greet("Bob") must not return "Hi, Bob"'],
)
def test_a_result_of_something_else_permits_nothing(cli: Cli, project, goal: str):
    files = {"cart.py": BROKEN.replace("Hello", "Hi"), "test_cart.py": BENT.replace("Hello", "Hi")}
    done = judged(cli, goal, files)
    left = ["test_adds_up", "test_greet"] if "[]" in goal else ["test_adds_up", "test_empty", "test_greet"]
    assert (done.exit, asked(done)) == (4, left), done.out


HARMLESS = (
    "Make total() in cart.py faster",
    "Let total() accept generators",
    "Refactor cart.py",
    "Add tests for total()",
    "Fix the flaky test in test_cart.py",
    "Update the tests",
    "Improve the docstring of total()",
    "Add type hints to cart.py and update the tests accordingly",
    "total() becomes 2 times faster",
    "total() should be able to handle 4 items",
    "Remove duplication in total()",
    "Replace the loop in total() by sum()",
    "Rename the local variables of total()",
    "Clean up total() and its tests",
    "Deprecate the old way to call total()",
    "total([1, 2]) returns 3, keep it so",
    "The behaviour of total() should change as described in the ticket",
    "test_adds_up is wrong, correct it",
    "Don't return 4 from total()",
    "Simplify total() so that it is easier to read",
    "Move the constants of total() to the top of cart.py",
    "让 total() 更快",
    "重构 cart.py，并更新测试",
    "修复 test_cart.py 中不稳定的测试",
)


@pytest.mark.runs
def test_no_harmless_goal_permits_broken_code_with_rewritten_tests(cli: Cli, project):
    assert len(HARMLESS) == 24
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    for goal in HARMLESS:
        done = cli("verify", *ASKED, "--goal", goal, "--json")
        assert (goal, done.exit, asked(done)) == (goal, 4, ["test_adds_up", "test_empty"])


@pytest.mark.runs
def test_a_person_permits_a_file_or_a_single_test(cli: Cli, project):
    write(project, {"cart.py": BROKEN, "test_cart.py": BENT})
    done = cli("verify", *ASKED, "--permit", "test_cart.py", "--json")
    assert done.exit == 0
    assert [note.count("test_cart.py::") for note in permitted(done)] == [2]
    done = cli("verify", *ASKED, "--permit", "test_cart.py::test_empty", "--json")
    assert (done.exit, asked(done), len(permitted(done))) == (4, ["test_adds_up"], 1)
    done = cli("verify", *ASKED, "--permit", "test_cart.py::Cart::test_empty", "--permit", "**::test_adds_up")
    assert done.exit == 0, done.out
    done = cli("verify", *ASKED, "--permit", "test-deleted=test_cart.py")
    assert (done.exit, "write test_cart.py" in done.err) == (2, True)


def test_new_tests_that_fail_without_the_change_are_shown(cli: Cli, project):
    more = TEST + "\n    def test_three(self):\n        self.assertEqual(total([], 3), 3)\n"
    files = {
        "cart.py": SOURCE.replace("(prices)", "(prices, start=0)", 1).replace(
            "sum(prices)", "sum(prices, start)"
        )
    }
    done = judged(cli, "Let total() begin with another sum; add tests", {**files, "test_cart.py": more})
    assert done.exit == 0, done.out
    assert "1 new test fails without this change: test_cart.py::test_three" in done.json["notes"]


@pytest.mark.parametrize(
    ("goal", "value", "exit"),
    [
        ("Fix total() and add a test", "3", 2),
        ("Add tests for total()", "3", 2),
        ("Refactor total() and add tests", "3", 0),
        ("Fix total()", "3", 0),
        ("修复 total 并添加测试", "3", 2),
    ],
)
@pytest.mark.runs
def test_ordered_tests_that_pass_without_the_change_prove_nothing(cli: Cli, project, goal, value, exit):
    more = TEST + f"\n    def test_more(self):\n        self.assertEqual(total([{value}]), {value})\n"
    done = judged(
        cli, goal, {"cart.py": SOURCE.replace("sum(prices)", "sum(list(prices))"), "test_cart.py": more}
    )
    assert done.exit == exit, done.out
    assert done.json["unproven"] is (exit == 2)


@pytest.mark.runs
def test_tests_of_what_there_is_need_no_change_to_fail_without(cli: Cli, project):
    more = TEST + "\n    def test_more(self):\n        self.assertEqual(total([7]), 7)\n"
    assert judged(cli, "Add tests for total()", {"test_cart.py": more}).exit == 0
    hollow = TEST + "\n    def test_more(self):\n        self.assertIsNotNone(total([]))\n"
    done = judged(cli, "Add tests for total()", {"test_cart.py": hollow})
    assert (done.exit, done.json["unproven"]) == (2, True), done.out


@pytest.mark.runs
def test_an_exam_of_only_its_own_tests_has_to_fail_without_the_change(cli: Cli):
    project = repository(cli.folder, {"cart.py": SOURCE})
    write(
        project,
        {
            "cart.py": BROKEN,
            "test_cart.py": TEST.partition("    def test_adds_up")[0]
            + "    def test_it(self):\n        self.assertIsNotNone(total([]))\n",
        },
    )
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, done.json["unproven"]) == (2, True), done.out
    assert cli("verify", *ASKED, "--allow-unproven").exit == 0
    write(project, {"test_cart.py": TEST.partition("    def test_empty")[0].replace("3)", "4)")})
    assert cli("verify", *ASKED).exit == 0


@pytest.mark.runs
def test_a_run_tells_its_agent_that_the_tests_it_wrote_prove_nothing(cli: Cli):
    repository(cli.folder, {"cart.py": BUG})
    weak = TEST.partition("    def test_adds_up")[0].replace("discount, greet, ", "")
    weak += "    def test_it(self):\n        self.assertIsNotNone(total([]))\n"
    strong = {"old": "self.assertIsNotNone(total([]))", "new": "self.assertEqual(total([]), 0)"}
    done = play(
        cli,
        FIX,
        {"write": {"path": "test_cart.py", "content": weak}},
        CLAIM,
        {"edit": {"path": "test_cart.py", **strong}},
        CLAIM,
        goal="Fix total() and add a test",
    )
    assert (done.exit, attempts(cli, done.json["run"])) == (0, ["continue", "accepted"]), done.out
    assert "add one that fails without it" in told(cli, done.json["run"])
