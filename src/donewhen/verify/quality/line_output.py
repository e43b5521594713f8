"""Tools that print a line for each finding, and lines that a pattern of the user's reads.

A row a tool has its pattern, the lines that it prints beside its findings, and those that say that it did not
look at the code. Any other line makes the whole unreadable.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.quality.model import Severity, Unreadable, Violation
from donewhen.verify.quality.tool_output import (
    MOST,
    SEVERITIES,
    first,
    gave_up,
    joined,
    level,
    lines,
    number,
    placed,
    said,
    severity,
    unknown_line,
    word,
)

_PLACE = r"(?P<file>[^\n]{1,4096}?):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)? "
_LONGEST_LINE = 2_000
_NEVER = re.compile(r"(?!)")
_NOT_LOADED = (
    r"cannot find (?:module|package)|no required module provides|missing go\.sum entry"
    r"|is not in (?:GOROOT|std)|could not import|module lookup disabled"
    r"|updates to go\.(?:mod|sum) needed|requires go >= "
)


class LineForm(NamedTuple):
    """`severities` by the pattern's `kind`, else by how a rule starts; others are errors."""

    pattern: re.Pattern[str]
    beside: re.Pattern[str] = _NEVER  # no findings
    failed: re.Pattern[str] = _NEVER  # it did not look at the code
    severities: Mapping[str, Severity] = SEVERITIES
    rule: str = ""  # of what names none
    prefix: str = ""  # before the rule
    first_column: int = 1
    goes_on: re.Pattern[str] = _NEVER  # belongs to the finding before it


_FORMS: Mapping[str, LineForm] = MappingProxyType(
    {
        "flake8": LineForm(
            re.compile(_PLACE + r"(?P<rule>[A-Z]{1,4}\d{1,5}) (?P<message>.*)"), re.compile(r"\d+$")
        ),
        "pylint": LineForm(
            re.compile(_PLACE + r"(?P<rule>[A-Z]\d{4}) \((?:[\w-]{0,99})\) (?P<message>.*)"),
            re.compile(r"\*{3,} Module |-+$|Your code has been rated "),
            severities={"C": "warning", "R": "warning", "I": "note"},
            first_column=0,
            goes_on=re.compile(r"(?!\*{3,} Module |-+$|Your code has been rated )"),
        ),
        "ty": LineForm(
            re.compile(_PLACE + r"(?P<kind>\w{1,20})\[(?P<rule>[\w-]{1,99})\] (?P<message>.*)"),
            re.compile(r"Found \d+ diagnostics?|All checks passed|WARN "),
        ),
        "mypy": LineForm(
            re.compile(
                r"(?P<file>.+?):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)?(?:\d{1,9}:\d{1,9}:)?"
                r" (?P<kind>error|warning|note): (?P<message>.*?)(?:  \[(?P<rule>[\w-]{1,60})\])?$"
            ),
            re.compile(r"Success: |Found \d+ errors? in |Warning: |[^:{]{1,400}: note: unused section"),
            re.compile(
                r".*: error: INTERNAL ERROR|(?:(?!:\d+:).){1,4096}?: (?:error|fatal): "
                r"|Found .*prevented further"
            ),
            rule="misc",
        ),
        "tsc": LineForm(
            re.compile(
                r"(?P<file>.+?)\((?P<line>\d{1,9}),(?P<column>\d{1,9})\): "
                r"(?P<kind>error|warning|message) TS(?P<rule>\d{1,6}): (?P<message>.*)$"
            ),
            re.compile(r"Found \d+ errors?|\[?\d\d:\d\d:\d\d|Files:|TSFILE: "),
            re.compile(  # options that nobody knows (5023 …) don't keep it from looking
                r"(?:fatal )?error TS\d{1,6}: "
                r"|.+\.json\(\d+,\d+\): error TS(?!5023|5024|5025|6046)[56]\d{3}: "
            ),
            {**SEVERITIES, "message": "note"},
            prefix="TS",
            goes_on=re.compile(r" "),
        ),
        "go vet": LineForm(
            re.compile(
                r"(?:vet: )?(?P<file>[^:\n]+\.\w{1,20}):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?: "
                r"(?P<message>.*)$"
            ),
            re.compile(
                r"# |go: (?:downloading|finding|extracting|found|added|upgraded) |exit status \d|FAIL\b"
            ),
            re.compile(
                rf".*(?:{_NOT_LOADED})|go: (?!downloading|finding|extracting|found|added|upgraded)"
                r"|pattern |package |vet: (?![^:\n]+\.\w{1,20}:\d)|no Go files"
            ),
            rule="vet",
            goes_on=re.compile(r"[\t ]"),
        ),
        "lizard": LineForm(
            re.compile(
                r"(?P<file>.+?):(?P<line>\d{1,9}): warning: "
                r"(?P<message>(?P<subject>.{0,2000}) has \d{1,9} NLOC, (?P<value>\d{1,9}) CCN), "
            ),
            re.compile(r"WARNING: "),
            rule="complexity",
        ),
    }
)
LINE_TOOLS = frozenset(_FORMS)


def read_lines(tool: str, text: str, folder: str) -> tuple[Violation, ...]:
    form = _FORMS[tool]
    found: list[Violation] = []
    for count, line in lines(text):
        failed, beside = form.failed.match(line), form.beside.match(line)
        if failed and not (beside and found):
            raise gave_up(tool, line)
        seen = None if beside else form.pattern.match(line)
        if seen and len(found) < MOST:
            _add(found, _violation(form, seen, folder))
        elif seen or beside:
            continue
        elif found and form.goes_on.match(line):
            found[-1] = found[-1]._replace(message=joined(found[-1].message, line))
        else:
            raise unknown_line(tool, count, line)
    return tuple(found)


def _add(found: list[Violation], one: Violation) -> None:
    """A note about the place of the finding before it is what to do there."""
    if one.severity == "note" and found and found[-1].severity == "error" and one[2:4] == found[-1][2:4]:
        found[-1] = found[-1]._replace(fix=joined(found[-1].fix, one.message))
    else:
        found.append(one)


def _violation(form: LineForm, seen: re.Match[str], folder: str) -> Violation:
    told = {name: text or "" for name, text in seen.groupdict().items()}
    rule = word(f"{form.prefix}{told['rule']}") if told.get("rule") else form.rule
    value = told.get("value")
    subject = word(told.get("subject"))
    return Violation(
        rule,
        f"{subject} has a cyclomatic complexity of {value}" if value else said(told["message"]) or rule,
        placed(told["file"], folder),
        number(told["line"]),
        number(told["column"], 1 - form.first_column) if told.get("column") else 0,
        form.severities.get(told.get("kind") or rule[:1], "error"),
        subject=subject,
        value=float(value) if value else None,
    )


def read_pattern(pattern: str, text: str, folder: str) -> tuple[Violation, ...]:
    """Lines of a gate of the user's own: groups file, line, message, and maybe column, rule, severity.

    A text that matches nowhere gives nothing: whether that is good, the command's exit code says.
    """
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as wrong:
        raise Unreadable("toolreading.pattern", tool="regex", why=said(str(wrong), 200)) from None
    found = (compiled.search(line[:_LONGEST_LINE]) for _, line in lines(text))
    return first(_matched(one, folder) for one in found if one is not None)


def _matched(found: re.Match[str], folder: str) -> Violation:
    told = {name: (text or "").strip() for name, text in found.groupdict().items()}
    rule = word(told.get("rule"))
    return Violation(
        rule or "finding",
        said(told.get("message")) or rule or word(found[0]),
        placed(told.get("file"), folder),
        number(told.get("line")),
        number(told.get("column")),
        severity(told.get("severity")),
        level=level(told.get("severity")),
    )
