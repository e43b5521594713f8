"""Findings after the second sitting: what the base's tests say about the new code settles what reading can't.

An edit whose base version still passes gained nothing: vouched for. A base test that fails on the new code
and failed before was changed instead of satisfied. One that passed before is a change of behaviour, fine
where the goal asks for it. What weakens the exam of tomorrow stays, however green it is today.
"""

from collections.abc import Iterator, Sequence

from donewhen.core.integrity.account import EMPTY, Account
from donewhen.core.integrity.explaining import FEWER, Case, is_doubtful, red_before, unexplained
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Rerun
from donewhen.core.integrity.naming import meant

_NARROW = frozenset(("test-focused", "command-weakened", "exam-hook", "shim", "startup-hook", "not-compared"))


def settle(
    findings: Sequence[Finding],
    now: Rerun,
    base: Rerun | None,
    start: Rerun | None,
    account: Account = EMPTY,
    *,
    source_changed: bool,
    goal_given: bool,
) -> tuple[Finding, ...]:
    """The findings with what the second sitting says about them, and those that only it could find.

    now: the change's own exam. base: the same with tests and configuration of the base; None where none of
    them changed. start: the base's exam on the base's source, sat where `base` was red. Permits come first:
    what the goal allows has `permitted` set already. `account` is that of `compare.review`.
    """
    given = tuple(findings)
    if base is None or base.why is not None:
        return tuple(_unsettled(finding, source_changed, goal_given) for finding in given)
    case = Case(given, now, base, start, account, source_changed, goal_given)
    settled = tuple(_settled(finding, case) for finding in given)
    case = case._replace(findings=settled)
    return (*settled, *unexplained(case), *_fewer(case))


def _unsettled(finding: Finding, source_changed: bool, goal_given: bool) -> Finding:
    """Whoever verifies a branch of their own, without a goal, knows why values changed with the code."""
    if finding.rule == "expected-changed" and source_changed and not goal_given:
        return finding._replace(policy="warn")
    return finding


def _settled(finding: Finding, case: Case) -> Finding:
    if _doubtful(finding, case.account) and _passes_as_it_was(finding, case):
        return finding._replace(vouched=True, policy="warn")
    if case.base.green or red_before(finding.test, case):
        return finding
    return _unsettled(finding, case.source_changed, case.goal_given)


def _doubtful(finding: Finding, account: Account) -> bool:
    if finding.rule == "test-emptied" and finding.test in account.gutted:
        return False
    return is_doubtful(finding)


def _passes_as_it_was(finding: Finding, case: Case) -> bool:
    """Whether what the base had in its place passes on the new code; what did not count says nothing."""
    if any(test.freed for test in case.account.tests if test.name == finding.test):
        return False
    if case.base.green:
        return True
    tests = [test for test in case.account.tests if test.name == finding.test]
    if not tests or not _told_in_full(case):
        return False
    failed = {test for name in case.base.failed for test in meant(name, case.account.tests)}
    return not failed.intersection(tests)


def _told_in_full(case: Case) -> bool:
    """Every failure is known by its test, and nothing was left out after it."""
    counted, extra = case.base.executed, case.account.added
    if not case.base.failed or counted is None or case.now.executed is None or extra is None:
        return False
    known = all(meant(name, case.account.tests) for name in case.base.failed)
    return known and counted + extra >= case.now.executed


def _fewer(case: Case) -> Iterator[Finding]:
    """Fewer tests executed than the base's would be, and nothing that says which."""
    now, base = case.now.executed, case.base.executed
    if now is None or base is None or now >= base:
        return
    if any(f.blocks and f.rule in (FEWER | _NARROW) for f in case.findings):
        return
    allowed = _allowed(case)
    if allowed is None or base - now <= allowed:
        return
    file = next((f.file for f in case.findings), case.account.tests[0].path if case.account.tests else "")
    yield found("fewer-tests", file, 0, now=str(now), before=str(base))


def _allowed(case: Case) -> int | None:
    """By how many the count may fall; None where that can't be counted."""
    total = case.account.merged
    cases = {test.name: test.cases for test in case.account.tests}
    for finding in case.findings:
        if finding.rule in FEWER and not finding.blocks:
            count = cases.get(finding.test, 0 if not finding.test else None)
            if count == 0:
                return None
            total += count or 0  # one that the base had not lowers nothing
        elif finding.rule in _NARROW and finding.permitted is not None:
            return None
    return total
