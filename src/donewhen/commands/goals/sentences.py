"""Prose with its commands as slots: sentences, segments, groups of commands, and the words around each.

A group is a run of commands joined by nothing but commas, arrows and small joining words; it is framed as
one. Windows are bounded, so that a hostile sentence costs no more than its length.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from donewhen.commands.goals.clean import SLOT
from donewhen.commands.goals.model import Mention
from donewhen.commands.goals.runs import divided
from donewhen.commands.goals.spelling import readable
from donewhen.core.lazy import lazy

WINDOW = 240
LONGEST = 1600  # a longer sentence is cut: no reader could keep such a one together either
_WORD_STOP = (
    r"(?<![A-Z\s.])(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bapprox)(?<!\bresp)[.!?]+[\"')\]”"
    r"’*_]*(?=\s|$)"
)
_LETTER_STOP = r"(?<=[A-Z)])[.!?]+(?=\s|$)"
_STOP = lazy(
    rf"{_WORD_STOP}|(?<={SLOT})\s?[.!?]+(?=\s|$)|[。！？]+[”」』）)]*"
    rf"|[.!](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])[?!]|{_LETTER_STOP}"
)
_ASCII_STOP = lazy(rf"{_WORD_STOP}|{_LETTER_STOP}")  # ranges of characters are dear to compile
_KEY = lazy(r"[a-z][\w -]{0,30}[:：](?:\s|$)")
_NUMBER = lazy(r"(?:^|(?<!exit)(?<!exits)(?<!code)(?<!with)(?<!status)(?<!return)[\s:：,，(])\d{1,2}\.$")
_LINE_END = lazy(r"[.:;!?。：；！？]\s*$")
_JOIN = lazy(
    r"(?:[\s,，、;；/&+|→➜⇒›»⟶>=<()（）\[\]*_~。.:：\"'“”-]|[–—]|\b(?:and|then|or|plus|followed|"
    r"by|finally|also|next|afterwards|lastly|first|"
    r"second|secondly|third|thirdly|fourth|as|well|after|that|nor|both|than)\b|和|与|及|以及|"
    r"或者?|并且?|且|再|然后|接着|最后|随后|之后|先|其次|后|跟|还有|外加|同时|依次|"
    r"第[一二三四五六]步?|\d{1,2}[.)、）]|[①②③④⑤⑥⑦⑧⑨✅☑✔]|\bstep \d){1,60}"
)
_HARD = lazy(
    r"[;；]|\s[–—-]{1,2}\s|——|[,，]?\s*\b(?:but|however|whereas|although|though|"
    r"while(?! (?:you|(?:work|develop|debugg|iterat)ing)\b))\b|"
    r"[,，]?\s*(?:但是?|不过(?!关)|然而|而(?!且|是))"
)
_SOFT = lazy(r"[,，、()（）]|\band\b|\bso\b|所以|因此")
_RELATIVE = lazy(
    r"[,，]\s*(?:which|that is|i\.e|这|该|因为|because|since|as it|if you|if there|when you|如果|"
    r"有时间|CI|ci|(?:you|it|the \w+|this)(?:'re| are|'s| is) not\b|you(?:'re| are) still|则|就不|视为|不算)"
)


class Group(NamedTuple):
    first: int  # slots of the sentence: first … last
    last: int
    before: str
    after: str
    segment: int


class Sentence(NamedTuple):
    text: str  # lower case, commands as slots
    mentions: tuple[Mention, ...]
    groups: tuple[Group, ...]
    segments: tuple[str, ...]
    start: int  # offset in the goal, of its block's start when nothing else is known


def sentences(text: str, start: int, end: int, mentions: list[Mention]) -> list[Sentence]:
    """The sentences of text[start:end]."""
    slotted, origin = _slotted(text, start, end, mentions)
    found: list[Sentence] = []
    used = 0
    for one, two in _spans(slotted):
        part = slotted[one:two]
        count = part.count(SLOT)
        mine = tuple(mentions[used : used + count])
        used += count
        if part.strip():
            found.append(_sentence(part, mine, origin(one)))
    return found


def _slotted(text: str, start: int, end: int, mentions: list[Mention]) -> tuple[str, Callable[[int], int]]:
    """The text with a slot for each mention, and the way back to offsets of the goal."""
    pieces, at = [], start
    for mention in mentions:
        pieces += [text[at : mention.start], SLOT]
        at = mention.end
    pieces.append(text[at:end])
    joined = "".join(pieces)
    places, origins, place = [0], [start], 0
    for piece, mention in zip(pieces[::2], mentions, strict=False):
        place += len(piece) + 1
        places.append(place)
        origins.append(mention.end)

    def origin(offset: int) -> int:
        at = bisect_right(places, offset) - 1
        return origins[at] + offset - places[at]

    return joined, origin


def _spans(text: str) -> list[tuple[int, int]]:
    """Sentence ends, and line ends where the next line starts something new."""
    stop = _ASCII_STOP if text.isascii() else _STOP
    cuts = {found.end() for found in stop.finditer(text) if not _is_number(text, found.end())}
    for found in re.finditer(r"\n", text):
        line_start = text.rfind("\n", 0, found.start()) + 1
        before = text[max(line_start, found.start() - 80) : found.start()]
        follows = text[found.end() : found.end() + 40].lstrip()
        if (
            _LINE_END.search(before)
            or re.match(r"[A-Z\u4e00-\u9fff>]", follows)
            or follows.startswith(SLOT)
            or _KEY.match(follows)
        ):
            cuts.add(found.end())
    edges = _bounded([0, *sorted(cuts), len(text)])
    return [(one, two) for one, two in pairwise(edges) if two > one]


def _is_number(text: str, end: int) -> bool:
    """The stop of "1." in a list that stands in a line: a command follows, and none like "exit with 0."."""
    number = _NUMBER.search(text, max(0, end - 24), end)
    return number is not None and text[end : end + 2].strip()[:1] == SLOT


def _bounded(edges: list[int]) -> list[int]:
    kept: list[int] = []
    for one, two in pairwise(edges):
        kept.extend(range(one, two, LONGEST))
    return [*kept, edges[-1]]


def _sentence(part: str, mentions: tuple[Mention, ...], start: int) -> Sentence:
    """One slot stands for a whole group from here on."""
    text = readable(part)
    slots = [found.start() for found in re.finditer(SLOT, text)]
    runs = _runs(text, slots)
    text, slots = _collapsed(text, slots, runs)
    edges = [0, *(f.start() for f in _HARD.finditer(text) if f.start() > 0), len(text)]
    segments = tuple(text[one:two] for one, two in pairwise(edges))
    groups = tuple(_group(text, slots, run, i, edges) for i, run in enumerate(runs))
    return Sentence(text, mentions, groups, segments, start)


def _collapsed(text: str, slots: list[int], runs: list[tuple[int, int]]) -> tuple[str, list[int]]:
    pieces, places, at, length = [], [], 0, 0
    for first, last in runs:
        piece = text[at : slots[first]] + SLOT
        length += len(piece)
        pieces.append(piece)
        places.append(length - 1)
        at = slots[last] + 1
    return "".join(pieces) + text[at:], places


def _runs(text: str, slots: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for i, at in enumerate(slots):
        if runs and _JOIN.fullmatch(text, slots[i - 1] + 1, at):
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    return [part for run in runs for part in divided(text, slots, run)]


def _group(text: str, slots: list[int], run: tuple[int, int], i: int, edges: list[int]) -> Group:
    one, two = slots[i], slots[i] + 1
    segment = min(bisect_right(edges, one) - 1, len(edges) - 2)
    left = max(edges[segment], one - WINDOW)
    right = min(edges[segment + 1], two + WINDOW)
    if i and slots[i - 1] + 1 > left:
        soft = _SOFT.search(text, slots[i - 1] + 1, one)
        left = soft.start() if soft else slots[i - 1] + 1
    if i + 1 < len(slots):
        right = min(right, slots[i + 1])
    after = text[two:right]
    comma = re.search(r"[,，]", after)
    if comma and not _RELATIVE.match(after, comma.start()):
        after = after[: comma.start()]
    return Group(*run, text[left:one], after, segment)
