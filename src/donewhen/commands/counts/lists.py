"""Runners whose summary is one line with a list of numbers and words: `1 failed, 2 passed in 0.06s`."""

import re
from functools import cache
from typing import NamedTuple

from donewhen.commands.counts.model import collect
from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted, pairs_in
from donewhen.core.counts import Counts

_N = r"\d{1,9}"
_LIST = rf"(?P<list>{_N} [a-z][a-zA-Z0-9 ,]{{0,300}})"
_PYTEST = (
    rf"{_N} (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|reruns?"
    r"|subtests? (?:passed|failed|skipped))"
)
_TIME = r"(?P<time>[\d.:]{1,20} ?(?:ms|µs|us|ns|s|m|h|secs?|seconds?|minutes?)?)"


class Shape(NamedTuple):
    runner: str
    pattern: str
    separator: str = ", "


SHAPES: tuple[Shape, ...] = (
    Shape(
        "pytest",
        rf"=* ?(?P<list>{_PYTEST}(?:, {_PYTEST}){{0,11}}) in {_TIME}(?: \([\d:, a-z]{{1,40}}\))? ?=*",
    ),
    Shape(
        "cargo",
        rf"test result: (?:ok|FAILED)\. (?P<list>{_N} passed; [\w ;]{{1,200}}?)(?:; finished in {_TIME})?",
        "; ",
    ),
    Shape("nextest", rf"\s+Summary \[\s*{_TIME}\] {_N}(?:/{_N})? tests? run: {_LIST}"),
    Shape("deno", rf"(?:ok|FAILED) \| (?P<list>{_N} passed[\w |]{{1,200}}?)(?: \({_TIME}\))?", " | "),
    Shape("rspec", rf"(?P<list>{_N} examples?, {_N} failures?[\w ,]{{0,200}})"),
    Shape("minitest", rf"(?P<list>{_N} runs, {_N} assertions, {_N} failures, {_N} errors, {_N} skips)"),
    Shape("test-unit", rf"(?P<list>{_N} tests, {_N} assertions, {_N} failures, {_N} errors[\w ,]{{0,200}})"),
    Shape(
        "exunit",
        rf"(?P<list>(?:{_N} (?:doctests?|propert(?:y|ies)), ){{0,2}}"
        rf"{_N} (?:tests?|doctests?|propert(?:y|ies)), {_N} failures?[\w ,]{{0,200}}?)(?: in {_TIME})?",
    ),
    Shape("jasmine", rf"(?P<list>{_N} specs?, {_N} failures?[\w ,]{{0,200}})"),
    Shape("gradle", rf"(?P<list>{_N} tests? completed, [\w ,]{{1,200}})"),
    Shape("robot", rf"(?P<list>{_N} tests?, {_N} passed, {_N} failed[\w ,]{{0,200}})"),
    Shape("gotestsum", rf"DONE (?:{_N} runs?, )?{_LIST} in {_TIME}"),
    Shape(
        "busted",
        rf"(?P<list>{_N} success(?:es)? / {_N} failures? / {_N} errors? / {_N} pending) : {_TIME}",
        " / ",
    ),
    Shape("cucumber", rf"{_N} scenarios? \((?P<list>[\w ,]{{1,200}})\)"),
    Shape("zig", rf"(?P<list>{_N} passed; {_N} skipped; {_N} failed)\.", "; "),
)
# One summary per suite, the last one of all of them.
_CUMULATIVE = ("robot",)
_ASIDE = re.compile(r" \(\d{1,9} (?:steps?|slow|leaky|flaky)[^()]{0,60}\)")


def read_lists(lines: Lines) -> list[Counts]:
    return collect(lines, _read, _CUMULATIVE)


_compiled = cache(re.compile)


def _read(line: str) -> Counts | None:
    if not any(character.isdigit() for character in line[:80]):
        return None
    line = _ASIDE.sub("", line)
    for shape in SHAPES:
        found = _compiled(shape.pattern).fullmatch(line)
        pairs = pairs_in(found["list"], shape.separator) if found else None
        if found and pairs:
            return counted(shape.runner, pairs, seconds=found.groupdict().get("time"))
    return None
