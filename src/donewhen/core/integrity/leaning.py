"""Permissions that lean on the base: words of a goal that ask for behaviour, or for tests in general.

"change overlap() so that touching events don't count" lets a test that pinned the old behaviour change. It
does not let a test change that failed all along: that one already said what the goal says. Which is which,
only the second sitting can tell.
"""

from collections.abc import Sequence

from donewhen.core.integrity.explaining import Case, red_before
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.permits import leans_on_base


def lean(findings: Sequence[Finding], case: Case) -> tuple[Finding, ...]:
    """The findings without the permissions that do not hold after the second sitting."""
    return tuple(
        finding._replace(permitted=None)
        if leans_on_base(finding) and red_before(finding.test, case)
        else finding
        for finding in findings
    )


def green_before(case: Case) -> frozenset[str]:
    """Tests that are known to have passed at the base."""
    if case.start is None or case.start.why is not None:
        return frozenset()
    return frozenset(test.name for test in case.account.tests if not red_before(test.name, case))
