"""Which violations a change brought: those that the base does not have at the same place.

A line that only moved is the same line, and a line that was rewritten answers for what the lines that it
replaced had. Where a tool names no line, the same complaint about the same file is the same.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.quality.lines import Edit, files_in
from donewhen.core.quality.model import Violation

_NUMBER = re.compile(r"\d+")


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
    known = _Known(base)
    new: list[Violation] = []
    old = 0
    for violation in now:
        if known.had(violation, origins.get(violation.file)):
            old += 1
        else:
            new.append(violation)
    return Sorted(tuple(new), old)


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

    def had(self, violation: Violation, origin: Origin | None) -> bool:
        file = origin.base if origin else violation.file
        left = self._left.get((file, violation.rule)) if file or not violation.file else None
        if not left:
            return False
        found = _match(left, violation, stands_for(violation.line, origin.edits if origin else ()))
        if found is None:
            return False
        left[found] -= 1
        if not left[found]:
            del left[found]
        return True


def _match(left: Counter[tuple[int, str]], violation: Violation, stands: Stands) -> tuple[int, str] | None:
    plain = _plain(violation)
    there = [key for key in left if key[0] in stands.lines]
    exact = [key for key in there if key[1] == plain]
    if exact:
        return exact[0]
    return there[0] if there and stands.same and violation.line else None


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
