"""Failures read from printed output, runner by runner."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.failures import failures_in
from tests.tables import table_test

PYTEST = """
============================= test session starts ==============================
collected 3 items

tests/test_cart.py .FE                                                   [100%]

==================================== ERRORS ====================================
________________________ ERROR at setup of test_setup __________________________

    @pytest.fixture
    def broken():
>       return {}["x"]
E       KeyError: 'x'

tests/conftest.py:4: KeyError
=================================== FAILURES ===================================
____________________________ TestCart.test_total[2] ____________________________

self = <tests.test_cart.TestCart object at 0x7f>

    def test_total(self, n):
>       assert total(n) == 3

tests/test_cart.py:12:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

>   raise ValueError("no")
E   ValueError: no

src/cart.py:7: ValueError
=========================== short test summary info ============================
FAILED tests/test_cart.py::TestCart::test_total[2] - ValueError: no
ERROR tests/test_cart.py::test_setup - KeyError: 'x'
==================== 1 failed, 1 passed, 1 error in 0.05s ======================
"""
UNITTEST = """
.F
======================================================================
FAIL: test_total (tests.test_cart.CartTest.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests/test_cart.py", line 9, in test_total
    self.assertEqual(total(2), 3)
  File "/usr/lib/python3.11/unittest/case.py", line 873, in assertEqual
    assertion_func(first, second, msg=msg)
AssertionError: 2 != 3

----------------------------------------------------------------------
Ran 2 tests in 0.001s

FAILED (failures=1)
"""
GO = """
--- FAIL: TestTotal (0.00s)
    cart_test.go:12: got 2, want 3
FAIL
exit status 1
FAIL	shop/cart	0.002s
"""
GO_VERBOSE = """
=== RUN   TestTotal
    cart_test.go:12: got 2, want 3
--- FAIL: TestTotal (0.00s)
=== RUN   TestOk
--- PASS: TestOk (0.00s)
FAIL
"""
CARGO = """
running 2 tests
test tests::ok ... ok
test tests::total ... FAILED

failures:

---- tests::total stdout ----
thread 'tests::total' panicked at src/lib.rs:14:9:
assertion `left == right` failed
  left: 2
 right: 3
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    tests::total

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""
JEST = """
FAIL test/cart.test.js
  cart
    ✕ totals (3 ms)

  ● cart › totals

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 2

      5 | test('totals', () => {
    > 6 |   expect(total(2)).toBe(3);
        |                    ^

      at Object.toBe (test/cart.test.js:6:20)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 total
"""
VITEST = """
 ❯ test/cart.test.ts (1 test | 1 failed) 4ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/cart.test.ts > cart > totals
AssertionError: expected 2 to be 3 // Object.is equality

 ❯ test/cart.test.ts:6:20
      4|
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed (1)
      Tests  1 failed (1)
"""
MOCHA = """
  cart
    1) totals

  0 passing (4ms)
  1 failing

  1) cart
       totals:

      AssertionError [ERR_ASSERTION]: 2 == 3
      + expected - actual

      at Context.<anonymous> (test/cart.js:6:12)
      at process.processImmediate (node:internal/timers:476:21)
"""
NODE_SPEC = """
✖ totals (1.2ms)
ℹ tests 1
ℹ fail 1

✖ failing tests:

test at test/cart.test.js:4:1
✖ totals (1.2ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  2 !== 3

      at TestContext.<anonymous> (file:///repo/test/cart.test.js:5:10)
      at Test.runInAsyncScope (node:async_hooks:206:9)
"""
TAP = """
TAP version 13
# Subtest: cart
    # Subtest: totals
    not ok 1 - totals
      ---
      duration_ms: 1.2
      location: '/repo/test/cart.test.js:5:3'
      failureType: 'testCodeFailure'
      error: 'Expected 2 to equal 3'
      ...
    1..1
not ok 1 - cart
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
not ok 2 - later # TODO
1..2
"""
TAPE = """
TAP version 13
# totals
not ok 1 should be equal
  ---
    operator: equal
    expected: 3
    actual:   2
    at: Test.<anonymous> (/repo/test/cart.js:6:5)
  ...
1..1
"""
RSPEC = """
F

Failures:

  1) Cart totals the items
     Failure/Error: expect(cart.total).to eq 3

       expected: 3
            got: 2

     # ./spec/cart_spec.rb:7:in `block (2 levels) in <top (required)>'

Finished in 0.01 seconds
1 example, 1 failure

Failed examples:

rspec ./spec/cart_spec.rb:5 # Cart totals the items
"""
PHPUNIT = """
There was 1 failure:

1) CartTest::testTotal
Failed asserting that 2 matches expected 3.

/repo/tests/CartTest.php:17

FAILURES!
Tests: 2, Assertions: 2, Failures: 1.
"""
GRADLE = """
> Task :test FAILED

CartTest > totals() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:31

2 tests completed, 1 failed
"""

CASES = [
    (PYTEST, [("tests/test_cart.py::TestCart::test_total[2]", "src/cart.py", 7, "ValueError: no", "failed"), ("tests/test_cart.py::test_setup", "tests/conftest.py", 4, "KeyError: 'x'", "error")]),
    (UNITTEST, [("test_total (tests.test_cart.CartTest.test_total)", "tests/test_cart.py", 9, "AssertionError: 2 != 3", "failed")]),
    (GO, [("TestTotal", "cart_test.go", 12, "cart_test.go:12: got 2, want 3", "failed")]),
    (GO_VERBOSE, [("TestTotal", "cart_test.go", 12, "", "failed")]),
    (CARGO, [("tests::total", "src/lib.rs", 14, "assertion `left == right` failed", "failed")]),
    (JEST, [("cart › totals", "test/cart.test.js", 6, "expect(received).toBe(expected) // Object.is equality", "failed")]),
    (VITEST, [("test/cart.test.ts > cart > totals", "test/cart.test.ts", 6, "AssertionError: expected 2 to be 3 // Object.is equality", "failed")]),
    (MOCHA, [("cart › totals", "test/cart.js", 6, "AssertionError [ERR_ASSERTION]: 2 == 3", "failed")]),
    (NODE_SPEC, [("totals", "test/cart.test.js", 5, "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:", "failed")]),
    (TAP, [("totals", "test/cart.test.js", 5, "Expected 2 to equal 3", "failed")]),
    (TAPE, [("should be equal", "test/cart.js", 6, "", "failed")]),
    (RSPEC, [("Cart totals the items", "spec/cart_spec.rb", 7, "Failure/Error: expect(cart.total).to eq 3", "failed")]),
    (PHPUNIT, [("CartTest::testTotal", "tests/CartTest.php", 17, "Failed asserting that 2 matches expected 3.", "failed")]),
    (GRADLE, [("CartTest > totals()", "CartTest.java", 31, "org.opentest4j.AssertionFailedError at CartTest.java:31", "failed")]),
]  # fmt: skip


@table_test(("text", "expected"), CASES)
def test_failures_of_test_runners(text, expected):
    found = failures_in(text, "/repo")
    told = [
        (f.name, f.file, f.line, f.message if want[3] else "", f.kind)
        for f, want in zip(found, expected, strict=True)
    ]
    assert told == expected


COMPLAINTS = [
    ("src/cart.c:3:5: error: expected ';' before '}' token", ("src/cart.c", 3, 5, "")),
    ("src/cart.ts(3,5): error TS2322: Type 'string' is not assignable", ("src/cart.ts", 3, 5, "TS2322")),
    ("src/cart.ts:3:5 - error TS2322: Type 'string' is not assignable", ("src/cart.ts", 3, 5, "TS2322")),
    ("src/cart.py:3: error: Incompatible types in assignment  [assignment]", ("src/cart.py", 3, 0, "assignment")),
    ("src/cart.py:3:5: F401 `os` imported but unused", ("src/cart.py", 3, 5, "F401")),
    ("F401 [*] `os` imported but unused\n --> src/cart.py:3:5\n  |", ("src/cart.py", 3, 5, "F401")),
    ("error[E0308]: mismatched types\n --> src/lib.rs:3:5\n  |", ("src/lib.rs", 3, 5, "E0308")),
    ("/repo/src/cart.js\n  3:5  error  'x' is not defined  no-undef", ("src/cart.js", 3, 5, "no-undef")),
    ("./cart.go:3:5: undefined: total", ("cart.go", 3, 5, "")),
    ("Cart.java:3: error: ';' expected", ("Cart.java", 3, 0, "")),
    ("[ERROR] /repo/src/Cart.java:[3,5] ';' expected", ("src/Cart.java", 3, 5, "")),
    ("  /repo/src/cart.py:3:5 - error: \"x\" is not defined (reportUndefinedVariable)", ("src/cart.py", 3, 5, "reportUndefinedVariable")),
]  # fmt: skip


@table_test(("text", "expected"), COMPLAINTS)
def test_complaints_of_compilers_and_linters(text, expected):
    (found,) = failures_in(text, "/repo")
    assert (found.file, found.line, found.column, found.rule) == expected
    assert found.message


@table_test(
    "text",
    [
        "",
        "3 passed in 0.1s",
        "src/cart.c:3:5: warning: unused variable",
        "src/cart.py:3: note: See the documentation",
        "Server listening at http://localhost:3000: error: none",
        "ok 1 - totals\n1..1",
        "  1) buy milk\n  2) write tests",
        "/repo/src/a.js\n  3:5  warning  Unexpected console statement  no-console",
        "/usr/lib/python3.11/x.py:3: error: not ours",
    ],
)
def test_what_is_no_failure(text):
    assert failures_in(text, "/repo") == ()


def test_colours_are_no_hindrance():
    (found,) = failures_in("\x1b[31mFAILED\x1b[0m tests/test_a.py::\x1b[1mtest_x\x1b[0m - assert 1 == 2")
    assert (found.name, found.file, found.message) == (
        "tests/test_a.py::test_x",
        "tests/test_a.py",
        "assert 1 == 2",
    )


def test_at_most_fifty_and_always_the_same():
    text = "\n".join(f"FAILED tests/test_a.py::test_{n} - no" for n in range(500))
    assert len(failures_in(text)) == 50
    assert failures_in(text) == failures_in(text)


@given(st.text(max_size=400))
def test_any_text_is_borne(text):
    assert len(failures_in(text)) <= 50


@table_test(
    "line",
    ["a > " * 500, "at (" * 500, "x.y" * 600, "_" * 2000, " " * 2000, "FAILED a.py::" + "- " * 900, "a.b:1:" * 300, "● › " * 400],
)  # fmt: skip
def test_hostile_lines_cost_little(line):
    assert len(failures_in(f"{line}\n" * 400)) <= 50  # a catastrophe would not end


def test_what_pytest_itself_prints(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_bad():\n    x = 1\n    assert x == 2\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    (found,) = failures_in(done.stdout, str(tmp_path))
    assert (found.name, found.file, found.line) == ("test_it.py::test_bad", "test_it.py", 3)


def test_what_unittest_itself_prints(tmp_path):
    code = "import unittest\n\nclass T(unittest.TestCase):\n    def test_bad(self):\n        self.assertEqual(1, 2)\n"
    (tmp_path / "test_it.py").write_text(code)
    command = [sys.executable, "-m", "unittest", "test_it"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    (found,) = failures_in(done.stderr, str(tmp_path))
    assert (found.file, found.line, found.message) == ("test_it.py", 5, "AssertionError: 1 != 2")


def test_what_pytest_could_not_collect_is_told_by_what_was_raised(tmp_path):
    (tmp_path / "test_a.py").write_text("x = 1\ndef f(:\n    pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout
    (failure,) = failures_in(printed, str(tmp_path))
    assert (failure.file, failure.line, failure.kind) == ("test_a.py", 2, "error")
    assert failure.message == "SyntaxError: invalid syntax"
