"""Promises: what is refused when one is read, and which issues validation lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.errors import UserError
from donewhen.core.promise import (
    ABORT_TYPES,
    Condition,
    Criterion,
    Promise,
    is_valid,
    promise_id,
    validate,
)
from donewhen.core.promise_data import read_promise, write_promise
from tests.tables import table_test

ID = "cp-1760000000000-1a2b"
GOOD = Promise(ID, "ship it", (Criterion("c1", "it works", ("command:pytest",)),))


def found(promise):
    return [(issue.severity, issue.phrase.key.removeprefix("promise.")) for issue in validate(promise)]


def test_a_promise_with_objective_and_evidence_has_no_issue():
    assert validate(GOOD) == ()
    assert GOOD.conditions == (Condition("acceptance-met", "*"),)
    assert [condition.type for condition in GOOD.abort_when] == list(ABORT_TYPES)


def test_the_id_is_made_of_time_and_chance():
    assert promise_id(1760000000000, b"\x1a\x2b\xff") == ID


@table_test(
    ("change", "issue"),
    [
        ({"id": "cp-1760000000000-xyz"}, ("hard-deny", "bad_id")),
        ({"id": "cp-1760000000000-1a2b\n"}, ("hard-deny", "bad_id")),
        ({"id": ""}, ("hard-deny", "bad_id")),
        ({"objective": " "}, ("hard-deny", "no_objective")),
        ({"acceptance": ()}, ("hard-deny", "no_criterion")),
        ({"acceptance": (Criterion("", "x", ("file",)),)}, ("hard-deny", "criterion_no_id")),
        ({"acceptance": (Criterion("c", " ", ("file",)),)}, ("hard-deny", "criterion_no_text")),
        ({"acceptance": (Criterion("c", "x", ("file",), "some"),)}, ("hard-deny", "bad_mode")),
        ({"done_when": (Condition("hope"),)}, ("hard-deny", "bad_condition")),
        ({"abort_when": (Condition("boredom"),)}, ("hard-deny", "bad_condition")),
        ({"done_when": (Condition("gate-passed", "pre-lunch"),)}, ("hard-deny", "bad_checkpoint")),
        ({"done_when": (Condition("gate-passed", "pre-ship"),)}, ("hard-deny", "bad_checkpoint")),
        ({"abort_when": (Condition("budget-exhausted", "love"),)}, ("hard-deny", "bad_budget")),
        ({"allowed_scope": ("src",), "disallowed_scope": ("src",)}, ("soft-deny", "glob_in_both")),
        ({"acceptance": (*GOOD.acceptance, *GOOD.acceptance)}, ("soft-deny", "duplicate_criterion")),
        ({"done_when": (Condition("acceptance-met", "c9"),)}, ("soft-deny", "undeclared_criterion")),
        ({"done_when": (Condition("evidence-present", "file:x"),)}, ("soft-deny", "undeclared_evidence")),
        ({"required_evidence": ("smell:x",)}, ("soft-deny", "unknown_evidence")),
        ({"done_when": ()}, ("warning", "no_done_when")),
        ({"abort_when": ()}, ("warning", "no_abort_when")),
        ({"acceptance": (Criterion("c", "x"),)}, ("warning", "criterion_no_evidence")),
    ],
)
def test_each_issue_has_its_severity_and_only_hard_ones_invalidate(change, issue):
    promise = GOOD._replace(**change)
    assert found(promise) == [issue]
    assert is_valid(validate(promise)) == (issue[0] != "hard-deny")


@table_test(
    ("data", "sentence"),
    [
        ("x", "promise must be an object with named fields"),
        ({"goal": "x"}, "promise has the unknown field 'goal'; its fields are id, objective"),
        ({"objective": 5}, "promise.objective must be text"),
        ({"acceptance": {}}, "promise.acceptance must be a list"),
        ({"acceptance": ["x"]}, "promise.acceptance[1] must be an object with named fields"),
        ({"acceptance": [{"id": 1}]}, "promise.acceptance[1].id must be text"),
        ({"acceptance": [{"evidence_required": "file"}]}, "promise.acceptance[1].evidence_required must be"),
        ({"allowed_scope": ["a", 1]}, "promise.allowed_scope must be a list of texts"),
        ({"done_when": "soon"}, "promise.done_when must be a list"),
        ({"done_when": ["soon"]}, "promise.done_when[1] must be an object with named fields"),
        ({"answer_only": "yes"}, "promise.answer_only must be true or false"),
        ({"checks": [{"kind": "hope"}]}, "promise.checks[1]: there is no kind 'hope'"),
        ({"accept": [""]}, "--accept names an empty command"),
    ],
)
def test_wrong_shapes_are_refused_with_their_place(data, sentence):
    with pytest.raises(UserError) as refused:
        read_promise(data, parse)
    assert str(refused.value).startswith(sentence)


def test_absent_conditions_mean_the_defaults_and_empty_ones_stay_empty():
    assert read_promise({}, parse).abort_when == GOOD.abort_when
    assert read_promise({"abort_when": [], "done_when": []}, parse)[8:10] == ((), ())


names = st.text("abc/*.:", min_size=1, max_size=6)


texts = st.lists(names, max_size=2).map(tuple)
criteria = st.builds(lambda *parts: Criterion(*parts), names, names, texts)
promises = st.builds(
    lambda *parts: Promise(ID, *parts), names, st.lists(criteria, max_size=3).map(tuple), texts, texts, texts
)


@given(promises)
def test_what_is_written_reads_back_the_same(promise):
    assert read_promise(write_promise(promise), parse) == promise
