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
    tool_data,
    unknown_line,
    word,
)

_LONGEST_LINE = 2_000
_NEVER = "(?!)"


class LineForm(NamedTuple):
    """`severities` by the pattern's `kind`, else by how a rule starts; others are errors."""

    pattern: str
    beside: str = _NEVER  # no findings
    failed: str = _NEVER  # it did not look at the code
    goes_on: str = _NEVER  # belongs to the finding before it
    severities: Mapping[str, Severity] = MappingProxyType({})
    rule: str = ""  # of what names none
    prefix: str = ""  # before the rule
    first_column: int = 1


_FORMS = {name: LineForm(**form) for name, form in tool_data()["lines"].items()}
LINE_TOOLS = frozenset(_FORMS)


def read_lines(tool: str, text: str, folder: str) -> tuple[Violation, ...]:
    form = _FORMS[tool]
    found: list[Violation] = []
    for count, line in lines(text):
        failed, beside = re.match(form.failed, line), re.match(form.beside, line)
        if failed and not (beside and found):
            raise gave_up(tool, line)
        seen = None if beside else re.match(form.pattern, line)
        if seen and len(found) < MOST:
            _add(found, _violation(form, seen, folder))
        elif seen or beside:
            continue
        elif found and re.match(form.goes_on, line):
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
        {**SEVERITIES, **form.severities}.get(told.get("kind") or rule[:1], "error"),
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
