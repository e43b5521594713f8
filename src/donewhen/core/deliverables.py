"""What a change owes beside the declared checks: source needs a test run, every other file a confirmation.

Not asked when the declared exam covers it: all acceptance commands passed, or a required test command did.
"""

from typing import NamedTuple

from donewhen.core.exam import Commanded, Exam, Result
from donewhen.core.paths import is_source
from donewhen.core.target import ANY_TESTS, check_target
from donewhen.core.texts import Phrase

SHOWN = 12  # names in one sentence


class Deliverables(NamedTuple):
    required: tuple[str, ...]
    pending: tuple[str, ...]
    kind: str = "none"  # none, engineering, file_deliverable


def survey(exam: Exam) -> Deliverables:
    """Changed files that need confirmation, and whether there is source among the changes."""
    source = [path for path in exam.view.changed if is_source(path, exam.extensions)]
    others = tuple(sorted(set(exam.view.changed) - set(source)))
    owed = tuple(path for path in others if exam.view.changed[path] != "deleted")
    pending = tuple(path for path in owed if not _confirmed(path, exam))
    kind = "engineering" if source else "file_deliverable" if others else "none"
    return Deliverables(owed, pending, kind)


def owed(exam: Exam, results: tuple[Result, ...], commands: tuple[Commanded, ...]) -> tuple[Phrase, ...]:
    """A sentence for each proof that the change still owes."""
    if _covered(exam, results, commands):
        return ()
    found = survey(exam)
    untested = () if found.kind != "engineering" else _untested(exam)
    return (*untested, *(Phrase("gate.unconfirmed", {"path": path}) for path in found.pending))


def _covered(exam: Exam, results: tuple[Result, ...], commands: tuple[Commanded, ...]) -> bool:
    if commands and all(command.standing.passed for command in commands):
        return True
    tests = {
        check.name
        for check in exam.all_checks
        if check.required
        and check.by != "agent"  # who works does not choose what covers the work
        and check.kind == "command_success"
        and check_target(check, exam.parse).is_test
    }
    return any(
        result.passed and result.kind == "command_success" and result.id in tests for result in results
    )


def _untested(exam: Exam) -> tuple[Phrase, ...]:
    standing = exam.evidence.standing(ANY_TESTS, exam.view.relevant, exam.trust)
    if standing.passed:
        return ()
    source = sorted(path for path in exam.view.changed if is_source(path, exam.extensions))
    names = ", ".join(source[:SHOWN])
    more = len(source) - SHOWN
    key = "gate.source_untested_more" if more > 0 else "gate.source_untested"
    return (Phrase(key, {"paths": names, "more": more, "reason": standing.reason}),)


def _confirmed(path: str, exam: Exam) -> bool:
    text = exam.view.files.text(path)
    if not text:
        return False
    return exam.evidence.confirmed.get(path, -1) >= exam.evidence.written.get(path, 0)
