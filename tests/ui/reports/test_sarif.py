"""SARIF: valid by the published schema, places that tools resolve, identities that survive moved lines."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult
from donewhen.ui.reports.sarif import MOST_RESULTS, fingerprint, sarif, uri
from tests.tables import table_test
from tests.ui.reports.samples import ACCEPTED, ATTACK, EVERYTHING, attacked

SCHEMA = json.loads((Path(__file__).parents[2] / "data" / "sarif-2.1.0.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def run_of(text: str) -> dict[str, Any]:
    log = json.loads(text)
    VALIDATOR.validate(log)
    run: dict[str, Any]
    (run,) = log["runs"]
    return run


def test_the_schema_is_one_that_refuses():
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({"version": "2.1.0", "runs": [{"results": []}]})


@table_test("report", [ACCEPTED, EVERYTHING, EVERYTHING._replace(language="zh"), attacked()])
def test_it_is_valid_by_the_published_schema(report):
    run = run_of(sarif(report))
    assert run["tool"]["driver"]["name"] == "donewhen"
    for each in run["results"]:
        assert run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]
    for rule in run["tool"]["driver"]["rules"]:  # what code scanning wants beyond the schema
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"] and rule["help"]["text"]


def test_the_whole_file(snapshot):
    assert sarif(EVERYTHING) == snapshot


def test_findings_have_a_level_and_a_place_and_what_passed_is_no_result():
    found = {each["ruleId"]: each for each in run_of(sarif(EVERYTHING))["results"]}
    assert {rule: each["level"] for rule, each in found.items()} == {
        "pytest": "error",
        "S602": "error",
        "test-deleted": "error",
        "uncovered": "warning",
    }
    (place,) = found["S602"]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "src/run.py", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 12, "startColumn": 5},
    }
    assert found["test-deleted"]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert found["S602"]["properties"]["fix"] == "pass a list"


def test_what_could_not_run_is_a_notification_and_the_invocation_no_success():
    (invocation,) = run_of(sarif(EVERYTHING))["invocations"]
    told = {each["associatedRule"]["id"]: each for each in invocation["toolExecutionNotifications"]}
    assert {rule: each["level"] for rule, each in told.items()} == {
        "types": "error",
        "complexity": "note",
        "reviewer": "note",
    }
    assert "python -m pip install mypy" in told["types"]["message"]["text"]
    assert invocation["executionSuccessful"] is False
    assert run_of(sarif(ACCEPTED))["invocations"][0]["executionSuccessful"] is True


def test_a_gate_that_only_warns_and_could_not_run_leaves_the_invocation_a_success():
    report = ACCEPTED._replace(gates=(GateResult("lint", "could_not_run"),))
    (invocation,) = run_of(sarif(report))["invocations"]
    assert invocation["executionSuccessful"] is True
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["note"]


def test_a_finding_keeps_its_identity_when_lines_move_and_loses_it_with_the_file():
    here = Feedback("fail", "quality", "f is too complex (12 > 10), see line 3", "a.py", 3, rule="C901")
    moved = here._replace(line=40, column=2, message="f is too complex (13 > 10), see line 40")
    assert fingerprint(here) == fingerprint(moved)
    assert fingerprint(here) != fingerprint(here._replace(file="b.py"))
    assert fingerprint(here) != fingerprint(here._replace(rule="C902"))


def test_equal_findings_on_different_lines_are_told_apart():
    twice = tuple(Feedback("fail", "style", "unused", "a.py", line, rule="F401") for line in (3, 9))
    results = run_of(sarif(ACCEPTED._replace(feedback=twice)))["results"]
    prints = [each["partialFingerprints"]["donewhenFinding/v1"] for each in results]
    assert len(set(prints)) == 2
    assert [each.rpartition(":")[2] for each in prints] == ["1", "2"]


@table_test(
    ("path", "address"),
    [
        ("src/a b.py", "src/a%20b.py"),
        ("./src//a.py", "src/a.py"),
        ("-x.py", "-x.py"),
        ("C:/a.py", "C%3A/a.py"),
        ("a%20?#.py", "a%2520%3F%23.py"),
        ("new\nline.py", "new%0Aline.py"),
        ("日本.py", "%E6%97%A5%E6%9C%AC.py"),
        ("bad\udcff.py", "bad%FF.py"),
        ("/etc/passwd", ""),
        ("../out.py", ""),
        ("a/../../out.py", ""),
        ("", ""),
    ],
)
def test_addresses_are_relative_and_percent_encoded(path, address):
    assert uri(path) == address


def test_a_path_that_leaves_the_tree_is_named_in_a_notification():
    outside = Feedback("fail", "quality", "bad", "../out.py", 3, rule="r")
    run = run_of(sarif(ACCEPTED._replace(feedback=(outside,))))
    assert run["results"] == []
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (told["level"], told["message"]["text"]) == ("error", "../out.py:3: bad")


@given(st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1), min_size=1, max_size=4))
def test_every_name_in_the_tree_comes_back_from_its_address(parts):
    path = "/".join(part for part in parts if part not in (".", "..")) or "x"
    split = urlsplit(uri(path))
    assert (split.scheme, split.netloc, split.query, split.fragment) == ("", "", "", "")
    if all(not "\ud800" <= char <= "\udfff" for char in path):
        assert unquote_to_bytes(split.path) == path.encode()


@given(st.text(), st.text(), st.text(), st.integers(), st.integers())
def test_any_text_gives_a_valid_file(message, rule, file, line, column):
    finding = Feedback("fail", "quality", message, file, line, column, message, True, rule, 7.0, rule)
    text = sarif(ACCEPTED._replace(feedback=(finding,)))
    run_of(text)
    text.encode()


def test_foreign_text_makes_no_link():
    assert "](" not in json.dumps([each["message"] for each in run_of(sarif(attacked(ATTACK)))["results"]])


def test_more_results_than_code_scanning_takes_are_counted():
    many = tuple(Feedback("fail", "style", "m", "a.py", at + 1, rule="r") for at in range(MOST_RESULTS + 3))
    run = run_of(sarif(ACCEPTED._replace(feedback=many)))
    assert (len(run["results"]), run["properties"]["findings"]) == (MOST_RESULTS, MOST_RESULTS + 3)
