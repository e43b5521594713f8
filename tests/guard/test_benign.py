"""Everyday commands of coding agents: each of them is allowed, or the guard has raised a false alarm."""

import json
from pathlib import Path
from typing import Any

from donewhen.guard import Guard
from donewhen.guard.cases import ground_of
from tests.tables import table_test

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "guard_benign.jsonl").read_text("utf-8").splitlines()
]


@table_test("case", CASES, ids=[case["id"] for case in CASES])
def test_everyday_command_is_allowed(case: dict[str, Any]) -> None:
    decision = Guard(ground_of(case.get("context", {}))).command(case["command"])
    assert decision.action == case["expect"], (decision.rule, decision.reason)
