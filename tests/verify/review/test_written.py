"""A review that a human wrote stands in a file."""

import asyncio
import json
from pathlib import Path

import pytest

from donewhen.core.errors import UserError
from donewhen.verify.review import Judge, WrittenReview, written_review
from donewhen.verify.review_protocol import Brief, Criterion, Open, Remark, Stage, prompt_for, read_review
from tests.tables import table_test

BRIEF = Brief("a goal", (), "")


def ask(judge: Judge, stage: Stage = "spec") -> str:
    return asyncio.run(judge.review(prompt_for(stage, BRIEF).text))


def written(tmp_path: Path, text: str, name: str = "review.yml") -> WrittenReview:
    (tmp_path / name).write_text(text)
    return written_review(tmp_path / name)


def test_a_review_by_hand_answers_both_stages_every_time(tmp_path):
    judge = written(
        tmp_path,
        """
criteria:
  - criterion: c-1
    verdict: met
    reason: line 2 adds
    confidence: 1
    quotes:
      - {file: calc.py, line: 2, text: return a + b}
findings:
  - {severity: low, message: the name says little, confidence: 0.8}
  - {stage: robustness, severity: high, file: calc.py, line: 2, message: fails for text, confidence: 0.9}
""",
    )
    asked = (Criterion("c-1", "adds"),)
    first, again = read_review(ask(judge), asked), read_review(ask(judge), asked)
    second = read_review(ask(judge, "robustness"), (), "robustness")
    assert first == again
    assert [each.message for each in first.remarks] == ["the name says little"]
    assert [each.message for each in second.remarks] == ["fails for text"]


def test_a_review_by_hand_answers_earlier_findings_where_they_are_asked_about(tmp_path):
    criteria = [{"criterion": name} for name in ("c-1", "finding-1", "finding-2", "finding-9")]
    judge = written(tmp_path, json.dumps({"criteria": criteria, "findings": []}))
    brief = Brief("a goal", (Criterion("c-1", "adds"),), "")
    stages: tuple[Stage, ...] = ("robustness", "spec")
    rounds = [Open(f"finding-{at}", Remark(stage, "high", "", 0, "x")) for at, stage in enumerate(stages, 1)]
    prompts = {stage: prompt_for(stage, brief, "en", rounds).text for stage in stages}
    replies = {stage: json.loads(asyncio.run(judge.review(text))) for stage, text in prompts.items()}
    assert [each["criterion"] for each in replies["spec"]["criteria"]] == ["c-1", "finding-2"]
    assert [each["criterion"] for each in replies["robustness"]["criteria"]] == ["finding-1"]


@table_test(
    ("text", "said"),
    [
        ("", "it holds no review"),
        ("hello", "it holds no review"),
        ("[{findings: []}]", "it holds no review"),
        ("spec: []", "it holds no review"),
        ("[unclosed", "review.yml"),
        ("[" * 5000, "review.yml"),
        ("- !!python/object:os.system {}", "review.yml"),
        ("a: &a [x]\nb: *c", "review.yml"),
    ],
)
def test_a_file_that_is_no_review_is_refused(tmp_path, text, said):
    with pytest.raises(UserError) as caught:
        written(tmp_path, text)
    assert said in str(caught.value)
    assert "review.yml" in caught.value.say("zh")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        written_review(tmp_path / "none.yml")
    with pytest.raises(UserError, match="can't be read"):
        written_review(tmp_path)


def test_dates_and_odd_numbers_stay_as_they_are_written(tmp_path):
    judge = written(tmp_path, "findings: [{message: 2024-01-01, line: 0o17}]")
    assert json.loads(ask(judge)) == {"criteria": [], "findings": [{"message": "2024-01-01", "line": "0o17"}]}
