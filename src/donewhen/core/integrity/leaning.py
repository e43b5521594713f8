"""Permissions that lean on the base: words of a goal that ask for behaviour, not for other tests.

"overlap() should be False for touching events" lets a test that pinned the old behaviour change. It does not
let a test change that failed all along: that one already said what the goal says. Only the second sitting
can tell the two apart, so without one such words permit nothing.
"""

from collections.abc import Sequence

from donewhen.core.integrity.explaining import Case, red_before
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.permits import leans_on_base

_ASKS_FOR_TESTS = "permits.goal_tests_any"  # "update the tests": enough where nobody could try


def lean(findings: Sequence[Finding], case: Case | None) -> tuple[Finding, ...]:
    """The findings without the permissions that do not hold; `case` is the second sitting, None without."""
    return tuple(
        finding._replace(permitted=None) if leans_on_base(finding) and not _holds(finding, case) else finding
        for finding in findings
    )


def _holds(finding: Finding, case: Case | None) -> bool:
    if case is None or case.base.why is not None:
        return finding.permitted is not None and finding.permitted.key == _ASKS_FOR_TESTS
    return not case.base.green and not red_before(finding.test, case)
