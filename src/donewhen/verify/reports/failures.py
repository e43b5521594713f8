"""Failures from what a command printed, where it wrote no report.

Printed text can be forged by the tests themselves; nothing here decides a verdict, it only shows people and
agents where to look. Each runner is a row of a table: where the story of a failure begins and where it ends.
At most fifty failures, in the order of the text, the same for the same text.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from donewhen.core.counts.text import Lines, readable
from donewhen.verify.reports.complaints import complaints
from donewhen.verify.reports.model import (
    LONGEST_MESSAGE,
    LONGEST_NAME,
    MOST_FAILURES,
    Failure,
    FailureKind,
    cut,
)
from donewhen.verify.reports.places import Place, inside, place_in
from donewhen.verify.reports.printed_pytest import pytest_failures

_LONGEST_BLOCK = 80  # lines
_LOOK_BACK = 12
_LONGEST_LINE = 500  # of what is matched; beyond, hostile lines would cost too much
_TELLS = re.compile(
    r"\s*(?:\[?[\w.$:]*(?:Error|Exception|Failure|Failed|Panic)\b.*|E  +.+|Failed asserting .*|error: .+"
    r"|Expected\b.*|(?:assertion|Assertion).*|panic: .*|expect\(.*|Message: .*)"
)
_PANICKED = re.compile(r"thread '.{0,200}' (?:\(\d+\) )?panicked at [^,]{0,300}:\d+:\d+:\s*$")
_QUOTED = re.compile(r"\s*error: ?(?P<text>'.*'|\".*\"|[^|>\s].*)\s*$")
_TAP_PLACE = re.compile(
    r"\s*(?:at|location): ?'?(?:.{0,200}\()?(?:file://)?(?P<file>[^:'()]{1,300}):(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?"
)
_NAMED_FILE = re.compile(r"(?P<file>[\w@./-]{1,250}\.[a-z]{1,5})(?: > | › |$)")


class Dialect(NamedTuple):
    """How one runner tells a failure; patterns hold for a whole line."""

    start: str
    end: str
    after: str = ""  # a line that must have come before: such lists stand elsewhere too
    skip: str = ""  # starts that are no failures
    looks_back: bool = False  # the place stands before the line that says so
    tells_last: bool = False  # the last line that tells is the cause, as in a Python traceback


_DIALECTS: tuple[Dialect, ...] = (
    Dialect(  # unittest, nose, Django, trial
        r"(?P<kind>FAIL|ERROR): (?P<name>\S.*)", r"={20,}|Ran \d+ tests? in .*", tells_last=True
    ),
    Dialect(  # go
        r"\s*--- FAIL: (?P<name>\S+).*",
        r"\s*---? (?:PASS|SKIP|FAIL).*|=== .*|FAIL\b.*|ok\s.*|PASS|exit status .*",
        looks_back=True,
    ),
    Dialect(r"---- (?P<name>.+?) stdout ----", r"failures:|test result: .*"),  # cargo
    Dialect(  # vitest
        r"\s*FAIL {1,3}(?:\|.{1,60}\| )?(?P<name>\S.* > .*|\S+ \[ \S+ \])", r"⎯{5,}.*|\s*Test Files .*"
    ),
    Dialect(  # jest
        r" {2}● (?P<name>\S.*)",
        r"Test Suites: .*|Tests: {2,}.*|(?:PASS|FAIL) \S+.*|-{20,}.*|Summary of all failing tests",
        skip=r" {2}● (?:Console|Validation Warning|Deprecation Warning|.*Obsolete.*|Cannot log after.*).*",
    ),
    Dialect(  # node --test
        r"✖ (?P<name>.+?) \([\d.]+ms\)(?: #.*)?", r"test at .*", after=r"✖ failing tests:", looks_back=True
    ),
    Dialect(  # mocha
        r" {1,4}\d+\) (?P<name>\S.*)",
        r"-{20,}.*|=+ Coverage.*|npm (?:ERR!|error).*",
        after=r"\s*\d+ failing\s*",
    ),
    Dialect(r" {1,4}\d+\) (?P<name>\S.*)", r"Finished in .*|Failed examples:", after=r"Failures:"),  # rspec
    Dialect(  # phpunit
        r"\d+\) (?P<name>\S.*)",
        r"-{2}|FAILURES!|ERRORS!|Tests: \d.*|There (?:was|were) .*",
        after=r"There (?:was|were) \d+ (?:failure|error)s?:",
    ),
    Dialect(  # gradle
        r"(?P<name>\S.* > .+) FAILED",
        r"\S.* > .+ (?:PASSED|SKIPPED|STANDARD_OUT|STANDARD_ERROR)|\d+ tests? completed.*"
        r"|> Task .*|FAILURE: .*",
    ),
    Dialect(  # dotnet
        r"\s*(?:Failed|X) (?P<name>\S+.*?) \[[^\]]{1,40}\]",
        r"\s*(?:Passed|Skipped) .* \[[^\]]{1,40}\]|(?:Failed|Passed)! .*|Total tests: .*|Test Run .*",
    ),
    Dialect(  # TAP
        r"\s*not ok\b(?: \d+)?(?: -)? ?(?P<name>.*)",
        r"\s*(?:ok|not ok) \d+.*|\s*1\.\.\d+.*|# (?:tests|Subtest|fail|pass)\b.*",
        skip=r".*# ?(?:TODO|SKIP|todo|skip)\b.*",
    ),
)


def failures_in(text: str, root: str = "") -> tuple[Failure, ...]:
    """What the output says failed: tests first; else the complaints of compilers and linters."""
    lines = [line[:_LONGEST_LINE] for line in readable(text)]
    found = pytest_failures(lines, root)
    for dialect in _DIALECTS if not found else ():
        found = _told(dialect, lines, root)
        if found:
            break
    more = () if found else complaints(lines, root)
    return tuple(dict.fromkeys((*found, *more)))[:MOST_FAILURES]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _told(dialect: Dialect, lines: Lines, root: str) -> list[Failure]:
    failures: list[Failure] = []
    for start, block in _blocks(dialect, lines):
        found = _compiled(dialect.start).fullmatch(block[0])
        assert found is not None
        if "subtestsFailed" in "".join(block[:12]):  # told by the subtest itself
            continue
        before = lines[max(0, start - _LOOK_BACK) : start] if dialect.looks_back else ()
        failures.append(_failure(found, block, before, dialect, root))
        if len(failures) >= MOST_FAILURES:
            break
    return failures


def _blocks(dialect: Dialect, lines: Lines) -> Iterator[tuple[int, list[str]]]:
    start, end = _compiled(dialect.start), _compiled(dialect.end)
    after, skip = _compiled(dialect.after), _compiled(dialect.skip)
    began = not dialect.after
    at, block = 0, list[str]()
    for number, line in enumerate(lines):
        began = began or bool(after.fullmatch(line))
        starts = began and start.fullmatch(line) and not (dialect.skip and skip.fullmatch(line))
        if block and (starts or end.fullmatch(line)):
            yield at, block
            block = []
        if starts:
            at, block = number, [line]
        elif block and len(block) < _LONGEST_BLOCK:
            block.append(line)
    if block:
        yield at, block


def _failure(
    found: re.Match[str], block: Sequence[str], before: Sequence[str], dialect: Dialect, root: str
) -> Failure:
    name, body = _full_name(found["name"].strip(), block[1:])
    place = _place(body, before, root)
    kind: FailureKind = "error" if found.groupdict().get("kind") == "ERROR" else "failed"
    named = _NAMED_FILE.match(name)
    file = inside(named["file"], root) if named and not place else ""
    return Failure(
        name[:LONGEST_NAME],
        place.file if place else file,
        place.line if place else 0,
        _message(body, dialect.tells_last),
        cut("\n".join(block)),
        kind,
        place.column if place else 0,
    )


def _full_name(name: str, body: Sequence[str]) -> tuple[str, Sequence[str]]:
    """mocha breaks a title into indented lines, of which the last ends with a colon."""
    for taken, line in enumerate(body[:4], 1):
        if not line.startswith("      ") or _TELLS.fullmatch(line):
            break
        if line.endswith(":"):
            parts = (name, *(each.strip() for each in body[:taken]))
            return " › ".join(parts).removesuffix(":"), body[taken:]
    return name.removesuffix(":"), body


def _place(body: Sequence[str], before: Sequence[str], root: str) -> Place | None:
    for line in body:
        found = _TAP_PLACE.match(line)
        if found and not line.lstrip().startswith("at "):
            file = inside(found["file"], root)
            return Place(file, int(found["line"]), int(found["column"] or 0)) if file else None
    place = place_in("\n".join(body), root)
    if place or not before:
        return place
    told = [line.removeprefix("test at ").strip() for line in before]
    return next((each for line in reversed(told) if (each := place_in(line, root))), None)


def _message(body: Sequence[str], tells_last: bool) -> str:
    for number, line in enumerate(body):
        if _PANICKED.match(line) and number + 1 < len(body):
            return body[number + 1].strip()[:LONGEST_MESSAGE]
        quoted = _QUOTED.fullmatch(line)
        if quoted:
            return quoted["text"].strip("'\"")[:LONGEST_MESSAGE]
    telling = [line.strip() for line in body if _TELLS.fullmatch(line)]
    if telling:
        return telling[-1 if tells_last else 0][:LONGEST_MESSAGE]
    plain = [line.strip() for line in body if line.strip(" -=")]
    return plain[0][:LONGEST_MESSAGE] if plain else ""
