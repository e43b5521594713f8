"""`verify --format` and `--output` on a change full of hostile names and words: one verdict, many forms."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft7Validator

from tests.helpers import Cli, Result
from tests.projects import repository, write

SCHEMA = Path(__file__).parent.parent / "data" / "sarif-2.1.0.json"
SHELL = ("--accept", "sh check.sh")
FORMATS = ("sarif", "junit", "md", "github", "html")
ODD = "a <b>&\n::error::%0A|`x` é.txt"
WORDS = "\x1b[31mred ]]></script><script>alert(1)</script>\n::error::taken over\n| @ann `a` \u202eb [l](javascript:x)"
ROWS = [
    {"file": ODD, "line": 2, "column": 3, "rule": "odd<rule>", "message": WORDS},
    {"file": "notes.txt", "line": 1, "rule": "plain", "message": "a plain complaint", "fix": "write less"},
    {"file": "notes.txt", "line": 1, "rule": "doubt", "message": "a doubt", "severity": "warning"},
]
FILES = {
    "check.sh": "printf '::error::from the exam\\n\\033[1mbold\\n'; test -f check.sh\n",
    "own.sh": "cat rows.json; test \"$(cat rows.json)\" = '[]'\n",
    "rows.json": "[]\n",
}
GATES = ("--set", "verification.quality.gates=[{name: words, command: [sh, own.sh], parser: json}]")


class Told(NamedTuple):
    cli: Cli
    done: Result
    texts: dict[str, str]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """One verification that is not accepted, written in every form at once."""
    cli = Cli(tmp_path_factory.mktemp("reports"))
    write(repository(cli.folder, FILES), {ODD: "1\n2\n", "notes.txt": "1\n", "rows.json": json.dumps(ROWS)})
    places = {form: cli.folder.parent / f"report.{form}" for form in (*FORMATS, "json", "text")}
    outputs = [word for form, place in places.items() for word in ("--output", f"{form}={place}")]
    done = cli("verify", *SHELL, *GATES, *outputs)
    assert done.exit == 1, done.out + done.err
    return Told(cli, done, {form: place.read_text(encoding="utf-8") for form, place in places.items()})


def test_every_file_is_written_and_what_is_printed_stays_text(told: Told):
    assert "not accepted" in told.done.out
    assert all(told.texts.values())
    assert json.loads(told.texts["json"])["exit_code"] == 1
    assert "not accepted" in told.texts["text"]


@pytest.mark.runs
@pytest.mark.parametrize("form", (*FORMATS, "json", "text"))
def test_the_exit_code_is_the_same_in_every_form(told: Told, form):
    done = told.cli("verify", *SHELL, *GATES, "--format", form)
    assert done.exit == 1
    assert "a plain complaint" in done.out


@pytest.mark.parametrize("form", (*FORMATS, "text"))
def test_no_form_carries_what_steers_a_terminal_or_turns_text_round(told: Told, form):
    assert "\x1b" not in told.texts[form]
    assert "\u202e" not in told.texts[form]
    assert "a plain complaint" in told.texts[form]


def sarif_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    errors = [error.message for error in Draft7Validator(json.loads(SCHEMA.read_text())).iter_errors(data)]
    assert errors == []
    return data


def test_sarif_keeps_to_the_published_schema(told: Told):
    (run,) = sarif_of(told.texts["sarif"])["runs"]
    found = {each["ruleId"]: each for each in run["results"]}
    assert {rule: each["level"] for rule, each in found.items()} == {
        "odd<rule>": "error",
        "plain": "error",
        "doubt": "warning",
    }
    place = found["odd<rule>"]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 2, "startColumn": 3}
    uri = place["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9%._~/!$&'()*+,;=:@-]+", uri)
    assert "%0A" in uri
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert any("no reviewer has read" in note["message"]["text"] for note in notes)
    assert run["invocations"][0]["executionSuccessful"] is True


def test_junit_is_xml_with_a_failure_for_what_blocks(told: Told):
    root = ElementTree.fromstring(told.texts["junit"])
    failures = [case for case in root.iter("testcase") if case.find("failure") is not None]
    named = [case for case in failures if "plain" in case.get("name", "")]
    assert [(case.get("file"), case.get("line")) for case in named] == [("notes.txt", "1")]
    assert "write less" in (named[0].findtext("failure") or "")
    assert len(failures) == 2
    assert int(root.get("failures", "0")) == 2
    assert any(case.find("skipped") is not None for case in root.iter("testcase"))  # the review


def test_markdown_makes_nothing_of_foreign_words(told: Told):
    text = told.texts["md"]
    outside = re.sub(r"(?s)(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
    for word in ("<script", "@ann", "](javascript", "<b>"):
        assert word not in outside
    assert "notes.txt" in text
    assert "no reviewer has read" in text


def test_github_has_only_commands_of_ours(told: Told):
    lines = told.texts["github"].splitlines()
    stops = [at for at, line in enumerate(lines) if line.startswith("::stop-commands::")]
    assert len(stops) == 1
    token = lines[stops[0]].removeprefix("::stop-commands::")
    end = lines.index(f"::{token}::")
    commands = [line for line in (*lines[: stops[0]], *lines[end + 1 :]) if line.startswith("::")]
    kinds = [re.match(r"::([a-z-]+)", line)[1] for line in commands]  # type: ignore[index]
    assert (kinds.count("error"), kinds.count("warning")) == (3, 1)  # the verdict and two that block
    assert set(kinds) <= {"error", "warning", "notice", "group", "endgroup"}
    assert any(line.startswith("::error file=notes.txt,line=1,title=plain::a plain") for line in commands)
    assert not any(line.startswith("::error::") for line in commands)


def test_html_is_a_page_without_scripts(told: Told):
    text = told.texts["html"]
    assert "<script" not in text.lower()
    assert "Content-Security-Policy" in text
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:|//|javascript:)", text)
    assert "&lt;script&gt;" in text


def test_what_could_not_run_is_exit_5_in_every_form(told: Told):
    gone = ("--set", "verification.quality.gates=[{name: words, command: [no-such-tool], parser: json}]")
    place = told.cli.folder.parent / "gone.xml"
    done = told.cli("verify", *SHELL, *gone, "--format", "sarif", "--output", str(place))
    assert done.exit == 5
    (run,) = sarif_of(done.out)["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    root = ElementTree.fromstring(place.read_text(encoding="utf-8"))
    assert int(root.get("errors", "0")) >= 1


def test_an_accepted_change_has_no_error_in_any_form(told: Told):
    folder = told.cli.folder.parent
    done = told.cli("verify", *SHELL, "--format", "github", "--output", str(folder / "good.junit.xml"))
    assert done.exit == 0, done.out
    assert not [line for line in done.out.splitlines() if line.startswith("::error")]
    root = ElementTree.fromstring((folder / "good.junit.xml").read_text(encoding="utf-8"))
    assert (root.get("failures"), root.get("errors")) == ("0", "0")


def test_what_could_not_run_and_does_not_block_is_no_error_in_a_report(told: Told):
    """A CI that reads the report must come to the verdict that the exit code is."""
    entry = "{name: words, command: [no-such-tool], parser: json, required: false}"
    place = told.cli.folder.parent / "optional.sarif"
    words = ("--set", f"verification.quality.gates=[{entry}]", "--format", "junit", "--output", str(place))
    done = told.cli("verify", *SHELL, *words)
    assert done.exit == 0, done.out
    root = ElementTree.fromstring(done.out)
    assert (root.get("failures"), root.get("errors")) == ("0", "0")
    (run,) = sarif_of(place.read_text(encoding="utf-8"))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_github_adds_to_the_steps_summary(told: Told):
    summary = told.cli.folder.parent / "summary.md"
    summary.write_text("before\n")
    done = told.cli("verify", *SHELL, *GATES, "--format", "github", GITHUB_STEP_SUMMARY=str(summary))
    assert done.exit == 1
    assert summary.read_text().startswith("before\n")
    assert "a plain complaint" in summary.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--output", "sarif=no/such/folder/a.sarif"), "no/such/folder"),
        (("--output", "md="), "--output"),
        (("--output", "."), "."),
        (("--json", "--format", "md"), "md"),
        (("--format", "pdf"), "--format must be one of"),
    ],
)
def test_a_report_that_can_go_nowhere_is_told_before_anything_is_run(told: Told, words, said):
    done = told.cli("verify", *SHELL, *words)
    assert done.exit == 2
    assert said in done.err
    assert "check.sh" not in done.out
