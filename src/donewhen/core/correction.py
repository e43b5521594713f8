"""What follows a refused attempt: another turn, a hand-over to a human, or the end.

A trigger of `correction.escalate_on` does not end the road, it only says where the road ends: the first
refusals are told to the agent, whatever was found, because an honest fix must stay possible; once a limit is
reached a triggered run is handed over with the cause `policy_trigger`. Findings that nobody can fix by
themselves count likewise, as `no_auto_fix`; so does what a reviewer left open in its last review, and there
the road ends at once, because no turn could close it.

A fix is taken back only when it is certain that it made things worse: more required checks are red than
before it, and one of them had passed. What was not proven either time says nothing, and an attempt that owes
less than any before it is never taken back. Findings of integrity and scope don't count: the agent has to
undo those itself. Nothing here reads a file, asks the gate or acts.
"""

from collections.abc import Iterable
from typing import NamedTuple

from donewhen.core.delivery import Statistics
from donewhen.core.exam import Findings
from donewhen.core.feedback import SHOWN, incomplete
from donewhen.core.findings import Category, Feedback, FeedbackStatus
from donewhen.core.reasons import StopReason
from donewhen.core.shown import one_name, tail_of
from donewhen.core.texts import Language, say

REVIEWS_USED_UP = "reviews-used-up"  # the rule of the finding that no further review can close what is open
MOST_LINES = 40  # findings of a fix turn
MOST_BYTES = 8192
_LONGEST = 400  # characters of a message or a suggestion
_STATUSES: tuple[FeedbackStatus, ...] = ("fail", "warning")
_CATEGORIES: tuple[Category, ...] = ("integrity", "security", "semantic", "quality", "style")

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


class Corrections(NamedTuple):
    """What is remembered from one refused attempt to the next."""

    retries: int = 0  # fix turns given since the last progress
    attempts: int = 0
    fewest: int | None = None  # open proofs at the best attempt so far
    before: Refused | None = None  # the attempt that a fix is compared with


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
    counted = Corrections(retries, attempts, fewest, state.before)
    limit = _limit(counted, refused, limits)
    if limit:
        return counted, _ending(limit, attempts, refused, limits)
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
    trigger = _trigger(refused.feedback, limits.escalate_on)
    if trigger:
        return HandOver("policy_trigger", attempt, limit, trigger)
    if _nothing_fixable(refused) or limit == "review_rounds":
        return HandOver("no_auto_fix", attempt, limit)
    return HandOver(limit, attempt)


def _failing(feedback: Iterable[Feedback]) -> list[Feedback]:
    return [each for each in feedback if each.status == "fail"]


def _trigger(feedback: Iterable[Feedback], escalate_on: tuple[str, ...]) -> str:
    """The first entry that names the category or the rule of something that failed; warnings don't count."""
    found = {name for each in _failing(feedback) for name in (each.category, each.rule) if name}
    return next((entry for entry in escalate_on if entry in found), "")


def _nothing_fixable(refused: Refused) -> bool:
    failing = _failing(refused.feedback)
    return bool(failing) and not refused.others_owed and not any(each.fixable for each in failing)


def _broken(before: Refused | None, now: Refused) -> tuple[str, ...]:
    """What a fix broke that did not mend as much; empty when it is not certain."""
    if before is None or not now.verification_failed:
        return ()
    red, was_red = now.failed - _UNDONE_BY_THE_AGENT, before.failed - _UNDONE_BY_THE_AGENT
    worse = len(red) > len(was_red)
    return tuple(sorted(red - was_red - before.unproven - _NOT_ASKED_BEFORE)) if worse else ()


def fix_message(
    feedback: Iterable[Feedback],
    findings: Findings,
    language: Language,
    tail: str = "",
    *,
    statistics: Statistics | None = None,
    broken: tuple[str, ...] = (),
) -> str:
    """The text of a fix turn: what is owed, what was found, the end of the failing output, one next step."""
    owed, _, step = incomplete(findings, language, statistics=statistics).rpartition("\n")
    lines = [owed]
    if broken:
        names = ", ".join(one_name(name) for name in broken[:SHOWN])
        lines.insert(0, say("correction.rolled_back", language, checks=names))
    found = found_lines(feedback, language)
    lines += [say("correction.found", language), *found] if found else []
    end = tail_of(tail)
    if end:
        lines.append(say("feedback.tail", language))
        lines += [f"| {line}".rstrip() for line in end.split("\n")]
    return "\n".join((*lines, step))


def found_lines(feedback: Iterable[Feedback], language: Language) -> list[str]:
    """`file:line: message → suggestion` for what failed or warns, most severe first, bounded."""
    told = [each for each in feedback if each.status in _STATUSES]
    told.sort(key=lambda each: (_STATUSES.index(each.status), _CATEGORIES.index(each.category)))
    lines: list[str] = []
    room = MOST_BYTES
    for each in told[:MOST_LINES]:
        line = _line(each, language)
        room -= len(line.encode(errors="replace")) + 1
        if room < 0:
            break
        lines.append(line)
    left = len(told) - len(lines)
    return [*lines, say("correction.more", language, count=left)] if left else lines


def _line(each: Feedback, language: Language) -> str:
    place = (
        one_name(":".join((each.file, str(each.line)))) if each.line and each.file else one_name(each.file)
    )
    key = "line" if place else "placeless"
    line = say(f"correction.{key}", language, place=place, message=one_name(each.message, _LONGEST))
    if each.fix_suggestion:
        line = say(
            "correction.suggested", language, line=line, suggestion=one_name(each.fix_suggestion, _LONGEST)
        )
    return line if each.status == "fail" else say("correction.warning", language, line=line)
