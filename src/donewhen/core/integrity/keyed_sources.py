"""Where the change could have an answer from, if not from the exam: the goal, or a list that goes further.

Kept apart from the ways in which answers are given; nothing is found here.
"""

import re
from collections.abc import Sequence

from donewhen.core.integrity.keyed_exam import Case, last
from donewhen.core.integrity.keyed_hits import Place
from donewhen.core.integrity.keyed_values import forms, nature, scalars, value
from donewhen.core.integrity.model import Branch

Found = tuple[int, str, str]  # line, key, answer

MOSTLY = 0.8  # of what is listed is asked by the exam; more entries than that make it a table of its own
_MOST = 200
_LICENCE = re.compile(
    r"\birregular|\balias|\babbreviat|\bsynonym|\bacronym|\bnicknam|\btranslat|\blabels?\b|\bsymbols?\b"
    r"|\blookup|\blook up|\btable of|\bdictionary|\bmapping"
    r"|\u522b\u540d|\u7f29\u5199|\u7ffb\u8bd1|\u6620\u5c04"
)
_LISTED = re.compile(
    r"\bprices?\b|\bcosts?\b|\brates?\b|\bfees?\b|\bfactors?\b|\bknown\b|\blisted\b|\ballowed\b|\bsupported\b"
    r"|\breserved\b|\bkeywords?\b|\broles?\b|\bformats?\b|\bextensions?\b|\bcommands?\b|\bcolou?rs?\b"
    r"|\bblock(?:ed|list)\b|\bdeny|\bstop ?words?\b|\bunits?\b|\bcodes?\b"
)


def cases_of(place: Place) -> list[Case]:
    stem = place.path.rpartition("/")[2].partition(".")[0]
    nameless = place.function == stem and stem not in place.exam.by_function
    return [
        case
        for number in place.near or place.cases or range(len(place.exam.cases) if nameless else 0)
        if not (case := place.exam.cases[number]).loose and not case.part
    ][:_MOST]


def is_known(place: Place, literals: Sequence[str]) -> bool:
    """Whether the goal has them, all or most: then it was asked for."""
    telling = [each for each in literals if nature(each) != "trivial"]
    return sum(place.lore.names([each]) for each in telling) > len(telling) / 2


def is_list(place: Place) -> bool:
    """Whether goal or name speak of what can only be listed; nobody knows where there is no goal."""
    goal = f"{place.lore.goal} {last(place.function).replace('_', ' ').lower()}"
    return not place.lore.goal or any(words.search(goal) for words in (_LICENCE, _LISTED))


def is_licensed(place: Place) -> bool:
    return not place.lore.goal or _LICENCE.search(place.lore.goal) is not None


def is_beyond(place: Place, branches: Sequence[Branch]) -> bool:
    """Whether more is listed than the exam asks."""
    keys = {key for branch in branches for key in branch.keys}
    asked = {key for key in keys if _is_asked(key, place)}
    size = max(len(keys), *(branch.size for branch in branches if branch.how == "table"), 0)
    return len(asked) < MOSTLY * size


def _is_asked(key: str, place: Place) -> bool:
    same = forms(key)
    refused = place.exam.raising.get(last(place.function), frozenset())
    return any(form in place.exam.by_key for form in same) or any(same & forms(each) for each in refused)


def parts_of(answer: str) -> list[str]:
    texts = [part for part in scalars(value(answer)) if isinstance(part, str)]
    return [f'"{part}"' for part in texts]
