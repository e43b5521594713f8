"""What source may know without having looked at the exam: what the base had, and what the goal lays down.

An example call in the goal lays nothing down: "scale([1, 2], 3) should be [3, 6]" asks for more than that.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from donewhen.core.integrity.keyed_values import is_made_up, is_number, nature, value
from donewhen.core.integrity.model import Branch, Pair

_LONGEST = 100_000  # characters of a goal
_CALL = re.compile(r"\b([A-Za-z_]\w{0,60})\(([^()\n]{0,200})\)")
_WORD = re.compile(r"[A-Za-z_][\w-]*|-?\d+(?:\.\d+)?|[\u4e00-\u9fff]+")
_NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:[,_]\d{3})+|\d{1,15})(\.\d{1,15})?(\s?%)?")
_VALUE = re.compile(r"""\b\d|["'`\[{]""")
_OPEN = re.compile(
    r"\.\.\.|\u2026|\betc\b|\band so on\b|\be\.g\.|\bexamples?\b|\bsuch as\b|\u4f8b\u5982|\u7b49\u7b49"
)  # what stands beside it goes on, or only shows what is meant
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve".split()


class Lore(NamedTuple):
    entries: frozenset[tuple[str, str]]  # keys with answers that the base had
    branches: frozenset[tuple[str, tuple[str, ...], tuple[str, ...]]]
    literals: frozenset[str]  # of the base's source
    goal: str  # lower case, without the arguments of example calls
    words: frozenset[str]
    numbers: frozenset[float]  # however they are written
    called: frozenset[str]  # functions that the goal shows calls of
    examples: frozenset[str]  # those with values in the call: `fib(7)`, not `fib(n)`

    def has_branch(self, branch: Branch) -> bool:
        if (branch.how, branch.keys, branch.answers) in self.branches:
            return True
        return bool(branch.keys) and bool(branch.answers) and set(_entries(branch)) <= self.entries

    def explains(self, key: str, answer: str) -> bool:
        """Whether key and answer were known before, or are laid down in the goal."""
        if (key, answer) in self.entries or (
            key in self.literals and nature(key) == "data" and not is_made_up(key)
        ):
            return True
        if is_made_up(key):
            return False
        return self._says(key) and (not answer or nature(answer) == "trivial" or self._says(answer))

    def lists(self, answers: Sequence[str], function: str) -> bool:
        """Whether the goal lays down all of these numbers, and not as results of examples."""
        telling = [answer for answer in answers if nature(answer) != "trivial"]
        if not telling or function.lower() in self.examples or not all(map(is_number, answers)):
            return False
        if _OPEN.search(self.goal):
            return False
        return all(map(self._says, telling))

    def states(self, answer: str, function: str) -> bool:
        """Whether the goal wants just this answer, and not as the result of an example."""
        return nature(answer) != "trivial" and function.lower() not in self.called and self._says(answer)

    def grants(self, answer: str, function: str) -> bool:
        """The same of an answer to everything: `name(language)` with no value in it is no example."""
        return nature(answer) != "trivial" and function.lower() not in self.examples and self._says(answer)

    def is_ignored(self, expected: Collection[str], literals: Collection[str]) -> bool:
        """Whether the goal gives numbers to work with, answers too, and one is nowhere in the source."""
        here = {value(literal) for literal in literals if is_number(literal)}
        left = any(number not in here for number in self.numbers if number > 1)
        return left and any(nature(each) != "trivial" and self._says(each) for each in expected)

    def names(self, literals: Collection[str]) -> bool:
        """Whether the goal has all of these."""
        return all(map(self._says, literals))

    def _says(self, literal: str) -> bool:
        what = value(literal)
        text = (what if isinstance(what, str) else literal).lower()
        if not text:
            return False
        if is_number(literal) and isinstance(what, int | float) and what in self.numbers:
            return True
        if _WORD.fullmatch(text):
            return text in self.words or f"{text}s" in self.words
        return text in self.goal


def lore_of(pairs: Sequence[Pair], goal: str) -> Lore:
    bases = [pair.base for pair in pairs if pair.base and pair.base.role in ("source", "other")]
    known = [branch for sheet in bases for branch in sheet.branches]
    text = goal[:_LONGEST].lower()
    plain = _CALL.sub(lambda call: f"{call[1]}()", text)
    return Lore(
        frozenset(entry for branch in known for entry in _entries(branch)),
        frozenset((branch.how, branch.keys, branch.answers) for branch in known),
        frozenset().union(*(sheet.literals for sheet in bases)),
        plain,
        frozenset(_WORD.findall(plain)),
        frozenset(_numbers(plain)),
        frozenset(call[1] for call in _CALL.finditer(text) if call[2].strip()),
        frozenset(call[1] for call in _CALL.finditer(text) if _VALUE.search(call[2])),
    )


def _numbers(text: str) -> Iterator[float]:
    """`1.10`, `1,200` and `two`; a share may be meant by `14 %`."""
    for whole, rest, share in _NUMBER.findall(text):
        number = whole.replace(",", "").replace("_", "") + rest
        yield float(number)
        if share:
            yield round(float(number) / 100, 12)
    yield from (float(_COUNTED.index(word)) for word in _WORD.findall(text) if word in _COUNTED)


def _entries(branch: Branch) -> Iterator[tuple[str, str]]:
    if len(branch.keys) == len(branch.answers):
        yield from zip(branch.keys, branch.answers, strict=True)
    else:
        yield from ((key, answer) for key in branch.keys[:2000] for answer in branch.answers[:20])
