"""What a change owes beside the declared checks: source needs a test run, every other file a confirmation.

Not asked when the declared exam covers it: all acceptance commands passed, or a required test command did.
"""

from collections.abc import Iterable

from donewhen.core.checks import Check
from donewhen.core.delivery import Deliverables, sort_out
from donewhen.core.exam import Commanded, Exam, Result
from donewhen.core.target import ANY_TESTS, check_target
from donewhen.core.texts import Phrase
from donewhen.core.versions import Delivered

SHOWN = 12  # names in one sentence


def survey(exam: Exam) -> Deliverables:
    """Changed files that need confirmation, and whether there is source among the changes."""
    view, evidence, bare = exam.view, exam.evidence, may_be_empty(exam.all_checks)

    def look(path: str) -> Delivered:
        known = evidence.versions.of(path)
        if view.files.text(path) or path in bare:
            return known
        return known._replace(confirmed=-1)  # an empty one never is, unless it was asked for

    return sort_out(view.changed, look, exam.exempt, exam.extensions, evidence.written)


def may_be_empty(checks: Iterable[Check]) -> frozenset[str]:
    """Files that people ask for without asking for any content; some formats are never well-formed then."""
    bare = (check for check in checks if check.kind == "file_exists" and check.by != "agent")
    wanted = (check.target for check in bare if check.params.get("nonempty") != "true")
    return frozenset(path for path in wanted if not path.endswith((".json", ".xml")))


def owed(exam: Exam, results: tuple[Result, ...], commands: tuple[Commanded, ...]) -> tuple[Phrase, ...]:
    """A sentence for each proof that the change still owes."""
    if _covered(exam, results, commands):
        return ()
    found = survey(exam)
    untested = () if found.kind != "engineering" else _untested(exam, found.sources)
    return (*untested, *(Phrase("gate.unconfirmed", {"path": path}) for path in found.pending))


def _covered(exam: Exam, results: tuple[Result, ...], commands: tuple[Commanded, ...]) -> bool:
    if commands and all(command.standing.passed for command in commands):
        return True
    tests = {check.name for check in covering_checks(exam)}
    return any(
        result.passed and result.kind == "command_success" and result.id in tests for result in results
    )


def covering_checks(exam: Exam) -> tuple[Check, ...]:
    """Required checks that run tests; who works does not choose what covers the work."""
    return tuple(
        check
        for check in exam.all_checks
        if check.required
        and check.by != "agent"
        and check.kind == "command_success"
        and check_target(check, exam.parse).is_test
    )


def _untested(exam: Exam, source: tuple[str, ...]) -> tuple[Phrase, ...]:
    standing = exam.evidence.standing(ANY_TESTS, exam.view.relevant, exam.trust)
    if standing.passed:
        return ()
    names = ", ".join(source[:SHOWN])
    more = len(source) - SHOWN
    key = "gate.source_untested_more" if more > 0 else "gate.source_untested"
    return (Phrase(key, {"paths": names, "more": more, "reason": standing.reason}),)
