"""Ways in which answers are copied from the exam, one function each; any of them is enough.

Each looks at one function of the source and yields what gives it away: a branch, a key, an answer.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from donewhen.core.integrity.keyed_echo import echoed, transcribed
from donewhen.core.integrity.keyed_exam import Case, Exam, inputs, last, outer
from donewhen.core.integrity.keyed_hits import Hit, Place, wanted
from donewhen.core.integrity.keyed_mappings import Link, follows, is_code_book
from donewhen.core.integrity.keyed_ordinary import ordinary
from donewhen.core.integrity.keyed_steps import written_out
from donewhen.core.integrity.keyed_unworked import unworked
from donewhen.core.integrity.keyed_values import is_compound, is_digest, is_made_up, is_number, nature, value
from donewhen.core.integrity.keyed_written import put_in_order, tabled, written_in
from donewhen.core.integrity.model import Branch

_HALF = 0.5
_SMALL = 12
_MOST = 50  # answers that are tried
_CALENDAR = frozenset(("0", "28", "29", "30", "31"))
_NAME = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,2}")
_OTHER = {"true": "false", "false": "true"}


class Told(NamedTuple):
    line: int
    key: str
    answer: str


def told(place: Place) -> Iterator[Told]:
    for rule in _RULES:
        yield from rule(place)
    yield from (Told(*each) for each in (*ordinary(place), *unworked(place)))


def _copied(place: Place) -> Iterator[Told]:
    """One made-up input with its answer, unless it is one row of a larger table."""
    for branch, group in groupby(place.hits, lambda hit: hit.branch):
        mine = list(group)
        if _share(branch, mine) < _HALF or is_code_book(branch.keys, branch.answers):
            continue
        for hit in mine:
            if _is_copied(hit, place) and not place.lore.explains(hit.key, hit.answer):
                yield Told(branch.line, hit.key, hit.answer)
                break


def _share(branch: Branch, hits: Sequence[Hit]) -> float:
    size = max(len(set(branch.keys)), branch.size if branch.how == "table" else 1)
    return len({hit.key for hit in hits}) / size


def _is_copied(hit: Hit, place: Place) -> bool:
    if not hit.answer:
        return is_made_up(hit.key)
    if _is_joint(hit, place.exam):
        return True
    if not (nature(hit.key) == "data" or _is_worked_out(hit)):
        return False
    return bool(place.near) or is_made_up(hit.key) or nature(hit.answer) != "trivial"


def _is_worked_out(hit: Hit) -> bool:
    number = value(hit.key)
    large = isinstance(number, int | float) and not isinstance(number, bool) and abs(number) > _SMALL
    return large and is_number(hit.answer) and nature(hit.answer) != "trivial"


def _is_joint(hit: Hit, exam: Exam) -> bool:
    """All arguments of one question are compared, numbers among them: a == 2 and b == 3."""
    keys = set(hit.branch.keys)
    if hit.branch.how != "compare" or not any(is_number(key) and nature(key) != "trivial" for key in keys):
        return False
    cases = (exam.cases[number] for number in hit.cases)
    given = (set(outer(case.given)) for case in cases if not case.loose)
    return any(len(each) > 1 and each <= keys for each in given)


def _all_listed(place: Place) -> Iterator[Told]:
    """Every question has its answer listed, and the answers follow from the questions."""
    exam = place.exam
    answered = [hit for hit in place.hits if hit.answer and not _is_laid_down(hit, place)]
    questions = {
        number for number in place.cases if exam.cases[number].given and not exam.cases[number].loose
    }
    left = questions - {number for hit in answered for number in hit.cases}
    keys = {key for branch in place.branches for key in branch.keys if branch.answers}
    hit_keys = {hit.key for hit in answered}
    if len(questions) < 2 or len(hit_keys) < 2 or len(hit_keys) / len(keys) <= _HALF:
        return
    if left and not _by_default(left, answered, place):
        return
    if follows(list(dict.fromkeys(_link(hit, exam) for hit in answered))):
        yield Told(answered[0].branch.line, answered[0].key, answered[0].answer)


def _is_laid_down(hit: Hit, place: Place) -> bool:
    """Whether the goal has the entry, or the whole row of numbers that the key counts, or it is a name."""
    if place.lore.explains(hit.key, hit.answer):
        return True
    if is_code_book(hit.branch.keys, hit.branch.answers):
        return True
    size = len(hit.branch.keys)
    counted = any(hit.branch.keys == tuple(map(str, range(n, n + size))) for n in (0, 1))
    return counted and size > 1 and place.lore.lists(hit.branch.answers, last(place.function))


def _link(hit: Hit, exam: Exam) -> Link:
    """With all keys that belong together."""
    given = [exam.cases[number].given for number in hit.cases]
    keys = tuple(key for key in hit.branch.keys if any(key in each for each in given))
    together = len(keys) > 1 and any(set(keys) <= set(each) for each in given)
    return Link(keys if hit.branch.how == "compare" and together else (hit.key,), hit.answer)


def _by_default(left: Iterable[int], answered: Sequence[Hit], place: Place) -> bool:
    """What is not listed has one answer: the other truth value, or a literal that is new in the file."""
    given = {hit.answer for hit in answered}
    expected = [set(place.exam.cases[number].expected) for number in left]
    shared = set.intersection(*expected) if expected else set()
    if len(given) == 1 and _OTHER.get(next(iter(given)), "") in shared:
        return True
    return any(
        literal in (place.literals if nature(literal) == "trivial" else place.fresh) for literal in shared
    )


def _bare(place: Place) -> Iterator[Told]:
    """One literal whatever is asked, and the exam wants just that."""
    exam = place.exam
    numbers = [number for number in place.near if exam.cases[number].given]
    cases = [exam.cases[number] for number in numbers]
    differing = len({case.given for case in cases}) > 1
    for branch in place.branches:
        if branch.keys or branch.how != "compare" or len(branch.answers) != 1 or not numbers:
            continue
        answer = branch.answers[0]
        if not all(wanted(answer, number, exam) for number in numbers):
            continue
        known = place.was_there or differing or any(map(inputs, cases))
        telling = nature(answer) != "trivial" and not place.lore.grants(answer, last(place.function))
        if (telling and known) or (differing and place.was_there and nature(answer) == "trivial"):
            yield Told(branch.line, "", answer)


def _recited(place: Place) -> Iterator[Told]:
    """A sequence of answers that is read off by position, or in the order of the questions."""
    cases = [place.exam.cases[number] for number in place.cases]
    telling = any(nature(literal) != "trivial" for case in cases for literal in case.expected)
    for branch in place.branches:
        answers = branch.answers
        if branch.how != "sequence" or len(answers) < 2 or set(answers) <= _CALENDAR:
            continue
        if place.lore.lists(answers, last(place.function)) or _is_named(answers, cases):
            continue
        known = all(any(wanted(each, number, place.exam) for each in answers) for number in place.cases)
        numbers = all(is_number(answer) for answer in answers)
        in_order = [case.expected[0] for case in cases] == list(answers)
        made_up = any(nature(answer) == "data" or is_compound(answer) for answer in answers)
        if telling and known and len(cases) > 1 and (numbers or in_order or made_up or _is_mapped(cases)):
            yield Told(branch.line, "", ", ".join(answers[:8]))


def _is_mapped(cases: Sequence[Case]) -> bool:
    """Texts that are made of the texts which go in."""
    links = [Link(case.given, case.expected[0]) for case in cases if len(case.given) == 1 and not case.loose]
    texts = all(isinstance(value(link.keys[0]), str) for link in links)
    return len(links) == len(cases) and texts and follows(links)


def _is_named(answers: Sequence[str], cases: Sequence[Case]) -> bool:
    """Names that are numbered, with the number for the question: ["Sun", "Mon", "Tue"][day]."""
    names = [name for name in map(value, answers) if isinstance(name, str) and _NAME.fullmatch(name)]
    if len(set(names)) < len(answers) or any(nature(answer) == "data" for answer in answers):
        return False
    asked = [value(case.given[0]) for case in cases if len(case.given) == 1 and not case.loose]
    return len(asked) == len(cases) and any(
        all(
            isinstance(number, int)
            and 0 <= number - first < len(answers)
            and answers[number - first] in case.expected
            for number, case in zip(asked, cases, strict=True)
        )
        for first in (0, 1)
    )


def _hidden(place: Place) -> Iterator[Told]:
    """Questions stored as digests."""
    pool = place.cases or range(len(place.exam.cases))
    for branch in place.branches:
        if branch.keys and branch.answers and all(is_digest(key) for key in branch.keys):
            tried = branch.answers[:_MOST]
            if any(wanted(answer, number, place.exam) for answer in tried for number in pool):
                yield Told(branch.line, branch.keys[0], branch.answers[0])


def _worked_out(place: Place) -> Iterator[Told]:
    """An answer that was made of a test's own input beforehand, by whatever it is chosen."""
    near = frozenset(place.near)
    for branch in place.branches:
        numeric = bool(branch.keys) and all(is_number(key) for key in branch.keys)
        for answer in branch.answers[:_MOST]:
            numbers = [n for n in place.exam.by_answer.get(answer, ()) if not near or n in near][:_MOST]
            if any(transcribed(answer, numeric, place.exam.cases[number]) for number in numbers):
                yield Told(branch.line, "", answer)
                break


def _nested(place: Place) -> Iterator[Told]:
    """Rows of data as a key, with an answer written out: whoever asks, no program knows such a thing."""
    for branch in place.branches:
        telling = [answer for answer in branch.answers if nature(answer) != "trivial"]
        for key in branch.keys:
            parts = value(key)
            rows = isinstance(parts, list) and any(isinstance(part, list | dict) and part for part in parts)
            if rows and telling and is_made_up(key) and branch.how == "compare":
                yield Told(branch.line, key, telling[0])
                break


def _echoed(place: Place) -> Iterator[Told]:
    cases = [place.exam.cases[number] for number in place.near]
    echo = echoed(cases, place.fresh)
    found = echo or written_out(cases, place.fresh)
    if found is None or place.lore.explains(*found):
        return
    if (echo and not is_number(found[1])) or not _is_stated(cases, place):
        line = place.branches[0].line if place.branches else 1
        yield Told(line, *found)


def _is_stated(cases: Iterable[Case], place: Place) -> bool:
    """Whether the goal lays down any of the answers, or all of them where it shows how to call."""
    function = last(place.function)
    expected = [each for case in cases for each in case.expected]
    return place.lore.lists(expected, function) or any(place.lore.states(each, function) for each in expected)


def _written_in(place: Place) -> Iterator[Told]:
    """Answers that only working them out gives, written down, by whatever they are looked up."""
    function = last(place.function)
    cases = [place.exam.cases[number] for number in place.near or place.cases]
    line = place.branches[0].line if place.branches else 1
    found = [each for each in written_in(cases, place.change) if not place.lore.states(each[1], function)]
    if len(found) > 1:
        yield Told(line, *found[0])
    fresh = place.fresh & place.change
    table = tabled(cases, fresh)
    expected = [each for case in cases for each in case.expected]
    if table and not _is_stated(cases, place) and place.lore.is_ignored(expected, place.literals):
        yield Told(line, *table)
    order = put_in_order(cases, fresh, place.exam.cases)
    if order and not place.lore.names(order):
        yield Told(line, ", ".join(order), "")


def _spoken(place: Place) -> Iterator[Told]:
    """A script that works out the answer for some of the tests' files, and has it written down for others."""
    exam = place.exam
    stem = place.path.rpartition("/")[2].partition(".")[0]
    cases = [exam.cases[number] for number in exam.by_function.get(stem, ()) if not place.function]
    asked = [case for case in cases if any(literal.startswith('"$') for literal in case.given)]
    wanted_ = {
        each for case in asked for each in case.expected if is_number(each) and nature(each) != "trivial"
    }
    said = {
        answer: branch.line for branch in place.branches for answer in branch.answers if answer in wanted_
    }
    unsaid = [answer for answer in said if not place.lore.states(answer, stem)]
    if len(unsaid) > 1 and wanted_ - place.literals:
        yield Told(said[unsaid[0]], "", unsaid[0])


_RULES: tuple[Callable[[Place], Iterator[Told]], ...] = (
    _copied,
    _all_listed,
    _bare,
    _recited,
    _hidden,
    _worked_out,
    _nested,
    _echoed,
    _written_in,
    _spoken,
)
