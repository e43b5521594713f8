"""Is the promise kept? Every required evidence is there, every criterion met, every condition holds."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from donewhen.core.exam import Commanded, Exam, Result
from donewhen.core.promise import Condition, Criterion
from donewhen.core.target import target_of
from donewhen.core.texts import Phrase


class Fulfilment(NamedTuple):
    missing: tuple[str, ...]
    blockers: tuple[Phrase, ...]

    @property
    def fulfilled(self) -> bool:
        return not self.missing and not self.blockers


class _Facts(NamedTuple):
    exam: Exam
    results: tuple[Result, ...]
    proven: bool  # all required checks and acceptance commands


def fulfil(exam: Exam, results: tuple[Result, ...], commands: tuple[Commanded, ...]) -> Fulfilment:
    checked = all(result.passed for result in results if result.required)
    facts = _Facts(exam, results, checked and all(command.standing.passed for command in commands))
    missing = [name for name in exam.promise.required_evidence if not _present(name, facts)]
    for criterion in exam.promise.acceptance:
        missing += _owed(criterion, facts)
    blockers = [
        Phrase(f"gate.unmet_{condition.type.replace('-', '_')}", {"target": condition.target})
        for condition in exam.promise.conditions
        if not _CONDITIONS[condition.type](condition, facts)
    ]
    return Fulfilment(tuple(dict.fromkeys(missing)), tuple(blockers))


def _owed(criterion: Criterion, facts: _Facts) -> list[str]:
    """Evidence that a criterion still asks for; in mode `any` its alternatives are one."""
    absent = [name for name in criterion.evidence_required if not _present(name, facts)]
    if criterion.evidence_mode == "all":
        return absent
    return [" | ".join(absent)] if len(absent) == len(criterion.evidence_required) and absent else []


def _met(criterion: Criterion, facts: _Facts) -> bool:
    return facts.proven if not criterion.evidence_required else not _owed(criterion, facts)


def _acceptance_met(condition: Condition, facts: _Facts) -> bool:
    criteria = facts.exam.promise.acceptance
    wanted = [c for c in criteria if condition.target in ("*", c.id)]
    return bool(wanted) and all(_met(criterion, facts) for criterion in wanted)


def _gate_passed(condition: Condition, facts: _Facts) -> bool:
    return facts.exam.evidence.checkpoints.get(condition.target, False)


def _evidence_present(condition: Condition, facts: _Facts) -> bool:
    return _present(condition.target, facts)


def _user_confirmed(condition: Condition, facts: _Facts) -> bool:
    return condition.target.strip() in facts.exam.evidence.approvals


_CONDITIONS: Mapping[str, Callable[[Condition, _Facts], bool]] = {
    "acceptance-met": _acceptance_met,
    "gate-passed": _gate_passed,
    "evidence-present": _evidence_present,
    "user-confirmed": _user_confirmed,
}


def _present(name: str, facts: _Facts) -> bool:
    """An id while its evidence is successful and fresh; a bare kind while one of its ids is."""
    kind, colon, rest = name.partition(":")
    find = _PRESENT.get(kind.strip())
    return find is not None and find(rest.strip() if colon else None, facts)


def _command(text: str | None, facts: _Facts) -> bool:
    exam = facts.exam
    if text is None:
        return exam.evidence.any_green(exam.view.relevant, exam.trust)
    target = target_of(text, "argv", exam.parse)
    return exam.evidence.standing(target, exam.view.relevant, exam.trust).passed


def _file(path: str | None, facts: _Facts) -> bool:
    written = facts.exam.evidence.written
    exempt = facts.exam.exempt
    there = [
        path for path in written if facts.exam.view.files.text(path) is not None and not exempt.match(path)
    ]
    return _of(there, path) or _checked("file_exists", path, facts)


def _content(path: str | None, facts: _Facts) -> bool:
    return _checked("content_contains", path, facts)


def _verification(name: str | None, facts: _Facts) -> bool:
    verdicts, tree = facts.exam.evidence.verdicts, facts.exam.view.relevant
    if name is None:
        return any(verdicts.standing(each, scope, tree).passed for each, scope in verdicts.known)
    verifier, slash, scope = name.partition("/")
    return verdicts.standing(verifier, scope if slash else None, tree).passed


def _approval(text: str | None, facts: _Facts) -> bool:
    return _of(facts.exam.evidence.approvals, text)


def _check(name: str | None, facts: _Facts) -> bool:
    return _of([result.id for result in _asked(facts) if result.passed], name)


def _checked(kind: str, path: str | None, facts: _Facts) -> bool:
    return _of([each.target for each in _asked(facts) if each.kind == kind and each.passed], path)


def _asked(facts: _Facts) -> list[Result]:
    """Results of checks that somebody else than the agent asked for: its own prove nothing to others."""
    own = {check.name for check in facts.exam.all_checks if check.by == "agent"}
    return [result for result in facts.results if result.id not in own]


def _of(present: object, wanted: str | None) -> bool:
    names = list(present)  # type: ignore[call-overload]
    return bool(names) if wanted is None else wanted in names


_PRESENT: Mapping[str, Callable[[str | None, _Facts], bool]] = {
    "command": _command,
    "file": _file,
    "content": _content,
    "verification": _verification,
    "approval": _approval,
    "check": _check,
}
