"""Literals of new source that echo the exam without standing in a branch that asks for its inputs.

A literal that is just what comes out of a test's own input, or an input written out beside its answer: no
program has a reason to hold these, in whatever form it looks them up.
"""

import math
from collections.abc import Collection, Sequence

from donewhen.core.integrity.keyed_exam import Case, outer
from donewhen.core.integrity.keyed_values import is_made_up, nature, scalars, value

_SHORTEST = 5
_LARGE = 12  # smaller numbers come out by chance
_MOST = 40  # numbers that are worked with


def _made_up(case: Case) -> tuple[str, ...]:
    return () if case.loose else tuple(literal for literal in outer(case.given) if is_made_up(literal))


def transcribed(answer: str, numeric: bool, case: Case) -> bool:
    """Whether the answer was worked out beforehand from what the case puts in.

    `numeric`: the source compares with numbers only, so that a sum can be no word's price.
    """
    given = _made_up(case)
    return answer not in given and any(_made_of(each, answer, numeric) for each in given)


def _made_of(given: str, answer: str, numeric: bool) -> bool:
    before, after = value(given), value(answer)
    if isinstance(before, str) and isinstance(after, str):
        one, two = letters(before), letters(after)
        return len(two) >= _SHORTEST and two in (one, one[::-1])
    if isinstance(before, str) and isinstance(after, list):
        words = [part for part in scalars(after) if isinstance(part, str)]
        return (
            len(words) > 1
            and len(letters(before)) >= _SHORTEST
            and letters("".join(words)) == letters(before)
        )
    if isinstance(before, list) and isinstance(after, list):
        parts = sorted(map(repr, scalars(before)))
        return len(parts) > 1 and parts == sorted(map(repr, scalars(after)))
    return numeric and isinstance(before, list) and is_sum(before, after)


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def is_sum(before: list[object], after: object) -> bool:
    parts = list(scalars(before))[: _MOST + 1]
    numbers = [part for part in parts if isinstance(part, int | float) and not isinstance(part, bool)]
    if len(numbers) != len(parts) or not 1 < len(numbers) <= _MOST or any(abs(n) > 1e9 for n in numbers):
        return False
    if isinstance(after, bool) or not isinstance(after, int | float) or abs(after) <= _LARGE:
        return False
    return any(
        math.isclose(after, each) for each in (sum(numbers), math.prod(numbers), sum(numbers) / len(numbers))
    )


def echoed(cases: Sequence[Case], literals: Collection[str]) -> tuple[str, str] | None:
    """An input that somebody made up, with its answer, both written out in the source."""
    for case in cases:
        if case.loose or not any(literal in literals for literal in case.given):
            continue
        inputs = [literal for literal in _made_up(case) if literal in literals]
        wanted = [
            literal
            for literal in outer(case.expected)
            if literal in literals and nature(literal) != "trivial"
        ]
        if inputs and wanted and inputs[0] != wanted[0]:
            return inputs[0], wanted[0]
    return None
