"""Workflow commands: read back as GitHub's runner reads them, nothing of others starts one."""

import re
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import SetupError
from donewhen.core.findings import Feedback
from donewhen.ui.reports.github import MOST_OF_A_KIND, add_summary, github
from donewhen.ui.reports.markdown import markdown
from tests.tables import table_test
from tests.ui.reports.samples import ACCEPTED, EVERYTHING, attacked


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    text: str


def unescaped(text: str, codes: dict[str, str]) -> str:
    for code, char in (*codes.items(), ("%25", "%")):
        text = text.replace(code, char)
    return text


def runner(printed: str) -> list[Command]:
    """What a runner does with a log: commands of both forms, unless they are stopped."""
    found, stopped = [], ""
    for line in re.split(r"\r\n|\r|\n", printed):
        if stopped:
            stopped = "" if line.strip() == f"::{stopped}::" else stopped
            continue
        new = re.match(r"\s*::([a-z-]+)(?: (.*?))?::(.*)$", line, re.IGNORECASE)
        assert new or "##[" not in line, line
        if not new:
            assert not line.strip(), line  # nothing is printed but commands and what is stopped
            continue
        name, given, text = new.groups()
        if name == "stop-commands":
            stopped = text
            continue
        pairs = [pair.split("=", 1) for pair in (given or "").split(",") if pair]
        codes = {"%0D": "\r", "%0A": "\n"}
        properties = {key: unescaped(value, codes | {"%3A": ":", "%2C": ","}) for key, value in pairs}
        found.append(Command(name, properties, unescaped(text, codes)))
    assert not stopped, "commands were never started again"
    return found


def test_the_whole_log(snapshot):
    assert github(EVERYTHING, token="0123456789abcdef") == snapshot


def test_findings_become_annotations_of_their_lines():
    told = runner(github(EVERYTHING))
    assert [each.name for each in told] == [
        "group",
        "endgroup",
        "error",
        "error",
        "error",
        "error",
        "error",
        "warning",
        "notice",
        "notice",
    ]
    assert told[2] == Command(
        "error",
        {"title": "donewhen: not accepted"},
        "3 proofs are missing\n- pytest -q: its own summary reports 1 failed\n- types: could not run",
    )
    assert told[3] == Command(
        "error",
        {"file": "src/run.py", "line": "12", "col": "5", "title": "S602"},
        "subprocess call with shell=True\nto do: pass a list",
    )


def test_an_accepted_change_is_not_annotated():
    assert [each.name for each in runner(github(ACCEPTED))] == ["group", "endgroup"]


def test_the_token_is_another_one_each_time():
    tokens = {re.search(r"^::stop-commands::(.*)$", github(ACCEPTED), re.MULTILINE)[1] for _ in range(9)}  # type: ignore[index]
    assert len(tokens) == 9
    assert all(len(token) >= 32 for token in tokens)


def test_hostile_text_starts_no_command():
    names = {each.name for each in runner(github(attacked()))}
    assert names <= {"group", "endgroup", "error", "warning", "notice"}


@given(st.text(), st.text(alphabet=":,%=\r\n#[]a/"), st.integers(-1, 9), st.integers(-1, 9))
def test_any_text_comes_back_as_one_annotation(message, file, line, column):
    finding = Feedback("warning", "quality", f"::{message}", file, line, column, rule=f"r,x=1::{file}")
    told = runner(github(ACCEPTED._replace(feedback=(finding,))))
    assert [each.name for each in told] == ["group", "endgroup", "warning"]
    assert set(told[2].properties) <= {"file", "line", "col", "title"}
    if file.startswith(("/", "../")):
        assert "file" not in told[2].properties
    elif file and "\r" not in file and "##[" not in file:
        assert told[2].properties["file"] == file


@table_test(("exit_code", "errors"), [(0, 10), (1, 10)])
def test_at_most_ten_of_a_kind_and_the_rest_in_the_log(exit_code, errors):
    told = tuple(
        Feedback(status, "style", f"m{at}", "a.py", at + 1, rule="r")
        for status in ("fail", "warning", "skipped")
        for at in range(15)
    )
    printed = github(ACCEPTED._replace(feedback=told, exit_code=exit_code))
    names = [each.name for each in runner(printed)]
    assert {kind: names.count(kind) for kind in ("error", "warning", "notice")} == {
        "error": errors,
        "warning": MOST_OF_A_KIND,
        "notice": MOST_OF_A_KIND,
    }
    assert f"{15 + exit_code} more findings are in this log" in printed
    assert printed.count("a.py:15 m14 [r]") == 3


def test_the_summary_is_added_to_the_runners_file(tmp_path):
    file = tmp_path / "summary.md"
    file.write_text("before\n")
    assert add_summary(EVERYTHING, {"GITHUB_STEP_SUMMARY": str(file)})
    assert file.read_text() == "before\n" + markdown(EVERYTHING)


def test_elsewhere_there_is_no_summary_to_write():
    assert not add_summary(EVERYTHING, {})


def test_a_summary_that_cant_be_written_says_where_and_why(tmp_path):
    with pytest.raises(SetupError) as error:
        add_summary(EVERYTHING, {"GITHUB_STEP_SUMMARY": str(tmp_path)})
    assert str(tmp_path) in str(error.value)
