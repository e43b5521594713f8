"""Whether `verify` sees that changed tests notice less than they did, and lets honest rewriting pass."""

import shutil
from pathlib import Path

import pytest

from tests.helpers import Cli, Result
from tests.projects import repository, write

GATES = False  # they have tests of their own
SOURCE = """\
def total(prices, fee=0):
    result = 0
    for price in prices:
        if price > 0:
            result = result + price
    return result + fee


def discount(price, rate):
    if rate >= 100:
        return 0
    if price < 10:
        return price
    return price - price * rate / 100
"""
HEAD = "import unittest\n\nfrom cart import discount, total\n\n\nclass Cart(unittest.TestCase):\n"
TOTAL = """\
    def test_total(self):
        self.assertEqual(total([1, 2, -1]), 3)
        self.assertEqual(total([1, 2], 4), 7)

"""
DISCOUNT = """\
    def test_discount(self):
        self.assertEqual(discount(100, 10), 90)
        self.assertEqual(discount(100, 100), 0)
        self.assertEqual(discount(5, 10), 5)
"""
AGAIN = """\

    def test_discount_again(self):
        self.assertEqual(discount(100, 10), 90)
"""
HOLLOW = TOTAL.replace("Equal(", "IsNotNone(").replace(", 3)", ")").replace(", 7)", ")")
REWRITTEN = """\
    def check(self, rows):
        for given, wanted in rows:
            with self.subTest(given):
                self.assertEqual(total(*given), wanted)

    def test_sums(self):
        rows = [(([1, 2, -1],), 3), (([1, 2], 4), 7)]
        for given, wanted in rows:
            self.check([(given, wanted)])

"""
ASKED = ("--accept", "python3 -m unittest -q", "--json")


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder, {"cart.py": SOURCE, "test_cart.py": HEAD + TOTAL + DISCOUNT + AGAIN})


def asked(done: Result) -> list[str]:
    return [each["test"] for each in done.json["questions"] if each["kind"] == "test-strength"]


def notes(done: Result) -> str:
    return "\n".join(done.json["notes"])


@pytest.mark.contract
@pytest.mark.runs
def test_a_hollowed_out_test_is_a_question_that_names_it_and_what_it_misses(cli: Cli, project):
    write(project, {"test_cart.py": HEAD + HOLLOW + DISCOUNT + AGAIN})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (4, ["Cart.test_total"]), done.out
    message = next(each["message"] for each in done.json["questions"] if each["kind"] == "test-strength")
    assert "cart.py:" in message and "\n-" in message and "\n+" in message
    assert (project / "cart.py").read_text() == SOURCE
    again = cli("verify", *ASKED)
    assert (again.exit, again.json["questions"]) == (4, done.json["questions"])


@pytest.mark.runs
def test_a_changed_product_hides_no_hollow_test(cli: Cli, project):
    write(project, {"cart.py": SOURCE.replace("fee=0", "fee=0, tax=0").replace("+ fee", "+ fee + tax")})
    write(project, {"test_cart.py": HEAD + HOLLOW + DISCOUNT + AGAIN})
    assert asked(cli("verify", *ASKED)) == ["Cart.test_total"]


@pytest.mark.runs
def test_honest_rewriting_and_moving_asks_nothing(cli: Cli, project):
    (project / "test_cart.py").unlink()
    write(project, {"tests/__init__.py": "", "tests/test_sums.py": HEAD + REWRITTEN})
    write(project, {"tests/test_discount.py": HEAD + DISCOUNT + AGAIN})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (0, []), done.out
    assert "nothing lost in" in notes(done)


@pytest.mark.runs
def test_a_redundant_test_may_go(cli: Cli, project):
    write(project, {"test_cart.py": HEAD + TOTAL + DISCOUNT})
    done = cli("verify", *ASKED)
    assert asked(done) == [], done.out
    assert "1 tests changed or removed, nothing lost in" in notes(done)


@pytest.mark.runs
def test_what_only_a_removed_test_noticed_is_asked_about(cli: Cli, project):
    write(project, {"test_cart.py": HEAD + TOTAL})
    assert asked(cli("verify", *ASKED)) == ["Cart.test_discount, Cart.test_discount_again"]


@pytest.mark.runs
def test_mutants_that_hang_or_eat_memory_hold_nobody_up(cli: Cli):
    source = "def last(n):\n    seen = []\n    while n > 0:\n        seen.append(n)\n        n = n - 1\n    return seen[-1]\n"
    test = "import unittest\n\nfrom cart import last\n\n\nclass Last(unittest.TestCase):\n    def test_last(self):\n"
    old = "        self.assertEqual(last(3), 1)\n"
    project = repository(cli.folder, {"cart.py": source, "test_cart.py": test + old})
    write(project, {"test_cart.py": test + old.replace("Equal", "GreaterEqual").replace("1", "-5")})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (4, ["Last.test_last"]), done.out


@pytest.mark.runs
def test_tests_that_can_not_be_run_by_themselves_are_counted(cli: Cli):
    runner = "import sys\nsys.path.insert(0, 'sums')\nimport unittest\nunittest.main('test_cart', argv=['x', '-q'])\n"
    files = {"sums/cart.py": SOURCE, "test_cart.py": HEAD + TOTAL, "run_all.py": runner}
    project = repository(cli.folder, files)
    write(
        project, {"test_cart.py": HEAD + TOTAL.replace("        self.assertEqual(total([1, 2], 4), 7)\n", "")}
    )
    done = cli("verify", "--accept", "python3 run_all.py", "--json")
    assert (done.exit, asked(done)) == (4, ["Cart.test_total"]), done.out
    write(project, {"test_cart.py": HEAD + TOTAL.replace("3)", "3, 'sum')")})
    done = cli("verify", "--accept", "python3 run_all.py", "--json")
    assert (done.exit, asked(done)) == (0, []), done.out
    assert "only counted" in notes(done)


JAVASCRIPT = """\
export function total(prices, fee = 0) {
  let result = 0;
  for (const price of prices) {
    if (price > 0) result = result + price;
  }
  return result + fee;
}
"""
NODE_TEST = """\
import assert from "node:assert";
import { test } from "node:test";
import { total } from "./cart.mjs";

test("adds up", () => {
  assert.strictEqual(total([1, 2, -1]), 3);
  assert.strictEqual(total([1, 2], 4), 7);
});
"""


@pytest.mark.third_party
def test_a_hollowed_out_test_of_javascript(cli: Cli):
    package = '{"scripts": {"test": "node --test"}}\n'
    files = {"cart.mjs": JAVASCRIPT, "cart.test.mjs": NODE_TEST, "package.json": package}
    project = repository(cli.folder, files)
    loose = NODE_TEST.replace("strictEqual", "notEqual").replace(", 3)", ", null)").replace(", 7)", ", null)")
    write(project, {"cart.test.mjs": loose})
    assert asked(cli("verify", "--accept", "npm test", "--json")) == ["adds up"]
    assert (project / "cart.mjs").read_text() == JAVASCRIPT


GO = """\
package cart

func Total(prices []int, fee int) int {
	result := 0
	for _, price := range prices {
		if price > 0 {
			result = result + price
		}
	}
	return result + fee
}
"""
GO_TEST = """\
package cart

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{1, 2, -1}, 0); got != 3 {
		t.Errorf("got %d", got)
	}
	t.Run("with a fee", func(t *testing.T) {
		if got := Total([]int{1, 2}, 4); got != 7 {
			t.Errorf("got %d", got)
		}
	})
}
"""


@pytest.mark.third_party
def test_a_hollowed_out_test_of_go(cli: Cli):
    if not shutil.which("go"):
        pytest.skip("go is not installed")
    files = {
        "go.mod": "module example.org/shop\n\ngo 1.19\n",
        "cart/cart.go": GO,
        "cart/cart_test.go": GO_TEST,
    }
    project = repository(cli.folder, files)
    write(
        project, {"cart/cart_test.go": GO_TEST.replace("got != 3", "got < 0").replace("got != 7", "got == 0")}
    )
    done = cli("verify", "--json")
    message = next(each["message"] for each in done.json["questions"] if each["kind"] == "test-strength")
    assert (done.exit, "TestTotal" in asked(done)[0], "cart/cart.go:" in message) == (4, True, True), done.out
    assert (project / "cart/cart.go").read_text() == GO
    write(project, {"cart/cart_test.go": GO_TEST.replace("got != 3", "3 != got")})
    done = cli("verify", "--json")
    assert (done.exit, asked(done)) == (0, []), done.out
    assert "nothing lost in" in notes(done)
