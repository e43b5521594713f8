"""Which values a goal wants and which it complains of, held against an expectation that was edited.

"total() returns 90 instead of 100" complains of 90; "return 90 instead of 100" wants it. Values in the
arguments of an example call are neither.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.keyed_values import scalars
from donewhen.core.integrity.permits_reading import Clause, pattern

Role = Literal["wanted", "unwanted", "named", ""]
_NEAR = 48  # characters before a value in which a word speaks of it
_CALL = re.compile(
    r"\b(?<!new )(?<!raise )(?<!raises )(?<!throw )(?<!throws )"
    r"(?!\w{0,60}(?:error|exception|warning|failure)\()(?!(?:err|some|ok|decimal|fraction|date|datetime)\()"
    r"[a-z_]\w{0,60}\([^()\n]{0,200}\)"
)  # an example; what is made to be raised or returned is none
_CONTRAST = re.compile(
    r"[\w.%]{1,40}['\"`”]?(?:\s*[,(，（—–-]{1,2}|\s)\s*(?:and )?not(?: just)? ['\"`“]?[\w.-]"
)
_QUOTED = re.compile(
    r"\"((?:[^\"\\\n]|\\.){1,400})\"|'((?:[^'\\\n]|\\.){1,400})'|`([^`\n]{1,400})`"
    r"|(?<=[(,] )/([^/\n]{2,200})/"
)
_SAYS = (("assertisnone", "none"), ("tobenull", "none"), ("asserttrue", "true"), ("assertfalse", "false"))
_ATOM = re.compile(
    r"-?\d+(?:\.\d+)?|[A-Za-z_]\w*(?:Error|Exception|Warning)\b|\b(?:None|null|nil|True|False|true|"
    r"false|undefined)\b"
)
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,30}(?:\.\d{1,30})?(?![\w]|\.\d)")
_PIECE = re.compile(r"[^\W_]+(?:\.\d+)?|[\u4e00-\u9fff]")
_NOTHING = {"none": ("none", "null", "nil"), "null": ("null", "none", "nil"), "nil": ("nil", "null", "none")}
_NOWHERE = (-1, 0)
_COMMON = frozenset("the a an of to in is it and or for on at by s".split())


class Edit(NamedTuple):
    """What an expectation lost and got, as values and as words."""

    new: frozenset[str]
    old: frozenset[str]
    signs_new: frozenset[str]
    signs_old: frozenset[str]
    case: str  # upper or lower, where only the case changed


def edit_of(before: str, now: str) -> Edit:
    one, two = _values(before), _values(now)
    pieces_one, pieces_two = _pieces(before), _pieces(now)
    signs_one, signs_two = _signs(before), _signs(now)
    return Edit(
        frozenset((two - one) | (pieces_two - pieces_one)),
        frozenset((one - two) | (pieces_one - pieces_two)),
        frozenset(signs_two - signs_one),
        frozenset(signs_one - signs_two),
        _case_of(before, now),
    )


@lru_cache(maxsize=64)
def _quoted(text: str) -> tuple[str, ...]:
    return tuple("".join(each) for each in _QUOTED.findall(text[:4000]))


def _values(text: str) -> set[str]:
    """Whole literals in a piece of code: texts without their quotes, numbers, names of errors."""
    found = {each.lower() for each in _quoted(text)}
    found |= {each.lower() for each in _ATOM.findall(_QUOTED.sub(" ", text[:4000]))}
    found |= {says for name, says in _SAYS if name in text.lower()}
    try:
        whole = json.loads(text) if len(text) <= 2000 and text.count("[") < 50 else None
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, list | dict):
        found.add("".join(text.lower().split()))
        found |= {str(part).lower() for part in scalars(whole)}
    return found


def _pieces(text: str) -> set[str]:
    """Words inside of texts; names of code say nothing about what is expected."""
    inside = " ".join(_quoted(text))
    return {piece.lower() for piece in _PIECE.findall(inside)} - _COMMON


def _signs(text: str) -> set[str]:
    inside = "".join(_quoted(text))
    return {sign for sign in words.SYMBOLS if sign in inside}


@lru_cache(maxsize=1024)
def _uncalled(text: str) -> str:
    """Without example calls."""
    return _CALL.sub(" ", text)


def wanted(edit: Edit, clauses: Sequence[Clause]) -> tuple[str, Clause] | None:
    """The value that the goal asks for and the expectation now has, with the clause that says so."""
    for clause in clauses:
        text = _uncalled(clause.text)
        roles = {each: _role(each, text) for each in edit.new}
        if any(role == "unwanted" for role in roles.values()):
            continue
        good = next((each for each, role in roles.items() if role == "wanted"), None)
        if good is None and not clause.broken and pattern(words.CHANGE).search(text):
            good = next((each for each, role in roles.items() if role == "named" and _is_telling(each)), None)
        if good is None and not clause.broken:
            good = _sign(edit, text)
        if good is not None:
            return good, clause
    return None


def vetoed(edit: Edit, clauses: Sequence[Clause]) -> bool:
    """The goal wants what the expectation was, or complains of what it is now."""
    for clause in clauses:
        text = _uncalled(clause.text)
        kept = [each for each in edit.old if _role(each, text) == "wanted" and _is_telling(each)]
        if kept and not _by_chance(edit, kept, text):
            return True
        if any(_role(each, text) == "unwanted" and _is_telling(each) for each in edit.new):
            return True
    return False


def _by_chance(edit: Edit, kept: Sequence[str], text: str) -> bool:
    """Another text that shares a word with the one that the goal quotes: "not a number", "a whole number"."""
    quoted = _quoted(text)
    inside = all(any(each in one and each != one for one in quoted) for each in kept)
    whole = any(each in one for each in edit.old if " " in each for one in quoted)
    words_lost = {each for each in edit.old if " " not in each}
    return inside and not whole and not words_lost <= set(kept)


def _is_telling(value: str) -> bool:
    return len(value) > 1 or value.isdigit()


def _sign(edit: Edit, text: str) -> str | None:
    """A sign that came and that the goal wants, or that went and that it no longer wants; or the case."""
    if edit.case:
        found = pattern(words.UPPER if edit.case == "upper" else words.LOWER).search(text)
        return found[0] if found else None
    for signs, role in ((edit.signs_new, ("wanted", "named")), (edit.signs_old, ("unwanted",))):
        for name in (name for sign in sorted(signs) for name in words.SYMBOLS[sign]):
            if _role(name, text) in role:
                return name
    return None


def _case_of(before: str, now: str) -> str:
    """Which way only the case of letters changed."""
    if before == now or before.lower() != now.lower():
        return ""
    return "upper" if sum(map(str.isupper, now)) > sum(map(str.isupper, before)) else "lower"


def _role(value: str, text: str) -> Role:
    """By the last word before it that speaks of wanting or of being so."""
    role: Role = ""
    for start in _places(value, text):
        before = text[max(0, start - _NEAR) : start]
        good = _last(words.WANTED, before)
        bad = _last(words.UNWANTED, before)
        here: Role = "named" if max(good, bad) == _NOWHERE else "wanted" if good >= bad else "unwanted"
        if _is_complaint(text[:start]) and not _is_laid_down(text, start):
            here = _complained(here, text, before, bad)
        if here == "wanted":
            return here
        role = here
    return role


def _complained(here: Role, text: str, before: str, bad: tuple[int, int]) -> Role:
    """In a complaint what stands behind "instead of" is wanted, and what stands before it is not."""
    if _last(words.INSTEAD, before) == bad != _NOWHERE:
        return "wanted"
    return "unwanted" if here != "named" or pattern(words.INSTEAD).search(text) else here


def _is_complaint(before: str) -> bool:
    """Tells what happens, without asking for anything."""
    return pattern(words.TELLS).search(before) is not None and pattern(words.DEMANDS).search(before) is None


def _is_laid_down(text: str, start: int) -> bool:
    """ "The limits are 0 and 200 (not 100)": a fact that is told of no call, against what was thought."""
    told = [found[0] for found in pattern(words.TELLS).finditer(text[:start])]
    return (
        bool(told)
        and set(told) <= {"is", "are"}
        and "()" not in text
        and pattern(words.BROKEN).search(text) is None
        and _CONTRAST.search(text) is not None
    )


def _last(phrase: str, text: str) -> tuple[int, int]:
    """Where it ends for the last time, and its length: of two that end together the longer one counts."""
    ends = ((found.end(), len(found[0])) for found in pattern(phrase).finditer(text))
    return max(ends, default=_NOWHERE)


def _places(value: str, text: str) -> Iterator[int]:
    for spelling in _NOTHING.get(value, (value,)):
        if spelling[:1] in "[{":
            found = re.search(r"[\[{][^\[\]{}]{1,200}[\]}]", text)
            if found and "".join(found[0].split()) == spelling:
                yield found.start()
            continue
        if _NUMBER.fullmatch(spelling):
            yield from (m.start() for m in _NUMBER.finditer(text) if float(m[0]) == float(spelling))
            continue
        if spelling not in text:
            continue
        edge = ("", "") if spelling > "\u4e00" else (r"(?<![\w.])", r"(?![\w]|\.\d)")
        yield from (m.start() for m in re.finditer(f"{edge[0]}{re.escape(spelling)}{edge[1]}", text))
