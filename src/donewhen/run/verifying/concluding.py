"""The decision of a verification as it stands in the ledger and in `--json`. Pure."""

from collections.abc import Iterable

from donewhen.core.codec import Json
from donewhen.core.events.run import Decided
from donewhen.core.exam import Commanded, Result
from donewhen.core.feedback import reasons
from donewhen.core.texts import Language, Phrase, say
from donewhen.run.verifying.change import Change
from donewhen.run.verifying.quality.applying import CHECK
from donewhen.run.verifying.verdict import Judgement, Unproven

_SHOWN = 50


def concluded(judged: Judgement, blockers: Iterable[Phrase], change: Change, language: Language) -> Decided:
    findings = judged.findings
    if judged.unproven is not None:
        return _unproven(judged.unproven, change, language)
    owed = () if judged.accepted else tuple(dict.fromkeys(_said([*blockers, *open_proofs(judged)], language)))
    if judged.accepted:
        total = len(findings.commands)
        summary = say("verify.summary_accepted", language, done=total - len(findings.pending), total=total)
    elif judged.needs_word:
        summary = say("questions.summary", language, count=len(findings.failed))
    else:
        count = max(1, len(owed))
        summary = say(
            "verify.summary_open" if count > 1 else "verify.summary_one_open", language, count=count
        )
    return Decided(
        "accepted" if judged.accepted else "stopped" if judged.needs_word else "failed",
        judged.stop_reason,
        "question" if judged.needs_word else "",
        summary=summary,
        fingerprint=change.fingerprint.tree,
        details=owed[:_SHOWN],
        results=(
            *(_of_command(command, judged, language) for command in findings.commands),
            *(_of_check(result, language) for result in findings.results),
        ),
    )


def _unproven(unproven: Unproven, change: Change, language: Language) -> Decided:
    why = say(unproven.why.key, language, **unproven.why.values)
    summary = say("verify.nothing_proven", language) if unproven.allowed else why
    tree = change.fingerprint.tree
    return Decided("failed", "verification_config_missing", summary=summary, fingerprint=tree, details=(why,))


def open_proofs(judged: Judgement) -> tuple[Phrase, ...]:
    """What is still owed; what a command says of its own trouble is better than that it is missing."""
    if judged.accepted:
        return ()
    own = {sitting.entry.identity: sitting.why for sitting in judged.sittings if sitting.why}
    findings = judged.findings
    pending = [
        Phrase(
            "gate.check_open",
            {
                "check": command.entry.line,
                "reason": own.get(command.entry.identity) or command.standing.reason,
            },
        )
        for command in findings.pending
    ]
    apart = tuple(result for result in findings.results if not _is_told_apart(result))
    rest = findings._replace(commands=(), results=apart)
    if pending:  # that source is untested says nothing new beside the tests that did not pass
        rest = rest._replace(deliverables=())
    others = reasons(rest) if rest.open_proofs else ()
    told = bool(pending) or any(map(_is_told_apart, findings.failed))
    unmet = [phrase for phrase in others if not (told and phrase in findings.blockers)]
    return (*pending, *unmet)


def _is_told_apart(result: Result) -> bool:
    """Findings of integrity and of gates are told one by one."""
    return result.kind in ("integrity", "question") or result.id.startswith(CHECK)


def _said(phrases: Iterable[Phrase], language: Language) -> list[str]:
    return [say(phrase.key, language, **phrase.values) for phrase in phrases]


def _of_command(command: Commanded, judged: Judgement, language: Language) -> dict[str, Json]:
    standing = command.standing
    why = next((s.why for s in judged.sittings if s.why and s.entry.identity == command.entry.identity), None)
    reason = why if why and not standing.passed else standing.reason
    return {
        "id": command.entry.key,
        "kind": "command_success",
        "target": command.entry.line,
        "passed": standing.passed,
        "reason": say(reason.key, language, **reason.values),
        "evidence": f"command:{command.entry.key}" if standing.passed else "",
    }


def _of_check(result: Result, language: Language) -> dict[str, Json]:
    return {
        "id": result.id,
        "kind": result.kind,
        "target": result.target,
        "passed": result.passed,
        "reason": say(result.reason.key, language, **result.reason.values),
        "evidence": result.evidence,
    }
