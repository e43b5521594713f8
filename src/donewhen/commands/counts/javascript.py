"""Vitest, Jest (and Pest, which took over its form), Playwright and Cypress: summaries of several lines.

A file or suite that failed while none of its tests did could not be loaded; that is an error.
"""

import re
from typing import NamedTuple

from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import Pair, counted, pairs_in
from donewhen.core.counts import Counts

_DURATION = r"[\d.]{1,12} ?(?:ms|s|m|h)"
_VITEST = re.compile(
    r"\s*(?P<what>Test Files|Tests|Errors) {1,10}(?P<list>no tests|\d[\w |]{0,200}?)(?: \(\d{1,9}\))?"
    rf"|\s*(?P<time>Duration) {{1,10}}(?P<seconds>{_DURATION})(?: \(.*)?"
)
_JEST = re.compile(
    r"\s*(?P<what>Test Suites|Tests): {1,10}(?P<list>\d[\w ,]{0,200}?)(?: \(\d{1,9} assertions?\))?"
    rf"|\s*(?P<time>Time|Duration): {{1,10}}(?P<seconds>{_DURATION})(?:, estimated.*)?"
)
_OF_TOTAL = re.compile(r"\d{1,9} of (\d{1,9} total)")


class _Draft(NamedTuple):
    files: tuple[Pair, ...] | None = None
    tests: tuple[Pair, ...] | None = None
    seconds: str | None = None
    errors: int = 0


def read_vitest(lines: Lines) -> list[Counts]:
    return [_counts("vitest", draft) for draft in _drafts(lines, _VITEST, " | ")]


def read_jest(lines: Lines) -> list[Counts]:
    return [_counts("jest", draft) for draft in _drafts(lines, _JEST, ", ")]


def _drafts(lines: Lines, pattern: re.Pattern[str], separator: str) -> list[_Draft]:
    drafts: list[_Draft] = []
    for line in lines:
        found = pattern.fullmatch(line)
        if not found:
            continue
        if found["time"]:
            if drafts and drafts[-1].seconds is None:
                drafts[-1] = drafts[-1]._replace(seconds=found["seconds"])
            continue
        text = _OF_TOTAL.sub(r"\1", found["list"])
        pairs = [] if text == "no tests" else pairs_in(text, separator)
        if pairs is not None:
            _put(drafts, found["what"], tuple(pairs))
    return drafts


def _put(drafts: list[_Draft], what: str, pairs: tuple[Pair, ...]) -> None:
    last = drafts[-1] if drafts else None
    if what == "Errors":
        if last:
            drafts[-1] = last._replace(errors=sum(number for number, _ in pairs))
    elif what == "Tests":
        if last and last.tests is None:
            drafts[-1] = last._replace(tests=pairs)
        else:
            drafts.append(_Draft(tests=pairs))
    else:
        drafts.append(_Draft(files=pairs))


def _counts(runner: str, draft: _Draft) -> Counts:
    files = counted(runner, draft.files or ())
    number = files.executed if draft.files else None
    if draft.tests is None:
        # the line of the tests is lost: they ran if a file did
        unknown = Counts(None, None, errors=files.failed, files=number, seconds=draft.seconds, runner=runner)
        return unknown if files.executed else files._replace(files=number, seconds=draft.seconds)
    tests = counted(runner, draft.tests, number, draft.seconds)
    broken = files.failed if not tests.failed else 0
    return tests._replace(errors=tests.errors + draft.errors + broken)


_PLAYWRIGHT = re.compile(
    r" {1,2}(?P<n>\d{1,9}) (?P<word>passed|failed|flaky|interrupted|did not run|skipped"
    r"|errors? (?:was|were) not a part of any test)(?:, see above for details)?"
    rf"(?: \((?P<time>{_DURATION})\))?"
)
_RUNNING = re.compile(r"Running (?P<n>\d{1,9}) tests? using \d{1,6} workers?.{0,40}")


def read_playwright(lines: Lines) -> list[Counts]:
    """`Running …` opens a run, a number of passes with the time it took closes it; either may be missing."""
    parts: list[Counts] = []
    pairs: dict[str, int] = {}
    announced: int | None = None
    for line in lines:
        if found := _RUNNING.fullmatch(line):
            parts += _left(pairs, announced)
            pairs, announced = {}, int(found["n"])
        elif found := _PLAYWRIGHT.fullmatch(line):
            pairs[found["word"]] = int(found["n"])
            if found["word"] == "passed" and found["time"]:
                parts.append(_played(pairs, found["time"]))
                pairs, announced = {}, None
    return parts + _left(pairs, announced)


def _left(pairs: dict[str, int], announced: int | None) -> list[Counts]:
    """What was said of a run without passes, or nothing at all of one that announced no test."""
    return [_played(pairs, None)] if pairs or announced == 0 else []


def _played(pairs: dict[str, int], time: str | None) -> Counts:
    return counted("playwright", [(number, word) for word, number in pairs.items()], seconds=time)


_CELL = r"(\d{1,9}|-)"
_TOTALS = re.compile(
    r"\s+[✔✖√×] +(?:All specs passed!|\d+ of \d+ failed \(\d+%\)) +(?P<time>[\d:]{2,12}|\d+ms)"
    rf" +{_CELL} +{_CELL} +{_CELL} +{_CELL} +{_CELL}"
)
_SPEC = re.compile(rf"\s*│ [✔✖√×] .{{1,300}}? +(?:[\d:]{{2,12}}|\d+ms)(?: +{_CELL}){{5}} +│")


def read_cypress(lines: Lines) -> list[Counts]:
    """The table at the end of the whole run."""
    parts = []
    files = 0
    for line in lines:
        if _SPEC.fullmatch(line):
            files += 1
        elif found := _TOTALS.fullmatch(line):
            cells = [0 if cell == "-" else int(cell) for cell in found.groups()[1:]]
            words = ("tests", "passing", "failing", "pending", "skipped")
            pairs = list(zip(cells, words, strict=True))[1:]
            parts.append(counted("cypress", pairs, files or None, found["time"]))
            files = 0
    return parts
