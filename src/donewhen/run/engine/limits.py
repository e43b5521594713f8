"""What ends a run between two turns: limits that are used up, and the promise's abort conditions."""

from donewhen.core.aborting import abort_reason
from donewhen.core.budget import MILLION
from donewhen.core.reasons import StopReason
from donewhen.core.states import deadlocked
from donewhen.core.texts import say
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped


def check_limits(live: Run) -> None:
    """Raises when nothing more may be started."""
    aborted = abort_reason(live.state.promise, live.state.evidence)
    if aborted:
        raise Stopped(aborted, detail=_what(live, aborted))
    loop, state = live.terms.config.loop, live.state
    spent = state.account.spent.micros
    limits: tuple[tuple[StopReason, str, float, float | None], ...] = (
        ("budget_exceeded", "money", spent, state.account.limit if spent else None),
        ("time_exceeded", "time", live.elapsed, loop.max_total_time),
        ("budget_exceeded", "tool-calls", state.tool_calls, loop.max_tool_calls),
        ("max_turn_exceeded", "turns", state.turns, loop.max_turns),
    )
    for reason, kind, used, most in limits:
        if most is not None and used >= most:
            told = most / MILLION if kind == "money" else most
            raise Stopped(reason, cause=kind, detail=f"{kind}: {told:g}")
    if loop.deadlock_detection and deadlocked(state.cycles, loop.max_state_cycles):
        said = say("engine.went_round", live.language, count=loop.max_state_cycles)
        raise Stopped("deadlock", detail=said)


def _what(live: Run, reason: StopReason) -> str:
    evidence = live.state.evidence
    if reason == "unsafe" and evidence.harms:
        return ", ".join(evidence.harms[:5])
    if evidence.denials:
        return evidence.denials[-1][1].rule
    return ""
