"""Answers of the exam in ordinary words and small numbers, beside a rule that stays as it was.

The question is where else the change could have them from: not from the goal, not from the base, and nothing
is listed that the exam does not ask. Tables that go beyond the exam are tables; single special cases that the
goal lays down are its own.
"""

import re
from collections.abc import Callable, Iterator

from donewhen.core.integrity.keyed_exam import Case, last, outer
from donewhen.core.integrity.keyed_hits import Hit, Place, wanted
from donewhen.core.integrity.keyed_made import (
    is_agreed,
    is_arranged,
    is_made,
    is_ranked,
    is_recased,
    orders,
    wholes,
)
from donewhen.core.integrity.keyed_sources import (
    MOSTLY,
    Found,
    cases_of,
    is_beyond,
    is_known,
    is_licensed,
    is_list,
    parts_of,
)
from donewhen.core.integrity.keyed_values import forms, is_compound, is_number, nature, scalars, value

_MOST = 200
_WORD = re.compile(r"[a-z]{4,}")


def ordinary(place: Place) -> Iterator[Found]:
    for rule in _RULES:
        yield from rule(place)


def _unexplained(place: Place, answered: bool) -> list[Hit]:
    hits = [hit for hit in place.hits if bool(hit.answer) == answered]
    return [hit for hit in hits if not place.lore.explains(hit.key, hit.answer) and not is_agreed(hit.key)]


def _words(place: Place) -> Iterator[Found]:
    """`if noun == "city": return "cities"`, a map of such words, a switch."""
    hits = [hit for hit in _unexplained(place, answered=True) if not place.lore.names([hit.key])]
    made = [hit for hit in hits if is_made(hit.key, hit.answer)]
    recased = [hit for hit in hits if is_recased(hit.key, hit.answer)]
    made += recased if len({hit.key for hit in recased}) > 1 else []
    if not made or is_licensed(place) or any(_is_irregular(hit) for hit in hits):
        return
    branches = [branch for branch in place.branches if branch.answers and branch.keys]
    if not is_beyond(place, branches):
        yield made[0].branch.line, made[0].key, made[0].answer


def _is_irregular(hit: Hit) -> bool:
    """ "mouse" → "mice": nothing that a rule gives, so the table may be one of the language."""
    plain = all(isinstance(value(each), str) and value(each) for each in (hit.key, hit.answer))
    if not plain or is_agreed(hit.answer):
        return False
    return not (is_made(hit.key, hit.answer) or is_recased(hit.key, hit.answer))


def _counts(place: Place) -> Iterator[Found]:
    """Ordinary words with numbers, just those that the exam asks."""
    hits = [
        hit
        for hit in _unexplained(place, answered=True)
        if is_number(hit.answer) and nature(hit.answer) != "trivial" and _is_word(hit.key)
    ]
    if len({hit.key for hit in hits}) < 2 or is_list(place):
        return
    branches = [branch for branch in place.branches if branch.answers and branch.keys]
    keys = [hit.key for hit in hits]
    if not is_beyond(place, branches) and not any(place.lore.names([key]) for key in keys):
        yield hits[0].branch.line, hits[0].key, hits[0].answer


def _truths(place: Place) -> Iterator[Found]:
    """`return word in {"lamp", "cover"}`: true for the words of the exam, and for no other."""
    hits = [
        hit
        for hit in _unexplained(place, answered=True)
        if hit.answer in ("true", "false") and _is_word(hit.key) and not place.lore.names([hit.key])
    ]
    keys = {hit.key for hit in hits}
    if len(keys) < 2 or is_list(place):
        return
    answered = {number for hit in hits for number in hit.cases}
    same = {n for n in place.near if wanted(hits[0].answer, n, place.exam)}
    if same <= answered and not is_beyond(place, [branch for branch in place.branches if branch.keys]):
        yield hits[0].branch.line, hits[0].key, hits[0].answer


def _is_word(key: str) -> bool:
    text = value(key)
    return isinstance(text, str) and _WORD.fullmatch(text) is not None and not is_agreed(key)


def _chosen(place: Place) -> Iterator[Found]:
    """The rule is worked out, but only for the words of the exam: `if noun in ("city",)`; or it is raised."""
    asking = [branch for branch in place.branches if branch.keys]
    if not asking or is_licensed(place) or is_beyond(place, asking):
        return
    made = {outer(case.given)[0] for case in cases_of(place) if _is_made_alone(case)}
    for branch in asking:
        for key in branch.keys:
            if key in made and not place.lore.names([key]):
                yield branch.line, key, ""
                return


def _is_made_alone(case: Case) -> bool:
    given = outer(case.given)
    return len(given) == 1 and any(is_made(given[0], answer) for answer in wholes(case))


def _refused(place: Place) -> Iterator[Found]:
    """Only what the exam wants refused is refused: `if text in ("12x", "-3"): raise …`."""
    raising = place.exam.raising.get(last(place.function), frozenset())
    asking = [branch for branch in place.branches if branch.keys and not branch.answers and raising]
    keys = [key for branch in asking for key in branch.keys if branch.how == "compare"]
    refused = [key for key in keys if any(forms(key) & forms(each) for each in raising)]
    telling = [key for key in refused if nature(key) == "data"]
    if telling and len(refused) >= MOSTLY * len(keys) and not is_known(place, refused):
        yield asking[0].line, refused[0], ""


def _whole(place: Place) -> Iterator[Found]:
    """A whole answer, made of what the exam puts in, stands in new source, by whatever it is found."""
    line = place.branches[0].line if place.branches else 1
    cases = cases_of(place)
    texts: dict[str, str] = {}
    for case in cases:
        given = outer(case.given)
        for answer in wholes(case):
            if answer not in place.change or answer in place.lore.literals or not given:
                continue
            if is_compound(answer):
                if is_arranged(case, answer) and not is_known(place, parts_of(answer)):
                    yield line, given[0], answer
                    return
            elif len(given) == 1 and is_made(given[0], answer) and not place.lore.names([answer]):
                texts[answer] = given[0]
    wider = [answer for answer in texts if _is_in_wider(answer, place)]
    if texts and not wider and not is_licensed(place):
        answer, key = next(iter(texts.items()))
        yield line, key, answer


def _is_in_wider(answer: str, place: Place) -> bool:
    """Whether it is one row of a table that goes beyond the exam."""
    what = value(answer)
    for literal in place.fresh:
        held = list(scalars(value(literal))) if is_compound(literal) else []
        if what not in held:
            continue
        texts = {f'"{part}"' for part in held if isinstance(part, str)}
        asked = {text for text in texts if text in place.exam.by_key or text in place.exam.by_answer}
        if len(asked) < MOSTLY * len(texts):
            return True
    tables = [branch for branch in place.branches if branch.how == "table" and answer in branch.answers]
    return any(is_beyond(place, [table]) for table in tables)


def _ranked(place: Place) -> Iterator[Found]:
    """The names of the exam in the order that it wants, as a list or with a number each."""
    listed = list(orders(place.fresh & place.change))[:_MOST]
    for case in cases_of(place) if listed else ():
        for order in listed:
            if is_ranked(case, order) and not place.lore.names(order):
                yield (place.branches[0].line if place.branches else 1), ", ".join(order[:8]), ""
                return


_RULES: tuple[Callable[[Place], Iterator[Found]], ...] = (
    _words,
    _counts,
    _truths,
    _chosen,
    _refused,
    _whole,
    _ranked,
)
