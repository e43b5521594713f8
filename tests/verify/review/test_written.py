"""A review that a human wrote stands in a file."""

import asyncio
import json
from pathlib import Path

import pytest

from donewhen.core.errors import UserError
from donewhen.verify.review import Judge, WrittenReview, written_review
from donewhen.verify.review_protocol import Criterion, Stage, read_review
from tests.tables import table_test


def ask(judge: Judge, stage: Stage = "spec") -> str:
    return asyncio.run(judge.review("the prompt", stage))


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
    assert json.loads(ask(judge)) == {"findings": [{"message": "2024-01-01", "line": "0o17"}]}
