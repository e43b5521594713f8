"""SARIF 2.1.0: which results stand, what they say and where they lie."""

import json
from typing import Any

import pytest

from donewhen.core.quality.model import Unreadable, Violation
from tests.tables import table_test
from tests.verify.quality.reading.sampling import read

V = Violation


def _text(*results: dict[str, Any], rules: list[dict[str, Any]] | None = None, **run: Any) -> str:
    driver = {"name": "checker", "rules": rules or []}
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results, **run}]})


def _at(uri: str, line: int = 3, **artifact: Any) -> list[dict[str, Any]]:
    region = {"startLine": line, "startColumn": 5}
    return [{"physicalLocation": {"artifactLocation": {"uri": uri, **artifact}, "region": region}}]


def _result(**more: Any) -> dict[str, Any]:
    return {"ruleId": "R1", "message": {"text": "wrong"}, **more}


def test_a_result_has_its_rule_message_place_and_degree() -> None:
    fix = {"description": {"text": "remove it"}, "artifactChanges": []}
    one = _result(level="error", locations=_at("file:///proj/src/a%20b.py"), fixes=[fix])
    assert read("sarif", _text(one)) == (V("R1", "wrong", "src/a b.py", 3, 5, "error", fix="remove it"),)


def test_a_result_without_a_place_is_a_violation_all_the_same() -> None:
    assert read("sarif", _text(_result(), _result(locations=[{}]))) == (
        V("R1", "wrong", severity="warning"),
        V("R1", "wrong", severity="warning"),
    )


@table_test(
    "state",
    [
        {"suppressions": [{"kind": "inSource"}]},
        {"suppressions": [{"kind": "external", "status": "accepted"}]},
        {"baselineState": "unchanged"},
        {"baselineState": "absent"},
        {"kind": "pass"},
        {"kind": "notApplicable"},
        {"kind": "informational"},
    ],
)
def test_a_result_that_does_not_stand_is_left_out(state: dict[str, Any]) -> None:
    assert read("sarif", _text(_result(**state))) == ()


@table_test(
    "state",
    [
        {"suppressions": []},
        {"suppressions": [{"kind": "external", "status": "rejected"}]},
        {"suppressions": [{"kind": "external", "status": "underReview"}]},
        {"baselineState": "new"},
        {"baselineState": "updated"},
        {"kind": "fail"},
        {"kind": "open"},
    ],
)
def test_a_result_that_stands_is_kept(state: dict[str, Any]) -> None:
    assert len(read("sarif", _text(_result(**state)))) == 1


def test_the_rule_gives_what_the_result_leaves_out() -> None:
    rule = {
        "id": "R2",
        "shortDescription": {"text": "md5 is not safe"},
        "defaultConfiguration": {"level": "note"},
        "properties": {"security-severity": "8.1"},
        "help": {"text": "use the other one"},
    }
    found = V("R2", "md5 is not safe", severity="note", level="high", fix="use the other one")
    assert read("sarif", _text({"ruleIndex": 1}, rules=[{"id": "R1"}, rule])) == (found,)
    part = {"ruleIndex": 0, "ruleId": "R2/sub"}
    assert read("sarif", _text(part, rules=[{"id": "R1"}, rule])) == (found._replace(rule="R2/sub"),)


def test_a_rule_of_an_extension_is_found_by_its_name() -> None:
    extension = {"name": "pack", "rules": [{"id": "E1", "defaultConfiguration": {"level": "error"}}]}
    tool = {"driver": {"name": "checker"}, "extensions": [extension]}
    told = {"rule": {"id": "E1", "toolComponent": {"index": 0}}, "message": {"markdown": "*wrong*"}}
    assert read("sarif", _text(told, tool=tool)) == (V("E1", "*wrong*"),)


def test_addresses_are_resolved_against_their_bases_and_the_list_of_files() -> None:
    bases = {
        "SRC": {"uri": "src/", "uriBaseId": "ROOT"},
        "ROOT": {"uri": "file:///proj/"},
        "LOOP": {"uri": "x/", "uriBaseId": "LOOP"},
    }
    files = [{"location": {"uri": "listed.py"}}]
    numbered = [{"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 1}}}]
    text = _text(
        _result(locations=_at("a.py", uriBaseId="SRC")),
        _result(locations=_at("b.py", uriBaseId="%SRCROOT%")),
        _result(locations=numbered),
        _result(locations=_at("/other/c.py")),
        _result(locations=_at("file://localhost/proj/d.py")),
        originalUriBaseIds=bases,
        artifacts=files,
    )
    assert [one.file for one in read("sarif", text)] == [
        "src/a.py",
        "b.py",
        "listed.py",
        "/other/c.py",
        "d.py",
    ]
    endless = _text(_result(locations=_at("e.py", uriBaseId="LOOP")), originalUriBaseIds=bases)
    assert read("sarif", endless)[0].file.endswith("x/e.py")


def test_all_runs_are_read_and_the_name_of_a_function_is_kept() -> None:
    place = [{"logicalLocations": [{"fullyQualifiedName": "pkg.f"}]}]
    one = json.loads(_text(_result(locations=place)))
    text = json.dumps({**one, "runs": one["runs"] * 2})
    assert [found.subject for found in read("sarif", text)] == ["pkg.f", "pkg.f"]


def test_another_version_is_refused_by_its_number() -> None:
    with pytest.raises(Unreadable) as refused:
        read("sarif", '{"version": "1.0.0", "runs": [{"results": []}]}')
    assert refused.value.key == "toolreading.version"
    assert refused.value.values["version"] == "1.0.0"


def test_a_run_that_failed_says_why() -> None:
    call = {
        "executionSuccessful": False,
        "toolExecutionNotifications": [{"message": {"text": "out of memory"}}],
    }
    with pytest.raises(Unreadable) as refused:
        read("sarif", _text(invocations=[call]))
    assert (refused.value.values["tool"], refused.value.values["said"]) == ("checker", "out of memory")
    assert len(read("sarif", _text(_result(), invocations=[call]))) == 1
