"""Tests one by one from machine reports: JUnit of all dialects, JSON of runners, our own plugin and recorder.

They were written by code that we don't trust: bounded in size, depth and in what is kept. XML may have no
document type and no entities; a file that is cut or is no JUnit report gives nothing, never half the truth.
Tests are counted one by one, because totals of nested suites repeat each other; totals count only where no
test is. Printed output is a report only where the command itself, called directly, asks its runner for one on
stdout.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple
from xml.parsers import expat

from donewhen.core.counts import Counts
from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.failures import (
    LONGEST_DETAILS,
    LONGEST_MESSAGE,
    LONGEST_NAME,
    MOST_FAILURES,
    Failure,
    FailureKind,
    Place,
    cut,
    first_line,
    inside,
    place_in,
    raised,
    same_file,
)

# JUnit

LARGEST_REPORT = 64 * 2**20
_DEEPEST = 64
_CHUNK = 256 * 1024
_KEPT_TEXT = 4 * LONGEST_DETAILS
_ROOTS = ("testsuites", "testsuite")
_VERDICTS = ("failure", "error", "skipped")
_NOT_RUN = frozenset(("notrun", "skipped", "disabled", "suppressed", "ignored"))
_OUTSIDE = ("failed on setup", "failed on teardown", "collection failure", "error at setup")
_COLLECTING = "collection failure"  # all that pytest says of it here
_NO_FIXTURE = 'failed on setup with "file '
_NUMBERS = 10**9
_NODE_GROUP = "test"  # what Node calls the class of every test; it also escapes quotes twice


class JunitReport(NamedTuple):
    """The counts of a report, its failures, at most fifty, and its tests one by one."""

    counts: Counts
    failures: tuple[Failure, ...] = ()
    cases: tuple[Case, ...] = ()


class _Refused(Exception):
    """It is no JUnit report, or one that is made to do harm."""


class _Verdict(NamedTuple):
    kind: str
    message: str
    type: str


def read_junit(data: bytes, root: str = "") -> JunitReport | None:
    """The report; None: it is none. `root` is the folder of the run, whose name is taken off from places."""
    if len(data) > LARGEST_REPORT:
        return None
    reader = _Reader(root)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    try:
        for at in range(0, len(data), _CHUNK):
            parser.Parse(data[at : at + _CHUNK], False)
        parser.Parse(b"", True)
    except (expat.ExpatError, _Refused, LookupError, ValueError):  # an encoding that nobody knows, bad text
        return None
    return reader.report()


class _Reader:
    """One pass; mutable inside, a frozen report at the end."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.depth = 0
        self.suites: list[Mapping[str, str]] = []  # around what is read
        self.case: Mapping[str, str] | None = None
        self.case_depth = 0
        self.marked: list[str] = []  # scenarios that the test's properties name
        self.verdicts: list[_Verdict] = []
        self.kept: str = ""  # the verdict whose text is being read
        self.text: list[str] = []
        self.room = 0
        self.counts = Counter[str]()  # executed tests, and those of each outcome
        self.outer = self.totals = [0, 0, 0, 0]
        self.cases: list[Case] = []
        self.failures: list[Failure] = []

    def refuse(self, *_: object) -> None:
        raise _Refused

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2].lower()
        self.depth += 1
        if self.depth > _DEEPEST or (self.depth == 1 and name not in _ROOTS):
            raise _Refused
        if name == "testsuite":
            self.suites.append(attributes)
        if name in _ROOTS and len(self.suites) <= 1:
            self._total(attributes, name)
        elif name == "testcase" and self.case is None:
            self.case, self.case_depth, self.verdicts, self.text = attributes, self.depth, [], []
            self.room, self.marked = _KEPT_TEXT, []
        elif self.case is not None and self.depth == self.case_depth + 1 and name in _VERDICTS:
            message, kind = attributes.get("message", ""), attributes.get("type", "")
            self.verdicts.append(_Verdict(name, message[:_KEPT_TEXT], kind[:LONGEST_NAME]))
            self.kept = name
        elif self.case is not None and name == "property" and attributes.get("name") == "scenario":
            self.marked.append(attributes.get("value", "")[:LONGEST_NAME])

    def characters(self, text: str) -> None:
        if self.kept in ("failure", "error") and self.room > 0:
            self.text.append(text[: self.room])
            self.room -= len(text)

    def end(self, tag: str) -> None:
        if self.case is not None and self.depth == self.case_depth:
            self._take(self.case)
            self.case = None
        elif self.case is not None and self.depth == self.case_depth + 1:
            self.kept = ""
        if tag.rpartition(" ")[2].lower() == "testsuite":
            self.suites.pop()
        self.depth -= 1

    def _total(self, attributes: Mapping[str, str], name: str) -> None:
        """Totals of the outermost: those of `testsuites` repeat those of its suites."""
        found = [_number(attributes.get(key, "")) for key in ("tests", "failures", "errors", "skipped")]
        found[3] = max(found[3], _number(attributes.get("disabled", "")))
        if name == "testsuites":
            self.outer = found
        elif not any(self.outer):
            self.totals = [had + more for had, more in zip(self.totals, found, strict=True)]

    def _take(self, case: Mapping[str, str]) -> None:
        kinds = {verdict.kind: verdict for verdict in reversed(self.verdicts)}
        bad, skipped = kinds.get("error") or kinds.get("failure"), kinds.get("skipped")
        state = case.get("status", case.get("result", "")).lower()
        outcome: Outcome = "passed"
        if bad is not None:
            outcome = "failed"
        elif skipped is not None and skipped.type == "pytest.xfail":
            outcome = "xfailed"
        elif skipped is not None or state in _NOT_RUN:
            outcome = "skipped"
        outside = bad is not None and bad.kind == "error" and bad.message.lower().startswith(_OUTSIDE)
        self.counts["executed"] += outcome != "skipped" and not outside
        self.counts[bad.kind if bad else outcome] += 1
        text = "".join(self.text)
        message = _message(bad, text)[:LONGEST_MESSAGE] if bad is not None else ""
        files = [each["file"] for each in (*self.suites, case) if each.get("file")]
        file, line = inside(files[-1] if files else "", self.root), _number(case.get("line", ""))
        asserted = case.get("assertions", "")
        titles = tuple(title for suite in self.suites if (title := suite.get("name", "")[:LONGEST_NAME]))
        if len(self.cases) < MOST_CASES:
            self.cases.append(
                Case(
                    case.get("name", "")[:LONGEST_NAME],
                    outcome,
                    case.get("classname", "")[:LONGEST_NAME],
                    titles,
                    file,
                    line,
                    _number(asserted) if asserted else None,
                    tuple(self.marked[:50]),
                    message,
                )
            )
        if bad is not None and len(self.failures) < MOST_FAILURES:
            story = text or bad.message
            place = _nearest(file, line, place_in(story, self.root))
            kind: FailureKind = "error" if bad.kind == "error" else "failed"
            self.failures.append(Failure(_name(case, titles), *place, message, cut(story), kind))

    def report(self) -> JunitReport:
        if any(self.counts.values()):
            told, names = self.counts, tuple(failure.name for failure in self.failures[:5])
            executed, passed, skipped = told["executed"], told["passed"], told["skipped"]
            counts = Counts(executed, passed, told["failure"], told["error"], skipped, failed_names=names)
            return JunitReport(counts._replace(runner="junit"), tuple(self.failures), tuple(self.cases))
        tests, failed, errors, skipped = self.outer if any(self.outer[:3]) else self.totals
        executed = max(0, tests - skipped)
        passed = max(0, executed - failed - errors)
        return JunitReport(Counts(executed, passed, failed, errors, skipped, runner="junit"))


def _nearest(file: str, line: int, told: Place | None) -> tuple[str, int]:
    """What the story of a failure says is nearer to the cause than where the test begins."""
    same = told is not None and bool(file) and same_file(told.file, file)
    if told is not None and (same or not file or not line):
        return (file if same else told.file), told.line
    return file, line + 1 if file.endswith(".py") and line else line  # pytest's xunit1 counts from 0


def _message(verdict: _Verdict, text: str) -> str:
    said = first_line(verdict.message)
    if said == _COLLECTING or said.startswith(_NO_FIXTURE):  # the cause ends its story
        lines = text.splitlines()
        said = (
            raised([line[:LONGEST_MESSAGE] for line in lines]) or first_line("\n".join(lines[::-1])) or said
        )
    return said or first_line(text) or verdict.type


def _name(case: Mapping[str, str], titles: Sequence[str]) -> str:
    group, name = case.get("classname", "").strip(), case.get("name", "").strip()
    if group == _NODE_GROUP and "pytest" not in titles:
        group, name = " › ".join(titles), name.replace("&quot;", '"')
    both = group and name and group != name
    return (f"{group} › {name}" if both else name or group)[:LONGEST_NAME]


def _number(text: str) -> int:
    return min(int(text), _NUMBERS) if text.isascii() and text.isdigit() and len(text) < 10 else 0


# JSON and lines

_LONGEST_LINE = 4 * 2**20
_MOST_LINES = 2_000_000
_MOST_WORDS = 1000
_MOST_TITLES = 50  # titles around a test
_OUTCOMES: dict[str, Outcome] = {
    **dict.fromkeys(("passed", "pass", "ok", "focused"), "passed"),
    **dict.fromkeys(("failed", "fail", "timeout"), "failed"),
    **dict.fromkeys(("skipped", "skip", "ignored", "pending", "todo", "disabled"), "skipped"),
    "xfailed": "xfailed",
}
_MOCHA: dict[str, Outcome] = {"passes": "passed", "failures": "failed", "pending": "skipped"}
Reader = Callable[[bytes, str], tuple[Case, ...]]


def read_any(data: bytes, root: str = "") -> tuple[Case, ...]:
    """The tests of a report in a file, whatever wrote it; none where no reader knows it."""
    if not data:
        return ()
    return next((cases for reader in _FILES if (cases := reader(data, root))), ())


def printed_reader(argv: Sequence[str]) -> Reader | None:
    """How the output of the command is read; None: what it prints is for people."""
    names = [word.rpartition("/")[2] for word in argv[:_MOST_WORDS]]
    for program, asking, reader in _PRINTED:
        if program in names:
            rest = argv[names.index(program) + 1 : _MOST_WORDS]
            pairs = (f"{one}={two}" for one, two in pairwise(rest))
            if not {*rest, *pairs}.isdisjoint(asking):
                return reader
    return None


def read_go_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """`go test -json`: one event a line. What a test prints is inside of events, so it can't be one."""
    return _cases(
        Case(_word(event.get("Test")), outcome, _word(event.get("Package")))
        for event, outcome in _events(data, "Action")
    )


def read_cargo_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """libtest's JSON, of `cargo test -- --format json` and of nextest, which puts the binary before names."""
    found = (
        (_word(event.get("name")).rpartition("$"), outcome)
        for event, outcome in _events(data, "event")
        if event.get("type") == "test"
    )
    return _cases(Case(name, outcome, crate) for (crate, _, name), outcome in found)


def read_jest_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """jest, vitest, which writes the same, and mocha: the whole is one report, or single lines are."""
    whole = _loaded(data)
    found = [whole] if isinstance(whole, dict) else _objects(data)
    return _cases(case for report in found for case in (*_jest(report, root), *_mocha(report, root)))


def read_plugin_lines(data: bytes, root: str = "") -> tuple[Case, ...]:
    """What the shipped pytest plugin writes: one JSON object for each test, with its scenarios."""
    return _cases(_of_plugin(row, outcome, root) for row, outcome in _events(data, "outcome"))


def read_recorded(data: bytes, root: str = "") -> tuple[Case, ...]:
    """What unittest's processes noted by the exam's recorder; a line that is cut is left out."""
    lines = (words for words in _recorded(data) if len(words) in (4, 5) and words[0] in _OUTCOMES)
    return _cases(_of_recorder(words, root) for words in lines if words[3].isascii() and words[3].isdigit())


def _of_recorder(words: Sequence[str], root: str) -> Case:
    outcome, test, file, line, *said = words
    group, _, name = test[:600].rpartition(".")
    return Case(
        name[:300],
        _OUTCOMES[outcome],
        group,
        file=inside(file, root),
        line=int(line[:9]),
        message="".join(said)[:LONGEST_MESSAGE],
    )


def claims_too_much(data: bytes, executed: int) -> bool:
    """Whether unittest was started, told of no test, and more tests were printed than anybody noted."""
    words = list(_recorded(data))
    began = {each[1] for each in words if each[0] == "began" and len(each) == 2}
    counted = {each[1] for each in words if each[0] == "counted" and len(each) == 2}
    told = sum(each[0] in _OUTCOMES for each in words)
    return bool(began - counted) and executed > told


def _recorded(data: bytes) -> Iterator[list[str]]:
    for line in data.split(b"\n")[: 4 * MOST_CASES]:
        yield os.fsdecode(line).split("\0")


def _junit(data: bytes, root: str) -> tuple[Case, ...]:
    found = read_junit(data, root)
    return found.cases if found is not None else ()


_FILES: tuple[Reader, ...] = (_junit, read_jest_json, read_go_json, read_cargo_json)
_JSON_REPORTER = ("--reporter=json", "-R=json")
_LIBTEST = ("--format=json", "--message-format=libtest-json")
_PRINTED: tuple[tuple[str, tuple[str, ...], Reader], ...] = (  # a program, and the options that ask for it
    ("go", ("-json", "--json"), read_go_json),
    ("jest", ("--json",), read_jest_json),
    ("vitest", _JSON_REPORTER, read_jest_json),
    ("mocha", _JSON_REPORTER, read_jest_json),
    ("cargo", _LIBTEST, read_cargo_json),
)


def _cases(found: Iterable[Case]) -> tuple[Case, ...]:
    return tuple(islice((case for case in found if case.name), MOST_CASES))


def _events(data: bytes, key: str) -> Iterator[tuple[dict[str, Any], Outcome]]:
    """Lines that say under `key` what a test came to."""
    for event in _objects(data):
        outcome = _OUTCOMES.get(_word(event.get(key)))
        if outcome is not None:
            yield event, outcome


def _jest(report: dict[str, Any], root: str) -> Iterator[Case]:
    for file in _listed(report.get("testResults")):
        path = inside(_word(file.get("name") or file.get("testFilePath"), 4096), root)
        for test in _listed(file.get("assertionResults") or file.get("testResults")):
            outcome = _OUTCOMES.get(_word(test.get("status")))
            above = test.get("ancestorTitles")
            suites = tuple(map(_word, above[:_MOST_TITLES])) if isinstance(above, list) else ()
            location = test.get("location")
            if outcome is not None:
                yield Case(
                    _word(test.get("title")),
                    outcome,
                    suites=tuple(filter(None, suites)),
                    file=path,
                    line=_count(location.get("line")) if isinstance(location, dict) else 0,
                    assertions=_count(test.get("numPassingAsserts")) or None,
                    message=_said(test.get("failureMessages")),
                )


def _mocha(report: dict[str, Any], root: str) -> Iterator[Case]:
    for key, outcome in _MOCHA.items() if isinstance(report.get("stats"), dict) else ():
        for test in _listed(report.get(key)):
            file, error = inside(_word(test.get("file"), 4096), root), test.get("err")
            said = _said([error.get("message")]) if isinstance(error, dict) else ""
            yield Case(_word(test.get("fullTitle")), outcome, file=file, message=said)


def _of_plugin(row: dict[str, Any], outcome: Outcome, root: str) -> Case:
    own, bracket, row_name = _word(row.get("nodeid"), 4096).partition("::")[2].partition("[")
    group, _, name = own.replace("::", ".").rpartition(".")
    listed = row.get("scenarios")
    return Case(
        f"{name}{bracket}{row_name}"[:300],
        outcome,
        group,
        file=inside(_word(row.get("file"), 4096), root),
        line=_count(row.get("line")),
        scenarios=tuple(map(_word, listed[:50])) if isinstance(listed, list) else (),
        message=_word(row.get("message"), LONGEST_MESSAGE),
    )


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    """Every line that is a JSON object, in order."""
    for line in data[:LARGEST_REPORT].splitlines()[:_MOST_LINES]:
        short = line.strip()
        if short.startswith(b"{") and short.endswith(b"}") and len(short) <= _LONGEST_LINE:
            found = _loaded(short)
            if isinstance(found, dict):
                yield found


def _loaded(data: bytes) -> Any:
    try:
        return json.loads(data[:LARGEST_REPORT])
    except (ValueError, RecursionError):
        return None


def _said(value: object) -> str:
    return first_line(_word(value[0], LONGEST_DETAILS)) if isinstance(value, list) and value else ""


def _listed(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _word(value: object, longest: int = 300) -> str:
    return value[:longest] if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0
