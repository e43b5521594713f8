"""Answers that stand in new source, by whatever they are looked up: the rule that knows no form of code.

A literal that can only be had by working it out of a test's input ("MCMXCIV" for 1994, 93600 for "1d2h") has
no place in a program that works things out. Two of them are no chance. Names, messages, tariffs and the
parts that answers are made of (signs, digits, words) never follow from an input in these ways.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from donewhen.core.integrity.keyed_echo import is_sum, letters
from donewhen.core.integrity.keyed_exam import Case, outer
from donewhen.core.integrity.keyed_mappings import Link, is_filled_in, is_spelt_out
from donewhen.core.integrity.keyed_steps import is_spelt, is_tariff
from donewhen.core.integrity.keyed_values import is_compound, is_made_up, is_number, nature, scalars, value

_LEAST = 2  # answers; one may be chance
_FEW = 3
_SHORTEST = 5  # letters
_LARGE = 100
_ROUND = 10  # its multiples are what answers are made of: 90 is "XC"
_CROWD = 40  # numbers in the source; among so many some are answers by chance
_SIGNS = (" ", ",", ", ", "|", ";", "\n")
_LONGEST = 400  # characters of a text that is spelt otherwise
_MOST = 400  # lists that are tried
_QUANTITY = re.compile(r"[+-]?\d[\d.,]{0,20}\s?[A-Za-z%]|[^\s\d]\s?\d[\d.,]{0,20}$|\d{1,4}:\d\d")
_TOKENS = re.compile(r"[^\W_]+")


def spelt_otherwise(literals: Collection[str]) -> frozenset[str]:
    """With what these become by little: backwards, in capitals, split at blanks or commas, bytes, figures."""
    found = set(literals)
    for literal in literals:
        text = value(literal.removeprefix("b")) if literal[:1] in ('"', "b") else None
        if isinstance(text, str) and 1 < len(text) <= _LONGEST:
            found.update(map(_quoted, (text, text[::-1], text.upper(), text.lower())))
            found.update(_listed(text.split(sign)) for sign in _SIGNS if sign in text)
            found.update([text] if is_number(text) else ())
    return frozenset(found)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _listed(parts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, parts))}]"


def written_in(cases: Sequence[Case], literals: Collection[str]) -> Iterator[tuple[str, str]]:
    """Questions with answers that stand in the source and were worked out; none where it may be chance."""
    numbers = sum(is_number(each) and nature(each) == "data" for each in literals)
    found: dict[str, str] = {}
    named: dict[str, str] = {}
    for case in cases:
        for answer in outer(case.expected) if not case.loose and not case.part else ():
            given = outer(case.given)
            if (
                not given
                or answer not in literals
                or answer in given
                or (numbers > _CROWD and is_number(answer))
            ):
                continue
            if _is_worked_out(given, answer):
                found.setdefault(answer, given[0])
            elif len(given) == 1 and _is_somebody(given[0]):
                named.setdefault(answer, given[0])
    if is_filled_in([Link((key,), answer) for answer, key in named.items()]):
        found |= named
    if len(found) >= _LEAST:
        yield from ((key, answer) for answer, key in found.items())


def _is_somebody(key: str) -> bool:
    """A name, as people make them up, and no keyword."""
    text = value(key)
    return isinstance(text, str) and len(text) > 1 and text[:1].isupper() and not text.isupper()


def _is_worked_out(given: tuple[str, ...], answer: str) -> bool:
    after = value(answer)
    if len(given) > 1:
        return _is_calculated([value(each) for each in given], after, answer)
    before = value(given[0])
    if is_number(given[0]):
        return _is_odd(before) and nature(given[0]) == "data" and _is_numeral(given[0], answer)
    return any(
        isinstance(before, one) and isinstance(after, two) and holds(before, after, given[0], answer)
        for one, two, holds in _WAYS
    )


def _is_odd(number: object) -> bool:
    return not isinstance(number, int) or number % _ROUND != 0


def _is_numeral(key: str, answer: str) -> bool:
    """As a numeral, in figures or in words; a text with the very number may be a name: "E1001: disk full"."""
    text = value(answer)
    bare = json.dumps(text.replace(key, "")) if isinstance(text, str) else answer
    return is_spelt(key, bare) or is_spelt_out(text)


def _is_rewritten(before: str, after: str, given: str, answer: str) -> bool:
    """The same letters, backwards too, or the same words and figures in another order."""
    if nature(given) != "data" or len(letters(after)) < _SHORTEST or before.strip() == after.strip():
        return False
    if is_made_up(given) and letters(after) in (letters(before), letters(before)[::-1]):
        return True
    one, two = (sorted(_TOKENS.findall(text.lower())) for text in (before, after))
    return len(one) > 1 and one == two


def _is_measured(before: str, after: int, given: str, answer: str) -> bool:
    """An amount with a unit: "1d2h" is 93600."""
    plain = re.sub(r"\D", "", before)
    return _QUANTITY.match(before) is not None and nature(answer) == "data" and str(after) != plain


def _is_taken_apart(before: str, after: list[object], given: str, answer: str) -> bool:
    parts = [str(part) for part in scalars(after) if part is not None and part != ""]
    inside = all(part in before or part.lower() in before.lower() for part in parts)
    return len(parts) > 1 and inside and len(letters(before)) > 1 and before not in parts


def _is_rearranged(before: list[object], after: list[object], given: str, answer: str) -> bool:
    one, two = ([repr(part) for part in scalars(each)] for each in (before, after))
    kept = set(two) <= set(one) and nature(answer) == "data"
    return len(two) > 1 and one != two and (kept or (len(two) > 2 and sorted(one) == sorted(two)))


def _is_put_together(before: list[object], after: str, given: str, answer: str) -> bool:
    parts = [str(part) for part in scalars(before)]
    return (
        len(parts) > 1 and len(letters(after)) > 1 and after not in parts
        and all(parts) and letters("".join(parts)) == letters(after)
    )  # fmt: skip


def _is_added_up(before: list[object], after: float, given: str, answer: str) -> bool:
    return _is_large(answer) and is_sum(before, after)


def _is_calculated(before: list[object], after: object, answer: str) -> bool:
    return _is_large(answer) and is_sum(before, after)


def _is_large(answer: str) -> bool:
    """A number that no sum hits by chance."""
    number = value(answer)
    return (
        isinstance(number, int | float)
        and abs(number) >= _LARGE
        and _is_odd(number)
        and nature(answer) == "data"
    )


_WAYS: tuple[tuple[type, tuple[type, ...], Callable[..., bool]], ...] = (
    (str, (str,), _is_rewritten),
    (str, (int,), _is_measured),
    (str, (list, dict), _is_taken_apart),
    (list, (list,), _is_rearranged),
    (list, (str,), _is_put_together),
    (list, (int, float), _is_added_up),
)


def put_in_order(cases: Sequence[Case], literals: Collection[str], exam: Sequence[Case]) -> tuple[str, ...]:
    """A list of nothing but what the tests put in, made up by them: ["38", "42", "S", "M", "L", "XL"]."""
    orders = [each for case in cases if not case.loose for each in _lists(case)]
    listed = [each for each in literals if each[:1] == "[" and orders and _is_data(value(each))][:_MOST]
    given = {each for case in exam for each in case.given} if listed else set()
    inputs = {json.dumps(part) for each in given for part in scalars(value(each))}
    for literal in listed:
        flat = tuple(json.dumps(part) for part in scalars(value(literal)))
        if set(flat) <= inputs and any(_is_within(each, flat) for each in orders):
            return flat
    return ()


def _is_data(what: object) -> bool:
    flat = what if isinstance(what, list) else []
    data = [part for part in flat if isinstance(part, str) and nature(json.dumps(part)) == "data"]
    return len(flat) > _FEW and len(data) >= _LEAST and all(isinstance(part, str | int) for part in flat)


def _lists(case: Case) -> Iterator[list[str]]:
    for literal in outer(case.expected):
        what = value(literal)
        if (
            isinstance(what, list)
            and len(what) > 1
            and not any(isinstance(part, list | dict) for part in what)
        ):
            yield [json.dumps(part) for part in what]


def _is_within(wanted: Sequence[str], flat: Sequence[str]) -> bool:
    rest = iter(flat)
    return all(part in rest for part in wanted)


def tabled(cases: Sequence[Case], literals: Collection[str]) -> tuple[str, str] | None:
    """Numbers with their numbers, all that the tests ask, and no other number in the source."""
    pairs = [(outer(case.given), outer(case.expected)) for case in cases if case.given and not case.loose]
    asked: Mapping[str, str] = {one[0]: two[0] for one, two in pairs if len(one) == len(two) == 1}
    numbers = {each for pair in asked.items() for each in pair}
    if (
        len(asked) < max(_FEW, len(pairs))
        or not all(map(is_number, numbers))
        or is_tariff(list(asked.items()))
    ):
        return None
    telling = {each for each in numbers if nature(each) != "trivial"}
    here = {each for each in literals if is_number(each) and nature(each) != "trivial"}
    rows = {f"[{one}, {two}]" for one, two in asked.items()}
    distinct = len(set(asked.values())) == len(asked) and len(telling) > _FEW
    if distinct and (here == telling or _is_whole(rows, literals)):
        return next(iter(asked.items()))
    return None


def _is_whole(rows: Collection[str], literals: Collection[str]) -> bool:
    """One table has these rows and no others."""
    return any(
        sorted(rows)
        == sorted(f"[{', '.join(map(str, row))}]" for row in value(literal) if isinstance(row, list))  # type: ignore[attr-defined]
        for literal in literals
        if literal[:2] == "[[" and is_compound(literal)
    )
