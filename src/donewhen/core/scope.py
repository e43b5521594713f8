"""Where a run may write: a change outside its scope is a failed check until it is undone."""

from collections.abc import Iterable

from donewhen.core.exam import Exam, Result
from donewhen.core.paths import Exempt, Scope
from donewhen.core.promise import Promise
from donewhen.core.texts import Phrase

DRIFTS = 3  # writes outside the scope that end a run


def outside(promise: Promise, paths: Iterable[str], exempt: Exempt) -> list[str]:
    """Those of `paths` that this run may not write."""
    allowed, denied = Scope(promise.allowed_scope), Scope(promise.disallowed_scope)
    return [path for path in paths if denied.match(path) or not (_may(path, promise, allowed, exempt))]


def _may(path: str, promise: Promise, allowed: Scope, exempt: Exempt) -> bool:
    return not promise.allowed_scope or allowed.match(path) or exempt.match(path)


def judge_scope(exam: Exam) -> tuple[Result, ...]:
    if not (exam.promise.allowed_scope or exam.promise.disallowed_scope):
        return ()
    found = sorted(outside(exam.promise, exam.view.changed, exam.exempt))
    named = ", ".join(found[:12])
    reason = Phrase("gate.out_of_scope", {"paths": named}) if found else Phrase("gate.passed")
    return (Result("scope", "scope", "", not found, reason),)
