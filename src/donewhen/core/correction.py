"""What follows a refused attempt: another turn, a hand-over to a human, or the end.

A trigger of `correction.escalate_on` hands over at once, also where a fix is at hand. Only findings of
integrity are told to the agent once before, because what was weakened can be put back. Once a human has
looked at a run that was handed over, triggers end nothing: they name the cause where a limit ends the road.
Findings that nobody can fix by themselves count as the trigger `no_auto_fix`; so does what a reviewer left
open in its last review.

A fix is taken back only when it is certain that it made things worse: more tests (or commands and checks,
where nobody tells tests apart) are red than before it, and one of them had passed. What was not proven
either time says nothing, and an attempt that owes less than any before it is never taken back. Findings of
integrity and scope don't count: the agent has to undo those itself. Nothing here reads a file, asks the
gate or acts.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.codec import EMPTY
from donewhen.core.exam import Findings
from donewhen.core.findings import Feedback
from donewhen.core.reasons import StopReason

REVIEWS_USED_UP = "reviews-used-up"  # the rule of the finding that no further review can close what is open
_INTEGRITY = "integrity"
_NO_FIX = "no_auto_fix"

# Ends of a course that are limits; its other ends are decisions, which nothing changes.
_COURSE_LIMITS: frozenset[str] = frozenset(
    {"accept_continue_exhausted", "accept_check_failed", "integrity_violation", "todo_not_converged"}
)
_LOOPS: frozenset[str] = frozenset({"repeat_cycle", "deadlock"})
_UNDONE_BY_THE_AGENT = frozenset({"integrity", "scope", "unsafe"})
_NOT_ASKED_BEFORE = frozenset({"gate:semantic"})  # a reviewer comes last: that he objects now broke nothing
# Why a check is surely red; every other reason only says that it is not proven.
_RED = frozenset(
    f"gate.{name}"
    for name in (
        "ended_failed",
        "exit_status",
        "flaky",
        "no_content",
        "no_file",
        "tests_failed",
        "verifier_failed",
    )
)


class Limits(NamedTuple):
    """Section `correction` of the configuration."""

    retries: int = 3  # fix turns after a failed verification, without progress
    attempts: int = 10  # refused ones in all
    escalate_on: tuple[str, ...] = ("security", "infinite_loop", "no_auto_fix", "integrity")


class Refused(NamedTuple):
    """One refused attempt."""

    verification_failed: bool  # integrity, exam, review or a gate; else only todos, protocol or scope
    open_proofs: int
    failed: frozenset[str] = frozenset()  # names of required checks that are red on this tree
    unproven: frozenset[str] = frozenset()  # names of those that are neither red nor passed
    feedback: tuple[Feedback, ...] = ()
    course_end: StopReason | None = None  # what the course of the run came to
    could_not_run: bool = False  # what is owed is owed because a verifier could not run
    denied: bool = False  # or because the guard refused to run it
    others_owed: bool = False  # something that no feedback speaks of, such as an open todo
    over: bool = False  # all reviews are used up, and what they found is open: no turn can close it
    tests: Mapping[str, frozenset[str]] = EMPTY  # red ones by their command, where they are told apart
    passed: frozenset[str] = frozenset()  # tests that passed, as far as this process has seen

    @property
    def red(self) -> frozenset[str]:
        """Tests, and names of checks and of commands whose tests nobody tells apart."""
        apart = (self.tests.get(name, (name,)) for name in self.failed - _UNDONE_BY_THE_AGENT)
        return frozenset(name for names in apart for name in names)


class Corrections(NamedTuple):
    """What is remembered from one refused attempt to the next."""

    retries: int = 0  # fix turns given since the last progress
    attempts: int = 0
    fewest: int | None = None  # open proofs at the best attempt so far
    before: Refused | None = None  # the attempt that a fix is compared with
    told: bool = False  # findings of integrity, once
    looked: bool = False  # a human has, since it was handed over


class Retry(NamedTuple):
    attempt: int
    rollback: bool = False  # first make the workspace what it was at the attempt before
    broken: tuple[str, ...] = ()  # checks that had passed then and are red now


class HandOver(NamedTuple):
    """To a human; the stop reason is `escalated`."""

    cause: str
    attempt: int
    limit: str = ""  # what ended the road, where the cause is something else
    trigger: str = ""  # the entry of `escalate_on`


class End(NamedTuple):
    stop_reason: StopReason


Next = Retry | HandOver | End


def correct(state: Corrections, refused: Refused, limits: Limits = Limits()) -> tuple[Corrections, Next]:  # noqa: B008
    """The state after one more refused attempt, and what to do now."""
    progress = state.fewest is not None and refused.open_proofs < state.fewest
    retries = 0 if progress else state.retries
    attempts = state.attempts + 1
    fewest = refused.open_proofs if state.fewest is None else min(state.fewest, refused.open_proofs)
    triggers = _triggers(refused, limits.escalate_on)
    told = state.told or _INTEGRITY in triggers
    counted = state._replace(retries=retries, attempts=attempts, fewest=fewest, told=told)
    limit = _limit(counted, refused, limits)
    if limit:
        return counted, _ending(limit, attempts, refused, limits)
    trigger = next((each for each in triggers if each != _INTEGRITY or state.told), "")
    if trigger and not state.looked:
        cause = _NO_FIX if trigger == _NO_FIX else "policy_trigger"
        return counted, HandOver(cause, attempts, trigger=trigger)
    broken = () if progress else _broken(state.before, refused)
    rollback = bool(broken)
    # What was taken back leaves the run where it was; without a verification there is nothing to compare.
    compared = state.before if rollback else _outline(refused) if refused.verification_failed else None
    given = retries + refused.verification_failed
    return counted._replace(retries=given, before=compared), Retry(attempts, rollback, broken)


def looped(reason: StopReason, attempt: int, limits: Limits = Limits()) -> HandOver | End:  # noqa: B008
    """How a run ends that goes round in circles: `infinite_loop` in `escalate_on` hands it over."""
    if reason in _LOOPS and "infinite_loop" in limits.escalate_on:
        return HandOver(reason, attempt, trigger="infinite_loop")
    return End(reason)


def refused_by(
    findings: Findings,
    feedback: tuple[Feedback, ...] = (),
    *,
    verification_failed: bool,
    course_end: StopReason | None = None,
    could_not_run: bool = False,
    denied: bool = False,
    tests: Mapping[str, frozenset[str]] = EMPTY,
    passed: frozenset[str] = frozenset(),
) -> Refused:
    """The attempt as the gate's findings tell it."""
    red = {result.id for result in findings.failed if result.reason.key in _RED}
    owed = {result.id for result in findings.failed}
    pending = {_command(each.entry.line): each.standing.status for each in findings.pending}
    red |= {name for name, status in pending.items() if status in ("failed", "flaky")}
    others = findings.todos_open or findings.deliverables or findings.missing
    return Refused(
        verification_failed,
        findings.open_proofs,
        frozenset(red),
        frozenset((owed | pending.keys()) - red),
        feedback,
        course_end,
        could_not_run,
        denied,
        others_owed=bool(others or pending),
        over=any(each.status == "fail" and each.rule == REVIEWS_USED_UP for each in feedback),
        tests={name: found for line, found in tests.items() if (name := _command(line)) in red},
        passed=passed,
    )


def _command(line: str) -> str:
    return f"command:{line}"


def _outline(refused: Refused) -> Refused:
    """What a later attempt is compared with; feedback would only be carried along."""
    return refused._replace(feedback=())


def _limit(counted: Corrections, refused: Refused, limits: Limits) -> str:
    """The name of the limit or decision that ends the road here; empty while there is another turn."""
    if refused.course_end:
        return refused.course_end
    if refused.verification_failed and counted.retries >= limits.retries:
        return "max_retries"
    if refused.over:
        return "review_rounds"
    return "max_total_attempts" if counted.attempts >= limits.attempts else ""


def _ending(limit: str, attempt: int, refused: Refused, limits: Limits) -> HandOver | End:
    end = refused.course_end
    if end is not None and end not in _COURSE_LIMITS:
        return looped(end, attempt, limits)
    if end is not None and not refused.verification_failed:
        return End(end)
    if refused.denied:
        return End("verification_execution_denied")
    if refused.could_not_run:
        return End("verification_execution_error")
    trigger = next(iter(_triggers(refused, limits.escalate_on)), _NO_FIX)
    if trigger != _NO_FIX:
        return HandOver("policy_trigger", attempt, limit, trigger)
    if _nothing_fixable(refused) or limit == "review_rounds":
        return HandOver(_NO_FIX, attempt, limit)
    return HandOver(limit, attempt)


def _failing(feedback: Iterable[Feedback]) -> list[Feedback]:
    return [each for each in feedback if each.status == "fail"]


def _triggers(refused: Refused, escalate_on: tuple[str, ...]) -> list[str]:
    """The entries that name the category or rule of what failed; that nothing can be fixed comes last."""
    found = {name for each in _failing(refused.feedback) for name in (each.category, each.rule) if name}
    stuck = _nothing_fixable(refused) and not (refused.could_not_run or refused.denied)
    named = [entry for entry in escalate_on if entry in found]
    return [*named, _NO_FIX] if stuck and _NO_FIX in escalate_on else named


def _nothing_fixable(refused: Refused) -> bool:
    failing = _failing(refused.feedback)
    return bool(failing) and not refused.others_owed and not any(each.fixable for each in failing)


def _broken(before: Refused | None, now: Refused) -> tuple[str, ...]:
    """What a fix broke that did not repair as much; empty when it is not certain."""
    if before is None or not now.verification_failed or len(now.red) <= len(before.red):
        return ()
    unknown = before.failed | before.unproven | _NOT_ASKED_BEFORE
    surely = now.failed - unknown  # these had passed, so each of their tests had
    names = {name for each in surely - _UNDONE_BY_THE_AGENT for name in now.tests.get(each, (each,))}
    return tuple(sorted((names | (now.red & before.passed)) - before.red))
