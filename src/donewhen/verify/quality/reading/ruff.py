"""ruff's `--output-format json`: one list; syntax errors have no code in older versions."""

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import document, listed, needed, table
from donewhen.verify.quality.reading.values import at, first, number, placed, said, severity, word

_TOOL = "ruff"
_MENDS_ITSELF = ("safe", "always", "automatic")  # the last two are what older versions say


def read(text: str, folder: str) -> tuple[Violation, ...]:
    found = listed(document(text, _TOOL), _TOOL, "$")
    return first(_violation(row, f"$[{index}]", folder) for index, row in enumerate(found))


def _violation(data: object, place: str, folder: str) -> Violation:
    row = table(data, _TOOL, place)
    cell = number(row.get("cell"))
    return Violation(
        word(row.get("code")) or "invalid-syntax",
        needed(row, "message", _TOOL, place),
        placed(row.get("filename"), folder),
        number(at(row, "location", "row")),
        number(at(row, "location", "column")),
        severity(row.get("severity")),
        subject=f"cell {cell}" if cell else "",  # of a notebook, whose cells count their own lines
        fixable=word(at(row, "fix", "applicability")).lower() in _MENDS_ITSELF,
        fix=said(at(row, "fix", "message")),
    )
