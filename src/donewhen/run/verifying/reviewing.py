"""The reviewer's word on a change: whether it does what was promised, beside what tests and tools say.

Who reviews is the user's choice; where nobody does, that is told. A review that was asked for must pass.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from donewhen.config.secret_names import secret_names
from donewhen.core.errors import SetupError
from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult, GateVerdict, Violation
from donewhen.core.semantic.model import Criterion
from donewhen.core.semantic.prompt import Brief
from donewhen.core.semantic.rounds import NO_ROUNDS, Rounds
from donewhen.core.texts import LANGUAGES, Phrase, say
from donewhen.run.verifying.review_program import Around, ProgramJudge
from donewhen.secrets.redact import Redactor
from donewhen.verify.semantic.result import SemanticResult
from donewhen.verify.semantic.reviewing import Subject, review_change
from donewhen.verify.semantic.scripted import scripted_judge
from donewhen.workspace.rooms.rooms import clean_room

if TYPE_CHECKING:
    from donewhen.core.promise import Criterion as Promised
    from donewhen.core.promise import Promise
    from donewhen.run.verifying.looking import Looked, Means, Wanted

    Reviewer = Callable[[Looked, bool], Awaitable[GateResult | None]]
    """Asked whether all else holds: else nobody is asked, and only what was said before counts."""

NAME = "semantic"
TIMEOUT = 600.0  # seconds for one answer
_CONTEXT = 3  # lines around a change
_LARGEST = 2 * 1024 * 1024  # bytes of a file that quotes are looked for in
_VERDICTS: dict[str, GateVerdict] = {"pass": "passed", "fail": "failed", "could_not_run": "could_not_run"}
_TOLD_AS_WHY = "review"  # the rule of the one sentence that `why` says too


async def review(looked: "Looked", wanted: "Wanted", means: "Means") -> GateResult | None:
    """What is known before anything is run; None where nothing is reviewed, or somebody is asked later."""
    semantic = looked.rules.config.verification.semantic
    if not looked.change.changed or not (semantic.enabled or wanted.review):
        return None
    if not wanted.review and (wanted.reviewer or semantic.command):
        return None
    judge = scripted_judge(means.folder / wanted.review) if wanted.review else None
    subject = subject_of(looked, looked.judged.plan.promise)
    result = await review_change(judge, subject, semantic, language=means.language)
    return as_gate(result, asked=bool(wanted.review))


def program_reviewer(looked: "Looked", wanted: "Wanted", means: "Means") -> "Reviewer | None":
    """Asks the user's own program, once all else holds; None where there is none, or a review was given."""
    semantic = looked.rules.config.verification.semantic
    if wanted.review or not semantic.enabled or not semantic.command:
        return None

    async def asked(now: "Looked", holds: bool) -> GateResult | None:
        if not now.change.changed or not holds:
            return None
        means.progress(Phrase("semantic.reviewing"))
        subject = subject_of(now, now.judged.plan.promise)
        result = await review_change(program_judge(now, means), subject, semantic, language=means.language)
        return as_gate(result, asked=True)

    return asked


def program_judge(looked: "Looked", means: "Means") -> ProgramJudge:
    config = looked.rules.config
    around = Around(
        looked.repository.root,
        lambda: _before(looked),
        means.env,
        config.sandbox.env,
        Redactor.from_environment(means.env, secret_names(config)),
    )
    return ProgramJudge(config.verification.semantic.command, around, TIMEOUT)


@contextmanager
def _before(looked: "Looked") -> Iterator[Path]:
    """A folder with the base of the change, and nothing in it where there is none."""
    commit = looked.change.base.commit
    if not commit:
        with TemporaryDirectory(prefix="donewhen-review-") as empty:
            yield Path(empty)
        return
    tree = looked.fingerprints.tree(commit)
    with clean_room(looked.repository, looked.fingerprints, tree, looked.places, commit) as room:
        yield room.folder


def subject_of(looked: "Looked", promise: "Promise", earlier: Rounds = NO_ROUNDS) -> Subject:
    """The change as a reviewer is told of it; never what its author says about it."""
    change, fingerprints = looked.change, looked.fingerprints
    base = fingerprints.tree(change.base.commit)

    def text(path: str) -> str | None:
        data = fingerprints.content(change.fingerprint.tree, path)
        return data[:_LARGEST].decode(errors="surrogateescape") if data is not None else None

    brief = Brief(
        promise.objective,
        _criteria(promise),
        fingerprints.diff(base, change.fingerprint.tree, _CONTEXT),
        tuple(sorted(change.changed)),
        _requirements(promise),
    )
    return Subject(brief, text, change.fingerprint.relevant, _since(looked, earlier, base))


def _since(looked: "Looked", earlier: Rounds, base: str) -> str:
    """What changed after the last review; where its tree is gone, all that the change has."""
    if not earlier.done:
        return ""
    now = looked.change.fingerprint.relevant
    try:
        return looked.fingerprints.diff(earlier.tree, now)
    except SetupError:
        return looked.fingerprints.diff(base, now)


def _criteria(promise: "Promise") -> tuple[Criterion, ...]:
    """What must hold; a command that is run speaks about every criterion that asks for no other evidence."""
    runs = bool(promise.accept) or any(check.kind == "command_success" for check in promise.checks)
    of_spec = _with_scenarios(promise)
    return tuple(
        Criterion(each.id, _text(each, of_spec), covered=runs or bool(each.evidence_required))
        for each in promise.acceptance
    )


def _text(each: "Promised", of_spec: frozenset[str]) -> str:
    """What a reviewer can compare; that all checks pass he can't see."""
    for language in LANGUAGES:
        if each.source == say("intake.made_up", language):
            return say("semantic.whole", language)
    return each.description.partition("\n")[0] if each.id in of_spec else each.description


def _requirements(promise: "Promise") -> tuple[str, ...]:
    """Requirements with their scenarios, as the spec has them; the criterion alone has the first line."""
    of_spec = _with_scenarios(promise)
    return tuple(_requirement(each) for each in promise.acceptance if each.id in of_spec)


def _requirement(each: "Promised") -> str:
    place = f" ({each.source})" if each.source else ""
    return f"{each.id}{place}\n{each.description}"


def _with_scenarios(promise: "Promise") -> frozenset[str]:
    checks = {f"check:{check.id}" for check in promise.checks if check.kind == "scenario"}
    return frozenset(
        each.id
        for each in promise.acceptance
        if "\n" in each.description and not checks.isdisjoint(each.evidence_required)
    )


def as_gate(result: SemanticResult, *, asked: bool) -> GateResult:
    """`asked`: somebody is set up to review. Reviews that are used up are told, and stand against nothing."""
    verdict: GateVerdict = _VERDICTS.get(result.overall, "skipped")
    told = [
        each
        for each in result.feedback
        if each.status in ("fail", "warning") and each.message and each.rule != _TOLD_AS_WHY
    ]
    violations = tuple(map(_violation, told))
    failed = any(each.severity == "error" for each in violations)
    return GateResult(
        NAME,
        "failed" if failed and verdict != "could_not_run" else verdict,
        required=(asked and verdict != "skipped") or failed,  # who talks to a reviewer is refused by anybody
        violations=violations,
        why=result.why,
        tool=who(result),
        numbers={"round": result.rounds, "cost": result.cost} if result.cost else {},
        duration_ms=result.duration_ms,
    )


def who(result: SemanticResult) -> str:
    return " ".join(dict.fromkeys(part for part in (result.judge, result.model) if part))


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
