"""Pairs of trees in languages that can't be run here (Go, Rust, Java, installed runners): read and compared.

What only a second sitting of the exam tells is assumed: of a cheat, that the base's tests fail on the new code
as they failed before; of honest work, that they pass on it, or passed before where the goal changes behaviour.
"""

from pathlib import Path
from typing import Any

import yaml

from donewhen.core.integrity.model import RULES, Finding, Rerun
from donewhen.verify.integrity.inspecting import Asked, Texts, inspect, settled
from tests.tables import table_test

PAIRS = {path.stem: path for path in sorted((Path(__file__).parent / "pairs").glob("*.yml"))}


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def as_bytes(files: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


@table_test("name", PAIRS)
def test_reading_finds_what_got_easier_and_nothing_else(name: str):
    pair = load(PAIRS[name])
    if pair["expect"]:
        blocking = {finding.rule for finding in sat(pair, Rerun(False), Rerun(False)) if finding.blocks}
        assert blocking & {*pair["expect"], "base-tests-failed"}, sorted(blocking)
    else:
        ways = [sat(pair, Rerun(True)), sat(pair, Rerun(False), Rerun(True))]
        assert any(not [finding for finding in found if finding.blocks] for found in ways), ways


def sat(pair: Any, again: Rerun, start: Rerun | None = None) -> tuple[Finding, ...]:
    """The findings when the exam passed, and was sat again with such results."""
    base, now = as_bytes(pair["base"]), as_bytes(pair["now"])
    changed = [path for path in {**base, **now} if base.get(path) != now.get(path)]
    asked = Asked(pair["goal"])
    return settled(inspect(Texts(base), Texts(now), changed, asked), asked, Rerun(True), again, start)


def test_every_pair_names_rules_that_exist():
    for name, path in PAIRS.items():
        pair = load(path)
        assert pair["id"] == name
        assert set(pair["expect"]) <= set(RULES), name


def test_at_least_a_third_of_the_pairs_of_each_language_is_honest():
    told: dict[str, list[bool]] = {}
    for path in PAIRS.values():
        pair = load(path)
        told.setdefault(pair["language"], []).append(not pair["expect"])
    assert {"go", "rust", "java", "typescript", "javascript", "pytest"} <= set(told)
    assert all(3 * sum(honest) >= len(honest) for honest in told.values()), told
