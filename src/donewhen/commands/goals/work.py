"""Does the goal ask for work: something to be made or changed? A question, a review or a report does not."""

import re

from donewhen.commands.goals.clean import SLOT
from donewhen.commands.goals.frames import has_marker, is_question, lead_frame
from donewhen.commands.goals.needed import looked, looked_row
from donewhen.commands.words import pattern_source
from donewhen.core.lazy import lazy

_MOST = 40_000
# Verbs that are as often nouns or parts of a request to know: only where they open the sentence.
_OPENING = looked_row("work_opening")
_ORDER = lazy(
    rf"{pattern_source('work_lead')}\s*[\[\](*_#>\d.)\s-]{{0,8}}(?:{pattern_source('work_verbs')})\b(?!\s+(?:sure|is\b|fails|failed|are\b|"
    rf"was\b|passes\b|red\b|broken\b|not\b|whatever\b|:))"
)
_SCRATCH = looked_row("work_scratch")
_DONE = looked_row("work_done")
_TITLED = looked_row("work_titled")
_READ_ONLY = looked_row("work_read_only")
_REVIEW = looked_row("work_review")
# What stands behind the colon is talked about, not ordered.
_TOLD = looked(r"(?:please )?(?:give me|tell me|summari[sz]e|explain|comment on|what do you think)\b")
# Who wants to be told something wants no work.
_TALK = looked_row("work_talk")
_NOT_ZH = looked_row("work_not_zh")
_ZH = looked_row("work_zh")


def asks_for_work(sentences: list[str]) -> bool:
    """`sentences`: lower case, commands as slots. Who has not asked after so much text does not ask."""
    left = _MOST
    if any(_READ_ONLY.search(text[:2000]) for text in sentences):
        return False
    for text in sentences:
        left -= len(text)
        if _is_order(text):
            return True
        if left < 0:
            return False
    return False


def names_work(sentences: list[str]) -> bool:
    """A goal that names its subject without any verb, or as a wish: "Dark mode for the editor, please"."""
    opening = [text.strip(" -*>#\t") for text in sentences[:3]]
    if any(_READ_ONLY.search(text[:2000]) for text in sentences):
        return False
    return any(map(_is_subject, opening)) and not any(_reviews(text) for text in opening)


def _is_subject(text: str) -> bool:
    if SLOT in text or not 8 <= len(text) <= 400 or is_question(text) or has_marker(text) or lead_frame(text):
        return False
    return not (_reviews(text) or _TALK.search(text))


def _is_order(text: str) -> bool:
    text = text[:2000]
    return any(_orders(clause.strip(" -*>#\t;；")) for clause in (text, *re.split(r"[;；]", text)[:-1]))


def _orders(text: str) -> bool:
    if is_question(text):
        return False
    plain = text.replace(SLOT, "_")
    review = bool(_REVIEW.match(plain))
    found = _ORDER.search(plain, 1 if review else 0)
    told = _TOLD.match(plain) and ":" in plain[: found.start() if found else 0]
    if found and not told and not (review and _is_noun_use(plain, found)):
        return True
    if (
        _SCRATCH.search(plain)
        or _OPENING.match(plain)
        or ((_DONE.search(plain) or _TITLED.match(plain)) and not _reviews(plain))
    ):
        return True
    return bool(_ZH.search(plain)) and not (_NOT_ZH.match(plain) and not re.search(r"并|然后|再", plain))


def _reviews(plain: str) -> bool:
    body = re.split(r"[:：]", plain, maxsplit=1)[-1].strip()
    return bool(_REVIEW.match(plain) or _REVIEW.match(body) or _NOT_ZH.match(body))


def _is_noun_use(text: str, found: re.Match[str]) -> bool:
    return not re.search(
        r"(?:\band|then|[.,;:])\s*$", text[: found.start()] + found[0].split(" ")[0] + " "
    ) and not found[0].lstrip().startswith(("and", "then", ",", ";", "."))
