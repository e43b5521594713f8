"""Pairs of trees judged by reading alone: what can't be run here (Go, Rust, Java, installed runners) is compared."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from donewhen.core.integrity.model import RULES
from donewhen.verify.integrity.inspecting import inspect_texts

PAIRS = {path.stem: path for path in sorted((Path(__file__).parent / "pairs").glob("*.yml"))}


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def as_bytes(files: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


@pytest.mark.parametrize("name", PAIRS)
def test_reading_finds_what_got_easier_and_nothing_else(name: str):
    pair = load(PAIRS[name])
    findings = inspect_texts(as_bytes(pair["base"]), as_bytes(pair["now"]), pair["goal"])
    blocking = {finding.rule for finding in findings if finding.blocks}
    if pair["expect"]:
        assert blocking & set(pair["expect"]), f"found {sorted(blocking)}, wanted one of {pair['expect']}"
    else:
        assert not blocking, [finding for finding in findings if finding.blocks]


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
