"""The course of a run between two ends: attempts, misses and repeats are counted, and a limit ends it.

A pure reducer. The gate says accepted, continue or failed; here a row of refusals without progress, of
answers without signal or of equal turns becomes *stopped*. What has ended stays as it ended.
"""

from typing import NamedTuple

from donewhen.core.completion import Kind, Misses, count
from donewhen.core.exam import Exam, Findings
from donewhen.core.gate import Accepted, Decision, Failed
from donewhen.core.promise import Promise
from donewhen.core.reasons import StopReason, status
from donewhen.core.repeat import RepeatState, Turn, see
from donewhen.core.target import Target, accept_target, check_target, match_target


class Limits(NamedTuple):
    continues: int = 3  # refused attempts in a row without progress
    missing: int = 5  # answers without tool call or signal
    thinking: int = 6
    repeats: int = 3


class End(NamedTuple):
    stop_reason: StopReason

    @property
    def status(self) -> str:
        return status(self.stop_reason)


class Course(NamedTuple):
    continues: int = 0
    fewest: int | None = None  # open proofs at the best attempt so far
    misses: Misses = Misses()
    repeats: RepeatState = RepeatState()
    reminded: bool = False  # the last step brought a reminder
    end: End | None = None


def attempt(course: Course, decision: Decision, exam: Exam, limits: Limits) -> Course:
    """The agent said that it is done; the gate has decided."""
    course = course._replace(misses=Misses(), reminded=False)
    if isinstance(decision, Accepted | Failed):
        return course._replace(end=End(decision.stop_reason))
    if decision.findings.only_questions:
        return course  # nothing that the agent could still supply: not counted
    findings = decision.findings
    if _only_waiting(findings):
        return course._replace(end=End("todo_waiting_external"))
    owed, count = findings.open_proofs, course.continues
    if course.fewest is not None and owed < course.fewest:
        count = 0
    count += 1
    fewest = owed if course.fewest is None else min(owed, course.fewest)
    course = course._replace(continues=count, fewest=fewest)
    if count > limits.continues:
        return course._replace(end=End(exhausted_reason(findings, exam)))
    return course


def reply(course: Course, kind: Kind, limits: Limits) -> Course:
    """A reply: with tool calls, with thinking alone, or with neither tool call nor signal."""
    misses, outcome = count(course.misses, kind, limits.missing, limits.thinking)
    end = End("missing_completion_signal") if outcome == "stop" else None
    return course._replace(misses=misses, reminded=outcome == "remind", end=end)


def turn(course: Course, calls: Turn, promise: Promise, limits: Limits) -> Course:
    """A whole turn with tools, for the repeat detector."""
    repeats, outcome = see(course.repeats, calls, limits.repeats)
    stuck = outcome == "stop" and promise.aborts_on("stuck")
    end = End("repeat_cycle") if stuck else None
    course = course._replace(misses=Misses())
    return course._replace(repeats=repeats, reminded=outcome != "go", end=end)


def exhausted_reason(findings: Findings, exam: Exam) -> StopReason:
    """Why a row of refused attempts ends: what was owed says it."""
    if findings.open_proofs == len(findings.todos_open):
        return "todo_not_converged"
    if _denied(findings, exam):
        return "accept_check_failed"
    if any(result.kind == "integrity" for result in findings.failed):
        return "integrity_violation"
    return "accept_continue_exhausted"


def _only_waiting(findings: Findings) -> bool:
    return findings.todos_waiting and findings.open_proofs == len(findings.todos_open)


def _denied(findings: Findings, exam: Exam) -> bool:
    """Whether the evidence of a required check was refused by the guard and never came since."""
    failed = {result.id for result in findings.failed}
    checks = [check for check in exam.all_checks if check.name in failed]
    targets = [check_target(check, exam.parse) for check in checks if check.kind == "command_success"]
    targets += [accept_target(command.entry, exam.parse) for command in findings.pending]
    paths = [check.target for check in checks if check.kind in ("file_exists", "content_contains")]
    return any(
        any(_withheld(target, seq, denial.command, exam) for target in targets)
        or any(path in (denial.target, *denial.command.split()) for path in paths)
        for seq, denial in exam.evidence.denials
    )


def _withheld(target: Target, seq: int, denied: str, exam: Exam) -> bool:
    same = match_target(target, denied, exam.parse).same_check
    return same and exam.evidence.watch(target).tried < seq
