"""SARIF 2.1.0, which many tools write: the results that stand, each with its rule and its first place.

A result that the tool holds suppressed, that its baseline knows already, or that says that all is well is no
violation. A run that failed and has nothing to show could not run, and neither could one without a list of
results: SARIF has an empty one where all is well.
"""

from collections.abc import Iterator
from typing import Any

from donewhen.core.quality.model import Level, Severity, Unreadable, Violation
from donewhen.verify.quality.reading.loading import document, gave_up, listed, shape, table
from donewhen.verify.quality.reading.sarif_places import Place, place_of
from donewhen.verify.quality.reading.values import at, first, rows, said, word

_TOOL = "sarif"
_FINE = frozenset(("pass", "notApplicable", "informational"))
_KNOWN = frozenset(("unchanged", "absent"))
_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "note": "note", "none": "note"}
_GRAVE: tuple[tuple[float, Level], ...] = (
    (7.0, "high"),
    (4.0, "medium"),
    (0.1, "low"),
)  # the common reading of `security-severity`
_MOST_ARGUMENTS = 20
_LONGEST_HELP = 500  # often a page about the rule


def read(text: str, folder: str) -> tuple[Violation, ...]:
    whole = table(document(text, _TOOL), _TOOL, "$")
    version = word(whole.get("version"))
    runs = listed(whole.get("runs"), _TOOL, "$.runs")
    if not version.startswith("2.1"):
        raise Unreadable("toolreading.version", tool=_TOOL, version=version or "?")
    if not runs:
        raise shape(_TOOL, "$.runs", "[{…}]")
    return first(
        one
        for index, run in enumerate(runs)
        for one in _run(table(run, _TOOL, f"$.runs[{index}]"), f"$.runs[{index}]", folder)
    )


def _run(run: dict[str, Any], place: str, folder: str) -> Iterator[Violation]:
    broken = any(at(one, "executionSuccessful") is False for one in rows(run.get("invocations")))
    if broken and not run.get("results"):
        raise gave_up(word(at(run, "tool", "driver", "name")) or _TOOL, _notification(run))
    results = listed(run.get("results"), _TOOL, f"{place}.results")
    rules = _rules(run)
    for index, data in enumerate(results):
        row = table(data, _TOOL, f"{place}.results[{index}]")
        if _stands(row):
            yield _violation(row, _rule(row, run, rules), run, folder)


def _stands(row: dict[str, Any]) -> bool:
    """A suppression that is rejected or still under review does not suppress."""
    given = [at(one, "status") for one in rows(row.get("suppressions"))]
    suppressed = any(status in (None, "accepted") for status in given)
    return not suppressed and row.get("baselineState") not in _KNOWN and row.get("kind") not in _FINE


def _violation(row: dict[str, Any], rule: dict[str, Any], run: dict[str, Any], folder: str) -> Violation:
    name = word(row.get("ruleId")) or word(at(row, "rule", "id")) or word(rule.get("id"))
    message = _message(row.get("message"), rule) or said(at(rule, "shortDescription", "text")) or name
    if not message:
        raise shape(_TOOL, "message", '"…"')
    where = place_of(row, run, folder) or Place()
    given = row.get("level") or at(rule, "defaultConfiguration", "level")
    fixes = rows(row.get("fixes"))
    return Violation(
        name or _TOOL,
        message,
        where.file,
        where.line,
        where.column,
        _SEVERITIES.get(word(given), "warning"),
        subject=where.subject,
        level=_grave(row, rule),
        fixable=bool(fixes),
        fix=said(at(fixes[0], "description", "text"))
        if fixes
        else said(at(rule, "help", "text"), _LONGEST_HELP),
    )


def _rules(run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    every = [run.get("tool"), *({"driver": one} for one in rows(at(run, "tool", "extensions")))]
    found = [rule for part in every for rule in rows(at(part, "driver", "rules")) if isinstance(rule, dict)]
    return {rule["id"]: rule for rule in found if isinstance(rule.get("id"), str)}


def _rule(row: dict[str, Any], run: dict[str, Any], rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """By its place in the list, else by its name, or by the name before a slash: parts are named so."""
    index = row.get("ruleIndex", at(row, "rule", "index"))
    part = at(row, "rule", "toolComponent", "index")
    extensions = rows(at(run, "tool", "extensions"))
    holder = _nth(extensions, part) if part is not None else at(run, "tool", "driver")
    rule = _nth(rows(at(holder, "rules")), index)
    name = row.get("ruleId", at(row, "rule", "id"))
    if isinstance(rule, dict) and (not isinstance(name, str) or name.startswith(str(rule.get("id")))):
        return rule
    return (rules.get(name) or rules.get(name.rpartition("/")[0]) or {}) if isinstance(name, str) else {}


def _nth(items: list[Any], index: object) -> Any:
    known = isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(items)
    return items[index] if known and isinstance(index, int) else None


def _message(message: object, rule: dict[str, Any]) -> str:
    told = at(message, "text") or at(message, "markdown")
    if not told:
        named = at(rule, "messageStrings", str(at(message, "id")))
        told = at(named, "text") or at(named, "markdown")
    text = said(told)
    for index, value in enumerate(rows(at(message, "arguments"))[:_MOST_ARGUMENTS]):
        text = text.replace(f"{{{index}}}", said(value))[:4000]
    return said(text)


def _grave(row: dict[str, Any], rule: dict[str, Any]) -> Level:
    given = at(row, "properties", "security-severity") or at(rule, "properties", "security-severity")
    try:
        score = float(given) if isinstance(given, str | int | float) else 0.0
    except (ValueError, OverflowError):
        return ""
    return next((name for least, name in _GRAVE if score >= least), "")


def _notification(run: dict[str, Any]) -> str:
    told = [
        said(at(one, "message", "text"))
        for call in rows(run.get("invocations"))
        for one in rows(at(call, "toolExecutionNotifications"))[:5]
    ]
    return next((text for text in told if text), "executionSuccessful: false")
