"""ast-grep's `--json=stream`, one match a line, and `--json=compact|pretty`, one list; it counts from 0.

In a stream nothing at all is what it prints when nothing matches.
"""

from collections.abc import Iterator

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import document, lines, listed, needed, shape, table, value
from donewhen.verify.quality.reading.values import at, first, level, number, placed, said, severity, word

_TOOL = "ast-grep"
_PATTERN = "pattern"  # a search without a rule


def read(text: str, folder: str) -> tuple[Violation, ...]:
    return first(_violation(row, place, folder) for place, row in _matches(text))


def _matches(text: str) -> Iterator[tuple[str, object]]:
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        for index, row in enumerate(listed(document(text, _TOOL), _TOOL, "$")):
            yield f"$[{index}]", row
        return
    for count, line in lines(text):
        yield f"$[{count}]", value(line, _TOOL)


def _violation(data: object, place: str, folder: str) -> Violation:
    row = table(data, _TOOL, place)
    start = at(row, "range", "start")
    if not isinstance(start, dict):
        raise shape(_TOOL, f"{place}.range.start", "{…}")
    return Violation(
        word(row.get("ruleId")) or _PATTERN,
        said(row.get("message")) or word(row.get("text")),
        placed(needed(row, "file", _TOOL, place) and row["file"], folder),
        number(start.get("line"), 1),
        number(start.get("column"), 1),
        severity(row.get("severity")),
        level=level(at(row, "metadata", "level")),
        fixable=isinstance(row.get("replacement"), str),
        fix=said(row.get("note")),
    )
