"""Names in reports and names of tests: who is meant."""

from donewhen.core.scenarios import Case, Link
from donewhen.verify.scenario_proofs import Reported
from tests.tables import table_test


def link(language: str, file: str, test: str, first: int = 1, last: int = 9, line: int = 2) -> Link:
    return Link("a/b/c", test, file, line, True, language=language, first=first, last=last)


def cases_of(linked: Link, cases: list[Case]) -> tuple[Case, ...]:
    return Reported(cases).of(linked)


PYTHON = link("python", "tests/unit/test_cart.py", "TestCart.test_adds", 10, 14)
FUNCTION = link("python", "tests/test_cart.py", "test_adds")
NODE = link("javascript", "test/cart.test.js", "cart > adds")
TOP = link("javascript", "test/cart.test.js", "adds")
ROWS = link("typescript", "test/cart.test.ts", "cart > adds %i and $b")
GO = link("go", "pkg/cart/cart_test.go", "TestSum/of_two")
RUST = link("rust", "src/shop/cart.rs", "tests::adds")
JAVA = link("java", "src/test/java/com/shop/CartTest.java", "CartTest.adds")
NESTED = link("java", "src/test/java/com/shop/CartTest.java", "CartTest.Empty.adds")


@table_test(
    ("linked", "case"),
    [
        (PYTHON, Case("test_adds", group="tests.unit.test_cart.TestCart")),
        (PYTHON, Case("test_adds[1-2]", group="tests.unit.test_cart.TestCart")),
        (PYTHON, Case("test_adds", group="unit.test_cart.TestCart")),
        (PYTHON, Case("test_adds", group="test_cart.TestCart")),
        (PYTHON, Case("test_adds", group="project.tests.unit.test_cart.TestCart")),
        (PYTHON, Case("test_adds", group="__main__.TestCart", file="tests/unit/test_cart.py", line=11)),
        (PYTHON, Case("test_adds", group="other.Derived", file="tests/unit/test_cart.py", line=10)),
        (FUNCTION, Case("test_adds", group="tests.test_cart")),
        (FUNCTION, Case("test_adds", file="tests/test_cart.py")),
        (NODE, Case("adds", group="test", suites=("cart",))),
        (NODE, Case("adds", group="test", suites=("/p/test/cart.test.js", "cart"))),
        (NODE, Case("cart > adds", group="test/cart.test.js", suites=("test/cart.test.js",))),
        (NODE, Case("cart adds", group="cart adds", suites=("cart",))),
        (NODE, Case("adds", suites=("cart",), file="test/cart.test.js")),
        (NODE, Case("cart adds", file="test/cart.test.js")),
        (TOP, Case("adds", group="test")),
        (TOP, Case("a part", group="test", suites=("adds",))),
        (ROWS, Case("adds 3 and 4", suites=("cart",), file="test/cart.test.ts")),
        (GO, Case("TestSum/of_two", group="example.com/shop/pkg/cart")),
        (RUST, Case("shop::cart::tests::adds")),
        (link("rust", "tests/it.rs", "adds"), Case("adds", group="shop::it")),
        (link("rust", "src/lib.rs", "tests::adds"), Case("tests::adds")),
        (JAVA, Case("adds", group="com.shop.CartTest")),
        (JAVA, Case("adds()", group="com.shop.CartTest")),
        (JAVA, Case("adds(int, int)[1]", group="com.shop.CartTest")),
        (JAVA, Case("adds{int}[2]", group="com.shop.CartTest")),
        (JAVA, Case("adds", group="CartTest")),
        (NESTED, Case("adds()", group="com.shop.CartTest$Empty")),
    ],
)
def test_a_case_of_the_linked_test(linked: Link, case: Case) -> None:
    assert cases_of(linked, [case]) == (case,)


@table_test(
    ("linked", "case"),
    [
        (PYTHON, Case("test_adds", group="tests.unit.test_order.TestCart")),
        (PYTHON, Case("test_adds", group="tests.unit.test_cart.TestOther")),
        (PYTHON, Case("test_adds", group="tests.other.test_cart.TestCart")),
        (PYTHON, Case("test_adds_more", group="tests.unit.test_cart.TestCart")),
        (PYTHON, Case("test_adds", group="TestCart")),
        (PYTHON, Case("test_adds", group="TestCart", file="tests/test_order.py", line=11)),
        (FUNCTION, Case("tests.test_cart")),
        (FUNCTION, Case("test_adds", group="tests.test_cart.TestCart")),
        (NODE, Case("adds", group="test", suites=("order",))),
        (NODE, Case("adds", suites=("cart",), file="test/order.test.js")),
        (NODE, Case("adds", group="test")),
        (TOP, Case("adds", group="test", suites=("cart",))),
        (ROWS, Case("subtracts 3 and 4", suites=("cart",), file="test/cart.test.ts")),
        (GO, Case("TestSum", group="example.com/shop/pkg/cart")),
        (RUST, Case("order::tests::adds")),
        (RUST, Case("shop::cart::tests::adds_more")),
        (JAVA, Case("adds", group="com.shop.OrderTest")),
        (JAVA, Case("adds", group="com.other.CartTest")),
        (JAVA, Case("addsMore", group="com.shop.CartTest")),
    ],
)
def test_a_case_of_another_test(linked: Link, case: Case) -> None:
    assert cases_of(linked, [case]) == ()


def test_of_two_go_packages_the_one_in_the_folder_counts() -> None:
    here = Case("TestSum/of_two", "passed", "example.com/shop/pkg/cart")
    there = Case("TestSum/of_two", "failed", "example.com/shop/pkg/order")
    assert cases_of(GO, [here, there]) == (here,)
    assert cases_of(GO, [there]) == (there,)  # a module's folder may have any name
    root = link("go", "cart_test.go", "TestSum/of_two")
    assert (
        cases_of(root, [here, there, Case("TestSum/of_two", group="example.com/shop")])[0].group
        == "example.com/shop"
    )


def test_in_unknown_languages_the_report_must_name_the_line() -> None:
    linked = Link("a/b/c", "", "tests/CartTest.php", 12, None)
    cases = [
        Case("testOne", file="tests/CartTest.php", line=5),
        Case("testTwo", file="tests/CartTest.php", line=10),
        Case("testThree", file="tests/CartTest.php", line=20),
        Case("testTwo", file="tests/OrderTest.php", line=11),
        Case("testNoLine", file="tests/CartTest.php"),
    ]
    assert [case.name for case in cases_of(linked, cases)] == ["testTwo"]
    assert [case.name for case in cases_of(linked._replace(line=19), cases)] == ["testThree"]
    assert cases_of(linked, [cases[-1]]) == ()
