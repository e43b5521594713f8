"""Tools that print JSON: lists of findings under the names that tools commonly use, and cargo's events.

A row a tool says what differs: where its lists are, which name is the rule, from where it counts. A finding
that says neither what is wrong nor by which rule makes the whole unreadable: silence would pass for a pass.
"""

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.core.quality.model import Level, Severity, Unreadable, Violation
from donewhen.verify.quality.tool_output import (
    MOST,
    SEVERITIES,
    at,
    document,
    first,
    gave_up,
    level,
    lines,
    listed,
    number,
    placed,
    rows,
    said,
    shape,
    table,
    tool_data,
    unknown_line,
    word,
)

_LISTS = ("findings", "results", "issues", "violations", "errors", "messages", "diagnostics")
_MOST_NAMES = 200
_LONGEST_RULE = 120
_Paths = tuple[tuple[str, ...], ...]


def _paths(names: str) -> _Paths:
    return tuple(tuple(name.split(".")) for name in names.split())


# Names are compared in small letters without `_` and `-`: filePath, file_path and file-path are one.
_FILE = _paths(
    "file path filename filepath uri location.file location.path location.filename "
    "pos.filename above.filepath"
)
_LINE = _paths(
    "line row linenumber startline beginline lineno location.row location.line start.line start.row "
    "location.start.line location.lines.begin location.positions.begin.line range.start.line pos.line"
)
_COLUMN = _paths(
    "column col columnnumber startcolumn coloffset location.column location.col start.column start.col "
    "location.start.column location.positions.begin.column pos.column "
    "range.start.character range.start.column"
)
_MESSAGE = _paths(
    "message text description msg reason title issuetext message.text extra.message longmsg shortmsg"
)
_RULE = _paths("rule ruleid code id check checkid checkname testid messageid symbol rule.id code.value name")
_DEGREE = _paths("severity level priority type extra.severity issueseverity impact")
_LEVEL = _paths("metadata.level extra.severity issueseverity")
_FIX = _paths("fix suggestion fixsuggestion hint help fix.message note extra.metadata.fix")


class JsonForm(NamedTuple):
    """How one tool's JSON differs from the usual one; names are spelt as `_small` makes them."""

    lists: Sequence[str] = ()  # that must be there, null for an empty one; none: the usual names
    more: Sequence[str] = ()  # that may be there
    within: str = ""  # findings lie in lists of this name, one for each file
    rule: str = ""  # the one name of the rule
    unnamed: str = "finding"  # the rule of what has none
    needs: Sequence[str] = ()  # names that every finding has
    degrees: Mapping[str, Severity] = MappingProxyType({})  # where words mean something else
    graves: Mapping[str, Level] = MappingProxyType({})  # by degree, where a tool's words say how grave it is
    first_line: int = 1
    first_column: int = 1
    failure: str = ""  # where a text or a 0 says that nothing was looked at
    skip_at: str = ""  # where these say that it is no complaint
    skip: Sequence[str] = ()


_FORMS = {name: JsonForm(**form) for name, form in tool_data()["json"].items()}
JSON_TOOLS = frozenset(_FORMS)


def read_json(tool: str, text: str, folder: str) -> tuple[Violation, ...]:
    form, data = _FORMS[tool], document(text, tool)
    found = at(data, *form.failure.split(".")) if form.failure else None
    if found is not None and found != "" and (found == 0 or isinstance(found, str)):
        raise gave_up(tool, said(found) or f"{found} {form.failure}")
    return first(
        _violation(row, form, tool, place, folder)
        for place, row in _rows(data, form, tool)
        if str(at(row, *form.skip_at.split("."))) not in form.skip and not _is_ignored(row, tool)
    )


def _is_ignored(row: dict[str, Any], tool: str) -> bool:
    """What eslint says of a file that the project has it ignore."""
    return tool == "eslint" and not row.get("ruleid") and str(row.get("message")).startswith("File ignored")


def _rows(data: object, form: JsonForm, tool: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The findings with their places; lists under more than one usual name are all read."""
    lists: dict[str, Any] = {"$": data}
    if "" not in form.lists and (form.lists or isinstance(data, dict)):
        whole = table(data, tool, "$")
        names = tuple(form.lists) or tuple(name for name in whole if name.lower() in _LISTS)
        lists = {f"$.{name}": whole.get(name, ...) for name in names}
        lists |= {f"$.{name}": whole[name] for name in form.more if name in whole}
    if not lists:
        raise shape(tool, "$", "[…], {" + " | ".join(_LISTS) + ": […]}")
    for place, found in lists.items():
        for index, row in enumerate([] if found is None else listed(found, tool, place)):
            where = f"{place}[{index}]"
            small = _small(table(row, tool, where))
            if not form.within:
                yield where, small
                continue
            if not isinstance(small.get("filepath"), str):
                raise shape(tool, f"{where}.filePath", '"…"')
            for one in listed(small.get(form.within), tool, f"{where}.{form.within}"):
                yield where, {**_small(table(one, tool, where)), "above": {"filepath": small["filepath"]}}


def _violation(row: dict[str, Any], form: JsonForm, tool: str, place: str, folder: str) -> Violation:
    lacking = next((name for name in form.needs if not row.get(name)), "")
    message, rule = _text(row, _MESSAGE), _rule(row, form)
    if tool == "semgrep" and lacking:  # an error that belongs to no file: a rule is wrong, for instance
        raise gave_up(tool, message or "error")
    if lacking or not (message or rule) or (form.rule and not message):
        raise shape(tool, f"{place}.{lacking or 'message'}", '"…"')
    told = _degree(row, form)
    graves = (level(at(row, *path)) for path in _LEVEL)
    return Violation(
        rule or form.unnamed,
        message or rule,
        placed(
            next((found for path in _FILE if isinstance(found := at(row, *path), str) and found), ""), folder
        ),
        _number(row, _LINE, 1 - form.first_line),
        _number(row, _COLUMN, 1 - form.first_column),
        {**SEVERITIES, **form.degrees}.get(told, "error"),
        level=next((grave for grave in graves if grave), form.graves.get(told) or level(told)),
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


def _text(row: dict[str, Any], paths: _Paths) -> str:
    for path in paths:
        value = at(row, *path)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value) if abs(value) < 10**18 else ""  # a rule may be a number
        if isinstance(value, str) and said(value):
            return said(value)
    return ""


def _rule(row: dict[str, Any], form: JsonForm) -> str:
    """A short word: `code` is the rule to some and the source to others."""
    told = (_text(row, (path,)) for path in (((form.rule,),) if form.rule else _RULE))
    return next((text for text in told if text and "\n" not in text and len(text) <= _LONGEST_RULE), "")


def _number(row: dict[str, Any], paths: _Paths, shift: int) -> int:
    known = (at(row, *path) for path in paths)
    return next((found for each in known if each is not None and (found := number(each, shift))), 0)


def _degree(row: dict[str, Any], form: JsonForm) -> str:
    """The first word that is one of severity: `type` and `level` mean other things to some."""
    told = (str(value).strip().lower() for path in _DEGREE if isinstance(value := at(row, *path), str | int))
    return next((word for word in told if word in form.degrees or word in SEVERITIES), "")


_CARGO = "cargo"
_CARGO_DEGREES: dict[str, Severity] = {"error": "error", "warning": "warning", "note": "note", "help": "note"}
_CRASH = "error: internal compiler error"
_DEEPEST = 30  # macros within macros
_SUMS = ("aborting due to ", "could not compile ")


def read_cargo(text: str, folder: str) -> tuple[Violation, ...]:
    """`cargo check` and `cargo clippy` with `--message-format json`: one event a line, the last says the end.

    Other lines are what macros of the project printed. A build that ended badly without an error to show, or
    that has no end, could not run.
    """
    found: dict[Violation, None] = {}  # the same complaint comes once for the library and once for its tests
    ended: bool | None = None
    seen = False
    for event in _events(text):
        seen = True
        if event.get("reason") == "build-finished":
            ended = bool(event.get("success")) and ended is not False
        elif event.get("reason") == "compiler-message" and len(found) < MOST:
            found.update(dict.fromkeys(_complaint(event, folder)))
    if ended is None and not seen:
        for count, line in lines(text):
            raise unknown_line(_CARGO, count, line)
        raise Unreadable("toolreading.nothing", tool=_CARGO, form="JSON")
    if ended is None:
        raise Unreadable("toolreading.cut", tool=_CARGO, wanted="build-finished")
    if not ended and not any(one.severity == "error" for one in found) and len(found) < MOST:
        raise gave_up(_CARGO, "build failed")
    return tuple(found)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for _, line in lines(text):
        try:
            event = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and isinstance(event.get("reason"), str):
            yield event


def _complaint(event: dict[str, Any], folder: str) -> Iterator[Violation]:
    row = table(event.get("message"), _CARGO, "$.message")
    message, degree = said(row.get("message")), word(row.get("level"))
    if not isinstance(row.get("message"), str):
        raise shape(_CARGO, "$.message.message", '"…"')
    if degree == _CRASH:
        raise gave_up(_CARGO, message)
    span, code = _span(row), word(at(row, "code", "code"))
    is_sum = message.startswith(_SUMS) or message.endswith((" emitted", " warnings emitted"))
    if degree not in _CARGO_DEGREES or not message or (not span and not code and is_sum):
        return
    helps = [
        said(at(child, "message")) for child in rows(row.get("children")) if at(child, "level") == "help"
    ]
    yield Violation(
        code or "rustc",
        message,
        _file(at(span, "file_name"), event, folder),
        number(at(span, "line_start")),
        number(at(span, "column_start")),
        _CARGO_DEGREES[degree],
        fix=next((text for text in helps if not text.startswith("for further information")), ""),
    )


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
            return table(here, _CARGO, "span")
        here = at(here, "expansion", "span")
    return span


def _file(name: object, event: dict[str, Any], folder: str) -> str:
    """Names count from the workspace's root, which lies at the package's folder or above it."""
    manifest = event.get("manifest_path")
    known = isinstance(manifest, str) and manifest.startswith("/") and folder.startswith("/")
    if not isinstance(name, str) or not name or name.startswith(("/", "<")) or not known:
        return placed(name, folder)
    package, parts = posixpath.dirname(str(manifest)).split("/"), name.split("/")
    shared = next((n for n in range(min(len(package), len(parts)), 0, -1) if package[-n:] == parts[:n]), 0)
    return posixpath.relpath("/".join((*package[: len(package) - shared], name)), folder)
