"""What a user's own gate may print: JSON under usual names, JUnit reports, lines that a pattern reads."""

import json
from typing import Any

import pytest

from donewhen.core.quality.model import Unreadable, Violation
from donewhen.verify.quality.tool_output import reader_of
from tests.tables import table_test
from tests.verify.quality.reading.sampling import FOLDER, read

V = Violation
FOUND = V("R1", "wrong", "a.py", 3, 4)


@table_test(
    "row",
    [
        {"file": "a.py", "line": 3, "column": 4, "message": "wrong", "rule": "R1"},
        {"path": "./a.py", "row": "3", "col": 4, "text": "wrong", "code": "R1"},
        {"filename": "/proj/a.py", "location": {"row": 3, "column": 4}, "description": "wrong", "id": "R1"},
        {"filePath": "a.py", "start": {"line": 3, "col": 4}, "msg": "wrong", "check_id": "R1"},
        {"file-name": "a.py", "Line_Number": 3, "Column": 4, "Message": "wrong", "Check": "R1"},
        {
            "path": "a.py",
            "start_line": 3,
            "startColumn": 4,
            "message": {"text": "wrong"},
            "rule": {"id": "R1"},
        },
        {
            "description": "wrong",
            "check_name": "R1",
            "location": {"path": "a.py", "positions": {"begin": {"line": 3, "column": 4}}},
        },
    ],
)
@table_test("wrapped", ["findings", "results", "issues", "violations", "errors", "Messages", ""])
def test_findings_are_read_under_their_usual_names(row: dict[str, Any], wrapped: str) -> None:
    text = json.dumps({"total": 1, wrapped: [row]} if wrapped else [row])
    assert read("json", text) == (FOUND,)


@table_test(
    ("told", "severity", "level"),
    [
        ({"severity": "WARNING"}, "warning", ""),
        ({"level": "info"}, "note", ""),
        ({"severity": "high"}, "error", "high"),
        ({"severity": "low"}, "warning", "low"),
        ({"type": "convention"}, "note", ""),
        ({"type": "Vulnerability", "severity": "odd"}, "error", ""),
        ({"severity": 2}, "error", ""),
        ({}, "error", ""),
    ],
)
def test_a_degree_is_read_by_its_word(told: dict[str, Any], severity: str, level: str) -> None:
    (found,) = read("json", json.dumps([{"message": "m", **told}]))
    assert (found.severity, found.level) == (severity, level)


def test_lists_under_two_names_are_both_read() -> None:
    text = json.dumps({"results": [{"message": "a"}], "errors": [{"reason": "b"}], "messages": None})
    assert [one.message for one in read("json", text)] == ["a", "b"]


def test_a_rule_may_be_a_number_and_source_text_is_none() -> None:
    rows = [{"message": "m", "code": 2322}, {"message": "m", "code": "1 import os\n2", "test_id": "B1"}]
    assert [one.rule for one in read("json", json.dumps(rows))] == ["2322", "B1"]


def test_failures_of_a_junit_report_are_violations() -> None:
    text = """<?xml version="1.0" encoding="ISO-8859-1"?>
    <testsuites><testsuite name="s">
      <testcase name="fine" classname="c"/>
      <testcase name="bad" classname="c" file="src/a.js" line="7"><failure message="not équal">x</failure></testcase>
      <testcase name="worse" classname="c"><error message="broke"/></testcase>
      <testcase name="left" classname="c"><skipped/></testcase>
    </testsuite></testsuites>"""
    assert read("junit", text) == (
        V("failure", "not équal", "src/a.js", 7, subject="c › bad"),
        V("error", "broke", subject="c › worse"),
    )


def test_no_failure_of_a_junit_report_is_lost() -> None:
    case = '<testcase name="t{0}" classname="c" file="a.js" line="{0}"><failure message="m{0}"/></testcase>'
    text = "<testsuite>" + "".join(case.format(n) for n in range(1, 81)) + "</testsuite>"
    found = read("junit", text)
    assert [(one.subject, one.line) for one in found] == [(f"c › t{n}", n) for n in range(1, 81)]
    assert read("junit", '<testsuite tests="4" failures="2" errors="1"/>') == (V("failure", "3 failed"),)


@table_test(
    "text",
    [
        '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>',
        "<testsuite><testcase>",
        "<coverage/>",
        "<a>" * 5000,
    ],
)
def test_what_is_no_junit_report_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read("junit", text)
    assert refused.value.key == "toolreading.not_junit"


PATTERN = r"^(?P<severity>\w+): (?P<file>[^:]+):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.+?)(?: \((?P<rule>[\w-]+)\))?$"


def test_a_pattern_reads_line_by_line() -> None:
    text = "checking …\r\n\x1b[31mwarning: /proj/a b.c:3:7: odd (no-odd)\x1b[0m\r\nhigh: x.c:9: bad\n2 problems\n"
    assert reader_of("regex", PATTERN)(text, FOLDER) == (
        V("no-odd", "odd", "a b.c", 3, 7, "warning"),
        V("finding", "bad", "x.c", 9, level="high"),
    )


def test_text_that_no_line_of_matches_gives_nothing() -> None:
    assert reader_of("regex", PATTERN)("all is well\n", FOLDER) == ()
    assert reader_of("regex", PATTERN)("", FOLDER) == ()


def test_a_pattern_sees_lines_of_bounded_length_and_may_lack_groups() -> None:
    read_long = reader_of("regex", r"(?P<message>x+)(?P<line>y)?")
    (found,) = read_long("x" * 50_000, FOLDER)
    assert len(found.message) == 2000
    assert (found.file, found.line) == ("", 0)
    assert reader_of("regex", "BAD.*")("it is BAD here", FOLDER) == (V("finding", "BAD here"),)


def test_a_pattern_that_is_none_is_refused_before_anything_runs() -> None:
    with pytest.raises(Unreadable) as refused:
        reader_of("regex", "(")("", FOLDER)
    assert refused.value.key == "toolreading.pattern"
