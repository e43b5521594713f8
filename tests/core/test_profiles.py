"""Profiles: which stages a change must pass; changed source lifts a weaker one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import SetupError
from donewhen.core.findings import Feedback
from donewhen.core.profiles import ALWAYS, DEFAULT, PROFILES, UnknownProfile, covers, named, profile
from donewhen.core.reasons import exit_code
from tests.tables import table_test

NAMES = st.sampled_from(sorted(PROFILES))
PATHS = st.lists(
    st.sampled_from(
        ["README.md", "docs/a.md", "a.yml", "data.csv", "src/a.py", "b.ts", "c.rs", "x.sql", "Makefile"]
    )
)


@table_test(
    ("name", "stages"),
    [
        ("task_only", "todos"),
        ("create_file", "todos files content"),
        ("docs", "todos files content"),
        ("config", "todos files content commands"),
        ("edit_code", "todos change build tests types"),
        ("fix_bug", "todos change tests build types"),
        ("refactor", "todos change build tests lint types"),
    ],
)
def test_the_stages_of_a_profile_in_order(name, stages):
    applied = profile(name, ["README.md"])
    assert applied.stages == (*stages.split(), "integrity", "secrets")
    assert (applied.name, applied.lifted) == (name, None)


@table_test("name", ["task_only", "create_file", "docs", "config"])
def test_changed_source_lifts_a_weaker_profile(name):
    applied = profile(name, ["README.md", "src/app.py"])
    assert (applied.name, applied.lifted) == ("edit_code", name)
    assert applied.stages[:5] == PROFILES["edit_code"]


@table_test("name", ["edit_code", "fix_bug", "refactor"])
def test_a_profile_for_code_stays_what_it_is(name):
    applied = profile(name, ["src/app.py"])
    assert (applied.name, applied.lifted) == (name, None)
    assert applied.stages == (*PROFILES[name], *ALWAYS)


def test_the_projects_own_extensions_count_as_source():
    assert not profile("docs", ["model.proto"]).lifted
    assert profile("docs", ["model.proto"], [".proto"]).lifted


@table_test("name", [None, ""])
def test_a_stored_session_without_a_profile_gets_the_weakest(name):
    assert profile(name).name == "task_only"
    assert profile(name, ["a.py"]).name == "edit_code"


@table_test("name", ["edit-code", "EDIT_CODE", "everything", " docs"])
def test_an_unknown_name_ends_with_its_own_reason(name):
    with pytest.raises(UnknownProfile) as caught:
        named(name)
    assert isinstance(caught.value, SetupError)
    assert exit_code(caught.value.reason) == caught.value.exit_code == 5
    assert "task_only" in str(caught.value)


@given(NAMES, PATHS)
def test_a_lift_never_takes_a_stage_away(name, changed):
    applied = profile(name, changed)
    assert set(PROFILES[name]) <= set(applied.stages)
    assert set(ALWAYS) <= set(applied.stages)
    assert len(set(applied.stages)) == len(applied.stages)


@given(NAMES, PATHS, PATHS)
def test_more_changes_never_ask_for_less(name, changed, more):
    assert set(profile(name, changed).stages) <= set(profile(name, [*changed, *more]).stages)


@given(NAMES, PATHS)
def test_changed_source_always_needs_tests(name, changed):
    applied = profile(name, [*changed, "src/a.py"])
    assert covers(applied.name, DEFAULT)
    assert applied.has("tests")


@given(NAMES, PATHS)
def test_what_was_lifted_is_not_lifted_again(name, changed):
    applied = profile(name, changed)
    assert profile(applied.name, changed).name == applied.name
    assert not profile(applied.name, changed).lifted


def test_feedback_as_data_names_only_what_is_known():
    plain = Feedback("warning", "style", "too long")
    assert plain.to_data()["location"] is None
    assert plain.place == ""
    placed = Feedback("fail", "quality", "no", "src/a.py", 3, 7, rule="F401", confidence=2.0)
    assert placed.to_data() == {
        "status": "fail",
        "category": "quality",
        "location": {"file": "src/a.py", "line": 3, "column": 7},
        "message": "no",
        "details": "",
        "fixable": False,
        "fix_suggestion": None,
        "confidence": 1.0,
        "rule": "F401",
    }
    assert placed.place == "src/a.py:3:7"
