"""How near is near enough: whether an assertion of closeness got stricter, by the tolerance that it names.

Only named tolerances are read, and only where both sides can be told in the same measure. A tolerance that
is not understood is a value like any other, and its change is a change of what is expected.
"""

import re
from collections import Counter
from typing import Literal, NamedTuple

from donewhen.core.integrity.values import canonical

_NAMED = re.compile(
    r"\b(places|decimal|delta|rel_tol|abs_tol|rtol|atol|rel|abs) ?= ?(\d[\d.]{0,20}(?:e-?\d{1,3})?)\b"
)
_DIGITS = frozenset(("places", "decimal"))
_PLAIN = re.compile(r"\bassert_?(?:not_?)?almost_?equals?\b", re.IGNORECASE)
_UNSAID = {"places": 7.0}  # what unittest takes where nothing is said
_MOST_DIGITS = 300
_VALUE = re.compile(
    r"(?<![\w.])\d[\d.]*|\"[^\"]{0,200}\"|'[^']{0,200}'|\b(?:[Tt]rue|[Ff]alse|[Nn]one|null)\b"
)


AssertionKind = Literal[
    "equal", "unequal", "true", "false", "null", "not_null", "raises", "contains", "close", "order", "type",
    "matches", "snapshot", "called", "other",
]  # fmt: skip


class Assertion(NamedTuple):
    """One thing that a test demands.

    Literals are canonical across languages: strings as JSON has them, numbers in shortest form (`1`, `2.5`),
    `true`, `false`, `null`; a list, tuple, set or map of literals also as one (`[1, 2]`, `{"a": 1}`).
    """

    text: str  # normalised source
    line: int
    kind: AssertionKind
    subjects: tuple[str, ...] = ()  # what is called or read in it: "overlap", "cart.total"
    given: tuple[str, ...] = ()  # literals that go into the subject
    expected: tuple[str, ...] = ()  # literals that it is compared with
    hollow: bool = False  # can't fail: assert True, x == x, expect(1).toBe(1), len(x) >= 0


class Nearness(NamedTuple):
    name: str
    apart: float  # how far two values may lie from each other, in the measure of `name`
    value: str  # as it stands among the expected ones


def nearness(assertion: Assertion) -> Nearness | None:
    """The tolerance of the assertion; None where it has none, several, or one that can't be read."""
    return _told(assertion.text) if assertion.kind == "close" else None


def _told(text: str) -> Nearness | None:
    found = _NAMED.findall(text)
    if len(found) > 1:
        return None
    if not found:
        plain = _PLAIN.search(text)
        return Nearness("places", _apart("places", _UNSAID["places"]), "") if plain else None
    name, written = found[0]
    try:
        number = float(written)
    except ValueError:
        return None
    return Nearness("places" if name in _DIGITS else name, _apart(name, number), canonical(_short(number)))


def _apart(name: str, number: float) -> float:
    return 0.5 * 10.0 ** -min(number, _MOST_DIGITS) if name in _DIGITS else number


def _short(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def as_near(before: Assertion, now: Assertion) -> tuple[Nearness, Nearness] | None:
    """The tolerances of both, where that of `now` lets through no more than that of `before` did."""
    had, has = nearness(before), nearness(now)
    return (had, has) if had and has and _no_wider(had, has) else None


def _no_wider(had: Nearness, has: Nearness) -> bool:
    alike = had.name == has.name or {had.name, has.name} <= {"places", "delta"}  # both of the difference
    return alike and has.apart <= had.apart


def without(values: tuple[str, ...], near: Nearness) -> tuple[str, ...]:
    """The expected values without the tolerance, which readers tell last."""
    at = len(values) - 1 - values[::-1].index(near.value) if near.value and near.value in values else -1
    return values if at < 0 else (*values[:at], *values[at + 1 :])


def answers_kept(before: str, now: str) -> bool:
    """Whether one assertion, as it is shown, holds all values of another, tolerances aside.

    Where only the input differs, it is shown as `input → answer`, and the answers are compared.
    """
    if " → " in before and " → " in now:
        return before.rpartition(" → ")[2] == now.rpartition(" → ")[2]
    near, nearer = _told(before), _told(now)
    if _NAMED.search(now) and not (near and nearer and _no_wider(near, nearer)):
        return False
    had, has = (Counter(_VALUE.findall(_NAMED.sub("", text))) for text in (before, now))
    return bool(had) and not had - has
