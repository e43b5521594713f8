"""JSON of a user's own gate: a list of findings under the names that tools commonly use.

A list, or an object that holds one under a usual name. A finding that says neither what is wrong nor by which
rule is no finding: then the whole is unreadable, because the user would take silence for a pass.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import document, shape, table
from donewhen.verify.quality.reading.values import SEVERITIES, at, first, level, number, placed, said

_TOOL = "json"
_LISTS = ("findings", "results", "issues", "violations", "errors", "messages", "diagnostics")
_MOST_NAMES = 200
_LONGEST_RULE = 120

Paths = tuple[tuple[str, ...], ...]


def _paths(*names: str) -> Paths:
    return tuple(tuple(name.split(".")) for name in names)


# Names are compared in small letters without `_` and `-`: filePath, file_path and file-path are one.
_FILE = _paths(
    "file", "path", "filename", "filepath", "uri", "location.file", "location.path", "location.filename"
)
_LINE = _paths(
    *("line", "row", "linenumber", "startline", "beginline", "lineno", "location.row", "location.line"),
    *(
        "start.line",
        "start.row",
        "location.start.line",
        "location.lines.begin",
        "location.positions.begin.line",
    ),
)
_COLUMN = _paths(
    *("column", "col", "columnnumber", "startcolumn", "location.column", "location.col", "start.column"),
    *("start.col", "location.start.column", "location.positions.begin.column"),
)
_MESSAGE = _paths(
    "message", "text", "description", "msg", "reason", "title", "issuetext", "message.text", "extra.message"
)
_RULE = _paths(
    *("rule", "ruleid", "code", "id", "check", "checkid", "checkname", "testid", "messageid", "symbol"),
    *("rule.id", "code.value", "name"),
)
_DEGREE = _paths("severity", "level", "priority", "type", "extra.severity", "impact")
_FIX = _paths("fix", "suggestion", "fixsuggestion", "hint", "help", "fix.message")


def read(text: str, folder: str) -> tuple[Violation, ...]:
    return first(_violation(row, place, folder) for place, row in _rows(document(text, _TOOL)))


def _rows(data: object) -> Iterator[tuple[str, object]]:
    """Lists under more than one usual name are all read; null is an empty one."""
    lists: dict[str, Any] = {"$": data}
    if isinstance(data, dict):
        lists = {f"$.{name}": data[name] for name in data if name.lower() in _LISTS}
    if not lists:
        raise shape(_TOOL, "$", "[…], {" + " | ".join(_LISTS) + ": […]}")
    for place, found in lists.items():
        if found is not None and not isinstance(found, list):
            raise shape(_TOOL, place, "[…]")
        for index, row in enumerate(found or []):
            yield f"{place}[{index}]", row


def _violation(data: object, place: str, folder: str) -> Violation:
    row = _small(table(data, _TOOL, place))
    message, rule = _text(row, _MESSAGE), _rule(row)
    if not message and not rule:
        raise shape(_TOOL, f"{place}.message", '"…"')
    degree = _degree(row)
    return Violation(
        rule or "finding",
        message or rule,
        placed(_path(row), folder),
        _number(row, _LINE),
        _number(row, _COLUMN),
        SEVERITIES.get(degree, "error"),
        level=level(degree),
        fixable=row.get("fixable") is True,
        fix=_text(row, _FIX),
    )


def _small(row: Mapping[str, Any], deep: int = 3) -> dict[str, Any]:
    """The same with names made alike, as deep as any of the paths goes."""
    found: dict[str, Any] = {}
    for name in list(row)[:_MOST_NAMES]:
        value = row[name]
        alike = name[:60].lower().replace("_", "").replace("-", "")
        found.setdefault(alike, _small(value, deep - 1) if isinstance(value, dict) and deep else value)
    return found


def _text(row: dict[str, Any], paths: Paths) -> str:
    for path in paths:
        value = at(row, *path)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value) if abs(value) < 10**18 else ""  # a rule may be a number
        if isinstance(value, str) and value.strip():
            return said(value)
    return ""


def _rule(row: dict[str, Any]) -> str:
    """A short word: `code` is the rule to some and the source to others."""
    told = (_text(row, (path,)) for path in _RULE)
    return next((text for text in told if text and "\n" not in text and len(text) <= _LONGEST_RULE), "")


def _path(row: dict[str, Any]) -> str:
    """Untouched: a file's name may hold anything."""
    return next((found for path in _FILE if isinstance(found := at(row, *path), str) and found), "")


def _number(row: dict[str, Any], paths: Paths) -> int:
    return next((found for path in paths if (found := number(at(row, *path)))), 0)


def _degree(row: dict[str, Any]) -> str:
    """The first word that is one of severity: `type` and `level` mean other things to some."""
    for path in _DEGREE:
        value = at(row, *path)
        if isinstance(value, str) and value.strip().lower() in SEVERITIES:
            return value.strip().lower()
    return ""
