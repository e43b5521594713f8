"""Which violations a change brought: those that the base does not have at the same place.

A line that only moved is the same line, and a rewritten one answers for what the lines that it replaced had:
the same rule there is the same complaint, whatever its words. Where a tool names no line, the same complaint
about the same file is the same; many name the first one where they mean the file.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.quality.lines import Edit, files_in
from donewhen.core.quality.model import Violation

_NUMBER = re.compile(r"\d+")
_TOP = 1  # the line of what is said about a file as a whole


class Origin(NamedTuple):
    """Where a file of now came from."""

    base: str  # its path there; empty: it is new
    edits: tuple[Edit, ...] = ()


class Stands(NamedTuple):
    lines: range  # of the base
    same: bool  # it is the very line, perhaps elsewhere


class Sorted(NamedTuple):
    new: tuple[Violation, ...]
    old: int


def sort_out(now: Iterable[Violation], base: Iterable[Violation], origins: Mapping[str, Origin]) -> Sorted:
    """`origins`: every file that differs; all others are the same in both trees."""
    known, every = _Known(base), tuple(now)
    new = [each for each in every if not known.had(each, origins.get(each.file), exact=True)]
    new = [each for each in new if not known.had(each, origins.get(each.file), exact=False)]
    new = [each for each in new if each.line > _TOP or not known.had_elsewhere(each, origins.get(each.file))]
    return Sorted(tuple(new), len(every) - len(new))


def on_changed_lines(now: Iterable[Violation], origins: Mapping[str, Origin]) -> Sorted:
    """What is surely new, where nobody can say what the base has: on lines that the change wrote."""
    new, old = [], 0
    for each in now:
        origin = origins.get(each.file)
        if origin and each.line and (not origin.base or not stands_for(each.line, origin.edits).same):
            new.append(each)
        else:
            old += 1
    return Sorted(tuple(new), old)


class _Known:
    """What the base has, each complaint good for one of now."""

    def __init__(self, base: Iterable[Violation]) -> None:
        self._left: dict[tuple[str, str], Counter[tuple[int, str]]] = {}
        for each in base:
            self._left.setdefault((each.file, each.rule), Counter())[(each.line, _plain(each))] += 1

    def had(self, violation: Violation, origin: Origin | None, *, exact: bool) -> bool:
        """Whether the same is left at its place; not `exact`: in other words, if a line is named."""
        left, plain = self._of(violation, origin), _plain(violation)
        lines = stands_for(violation.line, origin.edits if origin else ()).lines
        there = (key for key in left if key[0] in lines and (key[1] == plain or not exact))
        return _taken(left, next(there, None) if exact or violation.line else None)

    def had_elsewhere(self, violation: Violation, origin: Origin | None) -> bool:
        """Whether the same is left of the file, wherever; asked when every line has had its own."""
        left, plain = self._of(violation, origin), _plain(violation)
        return _taken(left, next((key for key in left if key[1] == plain), None))

    def _of(self, violation: Violation, origin: Origin | None) -> Counter[tuple[int, str]]:
        file = origin.base if origin else violation.file
        known = self._left.get((file, violation.rule)) if file or not violation.file else None
        return Counter() if known is None else known


def _taken(left: Counter[tuple[int, str]], found: tuple[int, str] | None) -> bool:
    if found is None:
        return False
    left[found] -= 1
    if not left[found]:
        del left[found]
    return True


def stands_for(line: int, edits: Sequence[Edit]) -> Stands:
    """The lines of the base that a line of now stands for: itself, or all that it may have replaced."""
    if not line:
        return Stands(range(1), same=True)
    at = bisect_right(edits, line, key=lambda edit: edit.new) - 1
    if at < 0:
        return Stands(range(line, line + 1), same=True)
    edit = edits[at]
    after = edit.new + edit.added
    if line < after:
        return Stands(range(edit.old, edit.old + edit.removed), same=False)
    there = edit.old + edit.removed + (line - after)
    return Stands(range(there, there + 1), same=True)


def _plain(violation: Violation) -> str:
    """What is said without the numbers in it: those move with the lines."""
    return _NUMBER.sub("#", f"{violation.subject}\0{violation.message}")


def origins_of(diff: str) -> Mapping[str, Origin]:
    """Where every file that a diff tells of came from, by its path now."""
    return {file.new: Origin(file.old, file.edits) for file in files_in(diff) if file.new}


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
    function over the threshold is given. Each of the base's is good for one of now that is no more complex,
    the greatest first: of its name in its file, else wherever it moved, if only one without a successor has
    that name.
    """
    here: dict[tuple[str, str], list[float]] = defaultdict(list)
    for value, each in sorted((each.value, each) for each in base if each.value is not None):
        here[each.file, _name(each)].append(value)

    def claimed(values: list[float], value: float) -> bool:
        return bool(values and values[-1] >= value and values.pop())

    left: list[tuple[float, Violation]] = []
    falling = sorted((-each.value, each.file, each.line, each) for each in now if each.value is not None)
    for value, file, _, each in falling:
        if not claimed(here.get((renamed.get(file, file), _name(each)), []), -value):
            left.append((-value, each))
    named: dict[str, list[float]] = defaultdict(list)
    for (_, name), values in here.items():
        named[name] += values if name not in _NAMELESS else ()
    over = [
        each
        for value, each in left
        if value > threshold and not (len(named[_name(each)]) == 1 and claimed(named[_name(each)], value))
    ]
    return tuple(sorted(over, key=lambda each: (each.file, each.line, each.subject)))


def _name(function: Violation) -> str:
    """Without parameters, so that a changed signature is still the same function; empty for one without."""
    found = _NAME.match(function.subject)
    return f"{found[1] or ''}{found[2]}" if found and found[2] else ""
