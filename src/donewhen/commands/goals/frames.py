"""Which frame a group of commands stands in: required, or mentioned for another reason.

The nearest words decide first, then the segment and sentence, then the lead-in and the heading. Nothing here
sees more than words; what no words require is not required.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from donewhen.commands.goals.clean import SLOT
from donewhen.commands.goals.model import Frame
from donewhen.commands.goals.needed import looked
from donewhen.commands.goals.phrases import says
from donewhen.commands.goals.sentences import Group, Sentence
from donewhen.commands.goals.titles import is_title
from donewhen.commands.words import pattern_source, phrase_list
from donewhen.core.lazy import lazy

ACTS = phrase_list("goal_acts")
_INSTALLS = phrase_list("goal_installs")

_LEADS: tuple[Frame, ...] = (
    "optional", "negated", "waived", "history", "setup", "example", "report", "content", "behaviour",
    "remark",
)  # fmt: skip
_TOLD: tuple[Frame, ...] = ("history", "setup", "remark")
_AFTERWARDS: tuple[Frame, ...] = ("negated", "waived", "optional")
_NEAR: tuple[Frame, ...] = (
    "negated",
    "waived",
    "optional",
    "replaced",
    "content",
    "behaviour",
    "elsewhere",
    "report",
    "example",
    "question",
)
# What an explicit demand outweighs; and what a later sentence may still require.
_YIELDING = frozenset[Frame]({"content", "behaviour", "report", "elsewhere"})
# What goes on over "and".
_RETOLD = frozenset[Frame]({"report", "history", "remark"})
_DASHES = ("-", "–", "—", "--")
_GOING_ON = frozenset[Frame]({"content", "behaviour", "history"})
_AND = " ,，;；、and也和而"
_LATER = looked(
    r"(?:\b(?:with|using|via|by|run|running|execute|do|then|and|commit|push|deploy|publish|release|tag|merge)|[,，]|"
    r"用|使用|执行|运行|再|然后|跑|后)\s*$"
)
_ANNOUNCED = lazy(r"(?:^|[.;,，。；(（])([^.;,，。；:：(（]{1,60})[:：][^:：\w]{0,6}$")
# Somebody else runs what stands below.
_OTHERS = looked(
    r"\b(?:it|we|they|he|she|i|ci|users?|developers?|contributors?|people|(?:the|a|our) (?!end\b)\w+)"
    r" (?:(?:must|should|will|shall|then|also|always|first|ha(?:s|ve) to|needs? to|can) ){0,3}"
    r"(?:run|execute)\b"
    r"|(?:用户|开发者|脚本|流水线|它|我们|ci)[^◈,，]{0,8}(?:跑|运行|执行)"
)
_FIRST = lazy(
    r"(?:^|[,，;；。.:：])\s*(?:请)?(?:首先|先)(?:请)?(?:执行|运行|跑|用)?\s*$"
    r"|(?:^|[.;,:]\s*)(?:please |and )?(?:first|to (?:begin|start)(?: with)?|(?:start|begin) by|initially),?"
    r"(?: of all,?)?(?: please)?(?: run| running| execute| do| start)?(?: the| both)?\s*$"
)
_THEN = r"\b(?:then|after that|afterwards|before you)\b[^.;。]{0,40}?"
_WORK_FOLLOWS = lazy(
    rf"{_THEN}\b(?:{pattern_source('work_verbs')})\b(?! sure)|{pattern_source('goal_work_zh')}"
)
_ADDED = lazy(r"\b(?:and|also|then|plus|separately|additionally|finally|as well(?: as)?)\b|另外|还有|以及|和")
_WAS = lazy(r"\s*(?:was|were|has been|have been)\b")
_BARE = " |#0123456789,;:：，；、。.()（）[]*_-–—\"'"


class Context(NamedTuple):
    """What frames a sentence from outside: the lead-in of its list or code, then headings, nearest first."""

    outer: tuple[str, ...] = ()
    carried: bool = False  # the sentence before was an acceptance sentence
    previous: Frame | None = None  # what the commands before it in the sentence were


class Framed(NamedTuple):
    frame: Frame
    strong: bool = False  # said by its own words; a later reference does not change it


@lru_cache(maxsize=512)
def is_question(text: str) -> bool:
    if says("sentence", "polite", text) or says("sentence", "announced", text):
        return False
    if says("sentence", "question_zh", text):
        return True
    tail = text.rstrip(" \"')”」』*_）")
    if tail.endswith(("?", "？")):
        return True
    if says("sentence", "question_sure", text):
        return True
    return says("sentence", "question", text) and not has_marker(text)


@lru_cache(maxsize=512)
def has_marker(text: str) -> bool:
    return says("sentence", "marker", text) or says("sentence", "marker_zh", text)


@lru_cache(maxsize=512)
def lead_frame(text: str) -> Frame | None:
    """What a lead-in or heading says about everything below it."""
    if not text:
        return None
    last = lead_frame(re.split(r"[;；]", text)[-1]) if ";" in text or "；" in text else None
    if last:
        return last
    for frame in _LEADS:
        if says("sentence", frame, text):
            return None if frame in ("remark", "history", "content") and _insists(text) else frame
    if is_question(text):
        return "question"
    return "list" if has_marker(text) or is_title(text) else None


@lru_cache(maxsize=512)
def orders_below(text: str) -> bool:
    """A lead-in such as "then run:", read as the words right before what stands below it."""
    if SLOT in text or not text.rstrip().endswith((":", "：")) or not says("before", "ordered", text):
        return False
    if _OTHERS.search(text):
        return False
    return _near(text, "", firm=False) is None and _told(text, "") is None


def _insists(text: str) -> bool:
    return says("sentence", "marker", text) and text.rstrip().endswith((":", "：")) and "must" in text


class Heard(NamedTuple):
    """What a sentence says as a whole, found out once."""

    questions: tuple[bool, ...]  # which of its segments ask
    markers: tuple[bool, ...]  # which of its segments hold an acceptance marker
    firm: bool
    unfinished: bool  # it says that work may not end while they fail


def heard(sentence: Sentence) -> Heard:
    return Heard(
        _questions(sentence),
        tuple(map(has_marker, sentence.segments)),
        says("sentence", "firm", sentence.text),
        says("sentence", "unfinished", sentence.text),
    )


def _questions(sentence: Sentence) -> tuple[bool, ...]:
    """A question mark asks about its own clause when a semicolon sets the clauses apart."""
    count = len(sentence.segments)
    if not is_question(sentence.text):
        return (False,) * count
    if is_question(sentence.segments[0]) or not sentence.segments[-1].startswith((";", "；")):
        return (True,) * count
    return tuple(i == count - 1 or is_question(part) for i, part in enumerate(sentence.segments))


def frame_of(sentence: Sentence, group: Group, context: Context, whole: Heard) -> Framed:
    near = _near(group.before, group.after, whole.firm)
    if near:
        return near
    goes_on = context.previous in _GOING_ON and says("before", "own_order", group.before)
    if context.previous and goes_on and not whole.firm:
        return Framed(context.previous, strong=True)
    if context.previous in _RETOLD and not group.before.strip(_AND) and not _is_asked(group.after):
        return Framed(context.previous)
    if _is_excepted(sentence, group):
        return Framed("waived", strong=True)
    if whole.questions[group.segment]:
        return Framed("question")
    told = _told(group.before, group.after)
    past = told and told.frame == "history" and _WAS.match(group.after)
    if told and not (past and whole.markers[group.segment]):  # "only finish after … was green"
        return told
    if _is_preparation(sentence, group):
        return Framed("setup", strong=True)
    if _is_later(sentence, group):
        return Framed("later", strong=True)
    return _by_sentence(sentence, group, context, whole)


@lru_cache(maxsize=1024)
def _told(before: str, after: str) -> Framed | None:
    """History, set-up and remarks, unless the same words go on to require."""
    if says("after", "settled", after):
        return Framed("history")
    required = says("after", "required", after) or _demands(before, after)
    if says("after", "past", after) and says("before", "history", before):
        return Framed("history")
    for frame in _TOLD:
        if not required and says("before", frame, before):
            return Framed(frame, strong=frame == "setup")
    if says("after", "setup", after):
        return Framed("setup", strong=True)
    return Framed("history") if not required and says("after", "history", after) else None


def _is_asked(after: str) -> bool:
    return says("after", "required", after) or says("after", "insisted", after)


def _demands(before: str, after: str) -> bool:
    return says("before", "demanded", before) and says("after", "state", after)


def _yields(frame: Frame, before: str, after: str, firm: bool) -> bool:
    """Does the frame, read from words further off, give way to a demand right at the command?"""
    if frame not in _YIELDING:
        return False
    required = says("after", "required", after)
    if frame == "elsewhere":
        return required and "myself" not in after
    if _demands(before, after) or (required and says("before", "fresh", before)):
        return True
    return frame == "content" and firm and says("before", "own_order", before)


def _is_excepted(sentence: Sentence, group: Group) -> bool:
    """ "除 … 外": without it, unless the rest says "also"."""
    out = group.before.rstrip().endswith(("除", "除了", "除去", "除开")) and group.after.lstrip().startswith(
        ("外", "之外", "以外")
    )
    return out and not any(word in sentence.text for word in ("也", "还", "另"))


@lru_cache(maxsize=1024)
def _near(before: str, after: str, firm: bool) -> Framed | None:
    """What the words right around the group say."""
    neither = before.rstrip().endswith("neither")
    unbroken = says("after", "unbroken" if neither else "insisted", after)
    if unbroken or says("before", "insisted", before):
        return Framed("predicate", strong=True)
    if says("before", "governed", before):
        return Framed("content", strong=True)
    for frame in _NEAR:
        if says("before", frame, before) and not _yields(frame, before, after, firm):
            return Framed(frame, strong=frame not in ("elsewhere", "report"))
    if says("before", "delegated", before) and not _yields("elsewhere", before, after, firm):
        return Framed("waived")
    for frame in _AFTERWARDS:
        if says("after", frame, after):
            return Framed(frame, strong=True)
    return None


def _labels(sentence: Sentence, group: Group) -> list[str]:
    return [part.label for m in sentence.mentions[group.first : group.last + 1] for part in m.parts]


def _is_later(sentence: Sentence, group: Group) -> bool:
    """An order to publish or commit what is done, in a sentence or behind a condition."""
    acts = all(label.startswith(ACTS) and "--dry-run" not in label for label in _labels(sentence, group))
    return acts and _LATER.search(group.before) is not None and not _is_asked(group.after)


def _is_preparation(sentence: Sentence, group: Group) -> bool:
    installs = all(label.startswith(_INSTALLS) for label in _labels(sentence, group))
    if _FIRST.search(group.before) and (installs or _goes_on_to_work(sentence, group)):
        return True
    if not installs:
        return False
    words = group.before.split()
    return bool(words and words[-1] in ("after", "following")) or group.before.rstrip().endswith(("在", "等"))


def _goes_on_to_work(sentence: Sentence, group: Group) -> bool:
    """ "First run these, look at the page, then implement …": nothing in between requires them."""
    rest = "".join(sentence.segments[group.segment :]).partition(SLOT)[2]
    found = _WORK_FOLLOWS.search(rest)
    return found is not None and SLOT not in rest[: found.start()] and not _is_asked(group.after)


def _by_sentence(sentence: Sentence, group: Group, context: Context, whole: Heard) -> Framed:
    if says("after", "required", group.after) or says("before", "passing", group.before):
        return Framed("predicate", strong=True)
    if whole.markers[group.segment]:
        return Framed("marker", strong=True)
    if _is_announced(group.before):
        return Framed("list", strong=True)
    if whole.unfinished and says("after", "failure", group.after):
        return Framed("predicate", strong=True)
    if says("after", "failure", group.after):
        return Framed("failure")
    if says("after", "remark", group.after):
        return Framed("remark")
    good = says("after", "state", group.after)
    if good and says("before", "proven", group.before):
        return Framed("predicate", strong=True)
    alone = not _ADDED.sub("", sentence.segments[group.segment].replace(SLOT, "")).strip(" ,;；，。.、)）")
    labelled = group.before.rstrip().endswith((":", "：", "(", "（")) or group.before.strip() in _DASHES
    if any(whole.markers[: group.segment]) and (good or alone or labelled):
        return Framed("continued", strong=True)
    framed = _by_context(group, context, good)
    listed = alone and (group.last > group.first or is_plain(context.outer))
    return Framed("stated") if framed.frame == "mention" and listed else framed


def is_plain(outer: tuple[str, ...]) -> bool:
    """A whole sentence, no label: what stands below it says itself what it is for."""
    return bool(outer) and outer[0].rstrip().endswith((".", "!", "。", "！"))


def _is_announced(before: str) -> bool:
    """A title and its colon stand right before the command, in the same line."""
    found = _ANNOUNCED.search(before)
    return found is not None and is_title(found[1])


def _is_bare(group: Group) -> bool:
    """Nothing but the command, or words that order it or comment on it in brackets."""
    if not group.before.strip(_BARE) or says("before", "ordered", group.before):
        return True
    return group.before.rstrip().endswith((":", "：", "(", "（", "-", "–", "—"))


def _by_context(group: Group, context: Context, good: bool) -> Framed:
    for text in context.outer:
        frame = lead_frame(text)
        if frame == "list" and (has_marker(text) or good or _is_bare(group)):
            return Framed("list", strong=True)
        if frame == "list":
            continue
        if frame:
            return Framed(frame)
        if _is_bare(group) and orders_below(text):
            return Framed("ordered")
    if context.carried and good:
        return Framed("continued", strong=True)
    if says("before", "ordered", group.before):
        return Framed("ordered")
    if good:
        return Framed("stated")
    return Framed("mention")
