"""What the reader of test functions sees, language by language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify import test_functions as reading
from tests.tables import table_test

PYTHON = """
import pytest, unittest

ROWS = [(1, 2), (2, 3), (3, 4)]

def check(a, b):
    assert a == b

@pytest.mark.parametrize("a,b", ROWS)
@pytest.mark.parametrize("c", [1, 2])
def test_rows(a, b, c):
    check(a, b)

class OverlapTest(unittest.TestCase):
    def needs(self):
        self.skipTest("no")

    @unittest.skip("later")
    def test_inside(self):
        self.assertEqual(f(), 1)

    def test_errors(self):
        with self.assertRaises(ValueError):
            f()

def test_loop():
    cases = [(1, 2), (2, 3)]
    for a, b in cases:
        assert f(a) == b
"""
JAVASCRIPT = """
describe("cart", () => {
  it("adds", () => { expect(add(1)).toBe(2); });
  it.skip("later", () => { expect(add(1)).toBe(2); });
  it.each([[1, 2], [2, 3]])("row %d", (a, b) => { expect(a).toBe(b); });
});
test("top", async (t) => { await t.test("sub", () => { assert.strictEqual(f(), 2); }); });
"""
GO = """
package a
func TestSum(t *testing.T) {
	tests := []struct{ a, b int }{{1, 2}, {2, 3}}
	for _, tt := range tests {
		t.Run("no rest", func(t *testing.T) {
			if got := Sum(tt.a); got != tt.b { t.Errorf("got %v", got) }
		})
	}
}
func TestLater(t *testing.T) { t.Skip("later") }
"""
RUST = """
fn add(a: i32) -> i32 { a }
mod tests {
    fn check(a: i32) { assert_eq!(add(a), 1); }
    #[test]
    #[ignore]
    fn adds() { check(1); assert!(add(1) == 1); }
    #[rstest]
    #[case(1)]
    #[case(2)]
    fn rows(#[case] a: i32) { assert!(a > 1, "x"); }
}
"""
JAVA = """
class ATest {
  @Test void adds() { assertEquals(1, add(1)); assertNotNull(x); }
  @Nested class Inner { @Disabled @Test void not() { assertThrows(E.class, () -> f()); } }
  @ParameterizedTest @ValueSource(ints = {1, 2, 3}) void rows(int a) { assertEquals(a, f(a)); }
}
"""
BATS = """
@test "adds up" {
  run add 1 2
  [ "$status" -eq 0 ]
  [ "$output" = "3" ]
}
"""


def seen(path: str, text: str) -> list[tuple[str, int, int, bool]]:
    found = reading.read_test_functions(path, text.encode())
    return [(each.name, each.strong, each.rows, bool(each.disabled)) for each in found]


READ = {
    "python": (
        "test_a.py",
        PYTHON,
        [
            ("test_rows", 1, 6, False),
            ("OverlapTest.test_inside", 1, 1, True),
            ("OverlapTest.test_errors", 1, 1, False),
            ("test_loop", 1, 2, False),
        ],
    ),
    "javascript": (
        "a.test.js",
        JAVASCRIPT,
        [
            ("cart > adds", 1, 1, False),
            ("cart > later", 1, 1, True),
            ("cart > row %d", 1, 2, False),
            ("top", 1, 1, False),
            ("top > sub", 1, 1, False),
        ],
    ),
    "typescript": (
        "a.test.ts",
        'it("adds", (): void => { assert.equal(f() as number, 2) })',
        [("adds", 1, 1, False)],
    ),
    "go": (
        "a_test.go",
        GO,
        [("TestSum", 1, 2, False), ("TestSum/no_rest", 1, 1, False), ("TestLater", 0, 1, True)],
    ),
    "rust": ("a.rs", RUST, [("tests::adds", 2, 1, True), ("tests::rows", 1, 2, False)]),
    "java": (
        "ATest.java",
        JAVA,
        [("ATest.adds", 1, 1, False), ("ATest.Inner.not", 1, 1, True), ("ATest.rows", 1, 3, False)],
    ),
    "shell": ("a.bats", BATS, [("adds up", 2, 1, False)]),
    "unknown": ("a.txt", "def test_a(): assert f() == 1", []),
}


@table_test("path, text, expected", READ.values())
def test_functions_with_their_strong_assertions_and_rows(path, text, expected):
    assert seen(path, text) == expected


WEAK = [
    "assert f(1) is not None",
    "assert True",
    "assert f(1)",
    "assert isinstance(f(1), int)",
    "assert type(f(1)) is int",
    "assert f(1) == f(1)",
    "assert f(1) == 3 or True",
    "assert (f(1) == 3, 'sure')",
    "self.assertIsNotNone(f(1))",
    "self.assertTrue(f(1))",
    "self.assertEqual(f(1), f(1))",
    "try:\n        assert f(1) == 3\n    except Exception:\n        pass",
    "f(1)\n    return\n    assert f(1) == 3",
    "with contextlib.suppress(Exception):\n        assert f(1) == 3",
]
STRONG = [
    "assert f(1) == 3",
    "assert f(1) is None",
    "assert 3 in f(1)",
    "assert all(x == 3 for x in f(1))",
    "self.assertTrue(f(1) == 3)",
    "self.assertEqual(f(1), 3)",
    "pytest.raises(ValueError, f)",
    "mock.assert_called_once_with(3)",
    "numpy.testing.assert_allclose(f(1), 3)",
    "try:\n        assert f(1) == 3\n    except ValueError:\n        pass",
    "if f(1) == 2:\n        return\n    assert f(1) == 3",
]


@pytest.mark.parametrize(
    ("statement", "strong"), [*((each, 0) for each in WEAK), *((each, 1) for each in STRONG)]
)
def test_what_counts_as_strong(statement, strong):
    assert seen("test_a.py", f"def test_a(self):\n    {statement}\n") == [("test_a", strong, 1, False)]


def digests(text: str) -> dict[str, str]:
    return {each.name: each.digest for each in reading.read_test_functions("test_a.py", text.encode())}


def test_layout_comments_and_the_name_make_no_difference():
    one = digests("def test_a():\n    assert f(1,\n        2) == 3\n")
    assert list(one.values()) == list(
        digests("def test_b():\n    # three\n    assert f(1, 2) == 3\n").values()
    )


@pytest.mark.parametrize("part", ["(1, 2)", "a == b", "[1, 2])", '"later"'])
def test_helpers_data_and_marks_count_towards_the_tests_that_use_them(part):
    changed = PYTHON.replace(part, part[:-1] + " + 1" + part[-1] if part[-1] in ")]" else part + "[0]")
    before, after = digests(PYTHON), digests(changed)
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] != after[name]] != []
    assert before["OverlapTest.test_errors"] == after["OverlapTest.test_errors"]


def test_the_syntax_digest_knows_blocks_from_layout():
    same = {
        reading.syntax_digest("a.py", text)
        for text in (b"if a:\n  b()\nc()\n", b"if a:\n    b()  # x\nc()\n")
    }
    assert len(same) == 1
    assert reading.syntax_digest("a.py", b"if a:\n  b()\n  c()\n") not in same


@given(
    st.text(max_size=400),
    st.sampled_from(["a.py", "a.test.ts", "a.tsx", "a_test.go", "a.rs", "A.java", "a.bats"]),
)
def test_any_text_is_read(text, path):
    data = text.encode(errors="surrogatepass")
    for each in reading.read_test_functions(path, data):
        assert 0 < each.first <= each.last <= data.count(b"\n") + data.count(b"\r") + 1
    reading.syntax_digest(path, data)
