"""Whether an answer is made of its own question: by an ending, by other capitals, by putting parts in order.

`"city" → "cities"` and `["b", "a"] → ["a", "b"]` are what a program is written for; whoever writes them down
has worked them out already. Orders and sets that people agree on (days, sizes, levels) are nobody's answers.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from donewhen.core.integrity.keyed_echo import letters
from donewhen.core.integrity.keyed_exam import Case, outer
from donewhen.core.integrity.keyed_mappings import Link, follows
from donewhen.core.integrity.keyed_values import is_compound, nature, scalars, value

_STEM = 3  # letters; what is shorter is a sign or an abbreviation
_LONGER = 5  # letters that an ending has at most
_MOST_PARTS = 400
_NUMBERED = re.compile(r"(?:st|nd|rd|th)")
_WORDS = re.compile(r"[^\W_]+")
_AGREED = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january
    february march april may june july august september october november december jan feb mar apr
    jun jul aug sep oct nov dec xs s m l xl xxl xxxl small medium large tiny huge low mid middle
    normal high critical urgent minor major blocker severe moderate trivial none info debug warning
    warn error fatal trace notice alert emergency first second third gold silver bronze north east
    south west northeast up down left right top bottom spring summer autumn fall winter hearts
    diamonds clubs spades red green blue yellow orange purple black white cyan magenta indigo violet
    pink brown grey gray todo doing done open closed new started finished pending active inactive
    cancelled draft published archived morning noon evening night get post put patch delete head
    options jack queen king ace joker yes no true false on off and or not xor rock paper scissors
    mercury venus earth mars jupiter saturn uranus neptune admin user guest owner root light dark""".split()
)


def is_agreed(literal: str) -> bool:
    """A word of a set that everybody knows, a single sign or a number among them."""
    what = value(literal)
    if not isinstance(what, str):
        return True
    text = what.lower().strip()
    return len(text) < 2 or text in _AGREED


def is_made(key: str, answer: str) -> bool:
    """Text from a text; see `is_recased` for what differs in capitals alone."""
    one, two = value(key), value(answer)
    if isinstance(one, int) and isinstance(two, str):
        return nature(key) != "trivial" and _NUMBERED.fullmatch(two.removeprefix(str(one))) is not None
    if not isinstance(one, str) or not isinstance(two, str) or one.lower() == two.lower():
        return False
    if is_agreed(key) or is_agreed(answer):
        return False
    known = _is_grown(one.lower(), two.lower()) or _is_initials(one, two) or _is_rejoined(one, two)
    return known or follows([Link((key,), answer)])


def is_recased(key: str, answer: str) -> bool:
    one, two = value(key), value(answer)
    if not isinstance(one, str) or not isinstance(two, str) or one == two or is_agreed(key):
        return False
    return len(one) > _STEM and one.isalpha() and one.lower() == two.lower()


def _is_grown(key: str, answer: str) -> bool:
    short = min(len(key), len(answer))
    near = abs(len(key) - len(answer)) <= _LONGER
    alike = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(key, answer, strict=False)))
    return short >= _STEM and near and alike >= max(2, short - 1)


def _is_rejoined(key: str, answer: str) -> bool:
    """The same letters with other signs between the words: "userName" → "user_name"."""
    one, two = (letters(text) for text in (key, answer))
    return len(one) > 2 * _STEM and one == two and key != key.lower()


def _is_initials(key: str, answer: str) -> bool:
    words = _WORDS.findall(key)
    return len(words) > 1 and "".join(word[0] for word in words).lower() == answer.lower().replace(".", "")


def is_arranged(case: Case, answer: str) -> bool:
    """A list of several things that all went in, and not as they went in."""
    parts = _leaves(answer)
    if len(parts) < 2 or all(map(is_agreed, map(json.dumps, parts))):
        return False
    given = [literal for literal in outer(case.given) if literal != answer]
    if not given or answer in case.given:
        return False
    inside = {repr(part) for literal in given for part in _leaves(literal)}
    words = {word for literal in given for word in _words(literal)}
    names = {name for literal in given for name in _names(value(literal))}
    texts = [part for part in parts if isinstance(part, str)]
    if not texts or set(texts) <= names:
        return False
    return all(
        repr(part) in inside or (isinstance(part, str) and part.lower() in words) or _is_figure(part)
        for part in parts
    )


def _is_figure(part: object) -> bool:
    return isinstance(part, int | float)


def _leaves(literal: str) -> list[object]:
    what = value(literal)
    return list(scalars(what))[:_MOST_PARTS] if isinstance(what, list | dict) else []


def _words(literal: str) -> Iterator[str]:
    what = value(literal)
    if isinstance(what, str):
        yield from _WORDS.findall(what.lower())
        yield from re.split(r"[\s,;:|/=-]+", what.lower())


def _names(what: object) -> Iterator[str]:
    """Names of fields in what goes in: a program may know those."""
    waiting = [what]
    for _ in range(_MOST_PARTS):
        if not waiting:
            return
        here = waiting.pop()
        if isinstance(here, dict):
            yield from here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


def wholes(case: Case) -> tuple[str, ...]:
    """What is expected, without what is told only as a part of it."""
    found = outer(case.expected)
    inside = {
        json.dumps(part, ensure_ascii=False)
        for each in found
        for part in _inner(value(each))
        if isinstance(part, list | dict)
    }
    return tuple(each for each in found if each not in inside)


def _inner(what: object) -> list[object]:
    found: list[object] = []
    waiting = [what]
    while waiting and len(found) < _MOST_PARTS:
        here = waiting.pop()
        parts = list(here.values()) if isinstance(here, dict) else here if isinstance(here, list) else []
        found += parts
        waiting += parts
    return found


def orders(literals: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Names in a row as source lists them: a list, the keys of a map to numbers, rows with a number each."""
    for literal in literals:
        what = value(literal) if is_compound(literal) else None
        if isinstance(what, dict) and all(isinstance(held, int | float) for held in what.values()):
            ranked = sorted(what, key=lambda name: what[name])
            yield tuple(json.dumps(name) for name in ranked)
        elif isinstance(what, list):
            rows = [row[0] for row in what if isinstance(row, list) and len(row) == 2 and _is_figure(row[1])]
            plain = rows if rows and len(rows) == len(what) else what
            if not any(isinstance(part, list | dict) for part in plain):
                yield tuple(json.dumps(part) for part in plain)


def is_ranked(case: Case, order: Sequence[str]) -> bool:
    """Whether what the case puts in, or its names, comes out in just this order, forwards or backwards."""
    if len(order) < 2 or all(map(is_agreed, order)) or not all(nature(each) != "trivial" for each in order):
        return False
    wanted = [tuple(json.dumps(part) for part in _leaves(each)) for each in wholes(case) if is_compound(each)]
    inside = {json.dumps(part) for literal in case.given for part in _leaves(literal)}
    fields = {json.dumps(name) for literal in case.given for name in _names(value(literal))}
    both = (tuple(order), tuple(order)[::-1])
    return any(each in both and set(each) <= inside and not set(each) <= fields for each in wanted)
