"""A goal as clauses: what it orders, with what it forbids taken out and what it only tells left aside.

Sentences, blocks and spelling are those of goal parsing; here they are cut further, at joints behind which a
new order begins. Nothing is understood yet.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from donewhen.core.goal.blocks import blocks
from donewhen.core.goal.clean import clean
from donewhen.core.goal.frames import is_question
from donewhen.core.goal.sentences import sentences
from donewhen.core.goal.spelling import readable
from donewhen.core.integrity import permits_words as words

_LONGEST = 60_000  # characters of a goal; what people write is far shorter
_MOST = 600  # sentences
_SPOKEN = 400  # characters back to which "it" may point
_QUOTED = re.compile(r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|(?<!\w)'[^'\n]{1,200}'(?!\w)|“[^”\n]{1,200}”")
_LEAD = (":", "：")
_ITEMS = ("item", "row", "code")


class Clause(NamedTuple):
    text: str  # lower case, one spelling; what is forbidden in it is taken out
    raw: str  # as it was written
    sentence: str  # all of its sentence, lower case
    before: str = ""  # what was said right before it, as it was written
    broken: bool = False  # its sentence tells a defect


class Read(NamedTuple):
    clauses: tuple[Clause, ...]
    forbidden: tuple[str, ...]  # what the goal says not to do, lower case


@cache
def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def read(goal: str) -> Read:
    clauses: list[Clause] = []
    forbidden: list[str] = []
    before = ""
    for raw in _sentences(goal):
        text = readable(raw)
        if is_question(text) or pattern(words.TOLD).search(text):
            before = raw
            continue
        forbidden += _forbidden(text)
        broken = pattern(words.BROKEN).search(_QUOTED.sub("''", text)) is not None
        for part in _parts(raw):
            clauses.append(Clause(_ordered(readable(part)), part, text, before, broken))
            before = f"{before[-_SPOKEN:]} {part}"
        before = raw
    return Read(tuple(clauses), tuple(forbidden))


def complains(text: str) -> bool:
    """ "It gives the oldest instead of the newest" tells what happens, not whether that is wanted."""
    found = pattern(words.INSTEAD).search(text)
    before = text[: found.start()] if found else ""
    return pattern(words.TELLS).search(before) is not None and pattern(words.DEMANDS).search(before) is None


def _sentences(goal: str) -> Iterator[str]:
    """Sentences as they were written; items of a list together with what introduces them."""
    text = clean(goal[:_LONGEST]).text
    lead, left = "", _MOST
    for block in blocks(text):
        if left <= 0:
            return
        said = [part for part in _written(text, block.start, block.end, by_line=block.kind == "code") if part]
        left -= len(said)
        if block.kind in _ITEMS and lead:
            yield from (f"{lead} {part}" for part in said)
            continue
        yield from said
        last = said[-1] if said else ""
        lead = last.rstrip(": ：") if last.endswith(_LEAD) or block.kind == "heading" else ""


def _written(text: str, start: int, end: int, *, by_line: bool) -> list[str]:
    if by_line:
        return [" ".join(line.split()) for line in text[start:end].split("\n")]
    found = sentences(text, start, end, [])
    ends = [sentence.start for sentence in found[1:]] + [end]
    return [" ".join(text[one.start : two].split()) for one, two in zip(found, ends, strict=True)]


def _parts(raw: str) -> list[str]:
    """Cut where another order begins."""
    joint = (
        rf"\s*(?:;|；|。|——|\s[–—-]{{1,2}}\s|,?\s+but\s|,?\s+however,?\s|但是?)\s*"
        rf"|\s*(?:,|，)?\s*\b(?:and|then|and then|and also|so|and so|therefore|hence|thus)\s+"
        rf"(?=(?:please |also |then |to )?(?:{words.VERBS})\b)"
        rf"|\s*[,，]\s*(?=(?:please |also |then )?(?:{words.VERBS})\b)|\s*，(?=并|同时|然后|再|把|将|"
        rf"{words.UPDATE_ZH}|{words.REMOVE_ZH})"
    )
    return [part for part in pattern("(?i)" + joint).split(raw) if part and part.strip()]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where something is forbidden: from the negation to the end of what it governs."""
    quoted = [(found.start(), found.end()) for found in _QUOTED.finditer(text)]
    at = 0
    while found := pattern(words.NEGATION).search(text, at):
        inside = next((end for start, end in quoted if start < found.start() < end), 0)
        if inside:
            at = inside
            continue
        end = pattern(words.NEGATION_END).search(text, found.end())
        at = max(end.start() if end else len(text), found.end())
        yield found.start(), at


def _forbidden(text: str) -> list[str]:
    spans = (text[start:end] for start, end in _spans(text))
    kept = [span for span in spans if not pattern(words.INSTEAD).match(span)]
    stay = [found[0] for found in pattern(words.STAY).finditer(text)]
    return [*kept, *stay]


def _ordered(text: str) -> str:
    """Without what is forbidden; "instead of" stays, it says what was before."""
    pieces, at = [], 0
    for start, end in _spans(text):
        if not pattern(words.INSTEAD).match(text, start):
            pieces.append(text[at:start])
            at = end
    return ("".join(pieces) + text[at:]).strip()
