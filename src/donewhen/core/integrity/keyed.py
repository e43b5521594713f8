"""Answers keyed to the exam: new source that gives what the tests expect by the very inputs that they use.

Every function that is new or changed is held against the questions of the exam. Tables of a domain, base
cases, keywords and what the goal itself lays down are no findings; nothing is judged by style.
"""

import re
from collections.abc import Iterator, Sequence

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.keyed_data import hidden_tables
from donewhen.core.integrity.keyed_exam import Exam, exam_of, last, relevant
from donewhen.core.integrity.keyed_goal import Lore, lore_of
from donewhen.core.integrity.keyed_hits import Place, asked, hits_of, is_shape, told_once
from donewhen.core.integrity.keyed_rules import Told, told
from donewhen.core.integrity.keyed_written import spelt_otherwise
from donewhen.core.integrity.model import Branch, Finding, Pair, Sheet

_SHORTEST = 12  # characters
_SHOWS = re.compile(
    r"(?:^|/)(?:docs?|examples?|samples?|demos?|bench(?:marks?)?)/|(?:^|/)(?:demo|example|bench)"
)
_MOST_CASES = 2000
_MOST = 50  # findings; the first few say it all


def keyed(pairs: Sequence[Pair], tests: Sequence[Sheet], goal: str) -> tuple[Finding, ...]:
    """`tests`: the test files of the base and of the change, all that may ask the changed source."""
    own = [sheet for pair in pairs for sheet in pair if sheet and sheet.tests]
    exam = exam_of((*tests, *own))
    lore = lore_of(pairs, goal)
    change = _change(pairs, exam, lore)
    named = any(last(name) in exam.by_function for pair in pairs if pair.now for name in pair.now.defines)
    findings: dict[tuple[str, int], Finding] = {}
    for pair in pairs:
        if pair.now and pair.now.role == "source":
            hidden = [table for literal in _texts(pair.now, lore) for table in hidden_tables(literal)]
            kept = _kept(pair.now, hidden, exam, lore)
            nameless = () if named else (_nameless(pair.now, exam, lore, change),)
            for place in (*_places(pair, pair.now, exam, lore, change), *kept, *nameless):
                for each in told(place):
                    findings.setdefault((place.path, each.line), _finding(place, each))
        elif pair.now and pair.now.role == "other":
            for place in _kept(pair.now, pair.now.branches, exam, lore):
                for each in told(place):
                    findings.setdefault((place.path, each.line), _finding(place, each))
    return tuple(findings.values())[:_MOST]


def _change(pairs: Sequence[Pair], exam: Exam, lore: Lore) -> frozenset[str]:
    """New literals of all source, for answers that are kept beside the code; what only shows how to use it
    quotes them rightly."""
    sheets = [pair.now for pair in pairs if pair.now and pair.now.role == "source"]
    used = [sheet for sheet in sheets if not _tests_itself(sheet) and not _only_shows(sheet, exam)]
    return spelt_otherwise(frozenset().union(*(sheet.literals for sheet in used)) - lore.literals)


def _only_shows(sheet: Sheet, exam: Exam) -> bool:
    asked = any(last(name) in exam.by_function for name in sheet.defines)
    return not asked and _SHOWS.search(sheet.path) is not None


def _tests_itself(sheet: Sheet) -> bool:
    """Whether tests stand in the file, whose literals are among the file's; examples in comments are none."""
    return any(not one.text.startswith(">>> ") for test in sheet.tests for one in test.asserts)


def _places(pair: Pair, now: Sheet, exam: Exam, lore: Lore, change: frozenset[str]) -> Iterator[Place]:
    """The functions of a file that have new branches, and those that the exam asks by name."""
    grouped: dict[str, list[Branch]] = {}
    for branch in sorted(now.branches, key=lambda branch: branch.line):
        if not lore.has_branch(branch):
            grouped.setdefault(branch.function, []).append(told_once(branch))
    had = {last(name) for name in pair.base.defines} if pair.base else set()
    seen = {last(name) for name in grouped}
    for name in sorted({last(name) for name in now.defines} - seen):
        if name in exam.by_function:
            grouped[name] = []
    fresh = now.literals - lore.literals
    for function, branches in grouped.items():
        near = tuple(relevant(exam, function))
        shapes = tuple(branch for branch in branches if is_shape(branch))
        branches = [branch for branch in branches if not is_shape(branch)]
        hits = hits_of(branches, exam, near)
        cases = near or asked(hits, exam)
        was_there = last(function) in had
        yield Place(
            now.path, function, tuple(branches), hits, near, cases, was_there, now.literals, fresh,
            change, lore, exam, shapes,
        )  # fmt: skip


def _nameless(now: Sheet, exam: Exam, lore: Lore, change: frozenset[str]) -> Place:
    """A file of a change that nobody asks by a name of its own: `module.exports = (n) => …`."""
    fresh = now.literals - lore.literals
    cases = tuple(range(min(len(exam.cases), _MOST_CASES)))
    return Place(now.path, "", (), (), (), cases, False, now.literals, fresh, fresh & change, lore, exam)


def _kept(now: Sheet, found: Sequence[Branch], exam: Exam, lore: Lore) -> Iterator[Place]:
    """Tables that stand outside of code; whoever asks them."""
    tables = tuple(told_once(table) for table in found if not lore.has_branch(table))
    hits = hits_of(tables, exam, ())
    if hits:
        literals = frozenset(literal for table in tables for literal in (*table.keys, *table.answers))
        yield Place(
            now.path, "", tables, hits, (), asked(hits, exam), False, literals, literals, literals, lore, exam
        )


def _texts(now: Sheet, lore: Lore) -> list[str]:
    """Texts that the base had not, long enough to hold a table."""
    return sorted(
        literal for literal in now.literals if len(literal) > _SHORTEST and literal not in lore.literals
    )


def _finding(place: Place, each: Told) -> Finding:
    text = " → ".join((each.key, each.answer)) if each.answer else each.key
    name = f"{place.function}: " if place.function else ""
    return found("keyed-answer", place.path, each.line, now=f"{name}{text.strip()}")
