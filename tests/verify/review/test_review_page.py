"""What the page about reviews shows works as shown."""

import asyncio
import re
from pathlib import Path

import yaml

from donewhen.config import config_from_mapping
from donewhen.config.sections_verify import Semantic
from donewhen.verify.review import Subject, review_change, written_review
from donewhen.verify.review_protocol import Brief, Criterion

PAGE = (Path(__file__).parents[3] / "docs" / "review.md").read_text()
PROGRAM, SETTINGS, BY_HAND = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
CALC = "def add(a, b):\n    return a + b\n\ndef subtract(a, b):\n    return a - b\n"


def test_the_settings_are_the_defaults():
    assert config_from_mapping(yaml.safe_load(SETTINGS)).verification.semantic == Semantic()


def test_a_program_is_set_as_shown():
    section = config_from_mapping(yaml.safe_load(PROGRAM)).verification.semantic
    assert section.command == ("review-it", "--strict")


def test_the_review_by_hand_is_one(tmp_path):
    (tmp_path / "review.yml").write_text(BY_HAND)
    brief = Brief("calc can subtract", (Criterion("c1", "subtract(5, 3) is 2"),), "")
    subject = Subject(brief, {"calc.py": CALC}.get, "tree")
    result = asyncio.run(review_change(written_review(tmp_path / "review.yml"), subject, Semantic()))
    assert [(each.status, each.place, each.rule) for each in result.feedback] == [
        ("pass", "calc.py:5", "criterion-met"),
        ("fail", "calc.py:5", "unchecked-input"),
    ]
