"""The gate: accepted, continue or failed, from promise, evidence and tree, and from nothing else.

Everything is evaluated, nothing is cut short: one refusal tells all that is missing. `Accepted` is
constructed here and nowhere else.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.deliverables import owed
from donewhen.core.exam import QUESTION, UNANSWERED, Commanded, Exam, Findings, Result
from donewhen.core.fulfilment import fulfil
from donewhen.core.judging import judge
from donewhen.core.questions import VERIFIER, rows_of
from donewhen.core.reasons import StopReason
from donewhen.core.scope import judge_scope
from donewhen.core.tally import Standing
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.core.todos import judge as judge_todos

RED_BEFORE = "red_before"  # the verifier that compared the failures of a command with those at the base


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

    @property
    def waits_for(self) -> Literal["", "human"]:
        """`human` where nothing is missing but a human's word."""
        return "human" if self.findings.only_words else ""


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
        (*results, *_questions(exam)),
        commands,
        todos.failed,
        todos.open,
        todos.waiting,
        todos.missing,
        kept.missing,
        kept.blockers,
        owed(exam, results, commands),
    )


def _command(exam: Exam, entry: Accept) -> Commanded:
    standing = exam.evidence.standing(accept_target(entry, exam.parse), exam.view.relevant, exam.trust)
    if standing.status != "failed":
        return Commanded(entry, standing)
    before = exam.evidence.verdicts.standing(RED_BEFORE, entry.key, exam.view.relevant)
    if before.passed and before.seq > standing.seq:
        standing = Standing("passed", Phrase("gate.red_before"), before.seq)
    return Commanded(entry, standing)


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


def _questions(exam: Exam) -> tuple[Result, ...]:
    """Each question of the latest look; one that a human affirmed is proven by that word."""
    answers = exam.evidence.answers
    rows = [row for fact in exam.evidence.verdicts.latest(VERIFIER) for row in rows_of(fact)]
    return tuple(_question(row["id"], str(row.get("test") or row.get("file") or ""), answers) for row in rows)


def _question(id: str, target: str, answers: Mapping[str, bool]) -> Result:
    if id not in answers:
        return Result(id, QUESTION, target, False, Phrase(UNANSWERED, {"id": id}))
    if not answers[id]:
        return Result(id, QUESTION, target, False, Phrase("gate.question_denied", {"id": id}))
    return Result(id, QUESTION, target, True, Phrase("gate.question_confirmed"), f"answer:{id}")


def proofs(findings: Findings) -> tuple[str, ...]:
    """The evidence behind everything that passed."""
    passed = [result for result in findings.results if result.passed]
    checks = [result.evidence or f"check:{result.id}".rstrip(":") for result in passed]
    commands = [f"command:{command.entry.key}" for command in findings.commands]
    return tuple(dict.fromkeys([*commands, *checks]))
