"""Runners whose summary is a block of lines, each with one number: `# pass 5`, `12 passing (30ms)`."""

import re
from typing import NamedTuple

from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted
from donewhen.core.counts import Counts

_TIME = r"(?: \((?P<time>[\d.]{1,12} ?(?:ms|s|m|h))\))?"
_TOTALS = ("tests", "total", "total tests", "found")
_N = r"(?P<n>\d{1,9})"


class Block(NamedTuple):
    """`opens`: the word of its first line; empty: any word, and one that was already said opens anew."""

    runner: str
    line: re.Pattern[str]
    opens: str = ""


BLOCKS: tuple[Block, ...] = (
    Block("mocha", re.compile(rf"\s*{_N} (?P<word>passing|pending|failing){_TIME}"), "passing"),
    Block(
        "bun",
        re.compile(
            rf" {_N} (?P<word>pass|skip|todo|fail)"
            r"|(?P<head>Ran) \d{1,9} tests? across (?P<files>\d{1,9}) files?\. \[(?P<time>[\d.]{1,12}m?s)\]"
        ),
        "pass",
    ),
    Block(
        "node",
        re.compile(
            rf"(?:ℹ|#) (?P<word>tests|suites|pass|fail|cancelled|skipped|todo)\s+{_N}"
            r"|(?:ℹ|#) (?P<head>duration_ms) (?P<ms>[\d.]{1,20})"
        ),
        "tests",
    ),
    Block("automake", re.compile(rf"# (?P<word>TOTAL|PASS|SKIP|XFAIL|FAIL|XPASS|ERROR): +{_N}"), "total"),
    Block(
        "meson",
        re.compile(
            rf"(?P<word>Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout|Ignored): {{1,30}}{_N}\s*"
        ),
        "ok",
    ),
    Block("dotnet", re.compile(rf"\s*(?P<word>Total tests|Passed|Failed|Skipped): {_N}"), "total tests"),
    Block("dotnet", re.compile(rf"\s+(?P<word>total|failed|succeeded|skipped): {_N}"), "total"),
    Block(
        "junit",
        re.compile(rf"\[ {{1,20}}{_N} tests (?P<word>found|skipped|started|aborted|successful|failed) *\]"),
        "found",
    ),
    Block(
        "cypress",
        re.compile(rf"\s*│ (?P<word>Tests|Passing|Failing|Pending|Skipped): {{1,20}}{_N} *│"),
        "tests",
    ),
    Block(
        "ava",
        re.compile(
            rf" {{2}}{_N} (?:tests? (?P<word>passed|failed|skipped|todo)"
            r"|(?P<odd>known failures?|uncaught exceptions?|unhandled rejections?))"
        ),
    ),
    Block(
        "googletest",
        re.compile(rf"\[ {{1,2}}(?P<word>PASSED|FAILED|SKIPPED) {{1,2}}\] {_N} tests?[.,].{{0,40}}"),
        "passed",
    ),
    Block(
        "pytest",  # as its plugin "sugar" prints it
        re.compile(
            r"(?P<head>Results) \((?P<time>[\d.:msh]{1,20})\):"
            rf"| +{_N} (?P<word>passed|failed|skipped|xfailed|xpassed|deselected|error|rerun)"
        ),
        "results",
    ),
)


class _Draft(NamedTuple):
    numbers: dict[str, int]  # by word; the first one said counts
    texts: dict[str, str]  # time and files, as printed


def read_blocks(lines: Lines) -> list[Counts]:
    return [counts for block in BLOCKS for counts in _read(block, lines)]


def _read(block: Block, lines: Lines) -> list[Counts]:
    drafts: list[_Draft] = []
    for line in lines:
        found = block.line.fullmatch(line)
        if not found:
            continue
        groups = found.groupdict()
        word = next(groups[name] for name in ("word", "odd", "head") if groups.get(name)).lower()
        if _begins(block, drafts, word):
            drafts.append(_Draft({}, {}))
        if not drafts:
            continue
        if groups["n"]:
            drafts[-1].numbers.setdefault(word, int(groups["n"]))
        for name in ("time", "ms", "files"):
            if groups.get(name):
                drafts[-1].texts.setdefault(name, groups[name])
    return [_counts(block.runner, draft) for draft in drafts if draft.numbers]


def _begins(block: Block, drafts: list[_Draft], word: str) -> bool:
    if block.opens:
        return word == block.opens
    return not drafts or word in drafts[-1].numbers


def _counts(runner: str, draft: _Draft) -> Counts:
    """Where the passes are said, a total adds nothing: it may or may not include what was left out."""
    named = any(word in draft.numbers for word in ("pass", "passed", "passing", "succeeded", "successful"))
    pairs = [(n, word) for word, n in draft.numbers.items() if not (named and word in _TOTALS)]
    files = draft.texts.get("files")
    time = f"{draft.texts['ms']}ms" if "ms" in draft.texts else draft.texts.get("time")
    return counted(runner, pairs, int(files) if files else None, time)
