"""Words that the change gave to what it had: a thing renamed in the product is renamed in its tests' texts.

Known from names that the product lost and names that it got, never from the tests alone. Rewording only says
how a test of the base would read today; whether it still asks the same is compared as ever.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from posixpath import basename

from donewhen.core.integrity.model import Assertion, Sheet
from donewhen.core.integrity.seen import Change, Seen, seen_as
from donewhen.core.integrity.values import held, pieces
from donewhen.core.integrity.words import last

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LEAST = 3  # letters of a word that is looked for in texts
_MOST = 40  # names of one side, and tests of one form
_SAME_VALUES = 3  # what a test with the very same values counts for


class Wording:
    """Old names → new names, and the words in which they differ."""

    def __init__(self, names: Mapping[str, str], words: Mapping[str, str]) -> None:
        self._words = dict(words)
        self._names = {old: new for old, new in names.items() if len(old) >= _LEAST}
        ordered = sorted(self._names, key=len, reverse=True)
        self._whole = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, ordered))})(?![A-Za-z0-9])")

    def __bool__(self) -> bool:
        return bool(self._names or self._words)

    def __call__(self, text: str) -> str:
        if self._names:
            text = self._whole.sub(lambda found: self._names[found[0]], text)
        return _WORD.sub(lambda found: self._word(found[0]), text) if self._words else text

    def _word(self, word: str) -> str:
        low = word.lower()
        many = low not in self._words and low.endswith("s")
        new = self._words.get(low.removesuffix("s") if many else low)
        if new is None:
            return word
        new += "s" if many else ""
        if word.isupper() and len(word) > 1:
            return new.upper()
        return new.capitalize() if word[0].isupper() else new


NO_WORDING = Wording({}, {})


def wording(change: Change, lost: Sequence[Seen], added: Sequence[Seen]) -> Wording:
    """How the product's new names change what is written about it."""
    names: dict[str, str] = {}
    words: dict[str, str] = {}
    for read in (_defined, _stems):
        had, has = read(change.base_sheets), read(change.now_sheets)
        gone, fresh = sorted(had - has)[:_MOST], sorted(has - had)[:_MOST]
        if not gone or not fresh:
            continue
        votes = Counter(_unlike(old, new) for old in gone for new in fresh)
        shown = _shown(lost, added, frozenset(gone), frozenset(fresh))
        ranked = sorted((-votes[_unlike(o, n)] - shown[o, n], o, n) for o in gone for n in fresh)
        for _, old, new in ranked:
            if old in names or new in names.values():
                continue
            names[old] = new
            one, other = _unlike(old, new)
            alone = len(_split(old)) == len(_split(new)) == 1
            if (alone or votes[one, other] > 1) and len(one) >= _LEAST and one.isalpha() and other.isalpha():
                words.setdefault(one, other)
    return Wording(names, words)


def _defined(sheets: Iterable[Sheet]) -> frozenset[str]:
    return frozenset(last(name) for sheet in sheets if sheet.role == "source" for name in sheet.defines)


def _stems(sheets: Iterable[Sheet]) -> frozenset[str]:
    return frozenset(basename(sheet.path).partition(".")[0] for sheet in sheets if sheet.role == "source")


def _split(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _unlike(old: str, new: str) -> tuple[str, str]:
    """The words in which two names differ, without the plural."""
    one, other = _split(old), _split(new)
    while len(one) > 1 and len(other) > 1 and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while len(one) > 1 and len(other) > 1 and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    left, right = " ".join(one), " ".join(other)
    if left.endswith("s") and right.endswith("s"):
        return left[:-1], right[:-1]
    return left, right


def _shown(
    lost: Sequence[Seen], added: Sequence[Seen], gone: frozenset[str], fresh: frozenset[str]
) -> Counter[tuple[str, str]]:
    """Which names stand where others stood, in tests of the same form."""
    forms: dict[str, list[Seen]] = defaultdict(list)
    for seen in added:
        if seen.test.frame and len(forms[seen.test.frame]) < _MOST:
            forms[seen.test.frame].append(seen)
    votes: Counter[tuple[str, str]] = Counter()
    for before in lost[: _MOST * _MOST]:
        for now in forms.get(before.test.frame, ()):
            olds, news = _names(before), _names(now)
            if len(olds) == len(news):
                weight = _SAME_VALUES if before.pool == now.pool else 1
                stood = {(o, n) for o, n in zip(olds, news, strict=True) if o in gone and n in fresh}
                votes.update(dict.fromkeys(stood, weight))
    return votes


def _names(seen: Seen) -> list[str]:
    subjects = (last(subject) for each in seen.test.asserts for subject in each.subjects)
    return [*map(last, seen.test.calls), *subjects]


def asks(seen: Seen, said: Wording) -> tuple[object, ...] | None:
    """What the test asks, in today's words and whatever it is called; None where nobody can tell."""
    test = seen.test
    if not test.frame or not test.asserts:
        return None
    demands = tuple(
        (a.kind, _all(map(last, a.subjects), said), _all(a.given, said), _all(a.expected, said))
        for a in test.asserts
    )
    return (test.frame, test.cases, _all(map(last, test.calls), said), _all(test.literals, said), demands)


def _all(texts: Iterable[str], said: Wording) -> tuple[str, ...]:
    return tuple(map(said, texts))


def reworded(before: Seen, now: Seen, said: Wording, product: frozenset[str]) -> Seen:
    """The test of the base in today's words, as far as the test that stands for it uses them."""
    pool = now.pool | pieces(now.sheet.literals)
    names = now.reach | now.called

    def value(text: str) -> str:
        if held((text,), pool):
            return text
        return said(text) if held((said(text),), pool) else text

    def name(text: str) -> str:
        return text if last(text) in names else said(text)

    def assertion(each: Assertion) -> Assertion:
        return each._replace(
            text=said(each.text),
            subjects=tuple(map(name, each.subjects)),
            given=tuple(map(value, each.given)),
            expected=tuple(map(value, each.expected)),
        )

    test = before.test._replace(
        asserts=tuple(map(assertion, before.test.asserts)),
        calls=tuple(map(name, before.test.calls)),
        literals=tuple(map(value, before.test.literals)),
        digest="",
    )
    return seen_as(before.sheet, test, product)
