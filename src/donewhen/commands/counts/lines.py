"""Runners whose summary is one line of a form of its own: `Passed!  - Failed: 0, Passed: 5, …`.

Each form is data: the names of its groups are the words of the vocabulary, spaces written as `_`; a digit at
the end tells two groups of the same word apart.
"""

import re
from functools import cache
from typing import NamedTuple

from donewhen.commands.counts.model import collect
from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted
from donewhen.core.counts import Counts

_TIME = r"(?P<time>[\d.:]{1,20} ?(?:ms|µs|s|m|min|secs?|seconds?)?)"


class Form(NamedTuple):
    runner: str
    form: str


@cache
def _compiled(form: str) -> re.Pattern[str]:
    """`<word>` stands for a number called so, `<T>` for a time."""
    numbers = re.sub(r"(?<!\?P)<([a-z_0-9]+)>", r"(?P<\1>\\d{1,9})", form)
    return re.compile(numbers.replace("<T>", _TIME))


FORMS: tuple[Form, ...] = (
    Form(
        "dotnet",
        r"(?:Passed|Failed|Skipped)!\s+- Failed:\s+<failed>, Passed:\s+<passed>, Skipped:\s+<skipped>, "
        r"Total:\s+<total>(?:, Duration: <T>)?(?: - .{0,300})?",
    ),
    Form(
        "dotnet",
        r"Test summary: total: <total>, failed: <failed>, succeeded: <succeeded>, skipped: <skipped>"
        r"(?:, duration: <T>)?",
    ),
    Form("dotnet", r"Total tests: <total>\. Passed: <passed>\. Failed: <failed>\. Skipped: <skipped>\."),
    Form(
        "xunit",
        r"\s+\S{1,300}\s+Total: <total>, Errors: <errors>, Failed: <failed>, Skipped: <skipped>"
        r"(?:, Not Run: <not_run>)?, Time: <T>",
    ),
    Form(
        "nunit",
        r"\s*Test Count: <total>, Passed: <passed>, Failed: <failed>, Warnings: <warnings>, "
        r"Inconclusive: <inconclusive>, Skipped: <skipped>",
    ),
    Form("phpunit", r"OK \(<tests> tests?, <assertions> assertions?\)"),
    Form(
        "phpunit",
        r"Tests: <tests>, Assertions: <assertions>(?:, Errors: <errors>)?(?:, Failures: <failures>)?"
        r"(?:, (?:PHPUnit )?(?:Warnings|Deprecations|Notices): \d+){0,4}(?:, Skipped: <skipped>)?"
        r"(?:, Incomplete: <incomplete>)?(?:, Risky: <risky>)?\.",
    ),
    Form("junit", r"OK \(<tests> tests?\)"),
    Form("junit", r"Tests run: <tests>,\s+Failures: <failures>"),
    Form("clojure", r"Ran <tests> tests? containing <assertions> assertions?\."),
    Form("clojure", r"<errors1> failures, <errors2> errors\."),
    Form("prove", r"Files=(?P<files>\d{1,9}), Tests=<tests>,\s.{0,200}"),
    Form("dart", r"\d\d:\d\d \+<passed>(?: ~<skipped>)?(?: -<failed>)?: (?:All|Some|No) tests .{1,40}"),
    Form("testthat", r"\[ FAIL <fail> \| WARN <warn> \| SKIP <skip> \| PASS <pass> \]"),
    Form("tasty", r"All <passed> tests passed(?: \(<T>\)|\.)"),
    Form("tasty", r"<failed> out of <total> tests failed \(<T>\)"),
    Form(
        "karma",
        r"[\w .()/;-]{1,120}: Executed <total> of \d+ (?:\(<failed> FAILED\) )?(?:\(skipped <skipped>\) )?"
        r"(?:SUCCESS|ERROR|\().{0,80}",
    ),
    Form(
        "scalatest",
        r"(?:\[\w+\] )?Tests: succeeded <succeeded>, failed <failed>, canceled <canceled>, "
        r"ignored <ignored>, pending <pending>",
    ),
    Form(
        "sbt",
        r"(?:\[\w+\] )?(?:Passed|Failed|Error): Total <total>, Failed <failed>, Errors <errors>, "
        r"Passed <passed>(?:, Skipped <skipped>)?(?:, Ignored <ignored>)?"
        r"(?:, Pending <pending>)?(?:, Canceled <canceled>)?",
    ),
    Form("catch2", r"All tests passed \(\d+ assertions? in <passed> test cases?\)"),
    Form(
        "catch2",
        r"test cases:\s+<total>(?: \|\s+<passed> passed)?(?: \|\s+<failed> failed)?"
        r"(?: \|\s+<skipped> skipped)?(?: \|\s+<expected_failures> failed as expected)?",
    ),
    Form(
        "doctest",
        r"\[doctest\] test cases:\s+\d+ "
        r"\|\s+<passed> passed \|\s+<failed> failed(?: \|\s+<skipped> skipped)?",
    ),
    Form(
        "xctest",
        r"\s*Executed <total> tests?, with (?:<skipped> tests? skipped and )?<failures> failures? "
        r"\(\d+ unexpected\) in <T>.{0,60}",
    ),
    Form("swift-testing", r". Test run with <tests> tests?(?: in \d+ suites?)? passed after <T>\."),
    Form(
        "swift-testing",
        r". Test run with <tests> tests?(?: in \d+ suites?)? failed after <T> with <errors> issues?.{0,80}",
    ),
    Form(
        "behave",
        r"<passed> scenarios? passed, <failed> failed(?:, <errors> error)?, <skipped> skipped.{0,60}",
    ),
    Form(
        "bazel", r"Executed \d+ out of <total> tests?: .{0,60}?\b<failed> fails? (?:locally|remotely).{0,80}"
    ),
    Form("bazel", r"Executed \d+ out of <total> tests?: .{0,120}"),
    Form(
        "jest",
        r'\{"numFailedTestSuites":\d+,"numFailedTests":<failed>,"numPassedTestSuites":(?P<files>\d+),'
        r'"numPassedTests":<passed>,"numPendingTestSuites":\d+,"numPendingTests":<pending>,.*',
    ),
)
# Printed for every suite and again for the whole: the last one says it all.
_CUMULATIVE = ("karma", "testthat", "xctest")


def read_lines(lines: Lines) -> list[Counts]:
    return collect(lines, _read, _CUMULATIVE)


def _read(line: str) -> Counts | None:
    for runner, form in FORMS:
        found = _compiled(form).fullmatch(line)
        if found:
            return _counts(runner, found.groupdict())
    return None


def _counts(runner: str, groups: dict[str, str | None]) -> Counts:
    time, files = groups.pop("time", None), groups.pop("files", None)
    pairs = [(int(number), word.rstrip("12").replace("_", " ")) for word, number in groups.items() if number]
    return counted(runner, pairs, int(files) if files else None, time)
