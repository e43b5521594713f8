"""Which tests of the base the new code breaks, and what the change did to each of them. Pure.

Three runs are compared test by test: the base's exam on the base's code, the base's exam on the new code, and
the change's own exam. Where a runner names no tests, only the status of the commands is known.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple

from donewhen.core.scenarios import Case

# Where it fails in the same way: at the base, whether or not somebody declared it, or by the work of others.
Elsewhere = Literal["", "before", "declared", "others"]
Key = tuple[str, tuple[str, ...], str]  # file or group, suites, name
Now = Literal["passed", "failed", "skipped", "absent"]
_RAN = ("passed", "failed")


class Broken(NamedTuple):
    """A test of the base that fails on the new code, or does not run there."""

    name: str
    file: str
    line: int
    before: Literal["passed", "failed"]  # on the base's code
    now: Now  # in the change's own exam
    touched: bool  # the change edits or removes its file
    why: str = ""  # what it says on the new code, one line; of its file where that can't be loaded

    @property
    def kept_from_running(self) -> bool:
        """It stands as it stood and does not run: a setting, hook or early exit keeps it from it."""
        return not self.touched and self.now in ("skipped", "absent")

    @property
    def switched_off(self) -> bool:
        return self.now in ("skipped", "absent")


def broken_tests(
    base: Iterable[Case], laid: Iterable[Case], now: Iterable[Case], touched: Collection[str]
) -> tuple[Broken, ...]:
    """`base`: base exam on base code; `laid`: on the new code; `now`: the change's exam on the new code.

    Counted are tests that passed at the base, and those red there that the change edits, skips or removes, or
    that pass now only because something else of the exam changed.
    """
    laid, now = list(laid), list(now)
    before, after, today = _outcomes(base), _outcomes(laid), _by_name(now)
    rows = {(case.file, _of_rows(case.name)) for case in now if case.name.endswith("]")}
    messages = {key_of(case): case.message for case in laid if case.message}
    found = []
    for key, case in _first(base).items():
        was = before[key]
        if was not in _RAN or after.get(key) == "passed":
            continue
        own = case.file in touched if case.file else True
        state = _now(case, today, moved=own)
        own = own or (state == "absent" and (case.file, _of_rows(case.name)) in rows)  # its table changed
        if was == "failed" and not own and state == "failed":
            continue  # red before, and left as it was
        why = messages.get(key, "")
        found.append(Broken(test_name(case), case.file, case.line, was, state, own, why))  # type: ignore[arg-type]
    return tuple(found)


def failing(cases: Iterable[Case]) -> frozenset[Key]:
    return frozenset(key for key, outcome in _outcomes(cases).items() if outcome == "failed")


def names_by_outcome(cases: Iterable[Case]) -> tuple[frozenset[str], frozenset[str]]:
    """Names of the tests that failed, and of those that passed."""
    known = list(cases)
    outcomes, first = _outcomes(known), _first(known)
    failed, passed = (
        frozenset(test_name(first[key]) for key, found in outcomes.items() if found == outcome)
        for outcome in _RAN[::-1]
    )
    return failed, passed


def only_red_before(base: Iterable[Case], now: Iterable[Case]) -> tuple[str, ...] | None:
    """Names of the tests that fail now and failed at the base; None where anything else fails."""
    known, cases = failing(base), list(now)
    today = failing(cases)
    if not today or not today <= known:
        return None
    return tuple(test_name(case) for key, case in _first(cases).items() if key in today)


def key_of(case: Case) -> Key:
    return (case.file or case.group, (*case.suites, case.group) if case.file else case.suites, case.name)


def _outcomes(cases: Iterable[Case]) -> dict[Key, str]:
    """A test that ran several times is what it came to at worst, unless a later run of it passed."""
    found: dict[Key, str] = {}
    for case in cases:
        key = key_of(case)
        if found.get(key) != "passed" or case.outcome == "passed":
            found[key] = case.outcome
    return found


def _first(cases: Iterable[Case]) -> dict[Key, Case]:
    found: dict[Key, Case] = {}
    for case in cases:
        found.setdefault(key_of(case), case)
    return found


def _by_name(cases: Iterable[Case]) -> Mapping[tuple[str, ...], list[Case]]:
    """By name without the file, because files move."""
    found: dict[tuple[str, ...], list[Case]] = {}
    for case in cases:
        found.setdefault((*case.suites, case.name), []).append(case)
    return found


def _now(case: Case, today: Mapping[tuple[str, ...], list[Case]], *, moved: bool) -> Now:
    """What it is in the change's exam; one whose file was `moved` or edited may stand in another."""
    same = today.get((*case.suites, case.name), [])
    here = [each for each in same if key_of(each) == key_of(case)] or (same if moved else [])
    outcomes = {each.outcome for each in here}
    for outcome in ("failed", "passed"):
        if outcome in outcomes:
            return outcome
    return "skipped" if outcomes else "absent"


def _of_rows(name: str) -> str:
    """The test that a row of a table belongs to."""
    return name.partition("[")[0]


def test_name(case: Case) -> str:
    """As people are shown it."""
    place = case.file or case.group
    titles = " > ".join((*case.suites, case.name))
    return f"{place}::{titles}" if place else titles
