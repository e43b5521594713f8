"""Single lines that say everything: that no test ran, or that one failed.

Whole lines only; a sentence that contains such words says nothing. A line about nothing adds nothing to what
other summaries of the same output count.
"""

import re
from functools import cache

from donewhen.commands.counts.text import Lines
from donewhen.core.counts import Counts

Saying = tuple[str, str]  # runner, pattern

_ERROR = r"(?:(?:error|warning|Error|Warning): )?"
NOTHING: tuple[Saying, ...] = (
    ("vitest", r"No test files found, exiting with code \d"),
    ("jest", r"No tests found, exiting with code \d"),
    ("jest", r"No tests found related to files changed since .{1,200}"),
    ("mocha", r"Error: No test files found(?:: .{0,200})?"),
    ("playwright", r"Error: [Nn]o tests found\.?"),
    ("cypress", r"Can't run because no spec files were found\."),
    ("pytest", r"=* ?no tests (?:ran|collected)(?: \(.{1,80}\))?(?: in [\d.]{1,20} ?s.{0,30})? ?=*"),
    ("pytest", r"=* ?(?:\d+/)?\d+ tests? collected(?: \(\d+ deselected\))? in [\d.]{1,20}s ?=*"),
    ("nextest", r"(?:error|warning): no tests to run"),
    ("maven", r"(?:\[\w+\] )?(?:No tests to run|Tests are skipped|No tests were executed)[.!].{0,120}"),
    ("dotnet", r"No test is available in .{1,600}"),
    ("dotnet", r"No test matches the given testcase filter .{1,600}"),
    ("dotnet", r"(?:Test run summary: )?Zero tests ran.{0,300}"),
    ("bun", r"No tests found!"),
    ("bun", r"error: 0 test files matching .{0,300}"),
    ("deno", r"(?:error: )?No test modules found"),
    ("phpunit", r"No tests executed!"),
    ("phpunit", r"\s*(?:INFO )?\s*No tests found\."),
    ("ctest", r"No tests were found!!!"),
    ("exunit", r"There are no tests to run"),
    ("exunit", r"All tests have been excluded\."),
    ("swift", r"(?:warning|error): [Nn]o (?:matching test cases were run|tests found).{0,120}"),
    ("ava", r"\s*✖ (?:Couldn't find any files to test|No tests found in .{1,300})"),
    ("jasmine", r"No specs found"),
    ("cucumber", r"0 scenarios"),
    ("sbt", r"(?:\[\w+\] )?No tests were executed\."),
    ("bazel", rf"{_ERROR}No test targets were found, yet testing was requested"),
    ("catch2", r"No tests ran"),
    ("make", r"make(?:\[\d+\])?: Nothing to be done for ['`\"](?:tests?|check)['`\"]\."),
    ("make", r"make(?:\[\d+\])?: ['`\"](?:tests?|check)['`\"] is up to date\."),
    ("npm", r"(?:Error: )?no test specified"),
    ("turbo", r"\s*No tasks were executed as part of this run\."),
)  # fmt: skip
FAILURE: tuple[Saying, ...] = (("prove", r"Result: FAIL"),)
_compiled = cache(re.compile)


def read_said(lines: Lines) -> list[Counts]:
    nothing = [Counts(0, 0, runner=runner) for runner in _heard(NOTHING, lines)]
    return nothing + [Counts(0, 0, errors=1, runner=runner) for runner in _heard(FAILURE, lines)]


def _heard(sayings: tuple[Saying, ...], lines: Lines) -> list[str]:
    heard = (runner for line in lines for runner, pattern in sayings if _compiled(pattern).fullmatch(line))
    return list(dict.fromkeys(heard))
