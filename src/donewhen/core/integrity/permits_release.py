"""A release that the goal orders, held against a version that an expectation was edited to.

Only the version itself may differ, from one end of the assertion to the other; whatever else an edit touches
is no matter of a release.
"""

import re
from collections.abc import Sequence

from donewhen.core.integrity import permits_things as things
from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.permits_reading import Clause, pattern

_VERSION = r"\d{1,5}(?:\.\d{1,5}){1,3}(?:[-.]?(?:a|b|c|rc|alpha|beta|dev|post|pre)\.?\d{0,4})?"
_IN_CODE = re.compile(rf"(?<![\w.])v?(?P<version>{_VERSION})(?![\w]|\.\d)", re.IGNORECASE)
_TUPLE = re.compile(r"(?<=[(\[])\s*(\d{1,5})\s*,\s*(\d{1,5})\s*,\s*(\d{1,5})\s*(?=[)\]])")
_ABOUT = re.compile(r"version|release|\bver\b|_ver\b|版本", re.IGNORECASE)
_ORDERED = (
    rf"(?:^|[:：]\s*|\b(?:please|also|then|now|let's|let us|we|to|and) )(?:{things.RELEASE})\s*"
    rf"(?:(?:{things.RELEASE_FILL})\s+){{0,6}}(?:(?!{things.NO_RELEASE})[`\w-]{{1,60}} )?"
    rf"`?v?(?P<version>{_VERSION})`?(?![\w]|\.\d)(?!\s*(?:{things.TOLD_OF_RELEASE})\b)"
)
_TITLED = rf"^`?v?(?P<version>{_VERSION})`? (?:release|version)[.!]?$"
_ORDERED_ZH = (
    rf"(?:{things.RELEASE_ZH})\s{{0,3}}(?:新|正式|稳定)?(?:版本?|为|到|成|号|是){{0,3}}\s{{0,3}}[:：]?\s{{0,3}}"
    rf"v?(?P<version>{_VERSION})(?![a-z\d.])"
)
_TITLED_ZH = (
    rf"^(?:请|准备|完成){{0,2}}\s?v?(?P<version>{_VERSION})\s?(?:正式|版本?|的){{0,2}}(?:发布|发版|发行)"
)


def released(before: str, now: str, about: str, clauses: Sequence[Clause]) -> tuple[str, Clause] | None:
    """The version that the goal orders to be released and that the expectation now has."""
    new = _only_other(_flat(before), _flat(now))
    if not new or not _ABOUT.search(f"{about} {before} {now}"):
        return None
    for clause in clauses:
        if pattern(words.BROKEN).search(clause.text):
            continue
        for phrase in (_ORDERED, _TITLED, _ORDERED_ZH, _TITLED_ZH):
            if any(found["version"].lower() == new for found in pattern(phrase).finditer(clause.text)):
                return new, clause
    return None


def _flat(code: str) -> str:
    """(1, 4, 0) is 1.4.0."""
    return _TUPLE.sub(r"\1.\2.\3", code[:4000])


def _only_other(before: str, now: str) -> str:
    """The version that stands in the place of the other, where nothing else differs."""
    one, two = ({found["version"].lower() for found in _IN_CODE.finditer(text)} for text in (before, now))
    if len(one) != 1 or len(two) != 1 or one == two:
        return ""
    left, right = (_IN_CODE.sub("#", text) for text in (before, now))
    return two.pop() if left == right else ""
