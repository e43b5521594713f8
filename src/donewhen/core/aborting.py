"""When a run is over although nobody said so: the promise's abort conditions, by precedence."""

from collections.abc import Mapping

from donewhen.core.evidence import Evidence
from donewhen.core.promise import Promise
from donewhen.core.reasons import StopReason
from donewhen.core.scope import DRIFTS

_BUDGET_REASONS: Mapping[str, StopReason] = {  # in the order in which they are named
    "money": "budget_exceeded",
    "tokens": "budget_exceeded",
    "tool-calls": "budget_exceeded",
    "time": "time_exceeded",
    "turns": "max_turn_exceeded",
}


def abort_reason(promise: Promise, evidence: Evidence) -> StopReason | None:
    """The stop reason of the first abort condition that holds on the evidence; None when there is none."""
    if promise.aborts_on("unsafe") and evidence.unsafe:
        return "unsafe"
    if promise.aborts_on("scope-drift") and evidence.drifts >= DRIFTS:
        return "scope_drift"
    return None


def budget_reason(
    promise: Promise, spent: Mapping[str, float], limits: Mapping[str, float | None]
) -> StopReason | None:
    """The stop reason of the first budget that is used up and that the promise watches."""
    for condition in promise.abort_when:
        if condition.type != "budget-exhausted":
            continue
        for kind, reason in _BUDGET_REASONS.items():
            limit, amount = limits.get(kind), spent.get(kind, 0)
            if condition.target in ("", kind) and limit is not None and amount and amount >= limit:
                return reason
    return None
