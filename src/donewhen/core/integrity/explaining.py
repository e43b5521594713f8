"""Base tests that fail on the new code, and whether anything explains it.

A test that only follows a renamed function, one that the goal lets change, output that was recorded anew
beside new code: these explain a red. A test that was red from the start and whose text is another now was
changed instead of satisfied, whatever else is said about it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from donewhen.core.integrity.account import Account, Known
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Policy, Rerun
from donewhen.core.integrity.naming import file_meant, meant
from donewhen.core.integrity.permits import leans_on_base
from donewhen.core.texts import Phrase

_FLEETING = re.compile(r"/[^\s:]+|\d+")
_MOST_TOLD = 20  # tests
DOUBTFUL = frozenset(("expected-changed", "test-emptied", "not-compared"))
"""Edits that may be honest; whether they gained anything is what the second sitting tells."""
_ASKED = frozenset(("command-weakened", "threshold-lowered", "startup-hook", "shim", "test-deleted"))
"""Doubtful where their finder only asks."""
FEWER = frozenset(("test-deleted", "test-uncollected", "test-skipped"))  # lower the count by what they name


class Case(NamedTuple):
    findings: tuple[Finding, ...]
    now: Rerun
    base: Rerun
    start: Rerun | None
    account: Account
    source_changed: bool
    goal_given: bool


def is_doubtful(finding: Finding) -> bool:
    """Whether a second sitting of the exam could take it away."""
    return finding.rule in DOUBTFUL or (finding.rule in _ASKED and finding.policy == "ask")


def red_before(test: str, case: Case) -> bool:
    """Whether the test, or the exam as a whole where names are not known, failed before the change."""
    start = case.start
    if start is None or start.why is not None or start.green:
        return False
    if not start.failed or not test:
        return True
    tests = [known for known in case.account.tests if known.name == test]
    named = {known for name in start.failed for known in meant(name, tests)}
    return (
        bool(named)
        or test in start.failed
        or any(file_meant(n, tests) and not meant(n, tests) for n in start.failed)
    )


def unexplained(case: Case) -> Iterator[Finding]:
    """Base tests that fail on the new code though the change's own exam passes, and nothing says why."""
    if case.base.green or not case.now.green:
        return
    whole: list[str] = []
    told: dict[Known, None] = {}
    for name in case.base.failed:
        known = meant(name, case.account.tests)
        if not known:
            whole.append(name)
        elif not any(_explained(test, case) for test in known):
            told[known[0]] = None
    yield from (_failed(test, case) for test in list(told)[:_MOST_TOLD])
    if whole or not case.base.failed:
        yield from _as_a_whole(whole, case)


def _explained(test: Known, case: Case) -> bool:
    """Whether somebody was allowed to change it, has to answer for it already, or changed nothing of it."""
    own = [finding for finding in case.findings if finding.test == test.name]
    if _harder(test, case) or test.path in case.account.mended:
        return True
    if not case.source_changed:  # the product is what it was: only the exam can have turned green
        return any(f.blocks or (f.permitted is not None and not leans_on_base(f)) for f in own)
    if _kept(test, case) or any(f.permitted is not None or f.blocks for f in own):
        return True
    if test.state != "changed" and _answered(f for f in case.findings if f.file == test.path):
        return True
    red = red_before(test.name, case)
    if test.state == "same":
        return _untouched_explained(test, case, red)
    return _snapshot_only(test, case) or _renamed(test, case)


def _untouched_explained(test: Known, case: Case, red: bool) -> bool:
    """A test that is as it was and fails as it was: something round it changed with the product."""
    neighbours = [known for known in case.account.tests if known.path == test.path and known.state != "same"]
    harmless = bool(neighbours) and all(_harmless(known, case) for known in neighbours)
    remade = test.path in case.account.remade and not neighbours
    if red:  # it said all along what it says: only another name of what it calls excuses it
        return (remade or harmless) and test.orphaned
    if harmless:
        return True
    return case.source_changed and (remade or bool(case.account.data))


def _harmless(test: Known, case: Case) -> bool:
    own = [f for f in case.findings if f.test == test.name]
    return _harder(test, case) or _kept(test, case) or any(f.permitted is not None for f in own)


def _harder(test: Known, case: Case) -> bool:
    """It was skipped or expected to fail, and counts now: whatever it asks is more than nothing.

    Its base version fails by passing, and whoever looks for the marker finds it there.
    """
    return test.freed and not any(f.blocks for f in case.findings if f.test == test.name)


def _kept(test: Known, case: Case) -> bool:
    """Demands the same, and surely so: a test that was red may follow a rename but not take another form."""
    return test.state == "kept" and (not test.reshaped or test.orphaned or not red_before(test.name, case))


def _answered(findings: Iterable[Finding]) -> bool:
    """Somebody already has to answer for the file as a whole, or was allowed to change it."""
    return any((f.permitted is not None or f.blocks) and f.test in ("", f.file) for f in findings)


def _as_a_whole(names: Sequence[str], case: Case) -> Iterator[Finding]:
    """Files that failed before any test ran, tests of files that did not change, exams that tell no names."""
    if any(f.blocks and f.rule in (DOUBTFUL | FEWER) for f in case.findings):
        return
    account = case.account
    files = frozenset(path for name in names for path in file_meant(name, account.tests))
    red = _whole_red(names, case)
    changed = [t for t in account.tests if t.state != "same" or t.freed]
    touched = [t for t in changed if not files or t.path in files]
    if _mended(files, changed, case) or _apart(changed, case):
        return
    round_them = account.data or account.helpers or (names and not files)
    fine = (
        (case.source_changed or all(t.freed for t in touched))
        and touched
        and all(_harmless(t, case) or _snapshot_only(t, case) or _renamed(t, case) for t in touched)
    )
    if fine and not (red and round_them):
        return
    remade = account.remade & files if files else account.remade
    if not touched and not red and case.source_changed and (account.data or account.config or remade):
        return
    first = min(files or {test.path for test in account.tests[:1]} or account.config, default="")
    message = Phrase("comparing.base_failed")
    finding = found("base-tests-failed", first, 1, test=names[0] if names else "", message=message)
    yield finding._replace(policy=_policy(red, case))


def _mended(files: frozenset[str], changed: Sequence[Known], case: Case) -> bool:
    """What failed as a whole are files that no code could pass: they ask what they asked, and can be read."""
    account = case.account
    if not account.mended or account.data or account.helpers:
        return False
    return files <= account.mended if files else all(test.path in account.mended for test in changed)


def _apart(changed: Sequence[Known], case: Case) -> bool:
    """Nothing of the exam's side changed but files that hold the product as well, and there only its part."""
    account = case.account
    others = account.data or account.helpers or changed
    return bool(account.config) and not others and account.apart.issuperset(account.config)


def _whole_red(names: Sequence[str], case: Case) -> bool:
    if not red_before("", case) or case.start is None:
        return False
    before = {_lasting(name) for name in case.start.failed}
    return not names or not before or any(_lasting(name) in before for name in names)


def _lasting(name: str) -> str:
    """A failure's name without what differs from run to run: temporary files, numbers, what it got."""
    return _FLEETING.sub("#", name.partition(": ")[0])


def _renamed(test: Known, case: Case) -> bool:
    """Rewritten beside names of the product that are gone, with every value still there."""
    if test.state != "changed" or any(f.test == test.name for f in case.findings):
        return False
    if test.orphaned:
        return case.source_changed
    return case.source_changed and bool(case.account.renamed) and not red_before(test.name, case)


def _snapshot_only(test: Known, case: Case) -> bool:
    return test.snapshot and case.source_changed and not red_before(test.name, case)


def _failed(known: Known, case: Case) -> Finding:
    test, path, red = known.name, known.path, red_before(known.name, case)
    message = Phrase("comparing.not_satisfied", {"test": test}) if red else None
    line = next((f.line for f in case.findings if f.test == test), 1)
    return found("base-tests-failed", path, line, before=known.asked, test=test, message=message)._replace(
        policy=_policy(red, case)
    )


def _policy(red_before: bool, case: Case) -> Policy:
    return "deny" if red_before or case.goal_given else "warn"
