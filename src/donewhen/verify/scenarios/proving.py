"""Scenarios proven or not: the links of the tree, what the exam's reports say of their tests, and the base.

A test that the change brought proves something only if it fails without the change: so it must be tried on
the base's source. That sitting is given, never held here.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.core.checks import Check, scenarios_of
from donewhen.core.integrity.roles import role_of
from donewhen.core.scenarios import Case, Link, Proof, Tried, prove
from donewhen.verify.scenarios.matching import Reported
from donewhen.verify.test_functions import TestFunction


class ChangedTests(NamedTuple):
    """The tests of one changed file; None where it is not there."""

    path: str
    before: tuple[TestFunction, ...] | None
    now: tuple[TestFunction, ...] | None


class AtBase(NamedTuple):
    """The exam with the change's tests on the base's source: was it green, and what became of each test?"""

    green: bool
    cases: tuple[Case, ...] = ()


def wanted(checks: Iterable[Check]) -> tuple[str, ...]:
    """The scenarios that the checks of a promise list, each once."""
    named = (name for check in checks if check.kind == "scenario" for name in scenarios_of(check))
    return tuple(dict.fromkeys(named))


def prove_scenarios(
    ids: Iterable[str],
    links: Sequence[Link],
    cases: Sequence[Case],
    files: Sequence[ChangedTests],
    at_base: AtBase | None = None,
) -> tuple[Proof, ...]:
    """What the exam proves of each scenario; `cases` are of the change's exam, `files` the changed ones."""
    needed = frozenset(ids := tuple(ids))
    mine = [link for link in links if link.id in needed]
    new = new_links(mine, files)
    here, there = Reported(cases), Reported(at_base.cases if at_base else ())
    tried = [
        Tried(link, here.of(link), link in new, fails_there(link, at_base, there) if link in new else None)
        for link in mine
    ]
    return prove(ids, tried, reported=bool(cases))


def new_links(links: Iterable[Link], files: Sequence[ChangedTests]) -> frozenset[Link]:
    """The links whose tests the base does not have, under their name or with their text.

    Tests inside of a source file (Rust, doctests) come and go with it: they can't be tried on another one.
    """
    changed = {each.path: each for each in files}
    texts = {test.digest for each in files for test in each.before or ()}
    return frozenset(
        link
        for link in links
        if link.file in changed and role_of(link.file) != "source" and _is_new(link, changed, texts)
    )


def _is_new(link: Link, changed: dict[str, ChangedTests], texts: set[str]) -> bool:
    file = changed[link.file]
    if file.before is not None and not link.language:
        return False  # what is in there can't be told apart
    if any(test.name == link.test for test in file.before or ()):
        return False
    return not any(test.name == link.test and test.digest in texts for test in file.now or ())


def fails_there(link: Link, at_base: AtBase | None, reported: Reported) -> bool | None:
    """Whether the linked test fails on the base's source; one that can't even be loaded there fails, too."""
    if at_base is None:
        return None
    outcomes = {case.outcome for case in reported.of(link)}
    if "failed" in outcomes:
        return True
    if "passed" in outcomes:
        return False
    return None if at_base.green else True


def needs_base(ids: Iterable[str], links: Sequence[Link], files: Sequence[ChangedTests]) -> bool:
    """Whether the base's source must be examined with the change's tests: only new tests ask for it."""
    needed = frozenset(ids)
    return bool(new_links([link for link in links if link.id in needed], files))
