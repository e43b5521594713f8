"""Why a run ended: the closed set of stop reasons, each with its exit code, decision and rank.

One run has one reason. When several hold at once the first of `REASONS` is it, unless a decision already
stands in the ledger: that one is never changed. Nothing here decides that a run ends.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

from donewhen.core.errors import InvariantBroken
from donewhen.core.texts import Language, Phrase, say

StopReason = Literal[
    "accepted",
    "user_interrupt",
    "fatal_error",
    "budget_exceeded",
    "time_exceeded",
    "max_turn_exceeded",
    "repeat_cycle",
    "deadlock",
    "scope_drift",
    "unsafe",
    "missing_completion_signal",
    "accept_continue_exhausted",
    "accept_check_failed",
    "required_todo_failed",
    "todo_not_converged",
    "todo_waiting_external",
    "integrity_violation",
    "verification_failed",
    "verification_config_missing",
    "verification_execution_denied",
    "verification_execution_error",
    "escalated",
]
STOP_REASONS: frozenset[str] = frozenset(get_args(StopReason))
Status = Literal["accepted", "failed", "stopped"]


class Ending(NamedTuple):
    exit_code: int
    status: Status


# In order of precedence, strongest first: interrupt, fatal, a hand-over, harm, the budget, turns, what the
# detectors found, the verdicts, accepted. Failed is what can't be repaired in this run; stopped is where a
# limit, or someone outside the run, must act first.
REASONS: Mapping[StopReason, Ending] = {
    "user_interrupt": Ending(130, "failed"),
    "fatal_error": Ending(5, "failed"),
    "escalated": Ending(4, "stopped"),
    "unsafe": Ending(1, "failed"),
    "scope_drift": Ending(1, "failed"),
    "budget_exceeded": Ending(3, "stopped"),
    "time_exceeded": Ending(3, "stopped"),
    "max_turn_exceeded": Ending(3, "stopped"),
    "deadlock": Ending(1, "stopped"),
    "repeat_cycle": Ending(1, "stopped"),
    "missing_completion_signal": Ending(1, "stopped"),
    "required_todo_failed": Ending(1, "failed"),
    "todo_waiting_external": Ending(4, "stopped"),
    "todo_not_converged": Ending(1, "stopped"),
    "verification_config_missing": Ending(5, "failed"),
    "verification_execution_denied": Ending(5, "failed"),
    "verification_execution_error": Ending(5, "failed"),
    "integrity_violation": Ending(1, "stopped"),
    "verification_failed": Ending(1, "failed"),
    "accept_check_failed": Ending(1, "stopped"),
    "accept_continue_exhausted": Ending(1, "stopped"),
    "accepted": Ending(0, "accepted"),
}
RANK: Mapping[StopReason, int] = {reason: rank for rank, reason in enumerate(REASONS)}


def first(reasons: Iterable[StopReason], decided: StopReason | None = None) -> StopReason:
    """The one reason of a run: the decision that stands already, else the strongest that holds."""
    if decided is not None:
        return decided
    found = min(reasons, key=RANK.__getitem__, default=None)
    if found is None:
        raise InvariantBroken("reasons.none")
    return found


def exit_code(reason: StopReason) -> int:
    return REASONS[reason].exit_code


def status(reason: StopReason) -> Status:
    return REASONS[reason].status


def explain(reason: StopReason, language: Language = "en", *, detail: str = "") -> str:
    """The sentence for people: why the run ended; `detail` names a limit, an inner cause or an entry."""
    if not detail:
        return say(f"reasons.{reason}", language)
    return say("reasons.with_detail", language, sentence=Phrase(f"reasons.{reason}"), detail=detail)


def name_of_cause(cause: str, language: Language = "en") -> str:
    """A cause or a status by its name in that language; one that nobody translated as it is."""
    try:
        return say(f"causes.{cause}", language)
    except KeyError:
        return cause


def next_step(reason: StopReason, language: Language = "en", cause: str = "", *, over: bool = False) -> str:
    """What the reader can do now; `over`: the run has ended, and nobody can let it go on."""
    about = "_context" if (reason, cause) == ("budget_exceeded", "context") else ""
    if reason == "escalated" and over:
        about = "_over"
    elif reason == "escalated" and cause in ("question", "confirmation"):
        about = "_word"
    if (reason, cause) == ("user_interrupt", "plan"):
        about = "_plan"
    if reason == "fatal_error" and cause.startswith("models.failed_"):
        about = "_model"
    if (reason, cause) == ("verification_execution_error", "review"):
        about = "_review"
    return say(f"reasons.{reason}{about}_next", language)
