"""What a verification comes to: red, could not run and pass are three things."""

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.core.exam import Commanded, Findings, Result
from donewhen.core.gate import Continue
from donewhen.core.tally import Standing
from donewhen.core.texts import Phrase
from donewhen.verify.decision import judgement
from donewhen.verify.exam_run import CommandResult
from tests.tables import table_test

WHY = Phrase("gate.not_run")
PASSED, FAILED = Standing("passed", WHY), Standing("failed", WHY)
FLAKY, PENDING = Standing("flaky", WHY), Standing("pending", WHY)


def _entry(text):
    return read_accept(text, parse)[0]


def _judged(*rows, results=(), **more):
    entries = [_entry(f"check{number}") for number in range(len(rows))]
    commands = tuple(Commanded(entry, row[1]) for entry, row in zip(entries, rows, strict=True))
    ran = tuple(CommandResult(entry, row[0], why=WHY) for entry, row in zip(entries, rows, strict=True))
    return judgement(Continue(Findings(tuple(results), commands)), ran, **more)


@table_test(
    ("rows", "reason", "code"),
    [
        ([("ran", FAILED)], "verification_failed", 1),
        ([("ran", FLAKY)], "verification_failed", 1),
        ([("ran", PENDING)], "verification_failed", 1),  # no test was executed
        ([("masked", PENDING)], "verification_failed", 1),
        ([("could_not_run", PENDING)], "verification_execution_error", 5),
        ([("refused", PENDING)], "verification_execution_denied", 5),
        ([("could_not_run", PENDING), ("ran", FAILED)], "verification_failed", 1),
        ([("could_not_run", PENDING), ("ran", PASSED)], "verification_execution_error", 5),
        ([("refused", PENDING), ("could_not_run", PENDING)], "verification_execution_denied", 5),
        ([("masked", PENDING), ("could_not_run", PENDING)], "verification_execution_error", 5),
    ],
)
def test_the_reason_and_its_exit_code(rows, reason, code):
    judged = _judged(*rows)
    assert (judged.stop_reason, judged.exit_code, judged.accepted) == (reason, code, False)


def test_a_failed_check_beside_a_missing_tool_is_a_failure():
    failed = Result("guide", "file_exists", "guide.md", False, WHY)
    assert _judged(("could_not_run", PENDING), results=[failed]).exit_code == 1


def test_what_blocks_is_never_accepted():
    assert _judged(("ran", PASSED), blocked=True).exit_code == 1
