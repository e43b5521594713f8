"""The whole corpus of commands, written from the rules and not from the code: all of it holds. And lines of all
kinds that were decided once: none of them becomes milder unseen."""

import json
from pathlib import Path

from donewhen.guard import Guard
from donewhen.guard.cases import ground_of
from tests.tables import by_kind, table_test, wrong

FOLDER = Path(__file__).parents[1] / "cases"
CASES = [
    json.loads(line)
    for name in ("guard.jsonl", "guard_lines.jsonl")
    for line in (FOLDER / name).read_text().splitlines()
]


KINDS = by_kind(CASES)


@table_test("kind", KINDS)
def test_each_case_is_decided_as_expected(kind):
    def holds(case):
        decision = Guard(ground_of(case.get("context", {}))).command(case["command"])
        return decision.action in (case["expect"], *case.get("also_ok", ()))

    assert wrong(KINDS[kind], holds) == []


def test_every_refusal_says_why_and_what_would_be_allowed():
    for case in CASES:
        decision = Guard(ground_of({})).command(case["command"])
        assert "guard.broken" not in [getattr(one.effect, "what", "") for one in decision.effects]
        for finding in decision.findings:
            assert finding.reason.key
            assert finding.instead is not None or finding.reason.key == "guard.why_unknown"
            assert finding.approval == ("user" if finding.action == "ask" else "never")
