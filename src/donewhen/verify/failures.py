"""Failures of a run: what one is, how it is shown, and how they are read where a command wrote no report.

Printed text can be forged by the tests themselves; nothing here decides a verdict, it only shows people and
agents where to look. Each runner is a row of a table: where the story of a failure begins and where it ends.
At most fifty failures, in the order of the text, the same for the same text. No file is opened, and every
pattern is tried on lines of bounded length.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Literal, NamedTuple

from donewhen.commands.counts.text import Lines, readable
from donewhen.core.findings import Feedback
from donewhen.core.lazy import lazy
from donewhen.core.shown import LONGEST_SHOWN, visible

FailureKind = Literal["failed", "error"]  # a test that said no; something that went wrong outside of one

MOST_FAILURES = 50
LONGEST_NAME = 300
LONGEST_MESSAGE = 600
LONGEST_DETAILS = 6000


class Failure(NamedTuple):
    """`file` as it was told, relative where that is known; line 0: not told."""

    name: str
    file: str = ""
    line: int = 0
    message: str = ""
    details: str = ""
    kind: FailureKind = "failed"
    column: int = 0
    rule: str = ""


def first_line(text: str) -> str:
    """The first line that says something, cut."""
    line = next((each.strip() for each in text.splitlines() if each.strip()), "")
    return line[:LONGEST_MESSAGE]


def cut(text: str, longest: int = LONGEST_DETAILS) -> str:
    """The text without its middle when it is too long: causes stand at the start, places at the end."""
    text = text.strip("\n")
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n…\n{text[-half:]}"


# Code frames: the lines round a place, as compilers print them; and failures as feedback.

MOST_AROUND = 20
LARGEST_TEXT = 4 * 2**20


def frame(
    read: Callable[[str], str | None], file: str, line: int, around: int = 2, column: int = 0
) -> tuple[str, ...]:
    """The lines round `line` with numbers, `>` at the line and `^` under the column; none when not known.

    A line end is `\n`, as editors and tools count; a page break within a line is no line of its own.
    """
    if not file or line < 1:
        return ()
    text = read(file)
    if text is None or len(text) > LARGEST_TEXT:
        return ()
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    if line > len(lines):
        return ()
    first = max(1, line - min(max(around, 0), MOST_AROUND))
    last = min(len(lines), line + min(max(around, 0), MOST_AROUND))
    width = len(str(last))
    shown: list[str] = []
    for number in range(first, last + 1):
        mark = ">" if number == line else " "
        shown.append(f"{mark} {number:>{width}} | {visible(lines[number - 1])}".rstrip())
        if number == line and 0 < column <= LONGEST_SHOWN:
            before = len(visible(lines[number - 1][: column - 1], longest=10 * LONGEST_SHOWN))
            shown.append(f"  {'':>{width}} | {' ' * before}^")
    return tuple(shown)


def feedback_of(failures: Iterable[Failure], rule: str = "tests") -> tuple[Feedback, ...]:
    """The failures of a command as feedback; each is a verdict of a program, so there is no doubt in it."""
    return tuple(
        Feedback(
            status="fail",
            category="quality",
            message=": ".join(filter(None, (each.name, each.message))),
            file=each.file,
            line=each.line,
            column=each.column,
            details=each.details,
            fixable=True,
            rule=each.rule or rule,
        )
        for each in failures
    )


# What commands print.

_LONGEST_BLOCK = 80  # lines
_LOOK_BACK = 12
_LONGEST_LINE = 600  # of what is matched; beyond, hostile lines would cost too much
_TELLS = lazy(
    r"\s*(?:\[?[\w.$:]*(?:Error|Exception|Failure|Failed|Panic)\b.*|E  +.+|Failed asserting .*|error: .+"
    r"|Expected\b.*|(?:assertion|Assertion).*|panic: .*|expect\(.*|Message: .*)"
)
_PANICKED = lazy(r"thread '.{0,200}' (?:\(\d+\) )?panicked at [^,]{0,300}:\d+:\d+:\s*$")
_QUOTED = lazy(r"\s*error: ?(?P<text>'.*'|\".*\"|[^|>\s].*)\s*$")
_TAP_PLACE = lazy(
    r"\s*(?:at|location): ?'?(?:.{0,200}\()?(?:file://)?(?P<file>[^:'()]{1,300}):(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?"
)
_NAMED_FILE = lazy(r"(?P<file>[\w@./-]{1,250}\.[a-z]{1,5})(?: > | › |$)")


class Dialect(NamedTuple):
    """How one runner tells a failure; patterns hold for a whole line."""

    start: str
    end: str
    after: str = ""  # a line that must have come before: such lists stand elsewhere too
    skip: str = ""  # starts that are no failures
    looks_back: bool = False  # the place stands before the line that says so
    tells_last: bool = False  # the last line that tells is the cause, as in a Python traceback


_DIALECTS: tuple[Dialect, ...] = (
    Dialect(  # unittest, nose, Django, trial
        r"(?P<kind>FAIL|ERROR): (?P<name>\S.*)", r"={20,}|Ran \d+ tests? in .*", tells_last=True
    ),
    Dialect(  # go
        r"\s*--- FAIL: (?P<name>\S+).*",
        r"\s*---? (?:PASS|SKIP|FAIL).*|=== .*|FAIL\b.*|ok\s.*|PASS|exit status .*",
        looks_back=True,
    ),
    Dialect(r"---- (?P<name>.+?) stdout ----", r"failures:|test result: .*"),  # cargo
    Dialect(  # vitest
        r"\s*FAIL {1,3}(?:\|.{1,60}\| )?(?P<name>\S.* > .*|\S+ \[ \S+ \])", r"⎯{5,}.*|\s*Test Files .*"
    ),
    Dialect(  # jest
        r" {2}● (?P<name>\S.*)",
        r"Test Suites: .*|Tests: {2,}.*|(?:PASS|FAIL) \S+.*|-{20,}.*|Summary of all failing tests",
        skip=r" {2}● (?:Console|Validation Warning|Deprecation Warning|.*Obsolete.*|Cannot log after.*).*",
    ),
    Dialect(  # node --test
        r"✖ (?P<name>.+?) \([\d.]+ms\)(?: #.*)?", r"test at .*", after=r"✖ failing tests:", looks_back=True
    ),
    Dialect(  # mocha
        r" {1,4}\d+\) (?P<name>\S.*)",
        r"-{20,}.*|=+ Coverage.*|npm (?:ERR!|error).*",
        after=r"\s*\d+ failing\s*",
    ),
    Dialect(r" {1,4}\d+\) (?P<name>\S.*)", r"Finished in .*|Failed examples:", after=r"Failures:"),  # rspec
    Dialect(  # phpunit
        r"\d+\) (?P<name>\S.*)",
        r"-{2}|FAILURES!|ERRORS!|Tests: \d.*|There (?:was|were) .*",
        after=r"There (?:was|were) \d+ (?:failure|error)s?:",
    ),
    Dialect(  # gradle
        r"(?P<name>\S.* > .+) FAILED",
        r"\S.* > .+ (?:PASSED|SKIPPED|STANDARD_OUT|STANDARD_ERROR)|\d+ tests? completed.*"
        r"|> Task .*|FAILURE: .*",
    ),
    Dialect(  # dotnet
        r"\s*(?:Failed|X) (?P<name>\S+.*?) \[[^\]]{1,40}\]",
        r"\s*(?:Passed|Skipped) .* \[[^\]]{1,40}\]|(?:Failed|Passed)! .*|Total tests: .*|Test Run .*",
    ),
    Dialect(  # TAP
        r"\s*not ok\b(?: \d+)?(?: -)? ?(?P<name>.*)",
        r"\s*(?:ok|not ok) \d+.*|\s*1\.\.\d+.*|# (?:tests|Subtest|fail|pass)\b.*",
        skip=r".*# ?(?:TODO|SKIP|todo|skip)\b.*",
    ),
)


def failures_in(text: str, root: str = "") -> tuple[Failure, ...]:
    """What the output says failed: tests first; else the complaints of compilers and linters."""
    lines = [line[:_LONGEST_LINE] for line in readable(text)]
    found = pytest_failures(lines, root)
    for dialect in _DIALECTS if not found else ():
        found = _told(dialect, lines, root)
        if found:
            break
    more = () if found else complaints(lines, root)
    return tuple(dict.fromkeys((*found, *more)))[:MOST_FAILURES]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _told(dialect: Dialect, lines: Lines, root: str) -> list[Failure]:
    failures: list[Failure] = []
    for start, block in _blocks(dialect, lines):
        found = _compiled(dialect.start).fullmatch(block[0])
        assert found is not None
        if "subtestsFailed" in "".join(block[:12]):  # told by the subtest itself
            continue
        before = lines[max(0, start - _LOOK_BACK) : start] if dialect.looks_back else ()
        failures.append(_failure(found, block, before, dialect, root))
        if len(failures) >= MOST_FAILURES:
            break
    return failures


def _blocks(dialect: Dialect, lines: Lines) -> Iterator[tuple[int, list[str]]]:
    start, end = _compiled(dialect.start), _compiled(dialect.end)
    after, skip = _compiled(dialect.after), _compiled(dialect.skip)
    began = not dialect.after
    at, block = 0, list[str]()
    for number, line in enumerate(lines):
        began = began or bool(after.fullmatch(line))
        starts = began and start.fullmatch(line) and not (dialect.skip and skip.fullmatch(line))
        if block and (starts or end.fullmatch(line)):
            yield at, block
            block = []
        if starts:
            at, block = number, [line]
        elif block and len(block) < _LONGEST_BLOCK:
            block.append(line)
    if block:
        yield at, block


def _failure(
    found: re.Match[str], block: Sequence[str], before: Sequence[str], dialect: Dialect, root: str
) -> Failure:
    name, body = _full_name(found["name"].strip(), block[1:])
    named = _NAMED_FILE.match(name)
    place = _place(body, before, root) or Place(inside(named["file"], root) if named else "", 0)
    error = found.groupdict().get("kind") == "ERROR"
    return _bounded(name, place, _message(body, dialect.tells_last), "\n".join(block), error)


def _bounded(name: str, place: "Place", message: str, story: str, error: bool) -> Failure:
    kind: FailureKind = "error" if error else "failed"
    name, message = name[:LONGEST_NAME], message[:LONGEST_MESSAGE]
    return Failure(name, place.file, place.line, message, cut(story), kind, place.column)


def _full_name(name: str, body: Sequence[str]) -> tuple[str, Sequence[str]]:
    """mocha breaks a title into indented lines, of which the last ends with a colon."""
    for taken, line in enumerate(body[:4], 1):
        if not line.startswith("      ") or _TELLS.fullmatch(line):
            break
        if line.endswith(":"):
            parts = (name, *(each.strip() for each in body[:taken]))
            return " › ".join(parts).removesuffix(":"), body[taken:]
    return name.removesuffix(":"), body


def _place(body: Sequence[str], before: Sequence[str], root: str) -> "Place | None":
    for line in body:
        found = _TAP_PLACE.match(line)
        if found and not line.lstrip().startswith("at "):
            file = inside(found["file"], root)
            return Place(file, int(found["line"]), int(found["column"] or 0)) if file else None
    place = place_in("\n".join(body), root)
    if place or not before:
        return place
    told = [line.removeprefix("test at ").strip() for line in before]
    return next((each for line in reversed(told) if (each := place_in(line, root))), None)


def _message(body: Sequence[str], tells_last: bool) -> str:
    for number, line in enumerate(body):
        if _PANICKED.match(line) and number + 1 < len(body):
            return body[number + 1].strip()
        quoted = _QUOTED.fullmatch(line)
        if quoted:
            return quoted["text"].strip("'\"")
    telling = [line.strip() for line in body if _TELLS.fullmatch(line)]
    if telling:
        return telling[-1 if tells_last else 0]
    plain = [line.strip() for line in body if line.strip(" -=")]
    return plain[0] if plain else ""


# What pytest prints: a short summary with names, and a section for each failure with its story.

_SUMMARY = lazy(r"(?P<kind>FAILED|ERROR) (?P<name>[^\s:]+\.\w+(?:::.*?)?|\S+::.*?)(?: - (?P<message>.*))?")
_SECTION = lazy(r"_{2,} (?P<name>.+?) _{2,}")
_END = lazy(r"={3,} .* ={3,}|={20,}")
_PREFIX = lazy(r"ERROR (?:at (?:setup|teardown) of|collecting) ")
_CAUSE = lazy(r"E {2,}(?P<text>\S.*)")
_RAISED = lazy(
    r"(?:E {3})?(?P<text>[A-Za-z_][\w.]{0,200}(?:Error|Exception|Warning|Exit|Interrupt|Failed)(?:: .*)?)"
)
_LONGEST_SECTION = 400


class _Section(NamedTuple):
    name: str
    lines: tuple[str, ...]
    error: bool

    @property
    def cause(self) -> str:
        if self.error:
            return raised(self.lines)
        return next((found["text"] for line in self.lines if (found := _CAUSE.fullmatch(line))), "")


def raised(lines: Sequence[str]) -> str:
    """What was raised at last, of a story that pytest tells: an import, or what a set-up broke off with."""
    for pattern in (_RAISED, _CAUSE):
        found = [match["text"] for line in lines if (match := pattern.fullmatch(line))]
        if found:
            return found[-1][:LONGEST_MESSAGE]
    return ""


def pytest_failures(lines: Lines, root: str) -> list[Failure]:
    sections = _sections(lines)
    named = [found for line in lines if (found := _SUMMARY.fullmatch(line))][:MOST_FAILURES]
    if not named:
        told = [section for section in sections if section.cause]
        return [_pytest_failure(each.name, each.cause, each, root) for each in told[:MOST_FAILURES]]
    failures = []
    for found in named:
        file, _, inner = found["name"].partition("::")
        # a header has the name without the file, with points between
        wanted = (inner.replace("::", "."), inner.rpartition("::")[2], file)
        section = next((each for each in sections if each.name in wanted), _Section("", (), False))
        if section in sections:
            sections.remove(section)
        cause = found["message"] or section.cause
        section = section._replace(error=found["kind"] == "ERROR")
        failures.append(_pytest_failure(found["name"], cause, section, root))
    return failures


def _sections(lines: Lines) -> list[_Section]:
    sections: list[_Section] = []
    name, body = "", list[str]()
    for line in (*lines, "=" * 20):
        header = _SECTION.fullmatch(line)
        if (header or _END.fullmatch(line)) and name:
            error = bool(_PREFIX.match(name))
            sections.append(_Section(_PREFIX.sub("", name), tuple(body), error))
            name = ""
        if header and line.count("_") > 6 and len(sections) < 4 * MOST_FAILURES:
            name, body = header["name"], []
        elif name and len(body) < _LONGEST_SECTION:
            body.append(line)
    return sections


def _pytest_failure(name: str, message: str, section: _Section, root: str) -> Failure:
    text = "\n".join(section.lines)
    file = inside(name.partition("::")[0], root) if "::" in name or name.endswith(".py") else ""
    return _bounded(name, place_in(text, root) or Place(file, 0), message, text, section.error)


# Complaints of compilers, linters and type checkers: one line each, or a heading and the place below it.

_PATH = r"(?P<file>(?:[A-Za-z]:)?[^\s:(][^:(\t]{0,250}?\.[A-Za-z]\w{0,9})"
_LINE = r"(?P<line>\d{1,7})"
_COLUMN = r"(?P<column>\d{1,6})"
_SEVERITY = r"(?:(?P<severity>(?:fatal )?[Ee]rror|[Ww]arning|[Nn]ote|[Ii]nfo(?:rmation)?|[Hh]int)\b)"
_RULE = r"(?:\s+[\[(](?P<tail>[\w./@-]{2,60})[\])])?"
_PATTERNS = tuple(
    lazy(pattern)
    for pattern in (
        # tsc: a.ts(3,5): error TS2322: …   and, for people, a.ts:3:5 - error TS2322: …
        rf"\s*{_PATH}\({_LINE},{_COLUMN}\): {_SEVERITY}(?: (?P<rule>[A-Z]{{2,}}\d+))?: (?P<message>.+)",
        rf"\s*{_PATH}:{_LINE}:{_COLUMN} - {_SEVERITY}(?: (?P<rule>TS\d+))?: (?P<message>.+?){_RULE}",
        # maven: [ERROR] /a/B.java:[3,5] …
        rf"\[(?P<severity>ERROR|WARNING)\] {_PATH}:\[{_LINE},{_COLUMN}\] (?P<message>.+)",
        # ruff, flake8, pylint: a.py:1:1: F401 …
        rf"\s*{_PATH}:{_LINE}(?::{_COLUMN})?: (?P<rule>[A-Z]{{1,5}}\d{{3,5}}):? (?:\[\*\] )?(?P<message>.+)",
        # gcc, clang, javac, mypy, go, swift: a.c:3:5: error: …
        rf"\s*(?:vet: )?(?:\./)?{_PATH}:{_LINE}(?::{_COLUMN})?: {_SEVERITY}: (?P<message>.+?){_RULE}",
        rf"\s*(?:vet: )?(?:\./)?(?P<file>[^\s:(][^:(\t]{{0,250}}?\.go):{_LINE}:{_COLUMN}: "
        rf"(?P<message>.+?){_RULE}",
    )
)
_HEADING = lazy(  # rustc, clippy, ruff: the place follows below
    rf"(?:{_SEVERITY}(?:\[(?P<rule>[\w:]+)\])?: (?P<message>.+)"
    rf"|(?P<code>[A-Z]{{1,5}}\d{{3,5}}) (?:\[\*\] )?(?P<text>\S.+))"
)
_ARROW = lazy(rf"\s*--> {_PATH}:{_LINE}:{_COLUMN}\s*")
_ESLINT_FILE = lazy(r"(?P<file>(?:[A-Za-z]:)?\S.{0,250}\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|md|html))")
_ESLINT = lazy(
    rf"\s+{_LINE}:{_COLUMN}\s+(?P<severity>error|warning)\s+(?P<message>\S.*?)(?:\s\s+(?P<rule>\S+))?"
)
_HARMLESS = ("warning", "note", "info", "information", "hint")
_NEAR = 4  # lines from a heading to its place


def complaints(lines: Lines, root: str = "") -> tuple[Failure, ...]:
    """What the lines complain of, in their order."""
    told = ({**each, "rule": each.get("rule") or each.get("tail")} for each in _complaints(lines))
    return tuple(islice((found for each in told if (found := _complaint(each, root))), MOST_FAILURES))


def _complaints(lines: Lines) -> Iterator[dict[str, str | None]]:
    """Lines that complain, as the groups of their patterns."""
    heading: dict[str, str | None] = {}
    headed = 0
    listed = ""  # the file whose complaints follow, as eslint tells them
    for number, line in enumerate(lines):
        below = _ESLINT.fullmatch(line) if listed else None
        if below:
            yield {**below.groupdict(), "file": listed}
            continue
        single = next((found for each in _PATTERNS if (found := each.fullmatch(line))), None)
        if single:
            yield single.groupdict()
            continue
        arrow = _ARROW.fullmatch(line)
        if arrow and heading and number - headed <= _NEAR:
            told = {"message": heading["text"], "rule": heading["code"]} if heading["code"] else {}
            yield {**heading, **told, **arrow.groupdict()}
            heading = {}
            continue
        header = _HEADING.fullmatch(line)
        if header:
            heading, headed = header.groupdict(), number
        file = _ESLINT_FILE.fullmatch(line)
        listed = file["file"] if file else listed


def _complaint(told: Mapping[str, str | None], root: str) -> Failure | None:
    path = inside(told["file"] or "", root)
    if not path or (told.get("severity") or "error").lower() in _HARMLESS:
        return None
    message = (told["message"] or "").strip()[:LONGEST_MESSAGE]
    line, column = int(told["line"] or 0), int(told.get("column") or 0)
    return Failure("", path, line, message, kind="error", column=column, rule=told["rule"] or "")


# Places: Python tells the innermost frame last, everyone else first; frames of libraries are passed over.

_MOST_LINES = 2000
_LIBRARIES = (
    "site-packages/",
    "dist-packages/",
    "node_modules/",
    "lib/python",
    "/rustc/",
    "/.cargo/registry/",
    "/vendor/bundle/",
    "/gems/",
    "vendor/phpunit/",
    "/go/pkg/mod/",
    "/usr/local/go/src/",
)
_NOT_FILES = ("node:", "internal/", "<", "native", "Unknown Source", "bun:", "ext:")
_JAVA_LIBRARIES = lazy(
    r"\s*at (?:[\w.@/]{0,80}/)?(?:java|javax|jdk|sun|org\.(?:junit|testng|gradle|apache\.maven|mockito|"
    r"hamcrest|assertj|opentest4j|codehaus\.groovy|scalatest)|kotlin|scala|junit)\."
)
_FILE = r"(?P<file>[^\s:()'\"<>|`][^:()'\"<>|`\t]{0,250}?\.[A-Za-z]\w{0,9})"
_PYTHON = lazy(r"(?:E )?\s*File \"(?P<file>[^\"]{1,300})\", line (?P<line>\d{1,7})")
_PYTEST = lazy(r"(?P<file>[^\s:][^:\t]{0,250}\.pyi?):(?P<line>\d{1,7}):(?: |$)")
_STACK = lazy(  # JavaScript, Java and Kotlin, C#
    r"\s*(?:at|❯) (?:.{0,200}?\()?(?:file://)?"
    + _FILE
    + r":(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?\)?\s*$"
)
_DOTNET = lazy(r"\s*at .{1,300} in (?P<file>\S.{0,250}):line (?P<line>\d{1,7})\s*$")
_PANIC = lazy(r".{0,200}panicked at (?:'.{0,300}', )?" + _FILE + r":(?P<line>\d{1,7}):(?P<column>\d{1,6})")
_PLAIN = lazy(
    r"\s*(?:#\d+ |# |in |-->\s*|\[)?(?:\./)?"
    + _FILE
    + r"[:(](?P<line>\d{1,7})(?:[:,](?P<column>\d{1,6}))?[:)\]]?(?=\s|$|:|\))"
)
_GRADLE = lazy(r"\s*[\w.$]{1,200} at (?P<file>[\w.$-]{1,200}\.\w{1,10}):(?P<line>\d{1,7})\s*$")
_INNERMOST_FIRST: tuple[re.Pattern[str], ...] = (_GRADLE, _STACK, _DOTNET, _PANIC, _PLAIN)


class Place(NamedTuple):
    file: str
    line: int
    column: int = 0


def place_in(text: str, root: str = "") -> Place | None:
    """The innermost place of the project that the text names; `root` is the folder that the run had."""
    lines = [line[:_LONGEST_LINE] for line in text.splitlines()[:_MOST_LINES]]
    python = [found for line in lines if (found := _matched(line, (_PYTHON, _PYTEST), root))]
    if python:
        return python[-1]
    for pattern in _INNERMOST_FIRST:
        for line in lines:
            if _JAVA_LIBRARIES.match(line):
                continue
            found = _matched(line, (pattern,), root)
            if found:
                return found
    return None


def _matched(line: str, patterns: tuple[re.Pattern[str], ...], root: str) -> Place | None:
    for pattern in patterns:
        found = pattern.match(line)
        if found:
            file = inside(found["file"], root)
            groups = found.groupdict()
            return Place(file, int(found["line"]), int(groups.get("column") or 0)) if file else None
    return None


def same_file(one: str, other: str) -> bool:
    """Whether two paths, each perhaps seen from another folder, are one file."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def inside(file: str, root: str = "") -> str:
    """The path as the project has it; empty for a file of a library or outside of `root`."""
    path = file.strip().removeprefix("file://").replace("\\", "/")
    if not path or path.startswith(_NOT_FILES) or any(each in path for each in _LIBRARIES):
        return ""
    folder = root.rstrip("/")
    if folder and path.startswith(f"{folder}/"):
        path = path[len(folder) + 1 :]
    if path.startswith("/"):
        return "" if folder else path
    short = posixpath.normpath(path)
    return "" if short.startswith("../") else short
