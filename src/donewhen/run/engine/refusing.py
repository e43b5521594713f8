"""A refused attempt: counted, told to the agent, and either another try, a hand-over or the end.

A fix that broke what had passed is taken back first, to the tree of the attempt before it.
"""

from collections.abc import Mapping

from donewhen.core.codec import Json
from donewhen.core.correction import End, HandOver, Limits, Retry, correct, refused_by
from donewhen.core.errors import SetupError
from donewhen.core.events import Body, facts, run
from donewhen.core.events.run import State
from donewhen.core.exam import CONFIRMATION, Commanded, Findings, Result
from donewhen.core.feedback import reasons
from donewhen.core.prompts import refusal
from donewhen.core.task_state import task_state
from donewhen.core.texts import Language, Phrase, say
from donewhen.run.engine.live import Run
from donewhen.run.engine.memory import checkpointed
from donewhen.run.engine.model import Attempt, Stopped

_SHOWN = 50
_CHECKPOINT = "attempt"
_REVIEW = "semantic"
NO_REVIEW = "review"
"""The cause of an end for which nobody is to blame but the reviewer: with another one the run can go on."""


def refuse(live: Run, attempt: Attempt) -> State:
    """Back to work with all that is missing; raises when the road ends here."""
    findings = attempt.decision.findings
    if _only_unreviewed(attempt):
        live.error = _no_review(attempt)
        raise Stopped("verification_execution_error", NO_REVIEW, "", decided(live, attempt))
    before = live.state.corrections
    refused = refused_by(
        findings,
        attempt.feedback,
        verification_failed=attempt.verification_failed,
        course_end=live.state.course.end.stop_reason if live.state.course.end else None,
        could_not_run=attempt.could_not_run == "verification_execution_error",
        denied=attempt.could_not_run == "verification_execution_denied",
        tests=attempt.tests,
        passed=attempt.passed,
    )
    section = live.terms.config.correction
    limits = Limits(section.max_retries, section.max_total_attempts, section.escalate_on)
    live.state.corrections, following = correct(before, refused, limits)
    if isinstance(following, HandOver):
        detail = following.limit or following.trigger
        raise Stopped("escalated", following.cause, detail, decided(live, attempt))
    if isinstance(following, End):
        raise Stopped(following.stop_reason, refused=decided(live, attempt))
    _retry(live, attempt, following)
    return "executing"


def _only_unreviewed(attempt: Attempt) -> bool:
    """Whether nothing is missing but a review that could not be had: an agent can't do anything about it."""
    from donewhen.verify.quality.required import CHECK  # brings all gates with it

    findings = attempt.decision.findings
    others = findings.pending or findings.todos_open or findings.missing or findings.deliverables
    named = {result.id for result in findings.failed}
    return attempt.could_not_run is not None and not others and named == {f"{CHECK}{_REVIEW}"}


def _no_review(attempt: Attempt) -> SetupError:
    why = next(
        (each for each in attempt.owed if each.values.get("gate") == _REVIEW), Phrase("semantic.nobody")
    )
    return SetupError(why.key, **why.values)


def _retry(live: Run, attempt: Attempt, following: Retry) -> None:
    """One transaction says that it was refused, and what follows: a killed process judges nothing twice."""
    told_now = (decided(live, attempt), run.CorrectionMade(following.attempt, "retried"))
    live.phase, live.refused = "fix", True
    if following.rollback:
        live.ledger.append(*told_now, checkpointed(live), *_taken_back(live, following))
        live.room.tree.rollback(live.checkpoint)
    else:
        live.checkpoint = live.room.tree.checkpoint(f"{live.ledger.run_id}/{_CHECKPOINT}")
        live.ledger.append(*told_now, checkpointed(live))
    state = task_state(live.exam(), live.state.activity)
    message = refusal(
        state,
        told_findings(attempt),
        live.language,
        attempt.feedback,
        attempt.tail,
        broken=following.broken,
    )
    live.tell("feedback", message)


def told_findings(attempt: Attempt) -> Findings:
    """What is owed, each thing said once.

    Findings of integrity and gates are told one by one, and that source is untested says nothing new beside
    tests that did not pass.
    """
    findings = attempt.decision.findings
    if attempt.whys:  # what a command says of its own trouble is better than that it is missing
        own = tuple(_explained(command, attempt.whys) for command in findings.commands)
        findings = findings._replace(commands=own)
    if attempt.owed:
        kept = tuple(result for result in findings.results if not _is_told_apart(result))
        known = {(phrase.key, repr(phrase.values)) for phrase in findings.blockers}
        more = tuple(each for each in attempt.owed if (each.key, repr(each.values)) not in known)
        findings = findings._replace(results=kept, blockers=(*findings.blockers, *more))
    told = findings._replace(deliverables=()) if findings.pending else findings
    # what the agent ran itself the harness will run too: there is nothing that the agent could supply
    return told._replace(commands=tuple(each for each in told.commands if not _awaits_harness(each)))


def _explained(command: Commanded, whys: Mapping[object, Phrase]) -> Commanded:
    why = whys.get(command.entry.identity)
    if why is None or command.standing.passed:
        return command
    return command._replace(standing=command.standing._replace(reason=why))


def _awaits_harness(command: Commanded) -> bool:
    return command.standing.reason.key == "gate.only_by_agent"


def _is_told_apart(result: Result) -> bool:
    from donewhen.verify.quality.required import CHECK  # brings all gates with it

    return result.kind in ("integrity", "question") or result.id.startswith(CHECK)


def _taken_back(live: Run, following: Retry) -> tuple[Body, ...]:
    """What is about to be taken back; an interrupted one is done again."""
    changed = live.room.tree.changed(live.room.tree.now().tree, live.checkpoint)
    paths = tuple(sorted(changed))[:_SHOWN]
    return (
        facts.RolledBack(live.checkpoint, ", ".join(following.broken)[:1000], paths),
        *(
            facts.FileChanged(path, "delete" if kind == "deleted" else "write", by="harness")
            for path, kind in sorted(changed.items())
        ),
    )


def tell_again(live: Run) -> None:
    """The refusal of a process that died before it had told it."""
    decided = live.state.decided
    if decided is not None and not any(message.kind == "feedback" for message in live.messages):
        lines = "\n".join(f"- {text}" for text in decided.details)
        live.tell("feedback", f"{decided.summary}\n{lines}")


def decided(live: Run, attempt: Attempt) -> run.Decided:
    """A refusal as it stands in the ledger."""
    findings = attempt.decision.findings
    said = tuple(dict.fromkeys(_said(phrase, live.language) for phrase in reasons(told_findings(attempt))))
    key = "verify.summary_open" if len(said) > 1 else "verify.summary_one_open"
    return run.Decided(
        "continue",
        summary=say(key, live.language, count=max(1, len(said))),
        fingerprint=live.room.tree.now().tree,
        details=said[:_SHOWN],
        results=results_of(findings, live.language),
        pending=pending_of(findings),
    )


def results_of(findings: Findings, language: Language) -> tuple[Mapping[str, Json], ...]:
    return (
        *(_of_command(command, language) for command in findings.commands),
        *(_of_check(result, language) for result in findings.results),
        *(_of_text(text, language) for text in findings.to_confirm),
    )


def pending_of(findings: Findings) -> tuple[str, ...]:
    """Names of all that is owed, for the count of cycles without a change."""
    return (
        *(command.entry.line for command in findings.pending),
        *(result.id for result in findings.failed),
        *findings.todos_open,
        *findings.missing,
        *(phrase.key for phrase in (*findings.blockers, *findings.deliverables)),
    )[:_SHOWN]


def _of_command(command: Commanded, language: Language) -> dict[str, Json]:
    standing, entry = command.standing, command.entry
    return {
        "id": entry.key,
        "kind": "command_success",
        "target": entry.line,
        "passed": standing.passed,
        "reason": _said(standing.reason, language),
        "evidence": f"command:{entry.key}" if standing.passed else "",
    }


def _of_text(text: str, language: Language) -> dict[str, Json]:
    reason = Phrase("gate.unconfirmed_text")
    return _of_check(Result(text, CONFIRMATION, text, False, reason), language)


def _of_check(result: Result, language: Language) -> dict[str, Json]:
    return {
        "id": result.id,
        "kind": result.kind,
        "target": result.target,
        "passed": result.passed,
        "reason": _said(result.reason, language),
        "evidence": result.evidence,
    }


def _said(phrase: Phrase, language: Language) -> str:
    return say(phrase.key, language, **phrase.values)
