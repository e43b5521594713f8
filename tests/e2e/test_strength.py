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


ROWS = """\
    def test_rows(self):
        for given, wanted in [([1], 1), ([], 0), ([-2], 0), ([2, 3], 5)]:
            with self.subTest(given):
                self.assertEqual(total(given), wanted)

"""
CHECKED = "        self.assertEqual(total([1, 2, -1]), 3)\n        self.assertEqual(total([1, 2], 4), 7)\n"
HOLLOWED = {
    "dropped": (TOTAL, TOTAL.replace("        self.assertEqual(total([1, 2], 4), 7)\n", "")),
    "wrapped": (
        TOTAL,
        TOTAL.replace(
            CHECKED, f"        try:\n    {CHECKED[:47]}        except Exception:\n            pass\n"
        ),
    ),
    "compared with itself": (
        TOTAL,
        TOTAL.replace(", 3)", ", total([1, 2, -1]))").replace(", 7)", ", total([1, 2], 4))"),
    ),
    "left early": (TOTAL, TOTAL.replace(CHECKED, f"        return\n{CHECKED}")),
    "skipped when wrong": (
        TOTAL,
        TOTAL.replace(
            CHECKED,
            f"        if total([1, 2, -1]) != 3 or total([1, 2], 4) != 7:\n            self.skipTest('later')\n{CHECKED}",
        ),
    ),
    "said by the code": (
        ROWS,
        ROWS.replace(
            "([1], 1), ([], 0), ([-2], 0), ([2, 3], 5)",
            "(each, total(each)) for each in ([1], [], [-2], [2, 3])",
        ),
    ),
    "rows dropped": (ROWS, ROWS.replace(", ([-2], 0), ([2, 3], 5)", "")),
}


@pytest.mark.runs
@pytest.mark.parametrize("how", HOLLOWED)
def test_ways_to_hollow_out_a_test(cli: Cli, how: str):
    old, new = HOLLOWED[how]
    assert old != new
    project = repository(cli.folder, {"cart.py": SOURCE, "test_cart.py": HEAD + old + DISCOUNT})
    write(project, {"test_cart.py": HEAD + new + DISCOUNT})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (4, ["Cart.test_rows" if old == ROWS else "Cart.test_total"]), done.out


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


GENERATED = """\
import unittest

from cart import total


class Cart(unittest.TestCase):
    pass


for given, wanted in [((1, 2), 3), ((), 0), ((4,), 4)]:
    setattr(Cart, f"test_{wanted}", lambda self, g=given, w=wanted: self.assertEqual(total(g), w))
"""


@pytest.mark.runs
def test_generated_tests_that_run_no_more_are_asked_about(cli: Cli):
    project = repository(cli.folder, {"cart.py": SOURCE, "test_cart.py": GENERATED})
    write(project, {"test_cart.py": GENERATED.replace(", ((), 0), ((4,), 4)", "")})
    done = cli("verify", *ASKED)
    assert done.exit == 4, done.out
    assert "1 tests run where 3 ran" in done.json["questions"][0]["message"]


SCRIPT = """\
#!/bin/sh
check() { [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 1; }; }
check "$(python3 -c 'from cart import total; print(total([1, 2]))')" 3
check "$(python3 -c 'from cart import total; print(total([]))')" 0
"""


@pytest.mark.runs
@pytest.mark.parametrize(
    "less",
    [SCRIPT.rpartition("check ")[0], SCRIPT.replace('"$1" = "$2"', '-n "$1"')],
    ids=["dropped", "loose"],
)
def test_a_script_of_checks_is_counted_as_one_test(cli: Cli, less: str):
    project = repository(cli.folder, {"cart.py": SOURCE, "test_cart.sh": SCRIPT})
    write(project, {"test_cart.sh": less})
    done = cli("verify", "--accept", "sh test_cart.sh", "--json")
    assert (done.exit, asked(done)) == (4, ["test_cart.sh"]), done.out


@pytest.mark.runs
def test_a_test_in_which_nothing_is_known_gets_a_sentence(cli: Cli):
    test = "import cart\n\nif cart.total([1, 2]) != 3:\n    raise SystemExit('wrong')\n"
    project = repository(cli.folder, {"cart.py": SOURCE, "test_cart.py": test})
    write(project, {"test_cart.py": test.replace("!= 3", "< 0")})
    done = cli("verify", "--accept", "python3 test_cart.py", "--json")
    assert done.exit == 0, done.out
    assert "test_cart.py: no test function or assertion is known there" in notes(done)


FLAKY = """\
    def test_flaky(self):
        from pathlib import Path
        from tempfile import gettempdir

        again = Path(gettempdir(), "flaky-" + str(__import__("os").getsid(0)))
        self.assertFalse(again.exists() or again.touch())
        self.assertEqual(total([2]), 2)

"""


@pytest.mark.runs
def test_a_flaky_test_among_the_changed_ones_says_nothing(cli: Cli):
    files = {"cart.py": SOURCE, "test_cart.py": HEAD + FLAKY + DISCOUNT}
    project = repository(cli.folder, files)
    write(project, {"test_cart.py": HEAD + FLAKY.replace("2)", "2, 'two')") + DISCOUNT})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (0, []), done.out
    assert "only counted, not measured" in notes(done)


@pytest.mark.runs
def test_a_repository_without_a_line_to_execute_is_counted(cli: Cli):
    test = "import json, unittest\n\n\nclass Prices(unittest.TestCase):\n    def test_prices(self):\n"
    check = "        self.assertEqual(json.load(open('prices.json')), [1, 2])\n"
    project = repository(cli.folder, {"prices.json": "[1, 2]\n", "test_prices.py": test + check})
    write(project, {"test_prices.py": test + check.replace("2])", "2], 'as agreed')")})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (0, []), done.out
    assert "they execute no line of the product" in notes(done)
    write(project, {"test_prices.py": test + check.replace("Equal", "IsNotNone").replace(", [1, 2])", ")")})
    done = cli("verify", *ASKED)
    assert (done.exit, asked(done)) == (4, ["Prices.test_prices"]), done.out


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
LOOSE = NODE_TEST.replace("strictEqual", "notEqual").replace(", 3)", ", null)").replace(", 7)", ", null)")


@pytest.mark.third_party
def test_a_hollowed_out_test_of_javascript(cli: Cli):
    package = '{"scripts": {"test": "node --test"}}\n'
    files = {"cart.mjs": JAVASCRIPT, "cart.test.mjs": NODE_TEST, "package.json": package}
    project = repository(cli.folder, files)
    write(project, {"cart.test.mjs": LOOSE})
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
