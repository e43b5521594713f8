"""What an answer owes to its question."""

import json

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity.keyed_exam import Case
from donewhen.core.integrity.keyed_made import is_agreed, is_arranged, is_made, is_ranked, is_recased, orders
from tests.tables import table_test

LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
).map(json.dumps)


@table_test(
    ("key", "answer", "made"),
    [
        ("city", "cities", True),
        ("ponies", "pony", True),
        ("bus", "buses", True),
        ("Ada Lovelace", "AL", True),
        ("userName", "user_name", True),
        (22, "22nd", True),
        ("py", "python", False),
        ("cow", "moo", False),
        ("rock", "paper", False),
        ("monday", "mondays", False),
        (404, "Not Found", False),
        ("todo", "Todo", False),
    ],
)
def test_an_answer_is_made_of_its_question(key: object, answer: str, made: bool) -> None:
    assert is_made(json.dumps(key), json.dumps(answer)) is made


def test_capitals_alone_are_told_apart() -> None:
    assert is_recased('"river"', '"River"')
    assert not is_recased('"river"', '"rivers"')


@table_test(
    ("given_", "answer", "arranged"),
    [
        (["tea", "dog", "eat"], [["tea", "eat"], ["dog"]], True),
        ("the cat and the dog", ["the", "and"], True),
        (["fri", "sat", "sun"], ["sat", "sun"], False),
        ([{"name": "ann"}, {"age": 3}], ["name", "age"], False),
        (["b", "a"], ["b", "a"], False),
    ],
)
def test_parts_in_another_order_are_an_answer(given_: object, answer: object, arranged: bool) -> None:
    case = Case(frozenset(("f",)), (json.dumps(given_),), (json.dumps(answer),))
    assert is_arranged(case, json.dumps(answer)) is arranged


@table_test("literal", ['["x1", "x2"]', '{"x2": 1, "x1": 0}', '[["x1", 0], ["x2", 1]]'])
def test_an_order_is_one_however_it_is_written(literal: str) -> None:
    case = Case(frozenset(("f",)), ('["x2", "x1"]',), ('["x1", "x2"]',))
    assert any(is_ranked(case, order) for order in orders([literal]))


@given(LITERALS, LITERALS)
def test_no_literal_is_made_of_itself_and_none_breaks_it(key: str, answer: str) -> None:
    case = Case(frozenset(("f",)), (key,), (answer,))
    assert not is_made(key, key)
    assert not is_arranged(case._replace(given=(answer,)), answer)
    assert is_made(key, answer) in (True, False)
    assert all(is_ranked(case, order) in (True, False) for order in orders([key, answer]))
    assert is_agreed("3")
