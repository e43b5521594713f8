"""bandit's `-f json`. A file that bandit could not read is told as a violation: its exit code is 0 then."""

from collections.abc import Iterator
from typing import Any

from donewhen.core.quality.model import Severity, Violation
from donewhen.verify.quality.reading.loading import document, listed, needed, table
from donewhen.verify.quality.reading.values import first, level, number, placed, said, word

_TOOL = "bandit"
_SEVERITIES: dict[str, Severity] = {"LOW": "warning"}


def read(text: str, folder: str) -> tuple[Violation, ...]:
    whole = table(document(text, _TOOL), _TOOL, "$")
    return first(_all(whole, folder))


def _all(whole: dict[str, Any], folder: str) -> Iterator[Violation]:
    for index, data in enumerate(listed(whole.get("results"), _TOOL, "$.results")):
        yield _violation(table(data, _TOOL, f"$.results[{index}]"), f"$.results[{index}]", folder)
    for index, data in enumerate(listed(whole.get("errors", []), _TOOL, "$.errors")):
        row = table(data, _TOOL, f"$.errors[{index}]")
        yield Violation(
            "not-read", said(row.get("reason")) or "not read", placed(row.get("filename"), folder)
        )


def _violation(row: dict[str, Any], place: str, folder: str) -> Violation:
    grave = word(row.get("issue_severity"))
    return Violation(
        word(row.get("test_id")) or word(row.get("test_name")) or _TOOL,
        needed(row, "issue_text", _TOOL, place),
        placed(row.get("filename"), folder),
        number(row.get("line_number")),
        number(row.get("col_offset"), 1) if "col_offset" in row else 0,
        _SEVERITIES.get(grave, "error"),
        level=level(grave),
    )
