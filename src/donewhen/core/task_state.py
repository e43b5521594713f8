"""Where a task stands: whether its change is verified, and what is being done about it.

Read from the evidence and the current tree, never kept: a change after a pass makes a new tree, on which
nothing is proven, and one that is written back is the old tree with its old proof. `passed` is no
acceptance; only the gate accepts.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from donewhen.core.deliverables import covering_checks, survey
from donewhen.core.delivery import LISTED, Deliverables
from donewhen.core.events import facts
from donewhen.core.exam import Exam
from donewhen.core.matches import Parse
from donewhen.core.tally import Status
from donewhen.core.target import ANY_TESTS, Target, accept_target, check_target, describe_line, match_target
from donewhen.core.texts import Phrase

Verification = Literal["not_required", "required", "passed", "failed"]
Phase = Literal["intent", "context", "editing", "verification"]
Seeks = Callable[[str], bool]  # whether a command line looks for proof

_SAME_TREE = "fingerprint"  # this fact only says that two names mean one tree


class Proof(NamedTuple):
    """One run that the change needs, and how it stands on the current tree."""

    name: str  # the command; empty for any whole run of the project's tests
    status: Status
    reason: Phrase
    is_test: bool = True


class TaskState(NamedTuple):
    verification: Verification = "not_required"
    phase: Phase = "intent"
    deliverables: Deliverables = Deliverables()
    proofs: tuple[Proof, ...] = ()
    untested: tuple[str, ...] = ()  # changed sources that no passing run speaks for

    def to_data(self) -> dict[str, Any]:
        """As JSON has it, for sessions and prompts: long lists are cut, counts are whole."""
        proofs = [{"command": proof.name or None, "status": proof.status} for proof in self.proofs[:LISTED]]
        return {
            "verification": self.verification,
            "phase": self.phase,
            "deliverables": self.deliverables.to_data(),
            "proofs": proofs,
            "untested": list(self.untested[:LISTED]),
        }


class Activity(NamedTuple):
    """What was done so far, as far as the phase depends on it."""

    looked: bool = False  # somebody began to work
    sought: str = ""  # the tree that proof was last looked for on


# The kinds of facts that move it.
ACTS = frozenset(
    (facts.CommandStarted, facts.CommandEnded, facts.Verified, facts.ToolCalled, facts.FileChanged)
)


def act(activity: Activity, body: object, seeks: Seeks) -> Activity:
    """The activity after one more event's body."""
    match body:
        case facts.CommandStarted() | facts.CommandEnded():
            sought = body.before if body.by == "harness" or seeks(body.command) else ""
            return Activity(True, sought or activity.sought)
        case facts.Verified() if body.verifier != _SAME_TREE:
            return Activity(True, body.fingerprint or activity.sought)
        case facts.ToolCalled() | facts.FileChanged():
            return activity._replace(looked=True)
    return activity


def seeking(exam: Exam) -> Seeks:
    """Lines that look for proof: any tests, also a part of them, and whatever the plan declares."""
    declared = tuple(target for _, target in _declared(exam))
    return lambda line: _seeks(line, declared, exam.parse)


def task_state(exam: Exam, activity: Activity = Activity()) -> TaskState:  # noqa: B008
    """The state on the tree as it is now."""
    found = survey(exam)
    proofs = _proofs(exam, found)
    verification = _verification(proofs)
    phase = _phase(exam, found, verification, activity)
    tested = verification == "passed" or _tested(exam, proofs)
    return TaskState(verification, phase, found, proofs, () if tested else found.sources)


def _proofs(exam: Exam, found: Deliverables) -> tuple[Proof, ...]:
    """What the change has to pass: everything declared, else, where source changed, the project's tests."""
    if found.kind == "none":
        return ()
    wanted = _declared(exam)
    if not wanted and found.kind == "engineering":
        wanted = (("", ANY_TESTS),)
    proofs = []
    for name, target in wanted:
        standing = exam.evidence.standing(target, exam.view.relevant, exam.trust)
        proofs.append(Proof(name, standing.status, standing.reason, target.is_test))
    return tuple(proofs)


def _tested(exam: Exam, proofs: tuple[Proof, ...]) -> bool:
    """Whether tests passed, though something else that is declared may still be open."""
    tests = [proof for proof in proofs if proof.is_test]
    if tests:
        return all(proof.status == "passed" for proof in tests)
    return exam.evidence.standing(ANY_TESTS, exam.view.relevant, exam.trust).passed


def _declared(exam: Exam) -> tuple[tuple[str, Target], ...]:
    commands = ((entry.label, accept_target(entry, exam.parse)) for entry in exam.promise.accept)
    checks = ((check.target, check_target(check, exam.parse)) for check in covering_checks(exam))
    return (*commands, *checks)


def _verification(proofs: tuple[Proof, ...]) -> Verification:
    statuses = {proof.status for proof in proofs}
    if not statuses:
        return "not_required"
    if statuses & {"failed", "flaky"}:
        return "failed"
    return "passed" if statuses == {"passed"} else "required"


def _phase(exam: Exam, found: Deliverables, verification: Verification, activity: Activity) -> Phase:
    if found.kind == "none":
        return "context" if activity.looked else "intent"
    here = activity.sought != "" and activity.sought in (exam.view.relevant, exam.view.fingerprint)
    return "verification" if here or verification in ("passed", "failed") else "editing"


def _seeks(line: str, declared: tuple[Target, ...], parse: Parse) -> bool:
    if describe_line(line, parse).is_test:
        return True
    return any(match_target(target, line, parse).same_check for target in declared)
