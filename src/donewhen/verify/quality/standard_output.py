"""Lines that tools print, the formats that many write (SARIF 2.1.0, JUnit), and which reader is for whom.

A line that nobody knows makes the whole unreadable. A SARIF result that is suppressed, that its baseline
knows or that says that all is well is no violation; a run that failed with nothing to show could not run.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote

from donewhen.core.quality.model import Level, Severity, Unreadable, Violation
from donewhen.verify.quality.json_output import JSON_TOOLS, read_cargo, read_json
from donewhen.verify.quality.tool_output import (
    MOST,
    SEVERITIES,
    at,
    document,
    first,
    gave_up,
    joined,
    level,
    lines,
    listed,
    number,
    placed,
    rows,
    said,
    severity,
    shape,
    start_of,
    table,
    tool_data,
    unknown_line,
    word,
)

_LONGEST_LINE = 2_000
_NEVER = "(?!)"


class LineForm(NamedTuple):
    """`severities` by the pattern's `kind`, else by how a rule starts; others are errors."""

    pattern: str
    beside: str = _NEVER  # no findings
    failed: str = _NEVER  # it did not look at the code
    goes_on: str = _NEVER  # belongs to the finding before it
    severities: Mapping[str, Severity] = MappingProxyType({})
    rule: str = ""  # of what names none
    prefix: str = ""  # before the rule
    first_column: int = 1


_FORMS = {name: LineForm(**form) for name, form in tool_data()["lines"].items()}
LINE_TOOLS = frozenset(_FORMS)


def read_lines(tool: str, text: str, folder: str) -> tuple[Violation, ...]:
    form = _FORMS[tool]
    found: list[Violation] = []
    for count, line in lines(text):
        failed, beside = re.match(form.failed, line), re.match(form.beside, line)
        if failed and not (beside and found):
            raise gave_up(tool, line)
        seen = None if beside else re.match(form.pattern, line)
        if seen and len(found) < MOST:
            _add(found, _violation(form, seen, folder))
        elif seen or beside:
            continue
        elif found and re.match(form.goes_on, line):
            found[-1] = found[-1]._replace(message=joined(found[-1].message, line))
        else:
            raise unknown_line(tool, count, line)
    return tuple(found)


def _add(found: list[Violation], one: Violation) -> None:
    """A note about the place of the finding before it is what to do there."""
    if one.severity == "note" and found and found[-1].severity == "error" and one[2:4] == found[-1][2:4]:
        found[-1] = found[-1]._replace(fix=joined(found[-1].fix, one.message))
    else:
        found.append(one)


def _violation(form: LineForm, seen: re.Match[str], folder: str) -> Violation:
    told = {name: text or "" for name, text in seen.groupdict().items()}
    rule = word(f"{form.prefix}{told['rule']}") if told.get("rule") else form.rule
    value = told.get("value")
    subject = word(told.get("subject"))
    return Violation(
        rule,
        f"{subject} has a cyclomatic complexity of {value}" if value else said(told["message"]) or rule,
        placed(told["file"], folder),
        number(told["line"]),
        number(told["column"], 1 - form.first_column) if told.get("column") else 0,
        {**SEVERITIES, **form.severities}.get(told.get("kind") or rule[:1], "error"),
        subject=subject,
        value=float(value) if value else None,
    )


def read_pattern(pattern: str, text: str, folder: str) -> tuple[Violation, ...]:
    """Lines of a gate of the user's own: groups file, line, message, and maybe column, rule, severity.

    A text that matches nowhere gives nothing: whether that is good, the command's exit code says.
    """
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as wrong:
        raise Unreadable("toolreading.pattern", tool="regex", why=said(str(wrong), 200)) from None
    found = (compiled.search(line[:_LONGEST_LINE]) for _, line in lines(text))
    return first(_matched(one, folder) for one in found if one is not None)


def _matched(found: re.Match[str], folder: str) -> Violation:
    told = {name: (text or "").strip() for name, text in found.groupdict().items()}
    rule = word(told.get("rule"))
    return Violation(
        rule or "finding",
        said(told.get("message")) or rule or word(found[0]),
        placed(told.get("file"), folder),
        number(told.get("line")),
        number(told.get("column")),
        severity(told.get("severity")),
        level=level(told.get("severity")),
    )


Reader = Callable[[str, str], tuple[Violation, ...]]
READ_TOOLS = tuple(sorted((*JSON_TOOLS, *LINE_TOOLS, "cargo", "sarif", "junit")))
_SARIF = "sarif"
_FINE = frozenset(("pass", "notApplicable", "informational"))
_KNOWN = frozenset(("unchanged", "absent"))
_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "note": "note", "none": "note"}
_GRAVE: tuple[tuple[float, Level], ...] = (
    (7.0, "high"),
    (4.0, "medium"),
    (0.1, "low"),
)  # `security-severity`
_MOST_ARGUMENTS = 20
_LONGEST_HELP = 500  # often a page about the rule
_DEEPEST = 10  # bases upon bases
_DECLARATION = re.compile(r"<\?xml[^>]{0,300}\?>")


def reader_of(name: str, pattern: str | None = None) -> Reader:
    """The reader of a tool, or of the parser that a gate of the user's own declares."""
    if name in JSON_TOOLS:
        return partial(read_json, name)
    if name in LINE_TOOLS:
        return partial(read_lines, name)
    if name == "regex":
        return partial(read_pattern, pattern or "")
    return {"cargo": read_cargo, "sarif": read_sarif, "junit": read_junit_failures}[name]


def read_sarif(text: str, folder: str) -> tuple[Violation, ...]:
    whole = table(document(text, _SARIF), _SARIF, "$")
    version = word(whole.get("version"))
    runs = listed(whole.get("runs"), _SARIF, "$.runs")
    if not version.startswith("2.1"):
        raise Unreadable("toolreading.version", tool=_SARIF, version=version or "?")
    if not runs:
        raise shape(_SARIF, "$.runs", "[{…}]")
    return first(
        one
        for index, run in enumerate(runs)
        for one in _run(table(run, _SARIF, f"$.runs[{index}]"), f"$.runs[{index}]", folder)
    )


def _run(run: dict[str, Any], place: str, folder: str) -> Iterator[Violation]:
    calls = rows(run.get("invocations"))
    if any(at(one, "executionSuccessful") is False for one in calls) and not run.get("results"):
        told = (rows(at(one, "toolExecutionNotifications")) for one in calls)
        texts = [said(at(note, "message", "text")) for notes in told for note in notes[:5]]
        raise gave_up(
            word(at(run, "tool", "driver", "name")) or _SARIF,
            next(filter(None, texts), "executionSuccessful: false"),
        )
    rules = _rules(run)
    for index, data in enumerate(listed(run.get("results"), _SARIF, f"{place}.results")):
        row = table(data, _SARIF, f"{place}.results[{index}]")
        given = [at(one, "status") for one in rows(row.get("suppressions"))]
        suppressed = any(
            status in (None, "accepted") for status in given
        )  # neither rejected nor under review
        if not suppressed and row.get("baselineState") not in _KNOWN and row.get("kind") not in _FINE:
            yield _result(row, _rule(row, run, rules), run, folder)


def _result(row: dict[str, Any], rule: dict[str, Any], run: dict[str, Any], folder: str) -> Violation:
    name = word(row.get("ruleId")) or word(at(row, "rule", "id")) or word(rule.get("id"))
    message = _message(row.get("message"), rule) or said(at(rule, "shortDescription", "text")) or name
    if not message:
        raise shape(_SARIF, "$.message", '"…"')
    location = next(iter(rows(row.get("locations"))), None)
    physical, logical = at(location, "physicalLocation"), rows(at(location, "logicalLocations"))
    fixes = rows(row.get("fixes"))
    help_ = said(at(rule, "help", "text"), _LONGEST_HELP)
    return Violation(
        name or _SARIF,
        message,
        placed(_address(at(physical, "artifactLocation"), run), folder),
        number(at(physical, "region", "startLine")),
        number(at(physical, "region", "startColumn")),
        _SEVERITIES.get(word(row.get("level") or at(rule, "defaultConfiguration", "level")), "warning"),
        subject=word(at(logical[0], "fullyQualifiedName") or at(logical[0], "name")) if logical else "",
        level=_grave(row, rule),
        fix=said(at(fixes[0], "description", "text")) if fixes else help_,
    )


def _rules(run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    every = [run.get("tool"), *({"driver": one} for one in rows(at(run, "tool", "extensions")))]
    found = [rule for part in every for rule in rows(at(part, "driver", "rules")) if isinstance(rule, dict)]
    return {rule["id"]: rule for rule in found if isinstance(rule.get("id"), str)}


def _rule(row: dict[str, Any], run: dict[str, Any], rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """By its place in the list, else by its name, or by the name before a slash: parts are named so."""
    part = at(row, "rule", "toolComponent", "index")
    extensions = rows(at(run, "tool", "extensions"))
    holder = _nth(extensions, part) if part is not None else at(run, "tool", "driver")
    rule = _nth(rows(at(holder, "rules")), row.get("ruleIndex", at(row, "rule", "index")))
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


def _address(artifact: object, run: dict[str, Any]) -> str:
    """Resolved against the bases that the run names; as told, or as its list of files has it."""
    listed_one = _nth(rows(run.get("artifacts")), at(artifact, "index"))
    if at(artifact, "uri") is None and listed_one is not None:
        artifact = at(listed_one, "location")
    path = ""
    for _ in range(_DEEPEST):
        uri, base = at(artifact, "uri"), at(artifact, "uriBaseId")
        if isinstance(uri, str):
            path = f"{uri}{path}" if not path or uri.endswith("/") else f"{uri}/{path}"
        if not isinstance(base, str) or path.startswith(("file:", "/")):
            break
        artifact = at(run, "originalUriBaseIds", base)
    if path.startswith("file:"):  # file:///a, file://host/a and file:/a are all /a
        rest = path.removeprefix("file:")
        path = f"/{rest[2:].partition('/')[2]}" if rest.startswith("//") else rest
    return unquote(path, errors="surrogateescape")


def read_junit_failures(text: str, folder: str) -> tuple[Violation, ...]:
    """What failed in a JUnit report: the story of the first fifty, others by name."""
    from donewhen.verify.machine_reports import read_junit

    whole = text.removeprefix("\ufeff").strip()
    declared = _DECLARATION.match(whole)  # it names an encoding that is undone now
    bare = whole[declared.end() :] if declared else whole
    if not bare:
        raise Unreadable("toolreading.nothing", tool="junit", form="XML")
    report = read_junit(bare.encode("utf-8", "replace"), folder)
    if report is None:
        raise Unreadable("toolreading.not_junit", tool="junit", start=start_of(bare))
    told = [
        Violation(
            word(one.rule) or ("error" if one.kind == "error" else "failure"),
            said(one.message) or word(one.name) or "failed",
            placed(one.file, folder),
            one.line,
            one.column,
            subject=word(one.name),
        )
        for one in report.failures
    ]
    for case in [each for each in report.cases if each.outcome == "failed"][len(report.failures) :]:
        subject = " › ".join(filter(None, (word(case.group), word(case.name))))
        place = placed(case.file, folder)
        told.append(Violation("failure", f"{word(case.name)} failed", place, case.line, subject=subject))
    failed = report.counts.failed + report.counts.errors
    return first(told if told or not failed else (Violation("failure", f"{failed} failed"),))
