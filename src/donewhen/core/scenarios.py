"""Scenarios of a spec, and what proves one: a linked test that asserts, was executed and passed.

Pure. What was executed is told by machine reports alone, as `Case`s; where a link stands, by syntax trees, as
`Link`s. Nothing here takes a word in a title, or a line that was printed, for a proof.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from donewhen.core.events.facts import Verified
from donewhen.core.texts import Phrase, say

Outcome = Literal["passed", "failed", "skipped", "xfailed"]
Verdict = Literal["passed", "failed", "could_not_run"]

MOST_CASES = 50_000  # of one exam
_SHOWN = 5  # tests in one reason
_REPORTING = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "javascript",
    "go": "go",
    "rust": "rust",
    "java": "java",
}  # language → the advice how its runners report


class Case(NamedTuple):
    """One test as a machine report tells it."""

    name: str
    outcome: Outcome = "passed"
    group: str = ""  # class, package or file that the report puts it under
    suites: tuple[str, ...] = ()  # titles around it, outermost first
    file: str = ""
    line: int = 0
    assertions: int | None = None  # that it made, where the report counts them
    scenarios: tuple[str, ...] = ()  # that the runner saw marked
    message: str = ""  # of a failure, one line


def read_case(row: Sequence[Any]) -> Case:
    """A case from plain data, its fields in order; TypeError or ValueError where it is none."""
    name, outcome, group, suites, file, line, assertions, scenarios, message = row
    return Case(name, outcome, group, tuple(suites), file, line, assertions, tuple(scenarios), message)


class Link(NamedTuple):
    """One scenario named at one test; several of either are several links."""

    id: str
    test: str  # as integrity names it; "" where the name stands in no test
    file: str
    line: int  # of the marker or comment
    asserts: bool | None  # something that can fail; None where nobody reads the language
    disabled: str = ""  # what keeps the test from running or counting
    language: str = ""
    first: int = 0  # lines of the test
    last: int = 0

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"


class Tried(NamedTuple):
    """A link with what became of its test."""

    link: Link
    cases: tuple[Case, ...] = ()
    new: bool = False  # the change brought the test
    fails_at_base: bool | None = None  # on the base's source; None: nobody knows


class Proof(NamedTuple):
    """What is known of one scenario. `linked` are the places that name it."""

    id: str
    verdict: Verdict
    reason: Phrase
    linked: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"


_VERDICTS: dict[str, Verdict] = {
    "failed": "failed",
    "passed": "passed",
    "passes_at_base": "failed",
    "not_executed": "failed",
    "hollow": "failed",
    "disabled": "failed",
    "no_test": "failed",
    "base_unknown": "could_not_run",
    "unread": "could_not_run",
    "no_report": "could_not_run",
}
"""What a link comes to, and what that makes of its scenario; of several links the first of these decides."""


def prove(ids: Iterable[str], tried: Sequence[Tried], *, reported: bool) -> tuple[Proof, ...]:
    """One proof for each id, in order; `reported`: the exam left a machine report that names tests."""
    by_id: dict[str, list[Tried]] = {}
    for each in tried:
        by_id.setdefault(each.link.id, []).append(each)
    return tuple(_prove(name, by_id.get(name, ()), reported) for name in dict.fromkeys(ids))


def _prove(name: str, tried: Sequence[Tried], reported: bool) -> Proof:
    if not tried:
        return Proof(name, "failed", Phrase("scenarios.unlinked", {"id": name}))
    states = [(state_of(each, reported), each.link) for each in tried]
    order = list(_VERDICTS)
    deciding = min((state for state, _ in states), key=order.index)
    links = [link for state, link in states if state == deciding]
    tests = ", ".join(dict.fromkeys(_shown(link) for link in links[:_SHOWN]))
    how = Phrase(f"scenarios.report_{_REPORTING.get(links[0].language, 'other')}")
    values = {"id": name, "tests": tests, "now": links[0].disabled, "how": how}
    linked = tuple(dict.fromkeys(link.where for _, link in states))
    return Proof(name, _VERDICTS[deciding], Phrase(f"scenarios.{deciding}", values), linked)


def _shown(link: Link) -> str:
    return f"{link.test or '?'} ({link.where})"


def state_of(tried: Tried, reported: bool) -> str:
    """What one link comes to: a key of the table above."""
    link, cases = tried.link, _meant(tried)
    outcomes = {case.outcome for case in cases}
    if "failed" in outcomes:
        return "failed"
    if not link.test and link.asserts is not None:
        return "no_test"
    if link.disabled:
        return "disabled"
    if link.asserts is False:
        return "hollow"
    if "passed" not in outcomes:
        return "not_executed" if reported else "no_report"
    return _counting(tried, cases)


def _counting(tried: Tried, cases: Sequence[Case]) -> str:
    """An executed, passing test: does its passing say anything?"""
    if tried.new and tried.fails_at_base is not True:
        return "base_unknown" if tried.fails_at_base is None else "passes_at_base"
    if tried.link.asserts is None and not tried.new and not any(case.assertions for case in cases):
        return "unread"
    return "passed"


def _meant(tried: Tried) -> tuple[Case, ...]:
    """Of a test with several rows those that carry the mark themselves, where the runner tells."""
    marked = tuple(case for case in tried.cases if tried.link.id in case.scenarios)
    return marked or tried.cases


def verified(proofs: Iterable[Proof], fingerprint: str) -> tuple[Verified, ...]:
    """The facts for the ledger; `fingerprint` is the relevant tree that the exam ran on."""
    return tuple(
        Verified(
            "scenario",
            proof.id,
            proof.verdict,
            fingerprint,
            {"reason": say(proof.reason.key, **proof.reason.values), "linked": list(proof.linked)},
        )
        for proof in proofs
    )
