"""semgrep's `--json`. What it could not parse is told as a violation of the file; an error that belongs to
no file, a rule that is wrong for instance, means that it could not run.
"""

from collections.abc import Iterator
from typing import Any

from donewhen.core.quality.model import Level, Severity, Violation
from donewhen.verify.quality.reading.loading import document, gave_up, listed, needed, shape, table
from donewhen.verify.quality.reading.values import at, first, number, placed, said, severity, word

_TOOL = "semgrep"
_DEGREES: dict[str, tuple[Severity, Level]] = {  # the first three are the older words for the same
    "ERROR": ("error", "high"),
    "WARNING": ("warning", "medium"),
    "INFO": ("note", "low"),
    "CRITICAL": ("error", "high"),
    "HIGH": ("error", "high"),
    "MEDIUM": ("warning", "medium"),
    "LOW": ("note", "low"),
}


def read(text: str, folder: str) -> tuple[Violation, ...]:
    return first(_all(table(document(text, _TOOL), _TOOL, "$"), folder))


def _all(whole: dict[str, Any], folder: str) -> Iterator[Violation]:
    for index, data in enumerate(listed(whole.get("errors", []), _TOOL, "$.errors")):
        yield _trouble(table(data, _TOOL, f"$.errors[{index}]"), folder)
    for index, data in enumerate(listed(whole.get("results"), _TOOL, "$.results")):
        row = table(data, _TOOL, f"$.results[{index}]")
        if at(row, "extra", "is_ignored") is not True:
            yield _violation(row, f"$.results[{index}]", folder)


def _violation(row: dict[str, Any], place: str, folder: str) -> Violation:
    message = said(at(row, "extra", "message"))
    if not message:
        raise shape(_TOOL, f"{place}.extra.message", '"…"')
    degree, grave = _DEGREES.get(word(at(row, "extra", "severity")).upper(), ("error", ""))
    return Violation(
        word(needed(row, "check_id", _TOOL, place)),
        message,
        placed(row.get("path"), folder),
        number(at(row, "start", "line")),
        number(at(row, "start", "col")),
        degree,
        level=grave,
        fixable=isinstance(at(row, "extra", "fix"), str),
        fix=said(at(row, "extra", "metadata", "fix")),
    )


def _trouble(row: dict[str, Any], folder: str) -> Violation:
    message = said(row.get("message")) or said(row.get("long_msg")) or said(row.get("short_msg"))
    if not isinstance(row.get("path"), str):
        raise gave_up(_TOOL, message or "error")
    file, degree = placed(row["path"], folder), severity(row.get("level"))
    return Violation("not-read", message or "not read", file, severity=degree)
