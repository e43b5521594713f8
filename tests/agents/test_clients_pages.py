"""The pages say which variables a client gets: exactly those that it does."""

import re
from pathlib import Path

from donewhen.agents.clients.known import KNOWN
from tests.tables import table_test

DOCS = Path(__file__).parents[2] / "docs"
PREFIX = re.compile(r"`([A-Z_]+_)`")


@table_test("name", KNOWN)
def test_the_table_names_what_is_passed_on(name: str):
    lines = (DOCS / "clients.md").read_text().splitlines()
    row = next(line for line in lines if line.startswith(f"| {name} |") and PREFIX.search(line))
    assert set(PREFIX.findall(row)) == set(KNOWN[name].passed)


@table_test("name", ["codex", "gemini", "opencode"])
def test_the_page_of_a_client_names_the_same(name: str):
    assert set(PREFIX.findall((DOCS / "clients" / f"{name}.md").read_text())) == set(KNOWN[name].passed)
