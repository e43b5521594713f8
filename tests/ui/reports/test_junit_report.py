"""JUnit: suites for commands, gates and the rest; any text gives XML 1.0; never green when not accepted."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult, Violation
from donewhen.ui.reports.junit import MOST_CASES, junit
from donewhen.verify.machine_reports import read_junit
from tests.tables import table_test
from tests.ui.reports.samples import ACCEPTED, EVERYTHING, attacked, command


def suites(text: str) -> dict[str, list[tuple[str, str]]]:
    """Suite: (test, what is inside of it)."""
    root = ElementTree.fromstring(text.encode())
    return {
        suite.get("name", ""): [
            (case.get("name", ""), case[0].tag if len(case) else "passed") for case in suite
        ]
        for suite in root
    }


def test_the_whole_file(snapshot):
    assert junit(EVERYTHING) == snapshot


def test_every_verdict_has_its_own_form():
    assert suites(junit(EVERYTHING)) == {
        "pytest -q": [("pytest -q", "failure")],
        "npm run build": [("npm run build", "skipped")],
        "secrets": [("secrets", "system-out")],
        "security": [("S602 src/run.py:12", "failure")],
        "types": [("types", "error")],
        "coverage": [("uncovered src/price.py:3", "system-out")],
        "complexity": [("complexity", "skipped")],
        "findings": [
            ("test-deleted tests/test_old.py", "failure"),
            ("pytest tests/test_price.py:11", "failure"),
            ("reviewer", "skipped"),
        ],
    }


def test_totals_are_those_of_the_cases():
    root = ElementTree.fromstring(junit(EVERYTHING).encode())
    for node in (root, *root):
        cases = node.findall(".//testcase")
        kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        assert node.get("tests") == str(len(cases))
        for name, tag in kinds.items():
            assert node.get(name) == str(sum(case.find(tag) is not None for case in cases)), name


def test_an_accepted_change_has_no_failure():
    root = ElementTree.fromstring(junit(ACCEPTED).encode())
    assert (root.get("failures"), root.get("errors")) == ("0", "0")
    assert len(root.findall(".//testcase")) == 3


@table_test(("exit_code", "counted"), [(1, "failures"), (5, "errors"), (2, "errors")])
def test_what_is_not_accepted_is_never_green(exit_code, counted):
    decision = {"status": "failed", "summary": "1 proof is missing", "details": ["scope: a.py"]}
    report = ACCEPTED._replace(decision=decision, exit_code=exit_code)
    root = ElementTree.fromstring(junit(report).encode())
    assert root.get(counted) == "1"
    assert "scope: a.py" in "".join(root.itertext())


@table_test(
    ("changed", "form"),
    [
        ({"status": "flaky"}, "failure"),
        ({"status": "pending", "way": "could_not_run", "reason": "no pytest"}, "error"),
        ({"status": "pending", "way": "refused"}, "error"),
        ({"status": "pending", "way": "skipped"}, "skipped"),
        ({"status": "passed", "way": "cached"}, "system-out"),
    ],
)
def test_a_command_that_proves_nothing_has_not_passed(changed, form):
    assert suites(junit(ACCEPTED._replace(commands=(command(**changed),), gates=())))["pytest -q"] == [
        ("pytest -q", form)
    ]


def test_a_gate_that_failed_without_a_place_is_a_failure():
    gate = GateResult("coverage", "failed", required=True, why=EVERYTHING.gates[2].why)
    assert suites(junit(ACCEPTED._replace(gates=(gate,), exit_code=1)))["coverage"] == [
        ("coverage", "failure")
    ]


def test_hostile_text_is_text():
    text = junit(attacked())
    root = ElementTree.fromstring(text.encode())
    assert {node.tag for node in root.iter()} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "error",
        "skipped",
        "system-out",
    }
    assert "<!" not in text
    assert "<?xml" not in text[5:]


def test_our_own_reader_of_such_reports_understands_it():
    read = read_junit(junit(EVERYTHING).encode())
    assert read is not None
    assert (read.counts.failed, read.counts.errors) == (4, 1)


@given(st.text(), st.text(), st.integers())
def test_any_text_gives_xml(text, file, line):
    finding = Feedback("fail", "quality", text, file, line, details=text, rule=text, fix_suggestion=text)
    gate = GateResult(text, "failed", True, (Violation(text, text, file, line),))
    report = ACCEPTED._replace(
        feedback=(finding,), gates=(gate,), commands=(command(command=text, tail=text),)
    )
    assert ElementTree.fromstring(junit(report).encode()).tag == "testsuites"


def test_more_cases_than_a_reader_wants_are_counted():
    many = tuple(Violation("r", "m", "a.py", at + 1) for at in range(MOST_CASES + 7))
    cases = suites(junit(ACCEPTED._replace(gates=(GateResult("lint", "failed", True, many),), exit_code=1)))[
        "lint"
    ]
    assert (len(cases), cases[-1]) == (MOST_CASES + 1, ("… and 7 more", "failure"))
