"""A test file that nobody could read at the base and that can be read now: whether it asks as much as it did.

No code could pass a file that does not parse, so only its text can say what it meant to ask. Lines that
demand something are looked for word by word; signs may be others, for those were what was broken. A file
that asks less, or can't be read now, is not repaired.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from donewhen.core.integrity.model import Sheet

_TEST = re.compile(
    r"\bdef\s{1,4}test\w*|(?<![\w.])(?:it|test)(?:\.\w{1,20})?\s?\(|\bfunc\s{1,4}Test\w|#\[\w{0,20}:{0,2}test\]|@Test\b"
)
_DEMAND = re.compile(
    r"\bassert|\bexpect\s?\(|\bassert\w{1,40}!?\s?\(|\b[tb]\.(?:Error|Fatal|Fail)\w{0,4}\(|\braises\s?\(|\bshould\b"
)
_OFF = re.compile(r"skip|xfail|expectedFailure|todo|ignore|Disabled", re.IGNORECASE)
_NOISE = re.compile(r"\s*(?:#(?!\[)|//|\*|/\*|import\b|from\b|use\b|package\b)")
_WORD = re.compile(r"\w+")
_OURS, _BOTH, _THEIRS = "<<<<<<<", "=======", ">>>>>>>"
_LARGEST = 256 * 1024
Repair = Literal["wholly", "nearly", "not"]


def repaired(before: str, now: Sheet, text: str) -> Repair:
    """What `text`, read as `now`, asks beside `before`; wholly: every demand is there word by word."""
    if now.troubles or max(len(before), len(text)) > _LARGEST:
        return "not"
    found = {_asks(side, now, text) for side in _sides(before)}
    return "wholly" if "wholly" in found else "nearly" if "nearly" in found else "not"


def _sides(text: str) -> Iterator[str]:
    """The text; where two versions were never merged, each of the two."""
    if f"\n{_OURS}" not in f"\n{text}":
        yield text
        return
    for wanted in (_OURS, _BOTH):
        lines, part = [], ""
        for line in text.split("\n"):
            mark = line[:7]
            if mark in (_OURS, _BOTH, _THEIRS):
                part = "" if mark == _THEIRS else mark
            elif part in ("", wanted):
                lines.append(line)
        yield "\n".join(lines)


def _asks(before: str, now: Sheet, text: str) -> Repair:
    running = [test for test in now.tests if not test.disabled]
    wanted, has = Counter(_demands(before)), Counter(_demands(text))
    asserts = sum(not each.hollow for test in running for each in test.asserts)
    if not wanted or len(now.tests) < len(_TEST.findall(_code(before))) or asserts < wanted.total():
        return "not"
    off = len(now.tests) - len(running)
    if off > len(_OFF.findall(before)) or any(test.swallows or test.focused for test in now.tests):
        return "not"
    if not wanted - has:
        return "wholly"
    left = [*(has - wanted).elements()]
    near = all(any(_misspelt(one, other) for other in left) for one in wanted - has)
    return "nearly" if near else "not"


def _misspelt(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the two differ by one word only, and in no value."""
    lacks, brings = Counter(one) - Counter(other), Counter(other) - Counter(one)
    values = any(letter.isdigit() for word in (*lacks, *brings) for letter in word)
    return not values and max(lacks.total(), brings.total()) <= 1


def _code(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not _NOISE.match(line))


def _demands(text: str) -> Iterator[tuple[str, ...]]:
    """The words of each line that demands something."""
    for line in _code(text).split("\n"):
        if _DEMAND.search(line):
            yield tuple(_WORD.findall(line))
