"""The promise: what must be proven before a run may end as accepted.

Frozen once its run has started. Reading refuses wrong shapes at once; `validate` lists everything else
that is wrong with it, each issue with its severity. Only a hard-deny makes a promise invalid.
"""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.texts import Phrase

CHECKPOINTS = ("pre-plan", "pre-act", "post-act", "pre-delegate", "pre-verify", "pre-ship")
DONE_TYPES = ("acceptance-met", "gate-passed", "evidence-present", "user-confirmed")
ABORT_TYPES = ("budget-exhausted", "unsafe", "scope-drift", "stuck", "user-aborted")
BUDGET_TARGETS = ("money", "tokens", "time", "tool-calls", "turns")
EVIDENCE_KINDS = ("command", "file", "content", "verification", "approval", "check")

Severity = Literal["hard-deny", "soft-deny", "warning"]


class Condition(NamedTuple):
    type: str
    target: str = ""


class Criterion(NamedTuple):
    id: str
    description: str
    evidence_required: tuple[str, ...] = ()
    evidence_mode: str = "any"
    source: str = ""


DONE_BY_DEFAULT = (Condition("acceptance-met", "*"),)
ABORT_BY_DEFAULT = tuple(Condition(kind) for kind in ABORT_TYPES)


class Promise(NamedTuple):
    id: str
    objective: str
    acceptance: tuple[Criterion, ...]
    allowed_scope: tuple[str, ...] = ()
    disallowed_scope: tuple[str, ...] = ()
    required_evidence: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()  # whose exam may change: "tests/old/**" or "tests/test_a.py::test_b"
    checks: tuple[Check, ...] = ()
    accept: tuple[Accept, ...] = ()
    done_when: tuple[Condition, ...] = DONE_BY_DEFAULT
    abort_when: tuple[Condition, ...] = ABORT_BY_DEFAULT
    derived_from: str = ""
    answer_only: bool = False

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What must hold at the end; none given means the default."""
        return self.done_when or DONE_BY_DEFAULT

    def aborts_on(self, kind: str) -> bool:
        return any(condition.type == kind for condition in self.abort_when)


class Issue(NamedTuple):
    severity: Severity
    phrase: Phrase
    checkpoint: str = "pre-plan"


_HOLLOW = frozenset({"true", ":", "echo", "printf", "exit", "sleep", "pwd"})  # whatever the code does
_ID = re.compile(r"cp-\d{10,16}-[0-9a-f]{4}")


def promise_id(milliseconds: int, random: bytes) -> str:
    return f"cp-{milliseconds}-{random[:2].hex()}"


def validate(promise: Promise) -> tuple[Issue, ...]:
    return tuple(
        Issue(severity, Phrase(f"promise.{key}", values))
        for find in (_head, _criteria, _conditions, _aborts, _hollow, _softly)
        for severity, key, values in find(promise)
    )


def is_valid(issues: Iterable[Issue]) -> bool:
    return all(issue.severity != "hard-deny" for issue in issues)


_Found = Iterable[tuple[Severity, str, dict[str, object]]]


def _head(promise: Promise) -> _Found:
    if not _ID.fullmatch(promise.id):
        yield "hard-deny", "bad_id", {"id": promise.id}
    if not promise.objective.strip():
        yield "hard-deny", "no_objective", {}
    if not promise.acceptance:
        yield "hard-deny", "no_criterion", {}


def _criteria(promise: Promise) -> _Found:
    for number, criterion in enumerate(promise.acceptance, 1):
        name: dict[str, object] = {"entry": criterion.id.strip() or f"#{number}"}
        if not criterion.id.strip():
            yield "hard-deny", "criterion_no_id", name
        if not criterion.description.strip():
            yield "hard-deny", "criterion_no_text", name
        if criterion.evidence_mode not in ("any", "all"):
            yield "hard-deny", "bad_mode", name | {"mode": criterion.evidence_mode}
        if not criterion.evidence_required:
            yield "warning", "criterion_no_evidence", name


def _conditions(promise: Promise) -> _Found:
    for type_, target in promise.done_when:
        if type_ not in DONE_TYPES:
            yield "hard-deny", "bad_condition", {"type": type_, "known": ", ".join(DONE_TYPES)}
        elif type_ == "gate-passed" and (target not in CHECKPOINTS or target == "pre-ship"):
            known = ", ".join(name for name in CHECKPOINTS if name != "pre-ship")
            yield "hard-deny", "bad_checkpoint", {"target": target, "known": known}


def _aborts(promise: Promise) -> _Found:
    for type_, target in promise.abort_when:
        if type_ not in ABORT_TYPES:
            yield "hard-deny", "bad_condition", {"type": type_, "known": ", ".join(ABORT_TYPES)}
        elif type_ == "budget-exhausted" and target and target not in BUDGET_TARGETS:
            yield "hard-deny", "bad_budget", {"target": target, "known": ", ".join(BUDGET_TARGETS)}
    if not promise.done_when:
        yield "warning", "no_done_when", {}
    if not promise.abort_when:
        yield "warning", "no_abort_when", {}


def _hollow(promise: Promise) -> _Found:
    if promise.accept and all(entry.argv[0] in _HOLLOW for entry in promise.accept):
        yield "soft-deny", "hollow_accept", {"command": promise.accept[0].line}


def _softly(promise: Promise) -> _Found:
    for glob in promise.allowed_scope:
        if glob in promise.disallowed_scope:
            yield "soft-deny", "glob_in_both", {"glob": glob}
    ids = [criterion.id for criterion in promise.acceptance]
    for name in dict.fromkeys(ids):
        if name.strip() and ids.count(name) > 1:
            yield "soft-deny", "duplicate_criterion", {"entry": name}
    declared = {*promise.required_evidence, *(e for c in promise.acceptance for e in c.evidence_required)}
    for type_, target in promise.done_when:
        if type_ == "acceptance-met" and target != "*" and target not in ids:
            yield "soft-deny", "undeclared_criterion", {"target": target}
        if type_ == "evidence-present" and target not in declared:
            yield "soft-deny", "undeclared_evidence", {"target": target}
    for name in sorted(declared):
        if name.partition(":")[0] not in EVIDENCE_KINDS:
            yield "soft-deny", "unknown_evidence", {"target": name, "known": ", ".join(EVIDENCE_KINDS)}
