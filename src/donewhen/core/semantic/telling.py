"""A weighed verdict as feedback: the sentence, the place, what it rests on and what would help.

Decides nothing. What a reviewer wrote is passed on as its own words, after ours.
"""

from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.semantic.model import Criterion, Judged, Remark
from donewhen.core.semantic.quotes import plain
from donewhen.core.semantic.rounds import Open
from donewhen.core.texts import Language, say

_SHOWN = 200  # characters of a quote
_LONGEST_TEXT = 500  # of a criterion


def tell_criterion(
    judged: Judged, criterion: Criterion, status: FeedbackStatus, language: Language
) -> Feedback:
    first = judged.quotes[0] if judged.quotes else None
    rule = f"criterion-{judged.verdict}"
    fix = "" if judged.verdict == "met" else say(f"semantic.fix_{judged.verdict}", language, id=criterion.id)
    said = say(f"semantic.{judged.verdict}", language, id=criterion.id, reason=judged.reason)
    return Feedback(
        status,
        "semantic",
        said,
        first.file if first else "",
        first.line if first else 0,
        details="\n".join((_short(criterion.text, _LONGEST_TEXT), *_ground(judged, language))),
        fixable=judged.verdict != "met",
        fix_suggestion=fix,
        confidence=judged.confidence,
        rule=rule,
    )


def tell_finding(each: Open, judged: Judged, language: Language) -> Feedback:
    """What became of a finding of an earlier round."""
    mended = judged.verdict == "met"
    told = tell_remark(each.remark, "pass" if mended else "fail", language)
    key = "semantic.mended" if mended else "semantic.still_open"
    details = (say(key, language, id=each.id, reason=judged.reason), *_ground(judged, language))
    return told._replace(details="\n".join(details), fixable=not mended)


def tell_remark(remark: Remark, status: FeedbackStatus, language: Language) -> Feedback:
    details = say(f"semantic.severity_{remark.severity}", language)
    if remark.misplaced:
        place = f"{remark.file}:{remark.line}" if remark.line else remark.file
        details += "\n" + say("semantic.misplaced", language, place=place)
    return Feedback(
        status,
        "semantic",
        remark.message,
        "" if remark.misplaced else remark.file,
        0 if remark.misplaced else remark.line,
        details=details,
        fixable=True,
        fix_suggestion=remark.suggestion,
        confidence=remark.confidence,
        rule=remark.rule or f"review-{remark.stage}",
    )


def _ground(judged: Judged, language: Language) -> tuple[str, ...]:
    quoted = tuple(f"{each.file}:{each.line}: {_short(each.text)}" for each in judged.quotes)
    return (*quoted, *(say(each.key, language, **each.values) for each in judged.void))


def _short(text: str, longest: int = _SHOWN) -> str:
    shown = plain(text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
