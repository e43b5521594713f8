"""The names of failed tests, where a runner prints them at the start of a line."""

import re
from collections.abc import Mapping
from functools import cache

from donewhen.commands.counts.text import Lines

MOST = 5
LONGEST = 200

_PATTERNS: Mapping[str, tuple[str, ...]] = {
    "pytest": (r"(?:FAILED|ERROR) (?P<name>\S[^ ]*(?:\[.{0,120}\])?)(?: - .*)?",),
    "unittest": (r"(?:FAIL|ERROR): (?P<name>\S.*)",),
    "vitest": (r"\s*(?:FAIL|×) {1,3}(?P<name>\S.* > .*?)(?: \d+ms)?",),
    "jest": (r" {2}● (?P<name>.+ › .+)",),
    "node": (r"✖ (?P<name>(?!failing tests:).+?)(?: \([\d.]+ms\))?", r"not ok \d+ - (?P<name>.+)"),
    "tap": (r"not ok(?: \d+)?(?: -)? (?P<name>(?!.*# ?(?:TODO|SKIP|todo|skip)).+)",),
    "playwright": (r" {4}(?P<name>\[.+\] › .+?)[ ─]*",),
    "go": (r"\s*--- FAIL: (?P<name>\S+).*",),
    "cargo": (r"test (?P<name>.+?) \.\.\. FAILED",),
    "nextest": (r"\s+FAIL \[.{1,20}\] (?P<name>.+)",),
    "maven": (r"(?:\[ERROR\] +)?(?P<name>[\w.$()\[\]]+)(?: --)? +Time elapsed: .+ <<< (?:FAILURE|ERROR)!.*",),
    "gradle": (r"(?P<name>\S.* > .+) FAILED",),
    "gradle-tests": (r"(?P<name>\S.* > .+) FAILED",),
    "dotnet": (r"\s+Failed (?P<name>\S.*) \[.{1,20}\]",),
    "rspec": (r"rspec (?P<name>\S+.*)",),
    "phpunit": (r"\d+\) (?P<name>\S+::\S.*)",),
    "exunit": (r"\s+\d+\) (?P<name>test .+)",),
    "minitest": (r"\s*(?:\d+\) )?(?:Failure|Error):?\s*(?P<name>\S+#\S+).*",),
    "ctest": (r"\s+\d+ - (?P<name>.+?) \((?:Failed|Timeout|SEGFAULT|Exception.*|Not Run)\).*",),
    "googletest": (r"\[ {2}FAILED {2}\] (?P<name>\w+\.\w\S*).*",),
    "mocha": (r" {2}\d+\) (?P<name>.+)",),
    "bun": (r"(?:\(fail\)|✗) (?P<name>.+?)(?: \[[\d.]+m?s\])?",),
}
_compiled = cache(re.compile)


def failed_names(runner: str, lines: Lines) -> tuple[str, ...]:
    """The first few, each once."""
    patterns = [_compiled(pattern) for pattern in _PATTERNS.get(runner, ())]
    names: dict[str, None] = {}
    for line in lines:
        for pattern in patterns:
            found = pattern.fullmatch(line[: 2 * LONGEST])
            if found:
                names.setdefault(found["name"].strip()[:LONGEST])
        if len(names) >= MOST:
            break
    return tuple(names)[:MOST]
