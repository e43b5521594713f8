"""Validating: one attempt in stages, then the gate.

First what the ledger alone can tell (todos, scope, harm, deliverables that are not there); only where that
holds are integrity, exam, review and gates asked. A stage with a required non-pass ends the attempt, unless
all were wished for; inside a stage nothing is cut short. The gate decides from the run's own evidence.
"""

from collections.abc import Iterator
from typing import Any

from donewhen.core.aborting import abort_reason
from donewhen.core.base_tests import names_by_outcome
from donewhen.core.codec import Json
from donewhen.core.course import attempt as attempted
from donewhen.core.events import Body, facts
from donewhen.core.events.run import State
from donewhen.core.exam import QUESTION, Exam, Findings
from donewhen.core.gate import Accepted, Continue, Failed, decide, examine
from donewhen.core.paths import is_source
from donewhen.core.reasons import StopReason
from donewhen.core.texts import Phrase
from donewhen.run.engine.controls import safe_point
from donewhen.run.engine.keepsakes import lost
from donewhen.run.engine.live import Run
from donewhen.run.engine.looking import entries_of, looked_at, wanted_of
from donewhen.run.engine.model import Attempt, Stopped
from donewhen.run.engine.refusing import decided, refuse
from donewhen.run.engine.reviewer import RunReviewer
from donewhen.run.engine.ticking import tick_tasks
from donewhen.verify.change import Looked
from donewhen.verify.decision import judgement, promised
from donewhen.verify.pipeline import Examined, ExamSession, examine_change
from donewhen.verify.wellformed import well_formed
from donewhen.workspace.census import CENSUS

_MOST_TESTS = 500  # red ones that are told apart
_MOST_JUDGED = 5  # times that one promise after another is judged before a human has to look
_LATER = frozenset(
    ("command_success", "quality_gate", "tool_fact", "scenario", "integrity", "question")
)  # proven by later stages


async def validate(live: Run) -> State:
    """One attempt: on to merging, or back with all that is missing."""
    safe_point(live)
    await _come_to_rest(live)
    promise = live.state.promise
    _nothing_lost(live)
    if live.terms.wish.change:
        tick_tasks(live)
    told = _questions_told(live)
    live.attempt = attempt = await _let_pass(live, await _attempt(live))
    safe_point(live)
    if live.state.promise != promise:  # a human changed it meanwhile: what was judged is another promise
        return "executing"
    decision = attempt.decision
    asked = {each.id for each in decision.findings.failed if each.kind == QUESTION}
    if isinstance(decision, Continue) and decision.waits_for and asked <= told:
        # the agent was told of each question once, and only a human can settle what is left
        raise Stopped("escalated", "question" if asked else "confirmation", "", decided(live, attempt))
    live.state.course = attempted(live.state.course, decision, live.exam(), live.state.limits)
    if isinstance(decision, Accepted):
        live.tools = attempt.tools
        return "merging"
    if isinstance(decision, Failed):
        raise Stopped(decision.stop_reason)
    return refuse(live, attempt)


def _nothing_lost(live: Run) -> None:
    gone = lost(live.room.site, live.room.keepsakes)
    if gone:
        raise Stopped("unsafe", cause="lost", detail=", ".join(gone[:5]))


async def attempt_again(live: Run) -> Attempt:
    """The attempt that was accepted by a process which is gone, made once more on the tree as it is now."""
    for _ in range(_MOST_JUDGED):
        promise = live.state.promise
        _nothing_lost(live)
        live.attempt = attempt = await _let_pass(live, await _attempt(live))
        live.tools = attempt.tools
        safe_point(live)
        if live.state.promise == promise:
            return attempt
    raise Stopped("escalated", "amended", "")


async def _come_to_rest(live: Run) -> None:
    """What still runs in the background could move the tree under the exam: it is ended first."""
    background = live.room.background
    alive = background.alive()
    for handle in alive:
        await background.kill(handle)
    if alive:
        live.tell_phrase("note", "engine.background_ended", handles=", ".join(alive))
    live.room.tree.spoil()


async def _attempt(live: Run) -> Attempt:
    live.ledger.post(*_confirmed(live))
    exam = live.exam()
    aborted = abort_reason(live.state.promise, live.state.evidence)
    findings = examine(exam)
    missing = _by_ledger(findings)
    _judge_checkpoint(live, findings)
    if aborted or findings.todos_failed or (missing and not live.terms.wish.everything):
        return Attempt(decide(exam, aborted))
    if live.state.promise.answer_only:
        return Attempt(decide(exam))
    return await _staged(live)


async def _let_pass(live: Run, attempt: Attempt) -> Attempt:
    """What was accepted, unless a hook stands against it: then something is missing that no exam told."""
    if not isinstance(attempt.decision, Accepted):
        return attempt
    findings = attempt.decision.findings
    verdict = await live.hook("before_accept", summary=live.state.answer, results=_results(findings))
    if not verdict.blocked:
        return attempt
    owed = Phrase("engine.accept_blocked", {"hook": verdict.by, "reason": verdict.blocked})
    refused = findings._replace(blockers=(*findings.blockers, owed))
    return attempt._replace(decision=Continue(refused), owed=(owed,))


def _results(findings: Findings) -> list[dict[str, Json]]:
    return [{"id": result.id, "passed": result.passed} for result in findings.results]


async def _staged(live: Run) -> Attempt:
    terms = live.terms
    looked = promised(looked_at(live, live.room.site), terms.means, None)
    reviewer = RunReviewer(live)
    wanted = wanted_of(terms)._replace(census=live.room.site.scratch / CENSUS)
    caller = ExamSession(
        wanted,
        terms.means,
        live.ledger.opened.path,
        live.ledger,
        False,
        reviewer=reviewer.review,
        purse=live.purse,
    )
    staged = await examine_change(caller, looked)
    live.ledger.post(*staged.facts, *_same_tree(staged))
    exam = _with_gates(live.exam(), staged.exam.after)
    decision = decide(exam, abort_reason(live.state.promise, live.state.evidence))
    unproven = staged.found.unproven
    if unproven is not None and isinstance(decision, Accepted):
        findings = decision.findings
        decision = Continue(findings._replace(blockers=(*findings.blockers, unproven)))
    judged = judgement(decision, tuple(each.result for each in staged.exam.commands))
    return Attempt(
        decision,
        verification_failed=not isinstance(decision, Accepted),
        could_not_run=_could_not(judged.stop_reason),
        feedback=staged.feedback(live.language),
        owed=staged.owed,
        tail=_tail(staged),
        tools=_tools(staged),
        whys={
            each.result.entry.identity: each.result.why for each in staged.exam.commands if each.result.why
        },
        notes=(*staged.notes, *reviewer.notes),
        **_test_by_test(staged),
    )


def _test_by_test(staged: Examined) -> dict[str, Any]:
    """What the tests of each command came to, where a machine report names them."""
    outcomes = {each.result.entry.line: names_by_outcome(each.result.cases) for each in staged.exam.commands}
    red = {line: failed for line, (failed, _) in outcomes.items() if 0 < len(failed) <= _MOST_TESTS}
    return {"tests": red, "passed": frozenset(name for _, passed in outcomes.values() for name in passed)}


def _questions_told(live: Run) -> set[str]:
    """The questions of the last refusal, which the agent has heard."""
    refused = live.state.decided
    rows = refused.results if refused is not None and refused.status == "continue" else ()
    return {str(row["id"]) for row in rows if row.get("kind") == QUESTION}


def _with_gates(exam: Exam, looked: Looked) -> Exam:
    """The gates and tests that this change must pass are owed like any check of the promise."""
    owed, promise = looked.judged.plan.promise, exam.promise
    known = {check.identity for check in promise.checks}
    gates = [c for c in owed.checks if c.kind == "quality_gate" and c.identity not in known]
    named = {entry.identity for entry in entries_of(promise)}
    tests = [entry for entry in owed.accept if entry.identity not in named]
    return exam._replace(
        promise=promise._replace(checks=(*promise.checks, *gates), accept=(*promise.accept, *tests))
    )


def _by_ledger(findings: Findings) -> bool:
    """Whether something required is missing that no exam could supply.

    Todos that wait for somebody outside end the run, if nothing else is missing: that the exam has to tell.
    """
    checks = any(result.kind not in _LATER for result in findings.failed)
    return checks or (bool(findings.todos_open) and not findings.todos_waiting)


def _confirmed(live: Run) -> Iterator[Body]:
    """What the harness can confirm by itself: files that are well-formed, or at least not empty."""
    view = live.room.tree.view()
    versions = live.state.evidence.versions
    for path, kind in sorted(view.changed.items()):
        if kind == "deleted" or is_source(path, live.state.extensions):
            continue
        known = versions.of(path)
        text = view.files.text(path) if known.pending else None
        if text is not None and well_formed(path, text):
            yield facts.FileConfirmed(path, known.written, "harness")


def _judge_checkpoint(live: Run, findings: Findings) -> None:
    open_todos = (*findings.todos_failed, *findings.todos_open)
    issues = tuple(f"todo {name} is not completed" for name in open_todos[:50])
    live.ledger.post(facts.CheckpointJudged("pre-verify", not issues, live.ledger.trace(), issues))


def _same_tree(staged: Examined) -> tuple[Body, ...]:
    now = staged.exam.after.change.fingerprint
    return (facts.Verified("fingerprint", now.tree, "skipped", now.relevant),)


def _could_not(reason: StopReason) -> StopReason | None:
    return reason if reason in ("verification_execution_error", "verification_execution_denied") else None


def _tail(staged: Examined) -> str:
    """The end of what the first failing command printed."""
    for each in staged.exam.commands:
        ended = each.result.ended
        if ended is not None and (ended.exit != 0 or each.result.why is not None):
            return each.result.tail
    return ""


def _tools(staged: Examined) -> dict[str, str]:
    place = staged.exam.place
    if place is None:
        return {}
    prepared = ", ".join(place.prepared.sources)
    named = {"environment": place.environment, "sandbox": place.sandbox, "prepared": prepared}
    return {name: value for name, value in named.items() if value}
