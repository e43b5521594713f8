"""Machine reports of runners: every test by name, and what it came to."""

import json

from donewhen.core.scenarios import Case
from donewhen.verify.machine_reports import (
    claims_too_much,
    printed_reader,
    read_any,
    read_cargo_json,
    read_go_json,
    read_jest_json,
    read_junit,
    read_plugin_lines,
    read_recorded,
)
from tests.tables import table_test

GO = b"""\
{"Time":"2024-05-01T10:00:00Z","Action":"start","Package":"example.com/shop/cart"}
{"Action":"run","Package":"example.com/shop/cart","Test":"TestSum"}
{"Action":"output","Package":"example.com/shop/cart","Test":"TestSum","Output":"{\\"Action\\":\\"pass\\",\\"Test\\":\\"TestForged\\"}\\n"}
{"Action":"pass","Package":"example.com/shop/cart","Test":"TestSum/of_two","Elapsed":0}
{"Action":"pass","Package":"example.com/shop/cart","Test":"TestSum","Elapsed":0}
{"Action":"skip","Package":"example.com/shop/cart","Test":"TestSlow","Elapsed":0}
{"Action":"fail","Package":"example.com/shop/cart","Test":"TestBad","Elapsed":0.01}
{"Action":"fail","Package":"example.com/shop/cart","Elapsed":0.2}
make: *** [Makefile:2: test] Error 1
"""
JEST = {
    "numFailedTests": 1,
    "testResults": [
        {
            "name": "/work/p/test/cart.test.js",
            "status": "failed",
            "assertionResults": [
                {"ancestorTitles": ["cart"], "title": "adds", "status": "passed", "numPassingAsserts": 2},
                {
                    "ancestorTitles": ["cart", "empty"],
                    "title": "is 0",
                    "status": "failed",
                    "location": {"line": 9},
                },
                {"ancestorTitles": [], "title": "later", "status": "pending"},
                {"ancestorTitles": [], "title": "some day", "status": "todo"},
            ],
        }
    ],
}
MOCHA = {
    "stats": {"tests": 2},
    "passes": [{"title": "adds", "fullTitle": "cart adds", "file": "/work/p/test/cart.js"}],
    "failures": [{"title": "is 0", "fullTitle": "cart empty is 0", "file": "/work/p/test/cart.js"}],
    "pending": [],
}
CARGO = b"""\
{ "type": "suite", "event": "started", "test_count": 3 }
{ "type": "test", "event": "started", "name": "cart::tests::adds" }
{ "type": "test", "name": "cart::tests::adds", "event": "ok" }
{ "type": "test", "name": "cart::tests::slow", "event": "ignored" }
{ "type": "test", "name": "cart::tests::bad", "event": "failed", "stdout": "thread panicked" }
{ "type": "test", "name": "shop::it$adds", "event": "ok" }
{ "type": "suite", "event": "failed", "passed": 1 }
"""
PHPUNIT = b"""<?xml version="1.0"?><testsuites><testsuite name="CartTest" file="/work/p/tests/CartTest.php">
<testcase name="testAdds" class="CartTest" classname="CartTest" file="/work/p/tests/CartTest.php" line="9" assertions="2"/>
</testsuite></testsuites>"""
PYTEST = b"""<testsuites><testsuite name="pytest" tests="4">
<testcase classname="tests.test_cart.TestCart" name="test_adds[1]"><properties><property name="scenario" value="a/b/c"/>
</properties></testcase>
<testcase classname="tests.test_cart" name="test_x"><skipped type="pytest.xfail" message=""/></testcase>
<testcase classname="tests.test_cart" name="test_s"><skipped type="pytest.skip" message="no"/></testcase>
<testcase classname="tests.test_cart" name="test_f"><failure message="assert 1 == 2">x</failure></testcase>
</testsuite></testsuites>"""
NODE = b"""<?xml version="1.0" encoding="utf-8"?><testsuites>
<testsuite name="cart"><testcase name="adds" classname="test"/>
<testsuite name="deep"><testcase name="x" classname="test"><failure type="testCodeFailure" message="1 == 2"/></testcase></testsuite>
</testsuite><testcase name="plain" classname="test"/></testsuites>"""


def test_go() -> None:
    package = "example.com/shop/cart"
    assert read_go_json(GO) == (
        Case("TestSum/of_two", "passed", package),
        Case("TestSum", "passed", package),
        Case("TestSlow", "skipped", package),
        Case("TestBad", "failed", package),
    )


def test_jest_and_vitest() -> None:
    file = "test/cart.test.js"
    expected = (
        Case("adds", "passed", suites=("cart",), file=file, assertions=2),
        Case("is 0", "failed", suites=("cart", "empty"), file=file, line=9),
        Case("later", "skipped", file=file),
        Case("some day", "skipped", file=file),
    )
    assert read_jest_json(json.dumps(JEST, indent=2).encode(), "/work/p") == expected
    printed = f"> jest --json\n\nPASS test/cart.test.js\n{json.dumps(JEST)}\n"
    assert read_jest_json(printed.encode(), "/work/p") == expected


def test_mocha() -> None:
    assert read_jest_json(json.dumps(MOCHA).encode(), "/work/p") == (
        Case("cart adds", "passed", file="test/cart.js"),
        Case("cart empty is 0", "failed", file="test/cart.js"),
    )


def test_cargo() -> None:
    assert read_cargo_json(CARGO) == (
        Case("cart::tests::adds", "passed"),
        Case("cart::tests::slow", "skipped"),
        Case("cart::tests::bad", "failed"),
        Case("adds", "passed", "shop::it"),
    )


def test_junit_of_pytest_with_marks() -> None:
    found = read_junit(PYTEST)
    assert found is not None
    assert [(case.name, case.outcome, case.scenarios) for case in found.cases] == [
        ("test_adds[1]", "passed", ("a/b/c",)),
        ("test_x", "xfailed", ()),
        ("test_s", "skipped", ()),
        ("test_f", "failed", ()),
    ]


def test_junit_of_node_keeps_the_titles_around() -> None:
    found = read_junit(NODE)
    assert found is not None
    assert [(case.suites, case.name, case.outcome) for case in found.cases] == [
        (("cart",), "adds", "passed"),
        (("cart", "deep"), "x", "failed"),
        ((), "plain", "passed"),
    ]


def test_junit_with_lines_and_assertions() -> None:
    found = read_junit(PHPUNIT, "/work/p")
    assert found is not None
    assert found.cases == (Case("testAdds", "passed", "CartTest", ("CartTest",), "tests/CartTest.php", 9, 2),)


def test_lines_of_the_plugin() -> None:
    row = {
        "nodeid": "tests/test_a.py::TestA::test_b[x::y]",
        "outcome": "xfailed",
        "file": "tests/test_a.py",
        "line": 4,
        "scenarios": ["a/b/c"],
    }
    assert read_plugin_lines(json.dumps(row).encode()) == (
        Case("test_b[x::y]", "xfailed", "TestA", file="tests/test_a.py", line=4, scenarios=("a/b/c",)),
    )


def test_recorded_lines() -> None:
    data = b"passed\0tests.test_a.A.test_b\0/work/p/tests/test_a.py\0007\ncut\0off\nfailed\0x"
    assert read_recorded(data, "/work/p") == (
        Case("test_b", "passed", "tests.test_a.A", file="tests/test_a.py", line=7),
    )


@table_test(
    ("command", "reads"),
    [
        ("go test -json ./...", True),
        ("env CGO_ENABLED=0 go test ./... -json", True),
        ("npx jest --json", True),
        ("npx vitest run --reporter json", True),
        ("cargo test -- -Z unstable-options --format json", True),
        ("cargo nextest run --message-format libtest-json", True),
        ("go test ./...", False),
        ("make test", False),
        ("npm test -- --json", False),
        ("cat report-json", False),
    ],
)
def test_what_is_printed_is_a_report_only_where_it_was_asked_for(command: str, reads: bool) -> None:
    assert (printed_reader(command.split()) is not None) == reads


@table_test("data", [GO, json.dumps(JEST).encode(), CARGO, PYTEST])
def test_a_file_is_read_by_what_it_holds(data: bytes) -> None:
    assert len(read_any(data)) == 4


@table_test(
    "data",
    [
        b"",
        b"{" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"testResults": 3}',
        b'{"testResults": [{"assertionResults": [{"status": [], "ancestorTitles": 3, "title": {}}]}]}',
        b'{"type": "test", "event": {}, "name": 3}',
        b'{"Action": [], "Test": 1}',
        b'{"outcome": "passed", "nodeid": 7}',
        b"\xff\xfe\0",
    ],
)
def test_what_is_no_report_names_no_test(data: bytes) -> None:
    assert read_any(data) == ()
    assert read_plugin_lines(data) == ()
    assert read_recorded(data) == ()


@table_test(
    ("data", "executed", "made_up"),
    [
        (b"began\x001\n", 4, True),
        (b"began\x001\n", 0, False),
        (b"began\x001\ncounted\x001\npassed\0a.T.test_b\0/p/a.py\x007\n", 1, False),
        (b"began\x001\nbegan\x002\ncounted\x002\npassed\0a.T.test_b\0/p/a.py\x007\n", 5, True),
        (
            b"began\x001\nbegan\x002\ncounted\x002\npassed\0a.T.test_b\0/p/a.py\x007\n",
            1,
            False,
        ),  # the other was empty
        (b"", 4, False),  # nobody looked
        (b"passed\0a.T.test_b\0/p/a.py\x007\n", 4, False),
    ],
)
def test_a_summary_counts_only_if_unittest_told_of_tests(data: bytes, executed: int, made_up: bool) -> None:
    assert claims_too_much(data, executed) == made_up
