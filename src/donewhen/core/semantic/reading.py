"""A reply becomes a review, or a list of what is wrong with it: schema-bound, nothing is filled in.

Every criterion that was asked about must be answered once, and no other. What is answered is not believed
here: see `quotes` and `weighing`.
"""

import re
from collections.abc import Sequence
from typing import Any

from donewhen.core.semantic.fields import Fields, Problems, load, shown
from donewhen.core.semantic.model import (
    GRAVITIES,
    STAGES,
    VERDICTS,
    Criterion,
    Judged,
    Quote,
    Remark,
    Review,
    ReviewError,
    Stage,
)
from donewhen.core.texts import Phrase

MOST_QUOTES = 20
MOST_REMARKS = 100
LONGEST_TEXT = 2000
LONGEST_QUOTE = 1000
LONGEST_FILE = 1000
LONGEST_RULE = 60
_MOST_ANSWERS = 2000
_RULE = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+){0,20}")

_REPLY = ("criteria", "findings")
_JUDGED = ("criterion", "verdict", "quotes", "reason", "confidence")
_QUOTE = ("file", "line", "text")
_REMARK = ("stage", "severity", "file", "line", "message", "suggestion", "confidence", "rule")


def read_review(text: str, criteria: Sequence[Criterion], stage: Stage = "spec") -> Review:
    """The review that `text` is, of exactly these criteria; else a ReviewError: what is wrong where."""
    problems = Problems()
    reply = Fields(load(text), "reply", _REPLY, problems)
    judged = _judged(reply, criteria, problems)
    found = reply.items("findings", MOST_REMARKS)
    remarks = [_remark(each, f"findings[{at}]", stage, problems) for at, each in enumerate(found)]
    if problems.found:
        raise ReviewError(problems.found)
    return Review(judged, tuple(remarks))


def _judged(reply: Fields, criteria: Sequence[Criterion], problems: Problems) -> tuple[Judged, ...]:
    """The answers in the order of the criteria."""
    wanted = {criterion.id.strip() for criterion in criteria}
    answers: dict[str, Judged] = {}
    for at, each in enumerate(reply.items("criteria", _MOST_ANSWERS, needed=bool(criteria))):
        where = f"criteria[{at}]"
        answer = _answer(each, where, problems)
        if not answer.criterion:
            continue
        values = {"where": where, "name": shown(answer.criterion)}
        if answer.criterion not in wanted:
            known = ", ".join(criterion.id for criterion in criteria)
            key = "semantic.criterion_unknown" if known else "semantic.criterion_none"
            problems.add(Phrase(key, {**values, "known": known}))
        elif answer.criterion in answers:
            problems.add(Phrase("semantic.criterion_twice", values))
        answers[answer.criterion] = answer
    for name in (each.id.strip() for each in criteria if reply.is_object):
        if name not in answers:
            problems.add(Phrase("semantic.criterion_missing", {"name": name}))
    pairs = ((each.id, answers.get(each.id.strip())) for each in criteria)
    return tuple(answer._replace(criterion=name) for name, answer in pairs if answer)


def _answer(value: Any, where: str, problems: Problems) -> Judged:
    fields = Fields(value, where, _JUDGED, problems)
    if not fields.is_object:
        return Judged("", "unclear")
    quotes = fields.items("quotes", MOST_QUOTES)
    return Judged(
        fields.text("criterion", LONGEST_TEXT, raw=True).strip(),
        fields.word("verdict", VERDICTS),
        tuple(_quote(each, f"{where}.quotes[{at}]", problems) for at, each in enumerate(quotes)),
        fields.text("reason", LONGEST_TEXT),
        fields.ratio("confidence"),
    )


def _quote(value: Any, where: str, problems: Problems) -> Quote:
    fields = Fields(value, where, _QUOTE, problems)
    if not fields.is_object:
        return Quote("", 0, "")
    return Quote(
        fields.text("file", LONGEST_FILE, raw=True),
        fields.line("line"),
        fields.text("text", LONGEST_QUOTE, raw=True),
    )


def _remark(value: Any, where: str, stage: Stage, problems: Problems) -> Remark:
    fields = Fields(value, where, _REMARK, problems)
    if not fields.is_object:
        return Remark(stage, "low", "", 0, "")
    rule = fields.text("rule", LONGEST_RULE, needed=False)
    if rule and not _RULE.fullmatch(rule):
        problems.add(Phrase("semantic.rule_wrong", {"where": f"{where}.rule", "name": shown(rule)}))
    return Remark(
        fields.word("stage", STAGES, stage),
        fields.word("severity", GRAVITIES),
        fields.text("file", LONGEST_FILE, needed=False, raw=True),
        fields.line("line", needed=False),
        fields.text("message", LONGEST_TEXT),
        fields.text("suggestion", LONGEST_TEXT, needed=False),
        fields.ratio("confidence"),
        rule,
    )
