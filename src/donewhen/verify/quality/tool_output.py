"""What tools print, read as violations: one parser a format, and a row of `tools.toml` a tool.

JSON under the names that tools commonly use, lines, cargo's events, SARIF 2.1.0, JUnit, a pattern of the
user's. Every value is bounded and none is trusted; a text that is cut, that nobody understands or that says
neither what is wrong nor by which rule is unreadable as a whole: silence would pass for a pass.
"""

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote

from donewhen.core.quality.model import Level, Severity, Unreadable, Violation

Reader = Callable[[str, str], tuple[Violation, ...]]  # (what was printed, the folder it ran in)
_MOST = 10_000  # violations of one run of a tool; what comes after them is not kept
_LONGEST_SAID = 2_000
_LONGEST_PATH = 4_096
_LONGEST_LINE = 20_000  # of text; a line of JSON may be as long as the whole
_LARGEST = 20 * 2**20
_MOST_LINES = 250_000
_HIGHEST = 10**9
_COLOURS = re.compile(r"\x1b\[[0-9;:?]{0,60}[@-~]")
_CONTROL: dict[int, str | None] = {
    **{code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"},
    0xA0: " ",
}
_NO_LETTERS = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # the rest of them stand for bytes of a file's name


@cache
def tool_data() -> dict[str, Any]:
    """What is known of tools of others: where they come from, how they are asked, what they print."""
    return tomllib.loads(Path(__file__).with_name("tools.toml").read_text(encoding="utf-8"))


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


class LineForm(NamedTuple):
    """`severities` by the pattern's `kind`, else by how a rule starts; others are errors."""

    pattern: str
    beside: str = "(?!)"  # no findings
    failed: str = "(?!)"  # it did not look at the code
    goes_on: str = "(?!)"  # belongs to the finding before it
    severities: Mapping[str, Severity] = MappingProxyType({})
    rule: str = ""  # of what names none
    prefix: str = ""  # before the rule
    first_column: int = 1


_SEVERITIES: Mapping[str, Severity] = {
    word: severity for severity, words in tool_data()["severities"].items() for word in words.split()
}
_LEVELS: Mapping[str, Level] = {
    word: level for level, words in tool_data()["levels"].items() for word in words.split()
}
_NAMES = {
    what: tuple(tuple(name.split(".")) for name in names.split())
    for what, names in tool_data()["names"].items()
}
_JSON = {name: JsonForm(**form) for name, form in tool_data()["json"].items()}
_LINES = {name: LineForm(**form) for name, form in tool_data()["lines"].items()}


def reader_of(name: str, pattern: str | None = None) -> Reader:
    """The reader of a tool, or of the parser that a gate of the user's own declares."""
    if name in _JSON:
        return partial(_read_json, name)
    if name in _LINES:
        return partial(_read_lines, name)
    return partial(_read_pattern, pattern or "") if name == "regex" else _OTHERS[name]


# --- values ---


def said(value: object, longest: int = _LONGEST_SAID) -> str:
    """A text as people may see it, without colours and cut; what is no text is empty."""
    if not isinstance(value, str):
        return ""
    plain = _COLOURS.sub("", value[: 2 * longest]).translate(_CONTROL)
    text = plain.strip().encode("utf-8", "replace").decode()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _joined(text: str, more: str) -> str:
    """Two texts as lines of one; what no longer fits is left out."""
    return text if len(text) >= _LONGEST_SAID - 1 else said(f"{text}\n{more}")


def _word(value: object, longest: int = 300) -> str:
    """A short text of one line: a rule, a name."""
    return " ".join(said(value, longest).split())


def number(value: object, shift: int = 0) -> int:
    """A line or column, counted from one after `shift`; 0 is not known."""
    if isinstance(value, str) and len(value) < 12:
        value = int(value) if value.isascii() and value.isdigit() else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_HIGHEST < value < _HIGHEST:
        return 0  # neither endless nor not a number
    return max(0, int(value) + shift)


def _at(data: object, *path: str) -> Any:
    """What lies under these names; None when one of them is missing."""
    for name in path:
        if not isinstance(data, dict):
            return None
        data = data.get(name)
    return data


def _rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _level(value: object) -> Level:
    return _LEVELS.get(value.lower(), "") if isinstance(value, str) else ""


def placed(path: object, folder: str) -> str:
    """The path relative to `folder`, with slashes; one that lies elsewhere stays as it is."""
    if not isinstance(path, str) or not path or len(path) > _LONGEST_PATH:
        return ""
    path = _NO_LETTERS.sub("?", path)
    if path.startswith("file://"):
        path = unquote(path.removeprefix("file://"), errors="surrogateescape")
    if "\0" in path or "://" in path:  # no file's name, some other address
        return path.replace("\0", "")
    short, inside = posixpath.normpath(path), posixpath.normpath(folder).rstrip("/") if folder else ""
    if short.startswith(f"{inside}/") and folder:
        return short[len(inside) + 1 :]
    return path if short.startswith(("/", "../")) else short


def _first(found: Iterable[Violation]) -> tuple[Violation, ...]:
    return tuple(islice(found, _MOST))


def _document(text: str, tool: str) -> Any:
    """The one JSON value that the whole text is."""
    whole = text.removeprefix("\ufeff").strip()
    if not whole:
        raise Unreadable("toolreading.nothing", tool=tool, form="JSON")
    if len(whole) > _LARGEST:
        raise Unreadable("toolreading.too_long", tool=tool, most=_LARGEST // 2**20)
    try:
        return json.loads(whole)
    except (ValueError, RecursionError) as wrong:  # also a number of thousands of digits
        place = f"{wrong.lineno}:{wrong.colno}" if isinstance(wrong, json.JSONDecodeError) else "1:1"
        raise Unreadable("toolreading.not_json", tool=tool, place=place, start=_start(whole)) from None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line that is not blank, with its number and without colours, as far as the limit."""
    kept = text.removeprefix("\ufeff")
    if len(kept) > _LARGEST:
        kept = kept[:_LARGEST].rpartition("\n")[0]
    for count, line in enumerate(kept.split("\n")[:_MOST_LINES], 1):
        plain = line if line.startswith("{") else _COLOURS.sub("", line[:_LONGEST_LINE]).translate(_CONTROL)
        if line.strip():
            yield count, plain.rstrip()


def _table(data: object, tool: str, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _shape(tool, place, "{…}")
    return data


def _listed(data: object, tool: str, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise _shape(tool, place, "[…]")
    return data


def _shape(tool: str, place: str, wanted: str) -> Unreadable:
    return Unreadable("toolreading.shape", tool=tool, place=place, wanted=wanted)


def _unknown_line(tool: str, count: int, line: str) -> Unreadable:
    return Unreadable("toolreading.line", tool=tool, line=count, start=_start(line))


def _gave_up(tool: str, why: str) -> Unreadable:
    return Unreadable("toolreading.gave_up", tool=tool, said=_start(why, 300).rstrip("."))


def _start(text: str, longest: int = 80) -> str:
    """How it begins, in one line."""
    return _word(text[: 4 * longest], longest)


# --- JSON ---

_LISTS = ("findings", "results", "issues", "violations", "errors", "messages", "diagnostics")


def _read_json(tool: str, text: str, folder: str) -> tuple[Violation, ...]:
    form, data = _JSON[tool], _document(text, tool)
    found = _at(data, *form.failure.split(".")) if form.failure else None
    if found == 0 or (found and isinstance(found, str)):
        raise _gave_up(tool, said(found) or f"{found} {form.failure}")
    return _first(
        _finding(row, form, tool, place, folder)
        for place, row in _found_rows(data, form, tool)
        if str(_at(row, *form.skip_at.split("."))) not in form.skip and not _is_ignored(row, tool)
    )


def _is_ignored(row: dict[str, Any], tool: str) -> bool:
    """What eslint says of a file that the project has it ignore."""
    return tool == "eslint" and not row.get("ruleid") and str(row.get("message")).startswith("File ignored")


def _found_rows(data: object, form: JsonForm, tool: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The findings with their places; lists under more than one usual name are all read."""
    lists: dict[str, Any] = {"$": data}
    if "" not in form.lists and (form.lists or isinstance(data, dict)):
        whole = _table(data, tool, "$")
        names = (*form.lists, *(name for name in form.more if name in whole))
        names = names or tuple(name for name in whole if name.lower() in _LISTS)
        lists = {f"$.{name}": whole.get(name, ...) for name in names}
    if not lists:
        raise _shape(tool, "$", "[…], {" + " | ".join(_LISTS) + ": […]}")
    for place, found in lists.items():
        for index, row in enumerate([] if found is None else _listed(found, tool, place)):
            where = f"{place}[{index}]"
            small = _small(_table(row, tool, where))
            if not form.within:
                yield where, small
                continue
            if not isinstance(small.get("filepath"), str):
                raise _shape(tool, f"{where}.filePath", '"…"')
            for one in _listed(small.get(form.within), tool, f"{where}.{form.within}"):
                yield where, {**_small(_table(one, tool, where)), "above": {"filepath": small["filepath"]}}


def _finding(row: dict[str, Any], form: JsonForm, tool: str, place: str, folder: str) -> Violation:
    lacking = next((name for name in form.needs if not row.get(name)), "")
    rules = (_text(row, (path,)) for path in (((form.rule,),) if form.rule else _NAMES["rule"]))
    rule = next((text for text in rules if text and "\n" not in text and len(text) <= 120), "")  # no source
    message = _text(row, _NAMES["message"])
    if tool == "semgrep" and lacking:  # an error that belongs to no file: a rule is wrong, for instance
        raise _gave_up(tool, message or "error")
    if lacking or not (message or rule) or (form.rule and not message):
        raise _shape(tool, f"{place}.{lacking or 'message'}", '"…"')
    degrees: Mapping[str, Severity] = {**_SEVERITIES, **form.degrees}
    words = (_text(row, (path,)).lower() for path in _NAMES["degree"])
    degree = next((word for word in words if word in degrees), "")  # `type` means other things to some
    levels = (_level(_at(row, *path)) for path in _NAMES["level"])
    files = (_at(row, *path) for path in _NAMES["file"])
    return Violation(
        rule or form.unnamed,
        message or rule,
        placed(next((file for file in files if isinstance(file, str) and file), ""), folder),
        _first_number(row, _NAMES["line"], 1 - form.first_line),
        _first_number(row, _NAMES["column"], 1 - form.first_column),
        degrees.get(degree, "error"),
        level=next(filter(None, levels), form.graves.get(degree) or _level(degree)),
        fix=_text(row, _NAMES["fix"]),
    )


def _small(row: Mapping[str, Any], deep: int = 3) -> dict[str, Any]:
    """The same with names made alike, as deep as any of the paths goes."""
    found: dict[str, Any] = {}
    for name, value in islice(row.items(), 200):
        alike = name[:60].lower().replace("_", "").replace("-", "")
        found.setdefault(alike, _small(value, deep - 1) if isinstance(value, dict) and deep else value)
    return found


def _text(row: dict[str, Any], paths: Sequence[Sequence[str]]) -> str:
    for path in paths:
        value = _at(row, *path)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value) if abs(value) < 10**18 else ""  # a rule may be a number
        if said(value):
            return said(value)
    return ""


def _first_number(row: dict[str, Any], paths: Sequence[Sequence[str]], shift: int) -> int:
    return next((found for path in paths if (found := number(_at(row, *path), shift))), 0)


# --- cargo ---

_SUMS = ("aborting due to ", "could not compile ")


def _read_cargo(text: str, folder: str) -> tuple[Violation, ...]:
    """`cargo check` and `cargo clippy` with `--message-format json`: one event a line, the last says the end.

    Other lines are what macros of the project printed. A build that ended badly without an error to show, or
    that has no end, could not run.
    """
    found: dict[Violation, None] = {}  # the same complaint comes once for the library and once for its tests
    events = list(_events(text))
    for event in events:
        if event["reason"] == "compiler-message" and len(found) < _MOST:
            found.update(dict.fromkeys(_complaint(event, folder)))
    ends = [event.get("success") is True for event in events if event["reason"] == "build-finished"]
    if not events:
        for count, line in _lines(text):
            raise _unknown_line("cargo", count, line)
        raise Unreadable("toolreading.nothing", tool="cargo", form="JSON")
    if not ends:
        raise Unreadable("toolreading.cut", tool="cargo", wanted="build-finished")
    if not all(ends) and not any(one.severity == "error" for one in found) and len(found) < _MOST:
        raise _gave_up("cargo", "build failed")
    return tuple(found)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for _, line in _lines(text):
        try:
            event = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and isinstance(event.get("reason"), str):
            yield event


def _complaint(event: dict[str, Any], folder: str) -> Iterator[Violation]:
    row = _table(event.get("message"), "cargo", "$.message")
    message, degree = said(row.get("message")), _word(row.get("level"))
    if not isinstance(row.get("message"), str):
        raise _shape("cargo", "$.message.message", '"…"')
    if degree == "error: internal compiler error":
        raise _gave_up("cargo", message)
    span, code = _span(row), _word(_at(row, "code", "code"))
    is_sum = message.startswith(_SUMS) or message.endswith((" emitted", " warnings emitted"))
    if (
        degree not in ("error", "warning", "note", "help")
        or not message
        or (not span and not code and is_sum)
    ):
        return
    children = [child for child in _rows(row.get("children")) if _at(child, "level") == "help"]
    helps = (said(_at(child, "message")) for child in children)
    yield Violation(
        code or "rustc",
        message,
        _cargo_file(_at(span, "file_name"), event, folder),
        number(_at(span, "line_start")),
        number(_at(span, "column_start")),
        _SEVERITIES[degree],
        fix=next((text for text in helps if not text.startswith("for further information")), ""),
    )


def _span(row: dict[str, Any]) -> dict[str, Any]:
    """The primary place, in the project rather than inside of a macro from elsewhere."""
    spans = [span for span in _rows(row.get("spans")) if isinstance(span, dict)]
    span = next((span for span in spans if span.get("is_primary") is True), spans[0] if spans else {})
    here: Any = span
    for _ in range(30):  # macros within macros
        name = _at(here, "file_name")
        if not isinstance(name, str):
            break
        if not name.startswith(("/", "<")):
            return _table(here, "cargo", "span")
        here = _at(here, "expansion", "span")
    return span


def _cargo_file(name: object, event: dict[str, Any], folder: str) -> str:
    """Names count from the workspace's root, which lies at the package's folder or above it."""
    manifest = event.get("manifest_path")
    known = isinstance(manifest, str) and manifest.startswith("/") and folder.startswith("/")
    if not isinstance(name, str) or not name or name.startswith(("/", "<")) or not known:
        return placed(name, folder)
    package, parts = posixpath.dirname(str(manifest)).split("/"), name.split("/")
    shared = next((n for n in range(min(len(package), len(parts)), 0, -1) if package[-n:] == parts[:n]), 0)
    return posixpath.relpath("/".join((*package[: len(package) - shared], name)), folder)


# --- lines ---


def _read_lines(tool: str, text: str, folder: str) -> tuple[Violation, ...]:
    form = _LINES[tool]
    found: list[Violation] = []
    for count, line in _lines(text):
        beside = re.match(form.beside, line)
        if re.match(form.failed, line) and not (beside and found):
            raise _gave_up(tool, line)
        seen = None if beside else re.match(form.pattern, line)
        if seen and len(found) < _MOST:
            one = _line_finding(form, seen, folder)
            last = found[-1] if found else None
            if last and one.severity == "note" and last.severity == "error" and one[2:4] == last[2:4]:
                found[-1] = last._replace(fix=_joined(last.fix, one.message))  # what to do there
            else:
                found.append(one)
        elif not seen and not beside and found and re.match(form.goes_on, line):
            found[-1] = found[-1]._replace(message=_joined(found[-1].message, line))
        elif not seen and not beside:
            raise _unknown_line(tool, count, line)
    return tuple(found)


def _line_finding(form: LineForm, seen: re.Match[str], folder: str) -> Violation:
    told = {name: text or "" for name, text in seen.groupdict().items()}
    rule = _word(f"{form.prefix}{told['rule']}") if told.get("rule") else form.rule
    value, subject = told.get("value"), _word(told.get("subject"))
    return Violation(
        rule,
        f"{subject} has a cyclomatic complexity of {value}" if value else said(told["message"]) or rule,
        placed(told["file"], folder),
        number(told["line"]),
        number(told["column"], 1 - form.first_column) if told.get("column") else 0,
        {**_SEVERITIES, **form.severities}.get(told.get("kind") or rule[:1], "error"),
        subject=subject,
        value=float(value) if value else None,
    )


def _read_pattern(pattern: str, text: str, folder: str) -> tuple[Violation, ...]:
    """Lines of a gate of the user's own: groups file, line, message, and maybe column, rule, severity.

    A text that matches nowhere gives nothing: whether that is good, the command's exit code says.
    """
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as wrong:
        raise Unreadable("toolreading.pattern", tool="regex", why=said(str(wrong), 200)) from None
    found = (compiled.search(line[:_LONGEST_SAID]) for _, line in _lines(text))
    return _first(_matched(one, folder) for one in found if one is not None)


def _matched(found: re.Match[str], folder: str) -> Violation:
    told = {name: (text or "").strip() for name, text in found.groupdict().items()}
    rule, degree = _word(told.get("rule")), told.get("severity", "").lower()
    return Violation(
        rule or "finding",
        said(told.get("message")) or rule or _word(found[0]),
        placed(told.get("file"), folder),
        number(told.get("line")),
        number(told.get("column")),
        _SEVERITIES.get(degree, "error"),
        level=_level(degree),
    )


# --- SARIF and JUnit ---

_FINE = frozenset(("pass", "notApplicable", "informational"))
_GRAVE: tuple[tuple[float, Level], ...] = ((7.0, "high"), (4.0, "medium"), (0.1, "low"))  # of ten


def _read_sarif(text: str, folder: str) -> tuple[Violation, ...]:
    """What stands of it: neither suppressed, nor known to its baseline, nor saying that all is well."""
    whole = _table(_document(text, "sarif"), "sarif", "$")
    version, runs = _word(whole.get("version")), _listed(whole.get("runs"), "sarif", "$.runs")
    if not version.startswith("2.1"):
        raise Unreadable("toolreading.version", tool="sarif", version=version or "?")
    if not runs:
        raise _shape("sarif", "$.runs", "[{…}]")
    places = [(f"$.runs[{index}]", run) for index, run in enumerate(runs)]
    return _first(one for place, run in places for one in _run(_table(run, "sarif", place), place, folder))


def _run(run: dict[str, Any], place: str, folder: str) -> Iterator[Violation]:
    calls = _rows(run.get("invocations"))
    if any(_at(one, "executionSuccessful") is False for one in calls) and not run.get("results"):
        notes = [note for one in calls for note in _rows(_at(one, "toolExecutionNotifications"))[:5]]
        why = next((text for note in notes if (text := said(_at(note, "message", "text")))), "")
        name = _word(_at(run, "tool", "driver", "name")) or "sarif"
        raise _gave_up(name, why or "executionSuccessful: false")
    parts = [_at(run, "tool", "driver"), *_rows(_at(run, "tool", "extensions"))]
    rules = [rule for part in parts for rule in _rows(_at(part, "rules")) if isinstance(rule, dict)]
    for index, data in enumerate(_listed(run.get("results"), "sarif", f"{place}.results")):
        row = _table(data, "sarif", f"{place}.results[{index}]")
        given = [_at(one, "status") for one in _rows(row.get("suppressions"))]
        suppressed = None in given or "accepted" in given  # neither rejected nor under review
        known = row.get("baselineState") in ("unchanged", "absent")
        if not suppressed and not known and row.get("kind") not in _FINE:
            yield _sarif_finding(row, _rule_of(row, rules), run, folder)


def _rule_of(row: dict[str, Any], rules: list[dict[str, Any]]) -> dict[str, Any]:
    """By its name, or by the name before a slash (parts are named so), else by its place in the list."""
    name, index = row.get("ruleId") or _at(row, "rule", "id"), row.get("ruleIndex")
    if not isinstance(name, str):
        return rules[index] if isinstance(index, int) and 0 <= index < len(rules) else {}
    names = (name, name.rpartition("/")[0])
    return next((rule for each in names for rule in rules if rule.get("id") == each), {})


def _sarif_finding(row: dict[str, Any], rule: dict[str, Any], run: dict[str, Any], folder: str) -> Violation:
    name = _word(row.get("ruleId")) or _word(_at(row, "rule", "id")) or _word(rule.get("id"))
    texts = (
        _at(row, "message", "text"),
        _at(row, "message", "markdown"),
        _at(rule, "shortDescription", "text"),
    )
    message = next(filter(None, map(said, texts)), name)
    if not message:
        raise _shape("sarif", "$.message", '"…"')
    location = next(iter(_rows(row.get("locations"))), None)
    physical = _at(location, "physicalLocation")
    logical = next(iter(_rows(_at(location, "logicalLocations"))), None)
    fix = next((said(_at(fix, "description", "text")) for fix in _rows(row.get("fixes"))), "")
    degree = row.get("level") or _at(rule, "defaultConfiguration", "level")
    grave = _at(row, "properties", "security-severity") or _at(rule, "properties", "security-severity")
    return Violation(
        name or "sarif",
        message,
        placed(_address(_at(physical, "artifactLocation"), run), folder),
        number(_at(physical, "region", "startLine")),
        number(_at(physical, "region", "startColumn")),
        degree if degree in ("error", "note") else "note" if degree == "none" else "warning",
        subject=_word(_at(logical, "fullyQualifiedName") or _at(logical, "name")),
        level=_grave(grave),
        fix=fix or said(_at(rule, "help", "text"), 500),  # often a page about the rule
    )


def _grave(given: object) -> Level:
    try:
        score = float(given) if isinstance(given, str | int | float) else 0.0
    except (ValueError, OverflowError):
        return ""
    return next((name for least, name in _GRAVE if score >= least), "")


def _address(artifact: object, run: dict[str, Any]) -> str:
    """Resolved against the bases that the run names; as told, or as its list of files has it."""
    files, index = _rows(run.get("artifacts")), _at(artifact, "index")
    if _at(artifact, "uri") is None and isinstance(index, int) and 0 <= index < len(files):
        artifact = _at(files[index], "location")
    path = ""
    for _ in range(10):  # bases upon bases
        uri, base = _at(artifact, "uri"), _at(artifact, "uriBaseId")
        if isinstance(uri, str):
            path = f"{uri}{path}" if not path or uri.endswith("/") else f"{uri}/{path}"
        if not isinstance(base, str) or path.startswith(("file:", "/")):
            break
        artifact = _at(run, "originalUriBaseIds", base)
    if path.startswith("file:"):  # file:///a, file://host/a and file:/a are all /a
        rest = path.removeprefix("file:")
        path = f"/{rest[2:].partition('/')[2]}" if rest.startswith("//") else rest
    return unquote(path, errors="surrogateescape")


def _read_junit(text: str, folder: str) -> tuple[Violation, ...]:
    """What failed in a JUnit report: the story of the first fifty, others by name."""
    from donewhen.verify.machine_reports import read_junit

    whole = text.removeprefix("\ufeff").strip()
    bare = re.sub(r"^<\?xml[^>]{0,300}\?>", "", whole)  # it names an encoding that is undone now
    if not bare:
        raise Unreadable("toolreading.nothing", tool="junit", form="XML")
    report = read_junit(bare.encode("utf-8", "replace"), folder)
    if report is None:
        raise Unreadable("toolreading.not_junit", tool="junit", start=_start(bare))
    told: list[Violation] = []
    for one in report.failures:
        rule = _word(one.rule) or ("error" if one.kind == "error" else "failure")
        message = said(one.message) or _word(one.name) or "failed"
        place = placed(one.file, folder)
        told.append(Violation(rule, message, place, one.line, one.column, subject=_word(one.name)))
    for case in [each for each in report.cases if each.outcome == "failed"][len(told) :]:
        subject, message = " › ".join(filter(None, map(_word, (case.group, case.name)))), _word(case.name)
        place = placed(case.file, folder)
        told.append(Violation("failure", f"{message} failed", place, case.line, subject=subject))
    failed = report.counts.failed + report.counts.errors
    return _first(told if told or not failed else (Violation("failure", f"{failed} failed"),))


_OTHERS: Mapping[str, Reader] = {"cargo": _read_cargo, "sarif": _read_sarif, "junit": _read_junit}
READ_TOOLS = tuple(sorted((*_JSON, *_LINES, *_OTHERS)))
