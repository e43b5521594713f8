"""Sentences that name no command but mean those named before: "both must exit 0", "以上全部通过".

A reference lifts the nearest commands that were only mentioned. What was forbidden, waived or optional by its
own words stays so.
"""

import re

from donewhen.commands.goals.clean import SLOT
from donewhen.commands.goals.frames import has_marker, is_question
from donewhen.commands.goals.needed import looked, looked_row

_WHO = looked_row("reference_who")
_OTHER = looked_row("reference_other")
# What goes on behind a block of code: "… must pass".
_SUBJECTLESS = looked_row("reference_subjectless")
_DEMAND = looked_row("reference_demand")
_COUNTS = {"both": 2, "neither": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_COUNTS |= {"两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6}
_STEPS = looked(r"\bsteps? (\d)( ?(?:to|through|-|–) ?)?[^.]{0,8}?(\d)\b")
_COUNT = looked(r"\b(both|neither|two|three|four|five|six)\b|([两二三四五六])(?:个|项|条|步|者|道)|二者|两者")
_GOOD = looked_row("reference_good")


_TURNED = looked_row("reference_turned")
_JOINED = looked(
    rf"\W{{0,4}}(it|that) (?:and|as well as|plus) {SLOT}[^.]{{0,20}}"
    r"\b(?:must|ha(?:ve|s) to|needs? to|should)\b"
)
_TURNED_COUNTS = {"it": 1, "that": 1, "them": 0, "they": 0, "both": 2}
_DISMISSED = looked_row("reference_dismissed")


def dismisses(text: str) -> bool:
    """A sentence or segment without commands says that those named before are not required."""
    return SLOT not in text and _DISMISSED.search(text) is not None


def dismisses_one(text: str) -> bool:
    """It dismisses "it", not "them"."""
    found = _DISMISSED.search(text)
    return found is not None and found[0].endswith((" it", " that"))


def turns_green(text: str) -> int | None:
    """As `refers`, of an order at the head of a segment that goes on to others: "get it green and …"."""
    found = (_TURNED.search(text[: text.find(SLOT)]) or _JOINED.match(text)) if SLOT in text else None
    return _TURNED_COUNTS[found[found.lastindex or 1]] if found else None


def demands(text: str) -> bool:
    """It says what shall be, not what is."""
    return _DEMAND.search(text) is not None


def refers(text: str) -> int | None:
    """How many commands words without any require: a number, 0 for "all", None for none."""
    text = text.lstrip(" -–—")
    if SLOT in text or is_question(text) or not _GOOD.search(text):
        return None
    if _SUBJECTLESS.match(text):
        return 0
    who = _WHO.search(text)
    if not who or (_OTHER.search(text) and not re.search(r"commands?|above|命令|以上|上述", text)):
        return None
    if not has_marker(text):
        return None
    if who[0] == "it":
        return 1
    steps = _STEPS.search(text)
    if steps:
        return int(steps[3]) - int(steps[1]) + 1 if steps[2] else 2
    count = _COUNT.search(text)
    if not count:
        return 0
    return _COUNTS.get((count[1] or count[2] or "两"), 0)
