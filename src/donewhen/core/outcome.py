"""What the end of a command says about a check: green, red, or nothing at all.

Only what could have failed can be green, and only what really ran can be red: a missing program, a signal,
a time-out, a usage error or a run without tests proves nothing and overrides nothing.
"""

import re
from typing import Literal

from donewhen.core.counts import Counts, nothing_ran, reports_failures
from donewhen.core.events.facts import CommandEnded
from donewhen.core.lazy import lazy
from donewhen.core.texts import Phrase

Outcome = Literal["green", "red", "nothing"]

_COULD_NOT = (64, 124, 126, 127)  # usage, timed out, not executable, not found
_PYTEST_COULD_NOT = (3, 4, 5)  # internal error, usage error, no tests collected
_USAGE_TEXT = lazy(
    r"\s*(usage: |(.{0,80}: )?error: unrecognized arguments|error: unexpected argument"
    r"|npm (ERR!|error) Missing script|error: no such (sub)?command|make: \*\*\* No rule to make target"
    r"|.{0,40}: (invalid|unrecognized|unknown) option)",
    re.IGNORECASE,
)
_USAGE_LINES = 12  # a longer output did more than explain itself


def outcome(
    ended: CommandEnded, counts: Counts | None, *, is_test: bool, program: str
) -> tuple[Outcome, Phrase]:
    """The outcome, and the sentence about it."""
    if ended.state == "running":
        return "nothing", Phrase("gate.still_running")
    if is_test and counts is not None and reports_failures(counts):
        return "red", Phrase("gate.tests_failed", {"count": counts.failed + counts.errors})
    if ended.state == "completed" and ended.exit == 0:
        if is_test and counts is not None and nothing_ran(counts):
            return "nothing", Phrase("gate.no_tests_ran")
        return "green", Phrase("gate.passed")
    if _could_not_run(ended, counts, is_test=is_test, program=program):
        return "nothing", Phrase("gate.could_not_run", {"exit": ended.exit})
    if ended.exit in (None, 0):
        return "red", Phrase("gate.ended_failed")
    return "red", Phrase("gate.exit_status", {"exit": ended.exit})


def _could_not_run(ended: CommandEnded, counts: Counts | None, *, is_test: bool, program: str) -> bool:
    code = ended.exit
    if code is None:
        return False
    if code in _COULD_NOT or code < 0 or 128 < code < 193:  # above 128: ended by a signal
        return True
    if program == "pytest" and code in _PYTEST_COULD_NOT:
        return True
    if is_test and counts is not None and nothing_ran(counts):
        return True
    return code in (1, 2) and counts is None and _explains_itself(ended.tail)


def _explains_itself(output: str) -> bool:
    """The program began with how it is to be called, and said little else."""
    brief = output[:4000].strip().count("\n") < _USAGE_LINES
    failed = re.search(r"\b(FAIL|FAILED|failures?|Error \d)", output[:4000])
    return brief and not failed and bool(_USAGE_TEXT.match(output[:2000]))
