"""Limits that are drawn beside each question of the exam, with its very answer: `if n < 8: return 13`.

Tariffs, grades and numerals are walked by order as well, and rightly. They have more rows than the exam asks
for, or round limits, or several questions with one answer; only what nothing but the exam explains is told.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from donewhen.core.integrity.keyed_exam import Case, outer
from donewhen.core.integrity.keyed_values import is_number, nature, value

_FEW = 3
_HALF = 0.5
_ROUND = 5  # people draw limits at its multiples
_ROUNDER = 50
_SMALL = 12  # such answers come out by chance
_CENTS = 2  # decimals of a price
_RANGE = re.compile(r"[^\d]{0,20}\d{1,9}\s?(?:[-\u2013]|to|\+)\s?\d{0,9}[^\d]{0,20}")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def written_out(cases: Sequence[Case], literals: Collection[str]) -> tuple[str, str] | None:
    """All questions are numbers with answers worked out of them, and every one stands in the source."""
    pairs = [(outer(case.given), outer(case.expected)) for case in cases if case.given and not case.loose]
    single = [(one[0], two[0]) for one, two in pairs if len(one) == len(two) == 1]
    if len(single) < max(_FEW, len(pairs)) or not all(is_number(one) for one, _ in single):
        return None
    if not all(is_number(two) for _, two in single):
        asked = dict(single)
        worked_out = all(is_spelt(one, two) for one, two in asked.items())
        return single[0] if worked_out and _is_drawn(asked, literals) else None
    odd = all(nature(one) != "trivial" and nature(two) == "data" for one, two in single)
    here = all(one in literals and two in literals for one, two in single)
    copied = odd and here and not is_tariff(single)
    return single[0] if copied or _is_stepped(dict(single), literals) else None


def is_tariff(asked: Sequence[tuple[str, str]]) -> bool:
    """Round limits with prices, as people make them."""
    limits = [value(limit) for limit, _ in asked]
    if not all(isinstance(limit, int) and limit % _ROUND == 0 for limit in limits):
        return False
    prices = [answer.partition(".")[2] for _, answer in asked]
    priced = any(prices) and all(len(decimals) <= _CENTS for decimals in prices)
    return priced or all(isinstance(limit, int) and limit % _ROUNDER == 0 for limit in limits)


def _is_stepped(asked: Mapping[str, str], literals: Collection[str]) -> bool:
    answers = set(asked.values())
    telling = [number for number in map(value, answers) if isinstance(number, int) and abs(number) > _SMALL]
    return len(telling) >= _HALF * len(answers) and _is_drawn(asked, literals)


def is_spelt(key: str, answer: str) -> bool:
    """A numeral for the number, or a text with figures that is no name of a range."""
    text = value(answer)
    if not isinstance(text, str):
        return False
    if text and set(text) <= set(_ROMAN):
        return _numeral(text) == value(key)
    return any(letter.isdigit() for letter in text) and not _RANGE.fullmatch(text)


def _numeral(text: str) -> int:
    worth = [_ROMAN[sign] for sign in text]
    return sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def _is_drawn(asked: Mapping[str, str], literals: Collection[str]) -> bool:
    """Whether the limits in the source are those of the exam, and nothing else is there."""
    inputs = [number for number in map(value, asked) if isinstance(number, int)]
    answers = set(asked.values())
    if len(inputs) < len(asked) or len(answers) < len(asked):
        return False
    here = {literal for literal in literals if is_number(literal) and nature(literal) != "trivial"}
    limits = {str(number + step) for number in inputs for step in (-1, 0, 1)}
    missing = [answer for answer in answers if answer not in literals and nature(answer) != "trivial"]
    drawn = [number for number in inputs if any(str(number + step) in here for step in (-1, 0, 1))]
    if missing or not here <= limits | answers or len(drawn) < len(inputs) - 1:
        return False
    lines = [int(limit) for limit in here & limits - answers]
    lines += [number for number in inputs if number not in drawn] if lines else inputs
    return sum(line % _ROUND != 0 for line in lines) > _HALF * len(lines)
