"""Readers of tools that print `file:line:column: rule message`: flake8, pylint and ty.

Each tool has its pattern and the lines that it prints beside its complaints. Any other line makes the whole
unreadable: what is not understood is not taken for silence.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from donewhen.core.quality.model import Severity, Violation
from donewhen.verify.quality.reading.loading import lines, unknown_line
from donewhen.verify.quality.reading.values import MOST, number, placed, said, word

_PLACE = r"(?P<file>[^\n]{1,4096}?):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)? "


class Form(NamedTuple):
    pattern: re.Pattern[str]
    beside: re.Pattern[str]  # what it prints that is no complaint
    severities: Mapping[str, Severity]  # by how a rule starts, or by the word for it; others are errors
    first_column: int = 1
    goes_on: bool = False  # lines that belong to the complaint before them are possible


_FORMS: Mapping[str, Form] = {
    "flake8": Form(
        re.compile(_PLACE + r"(?P<rule>[A-Z]{1,4}\d{1,5}) (?P<message>.*)"), re.compile(r"\d+$"), {}
    ),
    "pylint": Form(
        re.compile(_PLACE + r"(?P<rule>[A-Z]\d{4}) \((?P<subject>[\w-]{0,99})\) (?P<message>.*)"),
        re.compile(r"\*{3,} Module |-+$|Your code has been rated "),
        {"C": "warning", "R": "warning", "I": "note"},
        first_column=0,
        goes_on=True,
    ),
    "ty": Form(
        re.compile(_PLACE + r"(?P<kind>\w{1,20})\[(?P<rule>[\w-]{1,99})\] (?P<message>.*)"),
        re.compile(r"Found \d+ diagnostics?|All checks passed|WARN "),
        {"warning": "warning", "info": "note"},
    ),
}


def line_reader(tool: str) -> Callable[[str, str], tuple[Violation, ...]]:
    return partial(_read, tool, _FORMS[tool])


def _read(tool: str, form: Form, text: str, folder: str) -> tuple[Violation, ...]:
    found: list[Violation] = []
    for count, line in lines(text):
        seen = form.pattern.match(line)
        if seen:
            if len(found) < MOST:
                found.append(_violation(form, seen, folder))
        elif form.goes_on and found and not form.beside.match(line):
            found[-1] = found[-1]._replace(message=said(f"{found[-1].message}\n{line}"))
        elif not form.beside.match(line):
            raise unknown_line(tool, count, line)
    return tuple(found)


def _violation(form: Form, seen: re.Match[str], folder: str) -> Violation:
    rule = word(seen["rule"])
    column = number(seen["column"], 1 - form.first_column) if seen["column"] is not None else 0
    kind = seen.groupdict().get("kind") or rule[:1]
    return Violation(
        rule,
        said(seen["message"]) or rule,
        placed(seen["file"], folder),
        number(seen["line"]),
        column,
        form.severities.get(kind, "error"),
    )
