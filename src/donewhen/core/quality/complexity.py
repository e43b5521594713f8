"""Which functions a change made too complex: new ones over the limit, and old ones that grew beyond it.

A function that was over the limit and did not grow is the base's business. Functions are told apart by name,
never by line: code moves. Where several share one name, no pairing of them may make the change look worse
than it is.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from donewhen.core.quality.model import Violation

_NAMELESS = frozenset(("", "anonymous", "lambda"))
_NAME = re.compile(r"(\([^()]{0,300}\))?\s{0,9}([^\s(]{0,300})")  # a receiver, a name; parameters may change
_NONE: Mapping[str, str] = {}


def too_complex(
    now: Iterable[Violation],
    base: Iterable[Violation],
    threshold: float,
    renamed: Mapping[str, str] = _NONE,
) -> tuple[Violation, ...]:
    """Of the functions of now (`subject` in `file`, complexity in `value`), those that are the change's.

    `renamed`: a file's path of now to its path at the base, where they differ. With an empty base every
    function over the threshold is given.
    """
    left = _Left(base)
    falling = sorted((each for each in now if each.value is not None), key=_greatest_first)
    homeless = [each for each in falling if not left.claim_here(each, renamed.get(each.file, each.file))]
    over = [each for each in homeless if _value(each) > threshold and not left.claim_elsewhere(each)]
    return tuple(sorted(over, key=lambda each: (each.file, each.line, each.subject)))


class _Left:
    """The base's functions, each good for one of now that is no more complex; the greatest asks first."""

    def __init__(self, base: Iterable[Violation]) -> None:
        self._here: dict[tuple[str, str], list[float]] = defaultdict(list)
        for each in base:
            if each.value is not None:
                self._here[each.file, _name(each)].append(each.value)
        for values in self._here.values():
            values.sort()
        self._named: dict[str, list[float]] | None = None

    def claim_here(self, function: Violation, file: str) -> bool:
        return _claim(self._here.get((file, _name(function)), []), function)

    def claim_elsewhere(self, function: Violation) -> bool:
        """By a name that only one function without a successor has: it moved from file to file."""
        if _name(function) in _NAMELESS:
            return False
        if self._named is None:
            self._named = defaultdict(list)
            for (_, name), values in self._here.items():
                self._named[name] += values
        values = self._named.get(_name(function), [])
        return len(values) == 1 and _claim(values, function)


def _claim(values: list[float], function: Violation) -> bool:
    """Whether the greatest that is left covers the function; who asks next is no more complex."""
    if not values or values[-1] < _value(function):
        return False
    values.pop()
    return True


def _greatest_first(function: Violation) -> tuple[float, str, int, str]:
    return (-_value(function), function.file, function.line, function.subject)


def _value(function: Violation) -> float:
    return function.value if function.value is not None else 0.0


def _name(function: Violation) -> str:
    """Without parameters, so that a changed signature is still the same function; empty for one without."""
    found = _NAME.match(function.subject)
    return f"{found[1] or ''}{found[2]}" if found and found[2] else ""
