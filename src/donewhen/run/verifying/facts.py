"""Findings of integrity as facts of the ledger and as feedback. Pure."""

from collections.abc import Sequence
from typing import Literal

from donewhen.core.codec import freeze
from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback
from donewhen.core.integrity.model import Finding
from donewhen.core.questions import Question
from donewhen.core.texts import Language, Phrase, say

_MOST = 200  # findings in one fact


def integrity_fact(findings: Sequence[Finding], tree: str) -> Verified:
    """One verdict on the whole change: failed while anything blocks."""
    shown = [_data(finding) for finding in findings[:_MOST]]
    verdict: Literal["failed", "passed"] = "failed" if any(each.refuses for each in findings) else "passed"
    details = {"findings": shown, "count": len(findings)} if findings else {}
    return Verified("integrity", "change", verdict, tree, freeze(details))


def _data(finding: Finding) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "file": finding.file,
        "line": finding.line,
        "test": finding.test,
        "policy": finding.policy,
        "permitted": finding.permitted is not None,
        "vouched": finding.vouched,
        "message": say(finding.message.key, "en", **finding.message.values),
    }


def feedback_of(finding: Finding, language: Language) -> Feedback:
    details = [say("integrity.before", language, before=finding.before)] if finding.before else []
    if finding.permitted is not None:
        details.append(say(finding.permitted.key, language, **finding.permitted.values))
    if finding.vouched:
        details.append(say("integrity.vouched", language))
    return Feedback(
        "fail" if finding.refuses else "pass" if finding.permitted else "warning",
        "integrity",
        say(finding.message.key, language, **finding.message.values),
        finding.file,
        finding.line,
        details="; ".join(details),
        fixable=True,
        fix_suggestion=say(finding.wanted.key, language, **finding.wanted.values),
        rule=finding.rule,
    )


def feedback_of_question(question: Question, language: Language) -> Feedback:
    wanted = question.wanted
    return Feedback(
        "warning",
        "integrity",
        say(question.message.key, language, **question.message.values),
        question.file,
        question.line,
        details=question.id,
        fixable=True,
        fix_suggestion=say(wanted.key, language, **wanted.values) if wanted else "",
        rule=question.kind,
    )


def owed(findings: Sequence[Finding]) -> tuple[Phrase, ...]:
    """What stands against the change, a sentence each."""
    return tuple(
        Phrase(
            "integrity.owed",
            {
                "place": f"{finding.file}:{finding.line}" if finding.line else finding.file or finding.rule,
                "message": finding.message,
                "wanted": finding.wanted,
                "rule": finding.rule,
            },
        )
        for finding in findings
        if finding.refuses
    )
