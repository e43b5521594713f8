"""What measured coverage comes to: nothing that was not measured passes where it is required, and it is told."""

from donewhen.core.quality.coverage import Covered, Lines
from donewhen.core.quality.model import GateResult
from donewhen.core.texts import Phrase
from donewhen.project.tools import Missing
from donewhen.verify.quality.coverage.gate import Measured, result_of
from tests.tables import table_test

CHANGED = {"a.py": frozenset((1, 2)), "b.js": frozenset((1,))}
RAN = Covered({"a.py": Lines(frozenset((1, 2)))})
MISSED = Covered({"a.py": Lines(missing=frozenset((1, 2)))})
LACK = Missing(Phrase("coverage.no_vitest"), "npm install it")


def result(measured: Measured, base: Measured | None = None, *, required: bool = True) -> GateResult:
    return result_of(measured, base, CHANGED, 80, required=required, absolute=False, language="en")


@table_test(
    ("covered", "required", "verdict", "why", "install"),
    [
        (RAN, True, "could_not_run", "coverage.no_vitest", "npm install it"),
        (RAN, False, "passed", "coverage.no_vitest", "npm install it"),
        (MISSED, True, "failed", "coverage.short", ""),
    ],
)
def test_a_language_that_was_not_measured_is_never_a_silent_pass(covered, required, verdict, why, install):
    found = result(Measured(covered, lacks=LACK), required=required)
    assert (found.verdict, found.why and found.why.key, found.install) == (verdict, why, install)


@table_test(
    ("key", "required", "verdict"),
    [
        ("quality.red_tests", True, "skipped"),
        ("quality.red_measured", True, "could_not_run"),
        ("quality.red_measured", False, "skipped"),
    ],
)
def test_tests_that_fail_only_when_they_are_measured_are_no_excuse(key, required, verdict):
    assert result(Measured(why=Phrase(key)), required=required).verdict == verdict


def test_the_time_of_both_measuring_runs_is_told():
    assert result(Measured(RAN, duration_ms=30), Measured(RAN, duration_ms=12)).duration_ms == 42
    assert result(Measured(why=Phrase("coverage.no_vitest"), duration_ms=7)).duration_ms == 7
