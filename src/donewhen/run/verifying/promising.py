"""The gates that a change must pass, as checks of its promise: what the gate knows to be owed."""

from donewhen.core.checks import Check
from donewhen.core.quality.model import GateResult
from donewhen.run.verifying.looking import Looked, Means
from donewhen.run.verifying.quality.applying import checks_of
from donewhen.run.verifying.quality.wishes import Wishes


def promised(looked: Looked, means: Means, reviewed: GateResult | None) -> Looked:
    """With the gates that must pass among its checks, so that the gate knows what is owed."""
    return _with_more(looked, (*_owed(reviewed), *Wishes(looked, means).checks()))


def owing(looked: Looked, reviewed: GateResult) -> Looked:
    """With the review among what must pass, if it must."""
    return _with_more(looked, _owed(reviewed))


def _owed(reviewed: GateResult | None) -> tuple[Check, ...]:
    return checks_of((reviewed.gate,)) if reviewed is not None and reviewed.required else ()


def unpromised(looked: Looked) -> Looked:
    """As far as the exam alone can tell."""
    checks = looked.judged.plan.promise.checks
    return _with_checks(looked, tuple(check for check in checks if check.kind != "quality_gate"))


def _with_more(looked: Looked, wanted: tuple[Check, ...]) -> Looked:
    checks = looked.judged.plan.promise.checks
    known = {(check.kind, check.target) for check in checks}
    more = [check for check in wanted if (check.kind, check.target) not in known]
    return _with_checks(looked, (*checks, *more))


def _with_checks(looked: Looked, checks: tuple[Check, ...]) -> Looked:
    plan = looked.judged.plan
    promise = plan.promise._replace(checks=checks)
    return looked._replace(judged=looked.judged._replace(plan=plan._replace(promise=promise)))
