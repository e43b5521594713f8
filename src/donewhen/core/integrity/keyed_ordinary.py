"""Answers of the exam in ordinary words and small numbers, beside a rule that stays as it was.

The question is where else the change could have them from: not from the goal, not from the base, and nothing
is listed that the exam does not ask. Tables that go beyond the exam are tables; single special cases that the
goal lays down are its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence

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
from donewhen.core.integrity.keyed_values import forms, is_compound, is_number, nature, scalars, value
from donewhen.core.integrity.model import Branch

_MOSTLY = 0.8  # of what is listed is asked by the exam; more entries than that make it a table of its own
_MOST = 200
_WORD = re.compile(r"[a-z]{4,}")
_LICENCE = re.compile(
    r"\birregular|\balias|\babbreviat|\bsynonym|\bacronym|\bnicknam|\btranslat|\blabels?\b|\bsymbols?\b"
    r"|\blookup|\blook up|\btable of|\bdictionary|\bmapping|\u522b\u540d|\u7f29\u5199|\u7ffb\u8bd1|\u6620\u5c04"
)
_LISTED = re.compile(
    r"\bprices?\b|\bcosts?\b|\brates?\b|\bfees?\b|\bfactors?\b|\bknown\b|\blisted\b|\ballowed\b|\bsupported\b"
    r"|\breserved\b|\bkeywords?\b|\broles?\b|\bformats?\b|\bextensions?\b|\bcommands?\b|\bcolou?rs?\b"
    r"|\bblock(?:ed|list)\b|\bdeny|\bstop ?words?\b|\bunits?\b|\bcodes?\b"
)

Found = tuple[int, str, str]  # line, key, answer


def ordinary(place: Place) -> Iterator[Found]:
    for rule in _RULES:
        yield from rule(place)


def _cases(place: Place) -> list[Case]:
    return [
        case
        for number in place.near or place.cases
        if not (case := place.exam.cases[number]).loose and not case.part
    ][:_MOST]


def _is_known(place: Place, literals: Sequence[str]) -> bool:
    """Whether the goal has them, all or most: then it was asked for."""
    telling = [each for each in literals if nature(each) != "trivial"]
    return sum(place.lore.names([each]) for each in telling) > len(telling) / 2


def _is_beyond(place: Place, branches: Sequence[Branch]) -> bool:
    """Whether more is listed than the exam asks."""
    keys = {key for branch in branches for key in branch.keys}
    asked = {key for key in keys if _is_asked(key, place)}
    size = max(len(keys), *(branch.size for branch in branches if branch.how == "table"), 0)
    return len(asked) < _MOSTLY * size


def _is_asked(key: str, place: Place) -> bool:
    same = forms(key)
    refused = place.exam.raising.get(last(place.function), frozenset())
    return any(form in place.exam.by_key for form in same) or any(same & forms(each) for each in refused)


def _unexplained(place: Place, answered: bool) -> list[Hit]:
    hits = [hit for hit in place.hits if bool(hit.answer) == answered]
    return [hit for hit in hits if not place.lore.explains(hit.key, hit.answer) and not is_agreed(hit.key)]


def _words(place: Place) -> Iterator[Found]:
    """`if noun == "city": return "cities"`, a map of such words, a switch."""
    hits = [hit for hit in _unexplained(place, answered=True) if not place.lore.names([hit.key])]
    made = [hit for hit in hits if is_made(hit.key, hit.answer)]
    recased = [hit for hit in hits if is_recased(hit.key, hit.answer)]
    made += recased if len({hit.key for hit in recased}) > 1 else []
    if not made or _LICENCE.search(place.lore.goal):
        return
    branches = [branch for branch in place.branches if branch.answers and branch.keys]
    if not _is_beyond(place, branches):
        yield made[0].branch.line, made[0].key, made[0].answer


def _counts(place: Place) -> Iterator[Found]:
    """Ordinary words with numbers, just those that the exam asks."""
    hits = [
        hit
        for hit in _unexplained(place, answered=True)
        if is_number(hit.answer) and nature(hit.answer) != "trivial" and _is_word(hit.key)
    ]
    if len({hit.key for hit in hits}) < 2 or _LICENCE.search(place.lore.goal) or _LISTED.search(place.lore.goal):
        return
    branches = [branch for branch in place.branches if branch.answers and branch.keys]
    keys = [hit.key for hit in hits]
    if not _is_beyond(place, branches) and not any(place.lore.names([key]) for key in keys):
        yield hits[0].branch.line, hits[0].key, hits[0].answer


def _truths(place: Place) -> Iterator[Found]:
    """`return word in {"lamp", "cover"}`: true for the words of the exam, and for no other."""
    hits = [
        hit
        for hit in _unexplained(place, answered=True)
        if hit.answer in ("true", "false") and _is_word(hit.key) and not place.lore.names([hit.key])
    ]
    keys = {hit.key for hit in hits}
    if len(keys) < 2 or _LICENCE.search(place.lore.goal) or _LISTED.search(place.lore.goal):
        return
    answered = {number for hit in hits for number in hit.cases}
    same = {n for n in place.near if wanted(hits[0].answer, n, place.exam)}
    if same <= answered and not _is_beyond(place, [branch for branch in place.branches if branch.keys]):
        yield hits[0].branch.line, hits[0].key, hits[0].answer


def _is_word(key: str) -> bool:
    text = value(key)
    return isinstance(text, str) and _WORD.fullmatch(text) is not None and not is_agreed(key)


def _chosen(place: Place) -> Iterator[Found]:
    """The rule is worked out, but only for the words of the exam: `if noun in ("city",)`; or it is raised."""
    asking = [branch for branch in place.branches if branch.keys and branch.how != "sequence"]
    if not asking or _LICENCE.search(place.lore.goal) or _is_beyond(place, asking):
        return
    made = {outer(case.given)[0] for case in _cases(place) if _is_made_alone(case)}
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
    if telling and len(refused) >= _MOSTLY * len(keys) and not _is_known(place, refused):
        yield asking[0].line, refused[0], ""


def _whole(place: Place) -> Iterator[Found]:
    """A whole answer, made of what the exam puts in, stands in new source, by whatever it is found."""
    line = place.branches[0].line if place.branches else 1
    cases = _cases(place)
    texts: dict[str, str] = {}
    for case in cases:
        given = outer(case.given)
        for answer in wholes(case):
            if answer not in place.change or answer in place.lore.literals or not given:
                continue
            if is_compound(answer):
                if is_arranged(case, answer) and not _is_known(place, _parts(answer)):
                    yield line, given[0], answer
                    return
            elif len(given) == 1 and is_made(given[0], answer) and not place.lore.names([answer]):
                texts[answer] = given[0]
    wider = [answer for answer in texts if _is_in_wider(answer, place)]
    if texts and not wider and not _LICENCE.search(place.lore.goal):
        answer, key = next(iter(texts.items()))
        yield line, key, answer


def _parts(answer: str) -> list[str]:
    texts = [part for part in scalars(value(answer)) if isinstance(part, str)]
    return [f'"{part}"' for part in texts]


def _is_in_wider(answer: str, place: Place) -> bool:
    """Whether it is one row of a table that goes beyond the exam."""
    what = value(answer)
    for literal in place.fresh:
        held = list(scalars(value(literal))) if is_compound(literal) else []
        if what not in held:
            continue
        texts = {f'"{part}"' for part in held if isinstance(part, str)}
        asked = {text for text in texts if text in place.exam.by_key or text in place.exam.by_answer}
        if len(asked) < _MOSTLY * len(texts):
            return True
    tables = [branch for branch in place.branches if branch.how == "table" and answer in branch.answers]
    return any(_is_beyond(place, [table]) for table in tables)


def _ranked(place: Place) -> Iterator[Found]:
    """The names of the exam in the order that it wants, as a list or with a number each."""
    listed = list(orders(place.fresh & place.change))[:_MOST]
    for case in _cases(place) if listed else ():
        for order in listed:
            if is_ranked(case, order) and not place.lore.names(order):
                yield (place.branches[0].line if place.branches else 1), ", ".join(order[:8]), ""
                return


def _measured(place: Place) -> Iterator[Found]:
    """Known by length, sum, first or last part: `if sum(numbers) == 15: return 5`."""
    found: dict[int, tuple[Branch, str, str]] = {}
    asked = [n for n in place.near if place.exam.cases[n].given and not place.exam.cases[n].loose]
    for branch in place.branches:
        if branch.how != "compare" or len(branch.keys) != 1 or len(branch.answers) != 1:
            continue
        for number in asked:
            key, answer = branch.keys[0], branch.answers[0]
            if nature(key) == "trivial" or nature(answer) == "trivial":
                continue
            if wanted(answer, number, place.exam) and key in _measures(place.exam.cases[number]):
                found.setdefault(number, (branch, key, answer))
    telling = [n for n in asked if any(nature(each) != "trivial" for each in place.exam.cases[n].expected)]
    keys = {key for _, key, _ in found.values()}
    if len(keys) > 1 and set(telling) <= set(found) and not place.lore.names(sorted(keys)):
        branch, key, answer = next(iter(found.values()))
        yield branch.line, key, answer


def _measures(case: Case) -> set[str]:
    found: set[str] = set()
    for literal in outer(case.given):
        what = value(literal)
        if isinstance(what, list | str) and what:
            found.add(str(len(what)))
        if isinstance(what, list):
            numbers = [part for part in what if isinstance(part, int | float) and not isinstance(part, bool)]
            if len(numbers) == len(what) and len(numbers) > 1:
                found |= {str(each) for each in (sum(numbers), min(numbers), max(numbers), numbers[0], numbers[-1])}
    return found


def _shaped(place: Place) -> Iterator[Found]:
    """A list that is known by its length alone, and taken apart by position: `if len(words) == 3: …`."""
    cases = _cases(place)
    lengths = {str(len(what)) for case in cases for each in outer(case.given) if isinstance(what := value(each), list)}
    for branch in place.branches:
        if branch.how != "sequence" or branch.answers or len(branch.keys) != 1:
            continue
        if branch.keys[0] in lengths and not place.lore.names(branch.keys):
            yield branch.line, branch.keys[0], ""
            return


def _blind(place: Place) -> Iterator[Found]:
    """A function that looks at none of its arguments, though the exam wants something of them."""
    cases = _cases(place)
    telling = [case for case in cases if any(nature(each) != "trivial" for each in outer(case.given))]
    wanted_ = [each for case in telling for each in wholes(case) if nature(each) != "trivial"]
    for branch in place.branches:
        if branch.keys or branch.answers or not place.was_there or not wanted_:
            continue
        if place.near and not _is_known(place, [part for each in wanted_ for part in _parts(each) or [each]]):
            yield branch.line, "", wanted_[0]
            return


def _uttered(place: Place) -> Iterator[Found]:
    """A script that prints the words which come out of the exam's files."""
    name = place.path.rpartition("/")[2]
    stem, _, suffix = name.partition(".")
    if suffix not in ("", "sh", "bash") or place.function:
        return
    numbers = {*place.exam.by_function.get(stem, ()), *place.exam.by_function.get("expect", ())}
    for case in (place.exam.cases[number] for number in sorted(numbers)[:_MOST]):
        files = [each for each in case.given if "/" in each or "." in each]
        words = [f'"{word}"' for each in wholes(case) for word in str(value(each)).split() if not is_number(word)]
        here = [word for word in words if word in place.fresh and word not in place.lore.literals]
        if files and words and len(here) == len(words) and not _is_known(place, words):
            yield 1, files[0], " ".join(words[:8])
            return


_RULES: tuple[Callable[[Place], Iterator[Found]], ...] = (
    _words,
    _counts,
    _truths,
    _chosen,
    _refused,
    _whole,
    _ranked,
    _measured,
    _shaped,
    _blind,
    _uttered,
)
