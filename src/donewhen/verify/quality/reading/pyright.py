"""pyright's and basedpyright's `--outputjson`; lines and columns count from 0 there."""

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import document, gave_up, listed, needed, table
from donewhen.verify.quality.reading.values import at, first, number, placed, severity, word

_TOOL = "pyright"
_UNUSED = ("unreachable", "unused code", "unusedcode", "deprecated")  # greys text in an editor, no complaint


def read(text: str, folder: str) -> tuple[Violation, ...]:
    whole = table(document(text, _TOOL), _TOOL, "$")
    found = listed(whole.get("generalDiagnostics"), _TOOL, "$.generalDiagnostics")
    if at(whole, "summary", "filesAnalyzed") == 0:
        raise gave_up(_TOOL, "0 files analyzed")
    rows = [(row, f"$.generalDiagnostics[{index}]") for index, row in enumerate(found)]
    return first(
        _violation(row, place, folder) for row, place in rows if word(at(row, "severity")) not in _UNUSED
    )


def _violation(data: object, place: str, folder: str) -> Violation:
    row = table(data, _TOOL, place)
    start = at(row, "range", "start")
    known = start is not None
    return Violation(
        word(row.get("rule")) or "syntax",
        needed(row, "message", _TOOL, place),
        placed(row.get("file"), folder),
        number(at(start, "line"), 1) if known else 0,
        number(at(start, "character"), 1) if known else 0,
        severity(row.get("severity")),
    )
