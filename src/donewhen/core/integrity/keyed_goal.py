"""What source may know without having looked at the exam: what the base had, and what the goal lays down.

An example call in the goal lays nothing down: "scale([1, 2], 3) should be [3, 6]" asks for more than that.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.integrity.keyed_values import is_made_up, nature, value
from donewhen.core.integrity.model import Branch, Pair

_LONGEST = 100_000  # characters of a goal
_CALL = re.compile(r"\b([A-Za-z_]\w{0,60})\s?\(([^()\n]{0,200})\)")
_WORD = re.compile(r"[A-Za-z_][\w-]*|-?\d+(?:\.\d+)?|[\u4e00-\u9fff]+")


class Lore(NamedTuple):
    entries: frozenset[tuple[str, str]]  # keys with answers that the base had
    branches: frozenset[tuple[str, tuple[str, ...], tuple[str, ...]]]
    literals: frozenset[str]  # of the base's source
    goal: str  # lower case, without the arguments of example calls
    words: frozenset[str]
    called: frozenset[str]  # functions that the goal gives examples of

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

    def states(self, answer: str, function: str) -> bool:
        """Whether the goal wants just this answer, and not as the result of an example."""
        return nature(answer) != "trivial" and function.lower() not in self.called and self._says(answer)

    def _says(self, literal: str) -> bool:
        what = value(literal)
        text = (what if isinstance(what, str) else literal).lower()
        if not text:
            return False
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
        frozenset(call[1] for call in _CALL.finditer(text) if call[2].strip()),
    )


def _entries(branch: Branch) -> Iterator[tuple[str, str]]:
    if len(branch.keys) == len(branch.answers):
        yield from zip(branch.keys, branch.answers, strict=True)
    else:
        yield from ((key, answer) for key in branch.keys[:2000] for answer in branch.answers[:20])
