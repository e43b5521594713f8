"""golangci-lint's JSON, of versions 1 and 2; the second writes sums behind it unless told otherwise."""

import re
from typing import Any

from donewhen.core.quality.model import Unreadable, Violation
from donewhen.verify.quality.reading.loading import (
    LARGEST,
    gave_up,
    leading,
    lines,
    listed,
    needed,
    table,
    unknown_line,
)
from donewhen.verify.quality.reading.values import (
    at,
    first,
    level,
    number,
    placed,
    rows,
    said,
    severity,
    word,
)

_TOOL = "golangci-lint"
_SUMS = re.compile(r"\d+ issues?[.:]$|\* [\w-]+: \d+$")


def read(text: str, folder: str) -> tuple[Violation, ...]:
    shown = text.removeprefix("\ufeff").lstrip()[:LARGEST]
    if not shown:
        raise Unreadable("toolreading.nothing", tool=_TOOL, form="JSON")
    data, end = leading(shown, _TOOL)
    for count, line in lines(shown[end:]):
        if not _SUMS.match(line):
            raise unknown_line(_TOOL, count, line)
    whole = table(data, _TOOL, "$")
    trouble = said(at(whole, "Report", "Error"))
    if trouble:
        raise gave_up(_TOOL, trouble)
    if "Issues" not in whole:
        listed(None, _TOOL, "$.Issues")
    found = listed(whole["Issues"] or [], _TOOL, "$.Issues")  # null where there are none
    return first(_violation(row, f"$.Issues[{index}]", folder) for index, row in enumerate(found))


def _violation(data: object, place: str, folder: str) -> Violation:
    row: dict[str, Any] = table(data, _TOOL, place)
    fixes = rows(row.get("SuggestedFixes"))
    return Violation(
        word(needed(row, "FromLinter", _TOOL, place)),
        needed(row, "Text", _TOOL, place),
        placed(at(row, "Pos", "Filename"), folder),
        number(at(row, "Pos", "Line")),
        number(at(row, "Pos", "Column")),
        severity(row.get("Severity")),
        level=level(row.get("Severity")),
        fixable=bool(fixes) or isinstance(row.get("Replacement"), dict),
        fix=said(at(fixes[0], "Message")) if fixes else "",
    )
