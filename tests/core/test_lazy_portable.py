"""Patterns on a Python whose possessive repeats of groups miss matches."""

import re

from donewhen.core.lazy import _greedy
from tests.tables import table_test


@table_test(
    ("source", "expected"),
    [
        (r"(?:[^-]++|-(?!---))*+x", r"(?:[^-]++|-(?!---))*x"),
        (r"(?:a|b){0,40}+", r"(?:a|b){0,40}"),
        (r"(a)++(b)?+", r"(a)+(b)?"),
        (r"[)*+]*+", r"[)*+]*+"),
        (r"[^)]++\)*+", r"[^)]++\)*+"),
        (r"\)++", r"\)++"),
        (r"[]()*+]++(?:x)*+", r"[]()*+]++(?:x)*"),
    ],
)
def test_only_possessive_repeats_of_groups_become_greedy(source: str, expected: str):
    assert _greedy(source) == expected
    re.compile(expected)
