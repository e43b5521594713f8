"""The exam as questions with their answers: what goes into a function, and what must come out.

Where a test gives its values by a table or through names, its literals are all that is known: such a case is
loose. Nothing is judged here.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.core.integrity.keyed_values import forms, in_a_row, is_compound, joined, nature, scalars, value
from donewhen.core.integrity.model import Assertion, Sheet, Test

_SAID = {"true": "true", "false": "false", "null": "null"}  # kinds that name their answer
_MOST = 20_000  # cases; more is generated, and enough to judge by
_MOST_JOINED = 20  # inputs of one question
_MOST_ROWS = 500
_UNEQUAL = ("unequal", "order", "raises", "not_null", "called", "type")


class Case(NamedTuple):
    functions: frozenset[str]
    given: tuple[str, ...]
    expected: tuple[str, ...]
    loose: bool = False  # which literals go in and which come out is not known
    part: bool = False  # the expected literal is only a part of the answer


class Exam(NamedTuple):
    cases: tuple[Case, ...]
    by_key: dict[str, tuple[int, ...]]
    by_answer: dict[str, tuple[int, ...]]
    by_function: dict[str, tuple[int, ...]]
    raising: dict[str, frozenset[str]]  # by function, what it must refuse


def exam_of(sheets: Iterable[Sheet]) -> Exam:
    found: dict[Case, None] = {}
    raising: dict[str, set[str]] = defaultdict(set)
    for sheet in {id(sheet): sheet for sheet in sheets}.values():
        for test in sheet.tests:
            if len(found) < _MOST:
                found.update(dict.fromkeys(_cases(test)))
                _refused(test, raising)
    cases = tuple(found)
    return Exam(
        cases,
        _index(_keys(case) for case in cases),
        _index(case.expected for case in cases),
        _index(case.functions for case in cases),
        {name: frozenset(given) for name, given in raising.items()},
    )


def _refused(test: Test, raising: dict[str, set[str]]) -> None:
    for each in test.asserts:
        if each.kind == "raises":
            for name in each.subjects:
                raising[last(name)].update(outer(each.given))


def _index(names: Iterable[Iterable[str]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(names):
        for name in each:
            found[name].append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def _keys(case: Case) -> set[str]:
    """Each input in all its forms, and all of them together."""
    given = case.given
    whole = set()
    if 1 < len(given) <= _MOST_JOINED or (given and is_compound(given[0])):
        whole = joined([value(each) for each in given]) if any(map(is_compound, given)) else in_a_row(given)
    return whole.union(*map(forms, given))


@lru_cache(maxsize=8192)
def answers(expected: tuple[str, ...]) -> frozenset[str]:
    """All forms of what is expected."""
    return frozenset(form for literal in expected for form in forms(literal))


@lru_cache(maxsize=32_768)
def last(name: str) -> str:
    """`cart.total` and `Cart::total` are both `total`."""
    return name.replace("::", ".").rsplit(".", 1)[-1].strip("()!? ")


def _cases(test: Test) -> Iterable[Case]:
    calls = frozenset(last(name) for name in test.calls)
    known = False
    for each in test.asserts:
        case = _case(each, test, calls)
        if case:
            known = known or not case.loose
            yield from _apart(case) if test.cases != 1 else (case,)
    if not known:
        yield from _rows(test, calls)


def _case(each: Assertion, test: Test, calls: frozenset[str]) -> Case | None:
    if each.hollow or each.kind in _UNEQUAL:
        return None
    expected = each.expected or ((_SAID[each.kind],) if each.kind in _SAID else ())
    if not expected:
        return None
    functions = frozenset(last(name) for name in each.subjects)
    part = each.kind in ("contains", "matches")
    if each.given:
        return Case(functions, each.given, expected, part=part)
    others = tuple(literal for literal in test.literals if literal not in expected)
    if others:
        return Case(functions | calls, others[:200], expected, loose=True, part=part)
    return Case(functions, (), expected, part=part)


def _apart(case: Case) -> Iterable[Case]:
    """The rows of a table that an assertion was told with: one question for each answer."""
    answers, inputs_ = outer(case.expected), outer(case.given)
    if len(answers) == len(inputs_):
        return [
            case._replace(given=(one,), expected=(two,)) for one, two in zip(inputs_, answers, strict=True)
        ]
    return [case._replace(expected=(answer,)) for answer in answers[:_MOST_ROWS]]


@lru_cache(maxsize=32_768)
def outer(literals: tuple[str, ...]) -> tuple[str, ...]:
    """Without those that are only told as parts of a list or map among them."""
    if not any(literal[:1] in ("[", "{") for literal in literals):
        return literals
    inside = {json.dumps(part) for each in literals if is_compound(each) for part in scalars(value(each))}
    return tuple(literal for literal in literals if is_compound(literal) or literal not in inside)


def _rows(test: Test, calls: frozenset[str]) -> Iterable[Case]:
    """Rows of a parameter table: the answer stands last."""
    functions = calls | {last(name) for each in test.asserts for name in each.subjects}
    rows = [literal for literal in test.literals if is_compound(literal)]
    for row in rows:
        yield from _split(row, functions)
    pool = tuple(literal for literal in test.literals if literal not in rows)[:400]
    if len(pool) > 1:
        yield Case(functions, pool, pool, loose=True)


@lru_cache(maxsize=4096)
def _split(row: str, functions: frozenset[str]) -> tuple[Case, ...]:
    cells = value(row)
    if not isinstance(cells, list) or len(cells) < 2:
        return ()
    if all(isinstance(cell, list) and len(cell) > 1 for cell in cells):
        inner = [[json.dumps(part) for part in cell] for cell in cells]
        return tuple(Case(functions, tuple(cell[:-1]), (cell[-1],)) for cell in inner)
    texts = [json.dumps(cell) for cell in cells]
    return (Case(functions, tuple(texts[:-1]), (texts[-1],)),)


def inputs(case: Case) -> tuple[str, ...]:
    """What goes in and is not trivial."""
    return tuple(literal for literal in case.given if nature(literal) != "trivial")


def relevant(exam: Exam, function: str) -> Sequence[int]:
    """The cases that ask this function; none where nobody asks it by its name."""
    return exam.by_function.get(last(function), ()) if function else ()
