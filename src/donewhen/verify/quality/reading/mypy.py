"""mypy's `--output json`, one object a line, and the plain lines of versions before it.

Silence is what mypy prints when all is well, and also when its arguments were wrong: only its exit code tells
the two apart. Notes that belong to an error become its hint, as mypy itself has them in JSON.
"""

import re

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import gave_up, lines, needed, shape, table, unknown_line, value
from donewhen.verify.quality.reading.values import MOST, joined, number, placed, said, severity, word

_TOOL = "mypy"
_PLAIN = re.compile(
    r"(?P<file>.+?):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)?(?:\d{1,9}:\d{1,9}:)?"
    r" (?P<kind>error|warning|note): (?P<message>.*?)(?:  \[(?P<code>[\w-]{1,60})\])?$"
)
_PLACELESS = re.compile(r".{1,4096}?: (?:error|fatal): ")
_SUMMARY = re.compile(
    r"(?:Success: |Found \d+ errors? in |Warning: |Daemon |[^:{]{1,400}: note: unused section)"
)
_STOPPED = "errors prevented further checking"
_CRASH = "INTERNAL ERROR"


def read(text: str, folder: str) -> tuple[Violation, ...]:
    found: list[Violation] = []
    stopped = ""
    for count, line in lines(text):
        if _SUMMARY.match(line):
            stopped = line if _STOPPED in line else stopped
            continue
        one = _object(line, count, folder) if line.startswith("{") else _line(line, count, folder)
        if one.severity == "note" and found and one[2:4] == found[-1][2:4]:
            found[-1] = found[-1]._replace(fix=joined(found[-1].fix, one.message))
        elif len(found) < MOST:
            found.append(one)
    if stopped and not found:
        raise gave_up(_TOOL, stopped)
    return tuple(found)


def _object(line: str, count: int, folder: str) -> Violation:
    place = f"$[{count}]"
    row = table(value(line, _TOOL), _TOOL, place)
    message, degree = _message(needed(row, "message", _TOOL, place)), severity(row.get("severity"))
    if not isinstance(row.get("line"), int):
        raise shape(_TOOL, f"{place}.line", "123")
    if row["line"] < 1 and degree == "error":  # two modules of one name and the like: nothing was checked
        raise gave_up(_TOOL, message)
    return Violation(
        word(row.get("code")) or "misc",
        message,
        placed(needed(row, "file", _TOOL, place) and row["file"], folder),
        number(row["line"]),
        number(row.get("column"), 1),  # counts from 0 in JSON, from 1 in text
        degree,
        fix=said(row.get("hint")),
    )


def _line(line: str, count: int, folder: str) -> Violation:
    found = _PLAIN.match(line)
    if found is None:
        raise gave_up(_TOOL, line) if _PLACELESS.match(line) else unknown_line(_TOOL, count, line)
    return Violation(
        found["code"] or "misc",
        _message(said(found["message"])),
        placed(found["file"], folder),
        number(found["line"]),
        number(found["column"]),
        severity(found["kind"]),
    )


def _message(text: str) -> str:
    if text.startswith(_CRASH):
        raise gave_up(_TOOL, text)
    return text
