"""What `tsc --pretty false` prints: `file(line,column): error TS1234: message`, indented lines go on.

An error without a file, or one about the options in a tsconfig, keeps tsc from looking at any type (seen
with versions 5.9 and 7.0): that is no violation, it is a gate that could not run.
"""

import re

from donewhen.core.quality.model import Unreadable, Violation
from donewhen.verify.quality.reading.loading import gave_up, lines, unknown_line
from donewhen.verify.quality.reading.values import MOST, joined, number, placed, said, severity

_TOOL = "tsc"
_PLACED = re.compile(
    r"(?P<file>.+?)\((?P<line>\d{1,9}),(?P<column>\d{1,9})\): "
    r"(?P<kind>error|warning|message) TS(?P<code>\d{1,6}): (?P<message>.*)$"
)
_PLACELESS = re.compile(r"(?:error|fatal error) TS\d{1,6}: ")
_SUMMARY = re.compile(r"(?:Found \d+ errors?|\[?\d\d:\d\d:\d\d|Files:|TSFILE: )")
_STOPS = range(5000, 7000)
_GOES_ON = frozenset((5023, 5024, 5025, 6046))  # an option that nobody knows: tsc goes on without it


def read(text: str, folder: str) -> tuple[Violation, ...]:
    found: list[Violation] = []
    for count, line in lines(text):
        if line.startswith(" ") and found:
            found[-1] = found[-1]._replace(message=joined(found[-1].message, line))
        elif not _SUMMARY.match(line) and len(found) < MOST:
            found.append(_violation(line, count, folder))
    return tuple(found)


def _violation(line: str, count: int, folder: str) -> Violation:
    seen = _PLACED.match(line)
    if seen is None:
        raise _refusal(line, count)
    code = int(seen["code"])
    if seen["file"].endswith(".json") and code in _STOPS and code not in _GOES_ON:
        raise gave_up(_TOOL, line)
    return Violation(
        f"TS{code}",
        said(seen["message"]),
        placed(seen["file"], folder),
        number(seen["line"]),
        number(seen["column"]),
        severity(seen["kind"], "note"),
    )


def _refusal(line: str, count: int) -> Unreadable:
    return gave_up(_TOOL, line) if _PLACELESS.match(line) else unknown_line(_TOOL, count, line)
