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


_Left = dict[tuple[str, str], Counter[tuple[int, str]]]  # of the base: by file and rule, lines and words


def sort_out(now: Iterable[Violation], base: Iterable[Violation], origins: Mapping[str, Origin]) -> Sorted:
    """`origins`: every file that differs; all others are the same in both trees.

    Each complaint of the base is good for one of now: first one in the same words at its place, then one in
    other words there, at last one in the same words about the file as a whole.
    """
    left: _Left = defaultdict(Counter)
    for each in base:
        left[each.file, each.rule][each.line, _plain(each)] += 1
    every = new = tuple(now)
    for how in ("words", "place", "file"):
        new = tuple(each for each in new if not _claimed(left, each, origins.get(each.file), how))
    return Sorted(new, len(every) - len(new))


def _claimed(left: _Left, violation: Violation, origin: Origin | None, how: str) -> bool:
    file = origin.base if origin else violation.file
    if violation.file and not file:
        return False
    known, plain = left[file, violation.rule], _plain(violation)
    lines = stands_for(violation.line, origin.edits if origin else ()).lines
    if how == "words":
        fitting = (key for key in known if key[0] in lines and key[1] == plain)
    elif how == "place":
        fitting = (key for key in known if key[0] in lines and violation.line)
    else:
        fitting = (key for key in known if key[1] == plain and violation.line <= _TOP)
    found = next(fitting, None)
    if found is not None:
        known[found] -= 1
        if not known[found]:
            del known[found]
    return found is not None


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
