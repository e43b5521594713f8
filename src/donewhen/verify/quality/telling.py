"""What gates found, as facts of the ledger, as feedback and as what is still owed. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from donewhen.core.codec import EMPTY, freeze
from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.quality.model import CATEGORIES, GateResult, Violation
from donewhen.core.texts import Language, Phrase, say

_MOST = 100  # violations in one fact
SCOPE = "change"


def gate_facts(
    results: Iterable[GateResult], tree: str, scopes: Mapping[str, str] = EMPTY
) -> tuple[Verified, ...]:
    """One verdict a gate; what only warns has not failed."""
    return tuple(_fact(result, tree, scopes.get(result.gate, SCOPE)) for result in results)


def _fact(result: GateResult, tree: str, scope: str) -> Verified:
    warns = result.verdict == "failed" and not result.required
    told = ("rule", "file", "line", "level", "message")
    details: dict[str, Any] = {
        "required": result.required,
        "tool": result.tool,
        "count": len(result.violations),
        "old": result.old,
        "numbers": {name: round(value, 3) for name, value in result.numbers.items()},
        "violations": [{name: getattr(each, name) for name in told} for each in result.violations[:_MOST]],
    }
    if result.why is not None:
        details["why"] = say(result.why.key, "en", **result.why.values)
    return Verified(result.gate, scope, "warning" if warns else result.verdict, tree, freeze(details))


def gate_feedback(result: GateResult, language: Language) -> tuple[Feedback, ...]:
    """A piece for every violation; what could not run or was skipped is told as itself."""
    category = CATEGORIES.get(result.gate, "quality")
    found = tuple(
        Feedback(
            "fail" if result.required and each.severity == "error" else "warning",
            category,
            said_by(each, language),
            each.file,
            each.line,
            each.column,
            details=each.details or result.gate,
            fixable=True,
            fix_suggestion=each.fix,
            confidence=each.confidence,
            rule=each.rule or result.gate,
        )
        for each in result.violations
    )
    if result.verdict in ("could_not_run", "skipped"):
        status: FeedbackStatus = "fail" if result.blocks else "skipped"
        why = why_of(result, language)
        return (*found, Feedback(status, category, why, details=result.gate, rule=result.gate))
    if result.verdict == "failed" and not found and result.why is not None:
        why = say(result.why.key, language, **result.why.values)
        status = "fail" if result.required else "warning"
        return (Feedback(status, category, why, details=result.gate, fixable=True, rule=result.gate),)
    return found


def said_by(violation: Violation, language: Language) -> str:
    """What was found; and by whose tool, where that is not the project's."""
    if not violation.by:
        return violation.message
    return say("quality.by", language, message=violation.message, tool=violation.by)


def why_of(result: GateResult, language: Language) -> str:
    """Why a gate did not do its work, with the command that would help."""
    why = result.why or Phrase("quality.nothing_to_look_at")
    said = say(why.key, language, **why.values)
    if result.install and result.install not in said:
        return say("quality.install", language, why=said, command=result.install)
    return said


def owed_by_gates(results: Sequence[GateResult]) -> tuple[Phrase, ...]:
    """What stands against the change, a sentence each."""
    return tuple(_owed(result) for result in results if result.blocks)


def _owed(result: GateResult) -> Phrase:
    bad = [each for each in result.violations if each.severity == "error"]
    if not bad or result.verdict == "could_not_run":
        why: Phrase = result.why or Phrase("quality.nothing_to_look_at")
        if result.install and result.install not in say(why.key, "en", **why.values):
            why = Phrase("quality.install", {"why": why, "command": result.install})
        key = "quality.owed_could_not" if result.verdict == "could_not_run" else "quality.owed_why"
        return Phrase(key, {"gate": result.gate, "why": why})
    first = bad[0]
    place = f"{first.file}:{first.line}" if first.line else first.file or result.gate
    told = {"gate": result.gate, "place": place, "message": first.message, "rule": first.rule}
    key = "quality.owed_one" if len(bad) == 1 else "quality.owed"
    return Phrase(key, {**told, "count": len(bad)})
