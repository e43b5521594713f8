"""JUnit reports of all dialects: how many tests ran, and which failed where.

The file was written by code that we don't trust: no document type and no entities, bounded in size, depth and
in what is kept; a file that is cut or is no JUnit report gives nothing, never half the truth. Tests are
counted one by one, because totals of nested suites repeat each other; totals count only where no test is.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.parsers import expat

from donewhen.core.counts.model import Counts
from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.model import (
    LONGEST_DETAILS,
    LONGEST_MESSAGE,
    LONGEST_NAME,
    MOST_FAILURES,
    Failure,
    FailureKind,
    cut,
    first_line,
)
from donewhen.verify.reports.places import inside, place_in
from donewhen.verify.reports.printed_pytest import raised

__all__ = ["Failure", "JunitReport", "read_junit"]

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
        self.case: Mapping[str, str] | None = None
        self.case_depth = 0
        self.suites: list[str] = []  # the files that the suites around a test name
        self.titles: list[str] = []  # and their names
        self.marked: list[str] = []  # scenarios that the test's properties name
        self.cases: list[Case] = []
        self.verdicts: list[_Verdict] = []
        self.kept: str = ""  # the verdict whose text is being read
        self.text: list[str] = []
        self.room = 0
        self.executed = self.passed = self.failed = self.errors = self.skipped = 0
        self.outer = self.totals = [0, 0, 0, 0]
        self.failures: list[Failure] = []
        self.names: list[str] = []

    def refuse(self, *_: object) -> None:
        raise _Refused

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2].lower()
        self.depth += 1
        if self.depth > _DEEPEST or (self.depth == 1 and name not in _ROOTS):
            raise _Refused
        if name == "testsuite":
            self.suites.append(attributes.get("file", ""))
            self.titles.append(attributes.get("name", "")[:LONGEST_NAME])
        if name in _ROOTS and len(self.suites) <= 1:
            self._total(attributes, name)
        elif name == "testcase" and self.case is None:
            self.case, self.case_depth, self.verdicts, self.text = attributes, self.depth, [], []
            self.room, self.marked = _KEPT_TEXT, []
        elif self.case is not None and self.depth == self.case_depth + 1 and name in _VERDICTS:
            kind = attributes.get("type", "")
            self.verdicts.append(
                _Verdict(name, attributes.get("message", "")[:_KEPT_TEXT], kind[:LONGEST_NAME])
            )
            self.kept = name
        elif self.case is not None and name == "property" and attributes.get("name") == "scenario":
            self.marked.append(attributes.get("value", "")[:LONGEST_NAME])

    def characters(self, text: str) -> None:
        if self.kept in ("failure", "error") and self.room > 0:
            self.text.append(text[: self.room])
            self.room -= len(text)

    def end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2].lower()
        if self.case is not None and self.depth == self.case_depth:
            self._count(self.case)
            self.case = None
        elif self.case is not None and self.depth == self.case_depth + 1:
            self.kept = ""
        if name == "testsuite":
            self.suites.pop()
            self.titles.pop()
        self.depth -= 1

    def _total(self, attributes: Mapping[str, str], name: str) -> None:
        """Totals of the outermost: those of `testsuites` repeat those of its suites."""
        found = [_number(attributes.get(key, "")) for key in ("tests", "failures", "errors", "skipped")]
        found[3] = max(found[3], _number(attributes.get("disabled", "")))
        if name == "testsuites":
            self.outer = found
        elif not any(self.outer):
            self.totals = [had + more for had, more in zip(self.totals, found, strict=True)]

    def _count(self, case: Mapping[str, str]) -> None:
        kinds = {verdict.kind: verdict for verdict in reversed(self.verdicts)}
        state = case.get("status", case.get("result", "")).lower()
        bad = kinds.get("error") or kinds.get("failure")
        outcome: Outcome = "passed"
        if bad is not None:
            outcome = "failed"
            self._fail(case, bad)
        elif "skipped" in kinds and kinds["skipped"].type == "pytest.xfail":
            outcome = "xfailed"
            self.executed += 1
        elif "skipped" in kinds or state in _NOT_RUN:
            outcome = "skipped"
            self.skipped += 1
        else:
            self.executed += 1
            self.passed += 1
        if len(self.cases) < MOST_CASES:
            said = _message(bad, "".join(self.text)) if bad is not None else ""
            self.cases.append(self._case(case, outcome, said[:LONGEST_MESSAGE]))

    def _case(self, case: Mapping[str, str], outcome: Outcome, message: str) -> Case:
        file = case.get("file", "") or next((each for each in reversed(self.suites) if each), "")
        told = case.get("assertions", "")
        return Case(
            case.get("name", "")[:LONGEST_NAME],
            outcome,
            case.get("classname", "")[:LONGEST_NAME],
            tuple(title for title in self.titles if title),
            inside(file, self.root),
            _number(case.get("line", "")),
            _number(told) if told else None,
            tuple(self.marked[:50]),
            message,
        )

    def _fail(self, case: Mapping[str, str], verdict: _Verdict) -> None:
        text = "".join(self.text)
        outside = verdict.kind == "error" and verdict.message.lower().startswith(_OUTSIDE)
        self.executed += not outside
        if verdict.kind == "error":
            self.errors += 1
        else:
            self.failed += 1
        name = _name(case, self.titles)
        if len(self.names) < 5:
            self.names.append(name)
        if len(self.failures) < MOST_FAILURES:
            file, line = self._place(case, text or verdict.message)
            message = _message(verdict, text)
            kind: FailureKind = "error" if verdict.kind == "error" else "failed"
            self.failures.append(
                Failure(name, file, line, message[:LONGEST_MESSAGE], cut(text or verdict.message), kind)
            )

    def _place(self, case: Mapping[str, str], text: str) -> tuple[str, int]:
        """What the text says is nearer to the cause than where the test begins."""
        told = inside(
            case.get("file", "") or next((each for each in reversed(self.suites) if each), ""), self.root
        )
        found = place_in(text, self.root)
        if found and (not told or _same(found.file, told) or not _number(case.get("line", ""))):
            return (told if told and _same(found.file, told) else found.file), found.line
        line = _number(case.get("line", ""))
        return told, line + 1 if told.endswith(".py") and line else line  # pytest's xunit1 counts from 0

    def report(self) -> JunitReport:
        counted = self.executed or self.skipped or self.failed or self.errors
        if not counted:
            tests, failed, errors, skipped = self.outer
            if not any((tests, failed, errors)):
                tests, failed, errors, skipped = self.totals
            executed = max(0, tests - skipped)
            passed = max(0, executed - failed - errors)
            return JunitReport(Counts(executed, passed, failed, errors, skipped, runner="junit"))
        counts = Counts(
            self.executed,
            self.passed,
            self.failed,
            self.errors,
            self.skipped,
            failed_names=tuple(self.names),
            runner="junit",
        )
        return JunitReport(counts, tuple(self.failures), tuple(self.cases))


def _message(verdict: _Verdict, text: str) -> str:
    said = first_line(verdict.message)
    if said == _COLLECTING or said.startswith(_NO_FIXTURE):  # the cause ends its story
        said = raised([line[:LONGEST_MESSAGE] for line in text.splitlines()]) or _last_line(text) or said
    return said or first_line(text) or verdict.type


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def _name(case: Mapping[str, str], titles: Sequence[str]) -> str:
    group, name = case.get("classname", "").strip(), case.get("name", "").strip()
    if group == _NODE_GROUP and "pytest" not in titles:
        group, name = " › ".join(title for title in titles if title), name.replace("&quot;", '"')
    return (
        f"{group} › {name}"[:LONGEST_NAME]
        if group and name and group != name
        else (name or group)[:LONGEST_NAME]
    )


def _same(file: str, other: str) -> bool:
    return file == other or file.endswith(f"/{other}") or other.endswith(f"/{file}")


def _number(text: str) -> int:
    return min(int(text), _NUMBERS) if text.isascii() and text.isdigit() and len(text) < 10 else 0
