"""The gate: accepted, continue or failed, from promise, evidence and tree, and from nothing else.

Everything is evaluated, nothing is cut short: one refusal tells all that is missing. `Accepted` is
constructed here and nowhere else.
"""

from typing import Literal, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.deliverables import owed
from donewhen.core.exam import Commanded, Exam, Findings, Result
from donewhen.core.fulfilment import fulfil
from donewhen.core.judging import judge
from donewhen.core.reasons import StopReason
from donewhen.core.scope import judge_scope
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.core.todos import judge as judge_todos


class Accepted(NamedTuple):
    """All that was owed is proven, on this very tree."""

    findings: Findings
    proofs: tuple[str, ...]
    fingerprint: str
    status: Literal["accepted"] = "accepted"
    stop_reason: StopReason = "accepted"


class Continue(NamedTuple):
    """Something required is missing and may still be supplied."""

    findings: Findings
    status: Literal["continue"] = "continue"
    stop_reason: str = ""


class Failed(NamedTuple):
    """This run can't repair it."""

    findings: Findings
    stop_reason: StopReason
    status: Literal["failed"] = "failed"


Decision = Accepted | Continue | Failed


def decide(exam: Exam, aborted: StopReason | None = None) -> Decision:
    """The decision now; `aborted` is the stop reason of an abort condition that holds."""
    findings = examine(exam)
    if aborted:
        return Failed(findings, aborted)
    if findings.todos_failed:
        return Failed(findings, "required_todo_failed")
    if findings.open_proofs:
        return Continue(findings)
    return Accepted(findings, proofs(findings), exam.view.fingerprint)


def examine(exam: Exam) -> Findings:
    """How every part of the promise and the plan stands."""
    results = (
        *(judge(check, exam) for check in exam.all_checks),
        *judge_scope(exam),
        *_harm(exam),
        *_integrity(exam),
    )
    commands = tuple(_command(exam, entry) for entry in exam.promise.accept)
    todos = judge_todos(exam.todos, exam.view.files.text)
    kept = fulfil(exam, results, commands)
    return Findings(
        results,
        commands,
        todos.failed,
        todos.open,
        todos.waiting,
        kept.missing,
        kept.blockers,
        owed(exam, results, commands),
    )


def _command(exam: Exam, entry: Accept) -> Commanded:
    target = accept_target(entry, exam.parse)
    return Commanded(entry, exam.evidence.standing(target, exam.view.relevant, exam.trust))


def _harm(exam: Exam) -> tuple[Result, ...]:
    """What happened outside the workspace is never accepted, also where the promise does not abort on it."""
    harms = exam.evidence.harms
    if not harms or exam.promise.aborts_on("unsafe"):
        return ()
    return (Result("unsafe", "unsafe", "", False, Phrase("gate.harm", {"paths": ", ".join(harms[:12])})),)


def _integrity(exam: Exam) -> tuple[Result, ...]:
    """A finding stands until a later look finds none, whatever was edited in between."""
    latest = exam.evidence.verdicts.latest("integrity")
    if not latest:
        return ()
    passed = all(said.verdict == "passed" for said in latest)
    reason = Phrase("gate.passed" if passed else "gate.integrity")
    return (Result("integrity", "integrity", "", passed, reason, "verification:integrity/" * passed),)


def proofs(findings: Findings) -> tuple[str, ...]:
    """The evidence behind everything that passed."""
    passed = [result for result in findings.results if result.passed]
    checks = [result.evidence or f"check:{result.id}".rstrip(":") for result in passed]
    commands = [f"command:{command.entry.key}" for command in findings.commands]
    return tuple(dict.fromkeys([*commands, *checks]))
