"""Bodies go to JSON and come back unchanged, or are refused by name."""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import EMPTY, dumps, freeze, from_json, thaw, to_json
from tests.tables import table_test

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


class Inner(NamedTuple):
    n: int


class Outer(NamedTuple):
    name: str
    number: int | None = None
    kind: Literal["a", "b"] = "a"
    words: tuple[str, ...] = ()
    ratio: float = 0.5
    flag: bool = False
    extra: Mapping[str, Any] = EMPTY
    inner: Inner | None = None


@given(JSON)
def test_json_text_is_the_same_after_a_round_trip(data):
    text = dumps(data)
    text.encode()
    assert dumps(json.loads(text)) == text


@given(JSON)
def test_frozen_data_thaws_to_itself(data):
    assert thaw(freeze(data)) == data


@given(
    st.builds(
        Outer,
        st.text(),
        st.none() | st.integers(),
        st.sampled_from(["a", "b"]),
        st.lists(st.text()).map(tuple),
        st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(),
        st.dictionaries(st.text(), JSON).map(freeze),
        st.none() | st.builds(Inner, st.integers()),
    )
)
def test_a_body_round_trips_through_text(body):
    assert from_json(Outer, json.loads(dumps(to_json(body)))) == body


def test_defaults_are_not_written():
    assert to_json(Outer("x")) == {"name": "x"}


def test_lone_surrogates_survive():
    text = dumps({"path": "caf\udce9"})
    assert text.isascii()
    assert json.loads(text) == {"path": "caf\udce9"}


@table_test(
    ("data", "why"),
    [
        ([], "not an object"),
        ({}, "missing field 'name'"),
        ({"name": 1}, "field 'name': str expected"),
        ({"name": "x", "number": True}, "field 'number': NoneType expected"),
        ({"name": "x", "flag": 1}, "field 'flag': bool expected"),
        ({"name": "x", "kind": "c"}, "field 'kind': one of a, b expected"),
        ({"name": "x", "words": "ab"}, "field 'words': a list expected"),
        ({"name": "x", "words": [1]}, "field 'words': str expected"),
        ({"name": "x", "extra": []}, "field 'extra': an object expected"),
        ({"name": "x", "inner": {"m": 1}}, "field 'inner': NoneType expected"),
        ({"name": "x", "other": 1}, "unknown field 'other'"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(data, why):
    with pytest.raises(ValueError, match="^" + why.replace("(", r"\(")):
        from_json(Outer, data)


def test_an_integer_is_a_fine_float():
    assert from_json(Outer, {"name": "x", "ratio": 1}).ratio == 1.0


def test_nan_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"x": float("nan")})


def test_frozen_data_can_not_be_changed():
    body = from_json(Outer, {"name": "x", "extra": {"deep": {"a": [1]}}})
    with pytest.raises(TypeError):
        body.extra["deep"]["a"] = 2
