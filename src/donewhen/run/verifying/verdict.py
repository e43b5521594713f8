"""What a verification comes to, as one word of the closed set and as data. Pure.

Red is not *could not run*, and neither is a pass: what failed is the change's fault (exit 1), what could not
be tried is the machine's or the configuration's (exit 5). A failure that was seen outweighs everything that
was not.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.counts import Counts
from donewhen.core.events.facts import CommandEnded
from donewhen.core.exam import Findings, Result
from donewhen.core.findings import Feedback
from donewhen.core.gate import Accepted, Continue, Decision
from donewhen.core.reasons import REASONS, StopReason
from donewhen.core.scenarios import Case
from donewhen.core.tally import Standing
from donewhen.core.texts import Phrase
from donewhen.verify.reports.frames import feedback_of
from donewhen.verify.reports.model import Failure

_NOTHING_ASKED = 2  # the exit code
Way = Literal["ran", "cached", "refused", "masked", "could_not_run", "skipped"]


class Sitting(NamedTuple):
    """How one command of the exam went."""

    entry: Accept
    way: Way
    ended: CommandEnded | None = None
    why: Phrase | None = None  # why it proves nothing
    counts: Counts | None = None
    failures: tuple[Failure, ...] = ()
    runs: int = 1  # more than one where the configuration allows flaky passes
    reported: bool = False  # the counts come from a machine report
    from_run: str = ""  # whose result was used again
    tail: str = ""  # the end of what it printed
    cases: tuple[Case, ...] = ()  # test by test, where a machine report tells and somebody asked

    def feedback(self) -> tuple[Feedback, ...]:
        return feedback_of(self.failures, self.entry.key)


class Unproven(NamedTuple):
    """Nothing can be proven: no test, no declared command."""

    why: Phrase
    allowed: bool = False  # whoever asked can live with that


class Judgement(NamedTuple):
    stop_reason: StopReason
    decision: Decision
    sittings: tuple[Sitting, ...]
    unproven: Unproven | None = None  # only where nothing else stands against the change

    @property
    def accepted(self) -> bool:
        return self.stop_reason == "accepted"

    @property
    def needs_word(self) -> bool:
        """Whether nothing is missing but a human's answers."""
        return self.stop_reason == "escalated"

    @property
    def findings(self) -> Findings:
        return self.decision.findings

    @property
    def exit_code(self) -> int:
        if self.unproven is not None:
            return 0 if self.unproven.allowed else _NOTHING_ASKED
        return REASONS[self.stop_reason].exit_code

    def standing(self, entry: Accept) -> Standing | None:
        return next((c.standing for c in self.findings.commands if c.entry.identity == entry.identity), None)


def judgement(
    decision: Decision,
    sittings: tuple[Sitting, ...],
    *,
    blocked: bool = False,
    unproven: Unproven | None = None,
) -> Judgement:
    """`blocked`: something beside promise and exam stands against the change."""
    if unproven is not None and not blocked and not decision.findings.failed:
        return Judgement("verification_config_missing", decision, sittings, unproven)
    return Judgement(stop_reason(decision, sittings, blocked=blocked), decision, sittings)


def stop_reason(decision: Decision, sittings: tuple[Sitting, ...], *, blocked: bool = False) -> StopReason:
    if isinstance(decision, Accepted) and not blocked:
        return "accepted"
    if isinstance(decision, Continue) and decision.waits_for == "human" and not blocked:
        return "escalated"
    if not blocked and any(result.kind == "integrity" for result in decision.findings.failed):
        return "integrity_violation"
    ways: set[Way] = {sitting.way for sitting in sittings if not _stands(sitting, decision.findings)}
    if any(map(_could_not, decision.findings.failed)):
        ways.add("could_not_run")
    if blocked or _seen_to_fail(decision.findings) or not ways & {"refused", "could_not_run"}:
        return "verification_failed"
    return "verification_execution_denied" if "refused" in ways else "verification_execution_error"


def _seen_to_fail(findings: Findings) -> bool:
    """Whether anything is known to be wrong, apart from what could not be tried."""
    red = any(command.standing.status in ("failed", "flaky") for command in findings.commands)
    checks = any(result.kind != "command_success" and not _could_not(result) for result in findings.failed)
    return bool(red or checks or findings.todos_failed or findings.todos_open)


def _could_not(result: Result) -> bool:
    """A gate that could not be tried says nothing against the change, and nothing for it."""
    return result.kind == "quality_gate" and result.reason.key == "gate.verifier_could_not"


def _stands(sitting: Sitting, findings: Findings) -> bool:
    same = (c for c in findings.commands if c.entry.identity == sitting.entry.identity)
    return any(command.standing.passed for command in same)


def counts_data(counts: Counts | None) -> Mapping[str, int | None] | None:
    if counts is None:
        return None
    return {
        "executed": counts.executed,
        "passed": counts.passed,
        "failed": counts.failed,
        "errors": counts.errors,
        "skipped": counts.skipped,
    }
