"""JUnit reports of many dialects, and files that only look like one."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.counts import nothing_ran, reports_failures
from donewhen.verify.machine_reports import JunitReport, read_junit
from tests.tables import table_test


def read(text: str, root: str = "") -> JunitReport:
    report = read_junit(text.encode(), root)
    assert report is not None
    return report


def numbers(report: JunitReport) -> tuple[int | None, int | None, int, int, int]:
    c = report.counts
    return c.executed, c.passed, c.failed, c.errors, c.skipped


PYTEST_XUNIT2 = """<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="2" tests="6" time="0.05">
<testcase classname="tests.test_a" name="test_ok" time="0.001" />
<testcase classname="tests.test_a" name="test_bad[1-2]" time="0.001"><failure message="assert 1 == 2">def test_bad(a, b):
&gt;       assert a == b
E       assert 1 == 2

tests/test_a.py:9: AssertionError</failure></testcase>
<testcase classname="tests.test_a" name="test_setup" time="0.0"><error message="failed on setup with &quot;KeyError: 'x'&quot;">@pytest.fixture
    def broken():
&gt;       return {}['x']
E       KeyError: 'x'

tests/conftest.py:4: KeyError</error></testcase>
<testcase classname="tests.test_a" name="test_skip"><skipped type="pytest.skip" message="no">x</skipped></testcase>
<testcase classname="tests.test_a" name="test_xfail"><skipped type="pytest.xfail" message="known" /></testcase>
<testcase classname="tests.test_a" name="test_last" />
</testsuite></testsuites>"""


def test_pytest():
    report = read(PYTEST_XUNIT2)
    assert numbers(report) == (4, 2, 1, 1, 1)
    bad, broken = report.failures
    assert (bad.name, bad.file, bad.line, bad.kind) == (
        "tests.test_a › test_bad[1-2]",
        "tests/test_a.py",
        9,
        "failed",
    )
    assert bad.message == "assert 1 == 2"
    assert (broken.file, broken.line, broken.kind) == ("tests/conftest.py", 4, "error")
    assert "return {}" in broken.details


def test_pytest_with_places_in_attributes():
    report = read(
        """<testsuites><testsuite name="pytest" tests="1"><testcase classname="t.A" name="x" file="t/a.py" line="11">
        <failure message="boom">no place here</failure></testcase></testsuite></testsuites>"""
    )
    (failure,) = report.failures
    assert (failure.file, failure.line) == ("t/a.py", 12)


def test_surefire_with_reruns():
    report = read(
        """<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.shop.CartTest" time="0.1" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="adds" classname="com.shop.CartTest" time="0.01"/>
  <testcase name="flaky" classname="com.shop.CartTest"><flakyFailure message="once" type="x"><stackTrace>at a.b(C.java:1)</stackTrace></flakyFailure></testcase>
  <testcase name="removes" classname="com.shop.CartTest"><failure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at com.shop.CartTest.removes(CartTest.java:31)
	at java.base/java.lang.reflect.Method.invoke(Method.java:569)
]]></failure><rerunFailure message="again" type="x"/><system-out>noise</system-out></testcase>
  <testcase name="explodes" classname="com.shop.CartTest"><error type="java.lang.NullPointerException">java.lang.NullPointerException
	at com.shop.Cart.total(Cart.java:12)</error></testcase>
  <testcase name="later" classname="com.shop.CartTest"><skipped message="not yet"/></testcase>
</testsuite>"""
    )
    assert numbers(report) == (4, 2, 1, 1, 1)
    assert [(f.file, f.line) for f in report.failures] == [("CartTest.java", 31), ("Cart.java", 12)]
    assert report.failures[1].message == "java.lang.NullPointerException"


def test_jest_and_vitest():
    report = read(
        """<testsuites name="vitest tests" tests="2" failures="1"><testsuite name="test/sum.test.ts" tests="2" failures="1">
        <testcase classname="test/sum.test.ts" name="sum &gt; adds" time="0.01"><failure message="expected 3 to be 4" type="AssertionError">
AssertionError: expected 3 to be 4 // Object.is equality
 ❯ node_modules/vitest/dist/x.js:1:2
 ❯ test/sum.test.ts:5:20</failure></testcase><testcase classname="test/sum.test.ts" name="ok"/></testsuite></testsuites>"""
    )
    assert numbers(report) == (2, 1, 1, 0, 0)
    assert (report.failures[0].file, report.failures[0].line) == ("test/sum.test.ts", 5)
    jest = read(
        """<testsuites name="jest tests" tests="1" failures="1"><testsuite name="cart" tests="1">
        <testcase classname="cart adds" name="cart adds"><failure>Error: expect(received).toBe(expected)
    at Object.toBe (/repo/test/cart.test.js:7:15)
    at Promise.then.completed (/repo/node_modules/jest-circus/build/utils.js:298:28)</failure></testcase></testsuite></testsuites>""",
        root="/repo",
    )
    assert (jest.failures[0].file, jest.failures[0].line) == ("test/cart.test.js", 7)
    assert jest.failures[0].name == "cart adds"


def test_node_mocha_go_nextest_and_phpunit():
    node = """<testsuites><testcase name="top" time="0.1" classname="test"/>
      <testsuite name="group" tests="3" failures="1" skipped="1"><testcase name="a"/>
      <testcase name="b" failure="no"><failure type="testCodeFailure" message="no">[Error [ERR_TEST_FAILURE]: no] {
      at TestContext.&lt;anonymous&gt; (file:///repo/test/a.test.js:5:9)
      at Test.run (node:internal/test_runner/test:797:25) }</failure></testcase>
      <testcase name="c"><skipped type="skip" message="true"/></testcase></testsuite></testsuites>"""
    assert numbers(read(node)) == (3, 2, 1, 0, 1)
    assert (read(node, "/repo").failures[0].file, read(node, "/repo").failures[0].line) == (
        "test/a.test.js",
        5,
    )
    go = """<testsuites tests="2" failures="1"><testsuite name="shop/cart" tests="2" failures="1">
      <testcase name="TestAdd" classname="shop/cart"><failure message="Failed">    cart_test.go:12: got 1, want 2</failure></testcase>
      <testcase name="TestDel" classname="shop/cart"/></testsuite></testsuites>"""
    assert (read(go).failures[0].file, read(go).failures[0].line) == ("cart_test.go", 12)
    nextest = """<testsuites name="nextest-run" tests="1" failures="1"><testsuite name="shop" tests="1" failures="1">
      <testcase name="tests::adds" classname="shop"><failure type="test failure">thread 'tests::adds' panicked at src/lib.rs:10:5:
assertion failed</failure></testcase></testsuite></testsuites>"""
    assert (read(nextest).failures[0].file, read(nextest).failures[0].line) == ("src/lib.rs", 10)
    php = """<testsuites><testsuite name="" tests="2" failures="1"><testsuite name="unit" tests="2" failures="1">
      <testsuite name="CartTest" file="/repo/tests/CartTest.php" tests="2" failures="1">
      <testcase name="testAdd" class="CartTest" classname="CartTest" file="/repo/tests/CartTest.php" line="9"/>
      <testcase name="testDel" class="CartTest" classname="CartTest" file="/repo/tests/CartTest.php" line="14">
      <failure type="ExpectationFailedException">CartTest::testDel
Failed asserting that 1 matches expected 2.

/repo/tests/CartTest.php:17
</failure></testcase></testsuite></testsuite></testsuite></testsuites>"""
    report = read(php, "/repo")
    assert numbers(report) == (2, 1, 1, 0, 0), "totals of nested suites repeat each other"
    assert (report.failures[0].file, report.failures[0].line) == ("tests/CartTest.php", 17)


def test_node_names_a_test_by_the_suites_around_it():
    report = """<testsuites><testsuite name="outer"><testsuite name="inner">
    <testcase name="says &amp;quot;x&amp;quot;" classname="test"><failure message="no"/></testcase>
    </testsuite></testsuite><testcase name="top" classname="test"><failure message="no"/></testcase></testsuites>"""
    assert [failure.name for failure in read(report).failures] == ['outer › inner › says "x"', "top"]
    pytest_report = """<testsuites><testsuite name="pytest">
    <testcase name="test_a" classname="test"><failure message="no"/></testcase></testsuite></testsuites>"""
    assert [failure.name for failure in read(pytest_report).failures] == ["test › test_a"]


def test_disabled_tests_are_not_executed():
    gtest = """<testsuites tests="2" disabled="1"><testsuite name="A" tests="2" disabled="1">
      <testcase name="a" status="run" result="completed"/><testcase name="b" status="notrun" result="suppressed"/>
      </testsuite></testsuites>"""
    assert numbers(read(gtest)) == (1, 1, 0, 0, 1)


def test_empty_and_skipped_reports_say_that_nothing_ran():
    assert nothing_ran(read("<testsuites/>").counts)
    assert nothing_ran(read('<testsuites><testsuite name="x" tests="0"/></testsuites>').counts)
    assert nothing_ran(read('<testsuite><testcase name="a"><skipped/></testcase></testsuite>').counts)


def test_totals_count_where_no_test_is_told():
    report = read(
        '<testsuites tests="5" failures="2"><testsuite tests="5" failures="2" skipped="1"/></testsuites>'
    )
    assert (report.counts.executed, report.counts.failed) == (5, 2)
    report = read('<testsuites><testsuite tests="2"/><testsuite tests="3" errors="1"/></testsuites>')
    assert (report.counts.executed, report.counts.errors) == (5, 1)
    assert reports_failures(report.counts)


def test_many_failures_are_all_counted_and_few_kept():
    case = '<testcase name="t{}"><failure message="no">' + "x" * 50_000 + "</failure></testcase>"
    report = read("<testsuite>" + "".join(case.format(i) for i in range(200)) + "</testsuite>")
    assert report.counts.failed == 200
    assert len(report.failures) == 50
    assert max(len(f.details) for f in report.failures) < 7000


@table_test(
    "data",
    [
        b"",
        b"not xml",
        b"<html></html>",
        b"<coverage/>",
        b"<testsuites><testsuite><testcase name='a'>",
        b"<testsuites></testsuites><testsuites></testsuites>",
        b"<!DOCTYPE testsuites><testsuites/>",
        b'<!DOCTYPE t [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><testsuites>&b;</testsuites>',
        b'<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuites>&x;</testsuites>',
        b"<testsuites>" + b"<testsuite>" * 5000 + b"</testsuite>" * 5000 + b"</testsuites>",
        b'<?xml version="1.0" encoding="no-such"?><testsuites/>',
        b"<testsuites><testcase name='\xff\xfe'/></testsuites>",
        b"<testsuites>&undefined;</testsuites>",
        b"\x00" * 1000,
    ],
)
def test_what_is_no_sound_report_says_nothing(data):
    assert read_junit(data) is None


def test_a_report_beyond_all_measure_is_not_read():
    assert read_junit(b"<testsuites>" + b" " * (64 * 2**20) + b"</testsuites>") is None


def test_other_encodings_are_read():
    text = '<?xml version="1.0" encoding="{}"?><testsuite><testcase name="größe"><failure message="nö"/></testcase></testsuite>'
    for encoding in ("utf-8", "iso-8859-1", "utf-16"):
        report = read_junit(text.format(encoding).encode(encoding))
        assert report is not None
        assert report.failures[0].name == "größe"


@settings(max_examples=60)
@given(st.binary(max_size=300), st.integers(0, 2000))
def test_damage_never_raises(noise, at):
    data = PYTEST_XUNIT2.encode()
    read_junit(data[:at] + noise + data[at:])
    read_junit(data[:at])
    read_junit(noise)


@table_test("family", ["xunit1", "xunit2"])
def test_a_report_that_pytest_itself_wrote(tmp_path: Path, family):
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n\ndef test_ok():\n    pass\n\n\ndef test_bad():\n    x = 1\n    assert x == 2\n\n\n"
        "@pytest.mark.xfail\ndef test_known():\n    assert False\n\n\n"
        "@pytest.mark.skip\ndef test_later():\n    pass\n\n\n@pytest.fixture\ndef broken():\n    raise KeyError('x')\n\n\n"
        "def test_setup(broken):\n    pass\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--junitxml=out.xml",
        "-o",
        f"junit_family={family}",
        "-p",
        "no:cacheprovider",
    ]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    report = read_junit((tmp_path / "out.xml").read_bytes(), str(tmp_path))
    assert report is not None
    assert numbers(report) == (3, 1, 1, 1, 1)
    places = {(f.name.rpartition(" › ")[2], f.file, f.line, f.kind) for f in report.failures}
    assert places == {("test_bad", "test_it.py", 10, "failed"), ("test_setup", "test_it.py", 25, "error")}


BROKEN = {
    "test_import.py": ("import os\nfrom pkg import m\n", "pkg/m.py", 1, "ModuleNotFoundError: No module named 'nope'"),
    "test_syntax.py": ("x = 1\ndef f(:\n    pass\n", "test_syntax.py", 2, "SyntaxError: invalid syntax"),
    "test_raise.py": ("\n\nraise RuntimeError('boom\\nmore')\n", "test_raise.py", 3, "RuntimeError: boom"),
    "test_assert.py": ("assert {1: 2} == {1: 3}\n", "test_assert.py", 1, "assert {1: 2} == {1: 3}"),
    "test_fixture.py": ("def test_x(lost): pass\n", "test_fixture.py", 1, "fixture 'lost' not found"),
}  # fmt: skip


@pytest.mark.runs
@table_test("style", ["auto", "native", "short"])
def test_what_pytest_could_not_collect_comes_with_its_cause_and_place(tmp_path: Path, style):
    for name, (text, *_) in BROKEN.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/m.py").write_text("import nope\n")
    options = [f"--tb={style}", "--continue-on-collection-errors", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *options, "--junitxml=r.xml", f"--rootdir={tmp_path}"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    report = read_junit((tmp_path / "r.xml").read_bytes(), str(tmp_path))
    assert report is not None
    found = {each.name.partition(" ")[0]: (each.file, each.line, each.message) for each in report.failures}
    for name, (_, *place, cause) in BROKEN.items():
        *told, message = found[name.removesuffix(".py")]
        assert told == place
        assert message.endswith(cause)
