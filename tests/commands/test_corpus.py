"""Pairs of declared and executed commands, written from the rules and not from the code."""

import json
from pathlib import Path

from donewhen.commands import parse
from donewhen.commands.matching import match

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases/matches.jsonl").open(encoding="utf-8")
]


def verdict(case):
    shell = case.get("shell", "bash")
    found = match(parse(case["declared"], shell), parse(case["executed"], shell))
    return {"match": found.match, "exit_masked": found.masked, "same_check": found.same_check}


def test_no_masked_narrower_or_foreign_line_counts():
    assert [case["id"] for case in CASES if verdict(case)["match"] and not case["match"]] == []


def test_every_line_is_judged_as_expected():
    wrong = [case["id"] for case in CASES if verdict(case) != {key: case[key] for key in verdict(case)}]
    assert wrong == []
