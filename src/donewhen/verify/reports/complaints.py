"""Complaints of compilers, linters and type checkers: one line each, or a heading and the place below it.

Warnings and notes are left out where the tool says so; what has no place in the project is none.
"""

import re
from collections.abc import Iterator

from donewhen.core.counts.text import Lines
from donewhen.verify.reports.model import LONGEST_MESSAGE, MOST_FAILURES, Failure
from donewhen.verify.reports.places import inside

_FILE = r"(?P<file>(?:[A-Za-z]:)?[^\s:(][^:(\t]{0,250}?\.[A-Za-z]\w{0,9})"
_LINE = r"(?P<line>\d{1,7})"
_COLUMN = r"(?P<column>\d{1,6})"
_SEVERITY = r"(?:(?P<severity>(?:fatal )?[Ee]rror|[Ww]arning|[Nn]ote|[Ii]nfo(?:rmation)?|[Hh]int)\b)"
_RULE = r"(?:\s+[\[(](?P<tail>[\w./@-]{2,60})[\])])?"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # tsc: a.ts(3,5): error TS2322: …   and, for people, a.ts:3:5 - error TS2322: …
        rf"\s*{_FILE}\({_LINE},{_COLUMN}\): {_SEVERITY}(?: (?P<rule>[A-Z]{{2,}}\d+))?: (?P<message>.+)",
        rf"\s*{_FILE}:{_LINE}:{_COLUMN} - {_SEVERITY}(?: (?P<rule>TS\d+))?: (?P<message>.+?){_RULE}",
        # maven: [ERROR] /a/B.java:[3,5] …
        rf"\[(?P<severity>ERROR|WARNING)\] {_FILE}:\[{_LINE},{_COLUMN}\] (?P<message>.+)",
        # ruff, flake8, pylint: a.py:1:1: F401 …
        rf"\s*{_FILE}:{_LINE}(?::{_COLUMN})?: (?P<rule>[A-Z]{{1,5}}\d{{3,5}}):? (?:\[\*\] )?(?P<message>.+)",
        # gcc, clang, javac, mypy, go, swift: a.c:3:5: error: …
        rf"\s*(?:vet: )?(?:\./)?{_FILE}:{_LINE}(?::{_COLUMN})?: {_SEVERITY}: (?P<message>.+?){_RULE}",
        rf"\s*(?:vet: )?(?:\./)?(?P<file>[^\s:(][^:(\t]{{0,250}}?\.go):{_LINE}:{_COLUMN}: "
        rf"(?P<message>.+?){_RULE}",
    )
)
_HEADING = re.compile(  # rustc, clippy, ruff: the place follows below
    rf"(?:{_SEVERITY}(?:\[(?P<rule>[\w:]+)\])?: (?P<message>.+)"
    rf"|(?P<code>[A-Z]{{1,5}}\d{{3,5}}) (?:\[\*\] )?(?P<text>\S.+))"
)
_ARROW = re.compile(rf"\s*--> {_FILE}:{_LINE}:{_COLUMN}\s*")
_ESLINT_FILE = re.compile(r"(?P<file>(?:[A-Za-z]:)?\S.{0,250}\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|md|html))")
_ESLINT = re.compile(
    rf"\s+{_LINE}:{_COLUMN}\s+(?P<severity>error|warning)\s+(?P<message>\S.*?)(?:\s\s+(?P<rule>\S+))?"
)
_HARMLESS = ("warning", "note", "info", "information", "hint")
_NEAR = 4  # lines from a heading to its place


def complaints(lines: Lines, root: str = "") -> tuple[Failure, ...]:
    """What the lines complain of, in their order."""
    found: list[Failure] = []
    for failure in _all(lines, root):
        found.append(failure)
        if len(found) >= MOST_FAILURES:
            break
    return tuple(found)


def _all(lines: Lines, root: str) -> Iterator[Failure]:
    heading: tuple[int, re.Match[str]] | None = None
    listed = ""  # the file whose complaints follow, as eslint tells them
    for number, line in enumerate(lines):
        below = _ESLINT.fullmatch(line)
        if below and listed:
            yield from _one(below, listed, root)
            continue
        single = next((found for each in _PATTERNS if (found := each.fullmatch(line))), None)
        if single:
            yield from _one(single, single["file"], root)
            continue
        arrow = _ARROW.fullmatch(line)
        if arrow and heading and number - heading[0] <= _NEAR:
            yield from _headed(heading[1], arrow, root)
            heading = None
            continue
        header = _HEADING.fullmatch(line)
        heading = (number, header) if header else heading
        file = _ESLINT_FILE.fullmatch(line)
        listed = file["file"] if file else listed


def _one(found: re.Match[str], file: str, root: str) -> Iterator[Failure]:
    told = found.groupdict()
    path = inside(file, root)
    if not path or (told.get("severity") or "error").lower() in _HARMLESS:
        return
    rule = told.get("rule") or told.get("tail") or ""
    yield Failure(
        "",
        path,
        int(told["line"]),
        told["message"].strip()[:LONGEST_MESSAGE],
        kind="error",
        column=int(told.get("column") or 0),
        rule=rule,
    )


def _headed(header: re.Match[str], arrow: re.Match[str], root: str) -> Iterator[Failure]:
    path = inside(arrow["file"], root)
    if not path or (header["severity"] or "error").lower() in _HARMLESS:
        return
    message = (header["message"] or header["text"]).strip()[:LONGEST_MESSAGE]
    rule = header["rule"] or header["code"] or ""
    yield Failure("", path, int(arrow["line"]), message, kind="error", column=int(arrow["column"]), rule=rule)
