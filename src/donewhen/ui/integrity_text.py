"""What integrity found, as people read it and as data."""

from collections.abc import Sequence
from typing import Any

from donewhen.core.texts import Language, say
from donewhen.ui.output import one_line, paint, print_line
from donewhen.ui.words import t
from donewhen.verify.finding import Finding, finding_feedback

_SHOWN = 20


def print_integrity(findings: Sequence[Finding], language: Language, *, verbose: bool) -> None:
    """What blocks first; what is only told is shortened unless everything is asked for."""
    if not findings:
        return
    print_line()
    print_line(paint(t("integrity.heading"), "bold"))
    ordered = sorted(findings, key=lambda each: (not each.refuses, each.permitted is not None))
    shown = ordered if verbose else ordered[:_SHOWN]
    for finding in shown:
        _print(finding, language)
    if len(ordered) > len(shown):
        print_line(f"  {t('integrity.more', count=len(ordered) - len(shown))}")
    if any(finding.refuses for finding in findings):
        print_line(f"  {paint(t('integrity.permit_hint'), 'dim')}")


def _print(finding: Finding, language: Language) -> None:
    mark = ("✗", "red") if finding.refuses else ("·", "dim") if finding.permitted else ("!", "yellow")
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    message = say(finding.message.key, language, **finding.message.values)
    head = paint(one_line(place), "cyan") + "  " if place else ""
    print_line(f"  {paint(*mark)} {head}{one_line(message)} {paint(f'[{finding.rule}]', 'dim')}")
    said = finding_feedback(finding, language)
    for text in (said.details, *([said.fix_suggestion] if finding.refuses else [])):
        if text:
            print_line(f"      {one_line(text)}")


def integrity_data(findings: Sequence[Finding], language: Language) -> dict[str, Any]:
    return {
        "passed": not any(finding.refuses for finding in findings),
        "findings": [_data(finding, language) for finding in findings],
    }


def _data(finding: Finding, language: Language) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "policy": finding.policy,
        "blocks": finding.refuses,
        "file": finding.file,
        "line": finding.line,
        "test": finding.test or None,
        "message": say(finding.message.key, language, **finding.message.values),
        "before": finding.before or None,
        "wanted": say(finding.wanted.key, language, **finding.wanted.values),
        "permitted": say(finding.permitted.key, language, **finding.permitted.values)
        if finding.permitted
        else None,
    }
