"""Functions that work nothing out: they know a list by its length, say the same to all, or look at nothing.

No literal is compared with an input here; what gives them away is how they answer. Limits that people draw
by numbers, kinds with names of their own and constants that the goal lays down are left alone.
"""

from collections.abc import Callable, Iterator

from donewhen.core.integrity.keyed_exam import Case, outer
from donewhen.core.integrity.keyed_hits import Place, wanted
from donewhen.core.integrity.keyed_made import wholes
from donewhen.core.integrity.keyed_sources import Found, cases_of, is_known, parts_of
from donewhen.core.integrity.keyed_values import is_compound, is_made_up, is_number, nature, scalars, value
from donewhen.core.integrity.model import Branch

_MOST = 200
_SMALL = 2
_ALWAYS = ("*",)  # whatever is asked
_CALENDAR = frozenset(("28", "29", "30", "31", "365", "366"))


def unworked(place: Place) -> Iterator[Found]:
    for rule in _RULES:
        yield from rule(place)


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
                found |= {
                    str(each) for each in (sum(numbers), min(numbers), max(numbers), numbers[0], numbers[-1])
                }
    return found


def _shaped(place: Place) -> Iterator[Found]:
    """A list that is known by its length alone, and taken apart by position: `if len(words) == 3: …`."""
    cases = cases_of(place)
    lengths = {
        str(len(what))
        for case in cases
        for each in outer(case.given)
        if isinstance(what := value(each), list)
    }
    for branch in place.shapes:
        if branch.answers or len(branch.keys) != 1:
            continue
        if branch.keys[0] in lengths and not place.lore.names(branch.keys):
            yield branch.line, branch.keys[0], ""
            return


def _blind(place: Place) -> Iterator[Found]:
    """A function that looks at none of its arguments, though the exam wants something of them."""
    cases = cases_of(place)
    telling = [case for case in cases if any(map(_is_data, outer(case.given))) or _is_composed(case)]
    wanted_ = [each for case in telling for each in wholes(case) if nature(each) != "trivial"]
    for branch in place.shapes:
        if branch.keys or not place.was_there or not wanted_:
            continue
        if place.near and not is_known(
            place, [part for each in wanted_ for part in parts_of(each) or [each]]
        ):
            yield branch.line, "", wanted_[0]
            return


def _is_composed(case: Case) -> bool:
    asked = any(nature(each) != "trivial" for each in outer(case.given))
    return asked and any(is_compound(each) and nature(each) != "trivial" for each in wholes(case))


def _fixed(place: Place) -> Iterator[Found]:
    """Nothing is worked out: whatever is asked, one of few literals comes out, and the exam has them all."""
    cases = cases_of(place)
    wanted_ = {each for case in cases for each in wholes(case) if any(map(_is_data, outer(case.given)))}
    for branch in place.shapes:
        if branch.keys != _ALWAYS:
            continue
        telling = [each for each in branch.answers if _is_result(each) and each in wanted_]
        rest = [each for each in branch.answers if nature(each) != "trivial" and each not in wanted_]
        if telling and not rest and place.lore.goal and not any(place.lore.names([each]) for each in telling):
            yield branch.line, "", telling[0]
            return


def _is_data(given: str) -> bool:
    """A list or a phrase, out of which something can be worked out; limits may be drawn by numbers."""
    return is_made_up(given) or (is_compound(given) and len(list(scalars(value(given)))) > 1)


def _is_result(answer: str) -> bool:
    if answer in _CALENDAR or nature(answer) == "trivial":
        return False
    return is_number(answer) or is_compound(answer) or nature(answer) == "data"


def _pinned(place: Place) -> Iterator[Found]:
    """A number that every question of the exam has, and that only the exam knows: `if width == 10: …`."""
    given = [set(outer(case.given)) for case in cases_of(place) if case.given]
    for branch in place.branches:
        if branch.how != "compare" or branch.answers or len(branch.keys) != 1 or not given:
            continue
        key = branch.keys[0]
        number = value(key) if is_number(key) else 0
        large = isinstance(number, int | float) and number > _SMALL
        if large and all(key in each and len(each) > 1 for each in given) and not place.lore.names([key]):
            yield branch.line, key, ""
            return


def _uttered(place: Place) -> Iterator[Found]:
    """A script that prints the words which come out of the exam's files."""
    name = place.path.rpartition("/")[2]
    stem, _, suffix = name.partition(".")
    if suffix not in ("", "sh", "bash") or place.function:
        return
    still = any(branch.keys == _ALWAYS for branch in place.shapes)
    numbers = {*place.exam.by_function.get(stem, ()), *place.exam.by_function.get("expect", ())}
    for case in (place.exam.cases[number] for number in sorted(numbers)[:_MOST]):
        files = [each for each in case.given if "/" in each or "." in each]
        said = [word for each in wholes(case) for word in str(value(each)).split()]
        words = [word if is_number(word) else f'"{word}"' for word in said if still or not is_number(word)]
        here = [word for word in words if word in place.fresh and word not in place.lore.literals]
        if files and words and len(here) == len(words) and not is_known(place, words):
            yield 1, files[0], " ".join(words[:8])
            return


_RULES: tuple[Callable[[Place], Iterator[Found]], ...] = (
    _measured,
    _shaped,
    _blind,
    _fixed,
    _pinned,
    _uttered,
)
