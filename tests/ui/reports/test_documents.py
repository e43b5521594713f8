"""The examples of the document are what the formats really print."""

import json
import re
from pathlib import Path

from donewhen.core.findings import Category, Feedback, FeedbackStatus
from donewhen.ui.reports.formats import FORMATS, render
from tests.ui.reports.samples import ACCEPTED, EVERYTHING

TEXT = (Path(__file__).parents[3] / "docs" / "feedback.md").read_text()
(FINDING,) = (each for each in EVERYTHING.feedback if each.rule == "S602")
REPORT = ACCEPTED._replace(feedback=(FINDING,), gates=(), commands=(), exit_code=1)


def example(kind: str, at: int = 0) -> str:
    return str(re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)[at])


def test_the_finding_as_json():
    assert json.loads(example("json")) == FINDING.to_data()


def test_the_finding_as_sarif():
    (result,) = json.loads(render("sarif", REPORT))["runs"][0]["results"]
    assert json.loads(example("json", 1)) == result


def test_the_finding_in_every_other_format():
    for kind, form in (("xml", "junit"), ("markdown", "md"), ("text", "github"), ("html", "html")):
        assert example(kind) in render(form, REPORT), form


def test_every_field_format_status_and_category_is_named():
    words = [*Feedback("fail", "style", "").to_data(), *FORMATS]
    for name in (*words, *FeedbackStatus.__args__, *Category.__args__):  # type: ignore[attr-defined]
        assert f"`{name}`" in TEXT, name
