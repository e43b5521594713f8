"""Which scenario is named at which test, in every language that is read."""

from textwrap import dedent

from donewhen.verify.scenario_links import find_links, gather
from tests.tables import table_test

PYTHON = """\
import donewhen
import pytest

# scenario: cart/total/above
def test_above():
    assert total([1]) == 1

def test_inside():
    # scenario: cart/total/inside, cart/total/second
    #           cart/total/third
    assert total([1]) == 1

@donewhen.scenario("cart/total/marked", "cart/total/also")
def test_marked():
    assert total([]) == 0

@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.scenario("cart/total/rows")
def test_rows(n):
    assert total([n]) == n

@pytest.mark.scenario("cart/total/class")
class TestCart:
    def test_one(self):
        assert total([1]) == 1

    def test_two(self):
        assert total([1, 1]) == 2
        # scenario: cart/total/last

def test_hollow():
    # scenario: cart/total/hollow
    assert True

@pytest.mark.skip
def test_off():
    # scenario: cart/total/off
    assert total([1]) == 1
"""
JAVASCRIPT = """\
import { test, describe, it } from "node:test";
import assert from "node:assert";

describe("cart", () => {
  // scenario: cart/total/above
  it("adds", () => {
    assert.equal(total([1]), 1);
  });

  it("adds more", async () => {
    /* scenario: cart/total/inside
     *           cart/total/second
     */
    assert.equal(total([1, 2]), 3);
  });
});

test("empty", () => {
  total([]); // scenario: cart/total/hollow
});
"""
GO = """\
package cart

import "testing"

// scenario: cart/total/above
func TestAbove(t *testing.T) {
	if Total(1) != 1 {
		t.Fatal("no")
	}
}

func TestParts(t *testing.T) {
	t.Run("of two", func(t *testing.T) {
		// scenario: cart/total/part
		if Total(1, 1) != 2 {
			t.Fatal("no")
		}
	})
}
"""
RUST = """\
pub fn total() -> i32 { 1 }

#[cfg(test)]
mod tests {
    use super::*;

    // scenario: cart/total/above
    #[test]
    fn adds() {
        assert_eq!(total(), 1);
    }

    #[test]
    fn nothing() {
        // scenario: cart/total/hollow
        total();
    }
}
"""
JAVA = """\
package shop;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class CartTest {
    /** scenario: cart/total/above */
    @Test
    void adds() {
        assertEquals(1, Cart.total(1));
    }

    @Test
    void inside() {
        // scenario: cart/total/inside
        assertEquals(2, Cart.total(2));
    }
}
"""


def found(path: str, text: str) -> set[tuple[str, str, bool | None]]:
    return {
        (link.id.removeprefix("cart/total/"), link.test, link.asserts)
        for link in find_links(path, text.encode())
    }


def test_python_comments_and_markers() -> None:
    assert found("tests/test_cart.py", PYTHON) == {
        ("above", "test_above", True),
        ("inside", "test_inside", True),
        ("second", "test_inside", True),
        ("third", "test_inside", True),
        ("marked", "test_marked", True),
        ("also", "test_marked", True),
        ("rows", "test_rows", True),
        ("class", "TestCart.test_one", True),
        ("class", "TestCart.test_two", True),
        ("last", "TestCart.test_two", True),
        ("hollow", "test_hollow", False),
        ("off", "test_off", True),
    }


def test_a_disabled_test_is_told_as_such() -> None:
    (link,) = [each for each in find_links("tests/test_cart.py", PYTHON.encode()) if each.id.endswith("off")]
    assert "skip" in link.disabled


@table_test(
    ("path", "text", "links"),
    [
        (
            "test/cart.test.js",
            JAVASCRIPT,
            {
                ("above", "cart > adds", True),
                ("inside", "cart > adds more", True),
                ("second", "cart > adds more", True),
                ("hollow", "empty", False),
            },
        ),
        ("cart_test.go", GO, {("above", "TestAbove", True), ("part", "TestParts/of_two", True)}),
        ("src/cart.rs", RUST, {("above", "tests::adds", True), ("hollow", "tests::nothing", False)}),
        (
            "src/test/java/shop/CartTest.java",
            JAVA,
            {("above", "CartTest.adds", True), ("inside", "CartTest.inside", True)},
        ),
    ],
    ids=["javascript", "go", "rust", "java"],
)
def test_comments_in_other_languages(path: str, text: str, links: set[tuple[str, str, bool | None]]) -> None:
    assert found(path, text) == links


def test_a_comment_outside_of_every_test_links_none() -> None:
    text = "# scenario: cart/total/loose\nimport os\n\n\ndef test_one():\n    assert os.sep == '/'\n"
    assert found("tests/test_a.py", text) == {("loose", "", False)}


def test_text_that_only_looks_like_a_comment_is_none() -> None:
    text = 'def test_one():\n    text = "# scenario: cart/total/string"\n    assert text == 1\n'
    assert found("tests/test_a.py", text) == set()


def test_ids_that_are_worked_out_are_not_read() -> None:
    text = dedent("""\
        import pytest
        name = "a/b/c"

        @pytest.mark.scenario(name)
        @pytest.mark.scenario(f"{name}")
        def test_one():
            assert total() == 1
        """)
    assert found("tests/test_a.py", text) == set()


@table_test(
    ("written", "ids"),
    [
        ("a/b/c", ("a/b/c",)),
        ("`a/b/c`, 'd/e/f'.", ("a/b/c", "d/e/f")),
        ("a/b/c - the happy path", ("a/b/c",)),
        ("a/b/c: the happy path", ("a/b/c",)),
        ("购物车/总价/相加", ("购物车/总价/相加",)),
        ("e\u0301/b/c", ("\u00e9/b/c",)),
        ("a name of one's own", ("a name of one's own",)),
        ("", ()),
    ],
)
def test_ids_as_people_write_them(written: str, ids: tuple[str, ...]) -> None:
    text = f"def test_one():\n    # scenario: {written}\n    assert f() == 1\n"
    assert tuple(link.id for link in find_links("tests/test_a.py", text.encode())) == ids


def test_a_module_mark_is_for_all_its_tests() -> None:
    text = dedent("""\
        import pytest
        pytestmark = [pytest.mark.scenario("a/b/c")]

        def test_one():
            assert total() == 1

        def test_two():
            assert total() == 2
        """)
    assert found("tests/test_a.py", text) == {("a/b/c", "test_one", True), ("a/b/c", "test_two", True)}


def test_a_helper_that_is_named_like_a_check_is_believed() -> None:
    text = "from helpers import assert_total\n\ndef test_one():\n    # scenario: a/b/c\n    assert_total(1)\n"
    assert found("tests/test_a.py", text) == {("a/b/c", "test_one", True)}


@table_test(
    ("path", "text"),
    [
        (
            "test/a.test.js",
            'test("x", () => {\n  // scenario: a/b/c\n  total(); expect(true).toBe(true);\n});\n',
        ),
        ("test/a.test.js", 'it("x", () => {\n  // scenario: a/b/c\n  total(); assert.ok(true);\n});\n'),
        (
            "tests/test_a.py",
            "import unittest\n\nclass A(unittest.TestCase):\n    def test_x(self):\n        # scenario: a/b/c\n"
            "        self.assertTrue(True)\n        total()\n",
        ),
        (
            "a_test.go",
            'package a\n\nimport "testing"\n\nfunc TestX(t *testing.T) {\n\t// scenario: a/b/c\n\tTotal()\n}\n',
        ),
        (
            "src/test/java/ATest.java",
            "class ATest {\n  @Test\n  void x() {\n    // scenario: a/b/c\n    assertTrue(true);\n  }\n}\n",
        ),
        ("src/lib.rs", "#[test]\nfn x() {\n    // scenario: a/b/c\n    assert!(true);\n}\n"),
    ],
)
def test_assertions_that_can_not_fail_are_none(path: str, text: str) -> None:
    assert {asserts for _, _, asserts in found(path, text)} == {False}


def test_unknown_languages_leave_open_whether_a_test_asserts() -> None:
    text = "class CartTest extends TestCase {\n  // scenario: a/b/c\n  public function testAdds() {}\n}\n"
    assert found("tests/CartTest.php", text) == {("a/b/c", "", None)}


@table_test(
    "data",
    [
        b"\0scenario: a/b/c",
        b"def test_x(:\n  # scenario: a/b/c\n" + b"(" * 5000,
        b"# scenario: " + b"a/" * 50_000,
        b"# scenario: a/b/c\n" * 20_000,
        b"def test_x():\n" + b"    # scenario: \xff\xfe/b/c\n    assert f(" + b"[" * 3000,
    ],
)
def test_hostile_files_are_survived(data: bytes) -> None:
    assert isinstance(find_links("tests/test_x.py", data), tuple)


def test_files_are_gathered_and_others_left_alone() -> None:
    files = {
        "tests/test_a.py": b"def test_one():\n    # scenario: a/b/c\n    assert f() == 1\n",
        "README.md": b"# scenario: a/b/c\n",
        "node_modules/x/a.test.js": b"// scenario: a/b/c\n",
    }
    assert [link.file for link in gather(files, files.__getitem__)] == ["tests/test_a.py"]
