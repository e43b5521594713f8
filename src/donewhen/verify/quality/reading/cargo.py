"""`cargo check` and `cargo clippy` with `--message-format json`: one event a line, the last says the end.

Lines that are no events are what macros of the project printed while they ran, as cargo documents. A build
that ended badly without an error to show, or that has no end, could not run.
"""

import json
import posixpath
from collections.abc import Iterator
from typing import Any

from donewhen.core.quality.model import Severity, Unreadable, Violation
from donewhen.verify.quality.reading.loading import gave_up, lines, needed, table, unknown_line
from donewhen.verify.quality.reading.values import MOST, at, number, placed, rows, said, word

_TOOL = "cargo"
_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "note": "note", "help": "note"}
_CRASH = "error: internal compiler error"
_DEEPEST = 30  # macros within macros
_SUMS = ("aborting due to ", "could not compile ")


def read(text: str, folder: str) -> tuple[Violation, ...]:
    found: dict[Violation, None] = {}  # the same complaint comes once for the library and once for its tests
    ended: bool | None = None
    seen = False
    for event in _events(text):
        seen = True
        if event.get("reason") == "build-finished":
            ended = bool(event.get("success")) and ended is not False
        elif event.get("reason") == "compiler-message" and len(found) < MOST:
            found.update(dict.fromkeys(_violations(event, folder)))
    if ended is None:
        raise _refusal(text, seen)
    if not ended and not any(one.severity == "error" for one in found) and len(found) < MOST:
        raise gave_up(_TOOL, "build failed")
    return tuple(found)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for _, line in lines(text):
        try:
            event = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and isinstance(event.get("reason"), str):
            yield event


def _refusal(text: str, seen: bool) -> Unreadable:
    """Why a text without an end is none of cargo's."""
    if seen:
        return Unreadable("toolreading.cut", tool=_TOOL, wanted="build-finished")
    for count, line in lines(text):
        return unknown_line(_TOOL, count, line)
    return Unreadable("toolreading.nothing", tool=_TOOL, form="JSON")


def _violations(event: dict[str, Any], folder: str) -> Iterator[Violation]:
    place = "compiler-message.message"
    row = table(event.get("message"), _TOOL, place)
    message, degree = needed(row, "message", _TOOL, place), word(row.get("level"))
    if degree == _CRASH:
        raise gave_up(_TOOL, message)
    span = _span(row)
    code = word(at(row, "code", "code"))
    if degree not in _SEVERITIES or (not span and not code and _is_a_sum(message)):
        return
    help_, mends = _help(row)
    yield Violation(
        code or "rustc",
        message,
        _file(at(span, "file_name"), event, folder),
        number(at(span, "line_start")),
        number(at(span, "column_start")),
        _SEVERITIES[degree],
        fixable=mends,
        fix=help_,
    )


def _is_a_sum(message: str) -> bool:
    return message.startswith(_SUMS) or message.endswith((" emitted", " warnings emitted"))


def _span(row: dict[str, Any]) -> dict[str, Any]:
    """The primary place, in the project rather than inside of a macro from elsewhere."""
    spans = [span for span in rows(row.get("spans")) if isinstance(span, dict)]
    span = next((span for span in spans if span.get("is_primary") is True), spans[0] if spans else {})
    here: Any = span
    for _ in range(_DEEPEST):
        name = at(here, "file_name")
        if not isinstance(name, str):
            break
        if not name.startswith(("/", "<")):
            return table(here, _TOOL, "span")
        here = at(here, "expansion", "span")
    return span


def _help(row: dict[str, Any]) -> tuple[str, bool]:
    """What to do, and whether cargo could do it."""
    said_, mends = "", False
    for child in rows(row.get("children"))[:50]:
        spans = [span for span in rows(at(child, "spans")) if at(span, "suggested_replacement") is not None]
        if at(child, "level") == "help" and (spans or not said_):
            text = said(at(child, "message"))
            said_ = text if spans or not text.startswith("for further information") else said_
        mends = mends or any(at(span, "suggestion_applicability") == "MachineApplicable" for span in spans)
    return said_, mends


def _file(name: object, event: dict[str, Any], folder: str) -> str:
    """Names count from the workspace's root, which lies at the package's folder or above it."""
    if not isinstance(name, str) or not name or name.startswith(("/", "<")):
        return placed(name, folder)
    manifest = event.get("manifest_path")
    if not isinstance(manifest, str) or not manifest.startswith("/"):
        return placed(name, folder)
    package = posixpath.dirname(manifest).split("/")
    parts = name.split("/")
    shared = next((n for n in range(min(len(package), len(parts)), 0, -1) if package[-n:] == parts[:n]), 0)
    root = "/".join(package[: len(package) - shared])
    return posixpath.relpath(f"{root}/{name}", folder) if folder.startswith("/") else placed(name, folder)
