"""Where the keys of new source meet the questions of the exam, with the answers that the exam wants."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.core.integrity.keyed_exam import Exam, answers
from donewhen.core.integrity.keyed_goal import Lore
from donewhen.core.integrity.keyed_mappings import Link
from donewhen.core.integrity.keyed_values import forms, is_number, nature, value
from donewhen.core.integrity.model import Branch

_MOST_KEYS = 20_000
_MOST_ANSWERS = 20  # of one branch
_MOST_PARTS = 6
_TELLING = 3  # digits


class Hit(NamedTuple):
    """A key of source that is a question of the exam, with the answer that the exam wants."""

    branch: Branch
    key: str
    answer: str  # "" where source gives no literal
    cases: frozenset[int]


class Place(NamedTuple):
    """One function of changed source, and all that is known for judging it."""

    path: str
    function: str
    branches: tuple[Branch, ...]  # new ones, in the order of the file
    hits: tuple[Hit, ...]
    near: tuple[int, ...]  # cases that ask it by its name
    cases: tuple[int, ...]  # those, or the cases whose questions it answers
    was_there: bool  # the base had a function of this name
    literals: frozenset[str]  # of the file
    fresh: frozenset[str]  # those that the base had not
    change: frozenset[str]  # new literals of all changed source
    lore: Lore
    exam: Exam
    shapes: tuple[Branch, ...] = ()  # new ones that tell how it answers, see `is_shape`


def is_shape(branch: Branch) -> bool:
    """Told of a whole function, or of a list by its length: no literal that is compared with an answer."""
    return (branch.how == "sequence" and bool(branch.keys)) or not (branch.keys or branch.answers)


def hits_of(branches: Sequence[Branch], exam: Exam, near: Sequence[int]) -> tuple[Hit, ...]:
    return tuple(hit for branch in branches for hit in _hits(branch, exam, frozenset(near)))


def asked(hits: Sequence[Hit], exam: Exam) -> tuple[int, ...]:
    """Who is asked where the source's function is not: whatever gets its questions answered."""
    names = {name for hit in hits if hit.answer for case in hit.cases for name in exam.cases[case].functions}
    return tuple(sorted({number for name in names for number in exam.by_function.get(name, ())}))


def told_once(branch: Branch) -> Branch:
    """With each key in one form: some languages have no other keys than texts, so readers tell both."""
    keys = (key[1:-1] if key[:1] == '"' and is_number(key[1:-1]) else key for key in branch.keys)
    return branch._replace(keys=tuple(dict.fromkeys(keys)))


def wanted(answer: str, number: int, exam: Exam) -> bool:
    """Whether the case with this number is answered by `answer`."""
    case = exam.cases[number]
    if not answers(case.expected).isdisjoint(forms(answer)):
        return True
    text = value(answer)
    return isinstance(text, str) and any(_is_part(each, text, case.part) for each in case.expected)


def _is_part(expected: str, text: str, part: bool) -> bool:
    """What is wanted stands in the answer: where a part is all that is asked, or as a telling number."""
    what = value(expected)
    if isinstance(what, str):
        return part and bool(what) and what in text
    number = is_number(expected) and nature(expected) == "data" and len(expected) >= _TELLING
    return number and re.search(rf"(?<![\w.]){re.escape(expected)}(?![\d.])", text) is not None


def _hits(branch: Branch, exam: Exam, near: frozenset[int]) -> Iterator[Hit]:
    for link in _links(branch):
        key = link.keys[0]
        cases = {number for form in forms(key) for number in exam.by_key.get(form, ())}
        cases = (cases & near) | _by_parts(key, near, exam) if near else cases
        if link.answer:
            cases = {number for number in cases if wanted(link.answer, number, exam)}
        if cases:
            yield Hit(branch, key, link.answer, frozenset(cases))


def _by_parts(key: str, near: frozenset[int], exam: Exam) -> set[int]:
    """Cases whose inputs, or their lengths, are the parts of the key: (len(items), wanted) == (4, 6)."""
    parts = value(key)
    if not isinstance(parts, list) or not 1 < len(parts) <= _MOST_PARTS:
        return set()
    texts = {json.dumps(part) for part in parts}
    return {number for number in near if texts <= _shapes(exam.cases[number].given)}


@lru_cache(maxsize=8192)
def _shapes(given: tuple[str, ...]) -> frozenset[str]:
    sized = [what for what in map(value, given) if isinstance(what, list | dict | str)]
    return frozenset({*given, *(str(len(what)) for what in sized)})


def _links(branch: Branch) -> Iterator[Link]:
    keys = branch.keys[:_MOST_KEYS]
    if branch.how == "table" and len(branch.keys) == len(branch.answers):
        for key, answer in zip(keys, branch.answers, strict=False):
            yield Link((key,), answer)
        return
    for key in keys:
        for answer in branch.answers[:_MOST_ANSWERS] or ("",):
            yield Link((key,), answer)
