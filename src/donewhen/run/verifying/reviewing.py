"""The reviewer's word on a change: whether it does what was promised, beside what tests and tools say.

Who reviews is the user's choice; where nobody does, that is told. A review that was asked for must pass.
"""

from typing import TYPE_CHECKING

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult, GateVerdict, Violation
from donewhen.core.semantic.model import Criterion
from donewhen.core.semantic.prompt import Brief
from donewhen.verify.semantic.result import SemanticResult
from donewhen.verify.semantic.reviewing import Subject, review_change
from donewhen.verify.semantic.scripted import scripted_judge

if TYPE_CHECKING:
    from donewhen.run.verifying.looking import Looked, Means, Wanted

NAME = "semantic"
_CONTEXT = 3  # lines around a change
_LARGEST = 2 * 1024 * 1024  # bytes of a file that quotes are looked for in
_VERDICTS: dict[str, GateVerdict] = {"pass": "passed", "fail": "failed"}


async def review(looked: "Looked", wanted: "Wanted", means: "Means") -> GateResult | None:
    """None where there is nothing to review, or nobody wants a review."""
    semantic = looked.rules.config.verification.semantic
    if not looked.change.changed or not (semantic.enabled or wanted.review):
        return None
    judge = scripted_judge(means.folder / wanted.review) if wanted.review else None
    result = await review_change(judge, _subject(looked), semantic, language=means.language)
    return _as_gate(result, asked=bool(wanted.review))


def _subject(looked: "Looked") -> Subject:
    change, fingerprints = looked.change, looked.fingerprints
    base = fingerprints.tree(change.base.commit)

    def text(path: str) -> str | None:
        data = fingerprints.content(change.fingerprint.tree, path)
        return data[:_LARGEST].decode(errors="surrogateescape") if data is not None else None

    brief = Brief(
        looked.judged.plan.promise.objective,
        _criteria(looked),
        fingerprints.diff(base, change.fingerprint.tree, _CONTEXT),
        tuple(sorted(change.changed)),
    )
    return Subject(brief, text, change.fingerprint.relevant)


def _criteria(looked: "Looked") -> tuple[Criterion, ...]:
    """What must hold; a command that is run speaks about every criterion that asks for no other evidence."""
    promise = looked.judged.plan.promise
    runs = bool(promise.accept) or any(check.kind == "command_success" for check in promise.checks)
    return tuple(
        Criterion(each.id, each.description, covered=runs or bool(each.evidence_required))
        for each in promise.acceptance
    )


def _as_gate(result: SemanticResult, *, asked: bool) -> GateResult:
    verdict: GateVerdict = _VERDICTS.get(
        result.overall, "could_not_run" if result.overall == "could_not_run" else "skipped"
    )
    told = [each for each in result.feedback if each.status in ("fail", "warning") and each.message]
    violations = tuple(map(_violation, told))
    failed = any(each.severity == "error" for each in violations)
    return GateResult(
        NAME,
        "failed" if failed and verdict != "could_not_run" else verdict,
        required=asked or failed,  # what talks to a reviewer is refused whoever reads it
        violations=violations,
        why=result.why,
        tool=" ".join(part for part in (result.judge, result.model) if part),
        duration_ms=result.duration_ms,
    )


def _violation(each: Feedback) -> Violation:
    return Violation(
        each.rule or NAME,
        each.message,
        each.file,
        each.line,
        each.column,
        "error" if each.status == "fail" else "warning",
        fix=each.fix_suggestion,
        confidence=each.confidence,
        details=each.details,
    )


def stops(looked: "Looked", reviewed: GateResult | None) -> bool:
    """Whether nothing else is run because of what the reviewer said."""
    if reviewed is None or looked.rules.config.verification.semantic.continue_on_fail:
        return False
    return reviewed.blocks
