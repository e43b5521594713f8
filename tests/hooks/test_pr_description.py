"""A description is what a reader sees of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.hooks.built_in.pr_description import LEAST, visible
from tests.hooks.ground import Ground
from tests.tables import table_test


@table_test(
    ("text", "count"),
    [
        ("", 0),
        ("a b\n\tc", 3),
        ("修复了登录", 5),
        ("\u200b\u2060\ufeff\u00ad" * 60, 0),
        ("\u3164\u2800" * 60, 0),
        ("<!-- " + "x" * 100 + " -->", 0),
        ("a<!-- x -->b<!-- y --> c", 3),
        ("a <!-- never closed " + "x" * 100, 1),
        ("<!--" * 30_000, 0),
        ("e\u0301", 1),
    ],
)
def test_only_visible_characters_count(text, count):
    assert visible(text) == count


@pytest.mark.parametrize(
    ("data", "passes"),
    [
        ({"description": "x" * LEAST}, True),
        ({"description": "x" * (LEAST - 1)}, False),
        ({"description": "x" * (LEAST - 1) + " " * 50}, False),
        ({"description": None}, False),
        ({}, False),
    ],
)
def test_a_short_description_is_refused(ground: Ground, data, passes):
    ground.user(enabled=["enforce-pr-description"])
    blocked = ground.call("before_pr", **data).blocked
    assert (blocked == "") == passes
    assert passes or "needs at least 50" in blocked


@given(st.text())
def test_blanks_never_add_to_the_count(text):
    assert visible(f" {text}\n\u200b") == visible(text) <= len(text)
